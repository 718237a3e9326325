"""Former ids of questions: events and drafts under an old id belong to the new one.

The log keeps the id an event was written with; every reading goes through this table.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sqlalchemy import ColumnElement, Connection, Select, delete, func, insert, select

from quizapp.store.tables import alias


def map_to_current(written: ColumnElement[str | None]) -> ColumnElement[str | None]:
    """Map a column of ids as written to the ids they have now (join `alias` on old = `written`)."""
    return func.coalesce(alias.c.new, written)


def current(connection: Connection, question: str) -> str:
    """Return the id that `question` has now."""
    found = connection.scalar(select(alias.c.new).where(alias.c.old == question))
    return question if found is None else found


def former(questions: Collection[str]) -> Select[tuple[str]]:
    """Select the former ids of these current ones, as a subquery."""
    return select(alias.c.old).where(alias.c.new.in_(questions))


def read_all(connection: Connection) -> dict[str, str]:
    """Read each former id with the current one."""
    return dict(connection.execute(select(alias.c.old, alias.c.new)).all())


def replace(connection: Connection, wanted: Mapping[str, str]) -> set[str]:
    """Make `wanted` the table; return every id whose events change by that."""
    before = read_all(connection)
    changed = {old for old in before.keys() | wanted if before.get(old) != wanted.get(old)}
    connection.execute(delete(alias))
    if wanted:
        rows = [{"old": old, "new": new} for old, new in wanted.items()]
        connection.execute(insert(alias), rows)
    return {name for old in changed for name in (old, before.get(old), wanted.get(old)) if name}


def resolve(renames: Mapping[str, str]) -> dict[str, str]:
    """Follow renames of renames to the end; ids that only name each other stay as they are."""
    return {
        old: new for old in renames if (new := _follow(old, renames)) is not None and new != old
    }


def _follow(old: str, renames: Mapping[str, str]) -> str | None:
    """Return the last name in the chain, None for a circle."""
    seen = {old}
    name = renames[old]
    while name in renames and name not in seen:
        seen.add(name)
        name = renames[name]
    return None if name in renames else name
