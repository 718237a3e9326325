"""Which question a placement asks next: harder after a right answer, easier after a wrong one.

A few questions, each of another concept and, where possible, of another topic. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from quizapp.domain.order import Candidate

QUESTIONS = 12
LIMIT_MS = 5 * 60_000
KINDS = ("choice", "number", "trace")
"""Kinds that take a minute at most."""

_FIRST, _EASIEST, _HARDEST = 2, 1, 5


@dataclass(frozen=True, slots=True)
class PlacementStep:
    """A question that was asked, and how it went.

    `knew`: right, unaided, and no guess. `response`: what was answered, as it is read.
    """

    candidate: Candidate
    correct: bool
    knew: bool
    duration_ms: int
    response: str = ""


def level(steps: Iterable[PlacementStep]) -> int:
    """Return the difficulty to ask for next, 1–5."""
    now = _FIRST
    for step in steps:
        now = max(_EASIEST, min(_HARDEST, now + (1 if step.knew else -1)))
    return now


def next_question(
    candidates: Sequence[Candidate], steps: Sequence[PlacementStep]
) -> Candidate | None:
    """Choose the next question; None once there were enough, or the time is up.

    Args:
        candidates: what was never answered, in the default order, which decides among equals.
        steps: what was asked so far.
    """
    if len(steps) >= QUESTIONS or sum(step.duration_ms for step in steps) >= LIMIT_MS:
        return None
    concepts = {step.candidate.concept for step in steps}
    topics = Counter(step.candidate.topic for step in steps)
    wanted = level(steps)
    left = [c for c in candidates if c.kind in KINDS and c.concept not in concepts]
    return min(left, key=lambda c: (abs(c.difficulty - wanted), topics[c.topic]), default=None)
