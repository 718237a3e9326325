"""Half-written answers: a person's words, kept until they are submitted. No cache of anything.

A kernel in C++ is filed apart from one in Python: its question's id has `@` and the language.
"""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select

from quizapp.domain.question import CODE_LANGUAGES, CodeLanguage
from quizapp.store import aliases
from quizapp.store.tables import draft

_APART = "@"


def save(
    connection: Connection, question: str, text: str, utc_ms: int, language: CodeLanguage
) -> None:
    """Keep `text` as the draft of the current id `question`."""
    row = {"question": _file(question, language), "text": text, "updated_ms": utc_ms}
    connection.execute(insert(draft).prefix_with("OR REPLACE"), row)


def read_draft(connection: Connection, question: str, language: CodeLanguage) -> str | None:
    """Read the draft of the current id `question`, also one written under a former id."""
    query = (
        select(draft.c.text)
        .where(draft.c.question.in_(_filed(connection, question, language)))
        .order_by(draft.c.updated_ms.desc())
        .limit(1)
    )
    return connection.scalar(query)


def find_language(connection: Connection, question: str) -> CodeLanguage | None:
    """Return the language of the latest draft; None without one."""
    filed = {name: each for each in CODE_LANGUAGES for name in _filed(connection, question, each)}
    query = (
        select(draft.c.question)
        .where(draft.c.question.in_(filed))
        .order_by(draft.c.updated_ms.desc())
        .limit(1)
    )
    found = connection.scalar(query)
    return None if found is None else filed[found]


def drop(connection: Connection, question: str, language: CodeLanguage) -> None:
    """Forget the draft in a language."""
    filed = _filed(connection, question, language)
    connection.execute(delete(draft).where(draft.c.question.in_(filed)))


def read_all(connection: Connection) -> dict[str, str]:
    """Read the latest draft of each question by its current id."""
    query = select(draft.c.question, draft.c.text).order_by(draft.c.updated_ms)
    return {
        aliases.current(connection, filed.partition(_APART)[0]): text
        for filed, text in connection.execute(query)
    }


def _file(question: str, language: CodeLanguage) -> str:
    return question if language == "python" else f"{question}{_APART}{language}"


def _filed(connection: Connection, question: str, language: CodeLanguage) -> list[str]:
    """Return the names under which a draft may be filed."""
    names = [question, *connection.scalars(aliases.former([question]))]
    return [_file(name, language) for name in names]
