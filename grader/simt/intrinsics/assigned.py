"""What a read of a variable checks: that the thread has given it a value."""

from __future__ import annotations

import numpy as np

from grader.facts import fact
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.frame import Value


def check_assigned(
    name: str, topic: str, here: ExecutionPoint, value: Value, assigned: Value
) -> Value:
    """Report threads that read a variable before they have given it a value.

    Args:
        topic: `variable`, or `pointer`, whose value is not discarded.
        assigned: booleans: the threads that have given it a value.

    Returns:
        The value, with zeros for those threads; others where the launch is repeated for this place.
    """
    lanes, chunk = here.mask.lanes, here.chunk
    missing = ~assigned if lanes is None else lanes & ~assigned
    if not missing.any():
        return value
    what = fact("finding.uninitialised-read.variable", name=name)
    missing = np.broadcast_to(missing, (chunk.blocks, chunk.threads))
    here.report("uninitialised-read", missing, what, topic=topic, array=name)
    poison = chunk.launch.poison
    if poison is None or here.site.number not in poison.sites:
        return np.where(missing, np.zeros(1, value.dtype), value)
    return poison.replace(value, missing)
