"""Parts of the questions that the emulator grades: what a kernel is given, launched with, held to.

Plain data, as it stands in YAML; `quizapp.exercises` makes the grader's values of it.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from quizapp.domain.exercise import LARGEST, Line, Name

Size = Annotated[int, Meta(ge=1, le=LARGEST)] | Line
"""A number, or an expression of the names of a shape: `ceil(rows / 32)`."""
Figure = int | float | Line
Identifier = Annotated[
    str, Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=40, description="a Python name")
]
Shape = dict[Name, Annotated[int, Meta(ge=1, le=LARGEST)]]
Extents = tuple[Annotated[int, Meta(ge=1, le=LARGEST)], Annotated[int, Meta(ge=1, le=LARGEST)]]
"""The least and the largest size of a name."""
Confirm = dict[Name, Extents]
Axes = Annotated[tuple[Size, ...], Meta(min_length=1, max_length=3)]
Role = Literal["input", "output", "inout"]
Filling = Literal[
    "normal", "uniform", "integers", "ramp", "permutation", "sorted", "offsets", "zeros", "ones",
    "equal", "skewed", "extremes", "wide", "peaks",
]  # fmt: skip
Fillings = Filling | Annotated[tuple[Filling, ...], Meta(min_length=1, max_length=8)]
Figures = Figure | Annotated[tuple[Figure, ...], Meta(min_length=1, max_length=8)]
"""One for all shapes, or one for each."""

FAULTS = (
    "race", "global-race", "uninitialised-read", "barrier-divergence", "warp-mask", "out-of-bounds",
    "zero-division", "never-written", "warning", "overflow", "misaligned",
)  # fmt: skip
"""Kinds of bugs that a person may name, in the order they are offered. A `warning` is double
arithmetic on single-precision data."""

COSTS = ("bank-conflict", "uncoalesced", "warning")
"""What may make a line slow, in the order it is offered where a question asks for that."""

SPOTTABLE = tuple(dict.fromkeys((*FAULTS, *COSTS)))
"""Every kind that a `spot` may be about."""


class KernelArgument(Struct, frozen=True, forbid_unknown_fields=True):
    """One argument, in the kernel's order: an array with a `shape`, or a number with a `value`.

    `values`: what an input holds; `low` and `high` (not included) bound `uniform`, all kinds of
    integers and `sorted`, and are the ends of `offsets`. Each of the three may be a list, with one
    for each shape. Outputs hold NaN, or a sentinel, before the launch. `rounded`: integers that
    are rounded from floats, of which one in a hundred may be off by one.
    """

    name: Identifier
    dtype: Line | None = None
    shape: Annotated[tuple[Size, ...], Meta(min_length=1, max_length=4)] | None = None
    role: Role = "input"
    values: Fillings = "normal"
    low: Figures = 0
    high: Figures = 1
    value: Figure | None = None
    rounded: bool = False


class Excuse(Struct, frozen=True, forbid_unknown_fields=True):
    """Why a mutant of the solution that passes is not wrong, or cannot be told from it.

    `rule` is the mutant's, `line` quotes the line that it changes, in either language.
    """

    rule: Line
    line: Line
    why: Line


class OfferedInput(Struct, frozen=True, forbid_unknown_fields=True):
    """An input that a person may choose to test a kernel with: sizes, and what arrays hold.

    `values`: by the name of an argument; `low` and `high` bound them, as of an argument.
    """

    sizes: Shape
    values: dict[Identifier, Filling] = {}
    low: Figure = 0
    high: Figure = 1


class TypedInput(OfferedInput, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An input that a person typed.

    `text`: as they did. `bounds`: of the values of each array, in place of `low` and `high`.
    """

    text: str
    bounds: dict[Identifier, tuple[Figure, Figure]]


class KernelLaunch(Struct, frozen=True, forbid_unknown_fields=True):
    """Blocks and threads along x, y, z, and bytes of dynamic shared memory."""

    grid: Axes
    block: Axes
    shared: Annotated[int, Meta(ge=0)] | Line = 0


class CountGate(Struct, frozen=True, forbid_unknown_fields=True):
    """A counter of the emulator, and what it must be at each shape: `most`, `least`, or both.

    `shared_conflicts`, `shared_requests`, `global_sectors` and so on add up loads, stores, atomics.
    A limit on loads or stores counts atomics too.
    """

    counter: Line
    most: Figure | None = None
    least: Figure | None = None
