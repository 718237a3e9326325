"""The functions for dynamic programming, DPX: the largest or smallest of sums and of three numbers.

A lane is computed in int64; a sum wraps as the lane does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from grader.simt.intrinsics.functions.fixed_signatures import FixedSignature, Function, Vector
from grader.simt.intrinsics.functions.lanes_in_words import join_lanes, split_lanes
from grader.simt.program.types import BOOL, INT32, UINT32

_KINDS = {"s32": (32, True), "u32": (32, False), "s16x2": (16, True), "u16x2": (16, False)}
"""Bits of a lane, and whether it has a sign."""
_ORDERS: dict[str, Function] = {"max": np.maximum, "min": np.minimum}
_Compute = Callable[..., Vector]


def _to_word(lanes: Vector, kind: str) -> Vector:
    word = join_lanes(lanes, _KINDS[kind][0])
    return word.view(INT32) if kind == "s32" else word


def _to_lanes(words: tuple[Vector, ...], kind: str) -> list[Vector]:
    bits, signed = _KINDS[kind]
    return [split_lanes(word, bits, signed=signed) for word in words]


def _choose(best: Function, kind: str, least: int | None, *words: Vector) -> Vector:
    """Return the best of words, lane by lane, and `least` where that is more."""
    first, *others = _to_lanes(words, kind)
    for lanes in others:
        first = best(first, lanes)
    return _to_word(first if least is None else np.maximum(first, least), kind)


def _add_first(choose: _Compute, kind: str, left: Vector, right: Vector, other: Vector) -> Vector:
    """Return the best of a sum and a word."""
    first, second = _to_lanes((left, right), kind)
    return choose(_to_word(first + second, kind), other)


def _compare(
    best: Function, kind: str, left: Vector, right: Vector
) -> tuple[Vector | np.bool_, ...]:
    """Return the best of two words, and by lane, the highest first, whether it is the left one."""
    first, second = _to_lanes((left, right), kind)
    found = best(first, second)
    is_left = found == first
    places = reversed(range(is_left.shape[-1]))
    return _to_word(found, kind), *(is_left[..., place] for place in places)


def _entries() -> Iterator[tuple[str, FixedSignature]]:
    for order, best in _ORDERS.items():
        for kind, (bits, signed) in _KINDS.items():
            word = INT32 if kind == "s32" else UINT32
            for ending, least in (("", None), ("_relu", 0))[: 1 + signed]:
                choose = partial(_choose, best, kind, least)
                add = partial(_add_first, choose, kind)
                yield f"vi{order}3_{kind}{ending}", FixedSignature((word,), (word,) * 3, choose)
                yield f"viadd{order}_{kind}{ending}", FixedSignature((word,), (word,) * 3, add)
                if ending:
                    yield f"vi{order}_{kind}{ending}", FixedSignature((word,), (word,) * 2, choose)
            results = (word, *(BOOL,) * (32 // bits))
            compare = partial(_compare, best, kind)
            yield f"vib{order}_{kind}", FixedSignature(results, (word,) * 2, compare)


DPX: dict[str, FixedSignature] = dict(_entries())
"""By their names without underscores; those of several results write the others by pointers."""
