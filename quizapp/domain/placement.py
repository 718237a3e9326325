"""Which question a placement asks next: harder after a right answer, easier after a wrong one.

A few questions, each of another concept and, where possible, of another topic. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from quizapp.domain.order import Candidate

QUESTIONS = 20
LIMIT_MS = 8 * 60_000
KINDS = ("choice", "number", "trace")
"""Kinds that take a minute at most."""

_FIRST, _EASIEST, _HARDEST = 2, 1, 5

LATER_FROM = 0.45
"""From this chance on a question comes later: it may be known, and others probably are not."""

_PRIOR_CHANCE, _PRIOR_ANSWERS = 0.5, 2
_OF_TOPIC = 4.0
_BY_DISTANCE = (1.0, 0.4, 0.1)
"""What an answer tells of a question that is so much harder than it, or easier if it was wrong."""


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

    `candidates`: what was never answered, in the default order, which decides among equals.
    """
    if len(steps) >= QUESTIONS or sum(step.duration_ms for step in steps) >= LIMIT_MS:
        return None
    concepts = {step.candidate.concept for step in steps}
    topics = Counter(step.candidate.topic for step in steps)
    wanted = level(steps)
    left = [c for c in candidates if c.kind in KINDS and c.concept not in concepts]
    return min(left, key=lambda c: (abs(c.difficulty - wanted), topics[c.topic]), default=None)


def chance_known(candidate: Candidate, steps: Iterable[tuple[Candidate, bool]]) -> float:
    """Estimate the chance that a person knows a question, by how others went: which, and known.

    What is right at a difficulty speaks for what is as easy or easier, what is wrong against what
    is as hard or harder; in the topic it counts for more. A few answers move the chance little.
    """
    known, weight = _PRIOR_CHANCE * _PRIOR_ANSWERS, float(_PRIOR_ANSWERS)
    for other, knew in steps:
        steeper = candidate.difficulty - other.difficulty
        told = _OF_TOPIC if other.topic == candidate.topic else 1.0
        told *= _BY_DISTANCE[max(0, min(steeper if knew else -steeper, len(_BY_DISTANCE) - 1))]
        known, weight = known + told * knew, weight + told
    return known / weight


def begin_where_unknown(
    candidates: Sequence[Candidate], steps: Sequence[tuple[Candidate, bool]]
) -> list[Candidate]:
    """Put what a person may know behind what they probably do not, the surest last."""

    def place(candidate: Candidate) -> float:
        chance = chance_known(candidate, steps)
        return 0.0 if chance < LATER_FROM else round(chance, 1)

    return sorted(candidates, key=place)
