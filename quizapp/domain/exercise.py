"""Parts of the questions that the bank model grades: accesses, tiles, and what may be drawn.

Plain data, as it stands in YAML; `quizapp.exercises` makes the grader's values of it.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Line = Annotated[str, Meta(min_length=1, description="one line of text")]
Name = Annotated[
    str, Meta(pattern=r"^[a-z][a-z0-9_]*$", max_length=20, description="a lower-case name")
]
LARGEST = 2**31 - 1
"""What an `int` of C holds; more would wrap around on the way to the grader."""
Whole = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
Amount = Annotated[int, Meta(ge=0, le=LARGEST)] | Line
"""A number, or an expression of drawn ones: `pitch / 2` is written `pitch // 2`, as in Python."""

Op = Literal["load", "store", "atom", "atom_inc", "ldmatrix", "stmatrix", "atom_float", "atom_cas"]
Ask = Literal["wavefronts", "conflicts", "ways", "ideal", "bank"]

Values = Annotated[tuple[Whole | Line, ...], Meta(min_length=1, max_length=64)]
Case = dict[Name, Whole | Line]
Cases = dict[Name, Values] | Annotated[tuple[Case, ...], Meta(min_length=1, max_length=256)]
"""What may be drawn: values for each name, or whole cases. Text goes into prose and code alone."""


class WarpAccess(Struct, frozen=True, forbid_unknown_fields=True):
    """One warp instruction, in the terms of the code shown.

    `index` is C: the element index of a thread, or `tile[i][j]` in rows of `pitch` elements. One
    element is `element` bytes, a lane moves `width` of them (all, where left out). `where` is C:
    which threads take part. `block` is threads along x, y, z, and `warp` the one that is asked of.
    """

    index: Line
    op: Op = "load"
    element: Amount = 4
    width: Amount | None = None
    pitch: Amount | None = None
    where: Line | None = None
    block: Annotated[tuple[Amount, ...], Meta(min_length=1, max_length=3)] = (32,)
    warp: Amount = 0
    arch: Line = "9.0"


class TileShape(Struct, frozen=True, forbid_unknown_fields=True):
    """The elements to be placed, `element` bytes each, in rows of `pitch` for (row, col).

    `storage`: elements that may be used; as many as there are, or `rows * pitch`, where left out.
    `base`: byte address of the first.
    """

    rows: Annotated[int, Meta(ge=1, le=1024)]
    columns: Annotated[int, Meta(ge=1, le=1024)]
    element: Annotated[int, Meta(ge=1, le=16)] = 4
    pitch: Annotated[int, Meta(ge=1, le=1 << 20)] | None = None
    storage: Annotated[int, Meta(ge=1, le=1 << 20)] | None = None
    base: Annotated[int, Meta(ge=0, le=1 << 20)] = 0


class LayoutAccess(Struct, frozen=True, forbid_unknown_fields=True):
    """What is done with the tile, by a name that the verdict uses (`column load`).

    Either `along`: lanes side by side in `rows`, below one another in `columns`, or the row
    addresses of `matrix` instructions; or a `block` with C for each thread's `row` and `column`,
    done `steps` times (`step` is 0, 1, …) by the threads of which `where` is true. A lane takes
    `elements` neighbours at once. `allowed`: wavefronts a warp; the ideal where left out.
    """

    name: Annotated[str, Meta(pattern=r"^[^:\n]+$", max_length=24, description="a short name")]
    op: Op = "load"
    along: Literal["rows", "columns", "matrix"] | None = None
    block: (
        Annotated[tuple[Annotated[int, Meta(ge=1)], ...], Meta(min_length=1, max_length=3)] | None
    ) = None
    row: Line | None = None
    column: Line | None = None
    where: Line | None = None
    steps: Annotated[int, Meta(ge=1, le=64)] = 1
    elements: Annotated[int, Meta(ge=1, le=16)] = 1
    allowed: Annotated[int, Meta(ge=1)] | None = None
