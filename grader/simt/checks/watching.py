"""What one thread reads before it writes one element: kept while a launch is run again."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_KEPT = 64
"""Reads before a write; older ones are forgotten."""


@dataclass(frozen=True, slots=True)
class Read:
    """One read: which element of which array, its value, and where; the kernel's file is ""."""

    array: str
    index: tuple[int, ...]
    value: Any
    line: int
    column: int
    file: str = ""


class Watch:
    """A thread and an element whose reads are kept.

    Attributes:
        thread: number in the grid, from 1.
        label, cell: the array's memory, and the element in it.
        reads: what the thread had read since its write before, when it wrote the element last.
    """

    def __init__(self, thread: int, label: str, cell: int) -> None:
        self.thread = thread
        self.label = label
        self.cell = cell
        self.reads: tuple[Read, ...] = ()
        self._loads: deque[Read] = deque(maxlen=_KEPT)

    def lane(self, first: int, lanes: NDArray[np.bool_]) -> int | None:
        """Find the thread among those of a chunk, if it is one of `lanes`.

        Args:
            first: number of the chunk's first thread in the grid, from 1.
            lanes: (blocks, threads) those that take part.
        """
        lane = self.thread - first
        there = 0 <= lane < lanes.size and bool(lanes.flat[lane])
        return lane if there else None

    def loaded(self, read: Read) -> None:
        """Note that the thread has read an element."""
        self._loads.append(read)

    def stored(self, label: str, cell: int) -> None:
        """Note that the thread has written to global memory."""
        if (label, cell) == (self.label, self.cell):
            self.reads = tuple(self._loads)
        self._loads.clear()
