"""Makes questions about a kernel that runs, by changing it and running it again.

    probes = make_probes(Replay(kernel, grid, block, shared_bytes, hold_arguments(arguments)))
    probes.probes[0].asked, probes.probes[0].lines, probes.probes[0].changes

One mechanism for kernels in CUDA C++ and Numba. Facts in place of sentences; decides nothing about
how a person is asked.
"""

from grader.probes.reading import read_probes
from grader.probes.values import RULES, Form, KernelProbe, KernelProbes, LaunchChange

KEEP = "from grader.probes.keeping import install; install()"
"""Runs before a script to keep the probes of its kernels, see `grader.scripts.command`."""

__all__ = ["KEEP", "RULES", "Form", "KernelProbe", "KernelProbes", "LaunchChange", "read_probes"]
