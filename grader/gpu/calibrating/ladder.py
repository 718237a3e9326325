"""Converts cycles to wavefronts by a calibration curve, with the uncertainty of the clock.

Knows no instruction and no model.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

TOLERANCE = 0.25
"""Cycles by which a time may be off, whatever it is."""
RELATIVE = 0.01
"""Part of a time by which it may be off beside that."""
_LEAST_STEP = 0.1
"""Cycles that a wavefront must take for a clock to tell it."""


class Ladder:
    """Rungs: wavefronts, and the cycles that they took.

    The steepest line down from the highest says what a wavefront takes, and no access takes less.
    Rungs above it stand on a floor: something else takes its time there, and hides wavefronts.
    """

    def __init__(self, rungs: Iterable[tuple[int, float]]) -> None:
        """Fit the curve to at least two points of different wavefronts."""
        *lower, (most, longest) = known = sorted(rungs)
        steps = [(longest - cycles) / (most - wavefronts) for wavefronts, cycles in lower]
        steepest = max(steps)
        # Of those that are as good as equal the first: it is the longest line, and errs least.
        step = next(height for height in steps if height >= steepest - RELATIVE * abs(steepest))
        self.cycles_a_wavefront = step
        self._start = longest - most * step
        above = (
            cycles + _tolerance(cycles)
            for wavefronts, cycles in known
            if cycles - self._start - wavefronts * step > _tolerance(cycles)
        )
        self._floor = max(above, default=-math.inf)

    def wavefronts(self, cycles: float) -> tuple[int, int | None]:
        """Return the fewest and the most wavefronts that fit these cycles; None if unbounded."""
        if self.cycles_a_wavefront < _LEAST_STEP:
            return 0, None
        off = _tolerance(cycles)
        most = math.floor((cycles + off - self._start) / self.cycles_a_wavefront)
        least = math.ceil((cycles - off - self._start) / self.cycles_a_wavefront)
        least, most = min(least, most), max(least, most)  # between two, if neither fits
        if cycles <= self._floor:
            least = 1
        return max(0, least), max(1, most)


def _tolerance(cycles: float) -> float:
    return TOLERANCE + RELATIVE * abs(cycles)
