"""Which memory limits a launch: the least cycles of one SM for the accesses that were counted.

The rates are those of compute capability 7.0 to 9.0, per SM and cycle: 128 bytes of shared memory,
which is a wavefront; 128 bytes, four sectors, from L1 (CUDA C++ Programming Guide; the tuning
guides). Statements are not instructions, so arithmetic has no cycles here. Caches, latency and
occupancy have none either: this ranks the two memories and predicts no time.
"""

from __future__ import annotations

from collections.abc import Mapping

from grader.profiles.values import Bound, Space, total

SECTORS_PER_CYCLE = 4


def find_bound(totals: Mapping[str, int]) -> Bound:
    """Return what a launch asks for, by its counters."""
    wavefronts, sectors = total(totals, "shared", "wavefronts"), total(totals, "global", "sectors")
    cycles: dict[Space, int] = {
        "shared": wavefronts,
        "global": -(-sectors // SECTORS_PER_CYCLE),
    }
    most: Space = max(cycles, key=lambda space: cycles[space])
    return Bound(
        most if cycles[most] else None,
        cycles,
        wavefronts,
        total(totals, "shared", "ideal"),
        sectors,
        total(totals, "global", "ideal_sectors"),
    )
