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
Axes = Annotated[tuple[Size, ...], Meta(min_length=1, max_length=3)]
Role = Literal["input", "output", "inout"]
Filling = Literal[
    "normal", "uniform", "integers", "ramp", "permutation", "sorted", "offsets", "zeros", "ones"
]

SPOTTABLE = (
    "race",
    "global-race",
    "uninitialised-read",
    "barrier-divergence",
    "out-of-bounds",
    "never-written",
    "warning",
)
"""Kinds of findings that a person may name, in the order they are offered. A `warning` is double
arithmetic on single-precision data."""


class KernelArgument(Struct, frozen=True, forbid_unknown_fields=True):
    """One argument, in the kernel's order: an array with a `shape`, or a number with a `value`.

    `values`: what an input holds; `low` and `high` (not included) bound `uniform`, `integers` and
    `sorted`, and are the ends of `offsets`. Outputs hold NaN, or a sentinel, before the launch.
    """

    name: Identifier
    dtype: Line | None = None
    shape: Annotated[tuple[Size, ...], Meta(min_length=1, max_length=4)] | None = None
    role: Role = "input"
    values: Filling = "normal"
    low: Figure = 0
    high: Figure = 1
    value: Figure | None = None


class KernelLaunch(Struct, frozen=True, forbid_unknown_fields=True):
    """Blocks and threads along x, y, z, and bytes of dynamic shared memory."""

    grid: Axes
    block: Axes
    shared: Annotated[int, Meta(ge=0)] | Line = 0


class CountGate(Struct, frozen=True, forbid_unknown_fields=True):
    """A counter of the emulator, and what it must be at the first shape: `most`, `least`, both.

    `shared_conflicts`, `shared_requests`, `global_sectors` and so on add up loads, stores, atomics.
    """

    counter: Line
    most: Figure | None = None
    least: Figure | None = None
