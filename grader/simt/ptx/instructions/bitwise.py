"""Logic, shifts, and fields of bits (PTX ISA 9.7.1 and 9.7.8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from grader.simt.intrinsics.functions import bits
from grader.simt.intrinsics.functions.lanes_in_words import PERMUTATIONS
from grader.simt.program.types import INT32, INT64, UINT32, UINT64, Scalar
from grader.simt.ptx.instructions.kinds import Compute, Form
from grader.simt.ptx.values import DTYPES, Vector

_WORD = 32


def is_zero(value: Vector) -> Any:
    """Return 1 for 0, and 0 for all else: `cnot`."""
    return (value == 0).astype(value.dtype)


def lop3(_kind: str, modifiers: Sequence[str]) -> Form | None:
    """Make `lop3`, also with a predicate: whether any bit is set, and what another one says."""
    if tuple(modifiers) not in (("b32",), ("or", "b32"), ("and", "b32")):
        return None

    def compute(a: Vector, b: Vector, c: Vector, table: Vector) -> Any:
        wanted = int(table.reshape(-1)[0])
        found = np.zeros(np.broadcast_shapes(a.shape, b.shape, c.shape), dtype=a.dtype)
        for case in range(8):
            if wanted >> case & 1:
                left = a if case & 4 else ~a
                found = found | (left & (b if case & 2 else ~b) & (c if case & 1 else ~c))
        return found

    operands = ("b32", "b32", "b32", "u32")
    if len(modifiers) == 1:
        return Form(("b32",), operands, compute)
    combine = np.logical_or if modifiers[0] == "or" else np.logical_and

    def with_test(*values: Vector) -> tuple[Vector, Vector]:
        *given, other = values
        found = compute(*given)
        return found, combine(found != 0, other)

    return Form(("b32", "pred"), (*operands, "pred"), with_test)


def shift(kind: str, _modifiers: Sequence[str], *, left: bool) -> Form:
    """Make `shl` and `shr`, whose amount is clamped at the width."""
    dtype, width = DTYPES[kind], 8 * DTYPES[kind].itemsize

    def compute(value: Vector, by: Vector) -> Any:
        if by.size == 1 and int(by.reshape(-1)[0]) < width:
            amount = dtype.type(int(by.reshape(-1)[0]))
            return value << amount if left else value >> amount
        amounts = np.minimum(by, width - 1).astype(dtype)
        found = value << amounts if left else value >> amounts
        if dtype.kind == "i" and not left:
            return found
        return np.where(by >= width, dtype.type(0), found)

    return Form((kind,), (kind, "u32"), compute)


def shf(kind: str, modifiers: Sequence[str]) -> Form | None:
    """Make `shf`, which shifts 64 bits of two registers."""
    if kind != "b32" or len(modifiers) != 3:
        return None
    direction, mode = modifiers[:2]

    def compute(low: Vector, high: Vector, by: Vector) -> Any:
        amount = by & UINT32.type(31) if mode == "wrap" else np.minimum(by, UINT32.type(32))
        both = low.astype(UINT64) | high.astype(UINT64) << UINT64.type(32)
        shift = amount.astype(UINT64)
        if direction == "l":
            return (both << shift >> UINT64.type(32)).astype(UINT32)
        return (both >> shift).astype(UINT32)

    return Form(("b32",), ("b32", "b32", "u32"), compute)


def count(function: Compute, kind: str, _modifiers: Sequence[str]) -> Form:
    """Make `popc` and `clz`."""
    return Form(("u32",), (kind,), lambda value: function(value).astype(UINT32))


def bfind(kind: str, modifiers: Sequence[str]) -> Form:
    """Make `bfind`."""
    width = 8 * DTYPES[kind].itemsize

    def compute(value: Vector) -> Any:
        positive = np.where(value < 0, ~value, value) if value.dtype.kind == "i" else value
        leading = bits.clz(positive).astype(INT64)
        found = leading if "shiftamt" in modifiers else width - 1 - leading
        return np.where(leading == width, 0xFFFFFFFF, found).astype(UINT32)

    return Form(("u32",), (kind,), compute)


def _field(first: Vector, length: Vector, width: int) -> tuple[Vector, Vector]:
    """Return where a field of bits begins and how long it is; of 32 bits, 8 bits say so."""
    most = UINT32.type(0xFF if width == _WORD else 0xFFFFFFFF)
    return (first & most).astype(INT64), np.minimum((length & most).astype(INT64), width)


def bfe(kind: str, _modifiers: Sequence[str]) -> Form:
    """Make `bfe`."""
    dtype = DTYPES[kind]
    unsigned, width = DTYPES["u" + kind[1:]], 8 * dtype.itemsize

    def compute(value: Vector, first: Vector, length: Vector) -> Any:
        start, count = _field(first, length, width)
        top = np.minimum(start + count - 1, width - 1)
        sign = np.where(
            (count == 0) | (dtype.kind == "u"),
            0,
            (value.view(unsigned) >> np.maximum(top, 0).astype(unsigned)) & unsigned.type(1),
        )
        inside = np.clip(width - start, 0, count)
        moved = np.where(
            start >= width,
            unsigned.type(0),
            value.view(unsigned) >> np.minimum(start, width - 1).astype(unsigned),
        )
        mask = _ones(inside, unsigned)
        fill = np.where(sign != 0, ~mask, unsigned.type(0))
        return ((moved & mask) | fill).astype(unsigned).view(dtype)

    return Form((kind,), (kind, "u32", "u32"), compute)


def _ones(count: Vector, dtype: Scalar) -> Any:
    """Return numbers of which so many low bits are set."""
    width = 8 * dtype.itemsize
    full = dtype.type(~dtype.type(0))
    shift = np.minimum(width - count, width - 1).astype(dtype)
    return np.where(count == 0, dtype.type(0), full >> shift).astype(dtype)


def bfi(kind: str, _modifiers: Sequence[str]) -> Form:
    """Make `bfi`."""
    dtype = DTYPES[kind]
    width = 8 * dtype.itemsize

    def compute(value: Vector, into: Vector, first: Vector, length: Vector) -> Any:
        start, count = _field(first, length, width)
        shift = np.minimum(start, width - 1).astype(dtype)
        mask = np.where(start >= width, dtype.type(0), _ones(count, dtype) << shift).astype(dtype)
        return (into & ~mask) | (value << shift & mask)

    return Form((kind,), (kind, kind, "u32", "u32"), compute)


def bmsk(kind: str, modifiers: Sequence[str]) -> Form | None:
    """Make `bmsk`."""
    if kind != "b32":
        return None

    def compute(first: Vector, length: Vector) -> Any:
        if "wrap" in modifiers:
            start, count = (each.astype(INT64) & 31 for each in (first, length))
        else:
            start, count = (np.minimum(each.astype(INT64), 32) for each in (first, length))
        mask = _ones(count, UINT32).astype(UINT64) << start.astype(UINT64)
        return mask.astype(UINT32)

    return Form(("b32",), ("u32", "u32"), compute)


def szext(kind: str, modifiers: Sequence[str]) -> Form | None:
    """Make `szext`: the low bits as a number of 32 bits."""
    if kind not in ("s32", "u32") or len(modifiers) != 2:
        return None

    def compute(value: Vector, length: Vector) -> Any:
        wide = length.astype(INT64)
        count = wide & (_WORD - 1) if modifiers[0] == "wrap" else np.minimum(wide, _WORD)
        low = value.view(UINT32) & _ones(count, UINT32)
        if kind == "u32":
            return low
        top = low.astype(INT64) >> np.maximum(count - 1, 0) & 1
        return (low.astype(INT64) - (top << count)).astype(INT32)

    return Form((kind,), (kind, "u32"), compute)


def fns(_kind: str, modifiers: Sequence[str]) -> Form | None:
    """Make `fns`: where the n-th set bit is, from a bit on, upward or downward."""
    if tuple(modifiers) != ("b32",):
        return None

    def compute(mask: Vector, base: Vector, offset: Vector) -> Any:
        start, wanted = base.astype(INT64), offset.astype(INT64)
        places = np.arange(_WORD)
        there = (mask[..., None] >> places.astype(UINT32) & UINT32.type(1)) != 0
        beside = places - start[..., None]
        step = np.sign(wanted)[..., None]
        reached = there & np.where(step == 0, beside == 0, beside * step >= 0)
        # How many are reached up to a place, seen from the base.
        upward = reached.cumsum(axis=-1)
        count = np.where(step < 0, upward[..., -1:] - upward + reached, upward)
        hit = reached & (count == np.maximum(np.abs(wanted), 1)[..., None])
        found = np.where(hit.any(axis=-1), hit.argmax(axis=-1), 0xFFFFFFFF)
        return np.where(start < _WORD, found, 0xFFFFFFFF).astype(UINT32)

    return Form(("b32",), ("b32", "u32", "s32"), compute)


def prmt(_kind: str, modifiers: Sequence[str]) -> Form | None:
    """Make `prmt`, of any mode."""
    size, _, mode = ".".join(modifiers).partition(".")
    compute = PERMUTATIONS.get(mode) if size == "b32" else None
    return compute and Form(("b32",), ("b32", "b32", "u32"), compute)
