"""What an index along an inner axis of a declared array checks: that it stays on the axis."""

from __future__ import annotations

import numpy as np

from grader.facts import fact
from grader.simt.checks.findings import BEYOND_AXIS
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.frame import Value


def check_axis(size: int, label: str, here: ExecutionPoint, index: Value) -> None:
    """Report threads whose index is beyond its axis: they access another row of the array.

    Args:
        size: elements along the axis.
        label: what the source calls the array.
        index: an integer for each thread.
    """
    if index.size == 1:
        if 0 <= index[0, 0] < size:
            return
    else:
        least, most = here.chunk.patterns.find(index).bounds
        if least >= 0 and most < size:
            return
    beyond = (index < 0) | (index >= size)
    beyond = beyond if here.mask.lanes is None else beyond & here.mask.lanes
    if beyond.any():
        full = np.broadcast_to(beyond, (here.chunk.blocks, here.chunk.threads))
        first = int(np.broadcast_to(index, full.shape)[full][0])
        what = fact("finding.beyond-axis", index=first, array=label, size=size)
        here.report("out-of-bounds", full, what, topic=BEYOND_AXIS, array=label)
