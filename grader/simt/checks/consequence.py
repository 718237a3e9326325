"""Decides whether an undefined value matters: repeats the launch with other values in its place.

An uninitialized read is a fault where the value decides something: an element of an output,
an address, a test, another finding. If outputs, counts, findings and the operands of all
comparisons are the same whatever is read there, the value was discarded, and the finding becomes a
warning. So it does where the value is compared, if each thread's comparison comes out both ways
with other values, and outputs and findings are the same; what each thread compares and tests is
kept as digests.

A shuffle may read from a lane that does not take part, as those of a tree within some lanes do, and
such a lane may go on with that value as long as nobody sees it. So only what can be seen from
outside counts: outputs and findings. If these are the same, there is no finding. Runs nothing
itself.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.facts import fact
from grader.simt.checks.findings import Finding
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


ValuePattern = Callable[[np.dtype[Any], int], NDArray[Any]] | None
"""Makes a number of values of a type, in place of undefined ones; None: they stay as they are."""
DISCARDED = "discarded value"
"""The topic of the warning."""
UNDEFINED_LANE = "undefined lane"
"""The topic of what a shuffle reads from a lane that does not take part."""
UNDECIDED = "absent lanes"
"""The topic of the warning where that cannot be decided."""
MOST_OPERATIONS = 2_000_000_000
"""The limit for all repetitions, some two seconds; beyond it, all such reads are faults."""
MOST_BYTES = 1 << 28
"""The limit of outputs that are kept to compare with; beyond it, nothing is repeated."""


class Poison:
    """Values that some sites get in place of undefined ones, and what that run tests."""

    def __init__(self, sites: Iterable[int], pattern: ValuePattern) -> None:
        self.sites = frozenset(sites)
        self.pattern = pattern
        self.tests = TestRecord()

    def replace(self, value: NDArray[Any], lanes: NDArray[np.bool_]) -> NDArray[Any]:
        """Return the values read, with other ones for some lanes."""
        if self.pattern is None:
            return value
        changed = np.array(np.broadcast_to(value, np.broadcast_shapes(value.shape, lanes.shape)))
        at = np.broadcast_to(lanes, changed.shape)
        changed[at] = self.pattern(changed.dtype, int(np.count_nonzero(at)))
        return changed


@dataclass(frozen=True, eq=False)
class LaunchOutcome:
    """What a run did: equal for two runs that cannot be told apart.

    Attributes:
        outputs: the bytes of what it wrote.
        effects: what it printed and raised.
        tests: what its threads compared and tested.
    """

    outputs: tuple[bytes, ...]
    effects: Any
    findings: Sequence[Finding]
    counts: Any
    tests: Tests

    def matches(self, other: LaunchOutcome) -> bool:
        """Return True if the two runs cannot be told apart."""
        same = self.counts == other.counts and are_equal(self.tests, other.tests)
        return same and self.is_alike(other)

    def is_alike(self, other: LaunchOutcome) -> bool:
        """Return True if they cannot be told apart but by counts and by what they test."""
        return self._is_alike(other, frozenset())

    def looks_like(self, other: LaunchOutcome) -> bool:
        """Return True if they cannot be told apart from outside."""
        return self._is_alike(other, _OF_VALUES)

    def _is_alike(self, other: LaunchOutcome, left_out: Container[str]) -> bool:
        own, others = (
            [
                (found.kind, found.file, found.line, found.column, found.count)
                for found in findings
                if found.kind not in left_out
            ]
            for findings in (self.findings, other.findings)
        )
        same = self.effects == other.effects and own == others
        return same and self.outputs == other.outputs


_OF_VALUES = frozenset({"overflow", "zero-division"})
"""Findings that a value may cause which is not used any further."""
Repeat = Callable[[Sequence[Finding], ValuePattern], LaunchOutcome]
"""Repeats the launch with a pattern for what some findings are about."""


def is_undecided(finding: Finding) -> bool:
    """Return True for a finding that may be about a discarded value; an atomic discards none."""
    return _is_unwritten(finding) or _is_of_lanes(finding)


def _is_unwritten(finding: Finding) -> bool:
    return finding.kind == "uninitialised-read" and finding.topic in _DISCARDABLE


_DISCARDABLE = ("shared", "local", "global", "variable")


def _is_of_lanes(finding: Finding) -> bool:
    return finding.topic == UNDEFINED_LANE


def settle_reads(
    findings: Sequence[Finding], again: Repeat, operations: int
) -> tuple[Finding, ...]:
    """Return the findings, with a mere warning for a read whose value is discarded.

    Args:
        operations: of one launch.
    """
    settled = _settle_lanes(findings, again, operations)
    reads = list(filter(_is_unwritten, settled))
    if len(reads) * (1 + len(_PATTERNS)) * operations > MOST_OPERATIONS:
        return settled
    discarded = [finding for finding in reads if _is_discarded(finding, again)]
    changed = [_as_warning(finding) if finding in discarded else finding for finding in settled]
    return _sort(changed)


def leave_undecided(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings of a launch that cannot be repeated.

    What a shuffle reads from a lane that has returned is a warning, since it rarely is meant; from
    other lanes that do not take part, a tree in some lanes of a warp reads as well.
    """
    return _sort(
        _as_undecided(finding) if _is_of_lanes(finding) else finding
        for finding in findings
        if not _is_of_lanes(finding) or finding.what.code == "finding.undefined-lane.exited"
    )


