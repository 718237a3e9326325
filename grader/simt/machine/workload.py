"""Statements that each thread of a chunk executes, and how evenly a launch shares them.

Knows nothing of what the statements do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grader.simt.masks import Mask

_PENDING = 8
"""Masks that wait to be added: the statements of a loop's body have theirs in common."""
_MOST = np.iinfo(np.uint8).max


class ThreadWork:
    """Statements by thread, of some blocks."""

    def __init__(self, blocks: int, threads: int) -> None:
        self._shape = blocks, threads
        self._pending: dict[Mask, int] = {}
        self._total = np.zeros((1, 1), dtype=np.int64)
        # Bytes are added eight times faster than what `_total` has, of which there is one per mask.
        self._small: NDArray[np.uint8] | None = None
        self._most_small = 0

    def add(self, mask: Mask) -> None:
        """Count a statement, or an iteration of a loop, of the threads of a mask."""
        pending = self._pending
        pending[mask] = pending.get(mask, 0) + 1
        if len(pending) > _PENDING:
            self._settle()

    def add_each(self, counts: NDArray[np.int64]) -> None:
        """Add counts that broadcast to (blocks, threads)."""
        self._total = self._total + counts

    def by_thread(self) -> NDArray[np.int64]:
        """Return the counts, (blocks, threads)."""
        self._settle()
        self._flush()
        return np.broadcast_to(self._total, self._shape)

    def _settle(self) -> None:
        for mask, count in self._pending.items():
            if mask.lanes is None:
                self._total = self._total + count
            elif mask.rows < self._shape[0] or count > _MOST:
                self.add_each(mask.lanes * np.int64(count))
            else:
                self._add_small(mask.lanes.view(np.uint8), count)
        self._pending.clear()

    def _add_small(self, lanes: NDArray[np.uint8], count: int) -> None:
        if self._small is None or self._most_small + count > _MOST:
            self._flush()
            self._small = np.zeros(self._shape, dtype=np.uint8)
        self._small += lanes * np.uint8(count)
        self._most_small += count

    def _flush(self) -> None:
        if self._small is not None:
            self.add_each(self._small.astype(np.int64))
        self._small, self._most_small = None, 0


class LaunchWork:
    """Statements of a launch: of the busiest thread, of the busiest block, and of all."""

    def __init__(self) -> None:
        self._thread = self._block = self._all = self._blocks = 0

    def add(self, work: ThreadWork) -> None:
        """Add some blocks."""
        counts = work.by_thread()
        blocks = counts.sum(axis=1)
        self._thread = max(self._thread, int(counts.max()))
        self._block = max(self._block, int(blocks.max()))
        self._all += int(blocks.sum())
        self._blocks += len(blocks)

    def unite(self, other: LaunchWork) -> None:
        """Add the blocks of another part of the launch."""
        self._thread = max(self._thread, other._thread)
        self._block = max(self._block, other._block)
        self._all += other._all
        self._blocks += other._blocks

    def shares(self, threads: int) -> dict[str, int]:
        """Compare the busiest with the mean of the blocks that were added, in percent.

        Args:
            threads: of a block.
        """
        if not self._all:
            return {}
        return {
            "busiest_thread_percent": 100 * self._thread * self._blocks * threads // self._all,
            "busiest_block_percent": 100 * self._block * self._blocks // self._all,
        }
