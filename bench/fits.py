"""For whom `quiz optimize` adopts a fit: people whose memory FSRS's weights describe, and others.

The memories of others grow less, or more, with each recall. A fit is truly better if it is closer
to the person's real chances of recall, which the simulation knows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bench.figures import Figure
from quizapp.domain.log.projection import AnswerFact
from quizapp.domain.planning import memory_arrays as memory
from quizapp.domain.planning import tuning
from quizapp.domain.planning.forecast import FIRST_RATINGS, RECALLED_RATINGS
from quizapp.domain.planning.memory_arrays import Floats
from quizapp.domain.rating import Rating
from quizapp.domain.schedule import Parameters
from quizapp.study import optimizing

_OWN = Parameters().weights
_PEOPLE, _QUESTIONS, _PER_DAY, _DAYS = 20, 240, 4, 240
_GROWTH = 8
"""The weight by whose exponential a stability grows."""
_SHIFTS = {"typical": 0.0, "forgetful": -0.9, "retentive": 0.9}
_MOST_TYPICAL_PERCENT = 10.0


def measure(repeat: int) -> list[Figure]:
    """How many of each kind adopt; `repeat` is not used, the people are."""
    del repeat
    figures = []
    for kind, shift in _SHIFTS.items():
        people = range(_PEOPLE if kind == "typical" else _PEOPLE // 2)
        outcomes = [_adopts(seed, shift) for seed in people]
        adopted = [closer for adopts, closer in outcomes if adopts]
        figures.append(
            Figure(
                f"fits, {kind}",
                "people for whom the fit is adopted",
                100 * len(adopted) / len(outcomes),
                _MOST_TYPICAL_PERCENT if kind == "typical" else 100.0,
                "%",
                f"{len(adopted)} of {len(outcomes)}, of which {sum(adopted)} are closer to the "
                f"person's memory; {sum(closer for _, closer in outcomes)} fits are closer in all",
                at_least=kind != "typical",
            )
        )
    return figures


def _adopts(seed: int, shift: float) -> tuple[bool, bool]:
    """Return whether a person's fit is adopted, and whether it is truly the better one."""
    real = (*_OWN[:_GROWTH], _OWN[_GROWTH] + shift, *_OWN[_GROWTH + 1 :])
    parts = tuning.split(tuning.gather(_live(seed, real)))
    fits = [optimizing.fit(part) for part in parts]
    errors = [_error(parts[-1], weights, real) for weights in (_OWN, fits[-1])]
    return tuning.compare(parts, _OWN, fits).is_better, errors[1] < errors[0]


def _error(found: tuning.ReviewSplit, weights: Sequence[float], real: Sequence[float]) -> float:
    """Return how far predictions of the held-out reviews are from the real chances."""
    claimed, true = (tuning.replay(found.histories, each) for each in (weights, real))
    late = np.isin(claimed.days, found.days)
    return float(np.abs(claimed.predicted[late] - true.predicted[late]).mean())


def _live(seed: int, real: Sequence[float]) -> list[AnswerFact]:
    """Answer what is due each day, and some new questions, with such a memory."""
    chance = np.random.default_rng(seed)
    answers: list[AnswerFact] = []
    last: dict[int, int] = {}
    due: dict[int, int] = {}
    own_state: dict[int, tuple[Floats, Floats]] = {}
    real_state: dict[int, tuple[Floats, Floats]] = {}

    def note(question: int, day: int, rating: int) -> None:
        interval = memory.interval(_OWN, own_state[question][0], 0.9, 365)
        last[question], due[question] = day, day + int(interval[0])
        answers.append(
            AnswerFact(
                event="",
                question=str(question),
                kind="choice",
                study_day=day,
                at_ms=day,
                counts=True,
                was_new=False,
                correct=rating > 1,
                rating=Rating(rating),
                duration_ms=0,
                elapsed=0,
            )
        )

    for day in range(_DAYS):
        for question in [name for name, on in due.items() if on <= day]:
            elapsed = np.array([day - last[question]])
            knows = memory.recall(real, elapsed, real_state[question][0])[0]
            right = chance.random() < knows
            rating = int(chance.choice((2, 3, 4), p=RECALLED_RATINGS)) if right else 1
            given = np.array([rating])
            own_state[question] = memory.advance(_OWN, *own_state[question], elapsed, given)
            real_state[question] = memory.advance(real, *real_state[question], elapsed, given)
            note(question, day, rating)
        for question in range(day * _PER_DAY, min((day + 1) * _PER_DAY, _QUESTIONS)):
            rating = int(chance.choice((1, 2, 3, 4), p=FIRST_RATINGS))
            given = np.array([rating])
            own_state[question] = memory.begin(_OWN, given)
            real_state[question] = memory.begin(real, given)
            note(question, day, rating)
    return answers
