"""Why a submission of a question's own failed, as a fact of the question."""

from __future__ import annotations

from grader.facts import Fact, fact
from grader.verdict import Verdict
from quizapp.exercises.faults import CodePosition


def describe(verdict: Verdict) -> Fact:
    """Say why the verdict's first failed gate failed."""
    failure = verdict.failure
    if failure is None:
        return fact("proof.passes")
    return failure.reason or fact("proof.no-reason")


def describe_gate(verdict: Verdict) -> Fact:
    """Name the gate that failed first, and say why."""
    failure = verdict.failure
    if failure is None:
        return fact("proof.passes")
    return fact("proof.fails", gate=failure.key, reason=describe(verdict))


def position_in(file: str, verdict: Verdict) -> CodePosition:
    """Return where in a file it fails."""
    failure = verdict.failure
    if failure is None or not failure.line:
        return CodePosition(file)
    return CodePosition(file, failure.line, failure.column or 1)
