"""What other questions ask of a day: reviews that are due, and siblings, which share a concept.

Siblings do not come on one day: the first would give the second away. Pure.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Mapping

from quizapp.domain.log.projection import Card
from quizapp.domain.order import Candidate
from quizapp.domain.schedule import Load, Parameters, latest_day, planned_share

RECENT_DAYS, _LEAST_DAYS = 14, 7
"""Days before today that say what is usual, and of how many of them something must be known."""

_MORE_THAN_USUAL, _LESS_THAN_USUAL = 1.1, 0.9
"""Of the usual minutes: reviews wait on a day of more, and never leave it less."""

MOST_SIBLINGS = 12
"""A concept of more questions is a topic by another name, which would ask one of them per day."""


def group_by_concept(candidates: Iterable[Candidate]) -> dict[str, str]:
    """Map each question that has siblings to its concept."""
    kept = list(candidates)
    sizes = Counter(candidate.concept for candidate in kept)
    return {
        candidate.question: candidate.concept
        for candidate in kept
        if candidate.concept and 1 < sizes[candidate.concept] <= MOST_SIBLINGS
    }


def find_load(
    question: str,
    candidates: Iterable[Candidate],
    cards: Mapping[str, Card],
    minutes: Callable[[str], float],
    easy: Container[int] = frozenset(),
) -> Load:
    """Sum the minutes of the reviews that the others of `candidates` have due, by day.

    A kernel takes as long as two dozen choices, so their number says little. `minutes`: that an
    answer to a question takes.
    """
    kept = list(candidates)
    concepts = group_by_concept(kept)
    concept = concepts.get(question)
    due: defaultdict[int, float] = defaultdict(float)
    siblings: set[int] = set()
    for candidate in kept:
        name = candidate.question
        card = cards.get(name)
        if name == question or card is None or card.memory is None or card.suspended:
            continue
        due[card.memory.due_day] += minutes(name)
        if concept is not None and concepts.get(name) == concept:
            siblings.add(card.memory.due_day)
    return Load(due, siblings, easy)


def find_usual(reviewed: Iterable[tuple[int, float]]) -> float | None:
    """Return the minutes of reviews on a usual day; None where too few days are known.

    `reviewed`: study day and minutes of each of the last `RECENT_DAYS`, today left out.
    """
    by_day: defaultdict[int, float] = defaultdict(float)
    for day, minutes in reviewed:
        by_day[day] += minutes
    return sum(by_day.values()) / len(by_day) if len(by_day) >= _LEAST_DAYS else None


def leave_for_later(
    cards: Iterable[Card],
    day: int,
    usual: float,
    minutes: Callable[[str], float],
    *,
    parameters: Parameters,
    easy: Container[int] = frozenset(),
) -> frozenset[str]:
    """Choose the reviews that wait for a day with more time, where a day has too many minutes.

    What was forgotten returns soon and on an exact day, and may take long: no choice that was made
    weeks before could leave room for it. So others move within the fuzz that they have left. What
    was reviewed today counts as if it were due: the choice stays as the day goes on.

    `usual`: minutes of reviews on a day, in the mean. `minutes`: that an answer to a question
    takes. `easy`: days that are to have few reviews.
    """
    planned: defaultdict[int, float] = defaultdict(float)
    due: list[tuple[int, str]] = []
    for card in cards:
        memory, name = card.memory, card.question
        if memory is None or card.suspended:
            continue
        if memory.last_day >= day:
            planned[day] += minutes(name) if memory.repetitions > 1 else 0.0
        planned[max(day, memory.due_day)] += minutes(name)
        if memory.due_day <= day and memory.last_day < day:
            due.append((latest_day(memory, parameters), name))
    left: set[str] = set()
    for latest, name in sorted(due, key=lambda each: (-each[0], each[1])):
        took, today = minutes(name), planned[day]
        if today <= _MORE_THAN_USUAL * usual:
            break
        days = [other for other in range(day + 1, latest + 1) if other not in easy]
        if not days or today - took < _LESS_THAN_USUAL * usual:
            continue

        def expect(other: int) -> float:
            return planned[other] + usual * (1 - planned_share(other - day))

        best = min(days, key=expect)
        if expect(best) + took <= today:
            planned[day] -= took
            planned[best] += took
            left.add(name)
    return frozenset(left)
