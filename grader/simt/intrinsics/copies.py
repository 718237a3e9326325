"""Copies that threads begin and later wait for, in groups, as `cp.async` makes them.

The source is read where the copy begins, and shared memory is written where its threads wait, so
that a wait that is missing or too lax leaves what was there before. As a store it counts for both
times: who read the cell must be ordered before the copy begins, who reads it then behind the wait.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from grader.simt.intrinsics import arrivals
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.masks import Mask
from grader.simt.memory.pointers import reach_target
from grader.simt.memory.reaching import uncounted
from grader.simt.program.types import FLOAT32, Scalar, VectorType

WORD = 4
SIZES = (4, 8, 16)
"""Bytes of a copy."""


def kind_of(size: int) -> VectorType | Scalar:
    """Return what is copied at once, as words."""
    return FLOAT32 if size == WORD else VectorType(FLOAT32, size // WORD)


class _Copy(NamedTuple):
    mask: Mask
    finish: Callable[[], None]


class _Group(NamedTuple):
    mask: Mask
    copies: tuple[_Copy, ...]


class _Copies:
    """Copies of a chunk's threads that are under way.

    Attributes:
        open: those since the last commit.
        groups: those that were committed, the oldest first.
    """

    def __init__(self) -> None:
        self.open: list[_Copy] = []
        self.groups: list[_Group] = []


def _copies(here: ExecutionPoint) -> _Copies:
    known: _Copies | None = here.chunk.memory.get(_Copies)
    if known is None:
        known = here.chunk.memory[_Copies] = _Copies()
        here.chunk.at_end.append(partial(_finish_all, known))
    return known


def _finish_all(copies: _Copies) -> None:
    """Let the copies take place that nobody waited for: who read the cell meanwhile raced."""
    for each in [*(each for group in copies.groups for each in group.copies), *copies.open]:
        each.finish()


def _is_within(part: Mask, whole: Mask) -> bool:
    return whole.lanes is None or part is whole or not (part.full & ~whole.full).any()


def begin(
    kind: VectorType | Scalar, here: ExecutionPoint, to: Value, source: Value, *size: Value
) -> None:
    """Read what is copied; bytes from `size` on are zeros."""
    words = kind.size if isinstance(kind, VectorType) else 1
    zeros = (np.zeros((1, 1), FLOAT32),) * words
    reads = here.mask.split(size[0] != 0)[0] if size else here.mask
    found: tuple[Value, ...] = zeros
    if reads is not None:
        cells = reach_target(kind, source, (), here._replace(mask=reads))
        if cells is not None:
            value = cells.load()
            found = value if isinstance(value, tuple) else (value,)
    if size:
        found = tuple(
            np.where(size[0] >= WORD * (at + 1), word, FLOAT32.type(0))
            for at, word in enumerate(found)
        )
    whole: Any = found if isinstance(kind, VectorType) else found[0]

    begun = arrivals.moment(here.chunk)

    def finish() -> None:
        cells = reach_target(kind, to, (), here)
        if cells is not None:
            arrivals.finish_at(here.chunk, begun, partial(cells.store, whole))
            again = reach_target(kind, to, (), uncounted(here))
            assert again is not None  # as above
            again.store(whole)

    _copies(here).open.append(_Copy(here.mask, finish))


def commit(here: ExecutionPoint) -> None:
    """Make a group of the copies that these threads began since the last one."""
    copies = _copies(here)
    own = tuple(each for each in copies.open if _is_within(each.mask, here.mask))
    copies.open = [each for each in copies.open if each not in own]
    copies.groups.append(_Group(here.mask, own))


def wait(most: int, here: ExecutionPoint, *, all_of_them: bool = False) -> None:
    """Finish all groups of these threads but the newest ones."""
    copies = _copies(here)
    own = [each for each in copies.groups if _is_within(each.mask, here.mask)]
    done = own[: max(0, len(own) - most)]
    copies.groups = [each for each in copies.groups if each not in done]
    finished = [each for group in done for each in group.copies]
    if all_of_them:
        finished += [each for each in copies.open if _is_within(each.mask, here.mask)]
        copies.open = [each for each in copies.open if each not in finished]
    for each in finished:
        each.finish()


def arrive(here: ExecutionPoint, barrier: Value, *, counted: bool) -> None:
    """Let threads arrive at a barrier once all that they copy is there.

    Args:
        here: the threads, and where.
        barrier: its address.
        counted: True if the barrier expects these arrivals already.
    """
    copies = _copies(here)
    own = [each for each in copies.open if _is_within(each.mask, here.mask)]
    copies.open = [each for each in copies.open if each not in own]
    for group in [each for each in copies.groups if _is_within(each.mask, here.mask)]:
        copies.groups.remove(group)
        own += group.copies

    def finish(_mask: Mask) -> None:
        while own:
            own.pop(0).finish()

    one = np.ones((1, 1), dtype=np.int64)
    if not counted:
        arrivals.await_more(here, barrier, one)
    arrivals.report_copy(here, barrier, finish, arrives=one)
