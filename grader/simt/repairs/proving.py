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
from grader.facts import fact
from grader.mistakes import Mistake
from grader.simt.checks.advice import Advice, Effect, difference
from grader.simt.checks.findings import FLOAT64, Finding, is_advised
from grader.simt.errors import InvalidLaunch
from grader.simt.launches.reports import Launch
from grader.simt.repairs.candidates import RepairCandidate, RepairScene
from grader.simt.repairs.cheaper import Cheaper, propose_cheaper
from grader.simt.repairs.rules import explain, propose

MOST_FINDINGS, MOST_CANDIDATES = 5, 8
"""That are tried: of a launch, and of each finding."""
MOST_OPERATIONS = 2_000_000_000
"""Of all runs with changes together: two seconds."""
MOST_CHEAPER = 100_000_000
"""Operations of a launch that is made cheaper: a larger one would take seconds, without a fault."""
_CHEAPER = 0.9
"""Of what it cost before, the most that a cheaper launch may cost."""
_MORE = 4
"""How many times the operations of the launch a changed one may take."""


class Rerun(NamedTuple):
    """A launch that ran again with changes.

    Attributes:
        same: True if its arrays hold what they held after the launch without the changes, bit by
            bit.
        close: the same up to the rounding of sums.
    """

    done: Launch
    same: bool
    close: bool


Relaunch = Callable[[tuple[Change, ...], int], Rerun]
"""Runs the launch again with changes, on the inputs it had, within a budget of operations."""


class RepairTrials(NamedTuple):
    """How often something was tried, and what came of it."""

    findings: int = 0
    tried: int = 0
    proven: int = 0

    def plus(self, other: RepairTrials) -> RepairTrials:
        """Return both together."""
        return RepairTrials(*map(sum, zip(self, other, strict=True)))


def advise(
    findings: Sequence[Finding], done: Launch, scene: RepairScene, relaunch: Relaunch
) -> tuple[tuple[Finding, ...], RepairTrials]:
    """Return the findings of a launch, those with advice for which a change is proven.

    Args:
        findings: of the launch, as the person sees them.
        relaunch: see `Relaunch`; a change that cannot be launched raises what `launch` raises.
    """
    prover = _Prover(done, scene, relaunch)
    if not done.faults and done.operations > MOST_CHEAPER:
        return tuple(findings), RepairTrials()
    return tuple(map(prover.advise, findings)), prover.trials


def improve(
    done: Launch, scene: RepairScene, relaunch: Relaunch
) -> tuple[tuple[Advice, ...], RepairTrials]:
    """Return changes that make a launch cheaper, for each array the best, and what was tried.

    Args:
        done: a launch without faults.
    """
    prover = _Prover(done, scene, relaunch)
    best: dict[tuple[str, str], Advice] = {}
    if done.operations > MOST_CHEAPER:
        return (), RepairTrials()
    for each in islice(propose_cheaper(done, scene), MOST_CANDIDATES):
        advice, key = prover.improve(each), (each.subject, each.array)
        known = best.get(key)
        if advice and (known is None or advice.effects[0].after < known.effects[0].after):
            best[key] = advice
    return tuple(best.values()), prover.trials._replace(proven=len(best))


class _Prover:
    def __init__(self, done: Launch, scene: RepairScene, relaunch: Relaunch) -> None:
        self._before = _count_cases(done.findings, ())
        self._faults = sum(each.count for each in done.faults)
        self._done = done
        self._scene = scene
        self._relaunch = relaunch
        self._budget = _MORE * done.operations + 10_000
        self._left = MOST_OPERATIONS
        self._repaired: set[_Case] = set()
        self._proven: list[Advice] = []
        self.trials = RepairTrials()

    def advise(self, finding: Finding) -> Finding:
        """Return a finding with advice, if there is some that no earlier finding has."""
        case = _case_of(finding, ())
        if not is_advised(finding) or case in self._repaired:
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
            return self._explained(finding)
        self._proven.append(best.advice)
        self._repaired.update(best.gone)
        self.trials = self.trials._replace(proven=self.trials.proven + 1)
        return replace(finding, advice=best.advice)

    def _explained(self, finding: Finding) -> Finding:
        """Return a finding without advice, with the reason if it is known."""
        reason = explain(finding, self._scene)
        if reason is not None and finding.hint is not None:
            reason = fact("advice.both", first=finding.hint, second=reason)
        return finding if reason is None else replace(finding, hint=reason)

    def _join(self, own: Sequence[RepairCandidate]) -> Iterator[RepairCandidate]:
        """Yield candidates with what is advised already: a fault may need both."""
        for earlier in self._proven:
            for each in own[:2]:
                if not set(each.changes) & set(earlier.changes):
                    yield RepairCandidate(each.what, (*earlier.changes, *each.changes))

    def improve(self, cheaper: Cheaper) -> Advice | None:
        """Return a change as advice if it makes the launch cheaper and changes nothing else."""
        rerun = self._run(cheaper.candidate)
        if rerun is None or not (rerun.close if cheaper.rounds else rerun.same):
            return None
        before, after = (
            sum(each.totals.get(name, 0) for name in cheaper.counters)
            for each in (self._done, rerun.done)
        )
        if after > _CHEAPER * before:
            return None
        return self._advice(cheaper.candidate, [Effect(cheaper.subject, before, after)])

    def _advice(self, candidate: RepairCandidate, effects: Sequence[Effect]) -> Advice:
        text = self._scene.source.text
        diff = difference(text, apply_changes(text, candidate.changes))
        return Advice(candidate.what, candidate.changes, diff, tuple(effects))

    def _run(self, candidate: RepairCandidate) -> Rerun | None:
        """Run the launch with a candidate; None if that does not end, or has a new finding."""
        if self._left < self._budget:
            return None
        self.trials = self.trials._replace(tried=self.trials.tried + 1)
        self._left -= self._budget
        try:
            rerun = self._relaunch(candidate.changes, self._budget)
        except (ChangeRefused, Mistake, InvalidLaunch, MemoryError, RecursionError):
            return None
        self._left += max(0, self._budget - rerun.done.operations)
        after = _count_cases(rerun.done.findings, candidate.changes)
        return None if after.keys() - self._before.keys() or not rerun.done.finished else rerun

    def _try(self, case: _Case, candidate: RepairCandidate) -> _Proof | None:
        rerun = self._run(candidate)
        if rerun is None:
            return None
        done = rerun.done
        after = _count_cases(done.findings, candidate.changes)
        faults = sum(each.count for each in done.faults)
        if case in after or faults > self._faults or (case.is_fault and faults == self._faults):
            return None
        if case.topic == FLOAT64 and not rerun.close and not rerun.same:
            return None
        known = {each for each in self._before if each.is_fault or each == case} - self._repaired
        gone = [each for each in self._before if each in known and each not in after]
        gone.sort(key=lambda each: each != case)
        effects = [Effect(each.kind, self._before[each], 0, each.line, each.array) for each in gone]
        advice = self._advice(candidate, effects)
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
