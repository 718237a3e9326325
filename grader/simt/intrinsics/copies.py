"""Copies that threads begin and later wait for, in groups, as `cp.async` makes them.

The source is read where the copy begins, and shared memory is written where its threads wait, so
a missing or lax wait leaves the old value. As a store, a copy counts at both times: earlier reads
of the cell must be ordered before the copy begins, and later reads after the wait.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from grader.facts import fact
from grader.simt.checks.counters import Site
from grader.simt.intrinsics import arrivals
from grader.simt.machine.chunk import Chunk, ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.masks import Mask
from grader.simt.memory.pointers import Pointed, PointerCells, VectorCells, reach_target
from grader.simt.memory.reaching import Cells, uncounted
from grader.simt.memory.shared_memory import SharedBuffer
from grader.simt.program.types import FLOAT32, UINT8, Scalar, VectorType

_MOST_WAITS = 8
"""Waits that are remembered of a group that they leave under way."""
WORD = 4
SIZES = (4, 8, 16)
"""Bytes of a copy."""


def kind_of(size: int) -> VectorType | Scalar:
    """Return what is copied at once, as words."""
    return FLOAT32 if size == WORD else VectorType(FLOAT32, size // WORD)


class _Copy(NamedTuple):
    """A copy of some threads, from `site`; `finish` makes it take place for those given."""

    mask: Mask
    site: Site
    finish: Callable[[Mask], None]

    def run(self) -> None:
        """Let it take place for all of its threads."""
        self.finish(self.mask)


class _Group(NamedTuple):
    """Copies that were committed together, and the waits of its threads that left it under way."""

    mask: Mask
    copies: tuple[_Copy, ...]
    waits: tuple[tuple[Mask, Site], ...] = ()


class CopyGroups:
    """Copies of a chunk's threads that are under way, of one kind.

    Threads that began or committed a copy together may wait for it apart, as blocks do whose loops
    differ in length: what they share is then split.

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

    def begin(self, here: ExecutionPoint, finish: Callable[[Mask], None]) -> None:
        """Add a copy of some threads, and what makes it take place for any of them."""
        self.open.append(_Copy(here.mask, here.site, finish))

    def commit(self, mask: Mask) -> None:
        """Make a group of the copies that these threads began since the last one."""
        self.groups.append(_Group(mask, self._take_open(mask)))

    def wait(self, here: ExecutionPoint, most: int) -> None:
        """Finish all groups of these threads but the newest ones of each."""
        for each in self._take_groups(here.mask, most):
            each.run()
        new = (here.mask, here.site)
        self.groups = [
            each._replace(waits=(*each.waits[1 - _MOST_WAITS :], new)) for each in self.groups
        ]

    def find_wait(self, copy: Site, block: int, thread: int) -> Site | None:
        """Return the last wait of a thread that left a copy of its under way; None if none did."""
        for group in self.groups:
            if any(each.site is copy and _has(each.mask, block, thread) for each in group.copies):
                own = (site for mask, site in group.waits[::-1] if _has(mask, block, thread))
                return next(own, None)
        return None

    def take(self, mask: Mask) -> list[_Copy]:
        """Take all copies of these threads out."""
        return [*self._take_groups(mask), *self._take_open(mask)]

    def _take_groups(self, mask: Mask, most: int = 0) -> list[_Copy]:
        newer = np.zeros((1, 1), np.int64)
        done, left = list[tuple[_Copy, ...]](), list[_Group]()
        for group in reversed(self.groups):
            own = _common(group.mask, mask)
            over = own and own.split(newer >= most)[0]
            if own is not None:
                newer = newer + (1 if own.lanes is None else own.lanes)
            if over is None:
                left.append(group)
                continue
            gone, kept = _divide(group.copies, over)
            done.append(gone)
            rest = group.mask.split(over.full)[1]
            if rest is not None:
                left.append(group._replace(mask=rest, copies=kept))
        self.groups = left[::-1]
        return [each for copies in reversed(done) for each in copies]

    def _take_open(self, mask: Mask) -> tuple[_Copy, ...]:
        own, others = _divide(self.open, mask)
        self.open = [*others]
        return own

    def _finish_all(self) -> None:
        for each in [*(each for group in self.groups for each in group.copies), *self.open]:
            each.run()


def _has(mask: Mask, block: int, thread: int) -> bool:
    return bool(np.broadcast_to(mask.full, (mask.blocks, mask.threads))[block, thread])


def _common(part: Mask, whole: Mask) -> Mask | None:
    """Return the threads of one mask that are in another."""
    return part if whole.lanes is None or part is whole else part.split(whole.full)[0]


def _divide(copies: Iterable[_Copy], mask: Mask) -> tuple[tuple[_Copy, ...], tuple[_Copy, ...]]:
    """Divide copies into those of some threads, and those of the others."""
    own, others = list[_Copy](), list[_Copy]()
    for each in copies:
        same = mask.lanes is None or mask is each.mask
        inside, outside = (each.mask, None) if same else each.mask.split(mask.full)
        own += () if inside is None else (each._replace(mask=inside),)
        others += () if outside is None else (each._replace(mask=outside),)
    return tuple(own), tuple(others)


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
    right = here._replace(mask=cells.mask)
    target = cells, reach_target(kind, to, (), uncounted(right))
    _mark_in_flight(target[1], here)
    begun = arrivals.snapshot_clock(here.chunk)

    def finish(mask: Mask) -> None:
        first: Pointed | None
        first, again = target
        if mask is not here.mask:
            part = right.mask.split(mask.full)[0]
            if part is None:
                return
            own = here._replace(mask=part)
            first, again = (reach_target(kind, to, (), each) for each in (own, uncounted(own)))
        assert first is not None  # it was there
        assert again is not None
        _clear_in_flight(again)
        arrivals.finish_at(here.chunk, begun, partial(first.store, copied))
        again.store(copied)

    _copies(here).begin(here, finish)


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


def _mark_in_flight(target: Pointed | None, here: ExecutionPoint) -> None:
    """Note where copies are under way."""
    for cells, buffer in _shared_cells(target):
        own = cells.here._replace(site=here.site)
        buffer.mark_in_flight(cells.index, own, _copies(here).find_wait)


def _clear_in_flight(target: Pointed) -> None:
    """Forget it."""
    for cells, buffer in _shared_cells(target):
        buffer.clear_in_flight(cells.index, cells.here)


def _shared_cells(target: Pointed | None) -> Iterator[tuple[Cells, SharedBuffer]]:
    cells = target.words[0] if isinstance(target, VectorCells) else target
    if isinstance(cells, Cells) and isinstance(cells.buffer, SharedBuffer):
        yield cells, cells.buffer


def commit(here: ExecutionPoint) -> None:
    """Make a group of the copies that these threads began since the last one."""
    _copies(here).commit(here.mask)


def wait(most: int, here: ExecutionPoint) -> None:
    """Finish all groups of these threads but the newest ones."""
    _copies(here).wait(here, most)


def wait_all(here: ExecutionPoint) -> None:
    """Finish all copies of these threads."""
    for each in _copies(here).take(here.mask):
        each.run()


def arrive(here: ExecutionPoint, barrier: Value, *, counted: bool) -> None:
    """Let threads arrive at a barrier once all that they copy is there.

    Args:
        counted: True if the barrier expects these arrivals already.
    """
    own = _copies(here).take(here.mask)

    def finish(_mask: Mask) -> None:
        while own:
            own.pop(0).run()

    one = np.ones((1, 1), dtype=np.int64)
    if not counted:
        arrivals.expect_arrivals(here, barrier, one)
    arrivals.report_copy(here, barrier, finish, arrives=one)
