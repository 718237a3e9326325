"""What the two front ends of index functions share: an element is a thread, a fault has a place.

The functions of a node get the operands' values, then the elements that are there, as (1, elements)
padded to whole warps; they know no program.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from grader.layouts.arithmetic import Array
from grader.layouts.errors import LaneFault
from grader.simt.checks.counters import Site
from grader.simt.lockstep.independent import make_chunk
from grader.simt.machine.chunk import Chunk, ExecutionPoint
from grader.simt.program.nodes import Expression, Perform
from grader.simt.program.types import Type

_BOUND = 150_000_000
"""Element-operations of an evaluation."""
_OVERHEAD = 3_500
"""An operation on few elements takes as long as one on so many: NumPy's own time."""


def make_elements(count: int) -> Chunk:
    """Make the threads that stand for some elements; the bound is on their work."""
    return make_chunk(count, _BOUND // (count + _OVERHEAD))


def perform(
    kind: Type,
    name: str,
    function: Callable[..., Any],
    operands: tuple[Expression, ...],
    site: Site,
) -> Perform:
    """Make a node that calls `function(*values, active)`; its `LaneFault` is one at the site."""
    return Perform(kind, name, partial(run_at, function), operands, site, alone=True)


def is_own(node: Perform) -> bool:
    """Return True for a node that `perform` made."""
    return isinstance(node.run, partial) and node.run.func is run_at


def run_at(function: Callable[..., Any], here: ExecutionPoint, *values: Any) -> Any:
    """Call `function(*values, active)`; its `LaneFault` is one at this point.

    Raises:
        NoValue: for it.
    """
    chunk, mask, site = here
    chunk.spend(site)
    try:
        return function(*values, mask.full)
    except LaneFault as fault:
        raise fault.at(site.line, site.column) from None


def as_vector(numbers: Array, chunk: Chunk) -> Array:
    """Return (elements,) or (1,) numbers as a vector of the machine: (1, threads) or (1, 1)."""
    missing = chunk.threads - numbers.size
    if missing and numbers.size > 1:
        numbers = np.concatenate((numbers, np.zeros(missing, numbers.dtype)))
    return numbers[None, :]


def as_numbers(vector: Array, elements: int) -> Array:
    """Return a vector of the machine as (elements,) or (1,) numbers."""
    return vector[0, :elements]
