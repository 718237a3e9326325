"""Records what one thread's variables and arrays hold where it executes a source line.

A kernel that is compiled with a `Recorder` tells it of each value that a variable gets, and of each
execution of the line; without one, nothing of this is compiled, and a launch costs nothing more.
Changes no value, no count and no finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.frozen import frozen
from grader.simt.geometry import Three
from grader.simt.machine.frame import Execute, Frame, Value
from grader.simt.masks import Bools, Mask
from grader.simt.memory.local_memory import LocalBuffer
from grader.simt.memory.shared_memory import SharedBuffer
from grader.simt.memory.views import Extent, View
from grader.simt.program.memory import DeclaredArray

MOST_CELLS = 64
"""Of an array along each of its last two axes; of axes before, all together."""
_MOST_ARRAYS = 16
_SEEN = object()
Store = Callable[[Frame, Mask, Value], None]


@frozen
class Moment:
    """A thread that executes a line of the kernel's own file, for the n-th time, from 1."""

    line: int
    block: Three
    thread: Three
    occurrence: int = 1


@dataclass(frozen=True, eq=False)
class RecordedArray:
    """The first elements of an array, as the thread sees it.

    Attributes:
        values: of its first elements, along two axes or one; axes before those are at 0.
        written: which of them any thread has written.
        by_line: which of them the line has written last; nothing is known of local arrays.
    """

    name: str
    space: str
    shape: tuple[int, ...]
    values: NDArray[Any]
    written: Bools
    by_line: Bools


@dataclass(eq=False)
class Recorder:
    """What there was to see at a moment.

    Attributes:
        occurrences: how often the thread has executed the line.
        variables: numbers, by name; tuples of them are Python tuples.
        arrays: shared and local ones that have a name there.
        declared: lists the arrays that the kernel declares, where variables hold pointers to them;
            None where variables hold the arrays.
    """

    moment: Moment
    occurrences: int = 0
    variables: Mapping[str, Any] = field(default_factory=dict)
    arrays: tuple[RecordedArray, ...] = ()
    declared: Callable[[], Iterable[DeclaredArray]] | None = None

    def follow(self, name: str, store: Store) -> Store:
        """Return what also tells of a value that a variable gets."""

        def store_and_note(frame: Frame, mask: Mask, value: Value) -> None:
            store(frame, mask, value)
            place = self._find_thread(frame, mask)
            if place is not None:
                frame.values.setdefault(_SEEN, {})[name] = _pick(value, place)

        return store_and_note

    def watch(
        self, lines: range, parameters: tuple[str, ...], execute: Execute, *, on_arrival: bool
    ) -> Execute:
        """Return what also records, if a statement is the one to look at.

        Args:
            lines: of the statement, in its file; of one that holds others, those before them.
            parameters: of its function that never get another value.
            on_arrival: True to record before it, as where nothing comes after.
        """
        if self.moment.line not in lines:
            return execute
        if on_arrival:

            def note_and_execute(frame: Frame, mask: Mask) -> Mask | None:
                self._note(frame, mask, parameters)
                return execute(frame, mask)

            return note_and_execute

        def execute_and_note(frame: Frame, mask: Mask) -> Mask | None:
            left = execute(frame, mask)
            self._note(frame, mask, parameters)
            return left

        return execute_and_note

    def _find_thread(self, frame: Frame, mask: Mask) -> _Place | None:
        """Return where the thread is among those of a mask; None if it is not."""
        chunk = frame.chunk
        (gx, gy, _), (bx, by, _) = chunk.geometry.grid, chunk.geometry.block
        x, y, z = self.moment.block
        row = x + gx * (y + gy * z) - chunk.first_block
        x, y, z = self.moment.thread
        column = x + bx * (y + by * z)
        if not (0 <= row < chunk.blocks and column < chunk.threads) or not mask.full[row, column]:
            return None
        return _Place(row, column, (chunk.blocks, chunk.threads))

    def _note(self, frame: Frame, mask: Mask, parameters: tuple[str, ...]) -> None:
        place = self._find_thread(frame, mask)
        if place is None:
            return
        self.occurrences += 1
        if self.occurrences != self.moment.occurrence:
            return
        given = {name: _pick(frame.values.get(name), place) for name in parameters}
        known = given | frame.values.get(_SEEN, {})
        self.variables = {name: value for name, value in known.items() if _is_number(value)}
        self.arrays = tuple(islice(self._arrays(known, frame, place), _MOST_ARRAYS))

    def _arrays(
        self, known: Mapping[str, Any], frame: Frame, place: _Place
    ) -> Iterator[RecordedArray]:
        sites = frame.chunk.launch.sites
        ours = [site.number for site in sites if not site.file and site.line == self.moment.line]
        if self.declared is not None:
            known = {array.label: frame.chunk.memory.get(array) for array in self.declared()}
        for name, view in known.items():
            if not isinstance(view, View) or not view.shape or 0 in view.shape:
                continue
            cells = _first_cells(view)
            match view.buffer:
                case SharedBuffer() as buffer:
                    values, written, last = buffer.look(place.row, cells)
                    by_line = np.isin(last, ours)
                case LocalBuffer() as buffer:
                    values, written = buffer.look(place.row, place.column, cells)
                    by_line = np.zeros_like(written)
                case _:
                    continue
            shape = tuple(int(size) for size in view.shape)
            space = view.buffer.watched.space
            yield RecordedArray(name, space, shape, values, written, by_line)


class _Place(NamedTuple):
    """A thread in a chunk of some size, (blocks, threads)."""

    row: int
    column: int
    size: tuple[int, int]


def _pick(value: Value, place: _Place) -> Any:
    """Return the value of one thread: a number, a tuple, or an array as this thread sees it."""
    if isinstance(value, tuple):
        return tuple(_pick(part, place) for part in value)
    if isinstance(value, np.ndarray):
        return np.broadcast_to(value, place.size)[place.row, place.column]
    if isinstance(value, View):
        offset = _pick_extent(value.offset, place)
        shape = tuple(_pick_extent(size, place) for size in value.shape)
        strides = tuple(_pick_extent(stride, place) for stride in value.strides)
        return View(value.buffer, offset, shape, strides)
    return None  # one of several arrays, or nothing


def _pick_extent(extent: Extent, place: _Place) -> int:
    return int(np.broadcast_to(extent, place.size)[place.row, place.column])


def _is_number(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_number, value))
    return isinstance(value, np.generic)


def _first_cells(view: View) -> NDArray[np.int64]:
    """Return the cells of the first elements along the last two axes, or the last one."""
    axes = zip(view.shape[-2:], view.strides[-2:], strict=True)
    steps = [np.arange(min(int(size), MOST_CELLS)) * int(stride) for size, stride in axes]
    cells = steps[0] if len(steps) == 1 else np.add.outer(*steps)
    return np.asarray(cells + int(view.offset), dtype=np.int64)
