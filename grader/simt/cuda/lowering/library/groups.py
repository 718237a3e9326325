"""Cooperative groups: their functions, made of those of warps and blocks.

Orders of operations are CUDA's: a tile reduces by halves, and scans by doubling distances, so that
sums of floats are the same to the bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering import positions
from grader.simt.cuda.lowering.conversions import convert, load, number, rvalue
from grader.simt.cuda.lowering.expressions import lower, lower_arguments, operate
from grader.simt.cuda.lowering.functions import Invocation, choose, invoke
from grader.simt.cuda.lowering.groups import (
    BLOCK,
    COALESCED,
    GRID,
    GROUPS,
    HEADER,
    OPERATORS,
    TILES,
    tile_of,
)
from grader.simt.cuda.lowering.library import synchronization, warp
from grader.simt.cuda.lowering.library.overloads import Handler, called, require
from grader.simt.cuda.lowering.types import (
    BOOLEAN,
    DIM3,
    INT,
    PAIRS,
    UNSIGNED,
    UNSIGNED_LONG_LONG,
    VOID,
    Arithmetic,
    Struct,
)
from grader.simt.cuda.lowering.unit import Functions, Unit
from grader.simt.cuda.lowering.values import Aggregate, Nothing, Plain, Value
from grader.simt.intrinsics import barriers, members
from grader.simt.intrinsics.participants import FULL
from grader.simt.masks import LANES
from grader.simt.program.nodes import Apply, Do, Perform, Read, Set, When
from grader.simt.program.types import INT32

_PREFIX = "cooperative_groups::"
_REDUCTIONS = {"+": "add", "<": "min", ">": "max", "&": "and", "|": "or", "^": "xor"}
_LEAST_REDUCED = 16
"""Threads of a tile whose integers CUDA reduces by one instruction."""


@dataclass(frozen=True)
class _Here:
    """A group at a call of one of its functions."""

    unit: Unit
    node: syntax.Call
    group: Aggregate

    @property
    def size(self) -> int | None:
        """The threads of a tile; None for other groups."""
        return TILES.get(self.kind)

    @property
    def kind(self) -> Struct:
        assert isinstance(self.group.type, Struct)  # the caller has looked
        return self.group.type

    def operate(self, operator: str, left: Plain, right: Plain | int) -> Plain:
        """Apply an operator of unsigned numbers."""
        other = right if isinstance(right, Plain) else number(UNSIGNED, right)
        return operate(self.unit, self.node, operator, left, other)

    def apply(self, name: str, kind: Arithmetic, function: Any, *given: Plain) -> Plain:
        """Apply a function of values alone, once."""
        operands = tuple(each.node for each in given)
        return self.unit.hold_plain(Plain(kind, Apply(kind.dtype, name, function, operands)))

    def call(self, handlers: dict[str, Handler], name: str, *given: Value) -> Value:
        """Call a function of CUDA."""
        return handlers[name](self.unit, self.node, list(given))

    def kept(self, name: str) -> Plain:
        """Return what the group keeps by a name."""
        at = self.kind.member(name)
        assert at is not None  # as the caller knows
        return _plain(self.group.members[at])

    def position(self, name: str, axis: int) -> Plain:
        """Return a member of `threadIdx`, `blockIdx`, `blockDim` or `gridDim`."""
        return _plain(_position(name).members[axis])

    def rank(self, index: str, sizes: str) -> Plain:
        """Return the number of a thread in its block, or of a block in the grid."""
        x, y, z = (self.position(index, axis) for axis in range(3))
        width, height = (self.position(sizes, axis) for axis in range(2))
        row = self.operate("+", y, self.operate("*", z, height))
        return self.operate("+", x, self.operate("*", row, width))

    def count(self, sizes: str) -> Plain:
        """Return how many threads a block has, or blocks the grid."""
        x, y, z = (self.position(sizes, axis) for axis in range(3))
        return self.operate("*", self.operate("*", x, y), z)

    def lane(self) -> Plain:
        """Return the thread's place in its warp."""
        return self.operate("&", self.rank("threadIdx", "blockDim"), LANES - 1)

    def first(self) -> Plain:
        """Return the lane of a tile's first thread."""
        assert self.size is not None  # of a tile
        return self.operate("&", self.lane(), LANES - self.size)

    def mask(self) -> Plain:
        """Return the lanes of a tile or of a coalesced group."""
        if self.size is None:
            return self.kept("mask")
        if self.size == LANES:
            return number(UNSIGNED, FULL)
        lanes = number(UNSIGNED, (1 << self.size) - 1)
        return self.unit.hold_plain(self.operate("<<", lanes, self.first()))

    def thread_rank(self) -> Plain:
        """Return the thread's number in a tile or in a coalesced group."""
        if self.size is not None:
            return self.operate("&", self.rank("threadIdx", "blockDim"), self.size - 1)
        return self.apply("rank", UNSIGNED, members.rank_of, self.mask(), self.lane())

    def shuffle(self, name: str, value: Value, operand: Plain) -> Value:
        """Exchange a value among the threads of a tile or of a coalesced group."""
        if isinstance(value, Aggregate) and value.type not in PAIRS:
            parts = (self.shuffle(name, each, operand) for each in value.members)
            return Aggregate(value.type, tuple(parts))
        if self.size is not None:
            width = number(INT, self.size)
            found = self.call(warp.HANDLERS, f"__{name}_sync", self.mask(), value, operand, width)
        else:
            lane = self.lane_of(name, operand)
            found = self.call(warp.HANDLERS, "__shfl_sync", self.mask(), value, lane)
        if isinstance(found, Plain) and isinstance(value.type, Arithmetic):
            return convert(self.unit, self.node, found, value.type, cast=True)
        return found

    def lane_of(self, name: str, operand: Plain) -> Plain:
        """Return the lane that a thread of a coalesced group reads from."""
        rank, signed = self.thread_rank(), convert(self.unit, self.node, operand, INT, cast=True)
        own = convert(self.unit, self.node, self.lane(), INT, cast=True)
        if name == "shfl":
            wanted = signed
        else:
            sign = "-" if name == "shfl_up" else "+"
            wanted = operate(self.unit, self.node, sign, _as_int(self, rank), signed)
        return self.apply("lane", INT, members.lane_of, self.mask(), wanted, own)

    def pack(self, bits: Plain) -> Plain:
        """Return lanes by their rank in the group."""
        if self.size == LANES:
            return bits
        if self.size is not None:
            shifted = self.operate(">>", bits, self.first())
            return self.operate("&", shifted, (1 << self.size) - 1)
        return self.apply("pack", UNSIGNED, members.pack, bits, self.mask())


