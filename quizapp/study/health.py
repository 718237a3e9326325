"""Looks for what could keep quiz from working: each check reports facts and changes nothing.

Libraries are looked up, not loaded: Numba alone would take seconds. The GPU has a module of its
own, `quizapp.study.gpu_health`; the sentences are in `quizapp.report.words`.
"""

from __future__ import annotations

import locale
import os
import platform
import shutil
import sqlite3
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from grader import confine
from grader.facts import Fact, fact
from quizapp import __version__
from quizapp.deck import content
from quizapp.deck.installing import consent
from quizapp.domain.days import as_date, local_day
from quizapp.domain.errors import QuizError
from quizapp.domain.log.event_bounds import CLOCKS_APART_DAYS
from quizapp.store import migrate, store
from quizapp.store.safety import backup, rolling
from quizapp.study.clock import SystemClock
from quizapp.system import os_errors, streams, trust
from quizapp.system.config import Settings
from quizapp.system.paths import Paths, shipped_content

if TYPE_CHECKING:
    from grader.confine import Guard
    from quizapp.deck.deck import Deck
    from quizapp.store.aside import Stray
    from quizapp.store.safety.backup import BackupCopy

LIBRARIES = ("textual", "sqlalchemy", "alembic", "fsrs", "msgspec", "pyyaml", "click", "numpy")
LEAST_COLUMNS, LEAST_ROWS = 80, 24

LAYERS = {
    "landlock": fact("confinement.needs-landlock"),
    "seccomp": fact("confinement.needs-seccomp"),
    "parent": fact("confinement.needs-linux"),
}
"""What each layer of confinement needs."""
ABILITIES: dict[Guard, Fact] = {
    "reads": fact("confinement.reads"),
    "writes": fact("confinement.writes"),
    "network": fact("confinement.network"),
    "processes": fact("confinement.processes"),
    "survival": fact("confinement.survival"),
}
"""What confined code cannot do; a test compares this with `GUARDS`."""

_MEGA = 1e6
_SHOWN_DAMAGE = 3


class Health(StrEnum):
    """How bad it is: only a problem keeps something from working."""

    OK = "ok"
    NOTE = "note"
    PROBLEM = "problem"


class Check(NamedTuple):
    """One thing that was looked at: `what` was found; `todo` overrides the advice for that fact."""

    section: str
    name: str
    health: Health
    what: Fact
    todo: Fact | None = None


def check_versions() -> Iterator[Check]:
    """Report the versions of quiz, of Python, of SQLite and of the libraries."""
    yield Check("versions", "quiz", Health.OK, fact("doctor.version", version=__version__))
    running = fact(
        "doctor.python",
        version=platform.python_version(),
        system=f"{platform.system()} {platform.machine()}",
        executable=sys.executable,
    )
    yield Check("versions", "python", Health.OK, running)
    sqlite = fact("doctor.version", version=sqlite3.sqlite_version)
    yield Check("versions", "sqlite", Health.OK, sqlite)
    for name in LIBRARIES:
        installed = _version(name)
        if installed is None:
            yield Check("versions", name, Health.PROBLEM, fact("doctor.not-installed"))
        else:
            yield Check("versions", name, Health.OK, fact("doctor.version", version=installed))


def check_folders(paths: Paths) -> Iterator[Check]:
    """Try whether each folder that quiz writes to can be written."""
    places = {
        "data": paths.data,
        "config": paths.config.parent,
        "cache": paths.cache,
        "log": paths.log.parent,
    }
    for name, folder in places.items():
        if not _can_write(folder):
            # Without these two quiz is slower, or silent, but works.
            health = Health.NOTE if name in ("cache", "log") else Health.PROBLEM
            yield Check("folders", name, health, fact("doctor.read-only", folder=str(folder)))
        elif folder.exists():
            yield Check("folders", name, Health.OK, fact("doctor.writable", folder=str(folder)))
        else:
            yield Check("folders", name, Health.OK, fact("doctor.to-create", folder=str(folder)))


