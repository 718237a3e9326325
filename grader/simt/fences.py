"""What `threadfence` and atomics order between blocks: writes before a fence, seen after an atomic.

A block that changes something atomically may read what other threads wrote before a fence of
theirs: the pattern of the last block that adds up what all blocks left. Whether it was *that*
atomic is not known here: where there is a fence on one side and an atomic on the other, no race is
reported.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]


class Fences:
    """How often each thread of the grid has fenced, and which blocks have used an atomic."""

    def __init__(self, blocks: int, threads: int) -> None:
        self._threads = threads
        self._count: NDArray[np.int32] = np.zeros(blocks * threads + 1, dtype=np.int32)
        self._acquired: NDArray[np.bool_] = np.zeros(blocks, dtype=np.bool_)

    def fence(self, thread: Ints) -> None:
        """Threads, numbered from 1, are at a fence."""
        self._count[thread] += 1

    def acquire(self, thread: Ints) -> None:
        """Threads change something atomically."""
        self._acquired[(thread - 1) // self._threads] = True

    def count(self, thread: Ints) -> NDArray[np.int32]:
        """How often threads have fenced."""
        return self._count.take(thread)

    def seen(self, writer: Ints, when: Ints, reader: Ints) -> NDArray[np.bool_]:
        """Whether what writers did, when they had fenced so often, may be seen by readers."""
        released = self._count.take(writer) > when
        return released & self._acquired.take((reader - 1) // self._threads)
