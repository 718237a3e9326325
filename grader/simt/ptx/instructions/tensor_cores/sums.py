"""How tensor cores add: as an H200's do, bit for bit.

NVIDIA does not document it. `python -m bench.gpu.ptx hopper` computed every form of `mma` and
`wgmma` with drawn numbers on an H200, and one rule gives all bits of them: products are exact; they
and the old sum are cut off (toward zero) below the bit that is 25 places under the largest exponent
among them, where a product has the sum of its factors' exponents; what is left is added exactly,
once for the whole depth, and is cut off to float32 (rounded to nearest, to float16). `wgmma` of FP8
keeps 13 places, and 13 bits in the result; `mma` of FP8 converts to float16 and is two products of
half the depth, whose sum is added to the old one as usual. Doubles are added one after the other,
by fused multiply-adds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.simt.intrinsics.functions.rounding import fma
from grader.simt.program.types import FLOAT16, FLOAT32, FLOAT64, INT32, INT64

Matrices = NDArray[Any]
"""(warps, rows, columns)."""
_PLACES, _FP8_PLACES = 25, 13
_LEAST: Mapping[str, float] = {
    "f16": 2.0**-14, "bf16": 2.0**-126, "tf32": 2.0**-126, "e4m3": 2.0**-6, "e5m2": 2.0**-14,
    "f32": 2.0**-126,
}  # fmt: skip
"""The powers of two of subnormal numbers' exponents."""
_USUAL = 2.0**-40, 2.0**40
"""Between them, products have float32's range, whatever the exponents."""
_BEYOND_FLOAT32 = 2.0**128
_LARGEST = 2.0**110
"""More than any scale of a product that is not zero."""
_AT_ONCE = 1 << 15
"""Products: with them, a step's arrays stay in a cache."""


class Kinds(NamedTuple):
    """Types of elements: of A, B, and the sums."""

    left: str
    right: str
    sums: str


def multiply_add(
    kinds: Kinds, a: Matrices, b: Matrices, c: Matrices, kept: Matrices | None = None
) -> Matrices:
    """Return a @ b + c as `mma` and `wmma` compute it; values of the sums' type.

    `kept` says which elements of a sparse A are there; None: all of them.
    """
    if kinds.left in ("e4m3", "e5m2"):
        depth = np.arange(a.shape[2])  # two of the four elements in each register come first
        first = depth % 4 < 2 if kept is None else depth // 4 % 2 == 0
        halves, found = Kinds("f16", "f16", kinds.sums), np.zeros_like(c)
        for own in (first, ~first):
            there = None if kept is None else kept[:, :, own]
            found = _add_products(halves, a[:, :, own], b[:, own], found, (_PLACES, there))
        dtype = FLOAT16 if kinds.sums == "f16" else FLOAT32
        with np.errstate(all="ignore"):
            return np.asarray(found.astype(dtype) + c.astype(dtype)).astype(FLOAT64)
    if kinds.sums in ("f16", "f32"):
        return _add_products(kinds, a, b, c, (_PLACES, kept))
    if kinds.sums == "f64":
        return _add_doubles(a, b, c)
    return np.asarray(np.matmul(a, b) + c)


def _add_doubles(a: Matrices, b: Matrices, c: Matrices) -> Matrices:
    """Add one product after the other, each sum rounded once."""
    with np.errstate(all="ignore"):
        for at in range(a.shape[2]):
            one, other = np.broadcast_arrays(a[:, :, at, None], b[:, at, None, :])
            c = fma(np.ascontiguousarray(one), np.ascontiguousarray(other), c)
    return c


def multiply_add_of_group(kinds: Kinds, a: Matrices, b: Matrices, c: Matrices) -> Matrices:
    """Return a @ b + c as `wgmma` computes it."""
    if kinds.left in ("e4m3", "e5m2"):
        return _add_products(kinds, a, b, c, (_FP8_PLACES, None))
    return multiply_add(kinds, a, b, c)


