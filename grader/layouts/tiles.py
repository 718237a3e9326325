"""What is asked of a layout: a tile of elements, and the warp accesses that will be made to it.

Coordinates are logical: the element (row, col) is what the person's function finds a place for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from grader.banks import (
    LANES,
    WIDTHS,
    BoolArray,
    IntArray,
    InvalidAccess,
    Kind,
    architecture,
    counted_lanes,
)
from grader.layouts.c_types import INT, CValue, c_value
from grader.layouts.errors import InvalidExercise, LayoutError
from grader.layouts.source import evaluate, read
from grader.layouts.threads import Block, by_warp, checked_block, lanes_there, thread_names

MOST_ELEMENTS = 1 << 16
MATRIX_ROW_BYTES = 16


@dataclass(frozen=True)
class Tile:
    """Elements that are to be placed in shared memory.

    Attributes:
        rows, columns: how many there are.
        element_bytes: size of one.
        pitch: elements from one row of the array to the next, for a place given as (row, col) or
            `tile[i][j]`; None: as many as there are columns.
        storage: elements that may be used; None: no more than the tile has, with its pitch.
        base: byte address of the first one; swizzles of the copy engine look at absolute addresses.
    """

    rows: int
    columns: int
    element_bytes: int = 4
    pitch: int | None = None
    storage: int | None = None
    base: int = 0

    def __post_init__(self) -> None:
        if min(self.rows, self.columns, self.element_bytes, self.row_pitch) < 1 or self.base < 0:
            raise InvalidExercise("rows, columns, bytes and pitch are 1 at least")
        if self.elements > MOST_ELEMENTS:
            raise InvalidExercise(f"a tile has at most {MOST_ELEMENTS:,} elements")

    @property
    def elements(self) -> int:
        """How many the tile has."""
        return self.rows * self.columns

    @property
    def row_pitch(self) -> int:
        """Elements from one row of the array to the next."""
        return self.columns if self.pitch is None else self.pitch

    @property
    def allowed_storage(self) -> int:
        """Elements that may be used."""
        if self.storage is not None:
            return self.storage
        return max(self.elements, self.rows * self.row_pitch)


@dataclass(frozen=True, eq=False)
class TileAccess:
    """Warp instructions of one sort: which element each lane touches first.

    Attributes:
        name: what it is called: `column load`.
        kind: as in `grader.banks`.
        rows, columns: (warps, 32) the element's coordinates.
        active: (warps, 32); None: all lanes.
        elements: how many neighbours a lane takes at once, from there on along its row.
        allowed: wavefronts that one instruction may take; None: as few as are possible.
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
        constants: numbers the person may use by name.
        arch: the architecture that counts.

    Raises:
        InvalidExercise: an access outside the tile, of an impossible width, twice the same name.
    """

    tile: Tile
    accesses: tuple[TileAccess, ...]
    constants: Mapping[str, int] = field(default_factory=dict)
    arch: str = "9.0"

    def __post_init__(self) -> None:
        names = [access.name for access in self.accesses]
        if len({*names}) < len(names):
            raise InvalidExercise("two accesses have the same name")
        for access in self.accesses:
            try:
                architecture(self.arch).rule(access.kind, self.width(access))
                self._check(access)
            except (InvalidAccess, InvalidExercise) as error:
                raise InvalidExercise(f"{access.name}: {error}") from None

    def width(self, access: TileAccess) -> int:
        """Bytes a lane."""
        return access.elements * self.tile.element_bytes

    def _check(self, access: TileAccess) -> None:
        if self.width(access) not in WIDTHS:
            raise InvalidExercise(f"{self.width(access)} bytes a lane; possible: 1, 2, 4, 8, 16")
        if access.rows.shape != access.columns.shape or access.rows.shape[1:] != (LANES,):
            raise InvalidExercise("rows and columns have one line of 32 for each warp")
        if access.active is not None and access.active.shape != access.rows.shape:
            raise InvalidExercise("active lanes have the shape of the rows")
        there = lanes_taking_part(access)
        first, last = access.columns, access.columns + access.elements - 1
        inside = (access.rows >= 0) & (access.rows < self.tile.rows) & (first >= 0)
        outside = there & ~(inside & (last < self.tile.columns))
        if outside.any():
            warp, lane = np.argwhere(outside)[0]
            row, column = access.rows[warp, lane], last[warp, lane]
            raise InvalidExercise(f"warp {warp}, lane {lane} is at ({row}, {column}), off the tile")

    @cached_property
    def elements_touched(self) -> tuple[IntArray, ...]:
        """For each access (warps, 32) numbers of first elements, counted along rows.

        Lanes that take no part have 0.
        """
        found = []
        for access in self.accesses:
            flat = access.rows * self.tile.columns + access.columns
            found.append(np.where(lanes_taking_part(access), flat, 0))
        return tuple(found)

    @cached_property
    def names(self) -> Mapping[str, CValue]:
        """What a layout can be written with: (elements,) numbers each.

        Besides row and col, a thread for each element: threadIdx.x runs along a row.
        """
        block = Block(self.tile.columns, self.tile.rows)
        element = np.arange(self.tile.elements)
        own = {"row": element // self.tile.columns, "col": element % self.tile.columns}
        return {**thread_names(block), **{name: c_value(INT, own[name]) for name in own}}


def lanes_taking_part(access: TileAccess) -> BoolArray:
    """(warps, 32): whose addresses count."""
    if access.active is None:
        return np.ones(access.rows.shape, dtype=np.bool_)
    return counted_lanes(access.kind, access.active)


def along_rows(
    name: str, kind: Kind, tile: Tile, *, elements: int = 1, allowed: int | None = None
) -> TileAccess:
    """All of the tile, lanes side by side in a row, then in the next: `tile[ty][tx]`.

    As in a block of the tile's shape: where a row has fewer than 32, a warp takes several rows.
    """
    thread = np.arange(tile.rows * (tile.columns // elements))
    each = tile.columns // elements
    return _dealt(name, kind, (thread // each, thread % each * elements), elements, allowed)


def along_columns(
    name: str, kind: Kind, tile: Tile, *, elements: int = 1, allowed: int | None = None
) -> TileAccess:
    """All of the tile, lanes below one another in a column, then in the next: `tile[tx][ty]`."""
    thread = np.arange(tile.rows * (tile.columns // elements))
    columns = thread // tile.rows * elements
    return _dealt(name, kind, (thread % tile.rows, columns), elements, allowed)


def matrix_rows(
    name: str, tile: Tile, *, kind: Kind = "ldmatrix", allowed: int | None = None
) -> TileAccess:
    """Row addresses of `.x4`: 8 rows of 16 bytes, four times, down the tile, then to the right.

    Raises:
        InvalidExercise: the tile is not made of such matrices, four at a time.
    """
    elements = max(1, MATRIX_ROW_BYTES // tile.element_bytes)
    if tile.columns % elements or tile.rows % 8 or tile.rows * tile.columns // elements % LANES:
        raise InvalidExercise("the tile is not made of 8 rows of 16 bytes, four at a time")
    thread = np.arange(tile.rows * tile.columns // elements)
    columns = thread // tile.rows * elements
    return _dealt(name, kind, (thread % tile.rows, columns), elements, allowed)


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
    """What the warps of a block access: coordinates as C expressions of the thread.

    Args:
        name: what it is called.
        kind: as in `grader.banks`.
        block: threads along x, y, z.
        row: of the thread's element: `threadIdx.y + 8 * step`.
        column: of it: `threadIdx.x`.
        where: whether the thread takes part.
        steps: how often the instruction is executed, with `step` from 0 on.
        elements: neighbours along a row that a lane takes at once.
        allowed: as in `TileAccess`.
        constants: numbers that can be used by name.

    Raises:
        InvalidExercise: the block cannot be, or an expression is wrong.
    """
    checked_block(block)

    names = _names_of_steps(block, steps)

    def all_steps(expression: str) -> IntArray:
        try:
            given = read(expression, names=names, parameters=(), constants=constants)
            (index,) = evaluate(given, names, ())
        except (LayoutError, ValueError) as error:
            raise InvalidExercise(f"{name}: {expression}: {error}") from None
        each = index.reshape(steps, block.threads)
        return np.concatenate([by_warp(values, block.threads) for values in each])

    there = np.tile(lanes_there(block.threads), (steps, 1)) & (all_steps(where) != 0)
    active = None if there.all() else there
    return TileAccess(name, kind, all_steps(row), all_steps(column), active, elements, allowed)


def _names_of_steps(block: Block, steps: int) -> dict[str, CValue]:
    """What a thread is told by, (steps · threads,) numbers each, step after step."""
    threads = block.threads
    names = {
        name: CValue(value.type, np.tile(np.broadcast_to(value.data, threads), steps))
        for name, value in thread_names(block).items()
    }
    return {**names, "step": c_value(INT, np.repeat(np.arange(steps), threads))}


def _dealt(
    name: str, kind: Kind, where: tuple[IntArray, IntArray], elements: int, allowed: int | None
) -> TileAccess:
    """Threads with (threads,) rows and columns, 32 to a warp."""
    rows, columns = where
    there = lanes_there(rows.size)
    active = None if there.all() else there
    dealt = by_warp(rows, rows.size), by_warp(columns, rows.size)
    return TileAccess(name, kind, *dealt, active, elements, allowed)
