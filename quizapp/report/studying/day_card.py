"""The card of a day, as lines: one cell per question, like banks that fill up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from quizapp.domain.days import as_date
from quizapp.report.dates import date_text
from quizapp.report.lines import Line, Role, Span, sentence
from quizapp.system.width import columns

if TYPE_CHECKING:
    from quizapp.report.words import Words
    from quizapp.study.day_card import DayCard, TopicGain

_MOST_CELLS = 32
"""As many as there are banks; a topic with more questions has several per cell."""
_MOST_TOPICS = 10
_MS_PER_MINUTE = 60_000
_SIGNS = "▪■!·"
"""Met before, learned, missed, not met yet."""
_ROLES: tuple[Role, ...] = ("lane", "good", "conflict")


def lines(card: DayCard, say: Words) -> Iterator[Line]:
    """Draw a day: its figures, its topics, and how long it is to the interview."""
    if not card.answered:
        yield ((say("card.none", date=date_text(card.day, say)), "bold"),)
        return
    minutes = max(1, round(card.duration_ms / _MS_PER_MINUTE))
    head = say("card.day", date=date_text(card.day, say), n=card.answered, right=card.right)
    yield ((head, "bold"), (f" · {say('minutes', n=minutes)}", "text"))
    yield from topic_lines(card, say)
    if card.days_left is not None:
        key = "home.interview" if card.days_left else "home.interview-today"
        yield sentence("")
        yield sentence(say(key, n=card.days_left))


def topic_lines(card: DayCard, say: Words) -> Iterator[Line]:
    """Draw the topics of a day with their signs; nothing where nothing was answered."""
    if not card.topics:
        return
    yield sentence("")
    shown = card.topics[:_MOST_TOPICS]
    widest = max(columns(say.topic(each.names)) for each in shown)
    for each in shown:
        name = say.topic(each.names)
        key = "card.gain-missed" if each.missed else "card.gain"
        gain = say(key, learned=each.learned, missed=each.missed, n=each.questions)
        lead = f"{name}{' ' * (widest - columns(name))}  "
        yield ((lead, "text"), *_cells(each), (f"  {gain}", "text"))
    if len(card.topics) > len(shown):
        yield sentence(say("card.more", n=len(card.topics) - len(shown)), "dim")
    signs = dict(zip(("before", "learned", "missed", "unseen"), _SIGNS, strict=True))
    yield sentence(say("card.signs", **signs), "dim")


def as_plain(card: DayCard) -> dict[str, Any]:
    """Return a day as `--json` prints it."""
    return asdict(card) | {"day": as_date(card.day).isoformat()}


def _cells(gain: TopicGain) -> Iterator[Span]:
    """Draw a cell per question, or fewer; what there is has one at least."""
    scale = min(1.0, _MOST_CELLS / gain.questions)
    room = round(gain.questions * scale)
    counts = (gain.before, gain.learned, gain.missed)
    for count, sign, role in zip(counts, _SIGNS[:-1], _ROLES, strict=True):
        cells = min(room, max(1, round(count * scale))) if count else 0
        room -= cells
        yield sign * cells, role
    yield _SIGNS[-1] * room + " " * (_MOST_CELLS - round(gain.questions * scale)), "dim"
