"""The process that has the CUDA context: answers hello, describe, grade, calibrate, selftest.

Started by `client`, here or by ssh. Imports Numba only when its device is first needed.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import resource
import select
import shutil
import signal
import sys
import tempfile
import threading
import traceback
from dataclasses import replace
from typing import get_args

from grader.facts import fact
from grader.gpu import messages
from grader.gpu.calibrating.calibrate import time_instruction
from grader.gpu.command import NUMBA_DEVICE, kept_in
from grader.gpu.devices.device import Device, DeviceError
from grader.gpu.grading import GpuGrader
from grader.gpu.outcome import SelfTest
from grader.kernels.messages import ProblemReply, fault_reply
from grader.kernels.problem import Argument, InvalidProblem, Problem
from grader.kernels.reference import ReferenceFailed
from grader.request_loop import serve

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
    request = messages.GpuGradeRequest(problem=_PROBLEM, source=_KERNEL, benchmark=None, seed=1)
    graded = GpuGrader(device).grade(request)
    if graded.replaced:
        raise DeviceError("launch-failed", fact("gpu.test-kernel-failed"))
    reached = {gate.name: gate.state == "passed" for gate in graded.verdict.gates}
    failure = graded.verdict.failure
    what = failure.reason if failure else None
    return SelfTest(reached["compiles"], reached["runs"], reached["result"], what)


AnyRequest = (
    messages.HelloRequest
    | messages.DescribeRequest
    | messages.GpuGradeRequest
    | messages.CalibrateRequest
    | messages.SelfTestRequest
)
_FILE_BYTES = 1 << 30
"""Of a file: the compiler's and the driver's caches. 0 would end CUDA: it sizes shared files."""
_SIGNALLED = 128


class _GpuWorker:
    """Answers requests; has the device from the first that needs it."""

    def __init__(self, module: str, *, gated: bool) -> None:
        self._module = module
        self._gated = gated
        self._device: Device | None = None
        self._grader: GpuGrader | None = None

    def answer(self, request: AnyRequest) -> ProblemReply:
        """Answer a request; the reply is `poisoned` if this process must be replaced."""
        try:
            return self._answer(request)
        except DeviceError as error:
            return messages.device_reply(error)
        except (InvalidProblem, ReferenceFailed) as error:
            return fault_reply(error)
        except BaseException:  # a SystemExit, too: a text may raise what it likes
            traceback.print_exc()
            sys.stderr.flush()
            # At once: while an interpreter shuts down its answers are closed already, and the
            # client would end it, and take that for the cause.
            os._exit(1)

    def _answer(self, request: AnyRequest) -> messages.GpuReply:
        match request:
            case messages.HelloRequest():
                return messages.HelloReply(
                    protocol=messages.PROTOCOL, package=messages.package_version()
                )
            case messages.DescribeRequest():
                return messages.DeviceReply(describe=self._open()[0].facts)
            case messages.GpuGradeRequest():
                graded = self._open()[1].grade(request)
                return messages.GpuGradeReply(
                    graded=replace(graded, source=""), poisoned=graded.replaced
                )
            case messages.CalibrateRequest():
                return messages.CalibrateReply(
                    calibrate=time_instruction(self._open()[0], request.instruction)
                )
            case messages.SelfTestRequest():
                return messages.SelfTestReply(selftest=selftest(self._open()[0]))

    def _open(self) -> tuple[Device, GpuGrader]:
        if self._device is None or self._grader is None:
            device: Device = importlib.import_module(self._module).open_device()
            self._device, self._grader = device, GpuGrader(device, gated=self._gated)
        return self._device, self._grader


def limit() -> None:
    """Bound what this process may take. Not its address space: CUDA reserves terabytes of it."""
    for what, most in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, _FILE_BYTES)):
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(what, (most, most))


def end_when_left() -> None:
    """End this process's group once the other end of standard input is closed.

    On another host that is all we hear of a client that is gone; a kernel may still be running.
    """
    watched = select.poll()
    watched.register(0, select.POLLHUP | select.POLLERR)

    def watch() -> None:
        watched.poll()
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()


def in_own_folder() -> None:
    """Continue in a child with its own folder for temporary files and its own process group.

    This process stays behind, removes the folder however the child ended, and ends as it did: with
    a status, as a shell would say it, since of a signal ssh says what it says of a lost connection.
    """
    folder = tempfile.mkdtemp(prefix="quiz-gpu-")
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.environ.update(kept_in(folder))
        return
    _, status = os.waitpid(child, 0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # what it may have started
    shutil.rmtree(folder, ignore_errors=True)
    code = os.waitstatus_to_exitcode(status)
    os._exit(code if code >= 0 else _SIGNALLED - code)


def main() -> None:
    """Answer until the application goes away."""
    parser = argparse.ArgumentParser(prog="grader.gpu.worker", description=__doc__)
    parser.add_argument("--device", default=NUMBA_DEVICE, help="module with `open_device`")
    parser.add_argument("--ungated", action="store_true", help="execute what the gate refuses")
    parser.add_argument("--own-folder", action="store_true", help="make one for temporary files")
    options = parser.parse_args()
    limit()
    if options.own_folder:
        in_own_folder()
    end_when_left()
    worker = _GpuWorker(options.device, gated=not options.ungated)
    serve(worker.answer, *get_args(AnyRequest))


if __name__ == "__main__":
    main()
