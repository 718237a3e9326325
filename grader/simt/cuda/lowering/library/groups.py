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
from grader.simt.cuda.lowering.conversions import convert, load, number, rvalue
from grader.simt.cuda.lowering.expressions import lower_arguments
from grader.simt.cuda.lowering.functions import call_function
from grader.simt.cuda.lowering.library import synchronization, warp
from grader.simt.cuda.lowering.library.overloads import Handler, require
from grader.simt.cuda.lowering.model import positions
from grader.simt.cuda.lowering.model.groups import (
    BLOCK,
    CLUSTER,
    COALESCED,
    GRID,
    GROUPS,
    TILES,
    tile_of,
)
from grader.simt.cuda.lowering.model.types import (
    BOOLEAN,
    DIM3,
    INT,
    PAIRS,
    UNSIGNED,
    UNSIGNED_LONG_LONG,
    VOID,
    Arithmetic,
    StructType,
)
from grader.simt.cuda.lowering.model.values import Aggregate, Plain, Value, VoidValue
from grader.simt.cuda.lowering.operators import operate
from grader.simt.cuda.lowering.unit import CudaUnit, Functions
from grader.simt.errors import Refused
from grader.simt.intrinsics import barriers, grid, members
from grader.simt.intrinsics.participants import FULL
from grader.simt.masks import LANES
from grader.simt.program.nodes import Apply, Do, Perform, Position
from grader.simt.program.types import BOOL, INT32

PREFIX = "cooperative_groups::"
_IS_COOPERATIVE = Plain(BOOLEAN, Position(BOOL, "grid.is_valid()", grid.is_cooperative))


@dataclass(frozen=True)
class Here:
    """A group at a call of one of its functions."""

    unit: CudaUnit
    node: syntax.Call
    group: Aggregate

    @property
    def size(self) -> int | None:
        """The threads of a tile; None for other groups."""
        return TILES.get(self.kind)

    @property
    def kind(self) -> StructType:
        """The type of the group."""
        assert isinstance(self.group.type, StructType)  # the caller has looked
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
        return plain_value(self.group.members[at])

    def position(self, name: str, axis: int) -> Plain:
        """Return a member of `threadIdx`, `blockIdx`, `blockDim` or `gridDim`."""
        return plain_value(_position(name).members[axis])

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


def _as_int(here: Here, value: Plain) -> Plain:
    return convert(here.unit, here.node, value, INT, cast=True)


def plain_value(value: Value) -> Plain:
    """Return a number that was made here."""
    assert isinstance(value, Plain)  # a number that was made here
    return value


def _position(name: str) -> Aggregate:
    found = positions.find(name)
    assert isinstance(found, Aggregate)  # of three numbers
    return found


Method = Callable[[Here, Sequence[Value]], Value]


def _exchange(name: str) -> Method:
    def lower(here: Here, given: Sequence[Value]) -> Value:
        require(here.unit, here.node, given, 2)
        if name == "shfl_xor" and here.size is None:
            raise here.unit.refusal(here.node, fact("cpp.no-group-function", name=name))
        operand = rvalue(here.unit, here.node, given[1])
        return here.shuffle(name, load(here.unit, here.node, given[0]), operand)

    return lower


def _vote(name: str) -> Method:
    def lower(here: Here, given: Sequence[Value]) -> Value:
        require(here.unit, here.node, given, 1)
        test = rvalue(here.unit, here.node, given[0])
        found = here.call(warp.HANDLERS, f"__{name}_sync", here.mask(), test)
        bits = name in ("ballot", "match_any")
        return here.pack(here.unit.hold_plain(plain_value(found))) if bits else found

    return lower


def _sync(here: Here, given: Sequence[Value]) -> Value:
    require(here.unit, here.node, given, 0)
    if here.kind is BLOCK:
        return here.call(synchronization.HANDLERS, "__syncthreads")
    if here.kind is not GRID:
        return here.call(synchronization.HANDLERS, "__syncwarp", here.mask())
    program = here.unit.module.program
    program.timed = True
    site = program.grid_sync = here.unit.site(here.node.place)
    here.unit.emit(Do(Perform(INT32, "grid sync", barriers.meet_in_grid, (), site)))
    return VoidValue(VOID)


