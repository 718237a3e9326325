"""Orders threads by fences and atomics: what is before a fence is seen behind an atomic.

A release is a fence and a later atomic that writes, an acquire an atomic that reads and a later
fence, both on one location: the patterns of PTX's memory model, "Release and Acquire Patterns". A
thread's fence covers what it wrote, what others of its warp or block wrote before a barrier that it
has passed, and what it had acquired. An atomic by a thread that a barrier orders after the fence
publishes that, too; and what a thread has acquired, others see after such a barrier. An atomic
without an order, as CUDA's functions and Numba's are, also acquires without a fence.

An atomic and a fence of the scope of a block order its threads alone. So a location is one of each
block, and one of the device; those are numbered as they are met, and the first ones exactly: beyond
them, several share a number. That a store ends what an earlier release left there is not asked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.simt.masks import LANES

Ints = NDArray[np.integer[Any]]
THREAD, BLOCK, DEVICE = range(3)
"""Scopes; that of a cluster, and of the system, counts as that of the device."""
_KEPT = 4
"""Publications of each thread, warp and block; of older ones, any later atomic sees them."""
_NEVER = np.iinfo(np.int64).max
_PLACES, _ENTRIES = 32, 1 << 21
"""Locations that are told apart at most, and how many of them times threads."""
_FEWEST = 4


class Strength(NamedTuple):
    """How an atomic takes part in the order of threads.

    Attributes:
        scope: THREAD, BLOCK or DEVICE.
        bare: True if it says that it orders nothing: what others left is seen behind a fence.
    """

    scope: int = DEVICE
    bare: bool = False
    reads: bool = True
    writes: bool = True


class Fence(NamedTuple):
    """What a fence orders: what is before it, by a release, or behind it, by an acquire."""

    scope: int = DEVICE
    releases: bool = True
    acquires: bool = True


Weakness = tuple[Literal["scope", "release", "acquire"], int]
"""What an atomic or a fence lacks, and the number of its place."""


class Assumptions:
    """What is taken for strong in a launch that is run again to see what its races are for.

    Attributes:
        weak: what it met that is not.
    """

    def __init__(self, strong: Callable[[Weakness], bool]) -> None:
        self._strong = strong
        self.weak = set[Weakness]()

    def covers(self, weak: Weakness) -> bool:
        """Note a weakness; return True if it is assumed away."""
        self.weak.add(weak)
        return self._strong(weak)


class FenceArrival(NamedTuple):
    """Threads at a place of the kernel, one entry each; `now` and `since` may be a single value.

    Attributes:
        thread: numbers from 1: of a block's threads one after the other, and so are blocks.
        now, since: their warp's time and that of their block's last barrier, by `clock`.
    """

    thread: Ints
    now: Ints
    since: Ints

    def take(self, which: Any) -> FenceArrival:
        """Return some of the threads."""
        shape = self.thread.shape
        return FenceArrival(*(np.broadcast_to(each, shape)[which] for each in self))


class Location(NamedTuple):
    """Where atomics are: the number of the memory, and for each thread a place in it."""

    memory: object
    place: Ints


class Fences:
    """The fences and atomics of all threads of the grid.

    Atomics take turns, the threads of one instruction in their order, as `atomics` carries it out.
    """

    def __init__(self, blocks: int, threads: int, assumed: Assumptions | None = None) -> None:
        everyone = blocks * threads
        self._assumed = assumed
        self._sizes = (1, LANES, threads)
        self._everyone = everyone
        self._count: NDArray[np.int32] = np.zeros(everyone, dtype=np.int32)
        self._last = tuple(_LastFences(everyone) for _ in (BLOCK, DEVICE))
        self._most = max(_FEWEST, min(_PLACES, _ENTRIES // everyone))
        self._numbers = dict[tuple[object, int, int], int]()
        self._places = list[_Place]()
        self._known: NDArray[np.int64] = np.zeros((self._most, self._most), dtype=np.int64)
        groups = [everyone // size for size in self._sizes]
        self._published = [_Publications(count) for count in groups]
        self._seen = [_Observations(count) for count in groups]
        self._room = 0
        self._turns = 0

    def fence(self, here: FenceArrival, does: Fence, site: int) -> None:
        """Note that threads execute a fence at a place."""
        if does.scope < DEVICE and self._assumes("scope", site):
            does = does._replace(scope=DEVICE)
        own = here.thread - 1
        if does.acquires:
            for number, place in enumerate(self._places):
                if place.scope <= does.scope:
                    self._acquire(number, place, own, here)
        if does.releases and does.scope >= BLOCK:
            self._count[own] += 1
            for last in self._last[: does.scope]:
                last.note(own, self._count[own], here)
            for place in self._places:
                if place.scope <= does.scope:
                    place.pending[own] = True

    def atomic(self, here: FenceArrival, at: Location, strength: Strength, site: int) -> None:
        """Note that threads perform an atomic at a place, once each."""
        if strength.scope < DEVICE and self._assumes("scope", site):
            strength = strength._replace(scope=DEVICE)
        if strength.writes and self._assumes("release", site):
            self.fence(here, Fence(acquires=False), site)
        if strength.reads and strength.bare and self._assumes("acquire", site):
            strength = strength._replace(bare=False)
        turns = np.arange(self._turns + 1, self._turns + 1 + here.thread.size)
        self._turns += here.thread.size
        for scope in range(BLOCK, strength.scope + 1):
            numbers = self._find_places(here, at, scope)
            for number in np.unique(numbers).tolist():
                which = np.flatnonzero(numbers == number)
                place, there, turn = self._places[number], here.take(which), turns[which]
                if strength.writes:
                    self._publish(number, place, turn, there)
                if strength.reads and strength.bare:
                    place.bare[there.thread - 1] = turn
                elif strength.reads:
                    self._observe(number, turn, there)

    def _assumes(self, kind: Literal["scope", "release", "acquire"], site: int) -> bool:
        return self._assumed is not None and self._assumed.covers((kind, site))

    def count(self, thread: Ints) -> NDArray[np.int32]:
        """Return how often threads have fenced."""
        return self._count.take(thread - 1)

    def test_visible(
        self, writer: Ints, count: Ints, time: Ints, here: FenceArrival
    ) -> NDArray[np.bool_]:
        """Test which threads see what others did.

        Args:
            writer: numbers of the threads that wrote, one for each thread here.
            count: how often each had fenced when it wrote.
            time: of its warp when it wrote.
            here: the threads that read.
        """
        readers, writers = _range_of(here.thread), _range_of(writer)
        places = [
            number
            for number, place in enumerate(self._places)
            if place.seen_by.has_any(*readers) and place.published_by.has_any(*writers)
        ]
        if not places:
            return np.zeros(writer.size, dtype=np.bool_)
        which, published = np.array(places), np.full((len(places), writer.size), _NEVER)
        for level, size in enumerate(self._sizes):
            turn = self._published[level].turn(
                which, (writer - 1) // size, time if level else count
            )
            np.minimum(published, turn, out=published)
        visible: NDArray[np.bool_] = np.any(published < self._turns_seen(which, here), axis=0)
        return visible

    def _turns_seen(self, places: Ints, here: FenceArrival) -> Ints:
        """Return up to which turn threads see what was published at places: (places, threads)."""
        pairs = zip(self._seen, self._sizes, _limits(here), strict=True)
        each = [seen.turn(places, (here.thread - 1) // size, limit) for seen, size, limit in pairs]
        return np.maximum(np.maximum(each[0], each[1]), each[2])

    def _find_places(self, here: FenceArrival, at: Location, scope: int) -> Ints:
        """Return the numbers of locations; new ones are made as they are met."""
        places = at.place.astype(np.int64)
        if scope == BLOCK:  # each block's own
            size = self._sizes[-1]
            places = places * (self._everyone // size) + (here.thread - 1) // size
        keys, back = np.unique(places, return_inverse=True)
        found = [self._number((at.memory, scope, place)) for place in keys.tolist()]
        return np.asarray(found, dtype=np.int64)[back]

    def _number(self, key: tuple[object, int, int]) -> int:
        scope = key[1]
        if key not in self._numbers:
            # Half of them each, so that no location of a block is one of the device.
            half = self._most // 2
            same = [each for each in self._places if each.scope == scope]
            if len(same) < half:
                self._numbers[key] = len(self._places)
                pending = self._last[scope - 1].count > 0
                self._places.append(_Place(scope, self._everyone, pending))
                self._make_room(half)
            else:
                turn = len(self._numbers) % half
                self._numbers[key] = self._places.index(same[turn])
        return self._numbers[key]

    def _make_room(self, half: int) -> None:
        """Make room for the places: at first for one location, of each block and of the device."""
        if len(self._places) > self._room:
            blocks = self._everyone // self._sizes[-1]
            self._room = self._most if self._room else min(half, blocks) + 1
            for published, seen in zip(self._published, self._seen, strict=True):
                published.widen(self._room)
                seen.widen(self._room)

    def _acquire(self, number: int, place: _Place, own: Ints, here: FenceArrival) -> None:
        """Let threads see what their last bare atomics on a location led to."""
        turns = place.bare[own]
        order = np.flatnonzero(turns)
        if not order.size:
            return
        order = order[np.argsort(turns[order])]
        place.bare[own[order]] = 0
        self._observe(number, turns[order], here.take(order))

    def _observe(self, number: int, turns: Ints, here: FenceArrival) -> None:
        """Let threads see what was published at a location before their turns, and what by then."""
        groups = [(here.thread - 1) // size for size in self._sizes]
        limits, now = _limits(here), np.broadcast_to(here.now, turns.shape)
        for other, place in enumerate(self._places):
            if other == number:  # what rounds of a loop see without news is seen already
                known = np.minimum(turns, place.latest + 1)
            elif self._known[number, other]:
                known = np.full_like(turns, self._known[number, other])
            else:
                continue
            place.seen_by.add(here.thread, self._sizes[-1])
            place.highest = max(place.highest, int(known.max(initial=0)))
            for seen, group, limit in zip(self._seen, groups, limits, strict=True):
                seen.add(other, group, known, now, limit)

    def _publish(self, number: int, place: _Place, turns: Ints, here: FenceArrival) -> None:
        """Publish the fences that these atomics follow, and what their threads know by then."""
        last, size = self._last[place.scope - 1], self._sizes[-1]
        released = here.take(last.count[here.thread - 1] > 0)
        if released.thread.size:
            self._hand_on(number, released)
        low, high = (int(each) // size for each in (here.thread.min() - 1, here.thread.max() - 1))
        fenced = low * size + np.flatnonzero(place.pending[low * size : (high + 1) * size])
        if not fenced.size:
            return
        when, first = last.now[fenced], np.full(fenced.size, _NEVER)
        for width, limit in zip(self._sizes, _limits(here), strict=True):
            group, at = np.unique((here.thread - 1) // width, return_index=True)
            owner = np.minimum(np.searchsorted(group, fenced // width), group.size - 1)
            there = (group[owner] == fenced // width) & (when < limit[at][owner])
            np.minimum(first, np.where(there, turns[at][owner], _NEVER), out=first)
        there = first < _NEVER
        fenced, first = fenced[there], first[there]
        place.pending[fenced] = False
        place.published_by.add(fenced + 1, self._sizes[-1])
        place.latest = max(place.latest, int(first.max(initial=0)))
        covered = (last.count[fenced], last.now[fenced], last.since[fenced])
        for published, width, limit in zip(self._published, self._sizes, covered, strict=True):
            published.add(number, fenced // width, limit, first)

    def _hand_on(self, number: int, here: FenceArrival) -> None:
        """Note at a location what threads know that release there: who acquires it knows it too."""
        threads, known = _range_of(here.thread), self._known[number]
        others = [
            other
            for other, place in enumerate(self._places)
            if place.highest > known[other] and place.seen_by.has_any(*threads)
        ]
        if others:
            turns = self._turns_seen(np.array(others), here).max(axis=1)
            known[others] = np.maximum(known[others], turns)


class _LastFences:
    """Each thread's last fence of some scope, or a wider one: its number, and the time then."""

    def __init__(self, everyone: int) -> None:
        self.count: NDArray[np.int32] = np.zeros(everyone, dtype=np.int32)
        self.now, self.since = np.zeros_like(self.count), np.zeros_like(self.count)

    def note(self, own: Ints, count: Ints, here: FenceArrival) -> None:
        """Note a fence of some threads."""
        self.count[own], self.now[own], self.since[own] = count, here.now, here.since


