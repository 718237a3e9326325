"""Counts, by place in the source: one `Site` is one (file, line, column).

Knows nothing of what counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePath
from typing import Any, NamedTuple

from numpy.typing import NDArray

from grader.banks import Kind as BankKind
from grader.facts import Fact, fact

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
    *(
        f"remote_{kind}_{what}"
        for kind in ("load", "store", "atomic")
        for what in ("requests", "sectors", "lanes")
    ),
    *(f"local_{kind}_{what}" for kind in ("load", "store") for what in ("requests", "lanes")),
    "constant_load_requests",
    "instructions",
    "lanes",
    "branches",
    "divergent_branches",
    "barriers",
    "tensor_products",
)
"""Every counter there is. `…_requests` and `instructions` count warps, `…_lanes` their threads.
`remote_…` is what goes to shared memory of other blocks of a cluster. `tensor_products` are the
multiplications of `mma`, `wmma` and `wgmma`: m × n × k of each, those with zeros included."""

SHARES = ("busiest_thread_percent", "busiest_block_percent")
"""Of a launch, not of a place: statements, and iterations of loops, of the thread or the block that
executes the most of them, in percent of the mean."""

ByPlace = Mapping[tuple[int, int], Mapping[str, int]]
"""Counters by name, by (line, column)."""


class WarpAccessCost(NamedTuple):
    """One warp's access to shared memory and what it costs.

    Attributes:
        kind: as `grader.banks` has it.
        width: bytes per lane.
        addresses: byte address of each lane, (32,); `active` says which count.
        from_data: True if its index depends on what memory holds.
    """

    kind: BankKind
    width: int
    addresses: NDArray[Any]
    active: NDArray[Any]
    wavefronts: int
    ideal: int
    from_data: bool = False

    @property
    def excess(self) -> int:
        """The excessive wavefronts: those beyond the ideal."""
        return self.wavefronts - self.ideal


class WarpSectors(NamedTuple):
    """One warp's access to global memory and the 32-byte sectors it touches.

    Attributes:
        kind: `load`, `store` or `atomic`.
        width: bytes per lane.
        array: the argument that it touches.
        addresses: byte address of each lane in its allocation, (32,); `active` says which count.
        sectors: those touched.
        ideal: as many as the same elements need if they are contiguous.
    """

    kind: str
    width: int
    array: str
    addresses: NDArray[Any]
    active: NDArray[Any]
    sectors: int
    ideal: int


class SiteCounts(NamedTuple):
    """What was counted at a place, see `Site`."""

    counts: Mapping[str, int]
    worst: WarpAccessCost | None
    scattered: WarpSectors | None
    excess: float

    def __bool__(self) -> bool:
        return bool(self.counts) or self.worst is not None or self.scattered is not None


class Site:
    """A place in the source and what was counted at it.

    Attributes:
        number: from 1; 0 stands for no site of a report: nothing is counted at it.
        file: "" for the kernel's own.
        dropped: True for a copy of a place, whose counts are not read.
        library: that whose header of ours runs for what is called here, if that is counted.
        from_data: True if the index of the access here depends on what memory holds.
        guess: True if a compare-and-swap checks what is loaded here.
        tickets: numbers of the atomics whose results decide which threads get here.
        worst: the access of one warp with the most wavefronts beyond its ideal.
        scattered: a warp's access of the instruction with the most sectors beyond its ideal, per
            warp; None if there is none.
    """

    __slots__ = (
        "column", "counts", "dropped", "excess", "file", "from_data", "guess", "library", "line",
        "number", "scattered", "tickets", "worst",
    )  # fmt: skip

    def __init__(
        self, number: int, line: int, column: int, file: str = "", *, dropped: bool = False
    ) -> None:
        self.number = number
        self.dropped = dropped
        self.line = line
        self.column = column
        self.file = file
        self.library = ""
        self.from_data = False
        self.guess = False
        self.tickets: frozenset[int] = frozenset()
        self.clear()

    def clear(self) -> None:
        """Forget what was counted."""
        self.counts: defaultdict[str, int] = defaultdict(int)
        self.worst: WarpAccessCost | None = None
        self.scattered: WarpSectors | None = None
        self.excess = 0.0

    def keep_worst(self, access: WarpAccessCost) -> None:
        """Remember an access if none was worse."""
        if self.worst is None or access.excess > self.worst.excess:
            self.worst = access

    def keep_scattered(self, excess: float, example: Callable[[], WarpSectors]) -> None:
        """Remember a warp's access of an instruction if none had more sectors beyond the ideal.

        Args:
            excess: sectors beyond the ideal per warp.
            example: finds that warp; called only if it is kept.
        """
        if excess > self.excess:
            self.excess, self.scattered = excess, example()

    def take(self) -> SiteCounts:
        """Return what was counted, and forget it."""
        taken = SiteCounts(dict(self.counts), self.worst, self.scattered, self.excess)
        self.clear()
        return taken

    def add_later(self, counted: SiteCounts) -> None:
        """Add what later blocks counted."""
        for name, count in counted.counts.items():
            self.counts[name] += count
        if counted.worst is not None:
            self.keep_worst(counted.worst)
        if counted.excess > self.excess:
            self.excess, self.scattered = counted.excess, counted.scattered

    def describe_from(self, file: str) -> Fact:
        """Return its line as a sentence about a place in `file` names it."""
        if self.file == file:
            return fact("place.line", line=self.line)
        if not self.file:
            return fact("place.line-of-kernel", line=self.line)
        return fact("place.line-of-file", line=self.line, file=PurePath(self.file).name)


class Sites:
    """All places of a kernel and of the functions it calls."""

    def __init__(self) -> None:
        self._at: dict[tuple[str, int, int], Site] = {}
        self._by_number: list[Site] = []

    def at(self, line: int, column: int, file: str = "") -> Site:
        """Return the site of a place, made when it is first used."""
        site = self._at.get((file, line, column))
        if site is None:
            site = Site(len(self._by_number) + 1, line, column, file)
            self._at[file, line, column] = site
            self._by_number.append(site)
        return site

    def __getitem__(self, number: int) -> Site:
        return self._by_number[number - 1]

    def __iter__(self) -> Iterator[Site]:
        return iter(self._by_number)

    def counts(self) -> Mapping[str, ByPlace]:
        """Return counts by file (the kernel's own, "", first), then by (line, column), in order."""
        found: dict[str, dict[tuple[int, int], Mapping[str, int]]] = {"": {}}
        for file, line, column in sorted(self._at):
            if counts := self._at[file, line, column].counts:
                found.setdefault(file, {})[line, column] = dict(counts)
        return found

    def worst(self) -> Mapping[tuple[int, int], WarpAccessCost]:
        """Return the worst shared access by (line, column) of the kernel's own file."""
        return {
            (site.line, site.column): site.worst._replace(from_data=site.from_data)
            for site in self
            if site.worst is not None and not site.file
        }

    def scattered(self) -> Mapping[tuple[int, int], WarpSectors]:
        """Return the most scattered global access by (line, column) of the kernel's own file."""
        return {
            (site.line, site.column): site.scattered
            for site in self
            if site.scattered is not None and not site.file
        }
