"""Finds what a shuffle reads from lanes that do not take part in it.

PTX leaves such a value undefined. It may be read: a tree within some lanes of a warp leaves it in
lanes whose result nobody uses. `checks.consequence` decides whether it is used.
"""

from __future__ import annotations

import numpy as np

from grader.facts import Fact, fact
from grader.simt.checks.consequence import UNDEFINED_LANE
from grader.simt.intrinsics.participants import (
    FULL,
    Lanes,
    Participants,
    participants,
    restore_shape,
)
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.masks import LANES, Bools

_LANE = np.arange(LANES, dtype=np.int64)


def report_undefined(given: Value, here: ExecutionPoint, name: str, read: Lanes) -> Bools | None:
    """Report the lanes that read from a lane that takes no part.

    Left to `participants` are lanes that are waited for, which come or are a fault of their own,
    and warps with a caller that its own mask does not name.

    Args:
        given: the mask, int64.
        read: (warps, 32) or (1, 32) the lane that each lane reads from.

    Returns:
        (blocks, threads): the threads that get an undefined value; None if there are none.
    """
    chunk, mask, _ = here
    if mask.count == chunk.size and given.size == 1 and int(given.flat[0]) & FULL == FULL:
        return None
    lanes = participants(given, mask, chunk)
    source = np.broadcast_to(read, lanes.here.shape)
    named, itself = ((lanes.masks >> lane & 1) != 0 for lane in (source, _LANE))
    called, awaited = (
        np.take_along_axis(each, source, axis=1)
        for each in (lanes.here, lanes.there & ~lanes.exited)
    )
    wrong = (lanes.here & ~itself).any(axis=1, keepdims=True)
    undefined: Bools = lanes.here & (source != _LANE) & ~(named & (called | awaited)) & ~wrong
    if not undefined.any():
        return None
    row, lane = (int(number) for number in np.argwhere(undefined)[0])
    what = _describe(lanes, row, lane, int(source[row, lane]), name)
    threads: Bools = restore_shape(undefined, chunk)
    here.report("absent-lanes", threads, what, topic=UNDEFINED_LANE)
    return threads


def _describe(lanes: Participants, row: int, lane: int, source: int, name: str) -> Fact:
    """Say why what a lane reads is undefined."""
    mask = int(np.broadcast_to(lanes.masks, lanes.here.shape)[row, lane])
    if not mask >> source & 1:
        shown = f"{mask:#x}"
        return fact(
            "finding.undefined-lane.unnamed", name=name, lane=lane, source=source, mask=shown
        )
    if lanes.exited[row, source]:
        return fact("finding.undefined-lane.exited", name=name, lane=lane, source=source)
    return fact("finding.undefined-lane.missing", name=name, lane=lane, source=source)
