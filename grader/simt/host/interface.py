"""`__cuda_array_interface__`: device arrays as other libraries hand them on.

Only memory of the emulated device can be taken: a pointer of a real GPU leads nowhere here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.facts import fact
from grader.simt.host.arrays import ALLOCATIONS, EmulatedArray, History, MappedArray
from grader.simt.host.numba_names.names import NotEmulated
from grader.simt.host.streams import external_stream
from grader.simt.launches.arguments import span_of

_NAME = "__cuda_array_interface__"


def is_cuda_array(obj: Any) -> bool:
    """Return True if an object has the interface, as device arrays have it."""
    return isinstance(obj, MappedArray) or hasattr(obj, _NAME)


def as_cuda_array(obj: Any, sync: bool = True) -> Any:
    """Return the device array that an object stands for.

    Raises:
        TypeError: it has no such interface, as with Numba.
        NotEmulated: it lies in memory that is not the emulated device's.
    """
    if isinstance(obj, (EmulatedArray, MappedArray)):
        return obj
    if not is_cuda_array(obj):
        raise TypeError("*obj* doesn't implement the cuda array interface.")
    return from_cuda_array_interface(getattr(obj, _NAME), owner=obj)


def from_cuda_array_interface(
    desc: Mapping[str, Any], owner: Any = None, sync: bool = True
) -> EmulatedArray:
    """Return the elements that the interface describes, in their own memory.

    Raises:
        NotImplementedError: it has a mask, or is of another version, as with Numba.
        NotEmulated: it is not memory of the emulated device.
    """
    version = desc.get("version", 0)
    if version >= 4 or desc.get("mask") is not None:
        raise NotImplementedError("Masked arrays are not supported")
    dtype = np.dtype(desc["typestr"])
    shape = tuple(desc["shape"])
    strides = desc.get("strides") or np.empty(shape, np.bool_).strides
    steps = tuple(step if desc.get("strides") else step * dtype.itemsize for step in strides)
    pointer, read_only = desc["data"]
    for memory in list(ALLOCATIONS):
        first, end = span_of(memory.base)
        if first <= pointer < max(end, first + 1):
            part = _part(memory, dtype, shape, steps, pointer - first, read_only=bool(read_only))
            stream = desc.get("stream")
            return part.bind(external_stream(stream)) if stream else part
    raise NotEmulated(fact("not-emulated.foreign-array"))


def _part(
    memory: History,
    dtype: np.dtype[Any],
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    offset: int,
    *,
    read_only: bool,
) -> EmulatedArray:
    """View elements of an array; which of them are written is known if their size is the same."""
    size = dtype.itemsize
    base: NDArray[Any] = np.ndarray(shape, dtype, _flat(memory.base), offset, strides)
    base.flags.writeable = not read_only
    written = None
    if memory.written is not None and size == memory.base.itemsize:
        steps = tuple(stride // size for stride in strides)
        written = np.ndarray(shape, np.bool_, _flat(memory.written), offset // size, steps)
    return EmulatedArray(base, written, memory)


def _flat(array: NDArray[Any]) -> NDArray[np.uint8]:
    """View the bytes of an allocation, which has no gaps."""
    return np.lib.stride_tricks.as_strided(array, (array.size,), (array.itemsize,)).view(np.uint8)
