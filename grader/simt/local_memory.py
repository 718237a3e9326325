"""Local arrays: each thread's own. Elements come first, so that an index that is the same in all
threads (`acc[i]` in a loop) is one plane of memory.
"""

from __future__ import annotations

import numpy as np

from grader.simt.chunk import Chunk
from grader.simt.counters import Site
from grader.simt.masks import Bools, Mask
from grader.simt.types import Scalar
from grader.simt.views import AtomicUpdate, Ints, Vector


class LocalBuffer:
    """One declaration, for every thread of a chunk."""

    def __init__(self, label: str, dtype: Scalar, size: int, chunk: Chunk) -> None:
        self.label = label
        self.dtype = dtype
        self._shape = chunk.blocks, chunk.threads
        self._data = np.zeros((size, *self._shape), dtype=dtype)
        self._written: Bools = np.zeros((size, *self._shape), dtype=np.bool_)
        self._whole = [False] * size

    def load(self, index: Ints, mask: Mask, chunk: Chunk, site: Site) -> Vector:
        """See `Buffer`."""
        self._count("load", mask, site)
        if index.size == 1:
            element = int(index[0, 0])
            if not self._whole[element]:
                self._check(index, self._written[element], mask, chunk, site)
            value: Vector = self._data[element].copy()
            return value
        flat = self._flat(index)
        self._check(index, self._written.reshape(-1).take(flat), mask, chunk, site)
        return self._data.reshape(-1).take(flat)

    def store(self, index: Ints, value: Vector, mask: Mask, _chunk: Chunk, site: Site) -> None:
        """See `Buffer`."""
        self._count("store", mask, site)
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
        flat = self._flat(index)[mask.full]
        self._data.reshape(-1)[flat] = np.broadcast_to(value, self._shape)[mask.full]
        self._written.reshape(-1)[flat] = True

    def atomic(
        self, _index: Ints, _mask: Mask, _chunk: Chunk, _site: Site, _update: AtomicUpdate
    ) -> Vector:
        """Refused where the kernel is typed."""
        raise AssertionError

    def _flat(self, index: Ints) -> Ints:
        blocks, threads = self._shape
        own = np.arange(blocks * threads, dtype=np.int64).reshape(self._shape)
        flat: Ints = index * (blocks * threads) + own
        return flat

    def _check(self, index: Ints, written: Bools, mask: Mask, chunk: Chunk, site: Site) -> None:
        missing = ~written if mask.lanes is None else mask.lanes & ~written
        if not missing.any():
            return
        element = int(np.broadcast_to(index, self._shape)[missing][0])
        chunk.report(
            "uninitialised-read",
            "local",
            site,
            missing,
            f"{self.label}[{element}] is read, and the thread has not written it",
            array=self.label,
            index=(element,),
        )

    def _count(self, kind: str, mask: Mask, site: Site) -> None:
        site.counts[f"local_{kind}_requests"] += mask.warps
        site.counts[f"local_{kind}_lanes"] += mask.count
