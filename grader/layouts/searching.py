"""Searches the usual families of layouts for the best, by trying all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from grader.banks import LANES, BoolArray, IntArray, cost_many
from grader.layouts.families import Layout, layouts
from grader.layouts.report import graded_wavefronts
from grader.layouts.tiles import Exercise, participating_lanes

_AT_ONCE = 1 << 20
"""Addresses processed together: 8 MB."""


@dataclass(frozen=True, eq=False)
class LayoutCandidate:
    """A layout with what it costs.

    Attributes:
        wavefronts: those of the worst warp of each access, in the exercise's order.
        total: the wavefronts of all warps of all accesses.
        extra_elements: storage beyond one slot per element, up to the last slot used.
        fits: true if it stays within the storage allowed.
        passes: true if every access passes its gate.
    """

    layout: Layout
    wavefronts: tuple[int, ...]
    total: int
    extra_elements: int
    fits: bool
    passes: bool


@dataclass(frozen=True, eq=False)
class SearchResult:
    """The result of a search.

    Attributes:
        best: the best within the storage allowed: gates, then wavefronts, then storage, then
            simplicity decide. None if no layout keeps vector accesses together and aligned.
        families: the best of each family, whatever storage it takes.
    """

    best: LayoutCandidate | None
    families: tuple[LayoutCandidate, ...]
    tried: int


def search(exercise: Exercise) -> SearchResult:
    """Try every layout of every family on an exercise's accesses."""
    best: dict[str, LayoutCandidate] = {}
    within: list[LayoutCandidate] = []
    tried = 0
    for some in _portions(exercise):
        tried += len(some)
        for candidate in _candidates(some, exercise):
            family = candidate.layout.family
            best[family] = min(best.get(family, candidate), candidate, key=_order)
            if candidate.fits:
                within = [min([*within, candidate], key=_order)]
    return SearchResult(within[0] if within else None, tuple(best.values()), tried)


def _order(candidate: LayoutCandidate) -> tuple[bool, int, int]:
    """Order better candidates first; of equals, `min` keeps the first, which is the simpler."""
    return not candidate.passes, candidate.total, candidate.extra_elements


def _portions(exercise: Exercise) -> Iterator[list[Layout]]:
    warps = max((access.rows.shape[0] for access in exercise.accesses), default=1)
    size = max(1, _AT_ONCE // max(warps * LANES, exercise.tile.elements))
    some = layouts(exercise.tile)
    while portion := list(islice(some, size)):
        yield portion


def _candidates(some: Sequence[Layout], exercise: Exercise) -> list[LayoutCandidate]:
    """Cost the layouts that keep together, and aligned, what an access takes at once."""
    tile = exercise.tile
    possible = _kept_together(np.stack([layout.slots for layout in some]), exercise)
    some = [layout for layout, there in zip(some, possible, strict=True) if there]
    if not some:
        return []
    slots = np.stack([layout.slots for layout in some])
    worst, total = [], np.zeros(len(some), dtype=np.int64)
    passes = np.ones(len(some), dtype=np.bool_)
    for number in range(len(exercise.accesses)):
        yours, allowed = _wavefronts(slots, exercise, number)
        worst.append(yours.max(axis=1))
        total += yours.sum(axis=1)
        passes &= (yours <= allowed).all(axis=1)
    used = slots.max(axis=1) + 1
    return [
        LayoutCandidate(
            layout,
            tuple(int(each[index]) for each in worst),
            int(total[index]),
            max(0, int(used[index]) - tile.elements),
            bool(used[index] <= tile.allowed_storage),
            bool(passes[index]),
        )
        for index, layout in enumerate(some)
    ]


def _kept_together(slots: IntArray, exercise: Exercise) -> BoolArray:
    """Find the layouts, (layouts,), in which every access is aligned and its elements adjacent."""
    possible = np.ones(len(slots), dtype=np.bool_)
    for access, touched in zip(exercise.accesses, exercise.touched_elements, strict=True):
        if access.elements == 1 and not exercise.tile.base % exercise.width(access):
            continue  # a single element is always aligned
        lanes = touched[participating_lanes(access)]
        first = slots[:, lanes]
        addresses = exercise.tile.base + first * exercise.tile.element_bytes
        possible &= (addresses % exercise.width(access) == 0).all(axis=1)
        for step in range(1, access.elements):
            possible &= (slots[:, lanes + step] == first + step).all(axis=1)
    return possible


def _wavefronts(slots: IntArray, exercise: Exercise, number: int) -> tuple[IntArray, IntArray]:
    """Count the (layouts, warps) wavefronts of an access, and those that are allowed."""
    access, touched = exercise.accesses[number], exercise.touched_elements[number]
    tile = exercise.tile
    addresses = (tile.base + slots * tile.element_bytes)[:, touched].reshape(-1, LANES)
    active = None if access.active is None else np.tile(access.active, (len(slots), 1))
    costs = cost_many(access.kind, exercise.width(access), addresses, active, exercise.arch)
    shape = len(slots), len(touched)
    yours = graded_wavefronts(costs).reshape(shape)
    if access.allowed is not None:
        return yours, np.full(shape, access.allowed)
    return yours, costs.ideal.reshape(shape)
