"""The caches `card` and `answer`: rows from projections, and cards from rows.

What they hold is decided by `quizapp.domain.projection` alone; nothing here computes. Whatever
changes `answer` keeps the roll-ups equal to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, insert, select

from quizapp.domain.errors import StoreDamaged
from quizapp.domain.projection import AnswerFact, Card, Projection, project
from quizapp.domain.rating import Rating
from quizapp.domain.schedule import Memory
from quizapp.domain.totals import count_parts
from quizapp.store import log, rollups
from quizapp.store.tables import answer, card, day_total, part_count, question_total

_FIELDS: dict[type, list[str]] = {
    **{kind: [f.name for f in fields(kind)] for kind in (Card, Memory)},
    AnswerFact: [column.name for column in answer.c],
}
CACHES = (answer, card, day_total, question_total, part_count)
"""All tables that derive from the log; a table comes before those it refers to."""

_delete_answer = delete(answer).where(answer.c.event == bindparam("gone"))


def read_card(connection: Connection, question: str) -> Card | None:
    """Read the card of the current id `question`; None while the log says nothing of it."""
    row = connection.execute(select(card).where(card.c.question == question)).one_or_none()
    return None if row is None else _card(row)


def read_all(connection: Connection) -> dict[str, Card]:
    """Read all cards by question."""
    return {found.question: found for found in map(_card, connection.execute(select(card)))}


def reproject(connection: Connection, questions: Iterable[str]) -> None:
    """Derive the rows of these questions (current ids) from the log again, and the roll-ups."""
    parameters = log.parameters(connection)
    for question in questions:
        events = log.of_question(connection, question)
        projection = project(question, events, parameters)
        _write_card(connection, projection.card)
        _change_answers(connection, question, _scheduled(projection))
        rollups.write_parts(connection, question, count_parts(events))


def rebuild(
    connection: Connection,
    progress: Callable[[int, int], None] | None,
    *,
    skips_damage: bool = False,
) -> None:
    """Derive all rows anew.

    Args:
        connection: in a transaction that writes.
        progress: gets (questions done, of how many).
        skips_damage: leave a question without rows if its events cannot be read or replayed.

    Raises:
        StoreDamaged: an event cannot be read.
    """
    for table in CACHES:
        connection.execute(delete(table))
    parameters = log.parameters(connection)
    questions = log.questions(connection)
    for done, question in enumerate(questions):
        if progress:
            progress(done, len(questions))
        try:
            events = log.of_question(connection, question)
            projection = project(question, events, parameters)
        except (StoreDamaged, KeyError):  # the latter if its parameters are lost
            if not skips_damage:
                raise
            continue
        _write_card(connection, projection.card)
        _insert_answers(connection, _scheduled(projection))
        rollups.write_parts(connection, question, count_parts(events))
    rollups.rebuild(connection)
    if progress:
        progress(len(questions), len(questions))


def dump(connection: Connection) -> dict[str, list[dict[str, Any]]]:
    """Read all rows of the caches in a fixed order: equal states have equal dumps."""
    rows = {t.name: select(t).order_by(*t.primary_key.columns) for t in CACHES}
    return {
        name: [dict(row) for row in connection.execute(query).mappings()]
        for name, query in rows.items()
    }


def fact(row: Row[*tuple[Any, ...]]) -> AnswerFact:
    """Turn a row of `answer` into a value."""
    event, question, kind, day, at_ms, counts, was_new, correct, rating, *rest = row
    duration, elapsed, interval, confidence = rest
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
        interval=interval,
        confidence=confidence,
    )


def _scheduled(projection: Projection) -> list[AnswerFact]:
    """Return the answers without practice, which is in the log alone.

    So no count and no statistics can take it for more.
    """
    return [found for found in projection.answers if not found.practice]


def _write_card(connection: Connection, value: Card) -> None:
    # A card as if never seen has no row, so that undoing a first answer leaves what was before.
    if value == Card(value.question):
        connection.execute(delete(card).where(card.c.question == value.question))
        return
    row = _values(value)
    memory = row.pop("memory")
    row |= _values(memory) if memory else dict.fromkeys(_FIELDS[Memory])
    connection.execute(insert(card).prefix_with("OR REPLACE"), row)


def _change_answers(connection: Connection, question: str, answers: Iterable[AnswerFact]) -> None:
    """Write only what differs: usually one row of a hundred, and every page costs a sync."""
    rows = connection.execute(select(answer).where(answer.c.question == question))
    before = {found.event: found for found in map(fact, rows)}
    after = {found.event: found for found in answers}
    gone = [event for event in before if event not in after]
    changed = [found for event, found in after.items() if before.get(event) != found]
    touched = [*gone, *(found.event for found in changed)]
    # A row that a rename brought here was counted under the former id.
    rollups.count(connection, touched, down=True)
    if gone:
        connection.execute(_delete_answer, [{"gone": event} for event in gone])
    _insert_answers(connection, changed)
    rollups.count(connection, touched)


def _insert_answers(connection: Connection, answers: Iterable[AnswerFact]) -> None:
    rows = [_values(found) for found in answers]
    if rows:
        connection.execute(insert(answer).prefix_with("OR REPLACE"), rows)


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
