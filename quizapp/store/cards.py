"""The caches `card` and `answer`: rows from projections, and cards from rows.

What they hold is decided by `quizapp.domain.log.projection` alone; nothing here computes. Whatever
changes `answer` keeps the roll-ups equal to it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, insert, select

from quizapp.domain.log.projection import AnswerFact, Card, Projection, project
from quizapp.domain.log.totals import count_parts
from quizapp.domain.rating import Rating
from quizapp.domain.schedule import CardMemory
from quizapp.store import log, rollups
from quizapp.store.tables import answer, asked, card, day_total, event, part_count, question_total

_FIELDS: dict[type, Sequence[str]] = {
    **{kind: kind.__struct_fields__ for kind in (Card, CardMemory)},
    AnswerFact: [column.name for column in answer.c if column.name != "question"],
}
CACHES = (answer, asked, card, day_total, question_total, part_count)
"""All tables that derive from the log; a table comes before those it refers to."""

_names = ("event", "question")
ANSWERS = select(
    event.c.id.label("event"),
    asked.c.question,
    *(column for column in answer.c if column.name not in _names),
).select_from(
    answer.join(event, event.c.row == answer.c.event).join(
        asked, asked.c.number == answer.c.question
    )
)
"""All answers as `fact` reads them: with the event's id, and the question's."""

_row_of = select(event.c.row).where(event.c.id == bindparam("its_event")).scalar_subquery()
_delete_answer = delete(answer).where(answer.c.event == _row_of)
_insert_answer = (
    insert(answer)
    .prefix_with("OR REPLACE")
    .values(event=_row_of, question=bindparam("its_question"))
)


def read_card(connection: Connection, question: str) -> Card | None:
    """Read the card of the current id `question`; None while the log says nothing of it."""
    row = connection.execute(select(card).where(card.c.question == question)).one_or_none()
    return None if row is None else _card(row)


def read_all(connection: Connection) -> dict[str, Card]:
    """Read all cards by question."""
    return {found.question: found for found in map(_card, connection.execute(select(card)))}


def reproject(connection: Connection, questions: Collection[str]) -> None:
    """Derive the rows of these questions (current ids) from the log again, and the roll-ups.

    A portion at a time, by a dozen statements each: an import and its undo concern a thousand.
    """
    if not questions:
        return
    parameters, stands, rest = log.parameters(connection), log.standing(connection), iter(questions)
    while portion := list(islice(rest, _PORTION)):
        events = log.of_questions(connection, portion, stands)
        found = [project(name, of_one, parameters) for name, of_one in events.items()]
        _write_cards(connection, [each.card for each in found])
        _change_answers(connection, {each.card.question: scheduled(each) for each in found})
        parts = {name: count_parts(of_one) for name, of_one in events.items()}
        rollups.write_parts(connection, parts)


_PORTION = 100
"""Questions that are derived at once: all of their events are in memory."""


def dump(connection: Connection) -> dict[str, list[dict[str, Any]]]:
    """Read all rows of the caches in a fixed order: equal states have equal dumps."""
    rows = {t.name: select(t).order_by(*t.primary_key.columns) for t in CACHES if t is not asked}
    rows["answer"] = ANSWERS.order_by(event.c.id)
    return {
        name: [dict(row) for row in connection.execute(query).mappings()]
        for name, query in rows.items()
    }


def fact(row: Row[*tuple[Any, ...]]) -> AnswerFact:
    """Turn a row of `answer` into a value."""
    event, question, kind, day, at_ms, counts, was_new, correct, rating, *rest = row
    duration, elapsed, interval, confidence = rest
    return AnswerFact(
        event=event, question=question, kind=kind, study_day=day, at_ms=at_ms, counts=counts,
        was_new=was_new, correct=correct, rating=Rating(rating), duration_ms=duration,
        elapsed=elapsed, interval=interval, confidence=confidence,
    )  # fmt: skip


def scheduled(projection: Projection) -> list[AnswerFact]:
    """Return the answers without practice, which is in the log alone.

    So no count and no statistics can take it for more.
    """
    return [found for found in projection.answers if not found.practice]


def insert_cards(connection: Connection, values: Iterable[Card]) -> None:
    """Write the rows of cards that have none."""
    if rows := [_row(value) for value in values if not _is_unseen(value)]:
        connection.execute(insert(card), rows)


def _write_cards(connection: Connection, values: Iterable[Card]) -> None:
    seen: list[Card] = []
    unseen: list[str] = []
    for value in values:
        if _is_unseen(value):
            unseen.append(value.question)
        else:
            seen.append(value)
    if unseen:
        connection.execute(delete(card).where(card.c.question.in_(unseen)))
    if seen:
        connection.execute(insert(card).prefix_with("OR REPLACE"), list(map(_row, seen)))


def _is_unseen(value: Card) -> bool:
    """Return True for a card that has no row, so that undoing a first answer leaves none."""
    return value == Card(value.question)


def _row(value: Card) -> dict[str, Any]:
    row = _values(value)
    memory = row.pop("memory")
    return row | (_values(memory) if memory else dict.fromkeys(_FIELDS[CardMemory]))


def _change_answers(connection: Connection, answers: Mapping[str, Iterable[AnswerFact]]) -> None:
    """Write only what differs: usually one row of a hundred, and every page costs a sync."""
    rows = connection.execute(ANSWERS.where(asked.c.question.in_(list(answers))))
    before = {found.event: found for found in map(fact, rows)}
    after = {found.event: found for of_one in answers.values() for found in of_one}
    gone = [event for event in before if event not in after]
    changed = [found for event, found in after.items() if before.get(event) != found]
    touched = [*gone, *(found.event for found in changed)]
    # A row that a rename brought here was counted under the former id.
    rollups.count(connection, touched, down=True)
    if gone:
        connection.execute(_delete_answer, [{"its_event": event} for event in gone])
    _insert_answers(connection, changed)
    rollups.count(connection, touched)


def _insert_answers(connection: Connection, answers: Collection[AnswerFact]) -> None:
    if not answers:
        return
    numbers = numbers_of(connection, {found.question for found in answers})
    rows = []
    for found in answers:
        row = _values(found)
        number = numbers[found.question]
        rows.append(row | {"its_event": row.pop("event"), "its_question": number})
    connection.execute(_insert_answer, rows)


def numbers_of(connection: Connection, questions: Collection[str]) -> dict[str, int]:
    """Return the numbers of questions in `answer`; the first answer to one gives it its number."""
    rows = [{"question": question} for question in sorted(questions)]
    connection.execute(insert(asked).prefix_with("OR IGNORE"), rows)
    query = select(asked.c.question, asked.c.number).where(asked.c.question.in_(questions))
    return dict(connection.execute(query).all())


def _values(value: Card | CardMemory | AnswerFact) -> dict[str, Any]:
    return {name: getattr(value, name) for name in _FIELDS[type(value)]}


def _card(row: Row[*tuple[Any, ...]]) -> Card:
    question, stability, difficulty, last, due, repetitions, lapses, *rest = row
    first_day, passed, again_day, rev, buried_until, suspended, flagged = rest
    memory = None
    if stability is not None:
        memory = CardMemory(stability, difficulty, last, due, repetitions, lapses)
    return Card(
        question, memory, first_day, passed, again_day, rev, buried_until, suspended, flagged
    )
