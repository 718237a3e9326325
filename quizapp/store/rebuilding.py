"""Derives every cache from the log again.

Says the same as `cards.reproject` for every question, written for speed: 1,000,000 events pass
through here, so it reads and writes through the driver, and builds the indexes at the end.
"""

from __future__ import annotations

import gc
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, delete

from quizapp.domain.errors import StoreDamaged
from quizapp.domain.projection import AnswerFact, project
from quizapp.domain.totals import count_parts
from quizapp.store import aliases, cards, log, rollups
from quizapp.store.engine import raw, without

_CACHE_KIB = 256 * 1024
"""SQLite's page cache meanwhile: the events of one question are all over the file."""

_INSERT = "INSERT INTO answer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


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
    driver = raw(connection)
    indexes = without(connection, "index", "answer")  # to build at the end, by sorting
    with _large_cache(driver), indexes, _without_collector():
        for table in cards.CACHES:
            connection.execute(delete(table))
        parameters = log.parameters(connection)
        written = _names(connection)
        stands = log.standing(connection)
        for done, (question, names) in enumerate(written.items()):
            if progress:
                progress(done, len(written))
            try:
                numbers, events = log.of_names(connection, question, names, stands)
                projection = project(question, events, parameters)
            except (StoreDamaged, KeyError):  # the latter if its parameters are lost
                if not skips_damage:
                    raise
                continue
            cards.write_card(connection, projection.card)
            if scheduled := cards.scheduled(projection):
                asked = cards.number_of(connection, question)
                driver.executemany(_INSERT, _rows(scheduled, numbers, asked))
            rollups.write_parts(connection, question, count_parts(events))
    rollups.rebuild(connection)
    if progress:
        progress(len(written), len(written))


def _names(connection: Connection) -> dict[str, list[str]]:
    """Return each question's current id with the ids that its events were written under."""
    renamed = aliases.read_all(connection)
    found: dict[str, list[str]] = {}
    for name in log.written_names(connection):
        found.setdefault(renamed.get(name, name), []).append(name)
    return dict(sorted(found.items()))


def _rows(
    answers: list[AnswerFact], numbers: dict[str, int], asked: int
) -> Iterator[tuple[object, ...]]:
    """Yield rows of `answer`, of plain integers: the driver asks adapters about other types."""
    for found in answers:
        yield (
            numbers[found.event],
            asked,
            found.kind,
            found.study_day,
            found.at_ms,
            int(found.counts),
            int(found.was_new),
            int(found.correct),
            int(found.rating),
            found.duration_ms,
            found.elapsed,
            found.interval,
            found.confidence,
        )


@contextmanager
def _large_cache(driver: sqlite3.Connection) -> Iterator[None]:
    (before,) = driver.execute("PRAGMA cache_size").fetchone()
    driver.execute(f"PRAGMA cache_size=-{_CACHE_KIB}")
    try:
        yield
    finally:
        driver.execute(f"PRAGMA cache_size={before}")


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
