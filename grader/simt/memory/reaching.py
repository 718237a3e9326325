"""Turns an array and indices into the cells that threads access, in one buffer or in several.

An access of a warp whose threads have different arrays is one request, counted as such.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from grader.simt.checks.counters import Site
from grader.simt.machine.chunk import Here
from grader.simt.masks import Mask, together
from grader.simt.memory.choices import ArrayValue, parts
from grader.simt.memory.views import AtomicUpdate, Buffer, Ints, Vector, View, located


@dataclass(frozen=True, eq=False, slots=True)
class Cells:
    """The cells of one buffer, one for each thread here."""

    buffer: Buffer
    index: Ints
    here: Here

    @property
    def mask(self) -> Mask:
        """The threads that access them."""
        return self.here.mask

    def load(self) -> Vector:
        """Read; other threads get any value."""
        return self.buffer.load(self.index, self.here)

    def store(self, value: Vector) -> None:
        """Write."""
        self.buffer.store(self.index, value, self.here)

    def atomic(self, update: AtomicUpdate) -> Vector:
        """Read, change and write, one thread after the other; what each one read."""
        return self.buffer.atomic(self.index, self.here, update)


@dataclass(frozen=True, eq=False, slots=True)
class Scattered:
    """The cells of several buffers; `here` are the threads of all of them."""

    cells: tuple[Cells, ...]
    here: Here

    @property
    def mask(self) -> Mask:
        """The threads that access them."""
        return self.here.mask

    def load(self) -> Vector:
        """See `Cells`."""
        self._count("load")
        return self._merged([part.load() for part in self._uncounted()])

    def store(self, value: Vector) -> None:
        """See `Cells`."""
        self._count("store")
        for part in self._uncounted():
            part.store(value)

    def atomic(self, update: AtomicUpdate) -> Vector:
        """See `Cells`."""
        self._count("atomic", update.kind)
        return self._merged([part.atomic(update) for part in self._uncounted()])

    def _merged(self, values: Sequence[Vector]) -> Vector:
        value = values[0]
        for part, other in zip(self.cells[1:], values[1:], strict=True):
            value = np.where(part.mask.full, other, value)
        return value

    def _count(self, kind: str, banks: str = "") -> None:
        """Count one request per warp over all buffers, as if they were parts of the first one."""
        first = self.cells[0].buffer
        index: Ints = np.zeros((1, 1), dtype=np.int64)
        for place, part in enumerate(self.cells):
            there = part.index + first.distance(part.buffer, place)
            index = np.where(part.mask.full, there, index)
        first.count(kind, index, self.here, banks or kind)

    def _uncounted(self) -> list[Cells]:
        """Return the parts at a copy of the site, whose counts are dropped."""
        own = self.here.site
        site = Site(own.number, own.line, own.column, own.file)
        return [replace(part, here=part.here._replace(site=site)) for part in self.cells]


Reached = Cells | Scattered


def reach(array: ArrayValue, indices: Sequence[Vector], here: Here) -> Reached | None:
    """Find the cells of elements for the threads whose index is within bounds; None without any.

    Args:
        array: what is indexed.
        indices: one vector of whole numbers for each axis.
        here: the threads and their place, where an index out of bounds is reported.
    """
    if isinstance(array, View):
        return _reach(array, indices, here)
    found = [
        _reach(view, indices, here._replace(mask=mask)) for _, view, mask in parts(array, here.mask)
    ]
    cells = tuple(one for one in found if one is not None)
    if len(cells) <= 1:
        return cells[0] if cells else None
    mask = together(here.mask, *(one.mask for one in cells))
    assert mask is not None
    return Scattered(cells, here._replace(mask=mask))


def _reach(view: View, indices: Sequence[Vector], here: Here) -> Cells | None:
    index, left = located(view, indices, here)
    if index is None or left is None:
        return None
    return Cells(view.buffer, index, here._replace(mask=left))
