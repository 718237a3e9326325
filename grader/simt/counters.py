"""Counts, by place in the source: one `Site` is one (line, column).

Knows nothing of what counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

COUNTERS = (
    *(
        f"shared_{kind}_{what}"
        for kind in ("load", "store", "atomic")
        for what in ("requests", "wavefronts", "ideal", "conflicts", "lanes")
    ),
    *(
        f"global_{kind}_{what}"
        for kind in ("load", "store", "atomic")
        for what in ("requests", "sectors", "ideal_sectors", "lanes")
    ),
    *(f"local_{kind}_{what}" for kind in ("load", "store") for what in ("requests", "lanes")),
    "constant_load_requests",
    "instructions",
    "lanes",
    "branches",
    "divergent_branches",
    "barriers",
)
"""Every counter there is. `…_requests` and `instructions` count warps, `…_lanes` their threads."""


class Site:
    """A place in the source and what was counted at it.

    Attributes:
        number: from 1; 0 stands for no site.
    """

    __slots__ = ("column", "counts", "line", "number")

    def __init__(self, number: int, line: int, column: int) -> None:
        self.number = number
        self.line = line
        self.column = column
        self.counts: Counter[str] = Counter()


class Sites:
    """All places of a kernel and of the functions it calls."""

    def __init__(self) -> None:
        self._at: dict[tuple[int, int], Site] = {}
        self._by_number: list[Site] = []

    def at(self, line: int, column: int) -> Site:
        """The site of a place, made when it is first asked for."""
        site = self._at.get((line, column))
        if site is None:
            site = Site(len(self._by_number) + 1, line, column)
            self._at[line, column] = site
            self._by_number.append(site)
        return site

    def __getitem__(self, number: int) -> Site:
        return self._by_number[number - 1]

    def __iter__(self) -> Iterator[Site]:
        return iter(self._by_number)

    def counts(self) -> Mapping[tuple[int, int], Mapping[str, int]]:
        """By (line, column), in order, where anything was counted."""
        return {
            (site.line, site.column): dict(site.counts)
            for site in sorted(self._by_number, key=lambda one: (one.line, one.column))
            if site.counts
        }
