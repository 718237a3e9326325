"""NumPy's ufuncs of arrays in a kernel: each thread goes through all elements of the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.conversion import convert
from grader.simt.machine.frame import Value
from grader.simt.memory.choices import ArrayValue
from grader.simt.memory.extents import each_element, shape_of
from grader.simt.memory.reaching import reach
from grader.simt.program.types import Scalar


@dataclass(frozen=True)
class Elements:
    """An array whose elements a ufunc takes, or gives.

    Attributes:
        dtype: of its elements.
        ndim: its axes, which are the last ones of the result.
        computed: the dtype that the ufunc takes or gives.
    """

    dtype: Scalar
    ndim: int
    computed: Scalar


def write_elements(
    ufunc: np.ufunc,
    operands: Sequence[Elements | None],
    written: Elements,
    here: ExecutionPoint,
    out: ArrayValue,
    *given: Value,
) -> None:
    """Write what a ufunc gives into all elements of an array.

    Args:
        operands: for each operand what its array is; None for a number, which is used as it is.
    """
    shapes = [
        () if operand is None else shape_of(value, operand.ndim)
        for operand, value in zip(operands, given, strict=True)
    ]
    for index, there, cells in each_element(out, written.ndim, here):
        parts = [
            value if operand is None else _take(operand, value, shape, there, index)
            for operand, value, shape in zip(operands, given, shapes, strict=True)
        ]
        cells.store(convert(ufunc(*parts), written.dtype))


def _take(
    operand: Elements,
    array: ArrayValue,
    shape: tuple[Value, ...],
    here: ExecutionPoint,
    index: tuple[int, ...],
) -> Value:
    """Read an operand's element for an index of the result; one of a single element is repeated."""
    last = zip(index[len(index) - operand.ndim :], shape, strict=True)
    cells = reach(array, [np.minimum(i, size - 1) for i, size in last], here)
    found = np.zeros((1, 1), dtype=operand.dtype) if cells is None else cells.load()
    return convert(found, operand.computed)
