"""The results of grading on a GPU: frozen values, shown and sent between processes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from msgspec import Meta

from grader.facts import Fact, fact
from grader.verdict import Verdict
from grader.wire import Amount, Count, Difference, Name

GATES = ("compiles", "runs", "result", "speedup")
"""In their order. `compiles`: Numba makes machine code of it. `runs`: every launch
ends, without an error of the device. `result`: at every shape, and at the timed one. `speedup`:
over the baseline; binds only on devices that are listed."""

Standing = Literal[
    "passed", "failed", "right, speed not judged", "not decided", "right, not measured"
]
"""`right, speed not judged`: nothing is asked of this device. `not decided`: the interval is too
wide around what is asked. `right, not measured`: the measurement was refused."""

Capability = Annotated[str, Meta(pattern=r"^[1-9][0-9]?\.[0-9]$")]
Share = Annotated[float, Meta(ge=0, le=1)]
Limiter = Literal["registers", "shared memory", "threads", "blocks", ""]
"""What limits the blocks per SM; empty if unknown."""


_MOST_VERSIONS = 50
"""Packages."""


@dataclass(frozen=True, slots=True)
class DeviceFacts:
    """A GPU, and what drives it.

    Attributes:
        capability: major.minor.
        driver_cuda: CUDA version that the driver supports.
        runtime: CUDA version that kernels are compiled with.
        versions: of packages, by name.
        multiprocessors: the number of SMs.
        memory: bytes of device memory.
        l2: bytes of level-2 cache.
        peak: bytes per second from memory clock and bus width; 0 if unreported.
    """

    name: Name
    capability: Capability
    driver: Name
    driver_cuda: Name
    runtime: Name
    versions: Annotated[Mapping[Name, Name], Meta(max_length=_MOST_VERSIONS)]
    multiprocessors: Count
    memory: Count
    l2: Count = 0
    peak: Amount = 0.0


@dataclass(frozen=True, slots=True)
class Ratio:
    """The candidate's speedup: the median, and a 95% interval around it."""

    median: Amount
    low: Amount
    high: Amount

    def __str__(self) -> str:
        """Write it as `1.84 (1.80–1.88)`."""
        return f"{self.median:.2f} ({self.low:.2f}–{self.high:.2f})"


@dataclass(frozen=True, slots=True)
class Speed:
    """The measurements at the timed shape.

    Attributes:
        ratio: of the times of baseline and candidate; None without a baseline.
        gate: the ratio required on this device; None if it is not listed.
        baseline_seconds, seconds: medians of baseline (0 without one) and candidate.
        samples: of each.
        bytes: the fewest that one run must move: inputs read once, what changes written once.
        gigabytes: of these a second, in 10⁹.
        gigaflops: 10⁹ operations per second; None if their number is unknown.
        copy_gigabytes: a second, read and written, of a large copy on this device.
        refused: why the measurement cannot be true; None if it can.
    """

    ratio: Ratio | None
    gate: Amount | None
    baseline_seconds: Amount
    seconds: Amount
    samples: Count
    bytes: Count
    gigabytes: Amount
    gigaflops: Amount | None
    copy_gigabytes: Amount
    refused: Fact | None = None

    @property
    def shortfall(self) -> Fact | None:
        """The ratio and the required one; None unless both exist."""
        if self.ratio is None or self.gate is None:
            return None
        ratio = self.ratio
        return fact("gpu.slow", median=ratio.median, low=ratio.low, high=ratio.high, gate=self.gate)


@dataclass(frozen=True, slots=True)
class Resources:
    """The resources that the compiled kernel uses.

    Attributes:
        registers: of a thread.
        shared_bytes: of a block, dynamic ones included.
        local_bytes: of a thread.
        blocks: how many an SM holds at once; 0 if the capability is unknown.
        occupancy: warps that it holds then, of those it could, from 0 to 1.
        limiter: what keeps more blocks away.
    """

    registers: Count
    shared_bytes: Count
    local_bytes: Count
    blocks: Count
    occupancy: Share
    limiter: Limiter


@dataclass(frozen=True)
class GpuGrade:
    """A submission with its verdict on a GPU.

    Attributes:
        verdict: its gates are `GATES`.
        standing: the verdict in words.
        facts: the device; None if the worker did not reach it.
        resources: None if it did not compile.
        speed: None if nothing was timed.
        error, allowed: the largest difference of an output, and the largest that is right.
        seed: of the inputs; another one for every submission.
        replaced: True if its worker had to be ended.
    """

    source: str = field(repr=False)
    verdict: Verdict
    standing: Standing
    facts: DeviceFacts | None = None
    resources: Resources | None = None
    speed: Speed | None = None
    error: Difference = 0.0
    allowed: Difference = 0.0
    seed: Count = 0
    replaced: bool = False

    @property
    def right(self) -> bool:
        """True if no gate failed, even if the speed was not judged or not decided."""
        return self.standing != "failed"

    @property
    def passed(self) -> bool:
        """True if every gate passed."""
        return self.standing == "passed"


@dataclass(frozen=True, slots=True)
class SelfTest:
    """The result of a test kernel; `what` is the reason if it failed."""

    compiles: bool
    runs: bool
    right: bool
    what: Fact | None = None
