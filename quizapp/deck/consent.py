"""The questions of a deck that may not run: the person has not agreed to their foreign pack."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from quizapp.deck.deck import Deck
    from quizapp.deck.index import Entry
    from quizapp.system.trust import Trust


class HeldQuestions(NamedTuple):
    """Ids of questions that may not run, and how many each pack has of them."""

    questions: frozenset[str]
    packs: Mapping[str, int]


NOTHING = HeldQuestions(frozenset(), {})


def foreign_questions(deck: Deck, trust: Trust) -> list[Entry]:
    """List the questions with Python to run that are not the person's own."""
    kernels = (entry for entry in deck.entries.values() if entry.kind == "kernel")
    return [entry for entry in kernels if not trust.owns(entry.file)]


def find_held_back(deck: Deck, trust: Trust) -> HeldQuestions:
    """Find what may not run now."""
    return count_by_pack(
        entry.id
        for entry in foreign_questions(deck, trust)
        if not trust.allows(entry.file, deck.question(entry.id))
    )


def count_by_pack(questions: Iterable[str]) -> HeldQuestions:
    """Count questions by pack."""
    names = frozenset(questions)
    return HeldQuestions(
        names, dict(sorted(Counter(name.split("/", 1)[0] for name in names).items()))
    )
