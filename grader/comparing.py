"""Compares a kernel's output with the right one: the tolerance, and the elements beyond it."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.wire import LARGEST

_OFF_BY_ONE = 100
"""Of so many rounded integers one may be off by one."""
_FACTOR = 8.0
"""Factor by which the rounding errors of an element may exceed the usual √terms."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """An output beside what is right.

    Attributes:
        wrong: positions of elements that are not right, as rows of indices, in order.
        error: the largest difference; `LARGEST` if it is infinite or NaN.
        allowed: the tolerance at the element where it is largest; 0 for equality.
    """

    wrong: NDArray[np.int64]
    error: float
    allowed: float


def compare(
    got: NDArray[Any],
    expected: NDArray[Any],
    terms: int,
    *,
    rounded: bool = False,
    scale: float = 0.0,
    epsilon: float | None = None,
) -> Comparison:
    """Compare an output with what is right.

    A sum of K terms that are rounded one by one is off by about √K·ε of its size. Allowed is eight
    times that, of the element or of the usual size of elements, whichever is more.

    Args:
        got: as the kernel left it; its type gives ε.
        expected: the same shape, of any type.
        terms: K; 0 asks for equal values (NaN equals NaN).
        rounded: of integers, one in a hundred (and one of fewer) may be off by one.
        scale: the usual size of what is added up, where terms may cancel: one rounding of a sum of
            these is allowed in any case.
        epsilon: ε of a narrower float, whose values these are, in place of ε of the type. Sums of
            such floats are mostly rounded once: it counts once, and not eight times.
    """
    if terms == 0 or got.dtype.kind != "f":
        with np.errstate(all="ignore"):
            right = expected.astype(got.dtype) if got.dtype.kind == "f" else expected
            same = (got == right) | (_nan(got) & _nan(right))
            if rounded and got.dtype.kind in "iu":
                same |= _off_by_one(got, right)
            error = _find_largest(np.where(same, 0.0, _difference(got, right)))
        return Comparison(np.argwhere(~same), error, 0.0)
    wide = expected.astype(np.float64)
    finite = np.abs(wide[np.isfinite(wide)])
    usual = float(np.sqrt(np.mean(finite**2))) if finite.size else 0.0
    rounding = float(np.finfo(got.dtype).eps) if epsilon is None else epsilon / _FACTOR
    allowed = _FACTOR * rounding * (1 + sqrt(terms))
    bound = allowed * np.maximum(np.abs(np.where(np.isfinite(wide), wide, 0)), usual)
    bound = np.maximum(bound, rounding * sqrt(terms) * scale)
    with np.errstate(all="ignore"):
        difference = _difference(got, wide)
        same = (difference <= bound) | (got == wide) | (_nan(got) & _nan(wide))
        alike = (got == wide) | (_nan(got) & _nan(wide))
        error = _find_largest(np.where(alike, 0.0, difference))
    return Comparison(np.argwhere(~same), error, _find_largest(bound))


def _off_by_one(got: NDArray[Any], right: NDArray[Any]) -> NDArray[np.bool_]:
    """Mark what is off by one; nothing if that is too many."""
    near: NDArray[np.bool_] = _difference(got, right) == 1
    few = int(near.sum()) <= max(1, near.size // _OFF_BY_ONE)
    return near if few else np.zeros_like(near)


def _difference(got: NDArray[Any], right: NDArray[Any]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.abs(got.astype(np.float64) - right.astype(np.float64))
    return found


def _nan(array: NDArray[Any]) -> NDArray[np.bool_]:
    if array.dtype.kind != "f":
        return np.zeros(array.shape, dtype=np.bool_)
    found: NDArray[np.bool_] = np.isnan(array)
    return found


def _find_largest(difference: NDArray[Any]) -> float:
    """Find the largest; `LARGEST` stands for NaN and infinity, which JSON lacks."""
    return float(np.nan_to_num(difference, nan=LARGEST, posinf=LARGEST).max(initial=0.0))
