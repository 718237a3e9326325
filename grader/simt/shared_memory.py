"""Shared memory: each block's own, counted by `grader.banks`, watched by a shadow.

Where index and mask are the same in all blocks, one block is counted and watched for all of them.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from grader.banks import Kind as BankKind
from grader.banks import architecture, cost_many
from grader.simt.atomics import carried_out
from grader.simt.chunk import Chunk
from grader.simt.counters import Site
from grader.simt.global_memory import chosen
from grader.simt.masks import LANES, Mask
from grader.simt.races import Watched, report_meeting, report_races
from grader.simt.shadow import Kind, Shadow, Who
from grader.simt.types import Scalar
from grader.simt.views import AtomicUpdate, Ints, Vector

_ONE_WORD_ROWS = 128


class Region:
    """The bytes of one declaration, for every block of a chunk.

    Attributes:
        base: byte address within a block's shared memory.
        cell: bytes that the shadow tells apart.
    """

    def __init__(self, chunk: Chunk, size: int, cell: int, base: int) -> None:
        self.size = size
        pitch = -(-max(size, 1) // 16) * 16
        self.memory = np.zeros((chunk.blocks, pitch), dtype=np.uint8)
        self.base = base
        self.cell = cell
        self.shadow = Shadow(pitch // cell, timed=chunk.launch.timed)


class SharedBuffer:
    """A region as elements of one dtype."""

    def __init__(
        self, label: str, dtype: Scalar, region: Region, shape: tuple[int, ...] = ()
    ) -> None:
        self.label = label
        self.shape = shape
        self.dtype = dtype
        self.region = region
        self.data = region.memory.view(dtype)
        self._pitch = self.data.shape[1]

    def load(self, index: Ints, mask: Mask, chunk: Chunk, site: Site) -> Vector:
        """See `Buffer`."""
        self._count("load", "load", index, mask, chunk, site)
        self._watch("load", index, mask, chunk, site)
        if len(index) == 1:
            run = chunk.patterns.of(index).run
            if run >= 0:
                return self.data[:, run : run + index.size].copy()
            return self.data.take(index[0], axis=1)
        rows = np.arange(chunk.blocks, dtype=np.int64)[:, None] * self._pitch
        return self.data.reshape(-1).take(index + rows)

    def store(self, index: Ints, value: Vector, mask: Mask, chunk: Chunk, site: Site) -> None:
        """See `Buffer`."""
        self._count("store", "store", index, mask, chunk, site)
        uniform = len(index) == mask.rows == 1
        rows = self._rows(index, mask, chunk)
        cells, who = self._cells(index, mask, chunk, rows)
        differs = None
        if self.region.shadow.record("store") is not None:
            differs = self._differs(index, value, mask, rows)
        self._hazards("store", cells, who, chunk, site, differs)
        if uniform:
            self._write_columns(index, value, mask, chunk)
        else:
            flat = self.data.reshape(-1)
            flat[self._everywhere(index, mask)] = chosen(value, mask)
        met = self._mark("store", cells, who, site)
        if met is not None:
            lost = met[0] & self._differs(index, value, mask, rows)
            elements = self._elements(cells)
            report_meeting(self._watched(chunk), lost, met[1], elements, who, chunk, site)

    def atomic(
        self, index: Ints, mask: Mask, chunk: Chunk, site: Site, update: AtomicUpdate
    ) -> Vector:
        """See `Buffer`."""
        self._count("atomic", cast("BankKind", update.kind), index, mask, chunk, site)
        self._watch("atomic", index, mask, chunk, site)
        return carried_out(self.data.reshape(-1), self._everywhere(index, mask), mask, update)

    def _rows(self, index: Ints, mask: Mask, chunk: Chunk) -> int:
        """1 if one block stands for all, else all blocks."""
        shadow = self.region.shadow
        if len(index) == mask.rows == shadow.rows == chunk.clock.rows == 1:
            return 1
        shadow.apart(chunk.blocks, chunk.threads)
        return chunk.blocks

    def _everywhere(self, index: Ints, mask: Mask) -> Ints:
        """Flat index into the data of all blocks, of each thread of the mask."""
        rows = np.arange(mask.blocks, dtype=np.int64)[:, None] * self._pitch
        return chosen(index + rows, mask)

    def _cells(self, index: Ints, mask: Mask, chunk: Chunk, rows: int) -> tuple[Ints, Who]:
        """Cells of the shadow (the first of each element's), and who is on them."""
        numbers = chunk.in_block if rows == 1 else chunk.in_grid - chunk.in_grid[0, 0] + 1
        who = chunk.who(mask, numbers, rows)
        wide = self.dtype.itemsize // self.region.cell
        cells = index if wide == 1 else index * wide
        if rows > 1:
            first = np.arange(rows, dtype=np.int64)[:, None] * self.region.shadow.cells
            return chosen(cells + first, mask), who
        if mask.lanes is None:
            return np.broadcast_to(cells, (1, mask.threads)).reshape(-1), who
        return np.broadcast_to(cells, (1, mask.threads))[mask.lanes], who

    def _watch(self, kind: Kind, index: Ints, mask: Mask, chunk: Chunk, site: Site) -> None:
        """Races, and reads of what nobody wrote."""
        rows = self._rows(index, mask, chunk)
        cells, who = self._cells(index, mask, chunk, rows)
        written = self.region.shadow.written(cells)
        if not written.all():
            self._uninitialised(~written, index, mask, chunk, site, rows)
        self._hazards(kind, cells, who, chunk, site, None)
        self._mark(kind, cells, who, site)

    def _hazards(
        self, kind: Kind, cells: Ints, who: Who, chunk: Chunk, site: Site, differs: Any
    ) -> None:
        for part in range(self.dtype.itemsize // self.region.cell):
            found = self.region.shadow.hazards(kind, cells + part if part else cells, who, differs)
            if found:
                elements = self._elements(cells)
                report_races(self._watched(chunk), kind, found, elements, who, chunk, site)

    def _watched(self, chunk: Chunk) -> Watched:
        return Watched("race", self.label, self.shape, chunk.first_block)

    def _elements(self, cells: Ints) -> Ints:
        """Of cells, in their own block."""
        return cells % self.region.shadow.cells // (self.dtype.itemsize // self.region.cell)

    def _mark(self, kind: Kind, cells: Ints, who: Who, site: Site) -> Any:
        met = None
        for part in range(self.dtype.itemsize // self.region.cell):
            also = self.region.shadow.mark(kind, cells + part if part else cells, who, site.number)
            met = met or also
        return met

    def _differs(self, index: Ints, value: Vector, mask: Mask, rows: int) -> Any:
        """Whether each thread's value is another than what is there, in any block."""
        if rows > 1:
            return self.data.reshape(-1)[self._everywhere(index, mask)] != chosen(value, mask)
        columns = np.broadcast_to(index, (1, mask.threads))[0]
        there = self.data.take(columns, axis=1) != value
        differs = np.broadcast_to(there, (mask.blocks, mask.threads)).any(axis=0)
        return differs if mask.lanes is None else differs[mask.lanes[0]]

    def _write_columns(self, index: Ints, value: Vector, mask: Mask, chunk: Chunk) -> None:
        """Into the same elements of every block."""
        if mask.lanes is None:
            run = chunk.patterns.of(index).run if index.size == mask.threads else -1
            if run >= 0:
                self.data[:, run : run + index.size] = value
                return
            columns = np.broadcast_to(index, (1, mask.threads))[0]
            self.data[:, columns] = np.broadcast_to(value, (mask.blocks, mask.threads))
            return
        lanes = mask.lanes[0]
        columns = np.broadcast_to(index, (1, mask.threads))[0, lanes]
        given = value if value.shape[1] == 1 else value[:, lanes]
        self.data[:, columns] = given

    def _uninitialised(
        self, missing: Any, index: Ints, mask: Mask, chunk: Chunk, site: Site, rows: int
    ) -> None:
        lanes = np.zeros((rows, mask.threads), dtype=np.bool_)
        if mask.lanes is None:
            lanes[...] = missing.reshape(rows, mask.threads)
        else:
            lanes[np.broadcast_to(mask.lanes, lanes.shape)] = missing
        at = int(np.argmax(lanes))
        element = int(np.broadcast_to(index, lanes.shape).flat[at])
        chunk.report(
            "uninitialised-read",
            "shared",
            site,
            lanes,
            f"{self.label}[{element}] is read, and no thread of the block has written it",
            array=self.label,
            index=(element,),
            address=self.region.base + element * self.dtype.itemsize,
        )

    def _count(
        self, kind: str, bank_kind: BankKind, index: Ints, mask: Mask, chunk: Chunk, site: Site
    ) -> None:
        wavefronts, ideal, conflicts = self._cost(bank_kind, index, mask, chunk)
        counts = site.counts
        counts[f"shared_{kind}_requests"] += mask.warps
        counts[f"shared_{kind}_wavefronts"] += wavefronts
        counts[f"shared_{kind}_ideal"] += ideal
        counts[f"shared_{kind}_conflicts"] += conflicts
        counts[f"shared_{kind}_lanes"] += mask.count

    def _cost(self, kind: BankKind, index: Ints, mask: Mask, chunk: Chunk) -> tuple[int, int, int]:
        """Wavefronts, ideal and conflicts of all warps. A pattern costs the same elsewhere."""
        width, launch = self.dtype.itemsize, chunk.launch
        rows = max(len(index), mask.rows)
        known = None
        if rows == 1:
            unit = max(_period(launch.arch) // width, 1)
            shifted = index - (chunk.patterns.of(index).bounds[0] // unit) * unit
            lanes = b"" if mask.lanes is None else mask.lanes.tobytes()
            offset = self.region.base % _ONE_WORD_ROWS
            known = (kind, width, offset, index.shape, shifted.tobytes(), lanes)
            if known in launch.costs:
                return _times(launch.costs[known], mask.blocks)
        addresses = np.broadcast_to(index, (rows, mask.threads)).reshape(-1, LANES) * width
        addresses = addresses + self.region.base
        active = None
        if mask.lanes is not None:
            active = np.broadcast_to(mask.lanes, (rows, mask.threads)).reshape(-1, LANES)
        costs = cost_many(kind, width, addresses, active, launch.arch)
        total = (
            int(costs.wavefronts.sum()),
            int(costs.ideal.sum()),
            int(costs.wavefronts.sum() - costs.groups.sum()),
        )
        if known is None:
            return total
        launch.costs[known] = total
        return _times(total, mask.blocks)


def _period(arch: str) -> int:
    """Bytes by which addresses can be shifted and cost the same."""
    row = architecture(arch)
    return 4 if row.row_bytes == _ONE_WORD_ROWS else row.row_bytes


def _times(costs: tuple[int, int, int], blocks: int) -> tuple[int, int, int]:
    wavefronts, ideal, conflicts = costs
    return wavefronts * blocks, ideal * blocks, conflicts * blocks
