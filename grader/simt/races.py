"""From accesses that are not ordered to findings: who, where, and one sentence."""

from __future__ import annotations

from typing import Literal

import numpy as np

from grader.simt.chunk import Chunk
from grader.simt.counters import Site
from grader.simt.findings import Finding
from grader.simt.masks import Bools
from grader.simt.shadow import Cells, Hazard, Ints, Kind, Who

Race = Literal["race", "global-race"]
_DID = {"load": "read", "store": "wrote", "atomic": "changed atomically"}
_DOES = {"load": "reads", "store": "writes", "atomic": "changes atomically"}


def report_races(
    race: Race,
    label: str,
    kind: Kind,
    hazards: list[Hazard],
    cells: Cells,
    who: Who,
    chunk: Chunk,
    site: Site,
    *,
    first_block: int = 0,
) -> None:
    """Accesses that are not ordered with earlier ones, by the places these were at."""
    for hazard in hazards:
        for number in np.unique(hazard.site).tolist():
            same = hazard.site == number
            first = int(np.flatnonzero(same)[0])
            lane = int(hazard.which[first])
            cell = cells.start + lane if isinstance(cells, slice) else int(cells[lane])
            me, other = int(who.thread[lane]), int(hazard.thread[first])
            pair = _Pair(race, label, kind, hazard.rival, first_block)
            pair.report(chunk, site, number, cell, me, other, int(np.count_nonzero(same)))


def report_meeting(
    race: Race,
    label: str,
    lost: Bools,
    winner: Ints,
    cells: Ints,
    who: Who,
    chunk: Chunk,
    site: Site,
    *,
    first_block: int = 0,
) -> None:
    """Stores of different values into one cell by one instruction."""
    if not lost.any():
        return
    lane = int(np.argmax(lost))
    me, other, cell = int(who.thread[lane]), int(winner[lane]), int(cells[lane])
    if me == other:  # a wider element than the cell: the other half met somebody
        return
    pair = _Pair(race, label, "store", "store", first_block)
    pair.report(chunk, site, site.number, cell, me, other, int(np.count_nonzero(lost)))


class _Pair:
    """Two accesses of one element."""

    def __init__(self, race: Race, label: str, kind: Kind, rival: Kind, first_block: int) -> None:
        self.race = race
        self.label = label
        self.kind = kind
        self.rival = rival
        self.first_block = first_block

    def report(
        self, chunk: Chunk, site: Site, rival_site: int, cell: int, me: int, other: int, count: int
    ) -> None:
        """Add to the launch's findings. Threads are numbered from 1, from `first_block` on."""
        topic = "-".join(sorted({_NOUN[self.kind], _NOUN[self.rival]}, reverse=True))
        topic = topic if "-" in topic else f"{topic}-{topic}"
        there = chunk.launch.sites[rival_site]
        key = (self.race, topic, *sorted((site.number, rival_site)), self.label)

        def first() -> Finding:
            blocks, threads = zip(self._placed(chunk, me), self._placed(chunk, other), strict=True)
            where = self._apart(me, other, chunk)
            at = "in the same instruction" if rival_site == site.number else f"line {there.line}"
            if rival_site == site.number and self.kind != self.rival:
                at = "this line"
            message = (
                f"thread {threads[0]} {_DOES[self.kind]} {self.label}[{cell}], which thread "
                f"{threads[1]}{where} {_DID[self.rival]} ({at}), and nothing orders the two"
            )
            return Finding(
                self.race,
                site.line,
                site.column,
                message,
                topic,
                there.line,
                there.column,
                self.label,
                (cell,),
                block=blocks[0],
                threads=threads,
                blocks=blocks,
            )

        chunk.launch.findings.add(key, count, first)

    def _placed(
        self, chunk: Chunk, number: int
    ) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        block, thread = divmod(number - 1, chunk.threads)
        return chunk.block_at(block + self.first_block), chunk.thread_at(thread)

    def _apart(self, me: int, other: int, chunk: Chunk) -> str:
        if (me - 1) // chunk.threads != (other - 1) // chunk.threads:
            return " of another block"
        return " of the same warp" if (me - 1) >> 5 == (other - 1) >> 5 else ""


_NOUN = {"load": "read", "store": "write", "atomic": "atomic"}
