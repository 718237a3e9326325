"""Arrays that are part of the program: global ones, and `cuda.const.array_like`."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from grader.simt.checks.elements import Watched
from grader.simt.machine.chunk import Here
from grader.simt.memory.views import AtomicUpdate, Buffer, Ints, Vector, far


class ConstantBuffer:
    """An array that is part of the program. No kernel writes to it."""

    def __init__(self, watched: Watched, flat: NDArray[Any]) -> None:
        self.watched = watched
        self.flat = flat
        self.dtype = watched.dtype

    def load(self, index: Ints, here: Here) -> Vector:
        """See `Buffer`."""
        self.count("load", index, here, "")
        return self.flat.take(index)

    def count(self, _kind: str, _index: Ints, here: Here, _banks: str) -> None:
        """See `Buffer`."""
        here.site.counts["constant_load_requests"] += here.mask.warps

    def distance(self, _other: Buffer, place: int) -> int:
        """See `Buffer`."""
        return far(place)

    def store(self, _index: Ints, _value: Vector, _here: Here) -> None:
        """Fail: this is refused where the kernel is typed."""
        raise AssertionError

    def atomic(self, _index: Ints, _here: Here, _update: AtomicUpdate) -> Vector:
        """Fail: this is refused where the kernel is typed."""
        raise AssertionError
