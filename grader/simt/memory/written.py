"""Which bytes of global memory anything has written, for allocations that begin uninitialized.

An allocation that is written as a whole, as by a copy, has nothing to look at: launches pay only
for memory of which some bytes are unwritten. Knows nothing of reports.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.simt.checks.access_runs import as_slice
from grader.simt.masks import Bools
from grader.simt.program.types import Scalar

_MOST_SPANS = 32
"""Of an allocation; of more, each byte has its own entry."""


class WrittenRows(NamedTuple):
    """Some bytes of an allocation: rows of `width` bytes that begin `pitch` bytes apart."""

    first: int
    pitch: int
    width: int
    height: int


class WrittenBytes:
    """The bytes of one allocation that were written: some spans, or a bool for each.

    Attributes:
        start: the address of its first byte in this process.
    """

    def __init__(self, start: int, size: int) -> None:
        self.start = start
        self.size = size
        self._spans: list[tuple[int, int]] | None = []
        """In their order, with gaps between them; None if each byte has a bool."""
        self._bytes: Bools = np.zeros(0, np.bool_)

    @classmethod
    def of_elements(cls, start: int, written: Bools, width: int) -> WrittenBytes:
        """Make it from the elements of `width` bytes that were written, in the order of memory."""
        made = cls(start, written.size * width)
        if written.any():
            made._spans, made._bytes = None, np.repeat(written, width)
        return made

    def is_whole(self) -> bool:
        """Return True if every byte was written."""
        if self._spans is None and self._bytes.all():
            self._spans = [(0, self.size)]
        return self.holds(0, self.size)

    @property
    def bytes(self) -> Bools:
        """(size,): True where a byte was written, to be changed in place."""
        if self._spans is not None:
            self._bytes = np.zeros(self.size, np.bool_)
            for first, last in self._spans:
                self._bytes[first:last] = True
            self._spans = None
        return self._bytes

    def holds(self, first: int, last: int) -> bool:
        """Return True if it is known in short that all bytes before `last` were written."""
        spans = self._spans
        if spans is None:
            return False
        return first >= last or any(start <= first and last <= end for start, end in spans)

    def mark_span(self, first: int, last: int) -> None:
        """Record that the bytes from `first` to one before `last` were written."""
        if self._spans is None:
            self._bytes[first:last] = True
            return
        apart = [each for each in self._spans if each[1] < first or last < each[0]]
        met = [each for each in self._spans if each not in apart]
        first, last = min([first, *(a for a, _ in met)]), max([last, *(b for _, b in met)])
        self._spans = [*apart, (first, last)]
        if len(self._spans) > _MOST_SPANS:
            _ = self.bytes

    def mark(self, rows: WrittenRows) -> None:
        """Record that the host wrote some bytes."""
        if rows.height == 1 or rows.width == rows.pitch:
            self.mark_span(rows.first, rows.first + rows.width * rows.height)
        elif not self.holds(0, self.size):
            _rows_of(self.bytes, rows)[...] = True

    def mark_copy(self, rows: WrittenRows, source: WrittenBytes, origin: WrittenRows) -> None:
        """Record that some bytes were copied from an allocation, of which some may be unwritten."""
        if source.holds(0, source.size) or (there := _rows_of(source.bytes, origin)).all():
            self.mark(rows)
        else:
            _rows_of(self.bytes, rows)[...] = there.copy()


def _rows_of(memory: Bools, rows: WrittenRows) -> Bools:
    part = memory[rows.first :]
    return np.lib.stride_tricks.as_strided(part, (rows.height, rows.width), (rows.pitch, 1))


class WrittenPart(NamedTuple):
    """Some bytes of an allocation, of which not all were written."""

    whole: WrittenBytes
    first: int
    size: int

    @property
    def bytes(self) -> Bools:
        """As of `WrittenBytes`."""
        return self.whole.bytes[self.first : self.first + self.size]

    def holds(self, first: int, last: int) -> bool:
        """As of `WrittenBytes`."""
        return self.whole.holds(self.first + first, self.first + last)

    def mark_span(self, first: int, last: int) -> None:
        """As of `WrittenBytes`."""
        self.whole.mark_span(self.first + first, self.first + last)


def find_part(known: Iterable[WrittenBytes], low: int, high: int) -> WrittenPart | None:
    """Find what was written between two addresses; None if all was, or nobody knows."""
    for each in known:
        if each.start <= low < high <= each.start + each.size and not each.holds(0, each.size):
            return WrittenPart(each, low - each.start, high - low)
    return None


class WrittenElements:
    """The same bytes, as the elements of a buffer. `part`: of the buffer's memory."""

    def __init__(self, part: WrittenPart, dtype: Scalar, unit: int) -> None:
        """View the bytes.

        Args:
            part: of the buffer's memory.
            unit: bytes from one element to the next.
        """
        self.part = part
        self._dtype = dtype
        self._unit = unit
        self.whole = np.ones(dtype.itemsize, np.uint8).view(dtype)[0]
        """What an element looks like all of whose bytes were written."""

    @property
    def elements(self) -> NDArray[Any]:
        """What is known of each element."""
        count = max(0, (self.part.size - self._dtype.itemsize) // self._unit + 1)
        written = self.part.bytes.view(np.uint8)
        return np.ndarray((count,), self._dtype, written, strides=(self._unit,))

    def mark(self, cells: slice | NDArray[np.integer[Any]]) -> None:
        """Record that threads wrote some elements."""
        run = cells if isinstance(cells, slice) else as_slice(cells)
        if run is not None and run.step in (None, 1) and self._unit == self._dtype.itemsize:
            self.part.mark_span(run.start * self._unit, run.stop * self._unit)
        else:
            self.elements[cells] = self.whole

    def holds(self, first: int, last: int) -> bool:
        """Return True if it is known in short that all elements up to `last` were written."""
        return self.part.holds(first * self._unit, last * self._unit + self._dtype.itemsize)

    def count_prefix(self) -> int:
        """Return how many bytes at the start are written, before the first that is not."""
        return int(np.argmin(self.part.bytes))
