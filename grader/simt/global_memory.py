"""Global memory, over the arrays that were given: counts sectors, keeps who wrote what, finds races
within and between blocks.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.simt.atomics import carried_out
from grader.simt.chunk import Chunk
from grader.simt.counters import Site
from grader.simt.masks import Bools, Mask
from grader.simt.races import Watched, report_meeting, report_races
from grader.simt.shadow import Cells, Kind, Shadow, Who
from grader.simt.types import Scalar
from grader.simt.views import AtomicUpdate, Ints, Vector


class GlobalBuffer:
    """The memory of an argument.

    Attributes:
        flat: (size,) its elements; writing here writes into the person's array.
        shadow: None while nothing needs to be known: nobody writes to it.
        base: byte address, for sectors; allocations begin at multiples of 256.
    """

    def __init__(
        self,
        label: str,
        flat: NDArray[Any],
        shadow: Shadow | None,
        shape: tuple[int, ...] = (),
        *,
        base: int = 0,
    ) -> None:
        self.label = label
        self.flat = flat
        self.dtype: Scalar = flat.dtype
        self.shadow = shadow
        self.base = base
        self._watched = Watched("global-race", label, shape)

    def load(self, index: Ints, mask: Mask, chunk: Chunk, site: Site) -> Vector:
        """See `Buffer`."""
        self._count("load", index, mask, chunk, site)
        if self.shadow is not None:
            self._shadowed("load", index, mask, chunk, site)
        run = chunk.patterns.of(index).run
        if run >= 0 and index.size > 1:
            return self.flat[run : run + index.size].reshape(index.shape).copy()
        return self.flat.take(index)

    def store(self, index: Ints, value: Vector, mask: Mask, chunk: Chunk, site: Site) -> None:
        """See `Buffer`."""
        self._count("store", index, mask, chunk, site)
        cells = _cells(index, mask, chunk)
        given = chosen(value, mask)
        if self.shadow is None:
            self.flat[cells] = given
            return
        differs = None
        if self.shadow.record("store") is not None:
            differs = self.flat[cells] != given
        who = chunk.who(mask, chunk.in_grid, chunk.blocks)
        self._hazards("store", cells, who, chunk, site, differs)
        self.flat[cells] = given
        met = self.shadow.mark("store", cells, who, site.number)
        if met is not None and not isinstance(cells, slice):
            lost = met[0] & (self.flat[cells] != given)
            report_meeting(self._watched, lost, met[1], cells, who, chunk, site)

    def atomic(
        self, index: Ints, mask: Mask, chunk: Chunk, site: Site, update: AtomicUpdate
    ) -> Vector:
        """See `Buffer`."""
        self._count("atomic", index, mask, chunk, site)
        if self.shadow is not None:
            self._shadowed("atomic", index, mask, chunk, site)
        shape = (mask.blocks, mask.threads)
        cells = np.broadcast_to(index, shape)[mask.full]
        return carried_out(self.flat, cells, mask, update)

    def _shadowed(self, kind: Kind, index: Ints, mask: Mask, chunk: Chunk, site: Site) -> None:
        if self.shadow is None:
            return
        cells = _cells(index, mask, chunk)
        who = chunk.who(mask, chunk.in_grid, chunk.blocks)
        self._hazards(kind, cells, who, chunk, site, None)
        self.shadow.mark(kind, cells, who, site.number)

    def _hazards(
        self, kind: Kind, cells: Cells, who: Who, chunk: Chunk, site: Site, differs: Bools | None
    ) -> None:
        if self.shadow is None:
            return
        found = self.shadow.hazards(kind, cells, who, differs)
        if found:
            report_races(self._watched, kind, found, cells, who, chunk, site)

    def _count(self, kind: str, index: Ints, mask: Mask, chunk: Chunk, site: Site) -> None:
        sectors = chunk.patterns.of(index).sectors(mask, self.base, self.dtype.itemsize)
        counts = site.counts
        counts[f"global_{kind}_requests"] += mask.warps
        counts[f"global_{kind}_sectors"] += sectors.touched
        counts[f"global_{kind}_ideal_sectors"] += sectors.ideal
        counts[f"global_{kind}_lanes"] += mask.count


def _cells(index: Ints, mask: Mask, chunk: Chunk) -> Cells:
    """Flat index of each thread of the mask; a slice where they go on by one."""
    if mask.lanes is None and index.size == mask.count:
        run = chunk.patterns.of(index).run
        return slice(run, run + index.size) if run >= 0 else index.ravel()
    return chosen(index, mask)


def chosen(values: Vector, mask: Mask) -> Vector:
    """One value for each thread of a mask, flat."""
    shape = (mask.blocks, mask.threads)
    full = np.broadcast_to(values, shape)
    return full.reshape(-1) if mask.lanes is None else full[mask.full]