def _as_int(here: _Here, value: Plain) -> Plain:
    return convert(here.unit, here.node, value, INT, cast=True)


def _plain(value: Value) -> Plain:
    assert isinstance(value, Plain)  # a number that was made here
    return value


def _position(name: str) -> Aggregate:
    found = positions.find(name)
    assert isinstance(found, Aggregate)  # of three numbers
    return found


Method = Callable[[_Here, Sequence[Value]], Value]


def _exchange(name: str) -> Method:
    def lower(here: _Here, given: Sequence[Value]) -> Value:
        require(here.unit, here.node, given, 2)
        if name == "shfl_xor" and here.size is None:
            raise here.unit.refusal(here.node, fact("cpp.no-group-function", name=name))
        operand = rvalue(here.unit, here.node, given[1])
        return here.shuffle(name, load(here.unit, here.node, given[0]), operand)

    return lower


def _vote(name: str) -> Method:
    def lower(here: _Here, given: Sequence[Value]) -> Value:
        require(here.unit, here.node, given, 1)
        test = rvalue(here.unit, here.node, given[0])
        found = here.call(warp.HANDLERS, f"__{name}_sync", here.mask(), test)
        bits = name in ("ballot", "match_any")
        return here.pack(here.unit.hold_plain(_plain(found))) if bits else found

    return lower


def _sync(here: _Here, given: Sequence[Value]) -> Value:
    require(here.unit, here.node, given, 0)
    if here.kind is BLOCK:
        return here.call(synchronization.HANDLERS, "__syncthreads")
    if here.kind is not GRID:
        return here.call(synchronization.HANDLERS, "__syncwarp", here.mask())
    program = here.unit.module.program
    program.timed = True
    site = program.grid_sync = here.unit.site(here.node.place)
    here.unit.emit(Do(Perform(INT32, "grid sync", barriers.meet_in_grid, (), site)))
    return Nothing(VOID)


def _thread_rank(here: _Here, given: Sequence[Value]) -> Value:
    require(here.unit, here.node, given, 0)
    if here.kind is BLOCK:
        return here.rank("threadIdx", "blockDim")
    if here.kind is not GRID:
        return here.thread_rank()
    block = _as_long(here, here.rank("blockIdx", "gridDim"))
    before = operate(here.unit, here.node, "*", block, here.count("blockDim"))
    return operate(here.unit, here.node, "+", before, here.rank("threadIdx", "blockDim"))


