"""Messages to and from a GPU worker: types, ranges, the protocol's version.

The worker may be any program on another host; `client` says what must fit together.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from grader.facts import Fact
from grader.gpu.benchmark import Benchmark
from grader.gpu.devices.device import DeviceError, ErrorKind
from grader.gpu.outcome import DeviceFacts, GpuGrade, SelfTest
from grader.kernels.messages import ProblemReply
from grader.kernels.problem import Problem
from grader.wire import Name, Request, Whole

PROTOCOL = 5
"""Raised with every change of a request or an answer."""
Cycles = Annotated[float, Meta(ge=-1e9, le=1e9)]
"""Of an access; behind a background load a noisy clock may say less than nothing."""
_MOST_ANSWERS = 1000


def package_version() -> str:
    """Look up the installed version; "" in a bare checkout, where only the protocol is compared."""
    # Only a worker is asked, and this takes 25 ms
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

    try:
        return version("gpu-quiz")
    except PackageNotFoundError:
        return ""


class HelloRequest(Request, frozen=True, kw_only=True, tag="hello"):
    """Say which version you are; `HelloReply`. Older workers understand this, too."""


class DescribeRequest(Request, frozen=True, kw_only=True, tag="describe"):
    """Open the device and describe it; `DeviceReply`."""


class GpuGradeRequest(Request, frozen=True, kw_only=True, tag="grade"):
    """Grade a submission; `GpuGradeReply`.

    Attributes:
        benchmark: how it is timed; None: it is only to be right.
    """

    problem: Problem
    source: str
    benchmark: Benchmark | None
    seed: int


class CalibrateRequest(Request, frozen=True, kw_only=True, tag="calibrate"):
    """Time the accesses of an instruction of `probes`; `CalibrateReply`."""

    instruction: str


class SelfTestRequest(Request, frozen=True, kw_only=True, tag="selftest"):
    """Compile, run and compare a test kernel; `SelfTestReply`."""


class DeviceFault(Struct, frozen=True):
    """The fields of a `DeviceError`."""

    kind: ErrorKind
    what: Fact


class GpuReply(ProblemReply, frozen=True, kw_only=True):
    """Any answer: the device may have failed, and the worker may have to be replaced."""

    device: DeviceFault | None = None
    poisoned: bool = False


class HelloReply(GpuReply, frozen=True, kw_only=True):
    """Both ends have to be of one protocol, and of one package where both are installed."""

    protocol: Whole
    package: Name


class DeviceReply(GpuReply, frozen=True, kw_only=True):
    """The device."""

    describe: DeviceFacts | None = None


class GpuGradeReply(GpuReply, frozen=True, kw_only=True):
    """The verdict; its source is left out, since the client has it."""

    graded: GpuGrade | None = None


class InstructionTimes(Struct, frozen=True):
    """Cycles of the accesses of an instruction, in the order of `questions`; or why it is absent.

    Attributes:
        ballast: cycles of the background load alone.
        cycles: of each access alone.
        behind: by which each makes the background load longer.
    """

    ballast: Cycles = 0.0
    cycles: Annotated[tuple[Cycles, ...], Meta(max_length=_MOST_ANSWERS)] = ()
    behind: Annotated[tuple[Cycles, ...], Meta(max_length=_MOST_ANSWERS)] = ()
    absent: Fact | None = None


class CalibrateReply(GpuReply, frozen=True, kw_only=True):
    """The times."""

    calibrate: InstructionTimes | None = None


class SelfTestReply(GpuReply, frozen=True, kw_only=True):
    """The result of the test kernel."""

    selftest: SelfTest | None = None


def device_reply(error: DeviceError) -> GpuReply:
    """Answer that the device failed at something that is not the submission's."""
    return GpuReply(device=DeviceFault(error.kind, error.what), poisoned=error.poisoned)
