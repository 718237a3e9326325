"""What a placement came to, as sentences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from quizapp.deck.deck import Deck
from quizapp.report.dates import date_text
from quizapp.report.first_words import first_words
from quizapp.report.words import Words
from quizapp.study.mock.placement import PlacementResult


def result(
    found: PlacementResult, deck: Deck, say: Words, *, undone: bool = False
) -> Iterator[str]:
    """Say what counts as known, how each question went by topic, and where new ones begin.

    `undone`: it was taken back.
    """
    yield ""
    if found.day is not None:
        yield say("place.earlier", day=date_text(found.day, say))
    yield say("place.asked", n=len(found.asked))
    known = 0 if undone else sum(found.asked.values())
    yield say("place.known", n=known) if known else say("place.none")
    by_topic = defaultdict(list)
    for name in found.asked:
        by_topic[deck.entries[name].topic_names].append(name)
    for topic, names in by_topic.items():
        yield ""
        yield say.topic(topic)
        for name in names:
            sign = "✓" if found.asked[name] else "✗"
            yield f"  {sign} {first_words(deck.question(name), say.language)}"
    if found.first and not undone:
        yield ""
        yield say("place.first")
        for name in found.first:
            text = first_words(deck.question(name), say.language)
            of = say.topic(deck.entries[name].topic_names)
            yield "  " + say("place.first-row", topic=of, text=text)