def _as_long(here: _Here, value: Plain) -> Plain:
    return convert(here.unit, here.node, value, UNSIGNED_LONG_LONG)


def _size(here: _Here, given: Sequence[Value]) -> Value:
    require(here.unit, here.node, given, 0)
    if here.size is not None:
        return number(UNSIGNED, here.size)
    if here.kind is COALESCED:
        return here.apply("count", UNSIGNED, members.count, here.mask())
    threads = here.count("blockDim")
    if here.kind is BLOCK:
        return threads
    blocks = _as_long(here, here.count("gridDim"))
    return operate(here.unit, here.node, "*", blocks, threads)


def _number(make: Callable[[_Here], Plain]) -> Method:
    def lower(here: _Here, given: Sequence[Value]) -> Value:
        require(here.unit, here.node, given, 0)
        return make(here)

    return lower


def _triple(name: str) -> Method:
    def lower(here: _Here, given: Sequence[Value]) -> Value:
        require(here.unit, here.node, given, 0)
        return Aggregate(DIM3, _position(name).members)

    return lower


_ALL: dict[str, Method] = {
    "sync": _sync,
    "thread_rank": _thread_rank,
    "size": _size,
    "num_threads": _size,
}
_OF_WARPS: dict[str, Method] = {
    **{name: _exchange(name) for name in ("shfl", "shfl_up", "shfl_down", "shfl_xor")},
    **{name: _vote(name) for name in ("any", "all", "ballot", "match_any")},
}
_METHODS: dict[Struct, dict[str, Method]] = {
    BLOCK: {
        "group_index": _triple("blockIdx"),
        "thread_index": _triple("threadIdx"),
        "group_dim": _triple("blockDim"),
        "dim_threads": _triple("blockDim"),
    },
    GRID: {
        "is_valid": _number(lambda _here: number(BOOLEAN, value=True)),
        "block_rank": _number(lambda here: _as_long(here, here.rank("blockIdx", "gridDim"))),
        "num_blocks": _number(lambda here: _as_long(here, here.count("gridDim"))),
        "block_index": _triple("blockIdx"),
        "group_dim": _triple("gridDim"),
        "dim_blocks": _triple("gridDim"),
    },
    COALESCED: _OF_WARPS,
    **{
        tile: {
            **_OF_WARPS,
            "meta_group_rank": _number(lambda here: here.kept("rank of tile")),
            "meta_group_size": _number(lambda here: here.kept("tiles")),
        }
        for tile in TILES
    },
}


def call_group(unit: Unit, node: syntax.Call, name: str, group: Value) -> Value:
    """Lower a call of a group's function.

    Raises:
        Refused: it has none of this name.
    """
    own = load(unit, node, group)
    assert isinstance(own, Aggregate)  # a group is a struct
    here = _Here(unit, node, own)
    method = _ALL.get(name) or _METHODS[here.kind].get(name)
    if method is None:
        raise unit.refusal(node, fact("cpp.no-group-function", name=name))
    return method(here, lower_arguments(unit, node.arguments))


# Functions of the namespace


def _this_block(unit: Unit, node: syntax.Call, given: Sequence[Value]) -> Value:
    require(unit, node, given, 0)
    return Aggregate(BLOCK, ())


def _this_grid(unit: Unit, node: syntax.Call, given: Sequence[Value]) -> Value:
    require(unit, node, given, 0)
    return Aggregate(GRID, ())


def _coalesced_threads(unit: Unit, node: syntax.Call, given: Sequence[Value]) -> Value:
    require(unit, node, given, 0)
    mask = warp.HANDLERS["__activemask"](unit, node, ())
    return Aggregate(COALESCED, (unit.hold_plain(_plain(mask)),))


def lower_partition(unit: Unit, node: syntax.Call) -> Value:
    """Lower `tiled_partition<N>(group)`.

    Raises:
        Refused: N is no tile of a warp, or the group has fewer threads.
    """
    assert isinstance(node.function, syntax.Name)  # it was found by its name
    written = node.function.parts[-1].arguments
    given = lower_arguments(unit, node.arguments)
    if not written or isinstance(written[0], syntax.Type):
        raise unit.refusal(node, fact("cpp.no-group-function", name="tiled_partition(group, n)"))
    require(unit, node, given, 1)
    size = unit.module.constant(unit, written[0])
    here = _here(unit, node, given[0])
    tile, parent = tile_of(size), here.size
    if tile is None or here.kind in (GRID, COALESCED) or (parent is not None and size > parent):
        raise unit.refusal(node, fact("cpp.no-tile", size=size, group=here.kind.name))
    rank = here.thread_rank() if parent else here.rank("threadIdx", "blockDim")
    whole = number(UNSIGNED, parent) if parent else here.count("blockDim")
    tiles = here.operate("/", here.operate("+", whole, size - 1), size)
    kept = (here.operate("/", rank, size), tiles)
    return Aggregate(tile, tuple(unit.hold_plain(each) for each in kept))


