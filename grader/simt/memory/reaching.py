"""Turns an array and indices into the cells that threads access, in one buffer or in several.

An access of a warp whose threads have different arrays is one request, counted as such.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from grader.frozen import frozen
from grader.simt.checks.counters import Site
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.masks import Mask, unite
from grader.simt.memory.choices import ArrayValue, parts
from grader.simt.memory.views import AtomicUpdate, Buffer, Ints, Vector, View, locate
from grader.simt.program.types import Space


@frozen(eq=False)
class Cells:
    """The cells of one buffer, one for each thread here.

    Attributes:
        rank: of the block whose memory it is, where addresses name one of a cluster.
    """

    buffer: Buffer
    index: Ints
    here: ExecutionPoint
    rank: int = -1

    @property
    def mask(self) -> Mask:
        """The threads that access them."""
        return self.here.mask

    @property
    def space(self) -> Space:
        """Whose memory it is."""
        return self.buffer.watched.space

    def count(self, kind: str, banks: str = "") -> None:
        """Count an access that is made elsewhere.

        Args:
            kind: `load`, `store` or `atomic`.
            banks: what `grader.banks` calls an atomic.
        """
        self.buffer.count(kind, self.index, self.here, banks or kind)

    def load(self) -> Vector:
        """Read; other threads get any value."""
        return self.buffer.load(self.index, self.here)

    def store(self, value: Vector) -> None:
        """Write."""
        self.buffer.store(self.index, value, self.here)

    def atomic(self, update: AtomicUpdate) -> Vector:
        """Read, change and write, one thread after the other; what each one read."""
        return self.buffer.atomic(self.index, self.here, update)


@frozen(eq=False)
class ScatteredCells:
    """The cells of several buffers; `here` are the threads of all of them."""

    cells: tuple[Cells, ...]
    here: ExecutionPoint

    @property
    def mask(self) -> Mask:
        """The threads that access them."""
        return self.here.mask

    @property
    def space(self) -> Space:
        """Whose memory it is."""
        return self.cells[0].space

    def load(self) -> Vector:
        """See `Cells`."""
        self.count("load")
        return self._merge([part.load() for part in self._copy_uncounted()])

    def store(self, value: Vector) -> None:
        """See `Cells`."""
        self.count("store")
        for part in self._copy_uncounted():
            part.store(value)

    def atomic(self, update: AtomicUpdate) -> Vector:
        """See `Cells`."""
        self.count(update.counted, update.kind)
        return self._merge([part.atomic(update) for part in self._copy_uncounted()])

    def _merge(self, values: Sequence[Vector]) -> Vector:
        value = values[0]
        for part, other in zip(self.cells[1:], values[1:], strict=True):
            value = np.where(part.mask.full, other, value)
        return value

    def count(self, kind: str, banks: str = "") -> None:
        """Count one request per warp, space and rank, as of the first buffer in it."""
        owners = {(part.space, part.rank) for part in self.cells}
        for owner in owners if len(owners) > 1 else ():
            parts = [part for part in self.cells if (part.space, part.rank) == owner]
            own = join(parts, self.here)
            assert own is not None  # a part is in it
            own.count(kind, banks)
        if len(owners) > 1:
            return
        first = self.cells[0].buffer
        index: Ints = np.zeros((1, 1), dtype=np.int64)
        for place, part in enumerate(self.cells):
            there = part.index + first.distance(part.buffer, place)
            index = np.where(part.mask.full, there, index)
        first.count(kind, index, self.here, banks or kind)

    def _copy_uncounted(self) -> list[Cells]:
        """Return the parts at a copy of the site, whose counts are dropped."""
        site = uncounted(self.here).site
        return [replace(part, here=part.here._replace(site=site)) for part in self.cells]


Reached = Cells | ScatteredCells


def uncounted(here: ExecutionPoint) -> ExecutionPoint:
    """Return a copy of a point, whose counts are dropped."""
    own = here.site
    site = Site(own.number, own.line, own.column, own.file, dropped=True)
    site.guess, site.tickets = own.guess, own.tickets
    return here._replace(site=site)


def reach(array: ArrayValue, indices: Sequence[Vector], here: ExecutionPoint) -> Reached | None:
    """Find the cells of elements for the threads whose index is within bounds; None without any.

    Args:
        indices: one integer vector per axis.
    """
    return gather(array, here, lambda view, at: _reach(view, indices, at))


def gather(
    array: ArrayValue, here: ExecutionPoint, find: Callable[[View, ExecutionPoint], Cells | None]
) -> Reached | None:
    """Put together the cells that are found in each array that threads have; None without any."""
    alive = here.chunk.without_raised(here.mask)  # a device function in an index may have raised
    if alive is None:
        return None
    here = here._replace(mask=alive)
    if isinstance(array, View):
        return find(array, here)
    found = [find(view, here._replace(mask=mask)) for _, view, mask in parts(array, here.mask)]
    return join([part for part in found if part is not None], here)


def join(cells: Sequence[Cells], here: ExecutionPoint) -> Reached | None:
    """Put together the cells that threads access in several buffers; None without any."""
    if len(cells) <= 1:
        return cells[0] if cells else None
    mask = unite(here.mask, *(part.mask for part in cells))
    assert mask is not None
    return ScatteredCells(tuple(cells), here._replace(mask=mask))


def _reach(view: View, indices: Sequence[Vector], here: ExecutionPoint) -> Cells | None:
    index, left = locate(view, indices, here)
    if index is None or left is None:
        return None
    return Cells(view.buffer, index, here._replace(mask=left))
