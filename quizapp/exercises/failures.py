"""Why a submission of a question's own failed, as a fact of the question."""

from __future__ import annotations

from grader.facts import Fact, fact
from grader.verdict import Gate, Verdict
from quizapp.exercises.faults import CodePosition


def describe(verdict: Verdict) -> Fact:
    """Say why the verdict's first failed gate failed."""
    failure = verdict.failure
    return fact("proof.passes") if failure is None else _reason(failure)


def describe_gate(verdict: Verdict) -> Fact:
    """Name the gate that failed first, and say why."""
    failure = verdict.failure
    if failure is None:
        return fact("proof.passes")
    return fact("proof.fails", gate=failure.key, reason=_reason(failure))


def position_in(file: str, verdict: Verdict) -> CodePosition:
    """Return where in a file it fails."""
    failure = verdict.failure
    if failure is None or not failure.line:
        return CodePosition(file)
    return CodePosition(file, failure.line, failure.column or 1)


def _reason(failure: Gate) -> Fact:
    if failure.reason is not None:
        return failure.reason
    if failure.count is not None and failure.most is not None:
        return fact("proof.above-most", count=failure.count, most=failure.most)
    if failure.count is not None and failure.least is not None:
        return fact("proof.below-least", count=failure.count, least=failure.least)
    return fact("proof.no-reason")
