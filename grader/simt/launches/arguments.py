"""Binds the arguments of a launch: arrays become views of global memory, numbers vectors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.facts import fact
from grader.simt.checks.elements import WatchedArray
from grader.simt.checks.shadow import Shadow
from grader.simt.compiler.refused import refuse_elements
from grader.simt.errors import InvalidLaunch
from grader.simt.machine.typed import member_number, uniform
from grader.simt.memory.global_memory import GlobalBuffer
from grader.simt.memory.views import View
from grader.simt.reading.types import (
    BOOL,
    COMPLEX128,
    FLOAT64,
    INT64,
    SCALARS,
    UINT64,
    Array,
    Member,
    Scalar,
    Tuple,
    Type,
)


@dataclass(frozen=True, eq=False)
class BoundArray:
    """An array argument.

    Attributes:
        array: the caller's.
        buffer: its memory, perhaps shared with another argument's.
        value: what the kernel sees.
    """

    array: NDArray[Any]
    buffer: GlobalBuffer
    value: View

    def by_element(self, cells: NDArray[Any]) -> NDArray[Any]:
        """View a value per cell of the memory in the array's shape."""
        size = cells.itemsize
        strides = [int(stride) * size for stride in self.value.strides]
        offset = int(self.value.offset)
        return np.lib.stride_tricks.as_strided(cells[offset:], self.array.shape, strides)

    def find_written(self) -> NDArray[np.bool_]:
        """Return which cells of the memory have been written."""
        shadow = self.buffer.shadow
        if shadow is None:
            return np.zeros(self.buffer.flat.size, dtype=np.bool_)
        return shadow.find_written(slice(0, self.buffer.flat.size))

    def writer(self, index: tuple[int, ...]) -> tuple[int, int] | None:
        """Return thread (in the grid, from 1) and site of an element's last write."""
        shadow = self.buffer.shadow
        found = None
        for kind in ("store", "atomic"):
            record = shadow.record(kind) if shadow else None
            if record is not None:
                thread = int(self.by_element(record.thread)[index])
                if thread:
                    found = found or (thread, int(self.by_element(record.site)[index]))
        return found


def type_of(value: Any) -> Type:
    """Type an argument as Numba does.

    Raises:
        InvalidLaunch: a kernel cannot take it.
    """
    if isinstance(value, np.ndarray):
        if value.dtype not in SCALARS or not value.dtype.isnative:
            raise InvalidLaunch(*refuse_elements(value.dtype))
        return Array(value.dtype, value.ndim, "global", bool(value.flags.writeable))
    if isinstance(value, tuple):
        return Tuple(tuple(type_of(part) for part in value), getattr(value, "_fields", ()))
    if isinstance(value, Enum):
        return Member(type(value))
    return _number_type(value)


def _number_type(value: Any) -> Scalar:
    match value:
        case np.generic() if value.dtype in SCALARS:
            return value.dtype
        case bool():
            return BOOL
        case int():
            return INT64 if value < 1 << 63 else UINT64
        case float():
            return FLOAT64
        case complex():
            return COMPLEX128
        case np.void():
            raise InvalidLaunch(*refuse_elements(value.dtype))
        case _:
            raise InvalidLaunch(fact("launch.argument-type", type=type(value).__name__))


class BoundArguments(NamedTuple):
    """The arguments as a kernel gets them.

    Attributes:
        values: what each parameter holds: a view, vectors, tuples of them.
        arrays: every array by name; one within a tuple `t` is called `t[0]`.
    """

    values: Mapping[str, Any]
    arrays: Mapping[str, BoundArray]


