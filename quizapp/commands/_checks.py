"""What `quiz doctor` looks at: each check returns findings and changes nothing that it finds.

Libraries are looked up, not loaded: Numba alone would take seconds.
"""

from __future__ import annotations

import locale
import os
import platform
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from quizapp import __version__
from quizapp.commands._output import counted
from quizapp.commands._shared import is_terminal
from quizapp.config import Settings
from quizapp.errors import QuizError
from quizapp.paths import Paths, shipped_content

LIBRARIES = ("textual", "sqlalchemy", "alembic", "fsrs", "msgspec", "pyyaml", "click", "numpy")
LEAST_COLUMNS, LEAST_ROWS = 80, 24


class Status(StrEnum):
    """How bad a finding is; only a problem keeps something from working."""

    OK = "ok"
    NOTE = "note"
    PROBLEM = "problem"


class Finding(NamedTuple):
    """One thing looked at: `what` was found, and `todo` where something should be done."""

    section: str
    name: str
    status: Status
    what: str
    todo: str = ""


def versions() -> Iterator[Finding]:
    """Of quiz, of what runs it, and of what it is made from."""
    yield Finding("versions", "quiz", Status.OK, __version__)
    system = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    yield Finding("versions", "python", Status.OK, f"{system}, {sys.executable}")
    yield Finding("versions", "sqlite", Status.OK, sqlite3.sqlite_version)
    for name in LIBRARIES:
        found = _version(name)
        if found is None:
            todo = "install quiz again: `make start`, or pip install"
            yield Finding("versions", name, Status.PROBLEM, "not installed", todo)
        else:
            yield Finding("versions", name, Status.OK, found)


def folders(paths: Paths) -> Iterator[Finding]:
    """Each place that is written to: whether it can be."""
    places = {
        "data": paths.data,
        "config": paths.config.parent,
        "cache": paths.cache,
        "log": paths.log.parent,
    }
    for name, folder in places.items():
        if _can_write(folder):
            state = "" if folder.exists() else ", made when needed"
            yield Finding("folders", name, Status.OK, f"{folder}, can be written{state}")
        else:
            # Without these two quiz is slower, or silent, but works.
            status = Status.NOTE if name in ("cache", "log") else Status.PROBLEM
            todo = "make it yours, or set QUIZ_HOME to a folder that is"
            yield Finding("folders", name, status, f"{folder} cannot be written", todo)


def settings_file(paths: Paths, settings: Settings | QuizError) -> Iterator[Finding]:
    """Whether the settings can be read, and the folders that they name are there."""
    if isinstance(settings, QuizError):
        yield Finding("settings", "file", Status.PROBLEM, settings.what, settings.hint)
        return
    state = str(paths.config) if paths.config.exists() else "none yet, so the defaults apply"
    yield Finding("settings", "file", Status.OK, state)
    for folder in settings.content:
        if not Path(folder).is_dir():
            todo = "make it, or change it: `quiz config content FOLDER`"
            yield Finding("settings", "content", Status.PROBLEM, f"there is no {folder}", todo)
    yield from _bindings(settings)


def database(paths: Paths) -> Iterator[Finding]:
    """Whether the progress can be read, how much it is, and whether its pages are whole."""
    path = paths.database
    if not path.exists():
        yield Finding("database", "file", Status.OK, f"none yet; {path} is made by `quiz start`")
        return
    from quizapp.store import Store  # noqa: PLC0415 - 150 ms: SQLAlchemy
    from quizapp.store.migrate import REVISIONS  # noqa: PLC0415

    try:
        with Store.open(path) as store:
            events = store.count_events()
            wrong = store.check()
    except QuizError as error:
        yield Finding("database", "file", Status.PROBLEM, error.what, error.hint)
        return
    yield Finding("database", "file", Status.OK, f"{path}, {path.stat().st_size / 1e6:.1f} MB")
    yield Finding("database", "events", Status.OK, counted(events, "event"))
    yield Finding("database", "schema", Status.OK, f"{REVISIONS[-1]}, the newest")
    if wrong:
        todo = f"bring back a backup from {path.with_name('backups')}, or try `quiz rebuild`"
        yield Finding("database", "integrity", Status.PROBLEM, "; ".join(wrong[:3]), todo)
    else:
        yield Finding("database", "integrity", Status.OK, "no page or row is wrong")


