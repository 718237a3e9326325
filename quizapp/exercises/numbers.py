"""The expected value of a `number` question: given, or computed by the graders."""

from __future__ import annotations

from grader import compute
from quizapp.domain.grading import AcceptedRange, range_around
from quizapp.domain.question import Number


def compute_answer(question: Number) -> AcceptedRange:
    """Compute what a number question accepts."""
    value = question.answer
    if question.compute is not None:
        value = compute.compute(question.compute)
    return range_around(question, 0.0 if value is None else value)
