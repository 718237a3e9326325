"""When a card comes back: FSRS on study days, within a fuzz on a day that has time left.

The maths is py-fsrs's (`fsrs6`), on study days, without learning steps and without its fuzz: it
floors elapsed time to 24 hours (an evening's review repeated next morning would be the same day)
and draws its fuzz from the global random generator (a preview would not be what happens). The day
within the fuzz is chosen at preview and stored with the answer; a replay checks it and keeps it.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Container, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache

from fsrs import Scheduler
from fsrs.scheduler import DEFAULT_PARAMETERS
from msgspec import Struct, json

from quizapp.domain.fsrs6 import Model, build_model
from quizapp.domain.rating import Rating

SCHEDULER_VERSION = "fsrs6-days-2"
"""Stored with every answer; change it when the same inputs would give another day."""

SEEDED_VERSION = "fsrs6-days-1"
"""The version that always took the day of the seed: what it stored is not a choice."""

LONGEST_INTERVAL = 36_500
"""Days; a century, as in Anki."""

_HALF_PLANNED, _WEEKS = 30, range(1, 31)
"""Days before which half of a simulated day's minutes are planned; those looked at."""

_FUZZ_FROM_DAYS = 3
_FUZZ_BANDS = ((3, 7, 0.15), (7, 20, 0.1), (20, 100_000, 0.05))
"""(from day, to day, share): the interval may move by one day plus these shares of its length."""


class Parameters(Struct, frozen=True, cache_hash=True):
    """What the scheduler is tuned with.

    The weights are stored too, so that a library whose defaults changed replays the log as it was.
    """

    retention: float = 0.9
    maximum_days: int = 365
    weights: tuple[float, ...] = DEFAULT_PARAMETERS

    @property
    def id(self) -> str:
        """A short name derived from the content: equal parameters have equal ids."""
        return hashlib.sha256(json.encode(self)).hexdigest()[:12]


class CardMemory(Struct, frozen=True, gc=False):
    """What FSRS keeps of a card.

    `stability`: days until retrievability falls to 90 %. `difficulty`: 1–10. `last_day`, `due_day`:
    study days. `repetitions` counts scheduled answers, `lapses` those rated Again after the first.
    """

    stability: float
    difficulty: float
    last_day: int
    due_day: int
    repetitions: int
    lapses: int


@dataclass(frozen=True, slots=True)
class Load:
    """What other questions ask of the days to come.

    `minutes`: of the reviews that are due, by study day. `siblings`: days on which a question of
    the same concept is due. `easy`: days that are to have few reviews.
    """

    minutes: Mapping[int, float]
    siblings: Set[int] = frozenset()
    easy: Container[int] = frozenset()

    def usual(self, day: int) -> float:
        """Estimate the minutes of a usual day by what is planned for the next weeks."""
        planned = sum(self.minutes.get(day + after, 0.0) for after in _WEEKS)
        return planned / sum(map(planned_share, _WEEKS))


def review(
    question: str,
    memory: CardMemory | None,
    rating: Rating,
    day: int,
    parameters: Parameters,
    *,
    chosen: int | None = None,
) -> CardMemory:
    """Return the memory after an answer on study day `day`, or on the last one if later.

    `chosen`: the due day that the preview chose. It is kept if the fuzz allows it; it may not if
    an earlier answer was undone since, and then the day is the seed's.
    """
    day = day if memory is None else max(day, memory.last_day)
    after = _review_exactly(memory, rating, day, parameters)
    days, maximum = after.due_day - day, parameters.maximum_days
    low, high = fuzz_bounds(days, maximum)
    if chosen is None or not low <= chosen - day <= high:
        chosen = day + fuzz(days, question, after.repetitions, maximum)
    if chosen == after.due_day:
        return after
    return CardMemory(
        stability=after.stability,
        difficulty=after.difficulty,
        last_day=day,
        due_day=chosen,
        repetitions=after.repetitions,
        lapses=after.lapses,
    )


