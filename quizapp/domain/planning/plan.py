"""How long the questions not seen yet will take at some pace. Pure; days are study days.

It supposes that every answer is right: what is answered wrong delays the questions that require it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from quizapp.domain.log.projection import Card
from quizapp.domain.order import Candidate
from quizapp.domain.workload import group_by_concept


@dataclass(frozen=True, slots=True)
class Plan:
    """When all is met, at a pace, and what an interview asks for.

    Attributes:
        questions: how many are still to be met.
        pace: new questions per day.
        last_day: the day of the last of them; None where the pace is 0.
        interview: the day of the interview, if one is ahead.
        enough: the least pace that meets all before the interview; None if no pace does.
    """

    questions: int
    pace: int
    last_day: int | None
    interview: int | None = None
    enough: int | None = None

    @property
    def in_time(self) -> bool:
        """True if all is met before the interview."""
        if self.last_day is None or self.interview is None:
            return False
        return self.last_day < self.interview


def to_meet(
    candidates: Sequence[Candidate], cards: Mapping[str, Card], known: frozenset[str]
) -> list[Candidate]:
    """List what is new and will be asked one day, in order.

    `known`: all questions of the deck; some may not be asked, and neither is what requires them.
    """
    new = [c for c in candidates if _is_new(cards.get(c.question))]
    seen = {name for name, card in cards.items() if card.memory is not None and not card.suspended}
    open_to = seen | {name for name, card in cards.items() if card.passed}
    while True:
        names = open_to | {candidate.question for candidate in new}
        left = [c for c in new if all(n in names or n not in known for n in c.requires)]
        if len(left) == len(new):
            return left
        new = left


class Waiting(NamedTuple):
    """How many new questions wait for others that a selection lacks, and the topics of these."""

    questions: int
    topics: tuple[str, ...]


def find_waiting(
    asked: Sequence[Candidate],
    every: Iterable[Candidate],
    cards: Mapping[str, Card],
    known: frozenset[str],
) -> Waiting:
    """Find what is new in a selection and will not be asked, since it requires what is outside.

    `asked`: the selection. `every`: what may be asked without it. `known`: all questions of the
    deck.
    """
    met = {candidate.question for candidate in to_meet(asked, cards, known)}
    new = [c for c in asked if _is_new(cards.get(c.question)) and c.question not in met]
    passed = {name for name, card in cards.items() if card.passed}
    by_name = {c.question: c for c in every if c.question not in passed}
    own = {candidate.topic for candidate in asked}
    found = [_missing_topics(candidate, by_name) - own for candidate in new]
    return Waiting(sum(map(bool, found)), tuple(sorted(set[str]().union(*found))))


def _missing_topics(candidate: Candidate, by_name: Mapping[str, Candidate]) -> set[str]:
    """Return the topics of all that a question requires, and of what that requires."""
    missing, seen = list(candidate.requires), set[str]()
    while missing:
        name = missing.pop()
        if name in by_name and name not in seen:
            seen.add(name)
            missing += by_name[name].requires
    return {by_name[name].topic for name in seen}


def plan(new: Sequence[Candidate], pace: int, today: int, interview: int | None) -> Plan:
    """Plan to meet these questions from today on.

    `new`: from `to_meet`. `pace`: new questions per day. `interview`: its day; a day that is over
    counts as none.
    """
    last_day = today + days_to_meet(new, pace) - 1 if pace else None
    if interview is None or interview < today:
        return Plan(len(new), pace, last_day)
    days = interview - today
    paces = range(1, len(new) + 1)
    least = bisect_left(paces, -days, key=lambda each: -days_to_meet(new, each))
    return Plan(len(new), pace, last_day, interview, least + 1 if least < len(new) else None)


def days_to_meet(new: Sequence[Candidate], pace: int) -> int:
    """Count the days it takes; a sibling comes on another day, what requires another on a later."""
    rest, days = list(new), 0
    concepts = group_by_concept(rest)
    missing = {candidate.question for candidate in rest}
    while rest:
        today: list[Candidate] = []
        later: list[Candidate] = []
        taken: set[str] = set()
        for place, candidate in enumerate(rest):
            if len(today) == pace:
                later += rest[place:]
                break
            concept = concepts.get(candidate.question, candidate.question)
            locked = concept in taken or not missing.isdisjoint(candidate.requires)
            if not locked:
                taken.add(concept)
            (later if locked else today).append(candidate)
        if not today:
            break
        missing -= {candidate.question for candidate in today}
        rest, days = later, days + 1
    return days


def _is_new(card: Card | None) -> bool:
    return card is None or (card.memory is None and not card.suspended)
