"""Integers in the halves of a word, and conversions that pack two (PTX ISA 9.7.1 and 9.7.9)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from grader.simt.program.types import INT16, INT64, UINT16, UINT32
from grader.simt.ptx.instructions.kinds import Form
from grader.simt.ptx.values import Vector, join_halves, split_halves

_HALVES = {"s16x2": INT16, "u16x2": UINT16}


def in_halves(function: np.ufunc, _kind: str, modifiers: Sequence[str]) -> Form | None:
    """Make an operation of two integers for `s16x2` and `u16x2`."""
    dtype = _HALVES.get(modifiers[-1] if modifiers else "")
    positive = "relu" in modifiers[:1]
    if dtype is None or len(modifiers) != 1 + positive:
        return None

    def compute(*values: Vector) -> Any:
        found = function(*(split_halves(each).view(dtype) for each in values))
        return join_halves(np.maximum(found, 0) if positive else found)

    return Form.alike("b32", 2, compute)


def pack(modifiers: Sequence[str]) -> Form | None:
    """Make `cvt.pack`: two integers, limited to a narrower type; a word moves up before them."""
    if len(modifiers) < 4 or modifiers[1] != "sat" or modifiers[3] != "s32":
        return None
    kind, rest = modifiers[2], modifiers[4:]
    bits = int(kind[1:])
    signed = kind[0] == "s"
    limits = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    compute = partial(_pack, bits, limits)
    if bits == 16 and not rest:
        return Form(("b32",), ("s32", "s32"), lambda a, b: compute(a, b, UINT32.type(0)))
    if bits < 16 and rest == ("b32",):
        return Form(("b32",), ("s32", "s32", "b32"), compute)
    return None


def _pack(bits: int, limits: tuple[int, int], high: Vector, low: Vector, word: Any) -> Any:
    mask = (1 << bits) - 1
    upper, lower = (np.clip(each.astype(INT64), *limits) & mask for each in (high, low))
    before = np.asarray(word).astype(INT64) << 2 * bits
    return (before | upper << bits | lower).astype(UINT32)
