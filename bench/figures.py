"""What a benchmark hands back, the statistics it uses, and the loop that tells machines apart."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import NamedTuple, TypeVar

import numpy as np

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Figure:
    """One row of the table.

    `measured` and `limit` are in `unit` ("ms", "%", or "×" for a ratio); a figure without a limit
    only informs, and of one `at_least` the limit is the lowest that is asked for. `detail` says
    what the number was made of, `samples` holds the raw times in ms.
    """

    name: str
    what: str
    measured: float
    limit: float | None
    unit: str
    detail: str
    samples: Mapping[str, Sequence[float | Took]] = field(default_factory=dict, repr=False)
    at_least: bool = False

    @property
    def met(self) -> bool | None:
        """Whether the limit is kept; None without one."""
        if self.limit is None:
            return None
        return self.measured >= self.limit if self.at_least else self.measured <= self.limit


class Took(NamedTuple):
    """How long something took by the clock, and how much of that its process was on a core.

    On a busy machine the second says what the first would be; 0 where the system does not tell.
    """

    ms: float
    core_ms: float


def time_alternately(
    repeat: int, one: Callable[[], T], other: Callable[[], T]
) -> tuple[list[T], list[T]]:
    """Both measured in turn after one unmeasured round, so that what disturbs one disturbs both."""
    one(), other()
    times = [(one(), other()) for _ in count_rounds(repeat)]
    return [first for first, _ in times], [second for _, second in times]


def count_rounds(repeat: int) -> Iterator[int]:
    """0 … repeat - 1, told on standard error where a person watches."""
    for number in range(repeat):
        note(f"  run {number + 1} of {repeat}")
        yield number


def note(text: str) -> None:
    """What is being done now, on one line of standard error that the next note overwrites."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def processor_time(
    group: str, what: str, limit_ms: float | None, run: Callable[[], object], repeat: int
) -> Figure:
    """The median of `run`'s processor time in milliseconds, warm."""

    def once() -> float:
        began = process_time()
        run()
        return 1000 * (process_time() - began)

    once()
    times = [once() for _ in count_rounds(repeat)]
    return Figure(group, what, median(times), limit_ms, "ms", spread(times), {"quiz": times})


def p95(values: Sequence[float]) -> float:
    """The 95th percentile, by linear interpolation."""
    return quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]


def spread(values: Sequence[float]) -> str:
    """Median with quartiles: `612 (604–633) ms`."""
    if len(values) < 2:
        return f"{values[0]:.0f} ms"
    low, middle, high = quantiles(values, n=4, method="inclusive")
    digits = 0 if middle >= 100 else 1
    return f"{middle:.{digits}f} ({low:.{digits}f}–{high:.{digits}f}) ms"


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """How many times as long we take, by medians."""
    return median(ours) / median(theirs)


def numpy_loop() -> float:
    """Milliseconds of a fixed piece of work on one core: sorting and an integer matrix product."""
    numbers = np.random.default_rng(1).integers(0, 1 << 30, 250_000)
    square = numbers[:25_600].reshape(160, 160)
    began = perf_counter()
    for _ in range(16):
        np.sort(numbers)
        square @ square
    return 1000 * (perf_counter() - began)