def _add_products(
    kinds: Kinds, a: Matrices, b: Matrices, c: Matrices, how: tuple[int, Matrices | None]
) -> Matrices:
    """Add what is left of products and old sums; see above."""
    (places, kept), found = how, np.empty(c.shape, FLOAT64)
    step = max(1, _AT_ONCE // (c.shape[1] * c.shape[2]))
    whole = [np.isfinite(each) for each in (a, b, c)]
    finite = all(each.all() for each in whole)
    parts = (a, b, c) if finite else map(np.where, whole, (a, b, c), (0, 0, 0))
    left, right, old = parts
    with np.errstate(all="ignore"):
        for first in range(0, len(c), step):
            part = slice(first, first + step)
            found[part] = _add_few(kinds, left[part], right[part], old[part], places)
        if finite:
            return found
        products = a[:, :, :, None].astype(FLOAT64) * b[:, None]
        there = products if kept is None else np.where(kept[..., None], products, 0)
        plain = there.sum(axis=2) + c
        return np.where(np.isfinite(plain), found, plain)


def _add_few(kinds: Kinds, a: Matrices, b: Matrices, c: Matrices, places: int) -> Matrices:
    # Warps come last, so that each operation of NumPy runs over many elements.
    usual = _is_usual(a) and _is_usual(b)
    dtype, whole = (FLOAT32, INT32) if usual else (FLOAT64, INT64)
    left = np.ascontiguousarray(a.transpose(2, 1, 0), dtype)[:, :, None]
    right = np.ascontiguousarray(b.transpose(1, 2, 0), dtype)[:, None]
    old = np.ascontiguousarray(c.transpose(1, 2, 0)).astype(FLOAT64)
    powers = _power(left, kinds.left), _power(right, kinds.right)
    largest = np.zeros(old.shape, dtype)
    product = np.empty(old.shape, dtype)
    for one, other in zip(*powers, strict=True):
        np.maximum(largest, np.multiply(one, other, out=product), out=largest)
    highest = np.maximum(largest, _power(old, kinds.sums))
    unit = highest * 2.0**-places
    scale = np.where(highest > 0, 1 / unit, 0)
    narrow = np.minimum(scale, _LARGEST).astype(dtype)
    total, cut = np.trunc(old * scale).astype(INT64), np.zeros(old.shape, whole)
    for one, other in zip(left, right, strict=True):
        np.multiply(one, other, out=product)
        cut += np.multiply(product, narrow, out=product).astype(whole)
    result = _round(kinds.sums, (total + cut) * unit, places)
    return np.asarray(result.transpose(2, 0, 1))


def _is_usual(values: Matrices) -> bool:
    """Tell whether all that is not zero is of an ordinary size."""
    size = np.abs(values)
    least, most = _USUAL
    return bool(((size <= most) & ((size >= least) | (size == 0))).all())


def _power(values: Matrices, kind: str) -> Matrices:
    """Return the power of two of each one's exponent; 0 for 0."""
    if values.dtype == FLOAT32:
        exponent: Matrices = (values.view(np.uint32) & np.uint32(0x7F800000)).view(FLOAT32)
    else:
        exponent = (values.view(np.uint64) & np.uint64(0x7FF << 52)).view(FLOAT64)
    power: Matrices = np.maximum(exponent, values.dtype.type(_LEAST[kind]))
    return np.where(values == 0, values.dtype.type(0), power)


def _round(kind: str, values: Matrices, places: int) -> Matrices:
    """Round sums to their type: to nearest to float16, else toward zero."""
    if kind == "f16":
        return values.astype(FLOAT16).astype(FLOAT64)
    if places == _FP8_PLACES:
        size, power = np.frexp(values)
        return np.asarray(np.ldexp(np.trunc(np.ldexp(size, places + 1)), power - places - 1))
    near = values.astype(FLOAT32)
    size = np.abs(values)
    beyond = (np.abs(near.astype(FLOAT64)) > size) & (size < _BEYOND_FLOAT32)
    return np.where(beyond, np.nextafter(near, FLOAT32.type(0)), near).astype(FLOAT64)
