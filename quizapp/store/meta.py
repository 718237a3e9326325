"""Facts about the database itself: whose it is, and how far its numbering has come."""

from __future__ import annotations

from uuid import uuid4

from sqlalchemy import Connection, insert, select, update

from quizapp.store.tables import meta

_MACHINE = "machine"
_ERASED = "erased-sequence"


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


def erased_sequence(connection: Connection) -> int:
    """Return the last sequence number before an erase; no later event may have it again."""
    return int(connection.scalar(select(meta.c.value).where(meta.c.key == _ERASED)) or 0)


def keep_erased_sequence(connection: Connection, sequence: int) -> None:
    """Remember the last sequence number before an erase."""
    row = {"key": _ERASED, "value": str(sequence)}
    connection.execute(insert(meta).prefix_with("OR REPLACE"), row)
