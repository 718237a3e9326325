"""What a GPU approximates in float32, where its steps show: angles in turns, reciprocals of 0.

Measured on an H200 (tests/data/ptx/forms.npz): beyond these steps, results are near.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.simt.intrinsics.functions import rounding

Vector = NDArray[Any]
_TO_SINGLE = rounding.converted("rz", "float32")
_TURN = float(np.float32(0.15915494))
"""Of an angle of 1."""


def flush(value: Vector) -> Vector:
    """Return floats with zeros for what is subnormal."""
    zero = np.copysign(value.dtype.type(0), value)
    flushed: Vector = np.where(np.abs(value) < np.finfo(value.dtype).tiny, zero, value)
    return flushed


def _find_angle(value: Vector) -> Vector:
    """Return an angle of less than a turn; the number of turns is cut off to float32 before."""
    turns = flush(_TO_SINGLE(value.astype(np.float64) * _TURN)).astype(np.float64)
    angle: Vector = 2 * np.pi * (turns % 1)
    return angle


def sine(value: Vector) -> Vector:
    """Return what `sin.approx` is near to; of whole turns, a zero of the value's sign."""
    found = np.sin(_find_angle(value))
    return np.where(found == 0, np.copysign(found, value), found).astype(np.float32)


def cosine(value: Vector) -> Vector:
    """Return what `cos.approx` is near to."""
    found: Vector = np.cos(_find_angle(value)).astype(np.float32)
    return found


def divide(left: Vector, right: Vector) -> Vector:
    """Divide; beyond 2¹²⁶ the reciprocal counts as 0, so the quotient is 0, or NaN of infinity."""
    zero = np.isfinite(right) & (np.abs(right) > 2.0**126)
    quotient: Vector = np.where(zero, left * np.copysign(left.dtype.type(0), right), left / right)
    return quotient
