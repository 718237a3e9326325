"""How well weights of FSRS predict a person's reviews: what `quiz optimize` compares. Loads NumPy.

Weights are judged by reviews that came after those they were fitted to: by three later parts of
the log, one after another, each by a fit to all that came before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from quizapp.domain.log.projection import AnswerFact
from quizapp.domain.planning import memory_arrays as arrays
from quizapp.domain.planning.memory_arrays import Floats, Ints

LEAST_REVIEWS = 400
"""Fewer reviews are fitted by chance."""

_PARTS = (0.5, 0.65, 0.8, 1.0)
"""Shares of the reviews: up to the first, nothing judges."""
_CERTAIN = 1e-4
_ERRORS = 1.0
"""Standard errors that a gain must exceed; a fit to noise loses on later reviews, so few do."""

History = tuple[AnswerFact, ...]


@dataclass(frozen=True, slots=True)
class ReviewSplit:
    """Histories, and the study days whose reviews judge a fit to those before."""

    histories: tuple[History, ...]
    days: range


def gather(facts: Iterable[AnswerFact]) -> tuple[History, ...]:
    """Gather the counted answers of each question; questions answered most often come first."""
    found: dict[str, list[AnswerFact]] = {}
    for fact in facts:
        if fact.counts:
            found.setdefault(fact.question, []).append(fact)
    return tuple(sorted(map(tuple, found.values()), key=len, reverse=True))


def count_reviews(histories: Iterable[History]) -> int:
    """Count the answers that a prediction can be compared with: all but the first of each."""
    return sum(len(history) - 1 for history in histories)


def split(histories: Sequence[History]) -> tuple[ReviewSplit, ...]:
    """Hold out later parts of the reviews, by whole study days; the last fit is to the most."""
    days = sorted(fact.study_day for history in histories for fact in history[1:])
    bounds = [days[int(len(days) * share)] for share in _PARTS[:-1]]
    return tuple(
        ReviewSplit(tuple(histories), range(since, until))
        for since, until in pairwise((*bounds, days[-1] + 1))
        if since < until
    )


@dataclass(frozen=True, slots=True)
class ReviewReplay:
    """Reviews in the order of their place in their histories, one entry each, with the outcome.

    `questions` are positions among the histories.
    `stability` and `last_day` are of each history after its end.
    """

    predicted: Floats
    elapsed: Ints
    places: Ints
    lapses: Ints
    recalled: Floats
    days: Ints
    questions: Ints
    stability: Floats
    last_day: Ints


def replay(histories: Sequence[History], weights: Sequence[float]) -> ReviewReplay:
    """Predict every review from the answers before it; `histories` are longest first."""
    none, never = np.empty(0), np.empty(0, np.int64)
    if not histories:
        return ReviewReplay(none, never, never, never, none, never, never, none, never)
    stability, difficulty = arrays.begin(weights, _ratings(histories, 0))
    lapses = np.zeros(len(histories), np.int64)
    reviews: list[tuple[Floats, Ints, Ints, Ints, Floats, Ints]] = [
        (none, never, never, never, none, never)
    ]
    for place in range(1, len(histories[0])):
        reached = [history for history in histories if len(history) > place]
        n, rating = len(reached), _ratings(reached, place)
        days = np.array([history[place].study_day for history in reached])
        before = np.array([history[place - 1].study_day for history in reached])
        elapsed = np.maximum(1, days - before)
        predicted = arrays.recall(weights, elapsed, stability[:n])
        recalled = (rating > arrays.AGAIN).astype(float)
        reviews.append((predicted, elapsed, np.full(n, place), lapses[:n].copy(), recalled, days))
        stability[:n], difficulty[:n] = arrays.advance(
            weights, stability[:n], difficulty[:n], elapsed, rating
        )
        lapses[:n] += rating == arrays.AGAIN
    predictions, elapsed_all, places, forgotten, outcomes, on = zip(*reviews, strict=True)
    return ReviewReplay(
        np.concatenate(predictions),
        np.concatenate(elapsed_all),
        np.concatenate(places),
        np.concatenate(forgotten),
        np.concatenate(outcomes),
        np.concatenate(on),
        np.concatenate([np.arange(len(each)) for each in on]),
        stability,
        np.array([history[-1].study_day for history in histories]),
    )


def _ratings(histories: Sequence[History], place: int) -> Ints:
    return np.array([int(history[place].rating) for history in histories])


@dataclass(frozen=True, slots=True)
class WeightComparison:
    """The log loss of the held-out reviews under two sets of weights; less is better.

    `error` is the standard error of the difference, from the losses of both at each of the
    `held_out` reviews.
    """

    before: float
    after: float
    error: float
    held_out: int

    @property
    def is_better(self) -> bool:
        """True if the second predicts better by more than chance explains."""
        return self.before - self.after > _ERRORS * self.error


def compare(
    parts: Sequence[ReviewSplit], own: Sequence[float], fits: Sequence[Sequence[float]]
) -> WeightComparison:
    """Compare weights with the fit for each part, at the held-out reviews of all.

    Reviews of one question go wrong together, so the error is that of sums by question.
    """
    judged = [_losses(part, own) for part in parts]
    before = np.concatenate([losses for losses, _ in judged])
    question = np.concatenate([questions for _, questions in judged])
    after = np.concatenate([_losses(part, fit)[0] for part, fit in zip(parts, fits, strict=True)])
    gains = np.bincount(question, before - after)
    counts = np.bincount(question)
    spread = gains - counts * (before - after).mean()
    error = float(np.sqrt((spread**2).sum()) / len(before))
    return WeightComparison(float(before.mean()), float(after.mean()), error, len(before))


def _losses(found: ReviewSplit, weights: Sequence[float]) -> tuple[Floats, Ints]:
    """Return the surprise of each held-out review, and the position of its question."""
    replayed = replay(found.histories, weights)
    late = np.isin(replayed.days, found.days)
    predicted = np.clip(replayed.predicted[late], _CERTAIN, 1 - _CERTAIN)
    recalled = replayed.recalled[late]
    surprise = recalled * np.log(predicted) + (1 - recalled) * np.log(1 - predicted)
    return -surprise, replayed.questions[late]


def count_due(
    histories: Sequence[History], weights: Sequence[float], retention: float, days: range
) -> int:
    """Count the questions that these weights, from the first answer on, have due within days."""
    replayed = replay(histories, weights)
    intervals = arrays.interval(weights, replayed.stability, retention, 365)
    due = np.maximum(replayed.last_day + intervals, days.start)
    return int(np.sum(due < days.stop))
