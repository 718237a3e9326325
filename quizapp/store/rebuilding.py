"""Derives every cache from the log again.

Says the same as `cards.reproject` for every question, written for speed: 1,000,000 events pass
through here. So it goes through the log once, in order, with the cards of all questions at hand:
that reads the file and writes the answers from front to back. It builds the indexes at the end.
"""

from __future__ import annotations

import gc
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, delete, select

from quizapp.domain.errors import StoreDamaged
from quizapp.domain.log.answer_fields import AnswerFields, Rated
from quizapp.domain.log.events import Answered, LogEntry
from quizapp.domain.log.imports import EVERYTHING
from quizapp.domain.log.projection import Card, Corrections, advance, find_corrections, take_answer
from quizapp.domain.log.totals import RECALL, Part, list_answer_parts, list_parts
from quizapp.store import aliases, cards, log, rollups
from quizapp.store.engine import large_cache, raw, without
from quizapp.store.log import StoredEvent
from quizapp.store.tables import answer, event
from quizapp.store.tally import AnswerRow, ReplayTally

_INSERT = "INSERT INTO answer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_NONE = Corrections()


def rebuild(
    connection: Connection,
    progress: Callable[[int, int], None] | None,
    *,
    skips_damage: bool = False,
) -> None:
    """Derive all rows anew.

    `progress`: gets (events done, of how many). `skips_damage`: leave a question without rows if
    its events cannot be read or replayed.

    Raises StoreDamaged: an event cannot be read.
    """
    driver = raw(connection)
    total, done = log.size(connection), 0
    indexes = without(connection, "index", "answer")  # to build at the end, by sorting
    with large_cache(connection), indexes, _without_collector():
        for table in cards.CACHES:
            connection.execute(delete(table))
        replay, tally = _Replay(connection, skips_damage=skips_damage), ReplayTally()
        for batch in log.stored(connection):
            if progress:
                progress(done, total)
            rows = list(replay.list_answers(batch))
            driver.executemany(_INSERT, rows)
            tally.add(rows)
            done += len(batch)
        tally.write(connection)
        replay.write()
    if progress:
        progress(total, total)


class _Replay:
    """The cards of all questions while the log passes, and the counts of their parts."""

    def __init__(self, connection: Connection, *, skips_damage: bool) -> None:
        self._connection = connection
        self._skips_damage = skips_damage
        self._damaged: set[str] = set()
        self._current = aliases.read_all(connection)
        self._parameters = log.parameters(connection)
        self._stands = log.standing(connection)
        self._cards: dict[str, Card] = {}
        self._numbers: dict[str, int] = {}
        self._parts: defaultdict[str, Counter[Part]] = defaultdict(Counter)
        self._corrections = self._find_corrections()

    def list_answers(self, found: Iterable[StoredEvent]) -> Iterator[AnswerRow]:
        """Replay the next events of the log, and yield the rows of `answer` that they have."""
        current, damaged = self._current, self._damaged
        for stored in found:
            question = current.get(stored[6], stored[6])
            if question in damaged:
                continue
            try:
                row = self._replay(question, stored)
            except (StoreDamaged, KeyError):  # the latter if its parameters are lost
                if not self._skips_damage:
                    raise
                damaged.add(question)
                continue
            if row is not None:
                yield row

    def write(self) -> None:
        """Write cards and counts of parts, and take back the answers of damaged questions."""
        for question in self._damaged:
            self._cards.pop(question, None)
            self._parts.pop(question, None)
            if number := self._numbers.get(question):
                self._take_back(number)
        cards.insert_cards(self._connection, self._cards.values())
        rollups.insert_parts(self._connection, self._parts)

    def _take_back(self, number: int) -> None:
        its_own = answer.c.question == number
        ids = select(event.c.id).join(answer, answer.c.event == event.c.row).where(its_own)
        rollups.count(self._connection, self._connection.scalars(ids).all(), down=True)
        self._connection.execute(delete(answer).where(its_own))

    def _find_corrections(self) -> dict[str | None, Corrections]:
        found: defaultdict[str | None, list[LogEntry]] = defaultdict(list)
        for entry in log.corrections(self._connection):
            if entry in self._stands:
                found[entry.question].append(entry)
        return {question: find_corrections(entries) for question, entries in found.items()}

    def _replay(self, question: str, stored: StoredEvent) -> AnswerRow | None:
        """Replay one event of a question, and return the row of `answer` that it has."""
        if self._stands is EVERYTHING and question not in self._corrections:
            answer = log.read_answer(stored)
            if answer is not None:
                return self._answer(question, stored, answer, answer)
        entry = log.read_stored(stored, question)
        corrections = self._corrections.get(question, _NONE)
        if entry.id in corrections.void or entry not in self._stands:
            return None
        if isinstance(entry.body, Answered):
            rated = corrections.rerated.get(entry.id, entry.body)
            return self._answer(question, stored, entry.body, rated)
        card = self._cards.get(question) or Card(question)
        self._cards[question], _ = advance(card, entry, corrections.rerated, self._parameters)
        for part in list_parts(entry.body):
            self._parts[question][part] += 1
        return None

    def _answer(
        self, question: str, stored: StoredEvent, answer: AnswerFields, rated: Rated
    ) -> AnswerRow | None:
        card = self._cards.get(question) or Card(question)
        self._cards[question], effect = take_answer(card, answer, rated, self._parameters)
        if answer.practice:
            return None
        kind = answer.kind
        if kind == RECALL:
            self._parts[question].update(list_answer_parts(answer))
        # Plain integers: the driver asks adapters about other types.
        return (
            stored[0], self._numbers.get(question) or self._number(question), kind,
            answer.study_day, stored[2], +effect.counts, +effect.was_new, +answer.correct,
            +rated.rating, answer.duration_ms, effect.elapsed, effect.interval, answer.confidence,
        )  # fmt: skip

    def _number(self, question: str) -> int:
        """Give a question its number in `answer`."""
        number = cards.numbers_of(self._connection, [question])[question]
        self._numbers[question] = number
        return number


@contextmanager
def _without_collector() -> Iterator[None]:
    """Keep Python from looking for cycles among a million values that have none."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
