"""Atomic operations by many threads at once, as if one after the other in the order of threads.

Knows nothing of what is counted or found.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.simt.masks import Mask
from grader.simt.views import AtomicUpdate, Vector


def carried_out(
    memory: NDArray[Any], cells: NDArray[np.integer[Any]], mask: Mask, update: AtomicUpdate
) -> Vector:
    """Change memory; what each thread read before its turn, (blocks, threads).

    Args:
        memory: (n,), changed in place.
        cells: of the threads of the mask, in their order.
        mask: who.
        update: what is done.
    """
    shape = (mask.blocks, mask.threads)
    full = mask.full
    given = [np.broadcast_to(one, shape)[full] for one in update.operands]
    old = np.zeros(shape, dtype=memory.dtype)
    if update.whole is not None and not update.used:
        update.whole.at(memory, cells, given[0])
        return old
    order = np.argsort(cells, kind="stable")
    sorted_cells = cells[order]
    starts = np.flatnonzero(np.r_[True, sorted_cells[1:] != sorted_cells[:-1]])
    lengths = np.diff(np.r_[starts, len(cells)])
    before = np.empty(len(cells), dtype=memory.dtype)
    if update.whole is not None and len(starts) < int(lengths.max()):
        _by_cell(memory, sorted_cells, starts, lengths, given[0][order], before, update.whole)
    else:
        _by_turn(
            memory, sorted_cells, starts, lengths, [one[order] for one in given], before, update
        )
    in_order = np.empty_like(before)
    in_order[order] = before
    old[full] = in_order
    return old


def _by_cell(
    memory: NDArray[Any],
    cells: NDArray[Any],
    starts: NDArray[Any],
    lengths: NDArray[Any],
    given: Vector,
    before: Vector,
    whole: np.ufunc,
) -> None:
    """All turns of one cell at once: few cells, many threads on each."""
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        cell = cells[start]
        chain = np.empty(length + 1, dtype=memory.dtype)
        chain[0] = memory[cell]
        chain[1:] = given[start : start + length]
        chain = whole.accumulate(chain, dtype=memory.dtype)
        before[start : start + length] = chain[:-1]
        memory[cell] = chain[-1]


def _by_turn(
    memory: NDArray[Any],
    cells: NDArray[Any],
    starts: NDArray[Any],
    lengths: NDArray[Any],
    given: list[Vector],
    before: Vector,
    update: AtomicUpdate,
) -> None:
    """The first thread of every cell, then the second of each, and so on."""
    for turn in range(int(lengths.max())):
        at = starts[lengths > turn] + turn
        where = cells[at]
        old = memory[where]
        before[at] = old
        memory[where] = update.apply(old, *(one[at] for one in given)).astype(memory.dtype)