def _sort(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: finding.kind == "warning"))


def _settle_lanes(
    findings: Sequence[Finding], again: Repeat, operations: int
) -> tuple[Finding, ...]:
    """Return the findings without those of shuffles whose undefined values are not seen."""
    found = list(filter(_is_of_lanes, findings))
    runs = (1 + len(found)) * (1 + len(_OF_LANES)) if found else 0
    if runs * operations > MOST_OPERATIONS:
        return leave_undecided(findings)
    if not found or _is_unseen(found, again):
        return tuple(finding for finding in findings if finding not in found)
    seen = [finding for finding in found if len(found) == 1 or not _is_unseen([finding], again)]
    return tuple(finding for finding in findings if finding not in found or finding in seen)


def _is_unseen(findings: Sequence[Finding], again: Repeat) -> bool:
    first = again(findings, None)
    return all(first.looks_like(again(findings, pattern)) for pattern in _OF_LANES)


def _is_discarded(finding: Finding, again: Repeat) -> bool:
    runs = [first := again([finding], _make_zeros)]
    for pattern in _PATTERNS:
        runs.append(again([finding], pattern))
        if not first.is_alike(runs[-1]):
            return False
    if all(map(first.matches, runs)):
        return True
    if all(are_equal(first.tests, run.tests) for run in runs):
        return False
    ends = [again([finding], pattern) for pattern in _ENDS]
    runs += ends
    return all(map(first.looks_like, ends)) and come_out_both_ways([run.tests for run in runs])


def _as_undecided(finding: Finding) -> Finding:
    what = fact("finding.absent-lanes.exited", name=finding.what.fields["name"])
    return replace(finding, kind="warning", topic=UNDECIDED, what=what)


def _as_warning(finding: Finding) -> Finding:
    what = fact("finding.discarded-read", read=finding.what)
    return replace(finding, kind="warning", topic=DISCARDED, what=what)


def _make_zeros(dtype: np.dtype[Any], count: int) -> NDArray[Any]:
    return np.zeros(count, dtype)


def _make_large(dtype: np.dtype[Any], count: int) -> NDArray[Any]:
    random = np.random.default_rng(1).integers(1000, 32000, count)
    return random.astype(dtype) if dtype.itemsize > 1 else np.full(count, 100).astype(dtype)


def _make_small(dtype: np.dtype[Any], count: int) -> NDArray[Any]:
    return np.zeros(count, dtype) if dtype.kind in "ub" else -_make_large(dtype, count)


def _make_ones(dtype: np.dtype[Any], count: int) -> NDArray[Any]:
    """Make values with all bits set: NaN for floats."""
    if dtype.kind == "b":
        return np.ones(count, dtype)
    return np.full(count * dtype.itemsize, 0xFF, dtype=np.uint8).view(dtype)


def _make_most(dtype: np.dtype[Any], count: int) -> NDArray[Any]:
    """Make the largest values of a type."""
    if dtype.kind in "iu":
        return np.full(count, np.iinfo(dtype).max, dtype)
    return np.full(count, np.inf if dtype.kind in "fc" else 1).astype(dtype)


def _make_least(dtype: np.dtype[Any], count: int) -> NDArray[Any]:
    """Make the smallest values of a type."""
    if dtype.kind in "iu":
        return np.full(count, np.iinfo(dtype).min, dtype)
    return np.full(count, -np.inf if dtype.kind in "fc" else 0).astype(dtype)


_ENDS: tuple[ValuePattern, ...] = (_make_most, _make_least)
"""Between what a comparison may come out both ways."""
_PATTERNS: tuple[ValuePattern, ...] = (_make_large, _make_small, _make_ones)
_OF_LANES: tuple[ValuePattern, ...] = (_make_zeros, *_PATTERNS)
