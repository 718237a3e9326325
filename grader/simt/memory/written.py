"""Which bytes of global memory anything has written, for allocations that begin uninitialized.

An allocation that is written as a whole, as by a copy, has nothing to look at: launches pay only
for memory of which some bytes are unwritten. Knows nothing of reports.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.simt.masks import Bools
from grader.simt.program.types import Scalar


class WrittenRows(NamedTuple):
    """Some bytes of an allocation: rows of `width` bytes that begin `pitch` bytes apart."""

    first: int
    pitch: int
    width: int
    height: int


class WrittenBytes:
    """The bytes of one allocation that were written.

    Attributes:
        start: the address of its first byte in this process.
        bytes: (size,): True where a byte was written; None once all are.
    """

    def __init__(self, start: int, size: int) -> None:
        self.start = start
        self.size = size
        self.bytes: Bools | None = np.zeros(size, np.bool_)

    @classmethod
    def of_elements(cls, start: int, written: Bools, width: int) -> WrittenBytes:
        """Make it from the elements of `width` bytes that were written, in the order of memory."""
        made = cls(start, 0)
        made.size, made.bytes = written.size * width, np.repeat(written, width)
        return made

    def is_whole(self) -> bool:
        """Return True if every byte was written."""
        if self.bytes is not None and self.bytes.all():
            self.bytes = None
        return self.bytes is None

    def mark(self, rows: WrittenRows) -> None:
        """Record that the host wrote some bytes."""
        if rows.width * rows.height == self.size:
            self.bytes = None
        elif self.bytes is not None:
            _rows_of(self.bytes, rows)[...] = True

    def mark_copy(self, rows: WrittenRows, source: WrittenBytes, origin: WrittenRows) -> None:
        """Record that some bytes were copied from an allocation, of which some may be unwritten."""
        if source.bytes is None or (there := _rows_of(source.bytes, origin)).all():
            self.mark(rows)
            return
        if self.bytes is None:
            self.bytes = np.ones(self.size, np.bool_)
        _rows_of(self.bytes, rows)[...] = there.copy()


def _rows_of(memory: Bools, rows: WrittenRows) -> Bools:
    part = memory[rows.first :]
    return np.lib.stride_tricks.as_strided(part, (rows.height, rows.width), (rows.pitch, 1))


def find_bytes(known: Iterable[WrittenBytes], low: int, high: int) -> Bools | None:
    """Return which bytes between two addresses were written; None if all were, or nobody knows."""
    for each in known:
        if each.bytes is not None and each.start <= low < high <= each.start + each.size:
            return each.bytes[low - each.start : high - each.start]
    return None


class WrittenElements:
    """The same bytes, as the elements of a buffer."""

    def __init__(self, written: Bools, dtype: Scalar, unit: int) -> None:
        """View the bytes.

        Args:
            written: of the buffer's memory.
            dtype: of its elements.
            unit: bytes from one element to the next.
        """
        count = max(0, (written.size - dtype.itemsize) // unit + 1)
        self.bytes = written
        self.elements = np.ndarray((count,), dtype, written.view(np.uint8), strides=(unit,))
        self.whole = np.ones(dtype.itemsize, np.uint8).view(dtype)[0]
        """What an element looks like all of whose bytes were written."""

    def mark(self, cells: slice | NDArray[np.integer]) -> None:
        """Record that threads wrote some elements."""
        self.elements[cells] = self.whole

    def count_prefix(self) -> int:
        """Return how many bytes at the start are written, before the first that is not."""
        return int(np.argmin(self.bytes))
