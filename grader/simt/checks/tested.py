"""What each thread compares and how its tests come out, as digests that two runs are told apart by.

Where a comparison comes out both ways and nothing else differs, its result is not used: that is how
an undefined value that is compared and then discarded is recognized.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.simt.masks import Mask

Place = tuple[int, int]
"""A node of the program, by id, and the first block of a chunk."""
_Digest = NDArray[np.uint64]
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


class ThreadTests(NamedTuple):
    """The digests of one place, (blocks, threads): of what is tested, and of how that comes out."""

    tested: _Digest
    outcomes: _Digest


class TestRecord:
    """What the threads of a run test, by place."""

    __test__ = False  # not a test of pytest

    def __init__(self) -> None:
        self.by_place: dict[Place, ThreadTests] = {}

    def note(
        self, place: Place, tested: Sequence[NDArray[Any]], outcome: NDArray[Any], mask: Mask
    ) -> None:
        """Note that threads of a mask test values."""
        shape = mask.blocks, mask.threads
        known = self.by_place.get(place)
        if known is None:
            known = ThreadTests(np.zeros(shape, np.uint64), np.zeros(shape, np.uint64))
        bits = [_bits_of(value, shape) for value in tested]
        if len(bits) == 2:  # a value is compared with itself: that says nothing of it
            bits = [np.where(bits[0] == bits[1], 0, each) for each in bits]
        digest, outcomes = known
        for each in bits:
            digest = _add(digest, each, mask)
        outcomes = _add(outcomes, _bits_of(outcome, shape), mask)
        self.by_place[place] = ThreadTests(digest, outcomes)


def _bits_of(value: NDArray[Any], shape: tuple[int, int]) -> _Digest:
    full = np.ascontiguousarray(np.broadcast_to(value, shape))
    words = full.view(f"u{min(full.itemsize, 8)}").reshape(*shape, -1).astype(np.uint64)
    bits: _Digest = words[..., 0] if words.shape[-1] == 1 else words @ np.array([1, 3], np.uint64)
    return bits


def _add(digest: _Digest, bits: _Digest, mask: Mask) -> _Digest:
    added: _Digest = (digest ^ bits) * _FACTOR + np.uint64(1)
    return added if mask.lanes is None else np.where(mask.lanes, added, digest)


Tests = Mapping[Place, ThreadTests]


def are_equal(first: Tests, other: Tests) -> bool:
    """Return True if the threads of two runs tested the same values."""
    return first.keys() == other.keys() and not any(
        (first[place].tested != other[place].tested).any() for place in first
    )


def come_out_both_ways(runs: Sequence[Tests]) -> bool:
    """Return True if every test of a value that differs between runs comes out both ways."""
    for place in frozenset[Place]().union(*runs):
        known = [run[place] for run in runs if place in run]
        if len(known) < len(runs):  # threads get there in some runs only: another test decides
            known.append(ThreadTests(*map(np.zeros_like, known[0])))
        tested, outcomes = (
            np.logical_or.reduce([each[part] != known[0][part] for each in known])
            for part in range(2)
        )
        if (tested & ~outcomes).any():
            return False
    return True
