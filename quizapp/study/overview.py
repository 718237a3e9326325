"""What the home screen says: what is due, what is known of each topic, when something is next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from statistics import mean

from quizapp.domain import queue
from quizapp.domain.days import from_date
from quizapp.domain.order import Candidate
from quizapp.domain.projection import Card
from quizapp.domain.question import KINDS
from quizapp.domain.queue import Stage
from quizapp.domain.schedule import retrievability
from quizapp.study.service import Study
from quizapp.study.values import Home, TopicRow

_MINUTES_A_QUESTION = 0.75
"""Estimate until the person's own times are known."""

_PACE_ANSWERS = 50
"""So many of the latest answers of each kind make the person's own pace."""


def home(study: Study) -> Home:
    """Collect the home screen's facts as of now."""
    day = study.day
    candidates = study.candidates()
    stages = _stages(study, candidates)
    waiting = study.plan_day()
    planned = Counter(item.stage for item in waiting.waiting)
    due = planned[Stage.REVIEW] + len(waiting.returning)
    later = _later(study, day)
    interview = study.settings.interview_date
    ahead = None if interview is None else from_date(interview) - day
    return Home(
        day=day,
        studied_days=len(study.store.answers_by_day(0, day)),
        due=due,
        new=planned[Stage.NEW],
        unseen=sum(stage is Stage.NEW for stage in stages.values()),
        questions=len(candidates),
        minutes=_minutes(study, due + planned[Stage.NEW]),
        next_due_day=later[0] if later else None,
        next_due=later[1] if later else 0,
        left_out=study.deck.left_out,
        held_back=study.held_back.packs,
        topics=_topic_rows(study, candidates, stages),
        drafts=len(study.store.drafts()),
        interview_in=ahead if ahead is not None and ahead >= 0 else None,
        forecast=None if ahead is None or ahead < 0 else forecast_recall(study, day + ahead),
    )


def topic_rows(study: Study) -> tuple[TopicRow, ...]:
    """Collect each topic's strength, in the order in which they are met."""
    candidates = study.candidates()
    return _topic_rows(study, candidates, _stages(study, candidates))


def recall_chance(study: Study, card: Card, day: int) -> float:
    """Return the chance to recall a card's answer on `day`; 0 for one never answered."""
    return 0.0 if card.memory is None else retrievability(card.memory, day, study.parameters)


def forecast_recall(study: Study, day: int) -> float | None:
    """Return the mean chance of recall on `day` over what was learned; None if nothing was."""
    chances = [
        recall_chance(study, card, day)
        for name in study.deck.entries
        if (card := study.card(name)).memory is not None
    ]
    return sum(chances) / len(chances) if chances else None


def _stages(study: Study, candidates: list[Candidate]) -> dict[str, Stage | None]:
    day = study.day
    return {c.question: queue.stage_of(c, study.cards.get(c.question), day) for c in candidates}


def _topic_rows(
    study: Study, candidates: list[Candidate], stages: dict[str, Stage | None]
) -> tuple[TopicRow, ...]:
    members: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        members.setdefault(candidate.topic, []).append(candidate)
    day = study.day
    return tuple(_topic_row(study, t, found, stages, day) for t, found in members.items())


def _topic_row(
    study: Study, topic: str, members: list[Candidate], stages: dict[str, Stage | None], day: int
) -> TopicRow:
    cards = [study.card(c.question) for c in members]
    chances = [recall_chance(study, card, day) for card in cards]
    seen = [card for card in cards if card.memory is not None]
    counts = Counter(stages[c.question] for c in members)
    return TopicRow(
        topic=topic,
        questions=len(members),
        seen=len(seen),
        known=sum(chances) / len(chances),
        due=counts[Stage.REVIEW] + counts[Stage.REPEAT],
        new=counts[Stage.NEW],
        hardest=_hardest(study, seen),
    )


def _hardest(study: Study, cards: list[Card]) -> str:
    """Return the concept of the card that the scheduler finds most difficult."""
    known = [(card.memory.difficulty, card.question) for card in cards if card.memory]
    return study.deck.entries[max(known)[1]].concept if known else ""


def due_days(study: Study, day: int) -> Iterator[int]:
    """Return, for each question learned, the next day, from `day` on, to review it."""
    for entry in study.deck.entries.values():
        card = study.card(entry.id)
        if card.memory is not None and not card.suspended:
            due = day if card.rev < entry.rev else card.memory.due_day
            yield max(due, card.memory.last_day + 1, card.buried_until or 0, day)


def _later(study: Study, day: int) -> tuple[int, int] | None:
    """Return the next day after `day` on which something is due, and how much."""
    days = Counter(due_days(study, day + 1))
    return min(days.items()) if days else None


def _minutes(study: Study, questions: int) -> int:
    """Estimate how long this many questions take, by the person's own pace where it is known."""
    times = [ms for kind in KINDS for ms in study.store.durations(kind, _PACE_ANSWERS)]
    each = mean(times) / 60_000 if times else _MINUTES_A_QUESTION
    return max(1, round(questions * each)) if questions else 0
