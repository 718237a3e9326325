"""What a placement came to, as sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quizapp.deck.deck import Deck
from quizapp.report.first_words import first_words
from quizapp.report.words import Words


def result(known: Sequence[str], asked: int, deck: Deck, say: Words) -> Iterator[str]:
    """Say what counts as known, and list it."""
    yield ""
    yield say("place.asked", n=asked)
    if not known:
        yield say("place.none")
        return
    yield say("place.known", n=len(known))
    yield ""
    for name in known:
        yield f"  ✓ {first_words(deck.question(name), say.language)}"
