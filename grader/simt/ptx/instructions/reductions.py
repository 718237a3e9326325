"""What bulk copies that reduce make of an element (PTX ISA 9.7.9.25.4.3 and 9.7.9.27.1.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from grader.simt.intrinsics.atomic import CHANGES
from grader.simt.intrinsics.functions.signed_zeros import larger, smaller
from grader.simt.memory.views import AtomicUpdate
from grader.simt.program.types import FLOAT16, FLOAT32, FLOAT64, UINT16, Scalar
from grader.simt.ptx.values import DTYPES, Vector, from_bfloat, to_bfloat

_WHOLE = ("u32", "s32", "u64")
_ORDERED = (*_WHOLE, "s64", "f16", "bf16")
_BITS = ("b32", "b64", "u32", "s32", "u64", "s64")
_TYPES: Mapping[str, tuple[str, ...]] = {
    "add": (*_WHOLE, "f16", "bf16", "f32", "f64"), "min": _ORDERED, "max": _ORDERED,
    "inc": ("u32",), "dec": ("u32",), "and": _BITS, "or": _BITS, "xor": _BITS,
}  # fmt: skip
_FLOATS: Mapping[str, Callable[[Vector, Vector], Any]] = {
    "add": np.add, "min": smaller, "max": larger,
}  # fmt: skip
_NAN = {
    FLOAT16: np.uint16(0x7FFF).view(FLOAT16), FLOAT32: np.uint32(0x7FFFFFFF).view(FLOAT32),
}  # fmt: skip
"""What comes out where there is no number, on an H200."""
OPERATIONS = tuple(_TYPES)


class Reduction(NamedTuple):
    """One.

    Attributes:
        dtype: as what elements are in memory.
        apply: from what is there and what comes, to what is there then.
    """

    dtype: Scalar
    apply: Callable[[Vector, Vector], Any]

    def update(self, value: Vector) -> AtomicUpdate:
        """Return what an atomic does with what comes."""
        return AtomicUpdate(self.apply, (value,), None, "atom", used=False)


def find_reduction(does: str, kind: str) -> Reduction | None:
    """Return what an operation does with elements of a type; None if there is no such."""
    if kind not in _TYPES.get(does, ()):
        return None
    if kind == "bf16":
        return Reduction(UINT16, _of_bfloats(_FLOATS[does]))
    dtype = DTYPES[kind]
    if dtype.kind != "f":
        return Reduction(dtype, CHANGES[does].apply)
    return Reduction(dtype, _of_floats(_FLOATS[does], dtype))


def _of_bfloats(function: Callable[[Vector, Vector], Any]) -> Callable[[Vector, Vector], Any]:
    return lambda old, new: to_bfloat(function(from_bfloat(old), from_bfloat(new)))


def _of_floats(
    function: Callable[[Vector, Vector], Any], dtype: Scalar
) -> Callable[[Vector, Vector], Any]:
    if dtype == FLOAT64:
        return function

    def apply(old: Vector, new: Vector) -> Any:
        found = function(old, new)
        return np.where(np.isnan(found), _NAN[dtype], found)

    return apply