def _here(unit: Unit, node: syntax.Call, group: Value) -> _Here:
    """Return a group that a function is called with.

    Raises:
        Refused: it is none.
    """
    own = load(unit, node, group)
    if own.type not in GROUPS or not isinstance(own, Aggregate):
        raise unit.error(node, fact("cpp.not-a-group", type=own.type.name))
    return _Here(unit, node, own)


def _of_any(name: str) -> Handler:
    def lower(unit: Unit, node: syntax.Call, given: Sequence[Value]) -> Value:
        require(unit, node, given, 1)
        return _ALL[name](_here(unit, node, given[0]), ())

    return lower


class _Cell:
    """A value of any type that changes: a variable for each of its numbers."""

    def __init__(self, here: _Here, value: Value) -> None:
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
            return Plain(value.type, Read(_plain(value).node.type, next(names)))

        return again(self._value)


def _numbers(value: Value) -> list[Plain]:
    if isinstance(value, Aggregate):
        return [part for member in value.members for part in _numbers(member)]
    return [_plain(value)]


def _symbol(operator: Value | Functions) -> str | None:
    """Return the operator that a reduction is of, where that is one of CUDA's."""
    kind = None if isinstance(operator, Functions) else operator.type
    return OPERATORS.get(kind) if isinstance(kind, Struct) else None


def _apply(here: _Here, operator: Value | Functions, left: Value, right: Value) -> Value:
    """Call a function, or a functor, of the source."""
    unit, node = here.unit, here.node
    if isinstance(operator, Functions):
        asked = Invocation(operator, None, [left, right])
        return invoke(unit, node, choose(unit, node, asked, {}), asked)
    found: Value | None = unit.module.hooks.operator(unit, node, "()", (operator, left, right))
    if found is None:
        raise unit.error(node, fact("cpp.not-a-function"))
    return found


def _combine(here: _Here, operator: Value | Functions, left: Value, right: Value) -> Value:
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
    one, other = _plain(left), _plain(right)
    if symbol not in "<>":
        return _converted(here, operate(unit, node, symbol, one, other), left)
    test = (other, one) if symbol == "<" else (one, other)
    takes_other = operate(unit, node, "<", *test)
    cell = _Cell(here, left)
    with unit.apart() as taken:
        cell.set(right)
    unit.emit(When(takes_other.node, tuple(taken), ()))
    return cell.read()


def _converted(here: _Here, value: Value, like: Value) -> Value:
    if isinstance(value, Plain) and isinstance(like.type, Arithmetic):
        return convert(here.unit, here.node, value, like.type, cast=True)
    return value


def _when(here: _Here, test: Plain, run: Callable[[], None]) -> None:
    """Emit what some threads do."""
    with here.unit.apart() as operations:
        run()
    here.unit.emit(When(test.node, tuple(operations), ()))


def _scan(here: _Here, operator: Value | Functions, value: Value) -> _Cell:
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


def _by_halves(here: _Here, operator: Value | Functions, value: Value) -> _Cell:
    """Emit the reduction of a tile: with the thread half the tile away, then a quarter, …."""
    assert here.size is not None  # of a tile
    cell, distance = _Cell(here, value), here.size // 2
    while distance:
        other = here.shuffle("shfl_xor", cell.read(), number(INT, distance))
        held = _Cell(here, other).read()
        cell.set(_combine(here, operator, cell.read(), held))
        distance //= 2
    return cell


def _of_threads(unit: Unit, node: syntax.Call, group: Value, name: str) -> _Here:
    here = _here(unit, node, group)
    if here.kind in (BLOCK, GRID):
        raise unit.refusal(node, fact("cpp.no-tile-function", name=name, group=here.kind.name))
    return here


def _lower_operator(unit: Unit, node: syntax.Expression) -> Value | Functions:
    """Lower what a reduction is of: a functor, or the name of a function."""
    if isinstance(node, syntax.Name):
        entity = unit.module.find(unit, node)
        if isinstance(entity, Functions):
            return entity
    return load(unit, node, lower(unit, node))


def _require(unit: Unit, node: syntax.Call, *counts: int) -> None:
    given = len(node.arguments)
    if given not in counts:
        what = fact("cpp.argument-count", function=called(node), n=counts[0], given=given)
        raise unit.error(node, what)


