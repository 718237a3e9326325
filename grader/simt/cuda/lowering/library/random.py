"""What our header of cuRAND needs beyond C++: skips of its XORWOW generator.

A step is linear over the bits of its five words, so 2^k steps are a matrix, which is applied by
tables of the bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.assigning import assign
from grader.simt.cuda.lowering.conversions import convert, member_of, rvalue
from grader.simt.cuda.lowering.library.entries import apply_several
from grader.simt.cuda.lowering.library.overloads import Handler
from grader.simt.cuda.lowering.model.types import UNSIGNED, UNSIGNED_LONG_LONG, VOID, ArrayOf
from grader.simt.cuda.lowering.model.values import MemoryPlace, Value, VoidValue
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.intrinsics.functions.fixed_signatures import FixedSignature
from grader.simt.program.types import UINT32, UINT64

Words = NDArray[np.uint32]
"""(n, 5): the words of n generators."""
_WORDS, _BYTES, _BITS = 5, 20, 160
_SEQUENCE = 67
"""A sequence begins 2^67 steps behind the one before it."""


def skip(*given: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    """Return the five words of generators after sequences and steps, the last two operands."""
    shape = np.broadcast_shapes(*(each.shape for each in given))
    *words, sequences, steps = (np.broadcast_to(each, shape).ravel() for each in given)
    found: Words = np.stack(words, -1).astype(np.uint32)
    for power, number in ((_SEQUENCE, sequences), (0, steps)):
        left, rest = power, number.astype(np.uint64)
        while rest.any():
            odd = np.flatnonzero(rest & np.uint64(1))
            if odd.size:
                found[odd] = _apply(_table(left), found[odd])
            left, rest = left + 1, rest >> np.uint64(1)
    return tuple(found[:, at].reshape(shape) for at in range(_WORDS))


SKIP = FixedSignature((UINT32,) * _WORDS, (*(UINT32,) * _WORDS, UINT64, UINT64), skip)


def _step(words: Words) -> Words:
    first, last = words[:, 0], words[:, 4]
    mixed = first ^ (first >> np.uint32(2))
    new = (last ^ (last << np.uint32(4))) ^ (mixed ^ (mixed << np.uint32(1)))
    return np.column_stack([words[:, 1:], new])


@cache
def _images(power: int) -> Words:
    """Return what 2^power steps make of each single bit."""
    if power == 0:
        bits = np.zeros((_BITS, _WORDS), np.uint32)
        for at in range(_BITS):
            bits[at, at // 32] = np.uint32(1 << at % 32)
        return _step(bits)
    return _apply(_table(power - 1), _images(power - 1))


@cache
def _table(power: int) -> NDArray[np.uint32]:
    """Return what 2^power steps make of each byte at each place: (20, 256, 5)."""
    images = _images(power).reshape(_BYTES, 8, _WORDS)
    table = np.zeros((_BYTES, 256, _WORDS), np.uint32)
    for bit in range(8):
        table[:, 1 << bit : 2 << bit] = table[:, : 1 << bit] ^ images[:, bit : bit + 1]
    return table


def _apply(table: NDArray[np.uint32], words: Words) -> Words:
    own = np.ascontiguousarray(words.astype("<u4")).view(np.uint8).reshape(-1, _BYTES)
    found = np.zeros_like(words)
    for at in range(_BYTES):
        found ^= table[at, own[:, at]]
    return found


def _skip(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
    """Lower `quiz_skip_xorwow(words, sequences, steps)`: it changes the five words."""
    words = unit.hold_plain(rvalue(unit, node, given[0]))
    places = [member_of(MemoryPlace(ArrayOf(UNSIGNED, 5), words.node), at) for at in range(5)]
    numbers = [unit.hold_plain(rvalue(unit, node, each)) for each in places]
    numbers += [
        convert(unit, node, rvalue(unit, node, each), UNSIGNED_LONG_LONG) for each in given[1:]
    ]
    made = apply_several(unit, "skip", SKIP, numbers)
    for place, value in zip(places, made, strict=True):
        assign(unit, node, place, value)
    return VoidValue(VOID)


HANDLERS: dict[str, Handler] = {"quiz_skip_xorwow": _skip}
