"""Memory of records: their fields as arrays of their own, and copies of whole records.

A record that a variable names is a `View` of one axis, without a stride: of size 1, or 0 for
threads whose index was out of bounds, which was reported there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from math import gcd
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.simt.checks.elements import WatchedArray, row_strides
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.memory.choices import ArrayValue
from grader.simt.memory.reaching import Cells, Reached, gather, uncounted
from grader.simt.memory.views import AtomicUpdate, Buffer, Extent, Ints, Vector, View, locate
from grader.simt.program.types import UINT8, Scalar


class RecordField(NamedTuple):
    """A field of a record.

    Attributes:
        offset: bytes from the record's start.
        shape, strides: of an array within the record; strides in bytes.
    """

    dtype: Scalar
    offset: int
    shape: tuple[int, ...] = ()
    strides: tuple[int, ...] = ()


def field_of(record: Scalar, name: str) -> RecordField:
    """Return a field by its name.

    Raises:
        KeyError: the record has no such field.
    """
    if record.fields is None:
        raise KeyError(name)
    dtype, offset = record.fields[name][:2]
    base, shape = dtype.subdtype or (dtype, ())
    strides = tuple(stride * base.itemsize for stride in row_strides(shape))
    return RecordField(base, offset, shape, strides)


@cache
def leaves_of(record: Scalar) -> tuple[RecordField, ...]:
    """Return every number within a record, also those of arrays and records in it."""
    found: list[RecordField] = []
    for name in record.names or ():
        dtype, offset, shape, strides = field_of(record, name)
        inner = leaves_of(dtype) if dtype.names else (RecordField(dtype, 0),)
        for index in np.ndindex(shape):
            start = offset + sum(i * stride for i, stride in zip(index, strides, strict=True))
            found += [RecordField(leaf.dtype, start + leaf.offset) for leaf in inner]
    return tuple(found)


def cell_bytes(record: Scalar, dtype: Scalar, *places: int) -> int:
    """Return the largest unit that divides where fields of a dtype begin, and their size.

    Args:
        record: what they are fields of.
        dtype: of the fields.
        places: bytes at which records begin, and from one to the next.
    """
    starts = (leaf.offset for leaf in leaves_of(record) if leaf.dtype == dtype)
    return gcd(dtype.itemsize, *starts, *places)


def spread(memory: NDArray[np.uint8], dtype: Scalar, unit: int) -> NDArray[Any]:
    """View bytes as elements, of which one begins at every multiple of `unit`; they may overlap."""
    count = max(0, (memory.size - dtype.itemsize) // unit + 1)
    return np.ndarray((count,), dtype, memory, strides=(unit,))


class RecordBuffer:
    """Memory of records. A view of it counts in bytes; only its fields are read and written.

    Attributes:
        watched: the records, whose cells are bytes.
    """

    def __init__(self, watched: WatchedArray, make: Callable[[WatchedArray], Buffer]) -> None:
        self.watched = watched
        self.dtype = watched.dtype
        self._make = make
        self.fields: dict[Scalar, Buffer] = {}
        self._by_byte: dict[Scalar, Buffer] = {}

    def by_byte(self, dtype: Scalar) -> Buffer:
        """Return what `field` does, read and written as single bytes."""
        whole = self.field(dtype)
        if dtype.itemsize == 1 or self.watched.space == "local":
            return whole
        if dtype not in self._by_byte:
            self._by_byte[dtype] = ByteByByte(whole, self.field(UINT8))
        return self._by_byte[dtype]

    def field(self, dtype: Scalar) -> Buffer:
        """Return the same memory as elements of a field's dtype."""
        if dtype not in self.fields:
            watched = self.watched
            unit = cell_bytes(self.dtype, dtype, *watched.strides, watched.first)
            own = replace(
                watched,
                dtype=dtype,
                strides=tuple(stride // unit for stride in watched.strides),
                first=watched.first // unit,
                unit=unit,
                record=self.dtype,
            )
            self.fields[dtype] = self._make(own)
        return self.fields[dtype]

    def reinterpret(self, _dtype: Scalar) -> Buffer:
        """Fail: views of records are refused where the kernel is typed."""
        raise AssertionError

    def distance(self, _other: Buffer, _place: int) -> int:
        """Fail, like all that follow: a record as a whole is not accessed."""
        raise AssertionError

    def load(self, _index: Ints, _here: ExecutionPoint) -> Vector:
        """See `distance`."""
        raise AssertionError

    def store(self, _index: Ints, _value: Vector, _here: ExecutionPoint) -> None:
        """See `distance`."""
        raise AssertionError

    def atomic(self, _index: Ints, _here: ExecutionPoint, _update: AtomicUpdate) -> Vector:
        """See `distance`."""
        raise AssertionError

    def count(self, _kind: str, _index: Ints, _here: ExecutionPoint, _banks: str) -> None:
        """See `distance`."""
        raise AssertionError


def array_of(
    watched: WatchedArray, make: Callable[[WatchedArray], Buffer], shape: tuple[int, ...]
) -> View:
    """View new memory as a row-major array, of numbers or of records.

    Args:
        make: makes the memory of numbers.
        shape: of the array; `watched` has none where its size is the launch's.
    """
    records = watched.dtype.names is not None
    buffer = RecordBuffer(watched, make) if records else make(watched)
    cells = watched.dtype.itemsize // watched.cell_bytes
    return View(buffer, 0, shape, tuple(stride * cells for stride in row_strides(shape)))


class ByteByByte:
    """A field that is read and written as single bytes, as Numba does without `align=True`.

    Attributes:
        parts: the same memory as bytes, where the accesses are counted.
    """

    def __init__(self, whole: Buffer, parts: Buffer) -> None:
        self.whole = whole
        self.parts = parts
        self.watched = whole.watched
        self.dtype = whole.dtype

    def load(self, index: Ints, here: ExecutionPoint) -> Vector:
        """See `Buffer`."""
        self.count("load", index, here, "load")
        return self.whole.load(index, uncounted(here))

    def store(self, index: Ints, value: Vector, here: ExecutionPoint) -> None:
        """See `Buffer`."""
        self.count("store", index, here, "store")
        self.whole.store(index, value, uncounted(here))

    def atomic(self, index: Ints, here: ExecutionPoint, update: AtomicUpdate) -> Vector:
        """See `Buffer`: there are no atomics of a part."""
        return self.whole.atomic(index, here, update)

    def reinterpret(self, dtype: Scalar) -> Buffer:
        """See `Buffer`."""
        return self.whole.reinterpret(dtype)

    def count(self, kind: str, index: Ints, here: ExecutionPoint, banks: str) -> None:
        """See `Buffer`."""
        start = index * self.watched.cell_bytes
        for byte in range(self.dtype.itemsize):
            self.parts.count(kind, start + byte, here, banks)

    def distance(self, other: Buffer, place: int) -> int:
        """See `Buffer`."""
        return self.whole.distance(whole_of(other), place)


def whole_of(buffer: Buffer) -> Buffer:
    """Return what is read byte by byte as what is read at once."""
    return buffer.whole if isinstance(buffer, ByteByByte) else buffer


def as_record(view: View) -> View:
    """Return the only element of an array without axes, as a variable holds it."""
    return View(view.buffer, view.offset, (1,), (0,))


def find_record(view: View, indices: Sequence[Vector], here: ExecutionPoint) -> View:
    """Find the record of an index for each thread, as a variable holds it."""
    flat, left = locate(view, indices, here)
    if flat is None or left is None:
        return View(view.buffer, 0, (0,), (0,))
    there: Extent = 1 if left is here.mask else left.full.astype(np.int64)
    return View(view.buffer, int(flat[0, 0]) if flat.size == 1 else flat, (there,), (0,))


def select_array(view: View, field: RecordField) -> View:
    """Return the array of one field of an array's records; its elements are aligned as those."""
    buffer, unit = _memory(view, field)
    assert isinstance(view.buffer, RecordBuffer)
    if not field.dtype.names and not view.buffer.dtype.isalignedstruct:
        buffer = view.buffer.by_byte(field.dtype)
    strides = (*view.strides, *field.strides)
    return View(
        buffer,
        (view.offset + field.offset) // unit,
        (*view.shape, *field.shape),
        tuple(stride // unit for stride in strides),
    )


def select_in_record(view: View, field: RecordField) -> View:
    """Return an array or a record that is part of a record; an array counts as aligned."""
    whole = select_array(view, field)
    if not field.shape:
        return whole
    there, *shape = whole.shape
    whole = replace(whole, buffer=whole_of(whole.buffer))
    return replace(whole, shape=tuple(size * there for size in shape), strides=whole.strides[1:])


def _memory(view: View, field: RecordField) -> tuple[Buffer, int]:
    """Return the memory of a field and its unit."""
    assert isinstance(view.buffer, RecordBuffer)
    buffer = view.buffer if field.dtype.names else view.buffer.field(field.dtype)
    return buffer, buffer.watched.cell_bytes


def reach_field(
    record: ArrayValue, field: RecordField, here: ExecutionPoint, *, by_byte: bool
) -> Reached | None:
    """Find the cells of a number within each thread's record; None without any.

    Args:
        record: what a variable of it holds.
        by_byte: whether its bytes are accessed one by one.
    """

    def find(view: View, here: ExecutionPoint) -> Cells | None:
        buffer, unit = _memory(view, field)
        assert isinstance(view.buffer, RecordBuffer)
        if by_byte:
            buffer = view.buffer.by_byte(field.dtype)
        there, mask = view.shape[0], here.mask
        index: Any = (view.offset + field.offset) // unit
        if isinstance(index, int):
            index = np.array([[index]])
        elif mask.lanes is not None:
            index = np.where(mask.lanes, index, field.offset // unit)
        if not isinstance(there, int):
            present, _ = mask.split(there != 0)
            return None if present is None else Cells(buffer, index, here._replace(mask=present))
        return Cells(buffer, index, here) if there else None

    return gather(record, here, find)


def copy_record(
    source: ArrayValue, target: ArrayValue, record: Scalar, here: ExecutionPoint
) -> None:
    """Copy records byte by byte, padding too, as Numba does."""
    leaves = leaves_of(record)
    cells = [reach_field(source, leaf, here, by_byte=True) for leaf in leaves]
    values = [None if part is None else part.load() for part in cells]
    for kind, place in (("load", source), ("store", target)):
        for byte in _padding(record):
            _count_byte(place, byte, here, kind)
    for leaf, value in zip(leaves, values, strict=True):
        part = reach_field(target, leaf, here, by_byte=True)
        if part is not None and value is not None:
            part.store(value)


def _count_byte(record: ArrayValue, byte: int, here: ExecutionPoint, kind: str) -> None:
    part = reach_field(record, RecordField(UINT8, byte), here, by_byte=False)
    if part is not None and part.space != "local":
        part.count(kind)


def _padding(record: Scalar) -> Iterator[int]:
    """Yield the bytes of a record that no field covers."""
    covered = np.zeros(record.itemsize, dtype=np.bool_)
    for leaf in leaves_of(record):
        covered[leaf.offset : leaf.offset + leaf.dtype.itemsize] = True
    yield from np.flatnonzero(~covered).tolist()
