"""Makes the signature of a failing submission: two texts of one mistake have the same one.

The gate it fails at, and there the figure, the wrong elements or the cases of the findings; of bank
conflicts also the patterns of the accesses. No names, no lines, no words.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from grader.kernels.outcome import KernelGrade, RunReport, WorstAccess, WrongElement
from grader.verdict import Gate

_SAME = 1e-3
"""Relative difference that another summation order may cause."""
_SHADES = ("conflicts", "wavefronts")
"""Ends of counters for which the patterns of the accesses are part of the signature."""
_MEMORIES = ("shared_", "global_", "local_", "barriers")
"""Beginnings of counters that say how memory is used, not how it is computed."""
FindingCase = tuple[str, str, str, tuple[int, ...], frozenset[tuple[int, int, int]], int]
AccessPattern = tuple[str, int, tuple[int | None, ...]]


@dataclass(frozen=True, slots=True)
class Signature:
    """What a submission does at the gate that it fails.

    Attributes:
        shape: of the run that failed.
        count: what was counted, for a limit.
        patterns: the worst access of each place: kind, width, and addresses from the lowest on, by
            lane; of shared memory, for a limit on its conflicts or wavefronts.
        cases: of the findings: kind, topic, memory, element, threads, count.
        wrong_count: how many elements are wrong; `wrong` are the first.
        traffic: all counts of memory and barriers at the first shape: distinguishes submissions
            that are otherwise alike.
    """

    gate: str
    shape: frozenset[tuple[str, int]] = frozenset()
    count: int | None = None
    patterns: frozenset[AccessPattern] = frozenset()
    cases: frozenset[FindingCase] = frozenset()
    wrong_count: int = 0
    wrong: tuple[WrongElement, ...] = ()
    traffic: frozenset[tuple[str, int]] = frozenset()

    def matches(self, other: Signature) -> bool:
        """True if both do the same."""
        mine, theirs = (_exact_parts(part) for part in (self, other))
        return mine == theirs and all(map(_match, self.wrong, other.wrong))


def signature_of(graded: KernelGrade) -> Signature | None:
    """Make the signature of a submission; None if it passed, or if nothing of it ran."""
    gate = graded.verdict.failure
    if gate is None or not graded.runs or not graded.verdict.ran:
        return None
    traffic = _collect_traffic(graded.runs[0])
    run = graded.find_run(gate)
    shape = frozenset(run.shape.items())
    if gate.name == "counts":
        patterns = _find_patterns(gate, graded.accesses)
        return Signature(gate.key, shape, gate.count, patterns, traffic=traffic)
    if gate.name == "result":
        count, wrong = run.wrong_count, run.wrong
        return Signature(gate.key, shape, wrong_count=count, wrong=wrong, traffic=traffic)
    return Signature(gate.key, shape, cases=_collect_cases(run), traffic=traffic)


def _collect_cases(run: RunReport) -> frozenset[FindingCase]:
    return frozenset(
        (
            finding.kind,
            finding.topic,
            finding.space,
            finding.index,
            frozenset(finding.threads),
            finding.count,
        )
        for finding in run.faults
    )


def _collect_traffic(run: RunReport) -> frozenset[tuple[str, int]]:
    return frozenset(
        (name, count) for name, count in run.totals.items() if name.startswith(_MEMORIES)
    )


def _find_patterns(gate: Gate, accesses: Sequence[WorstAccess]) -> frozenset[AccessPattern]:
    """Describe where the lanes of each access are, wherever its array begins.

    An access without conflicts tells mistakes apart, too: what is stored in permuted rows is loaded
    as what is not permuted.
    """
    return frozenset(map(_find_pattern, accesses if gate.subject.endswith(_SHADES) else ()))


def _find_pattern(worst: WorstAccess) -> AccessPattern:
    active = [
        address if on else None
        for address, on in zip(worst.addresses, worst.active, strict=True)
    ]  # fmt: skip
    lowest = min((start for start in active if start is not None), default=0)
    lanes = tuple(None if start is None else start - lowest for start in active)
    return worst.kind, worst.width, lanes


def _exact_parts(signature: Signature) -> tuple[object, ...]:
    """Return the parts that must be equal."""
    places = tuple((element.array, element.index) for element in signature.wrong)
    return (
        signature.gate,
        signature.shape,
        signature.count,
        signature.patterns,
        signature.cases,
        signature.wrong_count,
        places,
    )


def _match(first: WrongElement, second: WrongElement) -> bool:
    """Compare two elements: floats may differ as much as a different summation order does."""
    if first.got == second.got:
        return True
    floats = "." in first.got and "." in second.got
    return floats and math.isclose(float(first.got), float(second.got), rel_tol=_SAME)
