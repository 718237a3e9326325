"""Other data for a launch: numbers in place of those that an array holds.

A missing barrier is not seen where data happen to be equal, but with any others. A kernel may rest
on what its data are, though, as that of Floyd and Warshall does on a diagonal of zeros. It still
may if all data are larger than they were, each by another amount; one that keeps the largest, if
all are smaller.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

_FAR = 1 << 39
"""Integers beyond it may be addresses; those beyond a quarter of their type, infinity."""
_STEP = 8
"""By how much an integer may change in any case."""

Reals = NDArray[np.float64]


class OtherData(NamedTuple):
    """How to change data.

    Attributes:
        bits: makes truth values, which integers may be, from those that there are and random ones.
        numbers: makes numbers from those that there are, what each may change by, and random
            numbers from 0 to 1.
    """

    bits: Callable[[Reals, Reals], Reals]
    numbers: Callable[[Reals, Reals, Reals], Reals]

    def change(self, array: NDArray[Any], random: np.random.Generator) -> None:
        """Change what an array holds: numbers, or records of them."""
        for name in array.dtype.names or ():
            self.change(array[name], random)
        if array.dtype.kind == "c":
            self._change(array.real, random)
            self._change(array.imag, random)
        elif array.dtype.kind in "biuf" and array.size:
            self._change(array, random)

    def _change(self, array: NDArray[Any], random: np.random.Generator) -> None:
        old, kind, part = array.astype(np.float64), array.dtype, random.random(array.shape)
        if kind.kind != "f" and ((old == 0) | (old == 1)).all():
            array[...] = self.bits(old, np.round(part))
            return
        low, high, step = -np.inf, np.inf, 0
        moves = np.isfinite(old)
        if kind.kind != "f":
            low, high, step = np.iinfo(kind).min, np.iinfo(kind).max, _STEP
            moves &= (abs(old) <= min(high // 4, _FAR)) | (kind.itemsize == 1)
        with np.errstate(all="ignore"):
            new = self.numbers(old, abs(old) + step, part)
            array[moves] = np.clip(new, low, high)[moves].astype(kind)


def _enlarge(old: Reals, size: Reals, part: Reals) -> Reals:
    more: Reals = old + part * np.maximum(size, old == 0)
    return more


def _reduce(old: Reals, size: Reals, part: Reals) -> Reals:
    less: Reals = old - part * size * (old != 0)
    return less


def _redraw(_old: Reals, size: Reals, part: Reals) -> Reals:
    most = float(np.max(size, where=np.isfinite(size), initial=1))
    return most * (2 * part - 1)


OTHER_DATA = (
    OtherData(np.maximum, _enlarge),
    OtherData(np.minimum, _reduce),
    OtherData(lambda _old, drawn: drawn, _redraw),
)
"""From what the least kernels cannot stand to what the most cannot."""
