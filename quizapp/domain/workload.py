"""What other questions ask of a day: reviews that are due, and siblings, which share a concept.

Siblings do not come on one day: the first would give the second away. Pure.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Mapping

from quizapp.domain.order import Candidate
from quizapp.domain.projection import Card
from quizapp.domain.schedule import Load

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
