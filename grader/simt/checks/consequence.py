"""Decides whether an unwritten value matters: repeats the launch with other values in its place.

An uninitialized read is a fault where the value decides something: an element of an output,
an address, a test, another finding. If outputs, counts, findings and the operands of all
comparisons are the same whatever is read there, the value was discarded, and the finding becomes a
warning. Runs nothing itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.facts import fact
from grader.simt.checks.findings import Finding
from grader.simt.masks import Mask

ValuePattern = Callable[[np.dtype[Any], int], NDArray[Any]]
"""Makes a number of values of a type, in place of unwritten ones."""
DISCARDED = "discarded value"
"""The topic of the warning."""
MOST_OPERATIONS = 2_000_000_000
"""The limit for all repetitions, some two seconds; beyond it, all such reads are faults."""
MOST_BYTES = 1 << 28
"""The limit of outputs that are kept to compare with; beyond it, nothing is repeated."""


class Poison:
    """Values that a read at one site gets for unwritten cells, and what that run compares."""

    def __init__(self, site: int, pattern: ValuePattern) -> None:
        self.site = site
        self.pattern = pattern
        self._compared = blake2b()

    def note(self, value: NDArray[Any], mask: Mask) -> None:
        """Note that threads of a mask compare values, or test them."""
        full = np.broadcast_to(value, (mask.blocks, mask.threads))
        self._compared.update(full[mask.full].tobytes())

    @property
    def compared(self) -> str:
        """A digest, equal for two runs that compared the same values."""
        return self._compared.hexdigest()

    def replace(self, value: NDArray[Any], lanes: NDArray[np.bool_]) -> NDArray[Any]:
        """Return the values read, with other ones for some lanes."""
        changed = np.array(np.broadcast_to(value, np.broadcast_shapes(value.shape, lanes.shape)))
        at = np.broadcast_to(lanes, changed.shape)
        changed[at] = self.pattern(changed.dtype, int(np.count_nonzero(at)))
        return changed


@dataclass(frozen=True, eq=False)
class LaunchOutcome:
    """What a run did: equal for two runs that cannot be told apart.

    Attributes:
        outputs: the bytes of what it wrote.
        rest: counts, findings, what it compared, printed and raised.
    """

    outputs: tuple[bytes, ...]
    rest: Any

    def matches(self, other: LaunchOutcome) -> bool:
        """Return True if the two runs cannot be told apart."""
        return self.rest == other.rest and self.outputs == other.outputs


def is_undecided(finding: Finding) -> bool:
    """Return True for a finding that may be about a discarded value; an atomic discards none."""
    return finding.kind == "uninitialised-read" and finding.topic in ("shared", "local", "variable")


def settle_reads(
    findings: Sequence[Finding],
    again: Callable[[Finding, ValuePattern], LaunchOutcome],
    operations: int,
) -> tuple[Finding, ...]:
    """Return the findings, with a mere warning for a read whose value is discarded.

    Args:
        findings: of the launch.
        again: repeats the launch with a pattern for what a finding is about.
        operations: of one launch.
    """
    reads = [finding for finding in findings if is_undecided(finding)]
    if len(reads) * (1 + len(_PATTERNS)) * operations > MOST_OPERATIONS:
        return tuple(findings)
    discarded = [finding for finding in reads if _is_discarded(finding, again)]
    changed = [_as_warning(finding) if finding in discarded else finding for finding in findings]
    return tuple(sorted(changed, key=lambda finding: finding.kind == "warning"))


def _is_discarded(
    finding: Finding, again: Callable[[Finding, ValuePattern], LaunchOutcome]
) -> bool:
    first = again(finding, _make_zeros)
    return all(first.matches(again(finding, pattern)) for pattern in _PATTERNS)


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


_PATTERNS: tuple[ValuePattern, ...] = (_make_large, _make_small, _make_ones)