def check_settings(
    paths: Paths, settings: Settings | QuizError, bindings: Collection[str]
) -> Iterator[Check]:
    """Report whether the settings can be read, and remapped keys that no screen uses.

    `settings`: what the settings file holds, or why it cannot be read. `bindings`: the ids of all
    key bindings.
    """
    if isinstance(settings, QuizError):
        yield Check("settings", "file", Health.PROBLEM, settings.what, settings.hint)
        return
    if paths.config.exists():
        yield Check("settings", "file", Health.OK, fact("doctor.file", path=str(paths.config)))
    else:
        yield Check("settings", "file", Health.OK, fact("doctor.no-settings"))
    for binding in settings.keys:
        if binding not in bindings:
            unknown = fact("doctor.unknown-binding", binding=binding)
            yield Check("settings", "keys", Health.NOTE, unknown)


def check_database(paths: Paths) -> Iterator[Check]:
    """Report whether the progress can be read, how much it is, and whether its pages are sound."""
    path = paths.database
    if not path.exists() and backup.newest(path) is None:
        yield Check("database", "file", Health.OK, fact("doctor.no-database", path=str(path)))
        return
    try:
        with store.Store.open(path) as database:
            events, machine = database.count_events(), database.machine
            damage = database.check()
            aside, strays = database.implausible() if not damage else ([], [])
            withdrawn = [] if damage else database.withdrawn_imports()
            latest = local_day(SystemClock().now()) + CLOCKS_APART_DAYS
            ahead = {} if damage else database.dated_after(latest)
    except QuizError as error:
        yield Check("database", "file", Health.PROBLEM, error.what, error.hint)
        return
    size = fact("doctor.database", path=str(path), megabytes=_megabytes(path.stat().st_size))
    yield Check("database", "file", Health.OK, size)
    yield Check("database", "events", Health.OK, fact("doctor.events", n=events))
    yield Check("database", "machine", Health.OK, fact("doctor.machine", machine=machine))
    revision = fact("doctor.revision", revision=migrate.REVISIONS[-1])
    yield Check("database", "schema", Health.OK, revision)
    if damage:
        broken = fact("doctor.damage", damage=tuple(damage[:_SHOWN_DAMAGE]))
        yield Check("database", "integrity", Health.PROBLEM, broken)
    else:
        yield Check("database", "integrity", Health.OK, fact("doctor.sound"))
        yield from _check_plausibility(aside, strays)
    yield from _check_dates(ahead)
    if withdrawn:
        answers = sum(brought.answers for brought in withdrawn)
        taken_back = fact("doctor.withdrawn", answers=answers)
        yield Check("database", "withdrawn", Health.NOTE, taken_back)


def check_backups(paths: Paths) -> Iterator[Check]:
    """Report how many backups there are, how large they are, and how old the newest is."""
    copies = backup.copies(paths.database)
    latest = backup.newest(paths.database)
    if latest is None:
        yield Check("database", "backups", Health.OK, fact("doctor.no-backups"))
        return
    regular = rolling.rolling_copies(copies)
    others = [copy for copy in copies if copy not in regular]
    counts = fact("doctor.rolling-backups", n=len(regular), megabytes=_size(regular))
    if others:
        other = fact("doctor.other-backups", n=len(others), megabytes=_size(others))
        counts = fact("doctor.both-backups", rolling=counts, others=other) if regular else other
    newest = f"{latest.made:%Y-%m-%d %H:%M}"
    what = fact("doctor.backups", backups=counts, newest=newest)
    yield Check("database", "backups", Health.OK, what)
    unusable = backup.find_damaged(copies)
    if unusable:
        files = tuple(str(copy.path) for copy in unusable)
        broken = fact("doctor.damaged-backups", n=len(unusable), total=len(copies), files=files)
        yield Check("database", "damaged-backups", Health.PROBLEM, broken)
    yield from _check_replaced(paths.database.with_name("replaced"))


def check_deck(paths: Paths, settings: Settings) -> Iterator[Check]:
    """Report how many questions there are, and how many are left out."""
    shipped = shipped_content()
    if not shipped.is_dir():
        missing = fact("doctor.no-folder", folder=str(shipped))
        yield Check("deck", "shipped", Health.PROBLEM, missing, fact("doctor.reinstall"))
    try:
        deck = content.load_deck(paths, settings)
    except QuizError as error:
        yield Check("deck", "questions", Health.PROBLEM, error.what, error.hint)
        return
    except OSError as error:
        reason = os_errors.system_reason(error)
        unreadable = fact("doctor.unreadable", path=error.filename, reason=reason)
        yield Check("deck", "questions", Health.PROBLEM, unreadable)
        return
    yield from _check_folders_of(deck, paths, settings)
    yield from _check_packs(deck)
    yield from _check_questions(deck)
    yield from _check_consent(deck, paths)


