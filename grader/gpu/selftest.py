"""A test kernel, compiled, run and compared: what `quiz doctor` asks of a GPU."""

from __future__ import annotations

from typing import Any

from grader.gpu.device import Device, DeviceError
from grader.gpu.grading import Grader, Submission
from grader.kernels.problem import Argument, Problem

_PROBLEM = Problem(
    "double",
    (Argument("a", "float32", ("n",)), Argument("out", "float32", ("n",), "output")),
    ({"n": 1000},),
    ("ceil(n / 128)",),
    (128,),
    reference="def reference(a): return 2 * a",
)
_KERNEL = """\
from numba import cuda


@cuda.jit
def double(a, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + a[i]
"""


def selftest(device: Device) -> dict[str, Any]:
    """Whether it compiled, ran and was right; `what` says why not.

    Raises:
        DeviceError: after it this process is of no use.
    """
    graded = Grader(device).grade(Submission(_PROBLEM, _KERNEL, None, seed=1))
    if graded.replaced:
        raise DeviceError("launch-failed", "the test kernel failed on the device")
    reached = {gate.name: gate.state == "passed" for gate in graded.verdict.gates}
    failure = graded.verdict.failure
    return {
        "compiles": reached["compiles"],
        "runs": reached["runs"],
        "right": reached["result"],
        "what": failure.came if failure else "",
    }
