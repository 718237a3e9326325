"""Facts about the database itself: whose it is, where it is, how far its numbering has come."""

from __future__ import annotations

import json
import platform
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from sqlalchemy import Connection, insert, select, update

from quizapp.store.tables import meta

_MACHINE = "machine"
_ERASED = "erased-sequence"
_PLACE = "place"
_IMPLAUSIBLE = "implausible"
_BOUNDS = "bounds"


def machine(connection: Connection) -> str:
    """Return the id under which this database logs, made at its first opening.

    Also the proof that the database can be written: SQLite turns BEGIN IMMEDIATE on a read-only
    file into a reading transaction, without a word, but refuses an INSERT even of nothing.
    """
    row = {"key": _MACHINE, "value": uuid4().hex}
    connection.execute(insert(meta).prefix_with("OR IGNORE"), row)
    found: str = connection.scalars(select(meta.c.value).where(meta.c.key == _MACHINE)).one()
    return found


def renew_machine(connection: Connection) -> None:
    """Go on under another id, so that no later event gets a number that was given before."""
    connection.execute(update(meta).where(meta.c.key == _MACHINE).values(value=uuid4().hex))


class DatabasePlace(NamedTuple):
    """Where a database is: the file's number on its disk, the computer, and the path."""

    inode: int
    computer: str
    path: str

    def is_copy_of(self, other: DatabasePlace) -> bool:
        """Return True if this is another file somewhere else; what was moved keeps its number."""
        return self.inode != other.inode and self[1:] != other[1:]


def find_place(path: Path) -> DatabasePlace:
    """Find where the file `path` is."""
    return DatabasePlace(path.stat().st_ino, platform.node(), str(path.resolve()))


def settle(connection: Connection, here: DatabasePlace) -> None:
    """Note where the database is; a copy of another goes on under another id than that."""
    noted = connection.scalar(select(meta.c.value).where(meta.c.key == _PLACE))
    before = None if noted is None else DatabasePlace(*json.loads(noted))
    if before == here:
        return
    if before is not None and here.is_copy_of(before):
        renew_machine(connection)
    row = {"key": _PLACE, "value": json.dumps(here)}
    connection.execute(insert(meta).prefix_with("OR REPLACE"), row)


def erased_sequence(connection: Connection) -> int:
    """Return the last sequence number before an erase; no later event may have it again."""
    return int(connection.scalar(select(meta.c.value).where(meta.c.key == _ERASED)) or 0)


def implausible(connection: Connection) -> str | None:
    """Return which events are set aside, as it was kept; None if nobody has looked yet."""
    return connection.scalar(select(meta.c.value).where(meta.c.key == _IMPLAUSIBLE))


def bounds_edition(connection: Connection) -> int:
    """Return by which edition of the bounds they were found; those before it was kept are 1."""
    return int(connection.scalar(select(meta.c.value).where(meta.c.key == _BOUNDS)) or 1)


def keep_implausible(connection: Connection, ids: str, edition: int) -> None:
    """Remember which events are set aside, by which edition of the bounds."""
    rows = {"key": _IMPLAUSIBLE, "value": ids}, {"key": _BOUNDS, "value": str(edition)}
    connection.execute(insert(meta).prefix_with("OR REPLACE"), rows)


def keep_erased_sequence(connection: Connection, sequence: int) -> None:
    """Remember the last sequence number before an erase."""
    row = {"key": _ERASED, "value": str(sequence)}
    connection.execute(insert(meta).prefix_with("OR REPLACE"), row)
