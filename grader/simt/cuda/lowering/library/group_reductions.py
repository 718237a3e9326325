"""Reductions and scans over the threads of cooperative groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.choosing import Invocation, choose
from grader.simt.cuda.lowering.conversions import convert, load, number
from grader.simt.cuda.lowering.expressions import lower, lower_arguments
from grader.simt.cuda.lowering.functions import invoke
from grader.simt.cuda.lowering.library import warp
from grader.simt.cuda.lowering.library.groups import (
    HANDLERS,
    PREFIX,
    Here,
    group_of,
    group_size,
    lower_partition,
    plain_value,
)
from grader.simt.cuda.lowering.library.overloads import called
from grader.simt.cuda.lowering.model.groups import (
    BLOCK,
    CLUSTER,
    GRID,
    GROUPS,
    HEADER,
    OPERATORS,
    tile_of,
)
from grader.simt.cuda.lowering.model.types import INT, UNSIGNED, Arithmetic, StructType
from grader.simt.cuda.lowering.model.values import Aggregate, Plain, Value
from grader.simt.cuda.lowering.operators import operate
from grader.simt.cuda.lowering.unit import CudaUnit, Functions
from grader.simt.intrinsics.participants import FULL
from grader.simt.masks import LANES
from grader.simt.program.nodes import Read, Set, When

_REDUCTIONS = {"+": "add", "<": "min", ">": "max", "&": "and", "|": "or", "^": "xor"}


_LEAST_REDUCED = 16
"""Threads of a tile whose integers CUDA reduces by one instruction."""


class _Cell:
    """A value of any type that changes: a variable for each of its numbers."""

    def __init__(self, here: Here, value: Value) -> None:
        self._here = here
        self._value = value
        self._names = [here.unit.temporary() for _ in _numbers(value)]
        self.set(value)

    def set(self, value: Value) -> None:
        """Emit what gives it a value of its type."""
        for name, part in zip(self._names, _numbers(value), strict=True):
            self._here.unit.emit(Set(name, part.node))

    def read(self) -> Value:
        """Return what it holds."""
        names = iter(self._names)

        def again(value: Value) -> Value:
            if isinstance(value, Aggregate):
                return Aggregate(value.type, tuple(map(again, value.members)))
            return Plain(value.type, Read(plain_value(value).node.type, next(names)))

        return again(self._value)


def _numbers(value: Value) -> list[Plain]:
    if isinstance(value, Aggregate):
        return [part for member in value.members for part in _numbers(member)]
    return [plain_value(value)]


def _symbol(operator: Value | Functions) -> str | None:
    """Return the operator that a reduction is of, where that is one of CUDA's."""
    kind = None if isinstance(operator, Functions) else operator.type
    return OPERATORS.get(kind) if isinstance(kind, StructType) else None


def _apply(here: Here, operator: Value | Functions, left: Value, right: Value) -> Value:
    """Call a function, or a functor, of the source."""
    unit, node = here.unit, here.node
    if isinstance(operator, Functions):
        asked = Invocation(operator, None, [left, right])
        return invoke(unit, node, choose(unit, node, asked, {}), asked)
    found: Value | None = unit.module.hooks.operator(unit, node, "()", (operator, left, right))
    if found is None:
        raise unit.error(node, fact("cpp.not-a-function"))
    return found


def _combine(here: Here, operator: Value | Functions, left: Value, right: Value) -> Value:
    """Apply what a reduction is of."""
    unit, node = here.unit, here.node
    symbol = _symbol(operator)
    if symbol is None:
        return _converted(here, load(unit, node, _apply(here, operator, left, right)), left)
    if isinstance(left, Aggregate):
        made = unit.module.hooks.operator(unit, node, symbol, (left, right))
        if made is None or symbol in "<>":
            raise unit.refusal(node, fact("cpp.no-group-function", name=f"reduce of {symbol}"))
        return load(unit, node, made)
    one, other = plain_value(left), plain_value(right)
    if symbol not in "<>":
        return _converted(here, operate(unit, node, symbol, one, other), left)
    test = (other, one) if symbol == "<" else (one, other)
    takes_other = operate(unit, node, "<", *test)
    cell = _Cell(here, left)
    with unit.apart() as taken:
        cell.set(right)
    unit.emit(When(takes_other.node, tuple(taken), ()))
    return cell.read()


