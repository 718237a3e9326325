"""From cycles to wavefronts: what a ladder tells, and what it cannot."""

from __future__ import annotations

import pytest

from grader.gpu.calibrating.calibration import Ladder

STRAIGHT = Ladder([(1, 1.0), (2, 2.0), (32, 32.0)])
FLOOR = Ladder([(1, 4.0), (2, 4.0), (4, 4.1), (8, 8.0), (32, 32.0)])
STEEP = Ladder([(2, 7.0), (4, 11.1), (16, 35.0)])
TWO = Ladder([(32, 32.0), (1, 1.0)])


@pytest.mark.parametrize(
    ("ladder", "cycles", "wavefronts"),
    [
        (STRAIGHT, 1.0, (1, 1)),
        (STRAIGHT, 1.2, (1, 1)),
        (STRAIGHT, 17.0, (17, 17)),  # between two rungs
        (STRAIGHT, 40.0, (40, 40)),  # above the last
        (STRAIGHT, 2.5, (2, 3)),  # neither
        (STRAIGHT, 64.5, (64, 65)),  # one part in a hundred is more than half a wavefront there
        (STRAIGHT, 0.3, (0, 1)),
        (STRAIGHT, -1.0, (0, 1)),
        (FLOOR, 4.0, (1, 4)),
        (FLOOR, 3.0, (1, 3)),  # a single lane has less to wait for than the rungs had
        (FLOOR, 5.0, (5, 5)),
        (FLOOR, 8.0, (8, 8)),
        (STEEP, 5.0, (1, 1)),  # below the first rung
        (STEEP, 7.0, (2, 2)),
        (STEEP, 9.1, (3, 3)),
        (STEEP, 37.0, (17, 17)),
        (TWO, 9.0, (9, 9)),
    ],
)
def test_wavefronts_by_the_clock(ladder, cycles, wavefronts):
    assert ladder.wavefronts(cycles) == wavefronts


def test_what_a_wavefront_takes():
    assert STRAIGHT.cycles_a_wavefront == 1.0
    assert STEEP.cycles_a_wavefront == pytest.approx(2.0, rel=0.01)


@pytest.mark.parametrize("last", [9.0, 8.0, 9.5])
def test_a_flat_ladder_tells_nothing(last):
    assert Ladder([(1, 9.0), (32, last)]).wavefronts(9.0) == (0, None)


def test_under_the_highest_rung_that_is_off_the_line_only_a_most_is_told():
    bent = Ladder([(1, 9.0), (8, 16.0), (16, 20.0), (32, 34.0)])
    assert bent.wavefronts(16.0) == (1, 11)
    assert bent.wavefronts(34.0) == (32, 32)


@pytest.mark.parametrize("off", [-0.3, -0.1, 0.1, 0.3])
def test_a_hundredth_in_the_highest_rung_spoils_nothing(off):
    noisy = Ladder([*((2**n, 2.0**n) for n in range(5)), (32, 32 + off)])
    assert [noisy.wavefronts(n) for n in (1, 2, 3, 4, 16)] == [
        (1, 1), (2, 2), (3, 3), (4, 4), (16, 16),
    ]  # fmt: skip


def test_rungs_between_which_time_goes_down_tell_what_is_above_them():
    bumpy = Ladder([(1, 3.0), (8, 20.0), (16, 18.0), (32, 34.0)])
    assert bumpy.wavefronts(18.0) == (1, 16)
    assert bumpy.wavefronts(34.0) == (32, 32)
