"""Turns accesses that are not ordered into findings: which threads, and where.

Of the two places, the later one in the source is the finding's line, whichever ran first; where one
is in another file, that in the kernel's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from grader.facts import Fact, fact
from grader.simt.checks.counters import Site, Sites
from grader.simt.checks.elements import WatchedArray
from grader.simt.checks.findings import Finding, Findings, RacingCells
from grader.simt.checks.shadow import Accessors, Hazard, Ints, Kind
from grader.simt.geometry import Geometry, Three
from grader.simt.masks import Bools

ACCESSES: dict[Kind, Fact] = {
    "load": fact("access.load"),
    "store": fact("access.store"),
    "atomic": fact("access.atomic"),
    "poll": fact("access.load"),
}
_NOUN = {"load": "read", "store": "write", "atomic": "atomic", "poll": "read"}


_MEETING = 150
"""Operations for each thread that is not ordered with another, or of a store where some met."""


@dataclass(frozen=True)
class _RacingAccess:
    kind: Kind
    site: Site
    thread: int


class Scene(NamedTuple):
    """A launch, and the place in its source where threads are now."""

    geometry: Geometry
    sites: Sites
    findings: Findings
    site: Site


class _Pair(NamedTuple):
    """Two accesses of one cell, in no order."""

    cell: int
    access: _RacingAccess
    other: _RacingAccess


def report_races(
    watched: WatchedArray, kind: Kind, hazards: list[Hazard], accessors: Accessors, here: Scene
) -> int:
    """Report accesses that are not ordered with earlier ones, by the places of those.

    Returns:
        What this takes, in operations.
    """
    for hazard in hazards:
        for number in np.unique(hazard.site).tolist():
            same = hazard.site == number
            first = int(np.flatnonzero(same)[0])
            lane = int(hazard.which[first])
            now = _RacingAccess(kind, here.site, int(accessors.thread[lane]))
            there = here.sites[number]
            if _is_checked((kind, here.site), (hazard.rival, there)):
                continue
            earlier = _RacingAccess(hazard.rival, there, int(hazard.thread[first]))
            pair = _Pair(_cell(accessors, lane), now, earlier)
            _report(watched, here, pair, _cells(accessors, hazard.which[same]))
    return _MEETING * sum(hazard.which.size for hazard in hazards)


def _is_checked(*accesses: tuple[Kind, Site]) -> bool:
    """Return True for an atomic and a load whose value a compare-and-swap checks."""
    return {kind for kind, _ in accesses} == {"load", "atomic"} and any(
        kind == "load" and site.guess for kind, site in accesses
    )


def report_collisions(
    watched: WatchedArray, lost: Bools, winner: Ints, accessors: Accessors, here: Scene
) -> int:
    """Report stores of different values into one cell by one instruction.

    Returns:
        What this takes, in operations.
    """
    if not lost.any():
        return _MEETING * lost.size
    lane = int(np.argmax(lost))
    now = _RacingAccess("store", here.site, int(accessors.thread[lane]))
    other = _RacingAccess("store", here.site, int(winner[lane]))
    if now != other:  # else the other half of a wider element collided
        pair = _Pair(_cell(accessors, lane), now, other)
        _report(watched, here, pair, _cells(accessors, np.flatnonzero(lost)))
    return _MEETING * lost.size


def _cell(accessors: Accessors, lane: int) -> int:
    return int(_cells(accessors, np.array([lane]))[0])


def _cells(accessors: Accessors, lanes: Ints) -> Ints:
    cells = accessors.cells
    return cells.start + lanes * (cells.step or 1) if isinstance(cells, slice) else cells[lanes]


def _report(watched: WatchedArray, here: Scene, pair: _Pair, cells: Ints) -> None:
    cell, later, other = pair
    if _place(other.site) > _place(later.site):
        later, other = other, later
    nouns = sorted((_NOUN[later.kind], _NOUN[other.kind]), reverse=True)
    topic = "-".join(nouns)
    key = (watched.race, topic, later.site.number, other.site.number, watched.label)

    def make_finding() -> Finding:
        seen = watched.seen_at(cell, written=True)
        placed = [
            _locate(here.geometry, watched.first_block, access.thread) for access in (later, other)
        ]
        threads, blocks = (placed[0][1], placed[1][1]), (placed[0][0], placed[1][0])
        in_turns = later.site is not other.site or later.kind != other.kind
        rival = _describe_rival(later.thread, other.thread, str(threads[1]), here.geometry)
        what = fact(
            "finding.race",
            access=ACCESSES[later.kind],
            element=seen.element(cell),
            thread=str(threads[0]),
            earlier=ACCESSES[other.kind],
            rival=rival,
            place=_describe_place(later, other, rival),
        )
        return Finding(
            watched.race,
            later.site.line,
            later.site.column,
            what,
            topic,
            other.site.line,
            other.site.column,
            later.site.file,
            other.site.file,
            block=blocks[0],
            threads=threads,
            blocks=blocks,
            hint=fact("advice.lockstep") if in_turns and rival.code == "thread.in-warp" else None,
            **seen.facts(cell),
        )

    here.findings.add(key, cells.size, make_finding)
    reads = {later.kind, other.kind} == {"load", "store"}
    racing = RacingCells(key, watched, reads)
    here.findings.racing.setdefault(key, racing).add(cells)


def _place(site: Site) -> tuple[bool, str, int, int]:
    return not site.file, site.file, site.line, site.column


def _describe_place(first: _RacingAccess, second: _RacingAccess, rival: Fact) -> Fact:
    if first.site is not second.site:
        return second.site.describe_from(first.site.file)
    # Each warp runs an instruction on its own.
    same = first.kind == second.kind and rival.code == "thread.in-warp"
    return fact("place.this-instruction") if same else fact("place.this-line")


def _locate(geometry: Geometry, first_block: int, number: int) -> tuple[Three, Three]:
    block, thread = divmod(number - 1, geometry.padded)
    return geometry.block_at(block + first_block), geometry.thread_at(thread)


def _describe_rival(first: int, second: int, thread: str, geometry: Geometry) -> Fact:
    """Describe the second thread of a race by how far it is from the first."""
    if (first - 1) // geometry.padded != (second - 1) // geometry.padded:
        return fact("thread.elsewhere", thread=thread)
    if (first - 1) >> 5 == (second - 1) >> 5:
        return fact("thread.in-warp", thread=thread)
    return fact("thread.in-block", thread=thread)