class _Span:
    """Threads of blocks that follow each other, by their numbers from 1."""

    def __init__(self) -> None:
        self._first, self._last = 1, 0

    def add(self, threads: Ints, size: int) -> None:
        """Add some threads, and all of their blocks of a size."""
        if threads.size:
            first = (int(threads.min()) - 1) // size * size + 1
            last = (int(threads.max()) - 1) // size * size + size
            known = self._last > 0
            self._first = min(self._first, first) if known else first
            self._last = max(self._last, last)

    def has_any(self, first: int, last: int) -> bool:
        """Return True if any of the threads from one to another is among them."""
        return first <= self._last and last >= self._first


class _Place:
    """A location of a block, or of the device, or several that share a number.

    Attributes:
        pending: threads whose last fence is not published here.
        bare: turns of the threads' last atomics here that no fence has followed; 0 without.
        published_by, seen_by: the threads that there is anything of in them.
        latest, highest: the last turn of a publication, and the last that was seen.
    """

    def __init__(self, scope: int, everyone: int, pending: NDArray[np.bool_]) -> None:
        self.scope = scope
        self.pending = pending
        self.bare: NDArray[np.int64] = np.zeros(everyone, dtype=np.int64)
        self.published_by, self.seen_by = _Span(), _Span()
        self.latest = self.highest = 0


