"""What `wgmma` has under way: which accumulators nobody may read yet, and what it still reads.

Each warp counts its groups. Shared memory is read where a product begins, and counts as read again
where its group is waited for: who lets others refill it before that races. A product is one of four
warps: what one of them has waited for, the others have not left behind either, so that one thread
may tell others that all of it has been read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from grader.facts import fact
from grader.simt.checks.counters import Site
from grader.simt.checks.shadow import Ints
from grader.simt.machine.chunk import Chunk, ExecutionPoint
from grader.simt.masks import LANES, Bools, Mask

GROUP = 128
"""Threads of a warpgroup."""


class _Product(NamedTuple):
    """A product under way: its threads, the group of each warp, and what reads its matrices."""

    mask: Mask
    group: Ints
    read: Callable[[ExecutionPoint], object]


class Flights:
    """What the warps of a chunk have under way.

    Attributes:
        open: (blocks, warps) the number of the group that is being made, from 1.
        done: the last group that was waited for.
        fenced: those that have executed `wgmma.fence`.
        registers: the last group that writes a register, by its name.
        sites: where it begins.
        products: under way.
    """

    def __init__(self, chunk: Chunk) -> None:
        shape = (chunk.blocks, chunk.threads // LANES)
        self.open: Ints = np.ones(shape, dtype=np.int64)
        self.done: Ints = np.zeros(shape, dtype=np.int64)
        self.fenced: Bools = np.zeros(shape, dtype=np.bool_)
        self.registers: dict[str, Ints] = {}
        self.sites: dict[str, Site] = {}
        self.products: list[_Product] = []

    @staticmethod
    def of(chunk: Chunk) -> Flights:
        """Return those of a chunk."""
        return chunk.kept(Flights, lambda: Flights(chunk))


def _warps(here: ExecutionPoint) -> Bools:
    return np.broadcast_to(here.mask.by_warp, (here.chunk.blocks, here.mask.by_warp.shape[1]))


def begin(
    here: ExecutionPoint, registers: Sequence[str], read: Callable[[ExecutionPoint], object]
) -> None:
    """Note that a product of these threads is under way.

    Args:
        registers: its accumulators.
        read: reads its matrices in shared memory, in the name of some threads.
    """
    own, warps = Flights.of(here.chunk), _warps(here)
    bare = warps & ~own.fenced
    if bare.any():
        lanes = np.repeat(bare, LANES, axis=1)
        here.report("race", lanes, fact("finding.wgmma-no-fence"), topic="wgmma fence")
    for name in registers:
        known = own.registers.get(name, np.zeros_like(own.open))
        own.registers[name] = np.where(warps, own.open, known)
        own.sites[name] = here.site
    own.products.append(_Product(here.mask, own.open.copy(), read))


def fence(here: ExecutionPoint) -> None:
    """Note a `wgmma.fence`."""
    Flights.of(here.chunk).fenced |= _warps(here)


def commit(here: ExecutionPoint) -> None:
    """Make a group of the products that these warps began since the last one."""
    own = Flights.of(here.chunk)
    own.open = own.open + _warps(here)


def wait(most: int, here: ExecutionPoint) -> None:
    """Finish all groups of these warps but the newest ones."""
    own = Flights.of(here.chunk)
    own.done = np.where(_warps(here), np.maximum(own.done, own.open - 1 - most), own.done)
    left, over_for = list[_Product](), np.zeros_like(here.mask.full)
    for each in own.products:
        over = here.mask.full & np.repeat(each.group <= own.done, LANES, axis=1)
        mask, rest = each.mask.split(over)
        if mask is not None:
            each.read(here._replace(mask=mask))
            over_for |= mask.full
        if rest is not None:
            left.append(each._replace(mask=rest))
    own.products = left
    _meet(here, over_for)


def _meet(here: ExecutionPoint, over_for: Bools) -> None:
    """Order what the warps of each warpgroup have read before what any of them does from now on."""
    clock, place = here.chunk.clock, np.arange(here.chunk.threads)[None, :] // GROUP
    for group in range(here.chunk.threads // GROUP):
        mask, _ = here.mask.split(over_for & (place == group))
        if mask is not None:
            clock.acquire(mask, clock.release(mask))


def check(registers: Sequence[str], here: ExecutionPoint) -> None:
    """Report threads that read accumulators of a product that they have not waited for."""
    own, warps = Flights.of(here.chunk), _warps(here)
    for name in registers:
        group = own.registers.get(name)
        early = None if group is None else warps & (group > own.done)
        if early is not None and early.any():
            site = own.sites[name]
            here.report(
                "race", np.repeat(early, LANES, axis=1) & here.mask.full,
                fact("finding.wgmma-early", line=site.line), topic="wgmma",
                other_line=site.line, other_column=site.column, other_file=site.file,
            )  # fmt: skip


def move(to: str, source: str, here: ExecutionPoint) -> None:
    """Note that a register gets what is in another one, which may be under way; "" for no other."""
    own, warps = Flights.of(here.chunk), _warps(here)
    nothing = np.zeros_like(own.open)
    given = own.registers.get(source, nothing)
    if to in own.registers or given is not nothing:
        own.registers[to] = np.where(warps, given, own.registers.get(to, nothing))
        if source in own.sites:
            own.sites[to] = own.sites[source]