def _review_exactly(
    memory: CardMemory | None, rating: Rating, day: int, parameters: Parameters
) -> CardMemory:
    """Return the memory after an answer, due on the day that FSRS gives."""
    model = _model(parameters)
    if memory is None:
        stability, difficulty = model.begin(rating)
        repetitions, lapses = 1, 0
    else:
        days = day - memory.last_day
        stability, difficulty = model.step(memory.stability, memory.difficulty, days, rating)
        repetitions = memory.repetitions + 1
        lapses = memory.lapses + (rating is Rating.AGAIN)
    due = day + model.interval(stability, parameters.retention, parameters.maximum_days)
    return CardMemory(stability, difficulty, day, due, repetitions, lapses)


def preview(
    question: str,
    memory: CardMemory | None,
    day: int,
    parameters: Parameters,
    load: Load | None = None,
) -> dict[Rating, int]:
    """Return the days until the card returns, for each rating: exactly what will happen.

    With `load`, the day within the fuzz whose reviews will take the least time, if possible no
    easy day and without a sibling.
    A second answer on one study day moves nothing, so then every rating gives the day it has.
    """
    if memory is not None and day <= memory.last_day:
        return dict.fromkeys(Rating, max(1, memory.due_day - day))
    shown: dict[Rating, int] = {}
    for rating in Rating:
        after = _review_exactly(memory, rating, day, parameters)
        shown[rating] = _choose(question, after, parameters.maximum_days, load)
        if load is not None and rating > Rating.AGAIN:  # a better one never returns sooner
            shown[rating] = max(shown[rating], shown[Rating(rating - 1)])
    return shown


def _choose(question: str, exact: CardMemory, maximum: int, load: Load | None) -> int:
    """Choose the days until the card returns, around those of `exact`."""
    days = exact.due_day - exact.last_day
    seeded = fuzz(days, question, exact.repetitions, maximum)
    if load is None:
        return seeded
    low, high = fuzz_bounds(days, maximum)
    usual = load.usual(exact.last_day)

    def cost(after: int) -> tuple[bool, bool, float, int]:
        at = exact.last_day + after
        minutes = load.minutes.get(at, 0.0) + usual * (1 - planned_share(after))
        return at in load.easy, at in load.siblings, minutes, abs(after - seeded)

    return min(range(low, high + 1), key=cost)


def planned_share(after: int) -> float:
    """Return which share of the minutes of a day is planned so many days before.

    Without it the last day of a fuzz would look free, and everything would come late.
    """
    return 1 / (1 + after / _HALF_PLANNED)


def latest_day(memory: CardMemory, parameters: Parameters) -> int:
    """Return the last day on which the fuzz lets a card return."""
    maximum = parameters.maximum_days
    days = _model(parameters).interval(memory.stability, parameters.retention, maximum)
    return memory.last_day + fuzz_bounds(days, maximum)[1]


def retrievability(memory: CardMemory, day: int, parameters: Parameters) -> float:
    """Return the probability, 0–1, that the card is recalled on study day `day`."""
    days = max(0, day - memory.last_day)
    return _model(parameters).retrievability(memory.stability, days)


@lru_cache(maxsize=4096)
def fuzz_bounds(days: int, maximum: int) -> tuple[int, int]:
    """Return the shortest and the longest interval that the fuzz may make of `days`."""
    if days < _FUZZ_FROM_DAYS:
        return days, days
    spread = 1.0 + sum(share * max(0.0, min(days, high) - low) for low, high, share in _FUZZ_BANDS)
    high = min(maximum, round(days + spread))
    return min(high, max(2, round(days - spread))), high


def fuzz(days: int, question: str, repetition: int, maximum: int) -> int:
    """Move `days` a little, so that cards learned together do not stay together.

    Seeded by question and repetition: the same on every machine, in every preview and replay. The
    place within the spread is the same for all ratings, so a better one never returns sooner.
    """
    low, high = fuzz_bounds(days, maximum)
    place = random.Random(f"{question}#{repetition}").random()
    return low + int(place * (high - low + 1))


@lru_cache(maxsize=32)
def _model(parameters: Parameters) -> Model:
    """Return FSRS with these parameters. Raises ValueError: py-fsrs refuses them."""
    Scheduler(
        parameters=parameters.weights,
        desired_retention=parameters.retention,
        maximum_interval=parameters.maximum_days,
    )
    return build_model(parameters.weights)
