"""Functions that CUDA C++ has without a declaration: barriers, warp primitives, mathematics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.conversions import balanced, convert, integer, load, rvalue
from grader.simt.cuda.lowering.expressions import dereference, spelled
from grader.simt.cuda.lowering.structs import construct
from grader.simt.cuda.lowering.types import (
    BOOLEAN,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    UNSIGNED,
    VECTORS,
    VOID,
    Arithmetic,
    Pointer,
    Struct,
)
from grader.simt.cuda.lowering.unit import Unit
from grader.simt.cuda.lowering.values import Nothing, Plain, Value
from grader.simt.intrinsics import barriers, participants, warp
from grader.simt.intrinsics.atomic import CHANGES, Atomic, change_target
from grader.simt.intrinsics.bits import popc
from grader.simt.program import nodes
from grader.simt.program.nodes import Apply, Convert, Do, Number, Observe, Perform
from grader.simt.program.types import BOOL, INT32, INT64, UINT32
from grader.simt.program.types import Nothing as NothingType

_FULL = 0xFFFFFFFF
_COST = 20
"""Operations of a function, for each number."""
Handler = Callable[[Unit, syntax.Call, Sequence[Value]], Value]


def find_built_in(name: str) -> Handler | None:
    """Return what lowers a call of one of CUDA's functions; None if there is none of this name."""
    if name.startswith("make_") and name[5:] in VECTORS:
        return partial(_make_vector, VECTORS[name[5:]])
    return _HANDLERS.get(name)


def _make_vector(kind: Struct, unit: Unit, node: syntax.Call, given: Sequence[Value]) -> Value:
    _require(unit, node, given, len(kind.members))
    return construct(unit, node, kind, given)


def _require(unit: Unit, node: syntax.Call, given: Sequence[Value], *counts: int) -> None:
    if len(given) not in counts:
        assert isinstance(node.function, syntax.Name)  # a built-in is called by its name
        function = spelled(node.function)
        what = fact("cpp.argument-count", function=function, n=counts[0], given=len(given))
        raise unit.error(node, what)


def _sync_threads(unit: Unit, node: syntax.Call, given: Sequence[Value]) -> Value:
    _require(unit, node, given, 0)
    unit.module.program.timed = True
    site = unit.site(node.place)
    unit.emit(Do(Perform(NothingType(), "syncthreads", barriers.meet, (), site)))
    return Nothing(VOID)


def _sync_warp(unit: Unit, node: syntax.Call, given: Sequence[Value]) -> Value:
    _require(unit, node, given, 0, 1)
    unit.module.program.timed = True
    members = integer(unit, node, given[0]).node if given else Number(INT64, _FULL)
    run = partial(participants.meet_warps, name="__syncwarp")
    operands = (Convert(INT64, members),)
    unit.emit(Do(Perform(NothingType(), "syncwarp", run, operands, unit.site(node.place))))
    return Nothing(VOID)


def _shuffle(name: str, source: warp.Source) -> Handler:
    run = partial(warp.shuffle, source=source, name=name)

    def lower(unit: Unit, node: syntax.Call, given: Sequence[Value]) -> Value:
        _require(unit, node, given, 3)
        members, lane = integer(unit, node, given[0]), integer(unit, node, given[2])
        value = rvalue(unit, node, given[1])
        operands = (Convert(INT64, members.node), value.node, Convert(INT64, lane.node))
        kind = value.node.type
        short = name.removeprefix("__")
        made = Perform(kind, short, run, operands, unit.site(node.place))
        return unit.hold_plain(Plain(value.type, made))

    return lower


def _vote(name: str, result: Arithmetic, decide: warp.Decide) -> Handler:
    run = partial(warp.vote, decide=decide, name=name)

    def lower(unit: Unit, node: syntax.Call, given: Sequence[Value]) -> Value:
        _require(unit, node, given, 2)
        members = integer(unit, node, given[0])
        holds = convert(unit, node, rvalue(unit, node, given[1]), BOOLEAN)
        operands = (Convert(INT64, members.node), Observe(BOOL, holds.node))
        dtype = BOOL if result == INT else INT32
        made: nodes.Expression = Perform(
            dtype, name.removeprefix("__"), run, operands, unit.site(node.place)
        )
        return unit.hold_plain(Plain(result, Convert(result.dtype, made)))

    return lower


def _active_mask(unit: Unit, node: syntax.Call, given: Sequence[Value]) -> Value:
    _require(unit, node, given, 0)
    made = Perform(UINT32, "activemask", warp.active_mask, (), unit.site(node.place))
    return unit.hold_plain(Plain(UNSIGNED, made))


def _atomic(name: str, does: str) -> Handler:
    """Make an atomic operation on what a pointer points to."""
    count = 1 + CHANGES[does].operands

    def lower(unit: Unit, node: syntax.Call, given: Sequence[Value]) -> Value:
        _require(unit, node, given, count)
        pointer = rvalue(unit, node, given[0])
        kind = pointer.type.target if isinstance(pointer.type, Pointer) else None
        if not isinstance(kind, Arithmetic):
            raise unit.error(node, fact("cpp.not-a-pointer", type=pointer.type.name))
        values = [convert(unit, node, rvalue(unit, node, value), kind) for value in given[1:]]
        by_one = isinstance(values[0].node, Number) and values[0].node.value == 1
        atomic = Atomic(does, kind.dtype, used=unit.unused is not node, by_one=by_one)
        operands = (pointer.node, *(value.node for value in values))
        run = partial(change_target, atomic)
        made = Perform(kind.dtype, f"atomic {does}", run, operands, unit.site(node.place))
        return unit.hold_plain(Plain(kind, made))

    return lower