def deck(paths: Paths, settings: Settings | QuizError) -> Iterator[Finding]:
    """How many questions there are, and how many had to be left out."""
    from quizapp.deck.content import load_deck  # noqa: PLC0415

    if isinstance(settings, QuizError):
        settings = Settings()
    yield Finding("deck", "shipped", *_shipped())
    try:
        found = load_deck(paths, settings)
    except (OSError, QuizError) as error:
        todo = "see that the content folders can be read: `quiz paths`"
        yield Finding("deck", "questions", Status.PROBLEM, str(error), todo)
        return
    changed = sum(entry.changed for entry in found.entries.values())
    what = f"{counted(len(found.entries), 'question')} on {counted(len(found.topics), 'topic')}"
    what += f", {changed:,} changed by you" if changed else ""
    if found.entries:
        yield Finding("deck", "questions", Status.OK, what)
    else:
        yield Finding("deck", "questions", Status.PROBLEM, what, "`quiz new choice` writes one")
    if found.left_out:
        what = f"{counted(found.left_out, 'question')} with errors"
        yield Finding("deck", "left out", Status.PROBLEM, what, "`quiz lint` says what is wrong")


def terminal() -> Iterator[Finding]:
    """What a screen could be drawn on."""
    plain = "`quiz start --plain` works without"
    if is_terminal():
        yield Finding("terminal", "tty", Status.OK, "yes")
        yield _size()
    else:
        yield Finding("terminal", "tty", Status.NOTE, "this is no terminal", plain)
    term = os.environ.get("TERM", "")
    drawable = term not in ("", "dumb")
    status, todo = (Status.OK, "") if drawable else (Status.NOTE, plain)
    yield Finding("terminal", "TERM", status, term or "not set", todo)
    yield Finding("terminal", "colours", Status.OK, _colours(term))
    encoding = locale.getpreferredencoding(do_setlocale=False)
    if encoding.lower().replace("-", "") == "utf8":
        yield Finding("terminal", "encoding", Status.OK, encoding)
    else:
        todo = "Chinese and the signs need UTF-8: export LC_ALL=C.UTF-8"
        yield Finding("terminal", "encoding", Status.NOTE, encoding, todo)


def _bindings(settings: Settings) -> Iterator[Finding]:
    """Remapped keys that no screen asks for; nothing else would say so."""
    if settings.keys:
        from quizapp.tui.keys import KEYS  # noqa: PLC0415 - loads a part of Textual, 50 ms

        for name in settings.keys.keys() - KEYS.keys():
            todo = "`quiz config keys` lists those there are"
            yield Finding("settings", "keys", Status.NOTE, f"there is no binding '{name}'", todo)


def _version(library: str) -> str | None:
    try:
        return version(library)
    except PackageNotFoundError:
        return None


def _can_write(folder: Path) -> bool:
    """Whether files can be made in `folder`, or it can be made."""
    nearest = next(p for p in (folder, *folder.parents) if p.exists())
    return nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)


def _shipped() -> tuple[Status, str, str]:
    folder = shipped_content()
    if folder.is_dir():
        return Status.OK, str(folder), ""
    return Status.PROBLEM, f"there is no {folder}", "install quiz again: its questions are missing"


def _size() -> Finding:
    columns, rows = shutil.get_terminal_size()
    if columns >= LEAST_COLUMNS and rows >= LEAST_ROWS:
        return Finding("terminal", "size", Status.OK, f"{columns}×{rows}")
    todo = f"{LEAST_COLUMNS}×{LEAST_ROWS} or larger is comfortable"
    return Finding("terminal", "size", Status.NOTE, f"{columns}×{rows}", todo)


def _colours(term: str) -> str:
    if os.environ.get("NO_COLOR"):
        return "none: NO_COLOR is set"
    if os.environ.get("COLORTERM", "") in ("truecolor", "24bit"):
        return "16 million"
    return "256" if "256color" in term else "as TERM says"
