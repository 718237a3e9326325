"""Floats of 8 bits, e4m3 and e5m2: their values by closed form, and rounding to the nearest.

e4m3 has no infinity, and one NaN of each sign; e5m2 is IEEE's in small. Beyond the largest number,
CUDA's `__NV_SATFINITE` gives that number, `__NV_NOSAT` infinity, or NaN where there is none.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from grader.simt.intrinsics.functions.fixed_signatures import Vector

_NAN, _SIGN, _CODES = 0x7F, 0x80, 128


class Format(NamedTuple):
    """How a sign, an exponent and a fraction are laid out.

    Attributes:
        digits: of the fraction, in bits.
        bias: of the exponent.
        largest: the code of the largest number.
        beyond: the code of what is larger, if it does not saturate.
    """

    digits: int
    bias: int
    largest: int
    beyond: int

    def magnitude(self, code: int) -> float:
        """Return what a code without a sign is, as if there were no infinity and no NaN."""
        exponent, fraction = divmod(code, 1 << self.digits)
        whole = fraction + (1 << self.digits if exponent else 0)
        return float(whole * 2.0 ** (max(exponent, 1) - self.bias - self.digits))


E4M3 = Format(3, 7, 0x7E, _NAN)
E5M2 = Format(2, 15, 0x7B, 0x7C)


class _Table(NamedTuple):
    """What each code is, and the least value above zero that rounds to each code or beyond."""

    values: Vector
    midpoints: Vector


def _tabulate(format_: Format) -> _Table:
    positive = [format_.magnitude(code) for code in range(_CODES)]
    middle = [(low + high) / 2 for low, high in pairwise(positive)]
    known = np.array(positive[: format_.largest + 1] + [np.nan] * (_NAN - format_.largest))
    if format_.beyond != _NAN:
        known[format_.beyond] = np.inf
    both = np.concatenate((known, -known)).astype(np.float32)
    bits = both.view(np.uint32)
    bits[np.isnan(both)] = 0x7FFFFFFF  # without a sign; of float16 it is 0x7fff, as on an H200
    return _Table(both, np.array(middle[: format_.largest + 1]))


_TABLES = {E4M3: _tabulate(E4M3), E5M2: _tabulate(E5M2)}


def decode(code: Vector, format_: Format) -> Vector:
    """Return what codes are, as float32."""
    return _TABLES[format_].values[code]


def encode(value: Vector, format_: Format, *, saturate: bool) -> Vector:
    """Return the codes nearest to floats, as uint8; halfway between two, the even one."""
    with np.errstate(invalid="ignore"):  # a signaling NaN
        wide = value.astype(np.float64)
    middle = _TABLES[format_].midpoints
    size = np.abs(wide)
    above = np.searchsorted(middle, size, side="right")
    tie = np.searchsorted(middle, size, side="left")
    code = np.where((tie < above) & (tie % 2 == 0), tie, above)
    limit = format_.largest if saturate else format_.beyond
    code = np.where(code > format_.largest, limit, code)
    signed = code | np.where(np.signbit(wide), _SIGN, 0)
    return np.where(np.isnan(wide), _NAN, signed).astype(np.uint8)
