"""Arrays that are part of the program: global ones, and `cuda.const.array_like`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.facts import fact
from grader.simt.checks.elements import WatchedArray, row_major
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.memory.global_memory import take_cells, view_as
from grader.simt.memory.records import array_of, spread
from grader.simt.memory.views import AtomicUpdate, Buffer, Ints, Vector, View, distance_apart
from grader.simt.program.types import UINT8, Scalar


def constant_array(label: str, data: NDArray[Any]) -> View:
    """View a row-major array as a kernel sees it."""
    flat = data.reshape(-1)

    def make(own: WatchedArray) -> ConstantBuffer:
        if own.record is None:
            return ConstantBuffer(own, flat)
        return ConstantBuffer(own, spread(flat.view(UINT8), own.dtype, own.unit))

    return array_of(row_major("constant", label, data.dtype, data.shape), make, data.shape)


class ConstantBuffer:
    """An array that is part of the program. No kernel writes to it."""

    def __init__(self, watched: WatchedArray, flat: NDArray[Any]) -> None:
        self.watched = watched
        self.flat = flat
        self.dtype = watched.dtype
        self._views: dict[Scalar, ConstantBuffer] = {}

    def load(self, index: Ints, here: ExecutionPoint) -> Vector:
        """See `Buffer`."""
        self.count("load", index, here, "")
        return take_cells(self.flat, index)

    def count(self, _kind: str, _index: Ints, here: ExecutionPoint, _banks: str) -> None:
        """See `Buffer`."""
        here.site.counts["constant_load_requests"] += here.mask.warps

    def reinterpret(self, dtype: Scalar) -> ConstantBuffer:
        """See `Buffer`."""
        if dtype not in self._views:
            self._views[dtype] = ConstantBuffer(*view_as(self.watched, self.flat, dtype))
        return self._views[dtype]

    def distance(self, _other: Buffer, place: int) -> int:
        """See `Buffer`."""
        return distance_apart(place)

    def store(self, index: Ints, _value: Vector, here: ExecutionPoint) -> None:
        """Report it: a pointer that may point anywhere got here."""
        self._report_write(index, here)

    def atomic(self, index: Ints, here: ExecutionPoint, update: AtomicUpdate) -> Vector:
        """Report it, as `store` does, if it writes; return what is there."""
        if update.strength.writes:
            self._report_write(index, here)
        return take_cells(self.flat, index)

    def _report_write(self, index: Ints, here: ExecutionPoint) -> None:
        mask = here.mask
        first = int(np.broadcast_to(index, (mask.blocks, mask.threads))[mask.full][0])
        what = fact("finding.constant-write", element=self.watched.element(first))
        here.report("out-of-bounds", mask.full, what, topic="constant", **self.watched.facts(first))
