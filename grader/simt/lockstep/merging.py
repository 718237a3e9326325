"""Merges the values of variables where paths meet; and the value before any assignment."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from grader.simt.checks.elements import WatchedArray, row_major
from grader.simt.machine.frame import Frame, Value
from grader.simt.masks import Mask
from grader.simt.memory.choices import ArrayChoice, merge_arrays
from grader.simt.memory.constants import ConstantBuffer
from grader.simt.memory.records import RecordBuffer, array_of
from grader.simt.memory.views import View
from grader.simt.program.types import (
    INT64,
    Array,
    Dynamic,
    Nothing,
    Range,
    RecordType,
    Slice,
    Tuple,
    Type,
    VectorType,
    number,
)


class BranchPaths(NamedTuple):
    """What two paths give that meet, `here` for the threads of a mask: of type `Dynamic`."""

    mask: Mask
    here: Value
    elsewhere: Value


def merge(mask: Mask, new: Value, old: Value) -> Value:
    """Merge the new value for the threads of the mask with the old one for the others."""
    if old is None or mask.lanes is None:
        return new
    if isinstance(new, tuple):
        return tuple(merge(mask, left, right) for left, right in zip(new, old, strict=True))
    if isinstance(new, (View, ArrayChoice)):
        return merge_arrays(mask, new, old)
    if new is None:
        return None
    return np.where(mask.lanes, new, old)


def merge_result(frame: Frame, mask: Mask, new: Value) -> None:
    """Set the result of a call for the threads of the mask, in place once it is the frame's own."""
    old, lanes = frame.result, mask.lanes
    if (
        frame.owns_result
        and lanes is not None
        and new.dtype == old.dtype
        and len(old) >= max(len(lanes), len(new))
    ):
        np.copyto(old, new, where=lanes)
        return
    frame.result = merge(mask, new, old)
    merged = old is not None and lanes is not None
    frame.owns_result = merged and isinstance(frame.result, np.ndarray)


def replace_result(frame: Frame, _mask: Mask, new: Value) -> None:
    """Set the result of a call for all threads: its front end has joined it with the others'."""
    frame.result = new


def _no_memory(watched: WatchedArray) -> ConstantBuffer:
    return ConstantBuffer(watched, np.zeros(0, dtype=watched.dtype))


def zero_value(kind: Type, name: str) -> Value:
    """Return what a variable holds before it is assigned; an array has no elements."""
    match kind:
        case Tuple(items=items) | VectorType(items=items):
            return tuple(zero_value(part, name) for part in items)
        case Array(dtype, ndim):
            shape = (0,) * ndim
            watched = row_major(kind.space, name, dtype, shape)
            return array_of(watched, _no_memory, shape)
        case RecordType(dtype, space):
            watched = row_major(space, name, dtype, ())
            return View(RecordBuffer(watched, _no_memory), 0, (0,), (0,))
        case Nothing() | Dynamic():
            return None
        case Range(dtype):
            zero = np.zeros((1, 1), dtype=dtype)
            return zero, zero, zero + 1
        case Slice(parts):
            return tuple(np.zeros((1, 1), dtype=INT64) if there else None for there in parts)
    return np.zeros((1, 1), dtype=number(kind) or INT64)
