"""The sizes of a view as values of a kernel: int64, one for all threads or one each."""

from __future__ import annotations

from typing import Any

from grader.simt.typed import uniform
from grader.simt.types import INT64
from grader.simt.views import Extent, View


def size_of(view: View) -> Any:
    """How many elements."""
    size = uniform(1, INT64)
    for extent in view.shape:
        size = size * extent
    return size


def length_of(view: View) -> Any:
    """Along the first axis."""
    return extent_of(view.shape[0])


def extent_of(extent: Extent) -> Any:
    """One size."""
    return uniform(extent, INT64) if isinstance(extent, int) else extent
