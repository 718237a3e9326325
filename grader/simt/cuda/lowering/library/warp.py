"""Warp primitives: shuffles, votes, matches, reductions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.analysis import folding
from grader.simt.cuda.lowering.assigning import assign
from grader.simt.cuda.lowering.conversions import peek
from grader.simt.cuda.lowering.library.overloads import Handler, LibraryOverload, kinds, overloaded
from grader.simt.cuda.lowering.model.types import (
    INT,
    PAIRS,
    UNSIGNED,
    Arithmetic,
    CType,
    PointerTo,
    StructType,
)
from grader.simt.cuda.lowering.model.values import Aggregate, Plain, Value
from grader.simt.cuda.lowering.model.words import from_word, to_word
from grader.simt.cuda.lowering.operators import dereference
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.intrinsics import warp
from grader.simt.program import nodes
from grader.simt.program.nodes import Apply, Convert, Expression, Observe, Perform
from grader.simt.program.types import BOOL, INT32, INT64, UINT32, Tuple, Type

_EXCHANGED = "iulLqQfdhB"
_WIDTHS = (1, 2, 4, 8, 16, 32)


def _perform(
    unit: CudaUnit, node: syntax.Call, kind: Type, run: Callable[..., Any], *operands: Expression
) -> Expression:
    name = run.keywords["name"] if isinstance(run, partial) else "activemask"
    short = name.removeprefix("__").removesuffix("_sync")
    return unit.hold(Perform(kind, short, run, operands, unit.site(node.place)))


def _members(given: Sequence[Plain]) -> Expression:
    return Convert(INT64, given[0].node)


def _shuffle(name: str, source: warp.Source, last: str) -> Handler:
    run = partial(warp.shuffle, source=source, name=name)

    def lower(unit: CudaUnit, node: syntax.Call, given: Sequence[Any]) -> Value:
        _, value, *rest = given
        if len(rest) == 2:
            width = folding.fold(rest[1].node)
            if width is not None and width not in _WIDTHS:
                raise unit.error(node, fact("cpp.shuffle-width", width=width))
        unit.module.program.shuffles = True
        lanes = (Convert(INT64, each.node) for each in rest)
        own = to_word(value) if isinstance(value, Aggregate) else value.node
        found = _perform(unit, node, own.type, run, _members(given), own, *lanes)
        if isinstance(value, Aggregate):
            assert isinstance(value.type, StructType)  # a pair
            return from_word(unit.hold, value.type, found)
        return Plain(value.type, found)

    (own,) = kinds(last)
    (width,) = kinds("i")
    exchanged: tuple[CType, ...] = (*kinds(_EXCHANGED), *PAIRS)
    choose = overloaded(
        *(
            LibraryOverload((UNSIGNED, kind, own, *more), lower)
            for kind in exchanged
            for more in ((), (width,))
        )
    )

    def lower_unset(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
        """Lower a call; a lane that only receives needs no value of its own."""
        members, *rest = given
        value = [peek(unit, each) for each in rest[:1]]
        return choose(unit, node, [members, *value, *rest[1:]])

    return lower_unset


def _vote(name: str, result: Arithmetic, decide: warp.Decide) -> Handler:
    run = partial(warp.vote, decide=decide, name=name)
    dtype = BOOL if result == INT else INT32

    def lower(unit: CudaUnit, node: syntax.Call, given: Sequence[Plain]) -> Value:
        holds = Observe(BOOL, Convert(BOOL, given[1].node))
        found = _perform(unit, node, dtype, run, _members(given), holds)
        return Plain(result, Convert(result.dtype, found))

    return overloaded(LibraryOverload(kinds("ui"), lower))


def _active_mask(unit: CudaUnit, node: syntax.Call, _given: Sequence[Plain]) -> Value:
    return Plain(UNSIGNED, _perform(unit, node, UINT32, warp.active_mask))


def _as_bits(value: Plain) -> Expression:
    """Return what is compared: of a float its bits, so that NaN matches itself, and 0 not -0."""
    kind = value.node.type
    assert isinstance(kind, np.dtype)  # a number
    if kind.kind != "f":
        return value.node
    bits = np.dtype(f"i{kind.itemsize}")
    return Apply(bits, "bits", lambda numbers: numbers.view(bits), (value.node,))


def _match_any(unit: CudaUnit, node: syntax.Call, given: Sequence[Plain]) -> Value:
    run = partial(warp.match_any, name="__match_any_sync")
    found = _perform(unit, node, INT32, run, _members(given), _as_bits(given[1]))
    return Plain(UNSIGNED, Convert(UINT32, found))


def _match_all(unit: CudaUnit, node: syntax.Call, given: Sequence[Plain]) -> Value:
    run = partial(warp.match_all, name="__match_all_sync")
    pair = Tuple((INT32, BOOL))
    found = _perform(unit, node, pair, run, _members(given), _as_bits(given[1]))
    same = Plain(INT, Convert(INT32, nodes.Part(BOOL, found, 1)))
    assign(unit, node, dereference(unit, node, given[2]), same)
    return Plain(UNSIGNED, Convert(UINT32, nodes.Part(INT32, found, 0)))


def _reduce(name: str, function: np.ufunc, types: str) -> Handler:
    run = partial(warp.reduce, function=function, name=name)

    def lower(unit: CudaUnit, node: syntax.Call, given: Sequence[Plain]) -> Value:
        value = given[1]
        found = _perform(unit, node, value.node.type, run, _members(given), value.node)
        return Plain(value.type, found)

    return overloaded(*(LibraryOverload((UNSIGNED, kind), lower) for kind in kinds(types)))


def _matches() -> Iterator[tuple[str, Handler]]:
    numbers = kinds(_EXCHANGED.removesuffix("hB"))
    yield (
        "__match_any_sync",
        overloaded(*(LibraryOverload((UNSIGNED, kind), _match_any) for kind in numbers)),
    )
    yield (
        "__match_all_sync",
        overloaded(
            *(LibraryOverload((UNSIGNED, kind, PointerTo(INT)), _match_all) for kind in numbers)
        ),
    )


HANDLERS: dict[str, Handler] = {
    "__shfl_sync": _shuffle("__shfl_sync", warp.from_lane, "i"),
    "__shfl_up_sync": _shuffle("__shfl_up_sync", warp.from_below, "u"),
    "__shfl_down_sync": _shuffle("__shfl_down_sync", warp.from_above, "u"),
    "__shfl_xor_sync": _shuffle("__shfl_xor_sync", warp.from_partner, "i"),
    "__all_sync": _vote("__all_sync", INT, warp.all_hold),
    "__any_sync": _vote("__any_sync", INT, warp.any_holds),
    "__ballot_sync": _vote("__ballot_sync", UNSIGNED, warp.ballot),
    "__activemask": overloaded(LibraryOverload((), _active_mask)),
    "__reduce_add_sync": _reduce("__reduce_add_sync", np.add, "iu"),
    "__reduce_min_sync": _reduce("__reduce_min_sync", np.minimum, "iu"),
    "__reduce_max_sync": _reduce("__reduce_max_sync", np.maximum, "iu"),
    "__reduce_and_sync": _reduce("__reduce_and_sync", np.bitwise_and, "u"),
    "__reduce_or_sync": _reduce("__reduce_or_sync", np.bitwise_or, "u"),
    "__reduce_xor_sync": _reduce("__reduce_xor_sync", np.bitwise_xor, "u"),
    **dict(_matches()),
}