def _thread_rank(here: Here, given: Sequence[Value]) -> Value:
    require(here.unit, here.node, given, 0)
    if here.kind is BLOCK:
        return here.rank("threadIdx", "blockDim")
    if here.kind is not GRID:
        return here.thread_rank()
    block = _as_long(here, here.rank("blockIdx", "gridDim"))
    before = operate(here.unit, here.node, "*", block, here.count("blockDim"))
    return operate(here.unit, here.node, "+", before, here.rank("threadIdx", "blockDim"))


def _as_long(here: Here, value: Plain) -> Plain:
    return convert(here.unit, here.node, value, UNSIGNED_LONG_LONG)


def group_size(here: Here, given: Sequence[Value]) -> Value:
    """Return the number of a group's threads."""
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


def _number(make: Callable[[Here], Plain]) -> Method:
    def lower(here: Here, given: Sequence[Value]) -> Value:
        require(here.unit, here.node, given, 0)
        return make(here)

    return lower


def _triple(name: str) -> Method:
    def lower(here: Here, given: Sequence[Value]) -> Value:
        require(here.unit, here.node, given, 0)
        return Aggregate(DIM3, _position(name).members)

    return lower


_ALL: dict[str, Method] = {
    "sync": _sync,
    "thread_rank": _thread_rank,
    "size": group_size,
    "num_threads": group_size,
}
_OF_WARPS: dict[str, Method] = {
    **{name: _exchange(name) for name in ("shfl", "shfl_up", "shfl_down", "shfl_xor")},
    **{name: _vote(name) for name in ("any", "all", "ballot", "match_any")},
}
_METHODS: dict[StructType, dict[str, Method]] = {
    BLOCK: {
        "group_index": _triple("blockIdx"),
        "thread_index": _triple("threadIdx"),
        "group_dim": _triple("blockDim"),
        "dim_threads": _triple("blockDim"),
    },
    GRID: {
        "is_valid": _number(lambda _here: _IS_COOPERATIVE),
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


def call_group(unit: CudaUnit, node: syntax.Call, name: str, group: Value) -> Value:
    """Lower a call of a group's function.

    Raises:
        Refused: it has none of this name.
    """
    own = load(unit, node, group)
    assert isinstance(own, Aggregate)  # a group is a struct
    here = Here(unit, node, own)
    if here.kind is CLUSTER:
        return _call_cluster(here, name, lower_arguments(unit, node.arguments))
    method = _ALL.get(name) or _METHODS[here.kind].get(name)
    if method is None:
        raise unit.refusal(node, fact("cpp.no-group-function", name=name))
    return method(here, lower_arguments(unit, node.arguments))


def _call_cluster(here: Here, name: str, given: list[Value]) -> Value:
    """Lower a call of a cluster's function, which our header has."""
    unit, node = here.unit, here.node
    parts = tuple(syntax.NamePart(node.place, each) for each in ("quiz_cluster", name))
    called = syntax.Name(node.place, parts)
    found = unit.module.find(unit, called)
    if not isinstance(found, Functions):
        raise unit.refusal(node, fact("cpp.no-group-function", name=name))
    return call_function(unit, node, called, found, given)


# Functions of the namespace


def _this_block(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
    require(unit, node, given, 0)
    return Aggregate(BLOCK, ())


def _this_grid(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
    require(unit, node, given, 0)
    return Aggregate(GRID, ())


def _this_cluster(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
    require(unit, node, given, 0)
    return Aggregate(CLUSTER, ())


def _coalesced_threads(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
    require(unit, node, given, 0)
    mask = warp.HANDLERS["__activemask"](unit, node, ())
    return Aggregate(COALESCED, (unit.hold_plain(plain_value(mask)),))


def _part(name: str, lanes_of: Callable[[Here, Value], Plain]) -> Handler:
    """Return what makes a group of the threads of a tile or a coalesced group that are alike."""

    def lower(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
        require(unit, node, given, 2)
        here = group_of(unit, node, given[0])
        if here.kind not in (COALESCED, *TILES):
            raise unit.refusal(node, fact("cpp.no-tile-function", name=name, group=here.kind.name))
        return Aggregate(COALESCED, (unit.hold_plain(lanes_of(here, given[1])),))

    return lower


def _same_label(here: Here, label: Value) -> Plain:
    return plain_value(here.call(warp.HANDLERS, "__match_any_sync", here.mask(), label))


def _same_side(here: Here, test: Value) -> Plain:
    own = convert(here.unit, here.node, rvalue(here.unit, here.node, test), BOOLEAN)
    own = here.unit.hold_plain(own)
    ones = here.call(warp.HANDLERS, "__ballot_sync", here.mask(), own)
    # Where it is false, all bits are turned around; those of other threads go then.
    others = here.operate("-", convert(here.unit, here.node, own, UNSIGNED), 1)
    return here.operate("&", here.operate("^", plain_value(ones), others), here.mask())


def lower_partition(unit: CudaUnit, node: syntax.Call) -> Value:
    """Lower `tiled_partition<N>(group)` and `tiled_partition(group, N)`.

    Raises:
        Refused: N is no constant or no tile of a warp, or the group has fewer threads.
    """
    assert isinstance(node.function, syntax.Name)  # it was found by its name
    written = node.function.parts[-1].arguments
    at_run_time = not written and len(node.arguments) == 2
    wanted = node.arguments[1] if at_run_time else written[0] if written else None
    given = lower_arguments(unit, node.arguments[:1] if at_run_time else node.arguments)
    require(unit, node, given, 1)
    if wanted is None or isinstance(wanted, syntax.Type):
        raise unit.refusal(node, fact("cpp.no-group-function", name="tiled_partition(group, n)"))
    try:
        size = unit.module.constant(unit, wanted)
    except Refused as error:
        if not at_run_time:
            raise
        what = fact("cpp.no-group-function", name="tiled_partition(group, n)")
        raise unit.refusal(node, what) from error
    here = group_of(unit, node, given[0])
    tile, parent = tile_of(size), here.size
    if (
        tile is None
        or here.kind in (GRID, CLUSTER, COALESCED)
        or (parent is not None and size > parent)
    ):
        raise unit.refusal(node, fact("cpp.no-tile", size=size, group=here.kind.name))
    rank = here.thread_rank() if parent else here.rank("threadIdx", "blockDim")
    whole = number(UNSIGNED, parent) if parent else here.count("blockDim")
    tiles = here.operate("/", here.operate("+", whole, size - 1), size)
    kept = (here.operate("/", rank, size), tiles)
    return Aggregate(tile, tuple(unit.hold_plain(each) for each in kept))


def group_of(unit: CudaUnit, node: syntax.Call, group: Value) -> Here:
    """Return a group that a function is called with.

    Raises:
        Refused: it is none.
    """
    own = load(unit, node, group)
    if own.type not in GROUPS or not isinstance(own, Aggregate):
        raise unit.error(node, fact("cpp.not-a-group", type=own.type.name))
    return Here(unit, node, own)


def _of_any(name: str) -> Handler:
    def lower(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
        require(unit, node, given, 1)
        here = group_of(unit, node, given[0])
        return _call_cluster(here, name, []) if here.kind is CLUSTER else _ALL[name](here, ())

    return lower


HANDLERS: dict[str, Handler] = {
    f"{PREFIX}{name}": handler
    for name, handler in {
        "this_thread_block": _this_block,
        "this_grid": _this_grid,
        "this_cluster": _this_cluster,
        "coalesced_threads": _coalesced_threads,
        "labeled_partition": _part("labeled_partition", _same_label),
        "binary_partition": _part("binary_partition", _same_side),
        "sync": _of_any("sync"),
        "thread_rank": _of_any("thread_rank"),
        "group_size": _of_any("size"),
    }.items()
}