def check_terminal() -> Iterator[Check]:
    """Report what a screen could be drawn on."""
    plain = fact("doctor.plain")
    if streams.is_terminal():
        yield Check("terminal", "tty", Health.OK, fact("doctor.terminal"))
        yield _check_size()
    else:
        yield Check("terminal", "tty", Health.NOTE, fact("doctor.no-terminal"), plain)
    term = os.environ.get("TERM", "")
    if term in ("", "dumb"):
        what = fact("doctor.term", term=term) if term else fact("doctor.no-term")
        yield Check("terminal", "TERM", Health.NOTE, what, plain)
    else:
        yield Check("terminal", "TERM", Health.OK, fact("doctor.term", term=term))
    yield Check("terminal", "colors", Health.OK, _colors(term))
    encoding = locale.getpreferredencoding(do_setlocale=False)
    if encoding.lower().replace("-", "") == "utf8":
        yield Check("terminal", "encoding", Health.OK, fact("doctor.encoding", encoding=encoding))
    else:
        what = fact("doctor.other-encoding", encoding=encoding)
        yield Check("terminal", "encoding", Health.NOTE, what)


def check_confinement() -> Iterator[Check]:
    """Report what confines the Python code of a question, and which layers this machine lacks."""
    confinement = confine.probe()
    missing = dict(confinement.missing)
    for layer, needs in LAYERS.items():
        # If the probe itself could not start, no layer is known to be active, for that reason.
        if reason := missing.get(layer, missing.get("process")):
            what = fact("confinement.missing", reason=reason)
            yield Check("confinement", layer, Health.NOTE, what, needs)
        elif layer == "landlock":
            what = fact("confinement.landlock", abi=confinement.landlock)
            yield Check("confinement", layer, Health.OK, what)
        else:
            yield Check("confinement", layer, Health.OK, fact("confinement.in-use"))
    for guard in confinement.open_guards:
        what = fact("confinement.open", ability=ABILITIES[guard])
        yield Check("confinement", guard, Health.NOTE, what)


def _check_plausibility(aside: Sequence[Stray], strays: Sequence[Stray]) -> Iterator[Check]:
    """Name implausible events that an older version let in: those set aside, and the others."""
    if strays:
        what = fact("doctor.implausible", n=len(strays), events=_describe(strays))
        yield Check("database", "plausibility", Health.PROBLEM, what)
    if aside:
        what = fact("doctor.set-aside", n=len(aside), events=_describe(aside))
        yield Check("database", "plausibility", Health.OK, what)
    if not strays and not aside:
        yield Check("database", "plausibility", Health.OK, fact("doctor.plausible"))


def _check_dates(ahead: Mapping[str, int]) -> Iterator[Check]:
    """Name questions with answers dated after today: some clock was wrong."""
    if ahead:
        named = tuple(
            fact("doctor.ahead-of", question=name, day=as_date(day).isoformat())
            for name, day in islice(ahead.items(), _SHOWN_DAMAGE)
        )
        what = fact("doctor.ahead", n=len(ahead), questions=named)
        yield Check("database", "dates", Health.PROBLEM, what)


def _describe(strays: Sequence[Stray]) -> tuple[Fact, ...]:
    """Name the first of some events."""
    return tuple(
        fact("doctor.stray", id=stray.id, reason=stray.reason)
        if stray.question is None
        else fact("doctor.stray-of", id=stray.id, question=stray.question, reason=stray.reason)
        for stray in strays[:_SHOWN_DAMAGE]
    )


def _check_replaced(folder: Path) -> Iterator[Check]:
    """Report databases that a restore or a rescue put aside."""
    # SQLite's index of a write-ahead log holds nothing of the person's.
    files = [f for f in folder.rglob("*") if f.is_file() and not f.name.endswith("-shm")]
    if files:
        size = _megabytes(sum(file.stat().st_size for file in files))
        what = fact("doctor.replaced", megabytes=size, folder=str(folder))
        yield Check("database", "replaced", Health.NOTE, what)


