"""Fills input arrays: one function for each way to fill one.

The same generator gives the same values. Knows no argument and no shape by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.kernels.problem import Filling

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class ArraySpec:
    """An array to be filled: its sizes and type, bounds (`high` is not included), a generator."""

    extent: tuple[int, ...]
    dtype: np.dtype[Any]
    low: float
    high: float
    random: np.random.Generator

    @property
    def count(self) -> int:
        """How many elements it has."""
        return int(np.prod(self.extent))

    def integers(self, *extent: int) -> Array:
        """Draw integers within the bounds."""
        low = int(self.low)
        return self.random.integers(low, max(int(self.high), low + 1), extent or self.extent)


def fill(filling: Filling, room: ArraySpec) -> Array:
    """Fill the array."""
    return FILLINGS[filling](room).reshape(room.extent).astype(room.dtype)


def _draw_offsets(room: ArraySpec) -> Array:
    low, high = int(room.low), int(room.high)
    inner = np.sort(room.random.integers(low, high + 1, max(room.count - 2, 0)))
    return np.concatenate([[low], inner, [high]])[-room.count :]


def _draw_equal(room: ArraySpec) -> Array:
    return np.full(room.extent, room.integers(1)[0])


def _draw_skewed(room: ArraySpec) -> Array:
    """Draw an array in which nine in ten elements hold one value."""
    usual = room.integers(1)[0]
    rare = room.random.integers(0, 10, room.extent) == 0
    return np.where(rare, room.integers(), usual)


def _draw_extremes(room: ArraySpec) -> Array:
    """Draw only the smallest and the largest value."""
    return np.where(room.random.integers(0, 2, room.extent), int(room.high) - 1, int(room.low))


def _draw_wide(room: ArraySpec) -> Array:
    """Draw floats of all magnitudes of the type, one in sixteen infinite; integers 0 and 1.

    None is NaN, which marks an unwritten output.
    """
    if room.dtype.kind != "f":
        return room.random.integers(0, 2, room.extent)
    facts = np.finfo(room.dtype)
    signs = room.random.choice((-1.0, 1.0), room.extent)
    exponents = room.random.uniform(facts.minexp, facts.maxexp - 1, room.extent)
    infinite = room.random.integers(0, 16, room.extent) == 0
    return signs * np.where(infinite, np.inf, np.exp2(exponents))


def _draw_peaks(room: ArraySpec) -> Array:
    """Draw floats from `low` to `low` + 1, and in each row one that is `high`."""
    values = room.random.uniform(room.low, room.low + 1, room.extent)
    places = room.random.integers(0, room.extent[-1], (*room.extent[:-1], 1))
    np.put_along_axis(values, places, room.high, axis=-1)
    return values


CONSTANT: frozenset[Filling] = frozenset({"zeros", "ones", "equal"})
"""In such an array a wrong element looks like the right one."""
FILLINGS: Mapping[Filling, Callable[[ArraySpec], Array]] = {
    "normal": lambda room: room.random.standard_normal(room.extent),
    "uniform": lambda room: room.random.uniform(room.low, room.high, room.extent),
    "integers": lambda room: room.integers(),
    "ramp": lambda room: np.arange(room.count),
    "permutation": lambda room: room.random.permutation(room.count),
    "sorted": lambda room: np.sort(room.integers()),
    "offsets": _draw_offsets,
    "zeros": lambda room: np.zeros(room.extent),
    "ones": lambda room: np.ones(room.extent),
    "equal": _draw_equal,
    "skewed": _draw_skewed,
    "extremes": _draw_extremes,
    "wide": _draw_wide,
    "peaks": _draw_peaks,
}
