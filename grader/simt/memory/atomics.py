"""Atomic operations by many threads at once, as if one after the other in the order of threads.

Knows nothing of what is found.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.memory.views import AtomicUpdate, Vector

_THREAD, _TURN = 100, 10_000
"""Operations for each thread, and for each turn where threads of one cell take turns."""


def run_atomic(
    memory: NDArray[Any],
    cells: NDArray[np.integer[Any]],
    here: ExecutionPoint,
    update: AtomicUpdate,
) -> Vector:
    """Change memory, and return what each thread read before its turn, (blocks, threads).

    Args:
        memory: (n,), changed in place.
        cells: of the threads of the mask, in their order.
    """
    launch = here.chunk.launch
    if not update.strength.writes:
        there = np.zeros((here.mask.blocks, here.mask.threads), dtype=memory.dtype)
        there[here.mask.full] = memory[cells]
        return there
    if not launch.watching:
        return _run(memory, cells, here, update)
    before = memory[cells]
    found = _run(memory, cells, here, update)
    launch.changes += before.tobytes() != memory[cells].tobytes()
    return found


def _run(
    memory: NDArray[Any],
    cells: NDArray[np.integer[Any]],
    here: ExecutionPoint,
    update: AtomicUpdate,
) -> Vector:
    mask = here.mask
    shape = (mask.blocks, mask.threads)
    full = mask.full
    here.chunk.charge(_THREAD * len(cells))
    given = [np.broadcast_to(operand, shape)[full] for operand in update.operands]
    old = np.zeros(shape, dtype=memory.dtype)
    whole = update.whole
    if update.keeps_nan and np.isnan(memory[cells]).any():
        whole = None
    if whole is not None and not update.used:
        whole.at(memory, cells, given[0])
        return old
    order = np.argsort(cells, kind="stable")
    in_order = cells[order]
    starts = np.flatnonzero(np.r_[True, in_order[1:] != in_order[:-1]])
    turns = _Turns(in_order, starts, np.diff(np.r_[starts, len(cells)]))
    sorted_given = [argument[order] for argument in given]
    if whole is not None and len(starts) < int(turns.lengths.max()):
        before = _update_by_cell(memory, turns, sorted_given[0], whole)
    else:
        here.chunk.charge(_TURN * int(turns.lengths.max()))
        before = _update_by_turn(memory, turns, sorted_given, update)
    read = np.empty_like(before)
    read[order] = before
    old[full] = read
    return old


class _Turns(NamedTuple):
    """Sort threads by cell, those of one cell in their order."""

    cells: NDArray[Any]
    starts: NDArray[Any]
    lengths: NDArray[Any]


def _update_by_cell(memory: NDArray[Any], turns: _Turns, given: Vector, whole: np.ufunc) -> Vector:
    """Take all turns of a cell at once, for few cells with many threads each."""
    before = np.empty(len(turns.cells), dtype=memory.dtype)
    for start, length in zip(turns.starts.tolist(), turns.lengths.tolist(), strict=True):
        cell = turns.cells[start]
        chain = np.empty(length + 1, dtype=memory.dtype)
        chain[0] = memory[cell]
        chain[1:] = given[start : start + length]
        chain = whole.accumulate(chain, dtype=memory.dtype)
        before[start : start + length] = chain[:-1]
        memory[cell] = chain[-1]
    return before


def _update_by_turn(
    memory: NDArray[Any], turns: _Turns, given: list[Vector], update: AtomicUpdate
) -> Vector:
    """Take the first thread of every cell, then the second of each, and so on."""
    before = np.empty(len(turns.cells), dtype=memory.dtype)
    for turn in range(int(turns.lengths.max())):
        at = turns.starts[turns.lengths > turn] + turn
        where = turns.cells[at]
        old = memory[where]
        before[at] = old
        memory[where] = update.apply(old, *(argument[at] for argument in given)).astype(
            memory.dtype
        )
    return before
