"""Copies that threads begin and later wait for, in groups, as `cp.async` makes them.

The source is read where the copy begins, and shared memory is written where its threads wait, so
a missing or lax wait leaves the old value. As a store, a copy counts at both times: earlier reads
of the cell must be ordered before the copy begins, and later reads after the wait.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from grader.facts import fact
from grader.simt.intrinsics import arrivals
from grader.simt.machine.chunk import Chunk, ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.masks import Mask
from grader.simt.memory.pointers import Pointed, PointerCells, VectorCells, reach_target
from grader.simt.memory.reaching import Cells, uncounted
from grader.simt.memory.shared_memory import SharedBuffer
from grader.simt.program.types import FLOAT32, UINT8, Scalar, VectorType

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


class CopyGroups:
    """Copies of a chunk's threads that are under way, of one kind.

    Attributes:
        open: those since the last commit.
        groups: those that were committed, the oldest first.
    """

    def __init__(self) -> None:
        self.open: list[_Copy] = []
        self.groups: list[_Group] = []

    @staticmethod
    def of(chunk: Chunk, kind: str) -> CopyGroups:
        """Return those of a chunk; copies without a wait take place when it ends."""
        key = CopyGroups, kind
        known: CopyGroups | None = chunk.memory.get(key)
        if known is None:
            known = chunk.memory[key] = CopyGroups()
            chunk.at_end.append(known._finish_all)
        return known

    def begin(self, mask: Mask, finish: Callable[[], None]) -> None:
        """Add a copy of some threads, and what makes it take place."""
        self.open.append(_Copy(mask, finish))

    def commit(self, mask: Mask) -> None:
        """Make a group of the copies that these threads began since the last one."""
        self.groups.append(_Group(mask, tuple(self._take_open(mask))))

    def wait(self, mask: Mask, most: int) -> None:
        """Finish all groups of these threads but the newest ones."""
        for each in self._take_groups(mask, most):
            each.finish()

    def take(self, mask: Mask) -> list[_Copy]:
        """Take all copies of these threads out."""
        return self._take_groups(mask) + self._take_open(mask)

    def _take_groups(self, mask: Mask, most: int = 0) -> list[_Copy]:
        own = [each for each in self.groups if _is_within(each.mask, mask)]
        done = own[: max(0, len(own) - most)]
        self.groups = [each for each in self.groups if each not in done]
        return [each for group in done for each in group.copies]

    def _take_open(self, mask: Mask) -> list[_Copy]:
        own = [each for each in self.open if _is_within(each.mask, mask)]
        self.open = [each for each in self.open if each not in own]
        return own

    def _finish_all(self) -> None:
        for each in [*(each for group in self.groups for each in group.copies), *self.open]:
            each.finish()


def _is_within(part: Mask, whole: Mask) -> bool:
    return whole.lanes is None or part is whole or not (part.full & ~whole.full).any()


def _copies(here: ExecutionPoint) -> CopyGroups:
    return CopyGroups.of(here.chunk, "cp.async")


def begin(
    kind: VectorType | Scalar, here: ExecutionPoint, to: Value, source: Value, *size: Value
) -> None:
    """Read what is copied; bytes from `size` on are zeros, and are not read."""
    words = kind.size if isinstance(kind, VectorType) else 1
    found: tuple[Value, ...] = (np.zeros((1, 1), FLOAT32),) * words
    whole, part = (here.mask, None) if not size else here.mask.split(size[0] >= WORD * words)
    if whole is not None:
        cells = reach_target(kind, source, (), here._replace(mask=whole))
        if cells is not None and _is_in("global", cells, here):
            value = cells.load()
            found = value if isinstance(value, tuple) else (value,)
    if part is not None:
        there = here._replace(mask=part)
        found = tuple(
            np.where(part.full, _read_part(there, source, WORD * at, size[0]), word)
            for at, word in enumerate(found)
        )
    copied: Any = found if isinstance(kind, VectorType) else found[0]
    cells = reach_target(kind, to, (), here)
    if cells is None or not _is_in("shared", cells, here):
        return
    # Both stores go to the same cells; what is wrong with the others has been reported.
    again = reach_target(kind, to, (), uncounted(here._replace(mask=cells.mask)))
    assert again is not None
    clear, begun = _mark_in_flight(again, here), arrivals.snapshot_clock(here.chunk)

    def finish() -> None:
        clear()
        arrivals.finish_at(here.chunk, begun, partial(cells.store, copied))
        again.store(copied)

    _copies(here).begin(here.mask, finish)


def _read_part(here: ExecutionPoint, source: Value, at: int, size: Value) -> Value:
    """Read a word of which threads want some bytes, or none; the others are zeros."""
    octets = np.zeros((here.chunk.blocks, here.chunk.threads, WORD), UINT8)
    for place in range(WORD):
        wanted, _ = here.mask.split(size > at + place)
        if wanted is not None:
            own = uncounted(here._replace(mask=wanted))
            cells = reach_target(UINT8, source + at + place, (), own)
            if cells is not None and not isinstance(cells, VectorCells):
                octets[..., place] = np.where(cells.mask.full, cells.load(), 0)
    return np.ascontiguousarray(octets.view(FLOAT32)[..., 0])


def _is_in(space: str, cells: Pointed, here: ExecutionPoint) -> bool:
    """Test whether a copy goes from global to shared memory, and report it if not."""
    inner = cells.words[0] if isinstance(cells, VectorCells) else cells
    found = inner.cells.space if isinstance(inner, PointerCells) else inner.space
    if found != space:
        what = fact("finding.copy-space", space=found, wanted=space)
        here.report("out-of-bounds", cells.mask.full, what, topic="copy")
    return found == space


def _mark_in_flight(target: Pointed, here: ExecutionPoint) -> Callable[[], None]:
    """Note where copies will clear; return what forgets it."""
    cells = target.words[0] if isinstance(target, VectorCells) else target
    if not isinstance(cells, Cells) or not isinstance(cells.buffer, SharedBuffer):
        return lambda: None
    buffer, index, there = cells.buffer, cells.index, cells.here
    buffer.mark_in_flight(index, there._replace(site=here.site))
    return lambda: buffer.clear_in_flight(index, there)


def commit(here: ExecutionPoint) -> None:
    """Make a group of the copies that these threads began since the last one."""
    _copies(here).commit(here.mask)


def wait(most: int, here: ExecutionPoint) -> None:
    """Finish all groups of these threads but the newest ones."""
    _copies(here).wait(here.mask, most)


def wait_all(here: ExecutionPoint) -> None:
    """Finish all copies of these threads."""
    for each in _copies(here).take(here.mask):
        each.finish()


def arrive(here: ExecutionPoint, barrier: Value, *, counted: bool) -> None:
    """Let threads arrive at a barrier once all that they copy is there.

    Args:
        here: the threads, and where.
        barrier: its address.
        counted: True if the barrier expects these arrivals already.
    """
    own = _copies(here).take(here.mask)

    def finish(_mask: Mask) -> None:
        while own:
            own.pop(0).finish()

    one = np.ones((1, 1), dtype=np.int64)
    if not counted:
        arrivals.expect_arrivals(here, barrier, one)
    arrivals.report_copy(here, barrier, finish, arrives=one)
