"""What one study day taught, by topic: what was met before it, what it added, what it missed."""

from __future__ import annotations

from dataclasses import dataclass

from quizapp.domain.log.projection import AnswerFact
from quizapp.study.overview import topic_rows
from quizapp.study.service import Study


@dataclass(frozen=True, slots=True)
class TopicGain:
    """A topic's questions: met before the day, learned on it, and missed on it at last.

    `names`: what it is called, in English and in Chinese. A question that was met before and
    missed today counts as missed alone.
    """

    names: tuple[str, str]
    questions: int
    before: int
    learned: int
    missed: int


@dataclass(frozen=True, slots=True)
class DayCard:
    """One day: first attempts, how many were right, milliseconds of all, and what it taught.

    `days_left`: until the interview, if there is one ahead.
    """

    day: int
    answered: int
    right: int
    duration_ms: int
    topics: tuple[TopicGain, ...]
    days_left: int | None


def day_card(study: Study) -> DayCard:
    """Collect what the day that it is taught so far."""
    facts = [each for each in study.store.answer_facts(study.day) if not each.practice]
    last = {each.question: each for each in facts}
    first = [each for each in facts if each.counts]
    new = {each.question for each in first if each.was_new}
    interview = study.progress.interview
    days_left = None if interview is None else interview - study.day
    return DayCard(
        day=study.day,
        answered=len(first),
        right=sum(each.correct for each in first),
        duration_ms=sum(each.duration_ms for each in facts),
        topics=_gains(study, last, new),
        days_left=None if days_left is None or days_left < 0 else days_left,
    )


def _gains(study: Study, last: dict[str, AnswerFact], new: set[str]) -> tuple[TopicGain, ...]:
    """Return the topics of which something was answered, those that gained most first."""
    gains = []
    for row in topic_rows(study):
        entries = study.deck.entries
        own = [
            each
            for name, each in last.items()
            if (entry := entries.get(name)) and (entry.pack, entry.topic) == (row.pack, row.topic)
        ]
        if own:
            old = [each for each in own if each.question not in new]
            gains.append(
                TopicGain(
                    names=row.names,
                    questions=row.questions,
                    before=row.seen - (len(own) - len(old)) - sum(not each.correct for each in old),
                    learned=sum(each.correct for each in own if each.question in new),
                    missed=sum(not each.correct for each in own),
                )
            )
    return tuple(sorted(gains, key=lambda each: -each.learned))
