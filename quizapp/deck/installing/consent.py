"""The questions of a deck that cannot run: not agreed to, or without the extra that they need."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from quizapp.system.extras import find_missing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from quizapp.deck.deck import Deck
    from quizapp.deck.index import Entry
    from quizapp.system.trust import Trust


class HeldQuestions(NamedTuple):
    """Ids of questions that cannot run.

    Attributes:
        questions: all of them.
        packs: by pack, how many wait for the person's consent.
        extras: by extra, how many wait for it to be installed.
    """

    questions: frozenset[str]
    packs: Mapping[str, int]
    extras: Mapping[str, int]


NOTHING = HeldQuestions(frozenset(), {}, {})


def foreign_questions(deck: Deck, trust: Trust) -> list[Entry]:
    """List the questions with Python to run that are not the person's own."""
    kernels = (entry for entry in deck.entries.values() if entry.kind == "kernel")
    return [entry for entry in kernels if not trust.owns(entry.file)]


def find_held_back(deck: Deck, trust: Trust) -> HeldQuestions:
    """Find what cannot run now."""
    refused = (
        entry.id
        for entry in foreign_questions(deck, trust)
        if not trust.allows(entry.file, deck.question(entry.id))
    )
    return hold_back(refused, ((entry.id, entry.extra) for entry in deck.entries.values()))


def hold_back(refused: Iterable[str], extras: Iterable[tuple[str, str]]) -> HeldQuestions:
    """Count questions that are not agreed to, and those without the extra that they need.

    `refused`: ids of the first. `extras`: ids of questions with what each needs, "" for nothing.
    """
    missing = {name: extra for name, extra in extras if extra and find_missing(extra)}
    names = frozenset(refused)
    packs = Counter(name.split("/", 1)[0] for name in names)
    return HeldQuestions(
        names | missing.keys(), dict(sorted(packs.items())), Counter(missing.values())
    )
