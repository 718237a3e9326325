"""The sizes of an array as values of a kernel, and all its elements, one after the other.

Sizes are int64, one for all threads or one each.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial, reduce
from typing import Any

import numpy as np

from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.conversion import uniform
from grader.simt.memory.choices import ArrayValue, value_of
from grader.simt.memory.reaching import Reached, reach
from grader.simt.memory.views import Extent, View
from grader.simt.program.types import INT64


def size_of(array: ArrayValue, ndim: int) -> Any:
    """Return the number of elements."""
    size = uniform(1, INT64)
    for extent in shape_of(array, ndim):
        size = size * extent
    return size


def shape_of(array: ArrayValue, ndim: int) -> tuple[Any, ...]:
    """Return the size along each axis."""
    return tuple(length_of(array, axis) for axis in range(ndim))


def strides_of(array: ArrayValue, ndim: int) -> tuple[Any, ...]:
    """Return the bytes from one index to the next along each axis."""
    steps = (value_of(array, partial(_stride, axis)) for axis in range(ndim))
    return tuple(uniform(step, INT64) if isinstance(step, int) else step for step in steps)


def _stride(axis: int, view: View) -> Extent:
    return view.strides[axis] * view.buffer.watched.cell_bytes


def length_of(array: ArrayValue, axis: int = 0) -> Any:
    """Return the size along one axis."""
    size = value_of(array, lambda view: view.shape[axis])
    return uniform(size, INT64) if isinstance(size, int) else size


def each_element(
    array: ArrayValue, ndim: int, here: ExecutionPoint
) -> Iterator[tuple[tuple[int, ...], ExecutionPoint, Reached]]:
    """Yield every index of an array, the threads whose array has it, and its cells.

    Raises:
        OutOfBudget: there are no operations left.
    """
    mask = here.mask
    shape = shape_of(array, ndim)
    most = [int(np.where(mask.full, size, 0).max()) for size in shape]
    for index in np.ndindex(*most):
        inside = [np.asarray(i < size) for i, size in zip(index, shape, strict=True)]
        having, _ = mask.split(reduce(np.logical_and, inside, np.ones((1, 1), dtype=np.bool_)))
        if having is None:
            continue
        own = here._replace(mask=having)
        here.chunk.spend(here.site)
        cells = reach(array, [uniform(i, INT64) for i in index], own)
        if cells is not None:
            yield index, own, cells


def fill_elements(ndim: int, here: ExecutionPoint, given: Any, array: ArrayValue) -> None:
    """Store a number into every element of an array."""
    for _, _, cells in each_element(array, ndim, here):
        cells.store(given)
