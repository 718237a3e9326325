"""Single answers, as the `answer` cache has them. Reads only; sums are in `rollups`.

A counted answer is a day's first attempt at a question; an undone one is not there at all.
"""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from quizapp.domain.log.projection import AnswerFact
from quizapp.domain.rating import LEAST_DURATION_MS
from quizapp.store.cards import ANSWERS, fact
from quizapp.store.tables import answer, asked, card, day_total, event

_LATEST_DAY = select(func.max(day_total.c.study_day))
"""Made once: home asks for it 25 times."""


def latest_day(connection: Connection) -> int | None:
    """Return the greatest study day that an answer was filed under."""
    day: int | None = connection.scalar(_LATEST_DAY)
    return day


def dated_after(connection: Connection, day: int) -> dict[str, int]:
    """Find the questions whose schedule counts an answer of after a study day, and that day."""
    query = select(card.c.question, card.c.last_day).where(card.c.last_day > day)
    return dict(connection.execute(query.order_by(card.c.question)).all())


def facts(connection: Connection, since_day: int | None = None) -> list[AnswerFact]:
    """Read all answers not undone, from study day `since_day` on, in log order."""
    query = ANSWERS.order_by(answer.c.at_ms, event.c.machine, event.c.sequence)
    if since_day is not None:
        query = query.where(answer.c.study_day >= since_day)
    return [fact(row) for row in connection.execute(query)]


def latest(connection: Connection) -> list[str]:
    """Return the event of the latest answer to each question that has one."""
    own = select(answer.c.event).where(answer.c.question == asked.c.number)
    newest = own.order_by(answer.c.at_ms.desc()).limit(1).scalar_subquery().correlate(asked)
    carded = select(newest).join_from(asked, card, card.c.question == asked.c.question)
    return list(connection.scalars(select(event.c.id).where(event.c.row.in_(carded))))


def around(connection: Connection, day: int) -> tuple[str | None, str | None]:
    """Return the events of the last answer before a study day and of the first one after it."""
    ids = select(event.c.id).join_from(event, answer, event.c.row == answer.c.event)
    earlier = ids.where(answer.c.study_day == day - 1)
    later = ids.where(answer.c.study_day == day + 1)
    return (
        connection.scalar(earlier.order_by(answer.c.at_ms.desc()).limit(1)),
        connection.scalar(later.order_by(answer.c.at_ms).limit(1)),
    )


def durations(connection: Connection, kind: str, limit: int = 200) -> tuple[tuple[str, int], ...]:
    """Read the latest counted right answers of a kind, latest first: question and milliseconds.

    Durations that are impossible for a person are left out.
    """
    possible = answer.c.duration_ms >= LEAST_DURATION_MS
    query = (
        select(asked.c.question, answer.c.duration_ms)
        .join_from(answer, asked, answer.c.question == asked.c.number)
        .where(answer.c.kind == kind, answer.c.counts, answer.c.correct, possible)
        .order_by(answer.c.at_ms.desc())
        .limit(limit)
    )
    return tuple((question, took) for question, took in connection.execute(query))
