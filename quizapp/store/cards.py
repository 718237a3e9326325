"""The caches `card` and `answer`: rows from projections, and cards from rows.

What they hold is decided by `quizapp.domain.projection` alone; nothing here computes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, insert, select

from quizapp.domain.projection import AnswerFact, Card, project
from quizapp.domain.rating import Rating
from quizapp.domain.schedule import Memory, Parameters
from quizapp.store import log
from quizapp.store.tables import answer, card

_FIELDS: dict[type, list[str]] = {
    **{kind: [f.name for f in fields(kind)] for kind in (Card, Memory)},
    AnswerFact: [column.name for column in answer.c],
}
_delete_answer = delete(answer).where(answer.c.event == bindparam("gone"))


def read_card(connection: Connection, question: str) -> Card | None:
    """Read the card of the current id `question`; None while the log says nothing of it."""
    row = connection.execute(select(card).where(card.c.question == question)).one_or_none()
    return None if row is None else _card(row)


def read_all(connection: Connection) -> dict[str, Card]:
    """Read all cards by question."""
    return {found.question: found for found in map(_card, connection.execute(select(card)))}


def reproject(connection: Connection, questions: Iterable[str]) -> None:
    """Derive the rows of these questions (current ids) from the log again."""
    parameters = log.parameters(connection)
    for question in questions:
        _derive(connection, question, parameters)


def rebuild(connection: Connection, progress: Callable[[int, int], None] | None) -> None:
    """Derive all rows anew. `progress` gets (questions done, of how many)."""
    connection.execute(delete(answer))
    connection.execute(delete(card))
    parameters = log.parameters(connection)
    questions = log.questions(connection)
    for done, question in enumerate(questions):
        if progress:
            progress(done, len(questions))
        _derive(connection, question, parameters)
    if progress:
        progress(len(questions), len(questions))


def dump(connection: Connection) -> dict[str, list[dict[str, Any]]]:
    """Read all rows of both caches in a fixed order: equal states have equal dumps."""
    rows = {
        "card": connection.execute(select(card).order_by(card.c.question)),
        "answer": connection.execute(select(answer).order_by(answer.c.event)),
    }
    return {table: [dict(row) for row in result.mappings()] for table, result in rows.items()}


def fact(row: Row[*tuple[Any, ...]]) -> AnswerFact:
    """Turn a row of `answer` into a value."""
    event, question, kind, day, at_ms, counts, was_new, correct, rating, duration, elapsed = row
    return AnswerFact(
        event=event,
        question=question,
        kind=kind,
        study_day=day,
        at_ms=at_ms,
        counts=counts,
        was_new=was_new,
        correct=correct,
        rating=Rating(rating),
        duration_ms=duration,
        elapsed=elapsed,
    )


def _derive(connection: Connection, question: str, parameters: Mapping[str, Parameters]) -> None:
    projection = project(question, log.of_question(connection, question), parameters)
    _write_card(connection, projection.card)
    # Practice is in the log alone, so that no count and no statistics can take it for more.
    scheduled = [found for found in projection.answers if not found.practice]
    _write_answers(connection, question, scheduled)


def _write_card(connection: Connection, value: Card) -> None:
    # A card as if never seen has no row, so that undoing a first answer leaves what was before.
    if value == Card(value.question):
        connection.execute(delete(card).where(card.c.question == value.question))
        return
    row = _values(value)
    memory = row.pop("memory")
    row |= _values(memory) if memory else dict.fromkeys(_FIELDS[Memory])
    connection.execute(insert(card).prefix_with("OR REPLACE"), row)


def _write_answers(connection: Connection, question: str, answers: Iterable[AnswerFact]) -> None:
    """Write only what differs: usually one row of a hundred, and every page costs a sync."""
    rows = connection.execute(select(answer).where(answer.c.question == question))
    before = {found.event: found for found in map(fact, rows)}
    after = {found.event: found for found in answers}
    gone = [{"gone": event} for event in before.keys() - after]
    if gone:
        connection.execute(_delete_answer, gone)
    changed = [_values(found) for event, found in after.items() if before.get(event) != found]
    if changed:
        connection.execute(insert(answer).prefix_with("OR REPLACE"), changed)


def _values(value: Card | Memory | AnswerFact) -> dict[str, Any]:
    """Return its fields by name; `dataclasses.asdict` copies deeply, a third of a rebuild."""
    return {name: getattr(value, name) for name in _FIELDS[type(value)]}


def _card(row: Row[*tuple[Any, ...]]) -> Card:
    question, stability, difficulty, last, due, repetitions, lapses, *rest = row
    first_day, passed, again_day, rev, buried_until, suspended, flagged = rest
    memory = None
    if stability is not None:
        memory = Memory(stability, difficulty, last, due, repetitions, lapses)
    return Card(
        question, memory, first_day, passed, again_day, rev, buried_until, suspended, flagged
    )
