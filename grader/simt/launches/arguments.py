"""Binds the arguments of a launch: arrays become views of global memory, numbers vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from math import gcd
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from grader.facts import fact
from grader.simt.checks.elements import PointerInto, WatchedArray, row_major
from grader.simt.checks.shadow import WIDEST, Access, Kind, Shadow
from grader.simt.errors import InvalidLaunch
from grader.simt.machine.chunk import Chunk
from grader.simt.machine.conversion import member_number, uniform
from grader.simt.memory.allocations import Allocation, Allocations, Heap, HeapPointer
from grader.simt.memory.global_memory import GlobalBuffer
from grader.simt.memory.records import RecordBuffer, as_record, spread
from grader.simt.memory.views import Buffer, View
from grader.simt.memory.written import WrittenBytes, WrittenPart, find_part
from grader.simt.numba.refused import refuse_elements
from grader.simt.program.types import (
    BOOL,
    COMPLEX128,
    FLOAT64,
    INT64,
    SCALARS,
    UINT8,
    UINT64,
    Array,
    Member,
    RecordType,
    Scalar,
    Tuple,
    Type,
)

_UNNAMED = "memory"
"""What findings call an allocation that no argument points to."""
_WRITES: tuple[Kind, ...] = ("store", "atomic")


@dataclass(frozen=True, eq=False)
class BoundArray:
    """An array argument.

    Attributes:
        buffer: its memory, perhaps shared with another argument's.
    """

    array: NDArray[Any]
    buffer: GlobalBuffer | RecordBuffer
    value: View

    @property
    def numbers(self) -> NDArray[Any] | None:
        """The array, or bytes as what they were accessed as; None if that is of several types."""
        if self.array.dtype == UINT8 and isinstance(self.buffer, GlobalBuffer):
            return self.buffer.numbers
        return self.array

    def find_written(self) -> NDArray[np.bool_]:
        """Return which elements were written, a record if any field of it was, in its shape."""
        written = np.zeros(self.array.shape, dtype=np.bool_)
        for buffer, shadow in self._parts():
            cells = shadow.find_written(slice(0, shadow.cells))
            written |= self._by_element(buffer, cells)
        return written

    def find_accessed(self) -> Mapping[Access, NDArray[np.bool_]]:
        """Return which elements were accessed, by kind of access, as far as that is tracked."""
        found: dict[Access, NDArray[np.bool_]] = {}
        for kind in get_args(Kind):
            for buffer, shadow in self._parts():
                record = shadow.record(kind)
                if record is not None:
                    there = self._by_element(buffer, record.find_accessed(slice(0, shadow.cells)))
                    as_one: Access = "load" if kind == "poll" else kind
                    known = found.get(as_one)
                    found[as_one] = there if known is None else known | there
        return found

    def writer(self, index: tuple[int, ...]) -> tuple[int, int] | None:
        """Return thread (in the grid, from 1) and site of an element's last write."""
        for buffer, shadow in self._parts():
            for kind in _WRITES:
                record = shadow.record(kind)
                if record is None:
                    continue
                cells = self._cells(buffer, record.thread)[index]
                if cells.any():
                    first = int(np.flatnonzero(cells)[0])
                    sites = self._cells(buffer, record.site)[index]
                    return int(cells[first]), int(sites[first])
        return None

    def _parts(self) -> Iterator[tuple[GlobalBuffer, Shadow]]:
        """Yield what holds its elements: its own memory, or that of each dtype of its records."""
        whole = self.buffer
        for part in whole.fields.values() if isinstance(whole, RecordBuffer) else (whole,):
            if isinstance(part, GlobalBuffer) and part.shadow is not None:
                part.shadow.cells_of(part.unit)  # no cell is wider than an element
                yield part, part.shadow

    def _cells(self, buffer: GlobalBuffer, cells: NDArray[Any]) -> NDArray[Any]:
        """View a value per cell of memory in the array's shape; the last axis is an element's."""
        assert buffer.shadow is not None
        own, cell = self.buffer.watched.cell_bytes, buffer.shadow.cell
        strides = [stride // cell * cells.itemsize for stride in self.array.strides]
        offset = int(self.value.offset) * own // cell
        each = self.array.itemsize if isinstance(self.buffer, RecordBuffer) else buffer.unit
        shape = (*self.array.shape, each // cell)
        return np.lib.stride_tricks.as_strided(cells[offset:], shape, (*strides, cells.itemsize))

    def _by_element(self, buffer: GlobalBuffer, cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return np.asarray(self._cells(buffer, cells).any(axis=-1))


def type_of(value: Any) -> Type:
    """Type an argument as Numba does.

    Raises:
        InvalidLaunch: a kernel cannot take it.
    """
    if isinstance(value, np.void) and value.dtype.names:
        return RecordType(value.dtype, "global", bool(value.flags.writeable))
    if isinstance(value, np.ndarray):
        known = value.dtype in SCALARS and value.dtype.isnative
        if not known and not value.dtype.names:
            raise InvalidLaunch(*refuse_elements(value.dtype))
        return Array(value.dtype, value.ndim, "global", bool(value.flags.writeable))
    if isinstance(value, HeapPointer):
        return INT64
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
    names: Sequence[str],
    values: Sequence[Any],
    tracked: frozenset[str] | None,
    *,
    timed: bool,
    allocations: Allocations | None = None,
    written: Sequence[WrittenBytes] = (),
    stored: frozenset[str] = frozenset(),
) -> BoundArguments:
    """Bind the arguments to their names.

    Args:
        tracked: those that the kernel writes to; None: any of them.
        timed: whether the kernel has barriers.
        allocations: where arrays are allocations, and their values pointers; None where they are
            views.
        written: of memory that is not initialized as a whole.
        stored: those that the kernel writes through by their names.
    """
    given = dict(zip(names, values, strict=True))
    parts = (part for name, value in given.items() for part in flatten(name, value))
    arrays = {name: array for name, value in parts if (array := as_array(value)) is not None}
    memory = _find_memory(arrays)
    watched = {id(memory[name].flat) for name in arrays if tracked is None or name in tracked}
    buffers: dict[int, GlobalBuffer | RecordBuffer] = {}
    arguments: dict[str, BoundArray] = {}
    seen: dict[str, Any] = {}
    for name, value in arrays.items():
        flat, offset, unit = memory[name]
        shape = tuple(map(int, value.shape))
        strides = tuple(int(stride) // unit for stride in value.strides)
        if id(flat) not in buffers:
            elements = WatchedArray(
                "global", name, value.dtype, shape, strides, offset, unit=unit,
                pointers=_pointers_into(given, name, stored),
            )  # fmt: skip
            track = id(flat) in watched
            shadow = partial(Shadow, timed=timed) if track else None
            make = _make_buffer if allocations is None else _make_bytes
            buffers[id(flat)] = make(elements, flat, shadow, find_part(written, *span_of(flat)))
        view = View(buffers[id(flat)], offset, shape, strides)
        arguments[name] = BoundArray(value, buffers[id(flat)], view)
        seen[name] = view
        if allocations is not None:
            find = partial(_find_global, view.buffer)
            own = given.get(name)
            if isinstance(own, HeapPointer):
                allocations.hold(Allocation("global", own.start, flat.nbytes, find))
                seen[name] = uniform(own.address, INT64)
            else:
                start = allocations.place(view.buffer, "global", flat.nbytes, find).start
                seen[name] = uniform(start + offset * unit, INT64)
    return BoundArguments(
        {name: _value(name, argument, seen) for name, argument in given.items()}, arguments
    )


def _pointers_into(
    given: Mapping[str, Any], name: str, stored: frozenset[str]
) -> tuple[PointerInto, ...]:
    """Return the parameters that point into the allocation of one; none if it is alone."""
    own = given.get(name)
    if not isinstance(own, HeapPointer):
        return ()
    found = tuple(
        PointerInto(each.address - each.start, other in stored, other)
        for other, each in given.items()
        if isinstance(each, HeapPointer) and each.start == own.start
    )
    return found if len(found) > 1 else ()


def bind_heap(
    heap: Heap,
    allocations: Allocations,
    *,
    timed: bool,
    tracked: bool,
    found: Callable[[GlobalBuffer | RecordBuffer], None],
) -> None:
    """Let a launch use a heap's memory that none of its arguments points to.

    Args:
        timed: whether the kernel has barriers.
        tracked: whether it may write there.
        found: is told what of the memory is used.
    """

    def find(start: int) -> Allocation | None:
        block = heap.find(start)
        if block is None:
            return None
        elements = row_major("global", _UNNAMED, block.data.dtype, block.data.shape)
        shadow = partial(Shadow, timed=timed) if tracked else None
        known = find_part([block.written] if block.written else [], *span_of(block.data))
        buffer = _make_bytes(elements, block.data, shadow, known)
        found(buffer)
        return Allocation("global", start, block.data.nbytes, partial(_find_global, buffer))

    allocations.find_more = find
    allocations.find_freed_line = heap.find_freed_line
    allocations.textures = heap.textures


def _find_global(buffer: Buffer, _chunk: Chunk) -> Buffer:
    return buffer


def as_array(value: Any) -> NDArray[Any] | None:
    """Return an array, or the memory of a record as one without axes; None of anything else."""
    if isinstance(value, np.void):
        start = np.ndarray((), value.dtype, value.data).__array_interface__["data"][0]
        memory = np.asarray(_Bytes(value, start, start + value.nbytes))  # `data` is read-only
        return np.ndarray((), value.dtype, memory)
    if isinstance(value, HeapPointer):
        return value.array
    return value if isinstance(value, np.ndarray) else None


def _make_buffer(
    elements: WatchedArray,
    flat: NDArray[Any],
    shadow: Callable[..., Shadow] | None,
    written: WrittenPart | None,
) -> GlobalBuffer | RecordBuffer:
    """Make the memory of an argument; of records, that of a dtype is made when it is used."""

    def watch(cells: int, cell: int) -> Shadow | None:
        return None if shadow is None else shadow(cells, cell=cell)

    def make_field(own: WatchedArray) -> GlobalBuffer:
        known = watch(flat.size // own.unit, own.unit)
        return GlobalBuffer(own, spread(flat, own.dtype, own.unit), known, written)

    if elements.dtype.names:
        return RecordBuffer(elements, make_field)
    return GlobalBuffer(elements, flat, watch(flat.size, elements.cell_bytes), written)


def _make_bytes(
    elements: WatchedArray,
    flat: NDArray[Any],
    shadow: Callable[..., Shadow] | None,
    written: WrittenPart | None,
) -> GlobalBuffer | RecordBuffer:
    """Make the memory that pointers point to: one shadow for elements of all sizes."""
    known = None if shadow is None else shadow(-(-flat.nbytes // WIDEST), cell=WIDEST)
    if not elements.dtype.names:
        return GlobalBuffer(elements, flat, known, written)
    return RecordBuffer(
        elements, lambda own: GlobalBuffer(own, spread(flat, own.dtype, own.unit), known, written)
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


def _value(name: str, value: Any, arrays: Mapping[str, Any]) -> Any:
    if isinstance(value, tuple):
        parts = enumerate(value)
        return tuple(_value(part_name(name, place), part, arrays) for place, part in parts)
    if name in arrays:
        seen = arrays[name]
        return as_record(seen) if isinstance(value, np.void) and isinstance(seen, View) else seen
    if isinstance(value, Enum):
        return uniform(member_number(value), INT64)
    return uniform(value, _number_type(value))


class _Memory(NamedTuple):
    """Where an array lies.

    Attributes:
        flat: the memory of all arrays that overlap it: elements, or the bytes of records.
        offset: its first element in it, in units.
        unit: bytes from one element of `flat` to the next.
    """

    flat: NDArray[Any]
    offset: int
    unit: int


def _find_memory(arrays: Mapping[str, NDArray[Any]]) -> dict[str, _Memory]:
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
        starts = {name: arrays[name].__array_interface__["data"][0] - low for name in members}
        dtype = arrays[members[0]].dtype
        steps = (step for name in members for step in (starts[name], *arrays[name].strides))
        unit = 1 if dtype.names else gcd(dtype.itemsize, *steps)
        flat = _flat(arrays[members[0]], low, high, unit)
        for name in members:
            found[name] = _Memory(flat, starts[name] // unit, unit)
    return found


def is_own_memory(array: NDArray[Any] | np.void) -> bool:
    """Return True if NumPy has allocated an array's memory: no other process has a part in it."""
    owner: Any = array
    while isinstance(owner, np.ndarray | _Bytes):
        if isinstance(owner, np.ndarray) and owner.flags.owndata:
            return True
        owner = owner.owner if isinstance(owner, _Bytes) else owner.base
    return isinstance(owner, np.void)


def span_of(array: NDArray[Any]) -> tuple[int, int]:
    """Return the array's first byte address, and the one after its last."""
    start = array.__array_interface__["data"][0]
    if array.size == 0:
        return start, start
    reach = [(size - 1) * stride for size, stride in zip(array.shape, array.strides, strict=True)]
    low = start + sum(extent for extent in reach if extent < 0)
    return low, start + sum(extent for extent in reach if extent > 0) + array.itemsize


def _flat(array: NDArray[Any], low: int, high: int, unit: int) -> NDArray[Any]:
    """View the memory from the lowest to the highest byte of several arrays; see `_Memory`."""
    if array.size == 0:
        return np.zeros(0, dtype=np.uint8 if array.dtype.names else array.dtype)
    memory = np.asarray(_Bytes(array, low, high))
    return memory if array.dtype.names else spread(memory, array.dtype, unit)


class _Bytes:
    """Bytes that NumPy can view; what they belong to lives as long as they do."""

    def __init__(self, owner: NDArray[Any] | np.void, low: int, high: int) -> None:
        self.owner = owner
        self.__array_interface__ = {
            "data": (low, not owner.flags.writeable),
            "shape": (high - low,),
            "typestr": "|u1",
            "version": 3,
        }
