"""What `quiz banks` computes of an expression: a block's warps, what each costs, a better layout.

Prints nothing. Loads NumPy: import it when it is needed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter

import numpy as np

from grader.banks import (
    LANES,
    SHARED_BYTES,
    Access,
    AccessCost,
    BoolArray,
    IntArray,
    InvalidAccess,
    Kind,
    cost,
)
from grader.banks.access import MATRIX_KINDS, MATRIX_ROW_BYTES
from grader.layouts import (
    Block,
    BlockAccess,
    Candidate,
    Exercise,
    InvalidExercise,
    LayoutError,
    NoValue,
    Tile,
    TileAccess,
    block_access,
    evaluate,
    read,
    search,
)
from grader.layouts.block_access import block_names
from grader.layouts.threads import by_warp
from quizapp.commands._shapes import EVERYONE, Shape, architecture_of
from quizapp.errors import UsageError


@dataclass(frozen=True)
class Asked:
    """One access, as a person says it.

    Attributes:
        source: the element index of a thread, or two of them: C, or a Python `def`.
        op: what is done.
        element: bytes of an element.
        width: bytes a lane moves; None: an element, or what a matrix instruction always moves.
        block: threads along x, y, z.
        tile: None: no bounds, and one index.
        mask: bit i says whether lane i of every warp takes part.
        arch: compute capability, or a row of the bank model.
    """

    source: str
    op: Kind
    element: int
    width: int | None
    block: Block
    tile: Shape | None
    mask: int
    arch: str

    @property
    def bytes_a_lane(self) -> int:
        """What each lane moves."""
        if self.width is not None:
            return self.width
        return MATRIX_ROW_BYTES if self.op in MATRIX_KINDS else self.element


@dataclass(frozen=True, eq=False)
class Costed:
    """An access of all warps of a block.

    Attributes:
        asked: what it is.
        indices: (warps, 32) one array, or two for rows and columns.
        active: (warps, 32) which lanes take part.
        warps: what each warp costs.
    """

    asked: Asked
    indices: tuple[IntArray, ...]
    active: BoolArray
    warps: tuple[AccessCost, ...]

    @cached_property
    def worst(self) -> int:
        """The warp that takes most; the first of equals."""
        return max(range(len(self.warps)), key=lambda warp: wavefronts_of(self.warps[warp]))

    @cached_property
    def total(self) -> AccessCost:
        """All warps as if they were one instruction: its figures are sums."""
        groups = tuple(group for warp in self.warps for group in warp.lane_groups)
        return replace(self.warps[0], lane_groups=groups)


_MATRIX_MASKS = (0xFF, 0xFFFF, EVERYONE)
_SMALLER = "change the expression, or --elem; --mask leaves lanes out"


@dataclass(frozen=True)
class Searched:
    """What a search found; `families` are the best of each, whatever storage they take."""

    best: Candidate
    families: tuple[Candidate, ...]
    tried: int
    seconds: float


def wavefronts_of(cost: AccessCost) -> int:
    """As the search counts: the upper bound where the count is not exact and there is one."""
    most = cost.wavefronts_at_most
    return cost.wavefronts if most is None else most


def costed(asked: Asked) -> Costed:
    """What the warps of the block do.

    Raises:
        UsageError: there is no such instruction, the expression has no value, or hardware would
            refuse an address.
    """
    _check_instruction(asked)
    try:
        indices, found = _evaluated(asked)
    except NoValue as error:
        thread = _thread(error.element, asked.block)
        what = f"{_place(error, asked)}: {error.what}, at {thread}"
        raise UsageError(what, _todo(error)) from None
    except LayoutError as error:
        raise UsageError(f"{_place(error, asked)}: {error.what}", _todo(error)) from None
    active = found.active & lanes_of([asked.mask])
    if asked.tile is not None:
        _check_inside(asked, asked.tile, indices, active)
    _check_memory(asked, found, active)
    warps = tuple(_cost(asked, found.addresses[w], active[w], w) for w in range(len(active)))
    return Costed(asked, indices, active, warps)


def searched(found: Costed) -> Searched:
    """Layouts of the tile that everybody uses, tried for this access alone.

    Raises:
        UsageError: the access is none that a layout can be searched for.
    """
    asked = found.asked
    if asked.tile is None:
        raise UsageError("--search needs the tile that is laid out", "--tile 32x32 says which")
    if asked.bytes_a_lane % asked.element:
        what = f"--search: a lane moves {asked.bytes_a_lane} bytes, an element has {asked.element}"
        raise UsageError(what, "give a --width that is a multiple of --elem")
    if len(found.indices) > 1:
        rows, columns = found.indices
    else:
        rows, columns = np.divmod(found.indices[0], asked.tile.columns)
    elements = asked.bytes_a_lane // asked.element
    started = perf_counter()
    try:
        tile = Tile(asked.tile.rows, asked.tile.columns, asked.element)
        access = TileAccess("the access", asked.op, rows, columns, found.active, elements)
        usual = search(Exercise(tile, (access,), arch=asked.arch))
    except InvalidExercise as error:
        todo = "a layout moves whole rows and what a lane takes within one; change the tile"
        raise UsageError(f"--search: {error}", todo) from None
    assert usual.best is not None  # noqa: S101 - rows without padding, yours, are among them
    return Searched(usual.best, usual.families, usual.tried, perf_counter() - started)


def lanes_of(masks: list[int]) -> BoolArray:
    """(n, 32) the active lanes of n masks."""
    lanes: BoolArray = (np.array(masks, dtype=np.int64)[:, None] >> np.arange(LANES) & 1) == 1
    return lanes


def _check_instruction(asked: Asked) -> None:
    """See that the architecture has it, and that blocks of this shape can execute it."""
    op, width = asked.op, asked.bytes_a_lane
    if op in MATRIX_KINDS and width != MATRIX_ROW_BYTES:
        raise UsageError(f"{op} moves {MATRIX_ROW_BYTES} bytes a lane", "leave --width out")
    row = architecture_of(asked.arch)
    try:
        row.rule(op, width)
    except InvalidAccess as error:
        todo = "choose another --op or --arch"
        if any(op in rule.kinds for rule in row.rules):
            todo = "--width says how many bytes a lane moves; without it they are those of --elem"
        raise UsageError(str(error), todo) from None
    if op not in MATRIX_KINDS:
        return
    if asked.block.threads % LANES:
        todo = "make --block a multiple of 32 threads"
        raise UsageError(f"{op} is executed by all lanes of a warp", todo)
    if asked.mask not in _MATRIX_MASKS:
        todo = "--mask 0xff is .x1, 0xffff is .x2; leave --mask out for .x4"
        raise UsageError(f"{op} takes addresses from 8, 16 or 32 lanes, from lane 0 on", todo)


def _evaluated(asked: Asked) -> tuple[tuple[IntArray, ...], BlockAccess]:
    """Indices by themselves, which a tile bounds, and addresses."""
    names = block_names(asked.block)
    indices = evaluate(read(asked.source, names=names), names)
    if len(indices) > 1 and asked.tile is None:
        what = "the expression has two indices, and how long a row is was not said"
        raise UsageError(what, "--tile 32x33 says rows and columns")
    found = block_access(
        asked.source, asked.block, element_bytes=asked.element,
        pitch=asked.tile.columns if asked.tile else None,
    )  # fmt: skip
    return tuple(by_warp(index, asked.block.threads) for index in indices), found


def _check_inside(
    asked: Asked, tile: Shape, indices: tuple[IntArray, ...], active: BoolArray
) -> None:
    """See that each active lane stays in the tile, with all that it takes from there on."""
    last = tile.elements + (-asked.bytes_a_lane // asked.element)
    if len(indices) > 1:
        row, column = indices
        inside = (row >= 0) & (row < tile.rows) & (column >= 0) & (column < tile.columns)
        inside &= row * tile.columns + column <= last
    else:
        inside = (indices[0] >= 0) & (indices[0] <= last)
    if (active & ~inside).any():
        warp, lane = np.argwhere(active & ~inside)[0]
        thread = _thread(int(warp * LANES + lane), asked.block)
        element = "".join(f"[{index[warp, lane]}]" for index in indices)
        if asked.bytes_a_lane > asked.element:
            element += f", with {asked.bytes_a_lane} bytes from there,"
        what = f"{thread}: element {element} is outside a tile of {tile}"
        raise UsageError(what, "change the expression, --tile or --block; --mask leaves lanes out")


def _check_memory(asked: Asked, found: BlockAccess, active: BoolArray) -> None:
    """See that no active lane is where no shared memory can be."""
    beyond = active & (found.addresses >= SHARED_BYTES)
    if beyond.any():
        warp, lane = np.argwhere(beyond)[0]
        thread = _thread(int(warp * LANES + lane), asked.block)
        what = f"{thread}: element {found.indices[warp, lane]} is beyond any shared memory"
        todo = "threadIdx is unsigned and wraps below 0: write (int)threadIdx.x - 1"
        raise UsageError(what, todo if 1 << 31 <= found.indices[warp, lane] < 1 << 32 else _SMALLER)


def _cost(asked: Asked, addresses: IntArray, active: BoolArray, warp: int) -> AccessCost:
    try:
        return cost(Access(asked.op, asked.bytes_a_lane, addresses, active), asked.arch)
    except InvalidAccess as error:
        where = f"warp {warp}, " if asked.block.threads > LANES else ""
        todo = "an address is the index times --elem: 0 or more, a multiple of what a lane moves"
        raise UsageError(f"{where}{error}", todo) from None


def _thread(number: int, block: Block) -> str:
    """A thread as its code sees itself."""
    x, y, z = number % block.x, number // block.x % block.y, number // (block.x * block.y)
    return f"threadIdx ({x}, {y}, {z})"


def _place(error: LayoutError, asked: Asked) -> str:
    line = f"line {error.line}, " if "\n" in asked.source.strip() else ""
    return f"{line}column {error.column} of the expression"


def _todo(error: LayoutError) -> str:
    return error.instead or "`quiz banks --help` says what it may hold"
