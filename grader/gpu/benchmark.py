"""Describes the speed required of a kernel on a GPU: a timed shape, a baseline, a gate.

Plain and frozen; knows no device. `grader.kernels.Problem` says the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.kernels.problem import Amount


@dataclass(frozen=True, slots=True)
class Benchmark:
    """How a kernel is timed.

    Attributes:
        shape: what the names of the problem's expressions mean in the timed run; large.
        baseline: Python with a kernel of the same signature; empty: nothing is compared.
        speedup: over the baseline, that is asked for, by device as the driver names it.
        flops: floating-point operations of one run, over the names of the shape; None: unknown,
            and bandwidth alone is shown.
        seconds: of timing, at most; the samples asked for are taken first.
    """

    shape: Mapping[str, int]
    baseline: str = field(default="", repr=False)
    speedup: Mapping[str, float] = field(default_factory=dict)
    flops: Amount | None = None
    seconds: float = 2.0
