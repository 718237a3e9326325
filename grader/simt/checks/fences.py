"""Orders blocks by `threadfence` and atomics: writes before a fence are seen after an atomic.

A thread's fence covers what it wrote, and what others of its warp or block wrote before a barrier
that it has passed. Its next atomic publishes that, or one by a thread that a barrier orders after
the fence. A thread sees it after a later atomic of its own, or of a thread that a barrier orders
before it: the pattern of the last block, which adds up what all blocks left. Which element those
atomics are on is not asked. An atomic that has an order, as libcu++'s have, needs a fence behind it
to see anything: that of `acquire`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.simt.masks import LANES

Ints = NDArray[np.integer[Any]]
_KEPT = 4
"""Publications of each thread, warp and block; of older ones, any later atomic sees them."""
_NEVER = np.iinfo(np.int64).max


class FenceArrival(NamedTuple):
    """Threads at a place of the kernel, one entry each; `now` and `since` may be a single value.

    Attributes:
        thread: numbers from 1: of a block's threads one after the other, and so are blocks.
        now, since: their warp's time and that of their block's last barrier, by `clock`.
    """

    thread: Ints
    now: Ints
    since: Ints


class Fences:
    """The fences and atomics of all threads of the grid.

    Atomics take turns, the threads of one instruction in their order, as `atomics` carries it out.
    """

    def __init__(self, blocks: int, threads: int) -> None:
        self._sizes = (1, LANES, threads)
        groups = [blocks * threads // size for size in self._sizes]
        self._published = [_Publications(count) for count in groups]
        self._seen = [_Observations(count) for count in groups]
        self._count: NDArray[np.int32] = np.zeros(groups[0], dtype=np.int32)
        self._now, self._since = np.zeros_like(self._count), np.zeros_like(self._count)
        self._pending: NDArray[np.bool_] = np.zeros(groups[0], dtype=np.bool_)
        self._bare: NDArray[np.int64] = np.zeros(groups[0], dtype=np.int64)
        self._turns = 0

    def fence(self, here: FenceArrival) -> None:
        """Note that threads execute a fence."""
        own = here.thread - 1
        self._count[own] += 1
        self._now[own], self._since[own] = here.now, here.since
        self._pending[own] = True
        self._acquire(here)

    def _acquire(self, here: FenceArrival) -> None:
        """Let threads see what their last bare atomics led to."""
        turns = self._bare[here.thread - 1]
        order = np.flatnonzero(turns)
        if not order.size:
            return
        order = order[np.argsort(turns[order])]
        self._bare[here.thread[order] - 1] = 0
        limits = [np.broadcast_to(each, turns.shape)[order] for each in _limits(here)]
        now = np.broadcast_to(here.now, turns.shape)[order]
        for seen, size, limit in zip(self._seen, self._sizes, limits, strict=True):
            seen.add((here.thread[order] - 1) // size, turns[order], now, limit)

    def atomic(self, here: FenceArrival, *, bare: bool = False) -> None:
        """Note that threads perform an atomic, once each; a `bare` one shows nothing by itself."""
        turns = np.arange(self._turns + 1, self._turns + 1 + here.thread.size)
        self._turns += here.thread.size
        groups = [(here.thread - 1) // size for size in self._sizes]
        self._publish(groups, turns, here)
        if bare:
            self._bare[here.thread - 1] = turns
            return
        for seen, group, limit in zip(self._seen, groups, _limits(here), strict=True):
            seen.add(group, turns, np.broadcast_to(here.now, turns.shape), limit)

    def count(self, thread: Ints) -> NDArray[np.int32]:
        """Return how often threads have fenced."""
        return self._count.take(thread - 1)

    def test_visible(
        self, writer: Ints, count: Ints, time: Ints, here: FenceArrival
    ) -> NDArray[np.bool_]:
        """Test which threads see what writers in other blocks did.

        Args:
            writer: numbers of the threads that wrote, one for each thread here.
            count: how often each had fenced when it wrote.
            time: of its warp when it wrote.
            here: the threads that read.
        """
        published = np.full(writer.size, _NEVER)
        seen = np.zeros(writer.size, dtype=np.int64)
        limits = _limits(here)
        for level, size in enumerate(self._sizes):
            before = time if level else count
            turn = self._published[level].turn((writer - 1) // size, before)
            np.minimum(published, turn, out=published)
            known = self._seen[level].turn((here.thread - 1) // size, limits[level])
            np.maximum(seen, known, out=seen)
        return published < seen

    def _publish(self, groups: list[Ints], turns: Ints, here: FenceArrival) -> None:
        """Publish the fences that these atomics follow."""
        fenced = np.flatnonzero(self._pending)
        if not fenced.size:
            return
        when, first = self._now[fenced], np.full(fenced.size, _NEVER)
        for size, group, limit in zip(self._sizes, groups, _limits(here), strict=True):
            turn = np.full(self._pending.size // size, _NEVER)
            latest = np.zeros(turn.size, dtype=np.int64)
            turn[group[::-1]], latest[group[::-1]] = turns[::-1], limit[::-1]
            place = fenced // size
            np.minimum(first, np.where(when < latest[place], turn[place], _NEVER), out=first)
        there = first < _NEVER
        fenced, first = fenced[there], first[there]
        self._pending[fenced] = False
        covered = (self._count[fenced], self._now[fenced], self._since[fenced])
        for published, size, limit in zip(self._published, self._sizes, covered, strict=True):
            published.add(fenced // size, limit, first)


def _limits(here: FenceArrival) -> tuple[Ints, Ints, Ints]:
    """Return the times before which all is ordered: of the same thread, warp, block."""
    shape = here.thread.shape
    ever = np.full(shape, _NEVER)
    return ever, np.broadcast_to(here.now, shape), np.broadcast_to(here.since, shape)


class _Publications:
    """For threads, warps or blocks: up to which time their accesses were published, and when."""

    def __init__(self, groups: int) -> None:
        self._limit: NDArray[np.int64] = np.zeros((_KEPT, groups), dtype=np.int64)
        self._turn: NDArray[np.int64] = np.zeros((_KEPT, groups), dtype=np.int64)
        self._added: NDArray[np.int64] = np.zeros(groups, dtype=np.int64)

    def add(self, group: Ints, limit: Ints, turn: Ints) -> None:
        """Publish at a turn what is older than a limit; the largest limit of a group counts."""
        order = np.lexsort((-turn, limit, group))
        group, limit, turn = group[order], limit[order], turn[order]
        last = np.r_[group[1:] != group[:-1], True][: group.size]
        last &= limit > self._limit[:, group].max(axis=0, initial=0)
        group, limit, turn = group[last], limit[last], turn[last]
        slot = self._added[group] % _KEPT
        self._limit[slot, group], self._turn[slot, group] = limit, turn
        self._added[group] += 1

    def turn(self, group: Ints, time: Ints) -> Ints:
        """Return when accesses at a time were published; 0 if that was forgotten."""
        later = self._limit[:, group] > time
        found: Ints = np.where(later, self._turn[:, group], _NEVER).min(axis=0)
        return np.where(later.all(axis=0) & (self._added[group] > _KEPT), 0, found)


class _Observations:
    """For threads, warps or blocks: the turn of their last atomic that a barrier followed.

    The last one of all waits for that barrier.
    """

    def __init__(self, groups: int) -> None:
        self._turn: NDArray[np.int64] = np.zeros(groups, dtype=np.int64)
        self._waiting: NDArray[np.int64] = np.zeros(groups, dtype=np.int64)
        self._since: NDArray[np.int64] = np.zeros(groups, dtype=np.int64)

    def add(self, group: Ints, turn: Ints, now: Ints, limit: Ints) -> None:
        """Note the turns of groups, which rise; what is older than a limit is settled."""
        later = turn > self._waiting[group]
        group, turn = group[later], turn[later]
        now, limit = now[later], limit[later]
        self._turn[group] = self.turn(group, limit)
        self._waiting[group] = turn
        self._since[group] = now

    def turn(self, group: Ints, limit: Ints) -> Ints:
        """Return the last turn that is older than a limit."""
        settled = self._since[group] < limit
        return np.where(settled, self._waiting[group], self._turn[group])
