"""What ends a launch with an error: an assertion that does not hold, a trap."""

from __future__ import annotations

import numpy as np

from grader.facts import Fact
from grader.simt.errors import DriverError
from grader.simt.machine.chunk import ExecutionPoint, ThreadError
from grader.simt.machine.frame import Value

_ASSERT, _LAUNCH_FAILURE = 710, 719
"""Errors of CUDA."""


def fail(where: str, what: str, ended: Fact, here: ExecutionPoint) -> None:
    """End the launch for the first thread that gets here, and report those that do.

    Args:
        where: how the text begins that CUDA prints.
        what: how it ends.
        ended: the same as a fact.

    Raises:
        ThreadError: always.
    """
    block, thread = here.chunk.thread(int(np.argmax(here.mask.full)))
    at = f"block: {_triple(block)}, thread: {_triple(thread)}"
    number = _ASSERT if ended.code.startswith("launch.assert") else _LAUNCH_FAILURE
    error = DriverError(f"{where}{at} {what}", number)
    here.report("stopped", here.mask.full, ended)
    raise ThreadError(error, ended, here.site)


def _triple(place: tuple[int, ...]) -> str:
    return f"[{','.join(map(str, place))}]"


def fail_unless(where: str, what: str, ended: Fact, here: ExecutionPoint, holds: Value) -> Value:
    """End the launch for the first thread for which a test does not hold.

    Raises:
        ThreadError: there is one.
    """
    bad, _ = here.mask.split(np.logical_not(holds))
    if bad is not None:
        fail(where, what, ended, here._replace(mask=bad))
    return holds
