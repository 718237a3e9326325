"""Questions that counts and statistics ask of the `answer` cache. Reads only.

A counted answer is a day's first attempt at a question; an undone one is not there at all.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, case, func, select

from quizapp.domain.projection import AnswerFact
from quizapp.domain.rating import LEAST_DURATION_MS, Rating
from quizapp.store.cards import fact
from quizapp.store.tables import answer, card, event


@dataclass(frozen=True, slots=True)
class DayCounts:
    """A study day so far.

    `new` and `reviews` are counted answers, `repeats` the further attempts; `duration_ms` is the
    time spent on all of them.
    """

    new: int
    reviews: int
    repeats: int
    duration_ms: int


def latest_day(connection: Connection) -> int | None:
    """Return the greatest study day of any answer."""
    day: int | None = connection.scalar(select(func.max(answer.c.study_day)))
    return day


def day_counts(connection: Connection, day: int) -> DayCounts:
    """Count what was done on one study day."""
    counted = answer.c.counts
    row = connection.execute(
        select(
            func.count(case((counted & answer.c.was_new, 1))),
            func.count(case((counted & ~answer.c.was_new, 1))),
            func.count(case((~counted, 1))),
            func.coalesce(func.sum(answer.c.duration_ms), 0),
        ).where(answer.c.study_day == day)
    ).one()
    return DayCounts(*row)


def by_day(connection: Connection, first: int, last: int) -> dict[int, int]:
    """Count answers of each study day from `first` to `last`; days without any are omitted."""
    query = (
        select(answer.c.study_day, func.count())
        .where(answer.c.study_day.between(first, last), answer.c.counts)
        .group_by(answer.c.study_day)
    )
    return dict(connection.execute(query).all())


def retention(
    connection: Connection, since_day: int, questions: Collection[str] | None = None
) -> tuple[int, int]:
    """Count answers to questions seen before, from `since_day` on, and those not rated Again.

    `questions`: only these.
    """
    query = select(func.count(), func.count(case((answer.c.rating > int(Rating.AGAIN), 1)))).where(
        answer.c.counts, ~answer.c.was_new, answer.c.study_day >= since_day
    )
    if questions is not None:
        query = query.where(answer.c.question.in_(questions))
    row = connection.execute(query).one()
    return row[0], row[1]


def duration_ms(connection: Connection) -> int:
    """Sum the milliseconds spent on all answers."""
    total: int = connection.scalar(select(func.coalesce(func.sum(answer.c.duration_ms), 0))) or 0
    return total


def facts(connection: Connection, since_day: int | None) -> list[AnswerFact]:
    """Read all answers from study day `since_day` on, in log order."""
    query = (
        select(answer)
        .join(event, event.c.id == answer.c.event)
        .order_by(answer.c.at_ms, event.c.machine, event.c.sequence)
    )
    if since_day is not None:
        query = query.where(answer.c.study_day >= since_day)
    return [fact(row) for row in connection.execute(query)]


def latest(connection: Connection) -> list[str]:
    """Return the event of the latest answer to each question that has one."""
    own = select(answer.c.event).where(answer.c.question == card.c.question)
    newest = own.order_by(answer.c.at_ms.desc()).limit(1).scalar_subquery().correlate(card)
    found = connection.scalars(select(newest).select_from(card))
    return [event for event in found if event is not None]


def durations(connection: Connection, kind: str, limit: int) -> tuple[int, ...]:
    """Read the milliseconds that counted right answers of this kind took, latest first.

    Durations that are impossible for a person are left out.
    """
    possible = answer.c.duration_ms >= LEAST_DURATION_MS
    query = (
        select(answer.c.duration_ms)
        .where(answer.c.kind == kind, answer.c.counts, answer.c.correct, possible)
        .order_by(answer.c.at_ms.desc())
        .limit(limit)
    )
    return tuple(connection.scalars(query))