def bind_arguments(
    names: Sequence[str], values: Sequence[Any], tracked: frozenset[str] | None, *, timed: bool
) -> BoundArguments:
    """Bind the arguments to their names.

    Args:
        names: of the parameters.
        values: what was given for each.
        tracked: those that the kernel writes to; None: any of them.
        timed: whether the kernel has barriers.
    """
    given = dict(zip(names, values, strict=True))
    parts = (part for name, value in given.items() for part in flatten(name, value))
    arrays = {name: value for name, value in parts if isinstance(value, np.ndarray)}
    memory = _memory(arrays)
    watched = {id(memory[name][0]) for name in arrays if tracked is None or name in tracked}
    buffers: dict[int, GlobalBuffer] = {}
    arguments: dict[str, BoundArray] = {}
    for name, value in arrays.items():
        flat, offset = memory[name]
        shape = tuple(map(int, value.shape))
        strides = tuple(int(stride) // value.itemsize for stride in value.strides)
        if id(flat) not in buffers:
            shadow = Shadow(flat.size, timed=timed) if id(flat) in watched else None
            elements = WatchedArray("global", name, value.dtype, shape, strides, offset)
            buffers[id(flat)] = GlobalBuffer(elements, flat, shadow)
        view = View(buffers[id(flat)], offset, shape, strides)
        arguments[name] = BoundArray(value, buffers[id(flat)], view)
    return BoundArguments(
        {name: _value(name, argument, arguments) for name, argument in given.items()}, arguments
    )


def part_name(name: str, place: int) -> str:
    """Name an item of a tuple argument."""
    return f"{name}[{place}]"


def flatten(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the items of nested tuples, each with its name."""
    if not isinstance(value, tuple):
        yield name, value
        return
    for place, part in enumerate(value):
        yield from flatten(part_name(name, place), part)


def _value(name: str, value: Any, arguments: Mapping[str, BoundArray]) -> Any:
    if isinstance(value, tuple):
        parts = enumerate(value)
        return tuple(_value(part_name(name, place), part, arguments) for place, part in parts)
    if name in arguments:
        return arguments[name].value
    if isinstance(value, Enum):
        return uniform(member_number(value), INT64)
    return uniform(value, _number_type(value))


def _memory(arrays: Mapping[str, NDArray[Any]]) -> dict[str, tuple[NDArray[Any], int]]:
    """Find the flat memory of each array and where it begins; overlapping arrays share it."""
    groups: list[tuple[int, int, list[str]]] = []
    for name, array in sorted(arrays.items(), key=lambda item: span_of(item[1])[0]):
        low, high = span_of(array)
        same = groups and groups[-1][1] > low
        if same and arrays[groups[-1][2][0]].dtype == array.dtype:
            first, last, members = groups[-1]
            groups[-1] = (first, max(last, high), [*members, name])
        else:
            groups.append((low, high, [name]))
    found = {}
    for low, high, members in groups:
        flat = _flat(arrays[members[0]], low, high)
        for name in members:
            start = arrays[name].__array_interface__["data"][0] - low
            found[name] = flat, start // max(1, arrays[name].itemsize)
    return found


def span_of(array: NDArray[Any]) -> tuple[int, int]:
    """Return the array's first byte address, and the one after its last."""
    start = array.__array_interface__["data"][0]
    if array.size == 0:
        return start, start
    reach = [(size - 1) * stride for size, stride in zip(array.shape, array.strides, strict=True)]
    low = start + sum(extent for extent in reach if extent < 0)
    return low, start + sum(extent for extent in reach if extent > 0) + array.itemsize


def _flat(array: NDArray[Any], low: int, high: int) -> NDArray[Any]:
    """View the memory from the lowest to the highest byte of several arrays as elements."""
    if array.size == 0:
        return np.zeros(1, dtype=array.dtype)[:0]
    backwards = tuple(slice(None, None, -1 if stride < 0 else 1) for stride in array.strides)
    whole: Any = (*backwards, ...)  # the dots: without axes it would be a number, a copy
    first = array[whole]
    count = (high - low) // array.itemsize
    return np.lib.stride_tricks.as_strided(
        first, (count,), (array.itemsize,), writeable=bool(array.flags.writeable)
    )
