"""Stores with a cache hint, counted and checked as those in brackets: caches are not modeled."""

from __future__ import annotations

from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.memory.choices import ArrayValue
from grader.simt.memory.reaching import reach


def store(here: ExecutionPoint, value: Value, array: ArrayValue, *indices: Value) -> None:
    """Write a value to an element, which is given by an integer for each axis."""
    cells = reach(array, indices, here)
    if cells is not None:
        cells.store(value)
