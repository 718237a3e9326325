"""Arrays that are part of the program: global ones, and `cuda.const.array_like`."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from grader.simt.chunk import Here
from grader.simt.elements import Watched
from grader.simt.views import AtomicUpdate, Ints, Vector


class ConstantBuffer:
    """An array that is part of the program. Nobody writes to it."""

    def __init__(self, watched: Watched, flat: NDArray[Any]) -> None:
        self.watched = watched
        self.flat = flat
        self.dtype = watched.dtype

    def load(self, index: Ints, here: Here) -> Vector:
        """See `Buffer`."""
        here.site.counts["constant_load_requests"] += here.mask.warps
        return self.flat.take(index)

    def store(self, _index: Ints, _value: Vector, _here: Here) -> None:
        """Refused where the kernel is typed."""
        raise AssertionError

    def atomic(self, _index: Ints, _here: Here, _update: AtomicUpdate) -> Vector:
        """Refused where the kernel is typed."""
        raise AssertionError
