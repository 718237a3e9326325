"""From accesses that are not ordered to findings: who, where, and one sentence.

Of the two places, the later one in the source is the finding's line, whichever ran first; where one
is in another file, that in the kernel's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from grader.simt.chunk import Chunk, Here
from grader.simt.counters import Site
from grader.simt.elements import Watched
from grader.simt.findings import Finding, Three
from grader.simt.masks import Bools
from grader.simt.shadow import Hazard, Ints, Kind, Who

_DID = {"load": "read", "store": "wrote", "atomic": "changed atomically"}
_DOES = {"load": "reads", "store": "writes", "atomic": "changes atomically"}
_NOUN = {"load": "read", "store": "write", "atomic": "atomic"}


_MEETING = 150
"""Operations for each thread that is not ordered with another, or of a store where some met."""


@dataclass(frozen=True)
class _Access:
    kind: Kind
    site: Site
    thread: int


class _Pair(NamedTuple):
    """Two accesses of one cell; which of them ran first means nothing."""

    cell: int
    one: _Access
    other: _Access


def report_races(watched: Watched, kind: Kind, hazards: list[Hazard], who: Who, here: Here) -> None:
    """Accesses that are not ordered with earlier ones, by the places these were at."""
    here.chunk.charge(_MEETING * sum(hazard.which.size for hazard in hazards))
    for hazard in hazards:
        for number in np.unique(hazard.site).tolist():
            same = hazard.site == number
            first = int(np.flatnonzero(same)[0])
            lane = int(hazard.which[first])
            now = _Access(kind, here.site, int(who.thread[lane]))
            there = here.chunk.launch.sites[number]
            earlier = _Access(hazard.rival, there, int(hazard.thread[first]))
            pair = _Pair(_cell(who, lane), now, earlier)
            _report(watched, here.chunk, pair, int(np.count_nonzero(same)))


def report_meeting(watched: Watched, lost: Bools, winner: Ints, who: Who, here: Here) -> None:
    """Stores of different values into one cell by one instruction."""
    here.chunk.charge(_MEETING * lost.size)
    if not lost.any():
        return
    lane = int(np.argmax(lost))
    now = _Access("store", here.site, int(who.thread[lane]))
    other = _Access("store", here.site, int(winner[lane]))
    if now != other:  # a wider element than the cell: the other half met somebody
        pair = _Pair(_cell(who, lane), now, other)
        _report(watched, here.chunk, pair, int(np.count_nonzero(lost)))


def _cell(who: Who, lane: int) -> int:
    return who.cells.start + lane if isinstance(who.cells, slice) else int(who.cells[lane])


def _report(watched: Watched, chunk: Chunk, pair: _Pair, count: int) -> None:
    cell, one, other = pair
    if _place(other.site) > _place(one.site):
        one, other = other, one
    nouns = sorted((_NOUN[one.kind], _NOUN[other.kind]), reverse=True)
    topic = "-".join(nouns)
    key = (watched.race, topic, one.site.number, other.site.number, watched.label)

    def first() -> Finding:
        placed = [_placed(chunk, watched.first_block, access.thread) for access in (one, other)]
        threads, blocks = (placed[0][1], placed[1][1]), (placed[0][0], placed[1][0])
        message = (
            f"thread {threads[0]} {_DOES[one.kind]} {watched.element(cell)}, which thread "
            f"{threads[1]}{_apart(one.thread, other.thread, chunk)} {_DID[other.kind]} "
            f"({_at(one, other)}), and nothing orders the two"
        )
        return Finding(
            watched.race,
            one.site.line,
            one.site.column,
            message,
            topic,
            other.site.line,
            other.site.column,
            one.site.file,
            other.site.file,
            block=blocks[0],
            threads=threads,
            blocks=blocks,
            **watched.facts(cell),
        )

    chunk.launch.findings.add(key, count, first)


def _place(site: Site) -> tuple[bool, str, int, int]:
    return not site.file, site.file, site.line, site.column


def _at(one: _Access, other: _Access) -> str:
    if one.site is not other.site:
        return other.site.seen_from(one.site.file)
    return "in the same instruction" if one.kind == other.kind else "in this line"


def _placed(chunk: Chunk, first_block: int, number: int) -> tuple[Three, Three]:
    block, thread = divmod(number - 1, chunk.threads)
    return chunk.block_at(block + first_block), chunk.thread_at(thread)


def _apart(one: int, other: int, chunk: Chunk) -> str:
    if (one - 1) // chunk.threads != (other - 1) // chunk.threads:
        return " of another block"
    return " of the same warp" if (one - 1) >> 5 == (other - 1) >> 5 else ""
