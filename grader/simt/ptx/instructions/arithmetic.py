"""Integer arithmetic, sums and products of any type (PTX ISA 9.7.1 to 9.7.3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from grader.simt.intrinsics.functions import approximations, bits, rounding
from grader.simt.intrinsics.functions.lanes_in_words import sum_products
from grader.simt.program.types import INT64
from grader.simt.ptx.instructions.kinds import (
    Compute,
    Form,
    float_function,
    is_float,
    mode_of,
    rounded,
)
from grader.simt.ptx.values import DTYPES, Vector


def total(
    name: str, nearest: np.ufunc, exact: Any, kind: str, modifiers: Sequence[str]
) -> Form | None:
    """Make `add` and `sub`."""
    if kind in ("pred", "f32x2"):
        return None
    if is_float(kind):
        function = rounded(kind, modifiers, nearest, exact)
        return Form.alike(kind, 2, float_function(kind, function, modifiers))
    if "cc" in modifiers:
        return _carrying(name, kind, reads=False, sets=True)
    saturates = "sat" in modifiers
    return Form.alike(kind, 2, partial(_saturating, nearest, kind) if saturates else nearest)


def _saturating(function: np.ufunc, kind: str, left: Vector, right: Vector) -> Any:
    limits = np.iinfo(DTYPES[kind])
    wide = function(left.astype(INT64), right.astype(INT64))
    return np.clip(wide, limits.min, limits.max).astype(DTYPES[kind])


def _carrying(name: str, kind: str, *, reads: bool, sets: bool) -> Form | None:
    """Add or subtract with the carry flag, 32 or 64 bits.

    A difference adds what is inverted, so its flag is set where nothing is borrowed; measured on
    an H200, where `addc` behind `sub.cc` tells.
    """
    if kind not in ("s32", "u32", "s64", "u64"):
        return None
    unsigned = DTYPES["u" + kind[1:]]

    def compute(left: Vector, right: Vector, *flag: Vector) -> Any:
        a, b = left.view(unsigned), right.view(unsigned)
        b = ~b if name == "sub" else b
        c = flag[0].astype(unsigned) if flag else unsigned.type(name == "sub")
        first = a + b
        total = first + c
        result = total.view(DTYPES[kind])
        return (result, (first < a) | (total < first)) if sets else result

    operands = (kind, kind, *(("pred",) if reads else ()))
    return Form((kind, *(("pred",) if sets else ())), operands, compute, reads, sets)


def with_carry(name: str, kind: str, modifiers: Sequence[str]) -> Form | None:
    """Make `addc` and `subc`."""
    return _carrying(name, kind, reads=True, sets="cc" in modifiers)


def _wide(kind: str) -> str:
    return f"{kind[0]}{2 * int(kind[1:])}"


def product(kind: str, modifiers: Sequence[str]) -> Form | None:
    """Make `mul`."""
    if is_float(kind):
        function = rounded(kind, modifiers, np.multiply, lambda a, b: a * b)
        return Form.alike(kind, 2, float_function(kind, function, modifiers))
    if "wide" in modifiers:
        wide = _wide(kind)
        if wide not in DTYPES:
            return None
        dtype = DTYPES[wide]
        return Form((wide,), (kind, kind), lambda a, b: a.astype(dtype) * b.astype(dtype))
    return Form.alike(kind, 2, bits.high_product if "hi" in modifiers else np.multiply)


def mul24(kind: str, modifiers: Sequence[str]) -> Form | None:
    """Make `mul24`."""
    if kind not in ("s32", "u32"):
        return None
    shift, wide = DTYPES[kind].type(8), DTYPES[_wide(kind)]

    def compute(a: Vector, b: Vector) -> Any:
        low = [(each << shift >> shift).astype(wide) for each in (a, b)]
        whole = low[0] * low[1]
        return (whole >> wide.type(16) if "hi" in modifiers else whole).astype(DTYPES[kind])

    return Form.alike(kind, 2, compute)


def mad24(kind: str, modifiers: Sequence[str]) -> Form | None:
    """Make `mad24`."""
    multiplied = mul24(kind, modifiers)
    if multiplied is None:
        return None
    multiply = multiplied.compute
    add = partial(_saturating, np.add, kind) if "sat" in modifiers else np.add
    return Form.alike(kind, 3, lambda a, b, c: add(multiply(a, b), c))


def mad(kind: str, modifiers: Sequence[str]) -> Form | None:
    """Make `mad`."""
    if is_float(kind):
        return fma(kind, modifiers)
    whole = product(kind, modifiers)
    if whole is None:
        return None
    (result,) = whole.results
    multiply = whole.compute
    if "cc" in modifiers:
        return _carrying_product(whole, kind, reads=False, sets=True)
    return Form((result,), (kind, kind, result), lambda a, b, c: multiply(a, b) + c)


def _carrying_product(multiplied: Form, kind: str, *, reads: bool, sets: bool) -> Form | None:
    added = _carrying("add", kind, reads=reads, sets=sets)
    if added is None:
        return None
    multiply, add = multiplied.compute, added.compute

    def compute(a: Vector, b: Vector, *rest: Vector) -> Any:
        return add(multiply(a, b), *rest)

    return Form(added.results, (kind, kind, *added.operands[1:]), compute, reads, sets)


def madc(kind: str, modifiers: Sequence[str]) -> Form | None:
    """Make `madc`."""
    whole = product(kind, modifiers)
    return whole and _carrying_product(whole, kind, reads=True, sets="cc" in modifiers)


def _quotient(left: Vector, right: Vector) -> Any:
    """Divide toward zero; by zero, as compiled, all bits are set."""
    safe = np.where(right == 0, right.dtype.type(1), right)
    ones = np.array(0, left.dtype) - left.dtype.type(1)
    if left.dtype.kind == "u":
        found = left // safe
    else:
        exact = np.floor_divide(left, safe)
        found = exact + ((left % safe != 0) & ((left < 0) != (safe < 0)))
    return np.where(right == 0, ones, found).astype(left.dtype)


def quotient(kind: str, modifiers: Sequence[str]) -> Form | None:
    """Make `div`."""
    if is_float(kind):
        function = rounded(kind, modifiers, np.divide, lambda a, b: a / b)
        if "approx" in modifiers and kind == "f32":
            function = approximations.divide
        return Form.alike(kind, 2, float_function(kind, function, modifiers))
    return Form.alike(kind, 2, _quotient)


def find_remainder(left: Vector, right: Vector) -> Any:
    """Return what a division leaves; by zero, as compiled, all bits are set."""
    whole = _quotient(left, right)
    return np.where(right == 0, whole, left - whole * right)


def of_one(function: Compute, kind: str, modifiers: Sequence[str]) -> Form:
    """Make an operation of one operand, a float or an integer."""
    compute = float_function(kind, function, modifiers) if is_float(kind) else function
    return Form.alike(kind, 1, compute)


def extreme(
    numbers: Compute, with_nan: Compute, integers: np.ufunc, kind: str, modifiers: Sequence[str]
) -> Form:
    """Make `min` and `max`."""
    if not is_float(kind):
        if "relu" not in modifiers:
            return Form.alike(kind, 2, integers)
        zero = DTYPES[kind].type(0)
        return Form.alike(kind, 2, lambda a, b: np.maximum(integers(a, b), zero))
    function = with_nan if "NaN" in modifiers else numbers
    if "xorsign" in modifiers:
        function = partial(_with_product_sign, function)
    return Form.alike(kind, 2, float_function(kind, function, modifiers))


def _with_product_sign(function: Compute, a: Vector, b: Vector) -> Any:
    """Return an extreme of the absolute values, with the sign that a product would have."""
    found = function(np.abs(a), np.abs(b))
    return np.where(np.signbit(a) == np.signbit(b), found, -found)


def dp4a(_kind: str, modifiers: Sequence[str]) -> Form | None:
    """Make `dp4a`."""
    return _dot(modifiers, 1, slice(None))


def dp2a(_kind: str, modifiers: Sequence[str]) -> Form | None:
    """Make `dp2a`, of the low two bytes of the second word or of the high ones."""
    which, *kinds = modifiers
    bytes_of = {"lo": slice(2), "hi": slice(2, None)}.get(which)
    return None if bytes_of is None else _dot(kinds, 2, bytes_of)


_LETTERS = {"s32": "i", "u32": "u"}
"""Of NumPy's types."""


def _dot(kinds: Sequence[str], size: int, part: slice) -> Form | None:
    """Make the sum of products of a word's parts of `size` bytes and some bytes of another."""
    if len(kinds) != 2 or any(each not in _LETTERS for each in kinds):
        return None
    first, second = kinds
    result = "s32" if "s32" in kinds else "u32"
    dtypes = f"{_LETTERS[first]}{size}", f"{_LETTERS[second]}1"
    compute = sum_products(dtypes, part, DTYPES[result])
    return Form((result,), (first, second, result), compute)


def fma(kind: str, modifiers: Sequence[str]) -> Form | None:
    """Make `fma`, and `mad` of floats."""
    if not is_float(kind) or kind == "f32x2":
        return None
    mode = mode_of(modifiers)
    if mode != "rn" and kind not in ("f32", "f64"):
        return None
    function: Compute = rounding.fma_to_odd if kind.startswith("bf16") else rounding.fma
    if mode != "rn":
        function = rounding.fused(mode, DTYPES[kind].name)
    return Form.alike(kind, 3, float_function(kind, function, modifiers))