def _fence(unit: Unit, node: syntax.Call, given: Sequence[Value]) -> Value:
    _require(unit, node, given, 0)
    unit.module.program.fenced = True
    site = unit.site(node.place)
    unit.emit(Do(Perform(NothingType(), "threadfence", barriers.fence, (), site)))
    return Nothing(VOID)


def _extreme(function: Any) -> Handler:
    def lower(unit: Unit, node: syntax.Call, given: Sequence[Value]) -> Value:
        _require(unit, node, given, 2)
        pair = (rvalue(unit, node, value) for value in given)
        left, right, kind = balanced(unit, node, *pair)
        apply = Apply(kind.dtype, function.__name__, function, (left.node, right.node))
        return Plain(kind, apply)

    return lower


def _real(name: str, function: Any, kind: Arithmetic | None = None, count: int = 1) -> Handler:
    """Make a mathematical function: of float where its argument is one, or of one type."""

    def lower(unit: Unit, node: syntax.Call, given: Sequence[Value]) -> Value:
        _require(unit, node, given, count)
        values = [rvalue(unit, node, value) for value in given]
        own = kind or (FLOAT if all(value.type == FLOAT for value in values) else DOUBLE)
        operands = tuple(convert(unit, node, value, own).node for value in values)
        return Plain(own, Apply(own.dtype, name, function, operands, _COST))

    return lower


def _convert_to(kind: Arithmetic) -> Handler:
    def lower(unit: Unit, node: syntax.Call, given: Sequence[Value]) -> Value:
        _require(unit, node, given, 1)
        return convert(unit, node, rvalue(unit, node, given[0]), kind)

    return lower


def _bits(name: str, function: Any) -> Handler:
    """Make a function of an unsigned int's bits."""

    def lower(unit: Unit, node: syntax.Call, given: Sequence[Value]) -> Value:
        _require(unit, node, given, 1)
        value = convert(unit, node, integer(unit, node, given[0]), UNSIGNED)
        made = Apply(INT32, name, function, (value.node,), _COST)
        return Plain(INT, made)

    return lower


def _absolute(unit: Unit, node: syntax.Call, given: Sequence[Value]) -> Value:
    _require(unit, node, given, 1)
    value = rvalue(unit, node, given[0])
    kind = value.type
    if not isinstance(kind, Arithmetic):
        raise unit.error(node, fact("cpp.not-a-number", type=kind.name))
    own = kind if kind.rank >= INT.rank else INT
    operand = convert(unit, node, value, own)
    return Plain(own, Apply(own.dtype, "abs", np.abs, (operand.node,)))


def _load_read_only(unit: Unit, node: syntax.Call, given: Sequence[Value]) -> Value:
    """Lower `__ldg(p)`, which loads through another path; it is counted as any load."""
    _require(unit, node, given, 1)
    place = dereference(unit, node, rvalue(unit, node, given[0]))
    return load(unit, node, place)


_FUNCTIONS: dict[str, Any] = {
    "sqrt": np.sqrt, "exp": np.exp, "exp2": np.exp2, "log": np.log, "log2": np.log2,
    "log10": np.log10, "sin": np.sin, "cos": np.cos, "tan": np.tan, "tanh": np.tanh,
    "floor": np.floor, "ceil": np.ceil, "fabs": np.abs, "trunc": np.trunc, "rint": np.rint,
}  # fmt: skip

_ATOMICS = {
    "Add": "add", "Sub": "sub", "Max": "max", "Min": "min", "And": "and", "Or": "or",
    "Xor": "xor", "Inc": "inc", "Dec": "dec", "Exch": "exch", "CAS": "cas",
}  # fmt: skip
_HANDLERS: dict[str, Handler] = {
    "__syncthreads": _sync_threads,
    "__syncwarp": _sync_warp,
    "__shfl_sync": _shuffle("__shfl_sync", warp.from_lane),
    "__shfl_up_sync": _shuffle("__shfl_up_sync", warp.from_below),
    "__shfl_down_sync": _shuffle("__shfl_down_sync", warp.from_above),
    "__shfl_xor_sync": _shuffle("__shfl_xor_sync", warp.from_partner),
    "__all_sync": _vote("__all_sync", INT, warp.all_hold),
    "__any_sync": _vote("__any_sync", INT, warp.any_holds),
    "__ballot_sync": _vote("__ballot_sync", UNSIGNED, warp.ballot),
    "__activemask": _active_mask,
    "__threadfence": _fence,
    **{f"atomic{name}": _atomic(f"atomic{name}", does) for name, does in _ATOMICS.items()},
    "min": _extreme(np.minimum),
    "max": _extreme(np.maximum),
    "fminf": _real("fmin", np.fmin, FLOAT, 2),
    "rsqrtf": _real("rsqrt", lambda value: 1 / np.sqrt(value), FLOAT),
    "__half2float": _convert_to(FLOAT),
    "__float2half": _convert_to(HALF),
    "__popc": _bits("popc", popc),
    "fmaxf": _real("fmax", np.fmax, FLOAT, 2),
    "fmin": _real("fmin", np.fmin, None, 2),
    "fmax": _real("fmax", np.fmax, None, 2),
    "abs": _absolute,
    "__ldg": _load_read_only,
    **{name: _real(name, function) for name, function in _FUNCTIONS.items()},
    **{f"{name}f": _real(name, function, FLOAT) for name, function in _FUNCTIONS.items()},
}
