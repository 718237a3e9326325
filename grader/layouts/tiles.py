"""The exercise that a layout solves: a tile of elements, and the warp accesses to it.

Coordinates are logical: a layout finds a place for the element (row, col).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from grader.banks import (
    LANES,
    MATRIX_ROW_BYTES,
    WIDTHS,
    BoolArray,
    IntArray,
    InvalidAccess,
    Kind,
    architecture,
    counted_lanes,
)
from grader.facts import Fact, fact
from grader.layouts.arithmetic import Array
from grader.layouts.errors import InvalidExercise, LayoutError
from grader.layouts.source import evaluate, read
from grader.layouts.threads import Block, by_warp, check_block, lanes_there, thread_names

MOST_ELEMENTS = 1 << 16


@dataclass(frozen=True)
class Tile:
    """Elements to place in shared memory.

    Attributes:
        rows, columns: the shape, in elements.
        pitch: elements from one row of the array to the next, for a place given as (row, col) or
            `tile[i][j]`; None: as many as there are columns.
        storage: elements that may be used; None: no more than the tile has, with its pitch.
        base: byte address of the first element; the swizzles of TMA use absolute addresses.
    """

    rows: int
    columns: int
    element_bytes: int = 4
    pitch: int | None = None
    storage: int | None = None
    base: int = 0

    def __post_init__(self) -> None:
        if min(self.rows, self.columns, self.element_bytes, self.row_pitch) < 1 or self.base < 0:
            raise InvalidExercise(fact("tile.too-small"))
        if self.elements > MOST_ELEMENTS:
            raise InvalidExercise(fact("tile.too-large", most=MOST_ELEMENTS))

    @property
    def elements(self) -> int:
        """The number of elements of the tile."""
        return self.rows * self.columns

    @property
    def row_pitch(self) -> int:
        """Elements from one row of the array to the next."""
        return self.columns if self.pitch is None else self.pitch

    @property
    def allowed_storage(self) -> int:
        """The number of elements that may be used."""
        if self.storage is not None:
            return self.storage
        return max(self.elements, self.rows * self.row_pitch)


@dataclass(frozen=True, eq=False)
class TileAccess:
    """The warp instructions of one access: which element each lane touches first.

    Attributes:
        name: the name of the access: `column load`.
        kind: as in `grader.banks`.
        rows, columns: (warps, 32) the element's coordinates.
        active: (warps, 32); None: all lanes.
        elements: how many adjacent elements of a row a lane takes at once, from its first on.
        allowed: the most wavefronts of one instruction; None: as few as are possible.
    """

    name: str
    kind: Kind
    rows: IntArray
    columns: IntArray
    active: BoolArray | None = None
    elements: int = 1
    allowed: int | None = None


@dataclass(frozen=True, eq=False)
class Exercise:
    """A tile with the accesses to it.

    Attributes:
        constants: numbers that a layout may use by name.
        equals: (elements,) the slot of each element, where only one placement is right.

    Raises:
        InvalidExercise: an access is outside the tile or impossibly wide, or a name is used twice.
    """

    tile: Tile
    accesses: tuple[TileAccess, ...]
    constants: Mapping[str, int] = field(default_factory=dict)
    arch: str = "9.0"
    equals: IntArray | None = None

    def __post_init__(self) -> None:
        names = [access.name for access in self.accesses]
        if len({*names}) < len(names):
            raise InvalidExercise(fact("tile.same-name"))
        for access in self.accesses:
            try:
                architecture(self.arch).rule(access.kind, self.width(access))
                self._check(access)
            except (InvalidAccess, InvalidExercise) as error:
                what = fact("tile.in-access", access=access.name, reason=error.what)
                raise InvalidExercise(what) from None

    def width(self, access: TileAccess) -> int:
        """Return the bytes per lane of an access."""
        return access.elements * self.tile.element_bytes

    def _check(self, access: TileAccess) -> None:
        if self.width(access) not in WIDTHS:
            raise InvalidExercise(fact("tile.width", width=self.width(access), widths=WIDTHS))
        if access.rows.shape != access.columns.shape or access.rows.shape[1:] != (LANES,):
            raise InvalidExercise(fact("tile.coordinate-shape"))
        if access.active is not None and access.active.shape != access.rows.shape:
            raise InvalidExercise(fact("tile.active-shape"))
        there = participating_lanes(access)
        first, last = access.columns, access.columns + access.elements - 1
        inside = (access.rows >= 0) & (access.rows < self.tile.rows) & (first >= 0)
        outside = there & ~(inside & (last < self.tile.columns))
        if outside.any():
            warp, lane = np.argwhere(outside)[0]
            row, column = int(access.rows[warp, lane]), int(last[warp, lane])
            raise InvalidExercise(
                fact("tile.outside", warp=int(warp), lane=int(lane), row=row, column=column)
            )

    @cached_property
    def touched_elements(self) -> tuple[IntArray, ...]:
        """For each access, (warps, 32) numbers of first elements, counted along rows.

        Lanes that take no part have 0.
        """
        found = []
        for access in self.accesses:
            flat = access.rows * self.tile.columns + access.columns
            found.append(np.where(participating_lanes(access), flat, 0))
        return tuple(found)

    @cached_property
    def names(self) -> Mapping[str, Array]:
        """The names that a layout can be written with: (elements,) numbers each.

        Besides row and col, a thread for each element: threadIdx.x runs along a row.
        """
        block = Block(self.tile.columns, self.tile.rows)
        element = np.arange(self.tile.elements)
        own = {"row": element // self.tile.columns, "col": element % self.tile.columns}
        return {**thread_names(block), **{name: own[name].astype(np.int32) for name in own}}


def participating_lanes(access: TileAccess) -> BoolArray:
    """Find the lanes whose addresses count, (warps, 32)."""
    if access.active is None:
        return np.ones(access.rows.shape, dtype=np.bool_)
    return counted_lanes(access.kind, access.active)


def along_rows(
    name: str, kind: Kind, tile: Tile, *, elements: int = 1, allowed: int | None = None
) -> TileAccess:
    """Access the whole tile, lanes side by side in a row, then in the next: `tile[ty][tx]`.

    As in a block of the tile's shape: a warp takes several rows if a row has fewer than 32.
    """
    thread = np.arange(tile.rows * (tile.columns // elements))
    each = tile.columns // elements
    return _by_warps(name, kind, (thread // each, thread % each * elements), elements, allowed)


def along_columns(
    name: str, kind: Kind, tile: Tile, *, elements: int = 1, allowed: int | None = None
) -> TileAccess:
    """Access the whole tile, lanes down a column, then in the next: `tile[tx][ty]`."""
    thread = np.arange(tile.rows * (tile.columns // elements))
    columns = thread // tile.rows * elements
    return _by_warps(name, kind, (thread % tile.rows, columns), elements, allowed)


def matrix_rows(
    name: str, tile: Tile, *, kind: Kind = "ldmatrix", allowed: int | None = None
) -> TileAccess:
    """Access the rows of `.x4`: 8 rows of 16 bytes, four times, down the tile, then to the right.

    Raises:
        InvalidExercise: such matrices, four at a time, do not fill the tile.
    """
    elements = max(1, MATRIX_ROW_BYTES // tile.element_bytes)
    if tile.columns % elements or tile.rows % 8 or tile.rows * tile.columns // elements % LANES:
        raise InvalidExercise(fact("tile.no-matrices"))
    thread = np.arange(tile.rows * tile.columns // elements)
    columns = thread // tile.rows * elements
    return _by_warps(name, kind, (thread % tile.rows, columns), elements, allowed)


def by_block(
    name: str,
    kind: Kind,
    block: Block,
    *,
    row: str,
    column: str,
    where: str = "1",
    steps: int = 1,
    elements: int = 1,
    allowed: int | None = None,
    constants: Mapping[str, int] | None = None,
) -> TileAccess:
    """Access what the warps of a block access: coordinates as C expressions of the thread.

    Args:
        kind: as in `grader.banks`.
        block: threads along x, y, z.
        row: the row of the thread's element: `threadIdx.y + 8 * step`.
        column: its column: `threadIdx.x`.
        where: the condition on which the thread takes part.
        steps: how often the instruction is executed, with `step` from 0 on.
        elements: adjacent elements of a row that a lane takes at once.
        allowed: as in `TileAccess`.
        constants: numbers that can be used by name.

    Raises:
        InvalidExercise: no such block exists, or an expression is wrong.
    """
    check_block(block)
    names = _names_of_steps(block, steps)

    def wrong(reason: Fact) -> InvalidExercise:
        return InvalidExercise(fact("tile.in-access", access=name, reason=reason))

    def all_steps(expression: str) -> IntArray:
        try:
            given = read(expression, names=names, parameters=(), constants=constants)
            indices = evaluate(given, names, ())
        except LayoutError as error:
            reason, line, column = error.what, error.line, error.column
            raise wrong(
                fact("tile.expression", source=expression, line=line, column=column, reason=reason)
            ) from None
        if len(indices) > 1:
            raise wrong(fact("tile.two-numbers", source=expression))
        each = indices[0].reshape(steps, block.threads)
        return np.concatenate([by_warp(values, block.threads) for values in each])

    there = np.tile(lanes_there(block.threads), (steps, 1)) & (all_steps(where) != 0)
    active = None if there.all() else there
    return TileAccess(name, kind, all_steps(row), all_steps(column), active, elements, allowed)


def _names_of_steps(block: Block, steps: int) -> dict[str, Array]:
    """Name the coordinates of all threads, (steps · threads,) numbers each, step after step."""
    threads = block.threads
    names = {
        name: np.tile(np.broadcast_to(numbers, threads), steps)
        for name, numbers in thread_names(block).items()
    }
    return {**names, "step": np.repeat(np.arange(steps, dtype=np.int32), threads)}


def _by_warps(
    name: str, kind: Kind, where: tuple[IntArray, IntArray], elements: int, allowed: int | None
) -> TileAccess:
    """Group threads with (threads,) rows and columns, 32 to a warp."""
    rows, columns = where
    there = lanes_there(rows.size)
    active = None if there.all() else there
    grouped = by_warp(rows, rows.size), by_warp(columns, rows.size)
    return TileAccess(name, kind, *grouped, active, elements, allowed)
