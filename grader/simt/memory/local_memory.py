"""Local arrays: each thread's own.

Elements come first, so that an index that is the same in all threads (`acc[i]` in a loop) is one
plane of memory.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace

import numpy as np

from grader.facts import fact
from grader.simt.checks.elements import WatchedArray
from grader.simt.machine.chunk import Chunk, ExecutionPoint
from grader.simt.masks import Bools
from grader.simt.memory.views import AtomicUpdate, Buffer, Ints, Vector, distance_apart
from grader.simt.program.types import Scalar

_OWN = 20
"""Operations for each thread where indices differ by thread."""


class LocalBuffer:
    """The memory of one declaration, for every thread of a chunk."""

    def __init__(self, watched: WatchedArray, size: int, chunk: Chunk) -> None:
        self.watched = watched
        self.dtype = dtype = watched.dtype
        self._shape = chunk.blocks, chunk.threads
        self._data = np.zeros((size, *self._shape), dtype=dtype)
        self._written: Bools = np.zeros((size, *self._shape), dtype=np.bool_)
        self._whole = [False] * size
        self._views: dict[Scalar, LocalBuffer] = {}

    def load(self, index: Ints, here: ExecutionPoint) -> Vector:
        """See `Buffer`."""
        _count("load", here)
        if index.size == 1:
            element = int(index[0, 0])
            value: Vector = self._data[element].copy()
            if not self._whole[element]:
                return self._check_written(value, index, self._written[element], here)
            return value
        here.chunk.charge(_OWN * here.mask.count)
        flat = self._flat(index)
        value = self._data.reshape(-1).take(flat)
        return self._check_written(value, index, self._written.reshape(-1).take(flat), here)

    def store(self, index: Ints, value: Vector, here: ExecutionPoint) -> None:
        """See `Buffer`."""
        _count("store", here)
        mask = here.mask
        if index.size == 1:
            element = int(index[0, 0])
            if mask.lanes is None:
                self._data[element] = value
                self._written[element] = True
                self._whole[element] = True
            else:
                np.copyto(self._data[element], value, where=mask.lanes)
                self._written[element] |= mask.lanes
            return
        here.chunk.charge(_OWN * mask.count)
        flat = self._flat(index)[mask.full]
        self._data.reshape(-1)[flat] = np.broadcast_to(value, self._shape)[mask.full]
        self._written.reshape(-1)[flat] = True

    def atomic(self, _index: Ints, _here: ExecutionPoint, _update: AtomicUpdate) -> Vector:
        """Fail: this is refused where the kernel is typed."""
        raise AssertionError

    def count(self, kind: str, _index: Ints, here: ExecutionPoint, _banks: str) -> None:
        """See `Buffer`."""
        _count(kind, here)

    def look(self, row: int, column: int, cells: Ints) -> tuple[Vector, Bools]:
        """Return what elements of one thread hold, and which were written."""
        return self._data[cells, row, column], self._written[cells, row, column]

    def reinterpret(self, dtype: Scalar) -> LocalBuffer:
        """See `Buffer`: of elements of the same size, which share what is known of them."""
        if dtype not in self._views:
            self._views[dtype] = copy(self)
            self._views[dtype].become(dtype)
        return self._views[dtype]

    def become(self, dtype: Scalar) -> None:
        """Have elements of another type of the same size from now on."""
        self.watched, self.dtype = replace(self.watched, dtype=dtype), dtype
        self._data = self._data.view(dtype)

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
            if poison is None or poison.site != here.site.number
            else (poison.replace(value, missing))
        )


def _count(kind: str, here: ExecutionPoint) -> None:
    here.site.counts[f"local_{kind}_requests"] += here.mask.warps
    here.site.counts[f"local_{kind}_lanes"] += here.mask.count
