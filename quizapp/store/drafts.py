"""Half-written answers: a person's words, kept until they are submitted. No cache of anything."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select

from quizapp.store import aliases
from quizapp.store.tables import alias, draft


def save(connection: Connection, question: str, text: str, utc_ms: int) -> None:
    """Keep `text` as the draft of the current id `question`."""
    row = {"question": question, "text": text, "updated_ms": utc_ms}
    connection.execute(insert(draft).prefix_with("OR REPLACE"), row)


def read_draft(connection: Connection, question: str) -> str | None:
    """Read the draft of the current id `question`, also one written under a former id."""
    query = (
        select(draft.c.text)
        .where(draft.c.question.in_(aliases.names(question)))
        .order_by(draft.c.updated_ms.desc())
        .limit(1)
    )
    return connection.scalar(query)


def drop(connection: Connection, question: str) -> None:
    """Forget it."""
    connection.execute(delete(draft).where(draft.c.question.in_(aliases.names(question))))


def read_all(connection: Connection) -> dict[str, str]:
    """Read all drafts by current id; of two under different names the later."""
    query = (
        select(aliases.map_to_current(draft.c.question), draft.c.text)
        .select_from(draft.outerjoin(alias, alias.c.old == draft.c.question))
        .order_by(draft.c.updated_ms)
    )
    return dict(connection.execute(query).all())
