"""Ratios and gates: closed forms, and simulated noise."""

from __future__ import annotations

import numpy as np
import pytest

from grader.gpu.devices.device import DeviceKernel, DeviceLaunch
from grader.gpu.outcome import Ratio
from grader.gpu.timing import (
    SAMPLES,
    find_impossible,
    minimum_seconds,
    ratio,
    reaches_gate,
    sample,
)


def noisy(seed: int, middle: float, spread: float, count: int = SAMPLES) -> list[float]:
    """Times as devices give them: most near the middle, a few far slower."""
    random = np.random.default_rng(seed)
    slow = random.random(count) < 0.05
    return [*(middle * (1 + spread * np.abs(random.standard_normal(count))) * (1 + slow))]


def test_of_times_without_noise_the_interval_is_a_point():
    assert ratio([3.0] * 30, [2.0] * 30) == Ratio(1.5, 1.5, 1.5)


def test_the_median_does_not_see_outliers():
    found = ratio([2.0] * 28 + [100.0] * 2, [1.0] * 30)
    assert (found.median, found.low, found.high) == (2.0, 2.0, 2.0)


def test_what_slows_both_of_a_pair_cancels():
    slower = [1.0 + (i >= 15) for i in range(30)]  # the clock halves midway
    found = ratio([2 * one for one in slower], slower)
    assert found.low == found.high == found.median == 2.0


def test_the_interval_holds_the_true_ratio_about_as_often_as_it_says():
    held = 0
    for run in range(200):
        found = ratio(noisy(2 * run, 3e-5, 0.02), noisy(2 * run + 1, 2e-5, 0.02))
        held += found.low <= 1.5 <= found.high
    assert held >= 180  # 95 % of 200, less four standard deviations


def test_the_same_samples_give_the_same_interval():
    slow, fast = noisy(1, 3e-5, 0.05), noisy(2, 2e-5, 0.05)
    assert ratio(slow, fast, 7) == ratio(slow, fast, 7)


@pytest.mark.parametrize(("slow", "fast"), [([], []), ([1.0], [1.0, 2.0])])
def test_samples_that_do_not_pair_are_refused(slow, fast):
    with pytest.raises(ValueError, match="samples"):
        ratio(slow, fast)


@pytest.mark.parametrize(
    ("found", "reached"),
    [
        (Ratio(1.6, 1.5, 1.7), True),  # all of it at the gate or above
        (Ratio(1.4, 1.3, 1.499), False),
        (Ratio(1.6, 1.4, 1.8), None),  # too wide to say
        (Ratio(1.501, 1.49, 1.51), True),  # narrow: the median decides
        (Ratio(1.499, 1.49, 1.51), False),
    ],
)
def test_a_gate_is_reached_missed_or_not_decided(found, reached):
    assert reaches_gate(found, 1.5) is reached


def test_the_roofline():
    gibi = 1 << 30
    assert minimum_seconds(4 * gibi, 0, gibi, 0) == pytest.approx(4 / 1.25)
    assert minimum_seconds(4 * gibi, 0, gibi, 2 * gibi) == pytest.approx(4 / (2 * 1.02))
    assert minimum_seconds(4 * gibi, gibi, 4 * gibi, gibi) == pytest.approx(
        3 / 4
    )  # copied above the peak
    assert minimum_seconds(1000, 2000, gibi, 0) == 0  # all of it may stay in the cache


def test_what_is_faster_than_the_roofline_is_a_measurement_error():
    assert find_impossible(2e-3, 1e-3) is None
    assert find_impossible(0.9e-3, 1e-3).code == "gpu.impossible-time"
    assert find_impossible(0.0, 0.0).code == "gpu.no-time"


class Clock:
    """A device that only tells times, and writes down what ran."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self.seconds = seconds
        self.ran: list[str] = []

    def time_launches(self, launches, *_):
        names = [one.kernel.handle for one in launches]
        self.ran += names
        return [self.seconds[name] for name in names]


def launch(name: str) -> DeviceLaunch:
    return DeviceLaunch(DeviceKernel(32, 0, 0, 1024, name), (1,), (32,), ())


def test_baseline_and_candidate_alternate_and_the_order_turns_around():
    clock = Clock({"slow": 3.0, "fast": 2.0})
    slow, fast = sample(clock, launch("slow"), launch("fast"), 0.0)
    assert (slow, fast) == ([3.0] * SAMPLES, [2.0] * SAMPLES)
    assert clock.ran[:6] == ["slow", "fast"] * 3  # warm-up, not counted
    assert clock.ran[6:14] == ["slow", "fast", "fast", "slow"] * 2
    assert len(clock.ran) == 6 + 2 * SAMPLES
