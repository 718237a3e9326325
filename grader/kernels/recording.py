"""Looks at one thread of a submission in one line: its variables, and the arrays that it sees.

A run of its own, at one of the problem's shapes, when somebody asks for it; nothing is graded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from msgspec import Meta

from grader.kernels.inputs import make_arguments
from grader.kernels.problem import OPERATIONS, Problem, evaluate_integer, evaluate_sizes
from grader.kernels.submission import read_submission
from grader.mistakes import Mistake
from grader.simt import InvalidLaunch, Moment, RecordedArray, Recorder, SimtError, launch
from grader.wire import Count, Name, Text

MOST_VARIABLES, MOST_ARRAYS, MOST_CELLS = 100, 16, 4096
CellState = Literal["never", "earlier", "here"]
"""Who has written a cell last: no thread, another line, or the line that is looked at."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of a thread: its type and its value, as text."""

    name: Name
    dtype: Name
    value: Text


@dataclass(frozen=True, slots=True)
class ArrayTile:
    """The first elements of an array, along its last two axes or its only one.

    Attributes:
        space: `shared`, or `local` for the thread's own.
        shape: of the whole array.
        columns: how many of the cells stand in a row.
        cells: as text, row after row.
    """

    name: Name
    space: Literal["shared", "local"]
    dtype: Name
    shape: tuple[Count, ...]
    columns: Count
    cells: Annotated[tuple[Name, ...], Meta(max_length=MOST_CELLS)]
    states: Annotated[tuple[CellState, ...], Meta(max_length=MOST_CELLS)]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a thread saw in a line.

    Attributes:
        occurrences: how often the thread gets to the line; 0: never.
        variables, arrays: those of the moment; empty if it does not come.
    """

    occurrences: Count
    variables: Annotated[tuple[Variable, ...], Meta(max_length=MOST_VARIABLES)] = ()
    arrays: Annotated[tuple[ArrayTile, ...], Meta(max_length=MOST_ARRAYS)] = ()


def record(problem: Problem, source: str, moment: Moment, run: int = 0) -> Snapshot | None:
    """Run a submission and look at one thread. `run`: at which of the problem's shapes.

    Returns:
        What was seen; None if the submission cannot be run, or is compiled: without variables.
    """
    if problem.language == "triton":
        return None
    shape, recorder = problem.shapes[run], Recorder(moment)
    try:
        submission = read_submission(problem, source)
        kernel, arguments, _ = submission.prepare(make_arguments(problem, run), shape, recorder)
        with np.errstate(all="ignore"):
            launch(
                kernel,
                evaluate_sizes(problem.grid, shape, ("launch", "grid")),
                evaluate_sizes(problem.block, shape, ("launch", "block")),
                arguments,
                shared_bytes=evaluate_integer(problem.shared, shape, ("launch", "shared")),
                budget=problem.operations or OPERATIONS,
            )
    except (Mistake, InvalidLaunch, SimtError, MemoryError):
        return None
    return _describe(recorder)


def _describe(recorder: Recorder) -> Snapshot:
    variables = [
        Variable(name, _dtype(value), _format(value)) for name, value in recorder.variables.items()
    ]
    arrays = [_tile(array) for array in recorder.arrays]
    return Snapshot(
        recorder.occurrences, tuple(variables[:MOST_VARIABLES]), tuple(arrays[:MOST_ARRAYS])
    )


def _dtype(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_dtype, value))})"
    return str(value.dtype)


def _format(value: Any) -> str:
    """Write a value: all digits of an integer, of a float as many as tell it from others."""
    if isinstance(value, tuple):
        return f"({', '.join(map(_format, value))})"
    return str(value)


def _tile(array: RecordedArray) -> ArrayTile:
    """Write the cells short: a tile is to be seen as a whole."""
    flat = array.values.reshape(-1).tolist()
    cells = tuple(f"{cell:.3g}" if isinstance(cell, float) else str(cell) for cell in flat)
    states: tuple[CellState, ...] = tuple(
        "here" if here else "earlier" if written else "never"
        for written, here in zip(array.written.flat, array.by_line.flat, strict=True)
    )
    space: Literal["shared", "local"] = "shared" if array.space == "shared" else "local"
    columns = array.values.shape[-1]
    return ArrayTile(
        array.name, space, str(array.values.dtype), array.shape, columns, cells, states
    )