def _check_folders_of(deck: Deck, paths: Paths, settings: Settings) -> Iterator[Check]:
    """Count the questions of each content folder; a change counts where it was changed."""
    places = [
        ("shipped", shipped_content()),
        ("installed", paths.installed_packs),
        *(("configured", content.configured_root(name)) for name in settings.content),
        ("own", paths.own_content),
    ]
    for name, place in places:
        folder = str(place)
        number = sum(Path(entry.file).is_relative_to(place) for entry in deck.entries.values())
        count = fact("doctor.content", n=number, folder=folder)
        if name == "configured" and not place.exists():
            missing = fact("doctor.no-folder", folder=folder)
            yield Check("deck", name, Health.PROBLEM, missing, fact("doctor.create-folder"))
        elif name == "configured" and not number:
            todo = fact("doctor.lint-folder", folder=folder)
            yield Check("deck", name, Health.NOTE, count, todo)
        elif number or name == "own":
            yield Check("deck", name, Health.OK, count)


def _check_packs(deck: Deck) -> Iterator[Check]:
    """Report version, license, and number of questions of each pack."""
    counts = Counter(entry.pack for entry in deck.entries.values())
    for pack in deck.packs.values():
        details = [fact("count.questions", n=counts[pack.id])]
        if pack.version:
            details.append(fact("pack.version", version=pack.version))
        if pack.license:
            details.append(fact("pack.license", license=pack.license))
        what = fact("doctor.pack", pack=pack.id, details=tuple(details))
        yield Check("deck", "pack", Health.OK, what)


def _check_questions(deck: Deck) -> Iterator[Check]:
    questions = fact("count.questions", n=len(deck.entries))
    topics = fact("count.topics", n=len(deck.topics))
    changed = sum(entry.changed for entry in deck.entries.values())
    if changed:
        what = fact("doctor.questions-changed", questions=questions, topics=topics, changed=changed)
    else:
        what = fact("doctor.questions", questions=questions, topics=topics)
    if deck.entries:
        yield Check("deck", "questions", Health.OK, what)
    else:
        yield Check("deck", "questions", Health.PROBLEM, what, fact("doctor.write-question"))
    if deck.left_out:
        yield Check("deck", "left-out", Health.PROBLEM, fact("doctor.left-out", n=deck.left_out))


def _check_consent(deck: Deck, paths: Paths) -> Iterator[Check]:
    """Report packs whose Python the person has not agreed to run, and extras that are missing."""
    try:
        held = consent.find_held_back(deck, trust.read_trust(paths))
    except QuizError as error:
        yield Check("deck", "consent", Health.PROBLEM, error.what, error.hint)
        return
    for pack, questions in held.packs.items():
        what = fact("doctor.held-back", n=questions, pack=pack)
        yield Check("deck", "held-back", Health.NOTE, what)
    for extra, questions in held.extras.items():
        what = fact("doctor.extra-missing", n=questions, extra=extra)
        yield Check("deck", "held-back", Health.NOTE, what)


def _check_size() -> Check:
    columns, rows = shutil.get_terminal_size()
    size = fact("doctor.size", columns=columns, rows=rows)
    if columns >= LEAST_COLUMNS and rows >= LEAST_ROWS:
        return Check("terminal", "size", Health.OK, size)
    larger = fact("doctor.larger", columns=LEAST_COLUMNS, rows=LEAST_ROWS)
    return Check("terminal", "size", Health.NOTE, size, larger)


def _colors(term: str) -> Fact:
    if os.environ.get("NO_COLOR"):
        return fact("doctor.no-colors")
    if os.environ.get("COLORTERM", "") in ("truecolor", "24bit"):
        return fact("doctor.true-color")
    return fact("doctor.256-colors") if "256color" in term else fact("doctor.term-colors")


def _version(library: str) -> str | None:
    try:
        return version(library)
    except PackageNotFoundError:
        return None


def _can_write(folder: Path) -> bool:
    """Return true if files can be created in `folder`, or it can be created."""
    nearest = next(p for p in (folder, *folder.parents) if p.exists())
    return nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)


def _size(copies: Sequence[BackupCopy]) -> float:
    return _megabytes(sum(copy.size for copy in copies))


def _megabytes(size: int) -> float:
    return round(size / _MEGA, 1)