def _converted(here: Here, value: Value, like: Value) -> Value:
    if isinstance(value, Plain) and isinstance(like.type, Arithmetic):
        return convert(here.unit, here.node, value, like.type, cast=True)
    return value


def _when(here: Here, test: Plain, run: Callable[[], None]) -> None:
    """Emit what some threads do."""
    with here.unit.apart() as operations:
        run()
    here.unit.emit(When(test.node, tuple(operations), ()))


def _scan(here: Here, operator: Value | Functions, value: Value) -> _Cell:
    """Emit an inclusive scan, each round over twice the distance."""
    cell, rank = _Cell(here, value), here.unit.hold_plain(here.thread_rank())
    distance = 1
    while distance < (here.size or LANES):
        below = here.shuffle("shfl_up", cell.read(), number(UNSIGNED, distance))
        held = _Cell(here, below).read()
        takes = here.operate(">=", rank, distance)

        def add(held: Value = held) -> None:
            cell.set(_combine(here, operator, cell.read(), held))

        _when(here, takes, add)
        distance *= 2
    return cell


def _by_halves(here: Here, operator: Value | Functions, value: Value) -> _Cell:
    """Emit the reduction of a tile: with the thread half the tile away, then a quarter, …."""
    assert here.size is not None  # of a tile
    cell, distance = _Cell(here, value), here.size // 2
    while distance:
        other = here.shuffle("shfl_xor", cell.read(), number(INT, distance))
        held = _Cell(here, other).read()
        cell.set(_combine(here, operator, cell.read(), held))
        distance //= 2
    return cell


def _of_threads(unit: CudaUnit, node: syntax.Call, group: Value, name: str) -> Here:
    here = group_of(unit, node, group)
    if here.kind in (BLOCK, GRID, CLUSTER):
        raise unit.refusal(node, fact("cpp.no-tile-function", name=name, group=here.kind.name))
    return here


def _lower_operator(unit: CudaUnit, node: syntax.Expression) -> Value | Functions:
    """Lower what a reduction is of: a functor, or the name of a function."""
    if isinstance(node, syntax.Name):
        entity = unit.module.find(unit, node)
        if isinstance(entity, Functions):
            return entity
    return load(unit, node, lower(unit, node))


def _require(unit: CudaUnit, node: syntax.Call, *counts: int) -> None:
    given = len(node.arguments)
    if given not in counts:
        what = fact("cpp.argument-count", function=called(node), n=counts[0], given=given)
        raise unit.error(node, what)


def _lower_reduce(unit: CudaUnit, node: syntax.Call) -> Value:
    given = lower_arguments(unit, node.arguments[:2])
    _require(unit, node, 3)
    here = _of_threads(unit, node, given[0], "reduce")
    value, operator = load(unit, node, given[1]), _lower_operator(unit, node.arguments[2])
    kind, size, symbol = value.type, here.size, _symbol(operator)
    narrow = isinstance(kind, Arithmetic) and kind.is_integer and kind.size <= INT.size
    if symbol and narrow and (size is None or size >= _LEAST_REDUCED):
        return _reduce_at_once(here, plain_value(value), _REDUCTIONS[symbol])
    if size is not None:
        return _by_halves(here, operator, value).read()
    return _reduce_coalesced(here, operator, value)