def _range_of(threads: Ints) -> tuple[int, int]:
    """Return the first and the last of some threads, which may be none."""
    return (int(threads.min()), int(threads.max())) if threads.size else (1, 0)


def _limits(here: FenceArrival) -> tuple[Ints, Ints, Ints]:
    """Return the times before which all is ordered: of the same thread, warp, block."""
    shape = here.thread.shape
    ever = np.full(shape, _NEVER)
    return ever, np.broadcast_to(here.now, shape), np.broadcast_to(here.since, shape)


def _widen(known: NDArray[np.int64], places: int) -> NDArray[np.int64]:
    """Return numbers for so many places; those that are known stay."""
    more: NDArray[np.int64] = np.zeros((places - len(known), *known.shape[1:]), dtype=np.int64)
    return np.concatenate((known, more)) if known.size else more


class _Publications:
    """By place, for threads, warps or blocks: up to which time accesses were published, and when.

    Those of all places are asked at once: a launch has up to 32, and most of them see little.
    """

    def __init__(self, groups: int) -> None:
        self._limit: NDArray[np.int64] = np.zeros((0, _KEPT, groups), dtype=np.int64)
        self._turn: NDArray[np.int64] = np.zeros((0, _KEPT, groups), dtype=np.int64)
        self._added: NDArray[np.int64] = np.zeros((0, groups), dtype=np.int64)

    def widen(self, places: int) -> None:
        """Make room for so many places."""
        self._limit, self._turn = _widen(self._limit, places), _widen(self._turn, places)
        self._added = _widen(self._added, places)

    def add(self, place: int, group: Ints, limit: Ints, turn: Ints) -> None:
        """Publish at a turn what is older than a limit; the largest limit of a group counts."""
        order = np.lexsort((-turn, limit, group))
        group, limit, turn = group[order], limit[order], turn[order]
        last = np.r_[group[1:] != group[:-1], True][: group.size]
        last &= limit > self._limit[place][:, group].max(axis=0, initial=0)
        group, limit, turn = group[last], limit[last], turn[last]
        slot = self._added[place, group] % _KEPT
        self._limit[place, slot, group], self._turn[place, slot, group] = limit, turn
        self._added[place, group] += 1

    def turn(self, places: Ints, group: Ints, time: Ints) -> Ints:
        """Return when accesses at a time were published, (places, groups); 0 if forgotten."""
        at = places[:, None, None], np.arange(_KEPT)[:, None], group
        later = self._limit[at] > time
        found: Ints = np.where(later, self._turn[at], _NEVER).min(axis=1)
        forgotten = later.all(axis=1) & (self._added[places[:, None], group] > _KEPT)
        return np.where(forgotten, 0, found)


