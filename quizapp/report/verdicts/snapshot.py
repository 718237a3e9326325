"""What a thread's variables and arrays hold in a line: a table, and each array as a small grid.

Styled lines; knows no screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.kernels import ArrayTile, KernelGrade, Snapshot
from grader.simt import Moment
from quizapp.report.lines import Line, Role, Span, table
from quizapp.report.verdicts.steps import RecordedStep, format_position
from quizapp.report.words import Words
from quizapp.system.width import columns

Three = tuple[int, int, int]
NEVER, HERE = "·", "*"
"""A cell that no thread has written, and the sign behind one that the line wrote last."""


@dataclass(frozen=True, slots=True)
class ShownLaunch:
    """One run of a submission: which, and how large."""

    run: int
    grid: Three
    block: Three


def choose_launch(graded: KernelGrade, step: RecordedStep | None) -> ShownLaunch | None:
    """Return the run in which a step happens, else the first; None where nothing ran."""
    run = next(
        (place for place, ran in enumerate(graded.runs) if step and step.finding in ran.findings), 0
    )
    if not graded.runs:
        return None
    return ShownLaunch(run, graded.runs[run].grid, graded.runs[run].block)


def move_thread(launch: ShownLaunch, moment: Moment, threads: int, blocks: int) -> Moment:
    """Return the moment of a thread so many threads and blocks further, around at the end."""
    block = _move(moment.block, launch.grid, blocks)
    return Moment(moment.line, block, _move(moment.thread, launch.block, threads))


def _move(place: Three, sizes: Three, by: int) -> Three:
    (x, y, z), (sx, sy, sz) = place, sizes
    number = (x + sx * (y + sy * z) + by) % (sx * sy * sz)
    return number % sx, number // sx % sy, number // (sx * sy)


def lines(snapshot: Snapshot | None, moment: Moment, room: int, say: Words) -> Iterator[Line]:
    """Draw what was seen.

    `snapshot`: what was seen; None if it cannot be. `moment`: which thread, in which line.
    """
    thread, block = format_position(moment.thread), format_position(moment.block)
    yield ((say("thread.of-block", thread=thread, block=block), "bold"),)
    if snapshot is None:
        yield ((say("inspect.no-run"), "text"),)
        return
    if not snapshot.occurrences:
        yield ((say("inspect.never-there", line=moment.line), "text"),)
        return
    time = min(moment.occurrence, snapshot.occurrences)
    yield ((say("inspect.time", time=time, n=snapshot.occurrences), "dim"),)
    yield from table([
        [variable.name, variable.value, (variable.dtype, "dim")] for variable in snapshot.variables
    ], indent="  ")  # fmt: skip
    for array in snapshot.arrays:
        yield ()
        yield from _grid(array, room, say)


def _grid(array: ArrayTile, room: int, say: Words) -> Iterator[Line]:
    """Draw the cells of an array that fit, those that the line wrote among them."""
    cells = [*zip(array.cells, array.states, strict=True)]
    rows = [cells[at : at + array.columns] for at in range(0, len(cells), array.columns)]
    texts = [[_text(cell, state) for cell, state in row] for row in rows]
    size = max((columns(text) for row in texts for text in row), default=1)
    size = max(size, len(str(array.columns - 1)) + 1) + 1
    label = len(str(len(rows) - 1)) + 2
    count = max(1, (room - label) // size)
    first = _first_column(array, count)
    shown = range(first, min(first + count, array.columns))
    shape = " × ".join(map(str, array.shape))
    yield ((say("inspect.array", name=array.name, shape=shape, dtype=array.dtype), "text"),)
    if len(shown) < array.columns:
        part = say("inspect.columns", first=first, last=shown[-1], n=array.columns)
        yield ((f"  {part}", "dim"),)
    yield ((" " * label + "".join(f"{column} ".rjust(size) for column in shown), "dim"),)
    for number, (row, line) in enumerate(zip(rows, texts, strict=True)):
        spans: list[Span] = [(str(number).rjust(label - 1) + " ", "dim")]
        spans += [(line[column].rjust(size), _role(row[column][1])) for column in shown]
        yield tuple(spans)
    if array.space == "shared" and "here" in array.states:
        yield ((f"  {say('inspect.here', sign=HERE)}", "dim"),)
    if "never" in array.states:
        yield ((f"  {say('inspect.unwritten', sign=NEVER)}", "dim"),)


def _text(cell: str, state: str) -> str:
    if state == "never":
        return f"{NEVER} "
    return f"{cell}{HERE}" if state == "here" else f"{cell} "


def _role(state: str) -> Role:
    roles: dict[str, Role] = {"here": "good", "never": "dim"}
    return roles.get(state, "text")


def _first_column(array: ArrayTile, count: int) -> int:
    """Return where the window of so many columns begins: at what the line wrote, if it can."""
    here = [place % array.columns for place, state in enumerate(array.states) if state == "here"]
    return max(0, min(min(here, default=0), array.columns - count))


def find_step(known: Sequence[RecordedStep], line: int) -> RecordedStep | None:
    """Return the step of a thread in a line, if one has one there."""
    return next((step for step in known if step.line == line and step.thread), None)
