"""What limits a launch: the least cycles of one SM for what was counted, by resource.

The rates are those of compute capability 7.0 to 9.0, per SM and cycle: 128 bytes of shared memory,
which is a wavefront; 128 bytes, four sectors, from L1; an instruction of a warp from each of four
schedulers (CUDA C++ Programming Guide, "Arithmetic Instructions"; the tuning guides). Caches,
latency and occupancy are not counted, so this ranks resources and predicts no time.
"""

from __future__ import annotations

from collections.abc import Mapping

from grader.profiles.values import Bound, Resource, total

SECTORS_PER_CYCLE = 4
INSTRUCTIONS_PER_CYCLE = 4


def find_bound(totals: Mapping[str, int]) -> Bound:
    """Return what a launch asks for, by its counters."""
    wavefronts, sectors = total(totals, "shared", "wavefronts"), total(totals, "global", "sectors")
    instructions = totals.get("instructions", 0)
    cycles: dict[Resource, int] = {
        "shared": wavefronts,
        "global": -(-sectors // SECTORS_PER_CYCLE),
        "instructions": -(-instructions // INSTRUCTIONS_PER_CYCLE),
    }
    most: Resource = max(cycles, key=lambda resource: cycles[resource])
    return Bound(
        most if cycles[most] else None,
        cycles,
        wavefronts,
        total(totals, "shared", "ideal"),
        sectors,
        total(totals, "global", "ideal_sectors"),
        instructions,
    )
