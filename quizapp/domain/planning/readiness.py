"""Which share of what interviews ask a person would answer, today and on the day. Loads NumPy.

A concept counts by how many lists ask for it, and its questions share that equally. What was not
met counts as not known: an interview offers no options to guess from. A stage of a mock interview
counts as one more question of its concept, known as far as it was answered.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from quizapp.domain.order import Candidate
from quizapp.domain.planning.forecast import RecallForecast, summarize_shares
from quizapp.domain.planning.memory_arrays import Floats


@dataclass(frozen=True, slots=True)
class Readiness:
    """The share of what is asked that the person would answer.

    Attributes:
        today: without another look at anything.
        on_day: after the days until then, studied as planned.
        topic: pack and topic of which most will still be missing on the day.
        gain: what the share on the day would gain if all of that topic were known.
    """

    today: RecallForecast
    on_day: RecallForecast
    topic: tuple[str, str]
    gain: float


def measure(
    asked: Iterable[Candidate],
    stages: Iterable[tuple[str, float]],
    today: Mapping[str, Floats],
    on_day: Mapping[str, Floats],
) -> Readiness | None:
    """Measure readiness; None where nothing is asked.

    `asked`: the questions, with how often their concepts are asked for. `stages`: of mock
    interviews, the question that each asked and its score, 0–1. `today`, `on_day`: the chance to
    answer each question that was met, a value per run.
    """
    by_name = {candidate.question: candidate for candidate in asked}
    known = [(each, today.get(name, 0.0), on_day.get(name, 0.0)) for name, each in by_name.items()]
    known += [(by_name[name], score, score) for name, score in stages if name in by_name]
    sizes = Counter(candidate.concept for candidate, _, _ in known)
    now, then, whole = np.zeros(1), np.zeros(1), 0.0
    missing: defaultdict[tuple[str, str], float] = defaultdict(float)
    for candidate, chance, later in known:
        weight = candidate.frequency / sizes[candidate.concept]
        now, then, whole = now + weight * chance, then + weight * later, whole + weight
        missing[candidate.pack, candidate.topic] += weight * (1 - float(np.mean(later)))
    if not whole:
        return None
    topic, gain = max(missing.items(), key=lambda each: each[1])
    return Readiness(
        summarize_shares(now / whole), summarize_shares(then / whole), topic, gain / whole
    )
