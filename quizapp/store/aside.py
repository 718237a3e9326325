"""Implausible events that an older version let in: they stay in the log, and are set aside.

Their ids are noted once by each edition of the bounds, so that reading the log costs no check.
`event_bounds` says what is implausible; nothing derives from such an event, and nothing of it is
deleted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from msgspec import DecodeError
from sqlalchemy import Connection

from grader.facts import Fact
from quizapp.domain.log.event_bounds import EDITION, find_implausible
from quizapp.store import meta
from quizapp.store.engine import raw
from quizapp.store.packing import unpack_body, unpack_id


class Stray(NamedTuple):
    """An event that is implausible, and why."""

    id: str
    question: str | None
    reason: Fact


def read(connection: Connection) -> frozenset[str]:
    """Return the ids of the implausible events of the log, from which nothing derives."""
    return frozenset(json.loads(meta.implausible(connection) or "[]"))


def find(connection: Connection) -> Iterator[Stray]:
    """Find the implausible events of the whole log; what cannot be read is left to others."""
    rows = raw(connection).execute("SELECT id, question, body FROM event ORDER BY at_ms")
    for id_, question, cell in rows:
        with suppress(DecodeError):
            found = find_implausible(unpack_body(cell))
            if found is not None:
                yield Stray(unpack_id(id_), question, found.text)


def note(connection: Connection) -> bool:
    """Note which events are implausible; return True if there are others than before."""
    known = read(connection)
    found = frozenset(each.id for each in find(connection))
    if found != known or not is_noted(connection):
        meta.keep_implausible(connection, json.dumps(sorted(found)), EDITION)
    return found != known


def is_noted(connection: Connection) -> bool:
    """Return True if the log was looked through with the bounds of this version."""
    noted = meta.implausible(connection) is not None
    return noted and meta.bounds_edition(connection) >= EDITION
