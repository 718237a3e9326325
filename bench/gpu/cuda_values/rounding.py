"""Float64 values with a bound on what float32 makes of them, contracted or not.

A running error analysis: each operation of float32 adds half a unit in the last place of its
result to what its operands bring. A multiply-add that rounds once adds less than the two
operations that round twice, so one bound holds for both.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_UNIT = 2.0**-24 * (1 + 2.0**-20)
"""Half of float32's epsilon, and room for the rounding of the float64 values themselves."""
_LEAST = 2.0**-149
"""At most this is lost where a result is subnormal."""
_ROOM = 1 + 2.0**-48
"""For the rounding of the bounds, which are computed in float64."""
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Bounded:
    """What float32 computes is within `error` of `value`, whichever way it is contracted."""

    value: Floats
    error: Floats

    @staticmethod
    def exact(value: NDArray[np.floating] | float) -> Bounded:
        """Return a number that float32 holds."""
        wide = np.asarray(value, np.float64)
        return Bounded(wide, np.zeros_like(wide))

    def __add__(self, other: Bounded) -> Bounded:
        """Add and round."""
        return _round(self.value + other.value, self.error + other.error)

    def __sub__(self, other: Bounded) -> Bounded:
        """Subtract and round."""
        return _round(self.value - other.value, self.error + other.error)

    def __mul__(self, other: Bounded) -> Bounded:
        """Multiply and round."""
        error = np.abs(self.value) * other.error + np.abs(other.value) * self.error
        return _round(self.value * other.value, error + self.error * other.error)

    def __neg__(self) -> Bounded:
        """Negate, which is exact."""
        return Bounded(-self.value, self.error)

    def where(self, test: NDArray[np.bool_], other: Bounded) -> Bounded:
        """Return this number where a test holds, and the other one elsewhere."""
        return Bounded(
            np.where(test, self.value, other.value), np.where(test, self.error, other.error)
        )

    def ratios(self, found: NDArray[np.float32]) -> Floats:
        """Return the distance of each number from the value, over the bound: at most 1 inside."""
        distance = np.abs(found.astype(np.float64) - self.value)
        error = np.broadcast_to(self.error, distance.shape)
        ratios = np.full(distance.shape, np.inf)
        np.divide(distance, error, out=ratios, where=error > 0)
        ratios[distance == 0] = 0.0
        ratios[np.isnan(distance)] = np.inf
        return ratios


def _round(value: Floats, error: Floats) -> Bounded:
    return Bounded(value, (error + _UNIT * (np.abs(value) + error) + _LEAST) * _ROOM)
