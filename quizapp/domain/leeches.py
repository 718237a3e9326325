"""Leeches: questions forgotten so often that another review is no way to learn them. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from quizapp.domain.order import Candidate

LEECH_LAPSES, _EVERY = 8, 4
"""Lapses after which a question is set aside, and how many more until it is again (as Anki)."""

OFTEN_LAPSES = LEECH_LAPSES // 2
"""Lapses from which a question is listed as forgotten often: halfway to a leech."""

_MOST_EASIER = 2


def is_leech(lapses: int) -> bool:
    """Return True if a question is set aside at this lapse."""
    return lapses >= LEECH_LAPSES and (lapses - LEECH_LAPSES) % _EVERY == 0


def find_easier(question: str, candidates: Iterable[Candidate]) -> tuple[str, ...]:
    """Find questions to learn the concept from: what it requires, then siblings, easiest first."""
    by_name = {candidate.question: candidate for candidate in candidates}
    own = by_name[question]
    required = [name for name in own.requires if name in by_name]
    siblings = sorted(
        (other.difficulty, place, name)
        for place, (name, other) in enumerate(by_name.items())
        if other.concept == own.concept and other.difficulty <= own.difficulty and other != own
    )
    found = dict.fromkeys([*required, *(name for *_, name in siblings)])
    return tuple(found)[:_MOST_EASIER]