class _Observations:
    """By place, for threads, warps or blocks: the turn of the last atomic that a barrier followed.

    The last one of all waits for that barrier.
    """

    def __init__(self, groups: int) -> None:
        self._turn: NDArray[np.int64] = np.zeros((0, groups), dtype=np.int64)
        self._waiting: NDArray[np.int64] = np.zeros((0, groups), dtype=np.int64)
        self._since: NDArray[np.int64] = np.zeros((0, groups), dtype=np.int64)

    def widen(self, places: int) -> None:
        """Make room for so many places."""
        self._turn, self._waiting = _widen(self._turn, places), _widen(self._waiting, places)
        self._since = _widen(self._since, places)

    def add(self, place: int, group: Ints, turn: Ints, now: Ints, limit: Ints) -> None:
        """Note the turns of groups, which rise; what is older than a limit is settled."""
        later = turn > self._waiting[place, group]
        if not later.any():
            return
        group, turn = group[later], turn[later]
        now, limit = now[later], limit[later]
        (self._turn[place, group],) = self.turn(np.array([place]), group, limit)
        self._waiting[place, group] = turn
        self._since[place, group] = now

    def turn(self, places: Ints, group: Ints, limit: Ints) -> Ints:
        """Return the last turns that are older than a limit: (places, groups)."""
        at = places[:, None], group
        return np.where(self._since[at] < limit, self._waiting[at], self._turn[at])
