"""Finds global accesses whose lanes are evenly apart, and whether that is a row of the array.

Only what the addresses of the recorded warp prove: all of its active lanes, in order, with one
distance between neighbors that is larger than an element.
"""

from __future__ import annotations

from collections.abc import Iterator

from grader.banks import LANES
from grader.profiles.values import LaunchRecord, ScatteredAccess, StridedAccess


def find_strides(launch: LaunchRecord) -> tuple[StridedAccess, ...]:
    """List the scattered accesses of a launch with one distance between neighboring lanes."""
    return tuple(_strided(launch))


def _strided(launch: LaunchRecord) -> Iterator[StridedAccess]:
    shapes = {given.name: given.shape for given in launch.arguments}
    for access in launch.scattered:
        apart = _distance(access)
        if apart <= access.width:
            continue
        shape = shapes.get(access.array) or ()
        is_row = len(shape) > 1 and apart == shape[-1] * access.width and launch.block[0] >= LANES
        yield StridedAccess(
            access.line, access.column, access.kind, access.array, access.width, apart,
            access.sectors, access.ideal, is_row,
        )  # fmt: skip


def _distance(access: ScatteredAccess) -> int:
    """Return the bytes between neighboring lanes; 0 if they differ, or a lane is not active."""
    if not all(access.active):
        return 0
    found = {
        second - first
        for first, second in zip(access.addresses, access.addresses[1:], strict=False)
    }
    return found.pop() if len(found) == 1 else 0
