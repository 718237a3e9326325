"""How well weights of FSRS predict a person's reviews: what `quiz optimize` compares. Loads NumPy.

A later part of the log is held out: weights are fitted to what came before it, and judged by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from quizapp.domain import memory_arrays as arrays
from quizapp.domain.memory_arrays import Floats, Ints
from quizapp.domain.projection import AnswerFact

LEAST_REVIEWS = 400
"""Fewer reviews are fitted by chance."""

_HELD_OUT = 0.2
_CERTAIN = 1e-4

History = tuple[AnswerFact, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """Histories, and the study day from which reviews judge and are not fitted to."""

    histories: tuple[History, ...]
    held_out_from: int
    fitted: int
    held_out: int


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


def split(histories: Sequence[History]) -> Split:
    """Hold out the later part of the reviews, by whole study days."""
    days = sorted(fact.study_day for history in histories for fact in history[1:])
    since = days[int(len(days) * (1 - _HELD_OUT))]
    held_out = sum(day >= since for day in days)
    return Split(tuple(histories), since, len(days) - held_out, held_out)


@dataclass(frozen=True, slots=True)
class Replay:
    """Reviews in the order of their place in their histories, one entry each, with the outcome.

    `stability` and `last_day` are of each history after its end.
    """

    predicted: Floats
    elapsed: Ints
    places: Ints
    lapses: Ints
    recalled: Floats
    days: Ints
    stability: Floats
    last_day: Ints


def replay(histories: Sequence[History], weights: Sequence[float]) -> Replay:
    """Predict every review from the answers before it; `histories` are longest first."""
    none, never = np.empty(0), np.empty(0, np.int64)
    if not histories:
        return Replay(none, never, never, never, none, never, none, never)
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
    return Replay(
        np.concatenate(predictions),
        np.concatenate(elapsed_all),
        np.concatenate(places),
        np.concatenate(forgotten),
        np.concatenate(outcomes),
        np.concatenate(on),
        stability,
        np.array([history[-1].study_day for history in histories]),
    )


def _ratings(histories: Sequence[History], place: int) -> Ints:
    return np.array([int(history[place].rating) for history in histories])


def log_loss(found: Split, weights: Sequence[float]) -> float:
    """Return the mean surprise of the held-out reviews under these weights; less is better."""
    replayed = replay(found.histories, weights)
    late = replayed.days >= found.held_out_from
    predicted = np.clip(replayed.predicted[late], _CERTAIN, 1 - _CERTAIN)
    recalled = replayed.recalled[late]
    surprise = recalled * np.log(predicted) + (1 - recalled) * np.log(1 - predicted)
    return float(-surprise.mean())


def count_due(
    histories: Sequence[History], weights: Sequence[float], retention: float, days: range
) -> int:
    """Count the questions that these weights, from the first answer on, have due within days."""
    replayed = replay(histories, weights)
    intervals = arrays.interval(weights, replayed.stability, retention, 365)
    due = np.maximum(replayed.last_day + intervals, days.start)
    return int(np.sum(due < days.stop))
