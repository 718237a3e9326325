"""What a kernel is launched with: NumPy arrays become views of global memory, numbers vectors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.simt.elements import Watched
from grader.simt.errors import InvalidLaunch
from grader.simt.global_memory import GlobalBuffer
from grader.simt.refused import elements_refused
from grader.simt.shadow import Shadow
from grader.simt.typed import member_number, uniform
from grader.simt.types import (
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
from grader.simt.views import View


@dataclass(frozen=True, eq=False)
class Argument:
    """An array that was given.

    Attributes:
        array: the person's.
        buffer: its memory, perhaps shared with another argument's.
        value: what the kernel sees.
    """

    array: NDArray[Any]
    buffer: GlobalBuffer
    value: View

    def by_element(self, cells: NDArray[Any]) -> NDArray[Any]:
        """What is known of each cell of the memory, in the array's shape."""
        size = cells.itemsize
        strides = [int(one) * size for one in self.value.strides]
        offset = int(self.value.offset)
        return np.lib.stride_tricks.as_strided(cells[offset:], self.array.shape, strides)

    def cell(self, index: tuple[int, ...]) -> int:
        """The cell of an element."""
        strides = [int(one) for one in self.value.strides]
        return int(self.value.offset) + int(np.dot(index, strides))

    def written(self) -> NDArray[np.bool_]:
        """Which cells of the memory somebody has written."""
        shadow = self.buffer.shadow
        if shadow is None:
            return np.zeros(self.buffer.flat.size, dtype=np.bool_)
        return shadow.written(slice(0, self.buffer.flat.size))

    def writer(self, index: tuple[int, ...]) -> tuple[int, int] | None:
        """Thread (in the grid, from 1) and site that wrote an element last."""
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
    """As Numba types an argument.

    Raises:
        InvalidLaunch: a kernel cannot take it.
    """
    if isinstance(value, np.ndarray):
        if value.dtype not in SCALARS or not value.dtype.isnative:
            raise InvalidLaunch(elements_refused(value.dtype))
        return Array(value.dtype, value.ndim, "global", bool(value.flags.writeable))
    if isinstance(value, tuple):
        return Tuple(tuple(type_of(one) for one in value), getattr(value, "_fields", ()))
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
            raise InvalidLaunch(elements_refused(value.dtype))
        case _:
            kind = type(value).__name__
            raise InvalidLaunch(f"a kernel cannot take a {kind}; arrays and numbers can be given")


class Bound(NamedTuple):
    """What a kernel is given.

    Attributes:
        values: what each parameter holds: a view, vectors, tuples of them.
        arrays: every array by name; one within a tuple `t` is called `t[0]`.
    """

    values: Mapping[str, Any]
    arrays: Mapping[str, Argument]


def bound(
    names: Sequence[str], values: Sequence[Any], tracked: frozenset[str] | None, *, timed: bool
) -> Bound:
    """The arguments, by name.

    Args:
        names: of the parameters.
        values: what was given for each.
        tracked: those that the kernel writes to; None: any of them.
        timed: whether the kernel has barriers.
    """
    given = dict(zip(names, values, strict=True))
    leaves = (leaf for name, value in given.items() for leaf in _leaves(name, value))
    arrays = {name: value for name, value in leaves if isinstance(value, np.ndarray)}
    memory = _memory(arrays)
    watched = {id(memory[name][0]) for name in arrays if tracked is None or name in tracked}
    buffers: dict[int, GlobalBuffer] = {}
    arguments: dict[str, Argument] = {}
    for name, value in arrays.items():
        flat, offset = memory[name]
        shape = tuple(map(int, value.shape))
        strides = tuple(int(one) // value.itemsize for one in value.strides)
        if id(flat) not in buffers:
            shadow = Shadow(flat.size, timed=timed) if id(flat) in watched else None
            elements = Watched("global", name, value.dtype, shape, strides, offset)
            buffers[id(flat)] = GlobalBuffer(elements, flat, shadow)
        view = View(buffers[id(flat)], offset, shape, strides)
        arguments[name] = Argument(value, buffers[id(flat)], view)
    return Bound({name: _value(name, one, arguments) for name, one in given.items()}, arguments)


def part_name(name: str, place: int) -> str:
    """What a part of a tuple is called."""
    return f"{name}[{place}]"


def _leaves(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """What is no tuple, with its name."""
    if not isinstance(value, tuple):
        yield name, value
        return
    for place, one in enumerate(value):
        yield from _leaves(part_name(name, place), one)


def _value(name: str, value: Any, arguments: Mapping[str, Argument]) -> Any:
    if isinstance(value, tuple):
        parts = enumerate(value)
        return tuple(_value(part_name(name, place), one, arguments) for place, one in parts)
    if name in arguments:
        return arguments[name].value
    if isinstance(value, Enum):
        return uniform(member_number(value), INT64)
    return uniform(value, _number_type(value))


def _memory(arrays: Mapping[str, NDArray[Any]]) -> dict[str, tuple[NDArray[Any], int]]:
    """Flat memory of each array, and where in it the array begins; overlapping ones share it."""
    groups: list[tuple[int, int, list[str]]] = []
    for name, array in sorted(arrays.items(), key=lambda one: _span(one[1])[0]):
        low, high = _span(array)
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


def _span(array: NDArray[Any]) -> tuple[int, int]:
    """The bytes it lies in: first, and one after the last."""
    start = array.__array_interface__["data"][0]
    if array.size == 0:
        return start, start
    reach = [(size - 1) * stride for size, stride in zip(array.shape, array.strides, strict=True)]
    low = start + sum(one for one in reach if one < 0)
    return low, start + sum(one for one in reach if one > 0) + array.itemsize


def _flat(array: NDArray[Any], low: int, high: int) -> NDArray[Any]:
    """The memory from the lowest byte of several arrays to the highest, as elements."""
    if array.size == 0:
        return np.zeros(1, dtype=array.dtype)[:0]
    backwards = tuple(slice(None, None, -1 if one < 0 else 1) for one in array.strides)
    whole: Any = (*backwards, ...)  # the dots: without axes it would be a number, a copy
    first = array[whole]
    count = (high - low) // array.itemsize
    return np.lib.stride_tricks.as_strided(
        first, (count,), (array.itemsize,), writeable=bool(array.flags.writeable)
    )
