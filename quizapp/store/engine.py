"""Connections and transactions: how we talk to SQLite, whatever is said.

Write-ahead log, every commit synced, and a transaction that will write says so when it begins.
Knows no table.
"""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Literal

from sqlalchemy import URL, Connection, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry, StaticPool

from grader.facts import fact
from quizapp.domain.errors import StoreDamaged
from quizapp.store.translate import translate_errors

_BUSY = frozenset((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_PROTOCOL))
"""The second comes when several programs make a new database's write-ahead log at once."""

BUSY_TIMEOUT_MS = 5000
"""How long one program waits while another writes."""

_LARGE_CACHE_KIB = 256 * 1024
_WRITES = "quiz_writes"
_RETRY_S = (0.001, 0.005)


class Database:
    """One file and the connection to it, kept open between transactions."""

    def __init__(
        self,
        path: Path,
        busy_timeout_ms: int = BUSY_TIMEOUT_MS,
        memory: sqlite3.Connection | None = None,
    ) -> None:
        """`memory`: a connection to use instead of the file, which then only gives its name."""
        self.path = path
        self.busy_timeout_ms = busy_timeout_ms
        self.damage: StoreDamaged | None = None
        # Hidden, or an error's text, which goes to the log file, would quote answers.
        if memory is not None:
            self._engine = create_engine(
                "sqlite://", creator=lambda: memory, poolclass=StaticPool, hide_parameters=True
            )
        else:
            self._engine = create_engine(
                URL.create("sqlite", database=str(path)),
                # Without isolation_level=None the driver would send a deferred BEGIN of its own.
                connect_args={
                    "check_same_thread": False,
                    "isolation_level": None,
                    "timeout": busy_timeout_ms / 1000,
                },
                pool_size=1,
                hide_parameters=True,
            )
        self._version: int | None = None
        event.listen(self._engine, "connect", self._prepare)
        event.listen(self._engine, "begin", self._begin)
        self._writer = self._engine.execution_options(**{_WRITES: True})

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a connection that sees one consistent state.

        Raises StoreError: translated from what SQLite says.
        """
        with self._translate_errors(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self, *, checks_references_last: bool = False) -> Iterator[Connection]:
        """Begin a transaction that holds the write lock from its beginning; commit it at the end.

        None is begun once damage was found.

        A deferred one would read first, and fail with "database is locked", timeout or not, when
        another program wrote between its reading and its writing.

        `checks_references_last`: check what rows refer to in one pass before the commit, instead of
        at each row: 0.2 s instead of 0.8 s for 1,000,000 answers.

        Raises StoreError: translated from what SQLite says; nothing was written.
        """
        if self.damage is not None:
            raise self.damage
        with self._translate_errors(), self._writer.connect() as connection:
            lifted = _unchecked_references(connection) if checks_references_last else nullcontext()
            with lifted, connection.begin():
                yield connection
                if checks_references_last:
                    _check_references(connection)

    def changed_elsewhere(self) -> bool:
        """Return True if another program wrote since this was asked last; False the first time.

        Raises StoreError: translated from what SQLite says.
        """
        with self.reading() as connection:
            (version,) = raw(connection).execute("PRAGMA data_version").fetchone()
        before, self._version = self._version, version
        return before not in {None, version}

    def checkpoint(self) -> None:
        """Bring the main file up to the write-ahead log, as far as no other program reads of it.

        Raises StoreError: translated from what SQLite says; the log keeps what was not copied.
        """
        with translate_errors(self.path), closing(self._engine.raw_connection()) as connection:
            connection.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> None:
        """Close the connection; the last one to close also removes the write-ahead log."""
        self._engine.dispose()

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            with translate_errors(self.path):
                yield
        except StoreDamaged as error:
            # By SQLite; an event that cannot be decoded concerns its question alone.
            if isinstance(error.__cause__, DBAPIError | sqlite3.Error):
                self.damage = error
            raise

    def _prepare(self, connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
        # While another is switching too, SQLite refuses this at once.
        self._retry_while_busy(connection, "PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")

    def _begin(self, connection: Connection) -> None:
        driver = raw(connection)
        if not connection.get_execution_options().get(_WRITES, False):
            driver.execute("BEGIN")
            return
        driver.execute("PRAGMA busy_timeout=0")
        try:
            self._retry_while_busy(driver, "BEGIN IMMEDIATE")
        finally:
            driver.execute(f"PRAGMA busy_timeout={self.busy_timeout_ms}")

    def _retry_while_busy(self, connection: sqlite3.Connection, statement: str) -> None:
        """Retry until the busy timeout, every few milliseconds.

        SQLite's own waiting looks only every 100 ms after a while: beside a program that writes
        answer upon answer it hardly ever finds the lock free.
        """
        until = time.monotonic() + self.busy_timeout_ms / 1000
        while True:
            try:
                connection.execute(statement)
            except sqlite3.OperationalError as error:
                busy = error.sqlite_errorcode & 0xFF in _BUSY
                if not busy or time.monotonic() > until:
                    raise
                time.sleep(random.uniform(*_RETRY_S))
            else:
                return


@contextmanager
def without(
    connection: Connection, kind: Literal["index", "trigger"], table: str
) -> Iterator[None]:
    """Lift the indexes or the triggers of a table, in a transaction that puts them back."""
    query = "SELECT name, sql FROM sqlite_master WHERE type = ? AND tbl_name = ?"
    lifted = connection.exec_driver_sql(query, (kind, table)).all()
    for name, _ in lifted:
        connection.exec_driver_sql(f"DROP {kind} {name}")
    yield
    for _, sql in lifted:
        connection.exec_driver_sql(sql)


@contextmanager
def large_cache(connection: Connection) -> Iterator[None]:
    """Have SQLite keep pages in memory while much is written, before they go to disk once."""
    before = connection.exec_driver_sql("PRAGMA cache_size").scalar()
    connection.exec_driver_sql(f"PRAGMA cache_size=-{_LARGE_CACHE_KIB}")
    try:
        yield
    finally:
        connection.exec_driver_sql(f"PRAGMA cache_size={before}")


@contextmanager
def _unchecked_references(connection: Connection) -> Iterator[None]:
    """Let rows refer to what is absent: around a transaction, since within one SQLite cannot."""
    driver = raw(connection)
    driver.execute("PRAGMA foreign_keys=OFF")
    try:
        yield
    finally:
        driver.execute("PRAGMA foreign_keys=ON")


def _check_references(connection: Connection) -> None:
    orphan = raw(connection).execute("PRAGMA foreign_key_check").fetchone()
    if orphan is not None:
        table, row, *_ = orphan
        raise StoreDamaged(fact("store.orphan", row=row, table=table))


def raw(connection: Connection) -> sqlite3.Connection:
    """Return the driver's connection beneath SQLAlchemy's."""
    driver = connection.connection.driver_connection
    if not isinstance(driver, sqlite3.Connection):  # pragma: no cover - our driver is sqlite3
        raise TypeError
    return driver
