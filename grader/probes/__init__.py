"""Makes questions about a kernel that runs, by changing it and running it again.

    probes = make_probes(Replay(kernel, grid, block, shared_bytes, hold_arguments(arguments)))
    probes.probes[0].asked, probes.probes[0].lines, probes.probes[0].changes

One mechanism for kernels in CUDA C++ and Numba. Facts in place of sentences; decides nothing about
how a person is asked.
"""

from grader.probes.reading import read_probes
from grader.probes.values import RULES, Form, KernelProbe, KernelProbes, LaunchChange


def keep_probes(progress: str) -> str:
    """Return what runs before a script to keep its kernels' probes, see `grader.scripts.command`.

    `progress`: the file that says how far it is: how many kinds of probes, of how many, are made,
    and the kernel.
    """
    return f"from grader.probes.keeping import install; install({progress!r})"


__all__ = [
    "RULES", "Form", "KernelProbe", "KernelProbes", "LaunchChange", "keep_probes", "read_probes",
]  # fmt: skip
