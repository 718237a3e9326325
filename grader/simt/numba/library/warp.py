"""Numba's names of warp primitives, and the types that they take."""

from __future__ import annotations

import ast
from functools import partial

from grader.facts import fact
from grader.simt.intrinsics import warp
from grader.simt.numba.library.calling import Intrinsic, Table, arguments, describe_mismatch
from grader.simt.numba.reading.typing_rules import resolve
from grader.simt.numba.typed import cast
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Expression, Perform, Position
from grader.simt.program.types import (
    BOOL,
    FLOAT32,
    FLOAT64,
    INT32,
    INT64,
    UINT32,
    UINT64,
    Scalar,
    Tuple,
)

_EXCHANGED = (INT32, INT64, FLOAT32, FLOAT64)
_WORDS = (INT32, INT64, UINT32, UINT64)
"""Types of a mask and of a lane: of others Numba makes code that its compiler rejects."""


def _shuffle(name: str, source: warp.Source) -> Intrinsic:
    called = f"cuda.{name}"
    run = partial(warp.shuffle, source=source, name=called)

    def make(unit: Unit, node: ast.Call) -> Expression:
        given = arguments(unit, node, called, 3)
        (members, named), (value, dtype), (where, lane) = map(unit.compile_number, given)
        if dtype not in _EXCHANGED:
            what = describe_mismatch(called, dtype)
            raise unit.typing_error(node, what, fact("advice.word-size"))
        if named not in _WORDS or lane not in _WORDS:
            what = describe_mismatch(called, named, dtype, lane)
            raise unit.typing_error(node, what, fact("advice.integer-words"))
        unit.program.shuffles = True
        operands = cast(members, INT64), cast(value, dtype), cast(where, INT64)
        return Perform(dtype, name, run, operands, unit.site(node))

    return make


def _vote(name: str, result: Scalar, decide: warp.Decide) -> Intrinsic:
    called = f"cuda.{name}"
    run = partial(warp.vote, decide=decide, name=called)

    def make(unit: Unit, node: ast.Call) -> Expression:
        given = arguments(unit, node, called, 2)
        (named, first), (_, second) = map(unit.compile_number, given)
        if first not in _WORDS or second.kind not in "iub":
            raise unit.typing_error(node, describe_mismatch(called, first, second))
        operands = cast(named, INT64), unit.compile_test(given[1])
        return Perform(result, name, run, operands, unit.site(node))

    return make


def _match(name: str, *, all_lanes: bool) -> Intrinsic:
    called = f"cuda.{name}"
    result = Tuple((INT32, BOOL)) if all_lanes else INT32
    run = partial(warp.match_all if all_lanes else warp.match_any, name=called)

    def make(unit: Unit, node: ast.Call) -> Expression:
        given = arguments(unit, node, called, 2)
        (named, first), (value, second) = map(unit.compile_number, given)
        signature = resolve("match", first, second)
        if signature is None:
            raise unit.typing_error(node, describe_mismatch(called, second))
        operands = cast(named, INT64), cast(value, signature.operands[1])
        return Perform(result, name, run, operands, unit.site(node))

    return make


def _activemask(unit: Unit, node: ast.Call) -> Expression:
    arguments(unit, node, "cuda.activemask", 0)
    return Perform(UINT32, "activemask", warp.active_mask, (), unit.site(node))


def _lanemask_lt(unit: Unit, node: ast.Call) -> Expression:
    arguments(unit, node, "cuda.lanemask_lt", 0)
    return Position(UINT32, "lanemask_lt", warp.lanes_below)


CALLS: Table = {
    "cuda.shfl_sync": _shuffle("shfl_sync", warp.from_lane),
    "cuda.shfl_up_sync": _shuffle("shfl_up_sync", warp.from_below),
    "cuda.shfl_down_sync": _shuffle("shfl_down_sync", warp.from_above),
    "cuda.shfl_xor_sync": _shuffle("shfl_xor_sync", warp.from_partner),
    "cuda.all_sync": _vote("all_sync", BOOL, warp.all_hold),
    "cuda.any_sync": _vote("any_sync", BOOL, warp.any_holds),
    "cuda.eq_sync": _vote("eq_sync", BOOL, warp.all_agree),
    "cuda.ballot_sync": _vote("ballot_sync", INT32, warp.ballot),
    "cuda.match_any_sync": _match("match_any_sync", all_lanes=False),
    "cuda.match_all_sync": _match("match_all_sync", all_lanes=True),
    "cuda.activemask": _activemask,
    "cuda.lanemask_lt": _lanemask_lt,
}
