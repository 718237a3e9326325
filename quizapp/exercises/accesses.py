"""Analyzes one access of a block: what each warp costs, and which layout would be better."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter

import numpy as np

from grader.banks import (
    LANES,
    MATRIX_KINDS,
    MATRIX_ROW_BYTES,
    SHARED_BYTES,
    Access,
    AccessCost,
    BoolArray,
    IntArray,
    InvalidAccess,
    Kind,
    cost,
)
from grader.facts import Fact, fact
from grader.layouts import (
    Block,
    BlockAccess,
    Exercise,
    InvalidExercise,
    LayoutCandidate,
    LayoutError,
    NoValue,
    Tile,
    TileAccess,
    block_access,
    search,
)
from quizapp.domain.errors import UsageError
from quizapp.exercises.shapes import ALL_LANES, DeclaredTile, read_architecture


@dataclass(frozen=True)
class AccessQuery:
    """One access, as a person writes it.

    Attributes:
        source: the element index of a thread, or two indices: C, or a Python `def`.
        op: the kind of access.
        element: bytes of an element.
        width: bytes per lane; None: an element, or what a matrix instruction always moves.
        block: threads along x, y, z.
        tile: the bounds; None for no bounds, and one index.
        mask: bit i is set if lane i of every warp takes part.
        arch: compute capability, or a row of the bank model.
    """

    source: str
    op: Kind
    element: int
    width: int | None
    block: Block
    tile: DeclaredTile | None
    mask: int
    arch: str

    @property
    def bytes_per_lane(self) -> int:
        """The bytes that each lane moves."""
        if self.width is not None:
            return self.width
        return MATRIX_ROW_BYTES if self.op in MATRIX_KINDS else self.element


@dataclass(frozen=True, eq=False)
class AccessAnalysis:
    """The access of all warps of a block.

    Attributes:
        query: the access.
        indices: (warps, 32) one array, or two for rows and columns.
        active: (warps, 32) the lanes that take part.
        warps: the cost of each warp.
    """

    query: AccessQuery
    indices: tuple[IntArray, ...]
    active: BoolArray
    warps: tuple[AccessCost, ...]

    @cached_property
    def worst(self) -> int:
        """The warp with the most wavefronts; the first of equals."""
        return max(range(len(self.warps)), key=lambda warp: wavefronts_of(self.warps[warp]))

    @cached_property
    def total(self) -> AccessCost:
        """All warps as if they were one instruction, whose figures are sums."""
        groups = tuple(group for warp in self.warps for group in warp.lane_groups)
        return replace(self.warps[0], lane_groups=groups)


_MATRIX_MASKS = (0xFF, 0xFFFF, ALL_LANES)


@dataclass(frozen=True)
class LayoutSearch:
    """The result of a search; `families` are the best of each, whatever storage they take."""

    best: LayoutCandidate
    families: tuple[LayoutCandidate, ...]
    tried: int
    seconds: float


def wavefronts_of(cost: AccessCost) -> int:
    """Count wavefronts as the search does: the upper bound of a count that is not exact."""
    most = cost.wavefronts_at_most
    return cost.wavefronts if most is None else most


def analyze(query: AccessQuery) -> AccessAnalysis:
    """Count what the warps of the block cost.

    Raises UsageError: there is no such instruction, the expression has no value, or hardware would
    refuse an address.
    """
    _check_instruction(query)
    try:
        found = _evaluate(query)
    except NoValue as error:
        thread = _thread(error.element, query.block)
        what = fact("analysis.in-thread", what=error.what, thread=thread)
        raise UsageError(_at(error, query, what), error.instead) from None
    except LayoutError as error:
        raise UsageError(_at(error, query, error.what), error.instead) from None
    active = found.active & lanes_of([query.mask])
    if query.tile is not None:
        _check_inside(query, query.tile, found.parts, active)
    _check_memory(query, found, active)
    warps = tuple(_cost_warp(query, found.addresses[w], active[w], w) for w in range(len(active)))
    return AccessAnalysis(query, found.parts, active, warps)


def search_layouts(analysis: AccessAnalysis) -> LayoutSearch:
    """Try the common layouts of the tile for this access alone.

    Raises UsageError: no layout can be searched for this access.
    """
    query = analysis.query
    if query.tile is None:
        raise UsageError(fact("analysis.search-needs-tile"))
    if query.bytes_per_lane % query.element:
        split = fact("analysis.search-width", width=query.bytes_per_lane, element=query.element)
        raise UsageError(split)
    if len(analysis.indices) > 1:
        rows, columns = analysis.indices
    else:
        rows, columns = np.divmod(analysis.indices[0], query.tile.columns)
    elements = query.bytes_per_lane // query.element
    started = perf_counter()
    try:
        tile = Tile(query.tile.rows, query.tile.columns, query.element)
        access = TileAccess("the access", query.op, rows, columns, analysis.active, elements)
        usual = search(Exercise(tile, (access,), arch=query.arch))
    except InvalidExercise as error:
        raise UsageError(fact("analysis.no-search", what=error.what)) from None
    assert usual.best is not None
    return LayoutSearch(usual.best, usual.families, usual.tried, perf_counter() - started)


def lanes_of(masks: list[int]) -> BoolArray:
    """Expand n masks to active lanes, (n, 32)."""
    lanes: BoolArray = (np.array(masks, dtype=np.int64)[:, None] >> np.arange(LANES) & 1) == 1
    return lanes


def _check_instruction(query: AccessQuery) -> None:
    """Check that the architecture has it, and that a block of this shape can execute it."""
    op, width = query.op, query.bytes_per_lane
    if op in MATRIX_KINDS and width != MATRIX_ROW_BYTES:
        raise UsageError(fact("analysis.matrix-width", op=op, width=MATRIX_ROW_BYTES))
    row = read_architecture(query.arch)
    try:
        row.rule(op, width)
    except InvalidAccess as error:
        known = any(op in rule.kinds for rule in row.rules)
        todo = fact("analysis.other-width") if known else fact("analysis.other-op")
        raise UsageError(error.what, todo) from None
    if op not in MATRIX_KINDS:
        return
    if query.block.threads % LANES:
        raise UsageError(fact("analysis.matrix-block", op=op))
    if query.mask not in _MATRIX_MASKS:
        raise UsageError(fact("analysis.matrix-mask", op=op))


def _evaluate(query: AccessQuery) -> BlockAccess:
    """Evaluate the access; two indices need a tile."""
    pitch = query.tile.columns if query.tile is not None else 1
    found = block_access(query.source, query.block, element_bytes=query.element, pitch=pitch)
    if len(found.parts) > 1 and query.tile is None:
        raise UsageError(fact("analysis.no-pitch"))
    return found


def _check_inside(
    query: AccessQuery, tile: DeclaredTile, indices: tuple[IntArray, ...], active: BoolArray
) -> None:
    """Check that each active lane stays in the tile with all the bytes that it accesses."""
    last = tile.elements + (-query.bytes_per_lane // query.element)
    if len(indices) > 1:
        row, column = indices
        inside = (row >= 0) & (row < tile.rows) & (column >= 0) & (column < tile.columns)
        inside &= row * tile.columns + column <= last
    else:
        inside = (indices[0] >= 0) & (indices[0] <= last)
    if (active & ~inside).any():
        warp, lane = np.argwhere(active & ~inside)[0]
        raise UsageError(
            fact(
                "analysis.outside",
                thread=_thread(int(warp * LANES + lane), query.block),
                element="".join(f"[{index[warp, lane]}]" for index in indices),
                width=query.bytes_per_lane,
                tile=str(tile),
            )
        )


def _check_memory(query: AccessQuery, found: BlockAccess, active: BoolArray) -> None:
    """Check that every active lane has an address that shared memory can have."""
    beyond = active & (found.addresses >= SHARED_BYTES)
    if beyond.any():
        warp, lane = np.argwhere(beyond)[0]
        index = int(found.indices[warp, lane])
        thread = _thread(int(warp * LANES + lane), query.block)
        wrapped = 1 << 31 <= index < 1 << 32
        todo = fact("analysis.unsigned") if wrapped else fact("analysis.smaller-index")
        raise UsageError(fact("analysis.beyond-shared", thread=thread, index=index), todo)


def _cost_warp(query: AccessQuery, addresses: IntArray, active: BoolArray, warp: int) -> AccessCost:
    try:
        return cost(Access(query.op, query.bytes_per_lane, addresses, active), query.arch)
    except InvalidAccess as error:
        what = error.what
        if query.block.threads > LANES:
            what = fact("analysis.in-warp", warp=warp, what=what)
        raise UsageError(what, fact("analysis.address")) from None


def _thread(number: int, block: Block) -> str:
    """Name a thread as its code sees itself."""
    x, y, z = number % block.x, number // block.x % block.y, number // (block.x * block.y)
    return f"threadIdx ({x}, {y}, {z})"


def _at(error: LayoutError, query: AccessQuery, what: Fact) -> Fact:
    """Add the place in the expression to what is wrong there."""
    if "\n" in query.source.strip():
        return fact("analysis.at-line", line=error.line, column=error.column, what=what)
    return fact("analysis.at-column", column=error.column, what=what)
