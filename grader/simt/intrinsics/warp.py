"""What the threads of a warp tell each other: shuffles, votes, matches, and who is active."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.simt.chunk import OPERATION, Chunk, Here
from grader.simt.counters import Site
from grader.simt.intrinsics.calling import Intrinsic, Maker, Table, arguments
from grader.simt.masks import LANES, Mask
from grader.simt.typed import Evaluate, Frame, Typed, Value, cast
from grader.simt.types import BOOL, FLOAT32, FLOAT64, INT32, INT64, UINT32, Tuple
from grader.simt.typing_rules import resolve

Lanes = NDArray[Any]
"""(warps, 32)."""
_LANE = np.arange(LANES, dtype=np.int64)
_BIT = np.uint32(1) << np.arange(LANES, dtype=np.uint32)


def _by_lane(value: Value, chunk: Chunk) -> Lanes:
    """(warps, 32)."""
    return np.broadcast_to(value, (chunk.blocks, chunk.threads)).reshape(-1, LANES)


def _members(given: Value, mask: Mask, chunk: Chunk) -> Lanes:
    """(warps, 32) who takes part: named in the mask that was given, and here."""
    named = _by_lane(given.astype(np.int64), chunk)
    here: Lanes = (named >> _LANE & 1 != 0) & mask.full.reshape(-1, LANES)
    return here


def _back(value: Lanes, chunk: Chunk) -> Value:
    return value.reshape(chunk.blocks, chunk.threads)


_MOVED, _COMPARED = 20, 4
"""Operations for each value that a lane gets, and for each lane that it is compared with."""


def _report_absent(given: Value, mask: Mask, chunk: Chunk, site: Site, name: str) -> None:
    """Lanes that the mask names and that are not here: the result is undefined."""
    if mask.count == chunk.everyone.count:
        return
    named = _by_lane(given.astype(np.int64), chunk) >> _LANE & 1 != 0
    here = mask.full.reshape(-1, LANES)
    there = chunk.everyone.full.reshape(-1, LANES)
    absent = named & ~here & there & here.any(axis=1, keepdims=True)
    if absent.any():
        message = f"{name} names threads that do not come to it; what it gives is undefined"
        Here(chunk, mask, site).report(
            "warning", _back(absent, chunk), message, topic="absent lanes"
        )


def _shuffle(name: str, source: Callable[[Lanes, Lanes], tuple[Lanes, Lanes]]) -> Intrinsic:
    """A shuffle; `source` gives the lane to read from, and whether there is one."""

    def make(maker: Maker, node: ast.Call) -> Typed:
        given = arguments(maker, node, name, 3)
        (members, _), (value, dtype), (where, _) = map(maker.number, given)
        if dtype not in (INT32, INT64, FLOAT32, FLOAT64):
            raise maker.not_typed(node, f"{name} is not for {dtype.name}", "use 32 or 64 bits")
        wanted, operand, lane = cast(members, INT64), cast(value, dtype), cast(where, INT64)
        site = maker.site(node)

        def evaluate(frame: Frame, mask: Mask) -> Value:
            chunk = frame.chunk
            _report_absent(wanted(frame, mask), mask, chunk, site, name)
            values = _by_lane(operand(frame, mask), chunk)
            target, there = source(_LANE, _by_lane(lane(frame, mask), chunk))
            chunk.charge(_MOVED * values.size)
            found = np.take_along_axis(values, np.broadcast_to(target, values.shape), axis=1)
            return _back(np.where(there, found, values), chunk)

        return Typed(dtype, evaluate)

    return make


def _from_lane(_own: Lanes, lane: Lanes) -> tuple[Lanes, Lanes]:
    return lane & (LANES - 1), np.ones(1, dtype=np.bool_)


def _from_below(own: Lanes, delta: Lanes) -> tuple[Lanes, Lanes]:
    lane = own - (delta & (LANES - 1))
    return np.maximum(lane, 0), lane >= 0


def _from_above(own: Lanes, delta: Lanes) -> tuple[Lanes, Lanes]:
    lane = own + (delta & (LANES - 1))
    return np.minimum(lane, LANES - 1), lane < LANES


def _from_partner(own: Lanes, bits: Lanes) -> tuple[Lanes, Lanes]:
    return (own ^ bits) & (LANES - 1), np.ones(1, dtype=np.bool_)


def _vote(name: str, result: Any, decide: Callable[[Lanes, Lanes], Any]) -> Intrinsic:
    """A vote; `decide` gets tests and members, (warps, 32), and gives (warps, 1)."""

    def make(maker: Maker, node: ast.Call) -> Typed:
        given = arguments(maker, node, name, 2)
        wanted, test = cast(maker.number(given[0])[0], INT64), maker.truth(given[1])
        site = maker.site(node)

        def evaluate(frame: Frame, mask: Mask) -> Value:
            chunk = frame.chunk
            members = wanted(frame, mask)
            _report_absent(members, mask, chunk, site, name)
            holds = _by_lane(test(frame, mask), chunk)
            here = _members(members, mask, chunk)
            decided = np.broadcast_to(decide(holds, here), here.shape)
            return _back(decided, chunk).astype(result)

        return Typed(result, evaluate)

    return make


def _bits(lanes: Lanes) -> Lanes:
    """(warps, 32) booleans → (warps, 1) int32, a bit a lane."""
    packed = np.where(lanes, _BIT, np.uint32(0)).sum(axis=1, keepdims=True, dtype=np.uint32)
    bits: Lanes = packed.view(np.int32)
    return bits


def _match(name: str, *, everybody: bool) -> Intrinsic:
    def make(maker: Maker, node: ast.Call) -> Typed:
        given = arguments(maker, node, name, 2)
        (members, first), (value, second) = map(maker.number, given)
        signature = resolve("match", first, second)
        if signature is None:
            raise maker.not_typed(node, f"no {name} for {second.name}")
        wanted, operand = cast(members, INT64), cast(value, signature.operands[1])
        if everybody:
            return Typed(Tuple((INT32, BOOL)), _match_all(wanted, operand))
        return Typed(INT32, _match_any(wanted, operand))

    return make


def _match_any(wanted: Evaluate, operand: Evaluate) -> Evaluate:
    def evaluate(frame: Frame, mask: Mask) -> Value:
        chunk = frame.chunk
        here = _members(wanted(frame, mask), mask, chunk)
        values = _by_lane(operand(frame, mask), chunk)
        result = np.zeros(values.shape, dtype=np.uint32)
        chunk.charge(LANES * (OPERATION + _COMPARED * values.size))
        for lane in range(LANES):
            same = (values == values[:, lane : lane + 1]) & here[:, lane : lane + 1] & here
            result |= np.where(same, _BIT[lane], np.uint32(0))
        return _back(result.view(np.int32), chunk)

    return evaluate


def _match_all(wanted: Evaluate, operand: Evaluate) -> Evaluate:
    def evaluate(frame: Frame, mask: Mask) -> Value:
        chunk = frame.chunk
        here = _members(wanted(frame, mask), mask, chunk)
        values = _by_lane(operand(frame, mask), chunk)
        first = np.take_along_axis(values, here.argmax(axis=1)[:, None], axis=1)
        same = ((values == first) | ~here).all(axis=1, keepdims=True)
        bits = np.where(same, _bits(here), np.int32(0))
        shape = here.shape
        return (
            _back(np.broadcast_to(bits, shape), chunk),
            _back(np.broadcast_to(same, shape), chunk),
        )

    return evaluate


def _activemask(maker: Maker, node: ast.Call) -> Typed:
    arguments(maker, node, "cuda.activemask", 0)

    def evaluate(frame: Frame, mask: Mask) -> Value:
        here = mask.full.reshape(-1, LANES)
        bits = np.broadcast_to(_bits(here), here.shape)
        return _back(bits, frame.chunk).view(np.uint32)

    return Typed(UINT32, evaluate)


def _lanemask_lt(maker: Maker, node: ast.Call) -> Typed:
    arguments(maker, node, "cuda.lanemask_lt", 0)

    def evaluate(frame: Frame, _mask: Mask) -> Value:
        return (_BIT - np.uint32(1))[frame.chunk.lane]

    return Typed(UINT32, evaluate)


CALLS: Table = {
    "cuda.shfl_sync": _shuffle("cuda.shfl_sync", _from_lane),
    "cuda.shfl_up_sync": _shuffle("cuda.shfl_up_sync", _from_below),
    "cuda.shfl_down_sync": _shuffle("cuda.shfl_down_sync", _from_above),
    "cuda.shfl_xor_sync": _shuffle("cuda.shfl_xor_sync", _from_partner),
    "cuda.all_sync": _vote(
        "cuda.all_sync", BOOL, lambda holds, here: (holds | ~here).all(axis=1, keepdims=True)
    ),
    "cuda.any_sync": _vote(
        "cuda.any_sync", BOOL, lambda holds, here: (holds & here).any(axis=1, keepdims=True)
    ),
    "cuda.eq_sync": _vote(
        "cuda.eq_sync",
        BOOL,
        lambda holds, here: (
            (holds | ~here).all(axis=1, keepdims=True) | ~(holds & here).any(axis=1, keepdims=True)
        ),
    ),
    "cuda.ballot_sync": _vote("cuda.ballot_sync", INT32, lambda holds, here: _bits(holds & here)),
    "cuda.match_any_sync": _match("cuda.match_any_sync", everybody=False),
    "cuda.match_all_sync": _match("cuda.match_all_sync", everybody=True),
    "cuda.activemask": _activemask,
    "cuda.lanemask_lt": _lanemask_lt,
}
