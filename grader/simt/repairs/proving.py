"""Tries candidates: a launch runs again with each, and only one that repairs it is advice.

A change is advice if the fault that it is for is gone with all its cases, no fault or warning is
there that was not there before, and the launch has fewer cases of faults in all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from grader.changes import Change, ChangeRefused, apply_changes
from grader.mistakes import Mistake
from grader.simt.checks.advice import Advice, Effect, difference
from grader.simt.checks.findings import Finding
from grader.simt.errors import InvalidLaunch
from grader.simt.launches.launching import Launch
from grader.simt.repairs.candidates import Candidate, Scene
from grader.simt.repairs.rules import propose

MOST_FINDINGS, MOST_CANDIDATES = 5, 6
"""That are tried: of a launch, and of each finding."""
MOST_OPERATIONS = 200_000_000
"""Of all runs with changes together: two seconds."""
_MORE = 2
"""How many times the operations of the launch a changed one may take."""

Relaunch = Callable[[tuple[Change, ...], int], Launch]
"""Runs the launch again with changes, on the inputs it had, within a budget of operations."""


class Trials(NamedTuple):
    """How often something was tried, and what came of it."""

    findings: int = 0
    tried: int = 0
    proven: int = 0


def advise(
    findings: Sequence[Finding], done: Launch, scene: Scene, relaunch: Relaunch
) -> tuple[tuple[Finding, ...], Trials]:
    """Return the findings of a launch, those with advice for which a change is proven.

    Args:
        findings: of the launch, as the person sees them.
        done: the launch.
        scene: its source and arguments.
        relaunch: see `Relaunch`; a change that cannot be launched raises what `launch` raises.
    """
    prover = _Prover(done, scene, relaunch)
    return tuple(map(prover.advise, findings)), prover.trials


class _Prover:
    def __init__(self, done: Launch, scene: Scene, relaunch: Relaunch) -> None:
        self._before = _count_cases(done.findings, ())
        self._faults = sum(each.count for each in done.faults)
        self._scene = scene
        self._relaunch = relaunch
        self._budget = _MORE * done.operations + 10_000
        self._left = MOST_OPERATIONS
        self._repaired: set[_Case] = set()
        self._proven: list[Advice] = []
        self.trials = Trials()

    def advise(self, finding: Finding) -> Finding:
        """Return a finding with advice, if there is some that no earlier finding has."""
        case = _case_of(finding, ())
        if finding.kind == "warning" or case in self._repaired:
            return finding
        if self.trials.findings >= MOST_FINDINGS:
            return finding
        self.trials = self.trials._replace(findings=self.trials.findings + 1)
        best: _Proof | None = None
        own = [*islice(propose(finding, self._scene), MOST_CANDIDATES)]
        for candidate in own:
            proof = self._try(case, candidate)
            if proof is not None and (best is None or len(proof.gone) > len(best.gone)):
                best = proof
            if best is not None and not best.left:
                break
        together = () if best else self._join(own)
        best = best or next(filter(None, (self._try(case, each) for each in together)), None)
        if best is None:
            return finding
        self._proven.append(best.advice)
        self._repaired.update(best.gone)
        self.trials = self.trials._replace(proven=self.trials.proven + 1)
        return replace(finding, advice=best.advice)

    def _join(self, own: Sequence[Candidate]) -> Iterator[Candidate]:
        """Yield candidates with what is advised already: a fault may need both."""
        for earlier in self._proven:
            for each in own[:2]:
                if not set(each.changes) & set(earlier.changes):
                    yield Candidate(each.what, (*earlier.changes, *each.changes))

    def _try(self, case: _Case, candidate: Candidate) -> _Proof | None:
        if self._left < self._budget:
            return None
        self.trials = self.trials._replace(tried=self.trials.tried + 1)
        self._left -= self._budget
        try:
            done = self._relaunch(candidate.changes, self._budget)
        except (ChangeRefused, Mistake, InvalidLaunch, MemoryError, RecursionError):
            return None
        self._left += max(0, self._budget - done.operations)
        after = _count_cases(done.findings, candidate.changes)
        if not done.finished or case in after or after.keys() - self._before.keys():
            return None
        if sum(each.count for each in done.faults) >= self._faults:
            return None
        known = {each for each in self._before if each.is_fault} - self._repaired
        gone = [each for each in self._before if each in known and each not in after]
        gone.sort(key=lambda each: each != case)
        effects = [Effect(each.kind, self._before[each], 0, each.line, each.array) for each in gone]
        text = self._scene.source.text
        diff = difference(text, apply_changes(text, candidate.changes))
        advice = Advice(candidate.what, candidate.changes, diff, tuple(effects))
        return _Proof(advice, frozenset(gone), frozenset(known & after.keys()))


class _Proof(NamedTuple):
    """An advice, the faults that it removes, and those without advice that it leaves."""

    advice: Advice
    gone: frozenset[_Case]
    left: frozenset[_Case]


class _Case(NamedTuple):
    """What makes two findings the same, before changes and after them."""

    kind: str
    topic: str
    space: str
    array: str
    line: int
    other_line: int
    file: str

    @property
    def is_fault(self) -> bool:
        return self.kind != "warning"


def _case_of(finding: Finding, changes: Sequence[Change]) -> _Case:
    line, other = finding.line, finding.other_line
    line = line if finding.file else _line_before(line, changes)
    other = other if finding.other_file else _line_before(other, changes)
    place = line, other, finding.file
    return _Case(finding.kind, finding.topic, finding.space, finding.array, *place)


def _count_cases(findings: Sequence[Finding], changes: Sequence[Change]) -> Counter[_Case]:
    found: Counter[_Case] = Counter()
    for finding in findings:
        found[_case_of(finding, changes)] += finding.count
    return found


def _line_before(line: int, changes: Sequence[Change]) -> int:
    """Return where a line of the changed source was before."""
    for change in sorted(changes, key=lambda each: each.place):
        more = change.new.count("\n") - change.old.count("\n")
        if line > change.place:
            line = max(change.place, line - more)
    return line
