"""Runs functions of the typed program over threads that share nothing: no launch, no memory."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from grader.simt.checks.counters import Sites
from grader.simt.checks.findings import Findings
from grader.simt.geometry import Geometry
from grader.simt.lockstep.functions import build_function
from grader.simt.machine.chunk import OPERATION, Chunk, LaunchState
from grader.simt.machine.frame import Frame, Value
from grader.simt.machine.meter import Meter
from grader.simt.program import nodes


def make_chunk(threads: int, operations: int) -> Chunk:
    """Make a chunk of threads in one row, whatever a device says to so many.

    Args:
        threads: how many there are; the last warp may lack some.
        operations: how many `Chunk.spend` allows.
    """
    geometry = Geometry((1, 1, 1), (threads, 1, 1))
    meter = Meter(operations * (OPERATION + geometry.padded))
    state = LaunchState(geometry, Sites(), Findings(), meter, "", timed=False, dynamic_bytes=0)
    return Chunk(state, 0, 1)


def run_function(
    function: nodes.Function,
    chunk: Chunk,
    arguments: Mapping[str, Value],
    checked: frozenset[int] = frozenset(),
) -> Value:
    """Return what a function returns for all threads of a chunk.

    Args:
        function: a function that is no kernel.
        arguments: for each parameter, (1, threads), padded to whole warps, or (1, 1).
        checked: its operations (by id) whose overflow is looked for.

    Raises:
        OutOfBudget: there are no operations left.
    """
    frame = Frame(chunk, dict(arguments))
    with np.errstate(all="ignore"):  # threads that are elsewhere divide by zero without a word
        build_function(function, checked)(frame, chunk.everyone)
    return frame.result
