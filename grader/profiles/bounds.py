"""Which memory limits a launch: the least cycles of one SM for the accesses that were counted.

The rates are those of compute capability 7.0 to 9.0, per SM and cycle: 128 bytes of shared memory,
which is a wavefront; 128 bytes, four sectors, from L1 (CUDA C++ Programming Guide; the tuning
guides). Statements are not instructions, so arithmetic has no cycles here. Caches, latency and
occupancy have none either: this ranks the two memories and predicts no time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from grader.profiles.values import Bound, LaunchRecord, Space, total

SECTORS_PER_CYCLE = 4


def find_bound(totals: Mapping[str, int]) -> Bound:
    """Return what a launch asks for, by its counters."""
    wavefronts, sectors = total(totals, "shared", "wavefronts"), total(totals, "global", "sectors")
    cycles: dict[Space, int] = {"shared": wavefronts, "global": -(-sectors // SECTORS_PER_CYCLE)}
    most: Space = max(cycles, key=lambda space: cycles[space])
    return Bound(
        most if cycles[most] else None,
        cycles,
        wavefronts,
        total(totals, "shared", "ideal"),
        sectors,
        total(totals, "global", "ideal_sectors"),
    )


def own_totals(launch: LaunchRecord) -> Counter[str]:
    """Return a launch's counters, but for shared memory that headers of ours access.

    How a library accesses it is not known.
    """
    totals = Counter(launch.totals)
    for line in launch.lines:
        if line.library:
            own = {name: n for name, n in line.counts.items() if name.startswith("shared_")}
            totals.subtract(own)
    return totals


_WHAT: Mapping[Space, tuple[str, str]] = {
    "shared": ("wavefronts", "ideal"),
    "global": ("sectors", "ideal_sectors"),
}


def find_line_costs(launch: LaunchRecord, space: Space) -> dict[tuple[str, int], tuple[int, int]]:
    """Return wavefronts or sectors of each line, and as many as are ideal, by file and number."""
    what, least = _WHAT[space]
    sums: dict[tuple[str, int], tuple[int, int]] = {}
    for line in launch.lines:
        place = launch.path(line.file), line.line
        used, ideal = sums.get(place, (0, 0))
        sums[place] = (
            used + total(line.counts, space, what), ideal + total(line.counts, space, least),
        )  # fmt: skip
    return sums
