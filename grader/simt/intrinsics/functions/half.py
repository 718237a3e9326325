"""Arithmetic, comparisons and functions of float16, rounded to it once."""

from __future__ import annotations

import numpy as np

from grader.simt.intrinsics.functions.fixed_signatures import COMPARISONS, Function, Vector
from grader.simt.intrinsics.functions.maths import ELEMENTARY


def _compute_wide(function: Function) -> Function:
    """Compute a function in float32."""

    def apply(value: Vector) -> Vector:
        result: Vector = function(value.astype(np.float32)).astype(np.float16)
        return result

    return apply


def _larger(left: Vector, right: Vector) -> Vector:
    """Return the larger value; the second, as in Numba, if one is NaN."""
    return np.where(left > right, left, right)


def _smaller(left: Vector, right: Vector) -> Vector:
    return np.where(left < right, left, right)


_OF_REALS = "ceil cos exp exp2 floor log log10 log2 sin sqrt trunc"
ONE: dict[str, Function] = {
    **{f"h{name}": _compute_wide(ELEMENTARY[name]) for name in _OF_REALS.split()},
    "hexp10": _compute_wide(lambda value: np.float32(10) ** value),
    "hrsqrt": _compute_wide(lambda value: 1 / np.sqrt(value)),
    "hrcp": _compute_wide(np.reciprocal),
    "hrint": _compute_wide(np.rint),
    "hneg": _compute_wide(np.negative),
    "habs": _compute_wide(np.abs),
}
TWO: dict[str, Function] = {
    "hadd": np.add,
    "hsub": np.subtract,
    "hmul": np.multiply,
    "hdiv": np.divide,
    "hmax": _larger,
    "hmin": _smaller,
}
TESTS: dict[str, Function] = {f"h{name}": test for name, test in COMPARISONS.items()}
"""The functions by how many numbers they take; the tests are of two."""
