"""What the lanes of a warp exchange: shuffles, votes, matches, active masks."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from grader.facts import fact
from grader.simt.intrinsics.participants import Lanes, by_lane, report_participants, restore_shape
from grader.simt.machine.chunk import OPERATION, Chunk, ExecutionPoint
from grader.simt.machine.frame import Evaluate, Frame, Value
from grader.simt.masks import LANES, Mask
from grader.simt.numba.library.calling import Intrinsic, Table, arguments, describe_mismatch
from grader.simt.numba.reading.typing_rules import resolve
from grader.simt.numba.typed import TypedValue, cast
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Expression
from grader.simt.program.types import BOOL, FLOAT32, FLOAT64, INT32, INT64, UINT32, Tuple

_LANE = np.arange(LANES, dtype=np.int64)
_BIT = np.uint32(1) << np.arange(LANES, dtype=np.uint32)


def _members(given: Value, mask: Mask, chunk: Chunk) -> Lanes:
    """Return (warps, 32): the lanes that the mask names and that are here."""
    named = by_lane(given, chunk)
    here: Lanes = (named >> _LANE & 1 != 0) & mask.full.reshape(-1, LANES)
    return here


_MOVED, _COMPARED = 20, 4
"""Operations for each value that a lane gets, and for each lane that it is compared with."""


def _shuffle(name: str, source: Callable[[Lanes, Lanes], tuple[Lanes, Lanes]]) -> Intrinsic:
    """Make a shuffle; `source` returns the lane to read from, and True if there is one."""

    def make(unit: Unit, node: ast.Call) -> Expression:
        given = arguments(unit, node, name, 3)
        (members, _), (value, dtype), (where, _) = map(unit.compile_number, given)
        if dtype not in (INT32, INT64, FLOAT32, FLOAT64):
            raise unit.typing_error(node, describe_mismatch(name, dtype), fact("advice.word-size"))
        wanted, operand, lane = cast(members, INT64), cast(value, dtype), cast(where, INT64)
        site = unit.site(node)

        def evaluate(frame: Frame, mask: Mask) -> Value:
            chunk = frame.chunk
            members = wanted(frame, mask)
            values = by_lane(operand(frame, mask), chunk)
            target, there = source(_LANE, by_lane(lane(frame, mask), chunk))
            read = np.where(there, target, _LANE)
            report_participants(members, ExecutionPoint(chunk, mask, site), name, read)
            chunk.charge(_MOVED * values.size)
            found = np.take_along_axis(values, np.broadcast_to(target, values.shape), axis=1)
            return restore_shape(np.where(there, found, values), chunk)

        return TypedValue(dtype, evaluate)

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
    """Make a vote; `decide` gets tests and members, (warps, 32), and returns (warps, 1)."""

    def make(unit: Unit, node: ast.Call) -> Expression:
        given = arguments(unit, node, name, 2)
        (named, first), (_, second) = map(unit.compile_number, given)
        if first.kind not in "iu" or second.kind not in "iub":
            raise unit.typing_error(node, describe_mismatch(name, first, second))
        wanted, test = cast(named, INT64), unit.compile_test(given[1])
        site = unit.site(node)

        def evaluate(frame: Frame, mask: Mask) -> Value:
            chunk = frame.chunk
            members = wanted(frame, mask)
            report_participants(members, ExecutionPoint(chunk, mask, site), name)
            holds = by_lane(test(frame, mask), chunk)
            here = _members(members, mask, chunk)
            decided = np.broadcast_to(decide(holds, here), here.shape)
            return restore_shape(decided, chunk).astype(result)

        return TypedValue(result, evaluate)

    return make


def _bits(lanes: Lanes) -> Lanes:
    """Pack (warps, 32) booleans into (warps, 1) int32, a bit per lane."""
    packed = np.where(lanes, _BIT, np.uint32(0)).sum(axis=1, keepdims=True, dtype=np.uint32)
    bits: Lanes = packed.view(np.int32)
    return bits


def _match(name: str, *, all_lanes: bool) -> Intrinsic:
    def make(unit: Unit, node: ast.Call) -> Expression:
        given = arguments(unit, node, name, 2)
        (named, first), (value, second) = map(unit.compile_number, given)
        signature = resolve("match", first, second)
        if signature is None:
            raise unit.typing_error(node, describe_mismatch(name, second))
        wanted, operand = cast(named, INT64), cast(value, signature.operands[1])
        site = unit.site(node)

        def members(frame: Frame, mask: Mask) -> Value:
            found = wanted(frame, mask)
            report_participants(found, ExecutionPoint(frame.chunk, mask, site), name)
            return found

        if all_lanes:
            return TypedValue(Tuple((INT32, BOOL)), _match_all(members, operand))
        return TypedValue(INT32, _match_any(members, operand))

    return make


def _match_any(wanted: Evaluate, operand: Evaluate) -> Evaluate:
    def evaluate(frame: Frame, mask: Mask) -> Value:
        chunk = frame.chunk
        here = _members(wanted(frame, mask), mask, chunk)
        values = by_lane(operand(frame, mask), chunk)
        result = np.zeros(values.shape, dtype=np.uint32)
        chunk.charge(LANES * (OPERATION + _COMPARED * values.size))
        for lane in range(LANES):
            same = (values == values[:, lane : lane + 1]) & here[:, lane : lane + 1] & here
            result |= np.where(same, _BIT[lane], np.uint32(0))
        return restore_shape(result.view(np.int32), chunk)

    return evaluate


def _match_all(wanted: Evaluate, operand: Evaluate) -> Evaluate:
    def evaluate(frame: Frame, mask: Mask) -> Value:
        chunk = frame.chunk
        here = _members(wanted(frame, mask), mask, chunk)
        values = by_lane(operand(frame, mask), chunk)
        first = np.take_along_axis(values, here.argmax(axis=1)[:, None], axis=1)
        same = ((values == first) | ~here).all(axis=1, keepdims=True)
        bits = np.where(same, _bits(here), np.int32(0))
        shape = here.shape
        return (
            restore_shape(np.broadcast_to(bits, shape), chunk),
            restore_shape(np.broadcast_to(same, shape), chunk),
        )

    return evaluate


def _activemask(unit: Unit, node: ast.Call) -> Expression:
    arguments(unit, node, "cuda.activemask", 0)

    def evaluate(frame: Frame, mask: Mask) -> Value:
        here = mask.full.reshape(-1, LANES)
        bits = np.broadcast_to(_bits(here), here.shape)
        return restore_shape(bits, frame.chunk).view(np.uint32)

    return TypedValue(UINT32, evaluate)


def _lanemask_lt(unit: Unit, node: ast.Call) -> Expression:
    arguments(unit, node, "cuda.lanemask_lt", 0)

    def evaluate(frame: Frame, _mask: Mask) -> Value:
        return (_BIT - np.uint32(1))[frame.chunk.lane]

    return TypedValue(UINT32, evaluate)


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
    "cuda.match_any_sync": _match("cuda.match_any_sync", all_lanes=False),
    "cuda.match_all_sync": _match("cuda.match_all_sync", all_lanes=True),
    "cuda.activemask": _activemask,
    "cuda.lanemask_lt": _lanemask_lt,
}