def _lower_reduce(unit: Unit, node: syntax.Call) -> Value:
    given = lower_arguments(unit, node.arguments[:2])
    _require(unit, node, 3)
    here = _of_threads(unit, node, given[0], "reduce")
    value, operator = load(unit, node, given[1]), _lower_operator(unit, node.arguments[2])
    kind, size, symbol = value.type, here.size, _symbol(operator)
    narrow = isinstance(kind, Arithmetic) and kind.is_integer and kind.size <= INT.size
    if symbol and narrow and (size is None or size >= _LEAST_REDUCED):
        return _reduce_at_once(here, _plain(value), _REDUCTIONS[symbol])
    if size is not None:
        return _by_halves(here, operator, value).read()
    return _reduce_coalesced(here, operator, value)


def _reduce_at_once(here: _Here, value: Plain, name: str) -> Value:
    kind = value.type
    assert isinstance(kind, Arithmetic)  # the caller has looked
    bits = name in ("and", "or", "xor") or not kind.is_signed
    wide = convert(here.unit, here.node, value, UNSIGNED if bits else INT, cast=True)
    found = here.call(warp.HANDLERS, f"__reduce_{name}_sync", here.mask(), wide)
    return convert(here.unit, here.node, _plain(found), kind, cast=True)


def _reduce_coalesced(here: _Here, operator: Value | Functions, value: Value) -> Value:
    """Reduce as a tile where all lanes of the warp take part, else by a scan, as CUDA does."""
    unit = here.unit
    cell = _Cell(here, value)
    kept = cell.read()
    tile = tile_of(LANES)
    assert tile is not None  # a warp
    zero = number(UNSIGNED, 0)
    warp_here = _Here(unit, here.node, Aggregate(tile, (zero, zero)))
    full = here.operate("==", here.mask(), FULL)
    with unit.apart() as at_once:
        cell.set(_by_halves(warp_here, operator, kept).read())
    with unit.apart() as by_scan:
        scanned = _scan(here, operator, kept).read()
        last = here.operate("-", _plain(_size(here, ())), 1)
        cell.set(here.shuffle("shfl", scanned, last))
    unit.emit(When(full.node, tuple(at_once), tuple(by_scan)))
    return cell.read()


def _scanned(unit: Unit, node: syntax.Call, name: str) -> Any:
    given = lower_arguments(unit, node.arguments[:2])
    _require(unit, node, 3, 2)
    here = _of_threads(unit, node, given[0], name)
    plus = next(each for each, symbol in OPERATORS.items() if symbol == "+")
    operator: Value | Functions = Aggregate(plus, ())
    if len(node.arguments) > 2:
        operator = _lower_operator(unit, node.arguments[2])
    value = _Cell(here, load(unit, node, given[1])).read()
    return here, operator, value, _scan(here, operator, value).read()


def _lower_inclusive(unit: Unit, node: syntax.Call) -> Value:
    found: Value = _scanned(unit, node, "inclusive_scan")[-1]
    return found


def _lower_exclusive(unit: Unit, node: syntax.Call) -> Value:
    here, operator, value, scanned = _scanned(unit, node, "exclusive_scan")
    kind = value.type
    if _symbol(operator) == "+" and isinstance(kind, Arithmetic) and kind.is_integer:
        return _converted(here, operate(unit, node, "-", _plain(scanned), _plain(value)), value)
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


HANDLERS: dict[str, Handler] = {
    f"{_PREFIX}{name}": handler
    for name, handler in {
        "this_thread_block": _this_block,
        "this_grid": _this_grid,
        "coalesced_threads": _coalesced_threads,
        "sync": _of_any("sync"),
        "thread_rank": _of_any("thread_rank"),
        "group_size": _of_any("size"),
    }.items()
}
FORMS: dict[str, Callable[[Unit, syntax.Call], Value]] = {
    f"{_PREFIX}tiled_partition": lower_partition,
    f"{_PREFIX}reduce": _lower_reduce,
    f"{_PREFIX}inclusive_scan": _lower_inclusive,
    f"{_PREFIX}exclusive_scan": _lower_exclusive,
}
NEEDS = dict.fromkeys([*HANDLERS, *FORMS], HEADER)
"""The header that declares them."""


def qualify(unit: Unit, node: syntax.Call, name: str) -> str:
    """Return the name of a function; its full one if it is found because it is given a group."""
    full = f"{_PREFIX}{name}"
    if full not in NEEDS or not node.arguments:
        return name
    with unit.unevaluated():
        kind = lower(unit, node.arguments[0]).type
    return full if kind in GROUPS else name