def _reduce_at_once(here: Here, value: Plain, name: str) -> Value:
    kind = value.type
    assert isinstance(kind, Arithmetic)  # the caller has looked
    bits = name in ("and", "or", "xor") or not kind.is_signed
    wide = convert(here.unit, here.node, value, UNSIGNED if bits else INT, cast=True)
    found = here.call(warp.HANDLERS, f"__reduce_{name}_sync", here.mask(), wide)
    return convert(here.unit, here.node, plain_value(found), kind, cast=True)


def _reduce_coalesced(here: Here, operator: Value | Functions, value: Value) -> Value:
    """Reduce as a tile where all lanes of the warp take part, else by a scan, as CUDA does."""
    unit = here.unit
    cell = _Cell(here, value)
    kept = cell.read()
    tile = tile_of(LANES)
    assert tile is not None  # a warp
    zero = number(UNSIGNED, 0)
    warp_here = Here(unit, here.node, Aggregate(tile, (zero, zero)))
    full = here.operate("==", here.mask(), FULL)
    with unit.apart() as at_once:
        cell.set(_by_halves(warp_here, operator, kept).read())
    with unit.apart() as by_scan:
        scanned = _scan(here, operator, kept).read()
        last = here.operate("-", plain_value(group_size(here, ())), 1)
        cell.set(here.shuffle("shfl", scanned, last))
    unit.emit(When(full.node, tuple(at_once), tuple(by_scan)))
    return cell.read()


def _scanned(unit: CudaUnit, node: syntax.Call, name: str) -> Any:
    given = lower_arguments(unit, node.arguments[:2])
    _require(unit, node, 3, 2)
    here = _of_threads(unit, node, given[0], name)
    plus = next(each for each, symbol in OPERATORS.items() if symbol == "+")
    operator: Value | Functions = Aggregate(plus, ())
    if len(node.arguments) > 2:
        operator = _lower_operator(unit, node.arguments[2])
    value = _Cell(here, load(unit, node, given[1])).read()
    return here, operator, value, _scan(here, operator, value).read()


def _lower_inclusive(unit: CudaUnit, node: syntax.Call) -> Value:
    found: Value = _scanned(unit, node, "inclusive_scan")[-1]
    return found


def _lower_exclusive(unit: CudaUnit, node: syntax.Call) -> Value:
    here, operator, value, scanned = _scanned(unit, node, "exclusive_scan")
    kind = value.type
    if _symbol(operator) == "+" and isinstance(kind, Arithmetic) and kind.is_integer:
        return _converted(
            here, operate(unit, node, "-", plain_value(scanned), plain_value(value)), value
        )
    below = here.shuffle("shfl_up", scanned, number(UNSIGNED, 1))
    cell = _Cell(here, below)
    first = here.operate("==", here.thread_rank(), 0)
    zeros = [convert(unit, node, number(INT, 0), each.type, cast=True) for each in _numbers(value)]
    parts = iter(zeros)

    def empty(like: Value) -> Value:
        if isinstance(like, Aggregate):
            return Aggregate(like.type, tuple(map(empty, like.members)))
        return next(parts)

    _when(here, first, lambda: cell.set(empty(value)))
    return cell.read()


FORMS: dict[str, Callable[[CudaUnit, syntax.Call], Value]] = {
    f"{PREFIX}tiled_partition": lower_partition,
    f"{PREFIX}reduce": _lower_reduce,
    f"{PREFIX}inclusive_scan": _lower_inclusive,
    f"{PREFIX}exclusive_scan": _lower_exclusive,
}


NEEDS = dict.fromkeys([*HANDLERS, *FORMS], HEADER)
"""The header that declares them."""


def qualify(unit: CudaUnit, node: syntax.Call, name: str) -> str:
    """Return the name of a function; its full one if it is found because it is given a group."""
    full = f"{PREFIX}{name}"
    if full not in NEEDS or not node.arguments:
        return name
    with unit.unevaluated():
        kind = lower(unit, node.arguments[0]).type
    return full if kind in GROUPS else name
