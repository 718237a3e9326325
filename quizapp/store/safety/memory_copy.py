"""A database's content in memory, where its file or its folder cannot be written."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from quizapp.store.safety.shrinking import refuse_if_emptied
from quizapp.store.translate import translate_errors

_NO_LOG = frozenset((sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY))


def read_into_memory(path: Path) -> sqlite3.Connection:
    """Copy the database at `path` into memory; an empty one if it is absent.

    Raises:
        StoreError: the file cannot be read.
        StoreLost: it is empty, and its newest backup is not.
    """
    memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    with translate_errors(path):
        if path.exists() and path.stat().st_size:
            with _readable(path) as source:
                source.backup(memory)
        else:
            refuse_if_emptied(path)
    return memory


@contextmanager
def _readable(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the database to read it without making a file beside it."""
    log = Path(f"{path}-wal")
    if not log.exists() or not log.stat().st_size:
        with closing(_connection(path, "immutable=1")) as connection:
            yield connection
        return
    try:
        with closing(_connection(path, "mode=ro")) as connection:
            yield connection
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in _NO_LOG:
            raise
        # The log needs an index beside it, which cannot be made here.
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(shutil.copy(path, folder))
            shutil.copy(log, folder)
            with closing(_connection(copy, "mode=rw")) as connection:
                yield connection


def _connection(path: Path, how: str) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True)
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return connection
