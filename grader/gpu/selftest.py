"""A test kernel, compiled, run and compared: what `quiz doctor` asks of a GPU."""

from __future__ import annotations

from grader.facts import fact
from grader.gpu.devices.device import Device, DeviceError
from grader.gpu.grading import GpuGrader
from grader.gpu.messages import GpuGradeRequest
from grader.gpu.outcome import SelfTest
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


def selftest(device: Device) -> SelfTest:
    """Test whether a kernel compiles, runs and is right.

    Raises:
        DeviceError: this process can no longer use the device.
    """
    request = GpuGradeRequest(problem=_PROBLEM, source=_KERNEL, benchmark=None, seed=1)
    graded = GpuGrader(device).grade(request)
    if graded.replaced:
        raise DeviceError("launch-failed", fact("gpu.test-kernel-failed"))
    reached = {gate.name: gate.state == "passed" for gate in graded.verdict.gates}
    failure = graded.verdict.failure
    what = failure.reason if failure else None
    return SelfTest(reached["compiles"], reached["runs"], reached["result"], what)
