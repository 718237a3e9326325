"""The best of the families everybody uses, by trying all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from grader.banks import LANES, BoolArray, IntArray, cost_many
from grader.layouts.families import Layout, layouts
from grader.layouts.report import counted
from grader.layouts.tiles import Exercise, lanes_taking_part

_AT_ONCE = 1 << 20
"""Addresses handled together: 8 MB."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A layout with what it costs.

    Attributes:
        layout: which.
        wavefronts: of the worst warp of each access, in the exercise's order.
        total: of all warps of all accesses.
        extra_elements: storage beyond one slot for each element, up to the last slot used.
        fits: whether it stays within the storage allowed.
        passes: whether every access is within its gate.
    """

    layout: Layout
    wavefronts: tuple[int, ...]
    total: int
    extra_elements: int
    fits: bool
    passes: bool


@dataclass(frozen=True, eq=False)
class Found:
    """What a search gives.

    Attributes:
        best: of those within the storage allowed: gates, then wavefronts, then storage, then
            simplicity decide. None if no layout keeps vector accesses together and aligned.
        families: the best of each family, whatever storage it takes.
        tried: how many layouts there were.
    """

    best: Candidate | None
    families: tuple[Candidate, ...]
    tried: int


def search(exercise: Exercise) -> Found:
    """Try every layout of every family on an exercise's accesses."""
    best: dict[str, Candidate] = {}
    within: list[Candidate] = []
    tried = 0
    for some in _portions(exercise):
        tried += len(some)
        for candidate in _candidates(some, exercise):
            family = candidate.layout.family
            best[family] = min(best.get(family, candidate), candidate, key=_order)
            if candidate.fits:
                within = [min([*within, candidate], key=_order)]
    return Found(within[0] if within else None, tuple(best.values()), tried)


def _order(candidate: Candidate) -> tuple[bool, int, int]:
    """Better ones first; of equals, `min` keeps the one met first, which is the simpler one."""
    return not candidate.passes, candidate.total, candidate.extra_elements


def _portions(exercise: Exercise) -> Iterator[list[Layout]]:
    warps = max((access.rows.shape[0] for access in exercise.accesses), default=1)
    size = max(1, _AT_ONCE // max(warps * LANES, exercise.tile.elements))
    some = layouts(exercise.tile)
    while portion := list(islice(some, size)):
        yield portion


def _candidates(some: Sequence[Layout], exercise: Exercise) -> list[Candidate]:
    """Those that keep together, and aligned, what an access takes at once."""
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
        Candidate(
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
    """(layouts,) whether every access finds its neighbours side by side, and is aligned."""
    possible = np.ones(len(slots), dtype=np.bool_)
    for access, touched in zip(exercise.accesses, exercise.elements_touched, strict=True):
        if access.elements == 1 and not exercise.tile.base % exercise.width(access):
            continue  # a single element always is
        lanes = touched[lanes_taking_part(access)]
        first = slots[:, lanes]
        addresses = exercise.tile.base + first * exercise.tile.element_bytes
        possible &= (addresses % exercise.width(access) == 0).all(axis=1)
        for step in range(1, access.elements):
            possible &= (slots[:, lanes + step] == first + step).all(axis=1)
    return possible


def _wavefronts(slots: IntArray, exercise: Exercise, number: int) -> tuple[IntArray, IntArray]:
    """(layouts, warps) wavefronts of an access, and how many are allowed."""
    access, touched = exercise.accesses[number], exercise.elements_touched[number]
    tile = exercise.tile
    addresses = (tile.base + slots * tile.element_bytes)[:, touched].reshape(-1, LANES)
    active = None if access.active is None else np.tile(access.active, (len(slots), 1))
    costs = cost_many(access.kind, exercise.width(access), addresses, active, exercise.arch)
    shape = len(slots), len(touched)
    yours = counted(costs).reshape(shape)
    if access.allowed is not None:
        return yours, np.full(shape, access.allowed)
    return yours, costs.ideal.reshape(shape)
