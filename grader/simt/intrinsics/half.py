"""`cuda.fp16`: arithmetic, comparisons and functions of float16, rounded to it once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.simt.numba.library.calling import Table, elementwise

Vector = NDArray[Any]


def _compute_wide(function: Callable[[Vector], Any]) -> Callable[[Vector], Vector]:
    """Compute a function in float32."""

    def apply(value: Vector) -> Vector:
        result: Vector = function(value.astype(np.float32)).astype(np.float16)
        return result

    return apply


def _fma(a: Vector, b: Vector, c: Vector) -> Vector:
    wide = np.longdouble
    result: Vector = (a.astype(wide) * b.astype(wide) + c.astype(wide)).astype(np.float16)
    return result


def _larger(left: Vector, right: Vector) -> Vector:
    """Return the larger value; the second, as in Numba, if one is NaN."""
    return np.where(left > right, left, right)


def _smaller(left: Vector, right: Vector) -> Vector:
    return np.where(left < right, left, right)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "hsin": np.sin,
    "hcos": np.cos,
    "hlog": np.log,
    "hlog2": np.log2,
    "hlog10": np.log10,
    "hexp": np.exp,
    "hexp2": np.exp2,
    "hexp10": lambda value: np.float32(10) ** value,
    "hsqrt": np.sqrt,
    "hrsqrt": lambda value: 1 / np.sqrt(value),
    "hrcp": np.reciprocal,
    "hceil": np.ceil,
    "hfloor": np.floor,
    "htrunc": np.trunc,
    "hrint": np.rint,
    "hneg": np.negative,
    "habs": np.abs,
}
_TWO: dict[str, Callable[..., Any]] = {
    "hadd": np.add,
    "hsub": np.subtract,
    "hmul": np.multiply,
    "hdiv": np.divide,
    "hmax": _larger,
    "hmin": _smaller,
}
_TESTS: dict[str, Callable[..., Any]] = {
    "heq": np.equal,
    "hne": np.not_equal,
    "hge": np.greater_equal,
    "hgt": np.greater,
    "hle": np.less_equal,
    "hlt": np.less,
}

CALLS: Table = {
    **{
        f"cuda.fp16.{name}": elementwise(f"cuda.fp16.{name}", "half 1", _compute_wide(f))
        for name, f in _FUNCTIONS.items()
    },
    **{
        f"cuda.fp16.{name}": elementwise(f"cuda.fp16.{name}", "half 2", f, 2)
        for name, f in _TWO.items()
    },
    **{
        f"cuda.fp16.{name}": elementwise(f"cuda.fp16.{name}", "half test", f, 2)
        for name, f in _TESTS.items()
    },
    "cuda.fp16.hfma": elementwise("cuda.fp16.hfma", "half 3", _fma, 3),
}
