"""Turns samples into a ratio with its interval, and judges it by a gate. Also takes the samples.

All but `sample` is arithmetic on numbers.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from grader.facts import Fact, fact
from grader.gpu.devices.device import Device, DeviceLaunch
from grader.gpu.outcome import Ratio

SAMPLES = 30
"""Samples of each kernel, at least."""
MOST_SAMPLES = 200
_WARM_UP = 3
_LAUNCH_SECONDS = 10.0
_RESAMPLED = 1000
_TAILS = (2.5, 97.5)
TOO_WIDE = 0.04
"""Width of an interval around a gate, as a part of the gate, from which nothing is decided. An A/A
run of 10 µs kernels spreads by ±1.8 % (measured on an H200)."""
_OVER_COPY = 1.25
"""How much faster a device may read than it copies, if its peak is unknown."""
_OVER_PEAK = 1.02


def sample(
    device: Device,
    baseline: DeviceLaunch,
    candidate: DeviceLaunch,
    seconds: float,
    samples: int = SAMPLES,
) -> tuple[list[float], list[float]]:
    """Time baseline and candidate in alternation, as often the one as the other.

    The order turns around each time, so that what drifts slowly touches both alike.

    Args:
        baseline: first of each pair, then last.
        seconds: time limit, once there are `samples`.
        samples: of each, at least.
    """
    device.time_launches([baseline, candidate] * _WARM_UP, _LAUNCH_SECONDS)
    of_baseline: list[float] = []
    of_candidate: list[float] = []
    until = time.monotonic() + seconds
    while len(of_baseline) < samples or (
        len(of_baseline) < MOST_SAMPLES and time.monotonic() < until
    ):
        first, second, third, fourth = device.time_launches(
            [baseline, candidate, candidate, baseline], _LAUNCH_SECONDS
        )
        of_baseline += [first, fourth]
        of_candidate += [second, third]
    return of_baseline, of_candidate


def ratio(baseline: Sequence[float], candidate: Sequence[float], seed: int = 0) -> Ratio:
    """Compute the candidate's speedup: the ratio of medians, with a 95% bootstrap interval.

    Pairs are resampled, not single samples: what slows both of a pair cancels in the ratio.

    Args:
        baseline: seconds.
        candidate: as many, each taken beside the baseline's at its place.

    Raises:
        ValueError: there are no samples, or the numbers differ.
    """
    if not baseline or len(baseline) != len(candidate):
        raise ValueError(f"{len(baseline)} samples beside {len(candidate)}")
    slow, fast = np.asarray(baseline, np.float64), np.asarray(candidate, np.float64)
    drawn = np.random.default_rng(seed).integers(0, slow.size, (_RESAMPLED, slow.size))
    found: NDArray[np.float64] = np.median(slow[drawn], axis=1) / np.median(fast[drawn], axis=1)
    low, high = np.percentile(found, _TAILS)
    middle = float(np.median(slow) / np.median(fast))
    return Ratio(middle, min(float(low), middle), max(float(high), middle))


def reaches_gate(found: Ratio, gate: float) -> bool | None:
    """Return True if a ratio reaches a gate; None if its interval is too wide to decide."""
    if found.low >= gate:
        return True
    if found.high < gate:
        return False
    if found.high - found.low > TOO_WIDE * gate:
        return None
    return found.median >= gate


def minimum_seconds(moved: int, l2: int, copied: float, peak: float) -> float:
    """Compute the least seconds that any kernel takes, by the roofline of device memory.

    Args:
        moved: bytes that it must read and write.
        l2: bytes of the cache, which may keep what is written beyond the last event.
        copied: bytes per second of a large copy, as measured.
        peak: bytes per second by clock and width of the memory; 0 if unknown.
    """
    most = max(peak * _OVER_PEAK, copied) if peak else copied * _OVER_COPY
    return max(0, moved - l2) / most if most else 0.0


def find_impossible(seconds: float, floor: float) -> Fact | None:
    """Say why a time cannot be true; None if it can."""
    if seconds <= 0:
        return fact("gpu.no-time")
    if seconds < floor:
        return fact("gpu.impossible-time", time=1e6 * seconds, least=1e6 * floor)
    return None
