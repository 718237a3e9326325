"""Local arrays: each thread's own.

Elements come first, so that an index that is the same in all threads (`acc[i]` in a loop) is one
plane of memory. A plane is as wide as the narrowest access; a wider element is several planes.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.facts import fact
from grader.simt.checks.elements import WatchedArray
from grader.simt.machine.chunk import Chunk, ExecutionPoint
from grader.simt.masks import Bools
from grader.simt.memory.views import AtomicUpdate, Buffer, Ints, Vector, distance_apart
from grader.simt.program.types import COMPLEX128, UINT8, UINT16, UINT32, UINT64, Scalar

_OWN = 20
"""Operations for each thread where indices differ by thread."""
_RAW = {dtype.itemsize: dtype for dtype in (UINT8, UINT16, UINT32, UINT64, COMPLEX128)}
"""What a plane is made of, by its width."""


class Planes:
    """Some bytes of each thread, and which of them it has written.

    Attributes:
        data, written: (planes, blocks, threads).
        whole: of each plane, True if it is known that all threads have written it.
    """

    def __init__(self, size: int, chunk: Chunk) -> None:
        self._size = size
        self.shape = chunk.blocks, chunk.threads
        self.data: NDArray[Any] = np.zeros((0, *self.shape), dtype=UINT8)
        self.written: Bools = np.zeros((0, *self.shape), dtype=np.bool_)
        self.whole: list[bool] = []

    def planes_of(self, size: int) -> int:
        """Return how many planes an element of some bytes has; they are split if it is narrower."""
        if not self.whole:
            count = -(-self._size // size)
            self.data = np.zeros((count, *self.shape), dtype=_RAW[size])
            self.written = np.zeros((count, *self.shape), dtype=np.bool_)
            self.whole = [False] * count
        width = self.data.itemsize
        if size < width:
            self._split(width // size, _RAW[size])
        return max(1, size // width)

    def _split(self, parts: int, dtype: Scalar) -> None:
        count = len(self.data)
        apart = self.data.view(dtype).reshape(count, *self.shape, parts)
        planes = np.moveaxis(apart, -1, 1).reshape(-1, *self.shape)
        self.data = np.ascontiguousarray(planes)  # of one plane, the above is a view
        self.written = np.repeat(self.written, parts, axis=0)
        self.whole = [known for known in self.whole for _ in range(parts)]


class LocalBuffer:
    """The memory of one declaration, for every thread of a chunk; `size` of its elements.

    Args:
        planes: the memory, where other buffers are of it too.
    """

    def __init__(
        self, watched: WatchedArray, size: int, chunk: Chunk, planes: Planes | None = None
    ) -> None:
        self.watched = watched
        self.dtype = watched.dtype
        self._shape = chunk.blocks, chunk.threads
        self._planes = planes or Planes(size * self.dtype.itemsize, chunk)
        self._views: dict[Scalar, LocalBuffer] = {}

    def load(self, index: Ints, here: ExecutionPoint) -> Vector:
        """See `Buffer`."""
        _count("load", here)
        if index.size > 1:
            here.chunk.charge(_OWN * here.mask.count)
        value, written = self._read(index)
        return value if written is None else self._check_written(value, index, written, here)

    def _read(self, index: Ints) -> tuple[Vector, Bools | None]:
        """Return values, and which of them were written; None: all of them."""
        planes, parts = self._planes, self._planes.planes_of(self.dtype.itemsize)
        if parts > 1:
            return self._read_wide(index, parts)
        data = planes.data.view(self.dtype)
        if index.size == 1:
            element = int(index[0, 0])
            written = None if planes.whole[element] else planes.written[element]
            return data[element].copy(), written
        flat = self._flat(index)
        return data.reshape(-1).take(flat), planes.written.reshape(-1).take(flat)

    def _read_wide(self, index: Ints, parts: int) -> tuple[Vector, Bools | None]:
        narrow = self._part(parts)
        found = [narrow._read(index * parts + part) for part in range(parts)]  # noqa: SLF001 - of its own class
        value = np.stack([value for value, _ in found], axis=-1).view(self.dtype)[..., 0]
        written = [there for _, there in found if there is not None]
        return value, np.logical_and.reduce(written) if written else None

    def _part(self, parts: int) -> LocalBuffer:
        return self.reinterpret(_RAW[self.dtype.itemsize // parts])

    def store(self, index: Ints, value: Vector, here: ExecutionPoint) -> None:
        """See `Buffer`."""
        _count("store", here)
        if index.size > 1:
            here.chunk.charge(_OWN * here.mask.count)
        self._write(index, value, here)

    def _write(self, index: Ints, value: Vector, here: ExecutionPoint) -> None:
        planes, parts = self._planes, self._planes.planes_of(self.dtype.itemsize)
        if parts > 1:
            narrow = self._part(parts)
            bits = np.ascontiguousarray(value, self.dtype)[..., None].view(narrow.dtype)
            for part in range(parts):
                narrow._write(index * parts + part, bits[..., part], here)  # noqa: SLF001 - of its own class
            return
        mask, data = here.mask, planes.data.view(self.dtype)
        if index.size == 1:
            element = int(index[0, 0])
            if mask.lanes is None:
                data[element] = value
                planes.written[element] = True
                planes.whole[element] = True
            else:
                np.copyto(data[element], value, where=mask.lanes)
                planes.written[element] |= mask.lanes
            return
        flat = self._flat(index)[mask.full]
        data.reshape(-1)[flat] = np.broadcast_to(value, self._shape)[mask.full]
        planes.written.reshape(-1)[flat] = True

    def atomic(self, index: Ints, here: ExecutionPoint, update: AtomicUpdate) -> Vector:
        """See `Buffer`: no other thread has this memory."""
        old = self.load(index, here)
        if update.strength.writes:
            self.store(index, update.apply(old, *update.operands).astype(self.dtype), here)
        return old

    def count(self, kind: str, _index: Ints, here: ExecutionPoint, _banks: str) -> None:
        """See `Buffer`."""
        _count(kind, here)

    def look(self, row: int, column: int, cells: Ints) -> tuple[Vector, Bools]:
        """Return what elements of one thread hold, and which were written."""
        planes, parts = self._planes, self._planes.planes_of(self.dtype.itemsize)
        at = cells[..., None] * parts + np.arange(parts)
        values = np.ascontiguousarray(planes.data[at, row, column]).view(self.dtype)[..., 0]
        return values, planes.written[at, row, column].all(axis=-1)

    def reinterpret(self, dtype: Scalar) -> LocalBuffer:
        """See `Buffer`: they share what is known of the bytes."""
        if dtype not in self._views:
            view = self._views[dtype] = copy(self)
            old = self.dtype.itemsize
            view.dtype, view.watched = dtype, replace(self.watched, dtype=dtype)
            if dtype.itemsize != old:
                count = sum(self.watched.shape[:1]) * old // dtype.itemsize
                flat = replace(view.watched, unit=0, shape=(count,), strides=(1,))
                view.watched = flat
        return self._views[dtype]

    def distance(self, _other: Buffer, place: int) -> int:
        """See `Buffer`."""
        return distance_apart(place)

    def _flat(self, index: Ints) -> Ints:
        blocks, threads = self._shape
        own = np.arange(blocks * threads, dtype=np.int64).reshape(self._shape)
        flat: Ints = index * (blocks * threads) + own
        return flat

    def _check_written(
        self, value: Vector, index: Ints, written: Bools, here: ExecutionPoint
    ) -> Vector:
        """Return what was read, and report elements that the thread has not written."""
        lanes = here.mask.lanes
        missing = ~written if lanes is None else lanes & ~written
        if not missing.any():
            return value
        element = int(np.broadcast_to(index, self._shape)[missing][0])
        here.report(
            "uninitialised-read",
            missing,
            fact("finding.uninitialised-read.local", element=self.watched.element(element)),
            topic="local",
            **self.watched.facts(element),
        )
        poison = here.chunk.launch.poison
        return (
            value
            if poison is None or here.site.number not in poison.sites
            else (poison.replace(value, missing))
        )


def _count(kind: str, here: ExecutionPoint) -> None:
    here.site.counts[f"local_{kind}_requests"] += here.mask.warps
    here.site.counts[f"local_{kind}_lanes"] += here.mask.count
