"""Anki's packages: a zip file around a database, in the form that Anki has read since 2.1.

Written is `collection.anki2` with schema 11; read are that, `collection.anki21`, and
`collection.anki21b`. Knows no question.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import stat
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import msgspec

from grader.facts import Fact, fact
from quizapp.domain.days import ROLLOVER_HOUR
from quizapp.domain.errors import BadImport

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

SEPARATOR = "\x1f"
"""Between the fields of a note."""
MODEL_ID = 1_790_000_000_017
"""Of our note type, in every package, so that Anki updates notes instead of doubling them."""
MOST_BYTES = 1 << 30
"""Of a database within a package."""
DAY_S = 86_400

_NEWEST, _NEWER, _OLDEST = "collection.anki21b", "collection.anki21", "collection.anki2"
_PIECE = 1 << 20
_DAMAGED = (zipfile.BadZipFile, zstd.ZstdError, EOFError)
_MALFORMED = (
    sqlite3.Error, msgspec.MsgspecError, ValueError, TypeError, ArithmeticError, RecursionError,
)  # fmt: skip
"""What reading another program's tables raises, whatever is in them."""
_TABLES = ("col", "notes", "cards", "revlog")

_SCHEMA = """
CREATE TABLE col (id integer PRIMARY KEY, crt integer NOT NULL, mod integer NOT NULL,
  scm integer NOT NULL, ver integer NOT NULL, dty integer NOT NULL, usn integer NOT NULL,
  ls integer NOT NULL, conf text NOT NULL, models text NOT NULL, decks text NOT NULL,
  dconf text NOT NULL, tags text NOT NULL);
CREATE TABLE notes (id integer PRIMARY KEY, guid text NOT NULL, mid integer NOT NULL,
  mod integer NOT NULL, usn integer NOT NULL, tags text NOT NULL, flds text NOT NULL,
  sfld integer NOT NULL, csum integer NOT NULL, flags integer NOT NULL, data text NOT NULL);
CREATE TABLE cards (id integer PRIMARY KEY, nid integer NOT NULL, did integer NOT NULL,
  ord integer NOT NULL, mod integer NOT NULL, usn integer NOT NULL, type integer NOT NULL,
  queue integer NOT NULL, due integer NOT NULL, ivl integer NOT NULL, factor integer NOT NULL,
  reps integer NOT NULL, lapses integer NOT NULL, left integer NOT NULL, odue integer NOT NULL,
  odid integer NOT NULL, flags integer NOT NULL, data text NOT NULL);
CREATE TABLE revlog (id integer PRIMARY KEY, cid integer NOT NULL, usn integer NOT NULL,
  ease integer NOT NULL, ivl integer NOT NULL, lastIvl integer NOT NULL, factor integer NOT NULL,
  time integer NOT NULL, type integer NOT NULL);
CREATE TABLE graves (usn integer NOT NULL, oid integer NOT NULL, type integer NOT NULL);
CREATE INDEX ix_notes_usn ON notes (usn);
CREATE INDEX ix_cards_usn ON cards (usn);
CREATE INDEX ix_revlog_usn ON revlog (usn);
CREATE INDEX ix_cards_nid ON cards (nid);
CREATE INDEX ix_cards_sched ON cards (did, queue, due);
CREATE INDEX ix_revlog_cid ON revlog (cid);
CREATE INDEX ix_notes_csum ON notes (csum);
"""
_FIELDS = ("Id", "Front", "Back", "Figure", "Sources")
_STYLE = (
    ".card { font-family: sans-serif; font-size: 16px; max-width: 50em; margin: auto }\n"
    "pre, code { font-family: monospace; font-size: 14px } pre { overflow-x: auto }\n"
    ".sources { font-size: 12px; opacity: .7 }"
)
_ANSWER = (
    '{{FrontSide}}<hr id=answer>{{Back}}{{Figure}}<div class="sources">{{Sources}}<br>{{Id}}</div>'
)


@dataclass(frozen=True, slots=True)
class Review:
    """One answer: when, 1 Again to 4 Easy, the days until the next, and the time it took.

    `kind`: 0 first, 1 review, 2 again within the day, 3 practice, as in Anki's log.
    """

    at_ms: int
    ease: int
    days: int
    days_before: int
    duration_ms: int
    kind: int


@dataclass(frozen=True, slots=True)
class Schedule:
    """When a card returns. Days are study days."""

    due_day: int
    interval: int
    stability: float
    difficulty: float
    retention: float
    repetitions: int
    lapses: int


@dataclass(frozen=True, slots=True)
class Note:
    """A note to be written, with its one card. Fields are HTML; `schedule` is None while new."""

    guid: str
    deck: str
    front: str
    back: str
    figure: str
    sources: str
    tags: tuple[str, ...]
    schedule: Schedule | None
    suspended: bool
    reviews: tuple[Review, ...]


@dataclass(frozen=True, slots=True)
class ReadNote:
    """A note of a package: its fields as HTML, its deck, and the reviews of its first card.

    `cards`: how many it has. Of the first: whether it is `suspended` or `scheduled` for a day, and
    when it was changed last.
    """

    id: int
    guid: str
    fields: tuple[str, ...]
    tags: tuple[str, ...]
    deck: str
    reviews: tuple[Review, ...]
    cards: int
    suspended: bool
    scheduled: bool
    changed_ms: int


def write_package(
    path: Path, notes: Sequence[Note], media: Mapping[str, bytes], now_ms: int, offset_s: int
) -> None:
    """Write a package.

    `path`: the file, which is written over. `notes`: in the order in which new ones are asked.
    `media`: files that the notes' fields show, by name. `now_ms`: when the notes were changed last,
    for Anki. `offset_s`: of the local clock, by which days begin at 04:00.
    """
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / _OLDEST
        with closing(sqlite3.connect(database)) as connection, connection:
            connection.executescript(_SCHEMA)
            _fill(connection, notes, now_ms, offset_s)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
            package.write(database, _OLDEST)
            names = dict(enumerate(media))
            package.writestr("media", json.dumps(names))
            for number, name in names.items():
                package.writestr(str(number), media[name])


def _fill(
    connection: sqlite3.Connection, notes: Sequence[Note], now_ms: int, offset_s: int
) -> None:
    now_s = now_ms // 1000
    days = [note.schedule.due_day - note.schedule.interval for note in notes if note.schedule]
    first = min(days, default=(now_s + offset_s) // DAY_S)
    crt = first * DAY_S + ROLLOVER_HOUR * 3600 - offset_s
    decks = {name: _number(name) for name in sorted({note.deck for note in notes})}
    connection.execute(
        "INSERT INTO col VALUES (1, ?, ?, ?, 11, 0, 0, 0, ?, ?, ?, ?, '{}')",
        (crt, now_ms, now_ms, *map(json.dumps, (_CONF, _model(now_s), _decks(decks), _DCONF))),
    )
    used: set[int] = set()
    for position, note in enumerate(notes, 1):
        name = _number(note.guid)
        fields = (note.guid, note.front, note.back, note.figure, note.sources)
        flds = SEPARATOR.join(field.replace(SEPARATOR, " ") for field in fields)
        checksum = int(hashlib.sha1(note.guid.encode()).hexdigest()[:8], 16)  # noqa: S324 - Anki's
        tags = f" {' '.join(note.tags)} " if note.tags else ""
        connection.execute(
            "INSERT INTO notes VALUES (?, ?, ?, ?, -1, ?, ?, ?, ?, 0, '')",
            (name, note.guid, MODEL_ID, now_s, tags, flds, note.guid, checksum),
        )
        connection.execute(
            "INSERT INTO cards VALUES (?, ?, ?, 0, ?, -1, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, ?)",
            (name, name, decks[note.deck], now_s, *_scheduling(note, position, first)),
        )
        for review in note.reviews:
            at_ms = review.at_ms
            while at_ms in used:
                at_ms += 1
            used.add(at_ms)
            factor = 0 if review.kind == _PRACTICE else _FACTOR
            connection.execute(
                "INSERT INTO revlog VALUES (?, ?, -1, ?, ?, ?, ?, ?, ?)",
                (at_ms, name, review.ease, review.days, review.days_before, factor,
                 review.duration_ms, review.kind),
            )  # fmt: skip


_PRACTICE = 3
_FACTOR = 2500
"""Anki's ease in thousandths, where FSRS does not use it."""


def _scheduling(note: Note, position: int, first: int) -> tuple[object, ...]:
    """Return type, queue, due, interval, ease, repetitions, lapses and FSRS's memory of a card."""
    if note.schedule is None:
        return (0, -1 if note.suspended else 0, position, 0, 0, 0, 0, "{}")
    known = note.schedule
    memory = {
        "s": round(known.stability, 4),
        "d": round(known.difficulty, 3),
        "dr": round(known.retention, 2),
    }
    queue = -1 if note.suspended else 2
    due = known.due_day - first
    return (2, queue, due, max(1, known.interval), _FACTOR, known.repetitions, known.lapses,
            json.dumps(memory))  # fmt: skip


def _number(name: str) -> int:
    """Return the id of a note or a deck, the same in every package: a time, as Anki's are."""
    digest = hashlib.sha256(name.encode()).digest()
    return 1_400_000_000_000 + int.from_bytes(digest[:5], "big") % (1 << 38)


def _model(now_s: int) -> dict[str, Any]:
    fields = [
        {"name": name, "ord": number, "sticky": False, "rtl": False, "font": "Arial", "size": 20,
         "media": []}
        for number, name in enumerate(_FIELDS)
    ]  # fmt: skip
    template = {
        "name": "Card 1", "ord": 0, "qfmt": "{{Front}}", "afmt": _ANSWER, "bqfmt": "", "bafmt": "",
        "did": None,
    }  # fmt: skip
    model = {
        "id": MODEL_ID, "name": "quiz", "type": 0, "mod": now_s, "usn": -1, "sortf": 0, "did": 1,
        "tmpls": [template], "flds": fields, "css": _STYLE, "latexPre": "", "latexPost": "",
        "req": [[0, "any", [1]]], "tags": [], "vers": [],
    }  # fmt: skip
    return {str(MODEL_ID): model}


def _decks(decks: Mapping[str, int]) -> dict[str, Any]:
    named = {"Default": 1, **decks}
    return {
        str(number): {
            "id": number, "name": name, "mod": 0, "usn": -1, "lrnToday": [0, 0],
            "revToday": [0, 0], "newToday": [0, 0], "timeToday": [0, 0], "collapsed": False,
            "browserCollapsed": False, "desc": "", "dyn": 0, "conf": 1, "extendNew": 0,
            "extendRev": 0,
        }
        for name, number in named.items()
    }  # fmt: skip


_SECOND_SCHEDULER = 2
"""From this version of Anki's scheduler on, every answer has four buttons."""
_CONF = {
    "nextPos": 1, "estTimes": True, "activeDecks": [1], "sortType": "noteFld", "timeLim": 0,
    "sortBackwards": False, "addToCur": True, "curDeck": 1, "newBury": True, "newSpread": 0,
    "dueCounts": True, "curModel": str(MODEL_ID), "collapseTime": 1200,
    "schedVer": _SECOND_SCHEDULER, "sched2021": True,
}  # fmt: skip
_DCONF = {
    "1": {
        "id": 1, "name": "Default", "mod": 0, "usn": 0, "maxTaken": 60, "autoplay": True,
        "timer": 0, "replayq": True, "dyn": False,
        "new": {"bury": False, "delays": [1, 10], "initialFactor": 2500, "ints": [1, 4, 0],
                "order": 1, "perDay": 20},
        "rev": {"bury": False, "ease4": 1.3, "ivlFct": 1, "maxIvl": 36500, "perDay": 200,
                "hardFactor": 1.2},
        "lapse": {"delays": [10], "leechAction": 1, "leechFails": 8, "minInt": 1, "mult": 0},
    }
}  # fmt: skip


def is_package(path: Path) -> bool:
    """Return True if the file is a zip file, as packages are, or should be one by its name."""
    with path.open("rb") as file:
        begins = file.read(len(_ZIP)) == _ZIP
    return begins or path.suffix.lower() in _ENDINGS or zipfile.is_zipfile(path)


_ZIP = b"PK\x03\x04"
_ENDINGS = (".apkg", ".colpkg")


@dataclass(frozen=True, slots=True)
class Collection:
    """What a package holds. `offset_s`: of the clock by which its days begin."""

    notes: tuple[ReadNote, ...]
    offset_s: int


def read_package(path: Path) -> Collection:
    """Read the notes of a package with the reviews of their first cards.

    Raises BadImport: it is not a package, or one that cannot be read here.
    """
    try:
        with _open_collection(path) as connection:
            (crt,) = connection.execute("SELECT crt FROM col").fetchone()
            offset_s = (ROLLOVER_HOUR * 3600 - int(crt) + DAY_S // 2) % DAY_S - DAY_S // 2
            return Collection(tuple(_read_notes(connection)), offset_s)
    except (*_DAMAGED, NotImplementedError, RuntimeError) as error:
        raise _bad(path, fact("anki.damaged")) from error
    except _MALFORMED as error:
        raise _bad(path, fact("anki.not-a-collection")) from error


def _bad(path: Path, reason: Fact) -> BadImport:
    return BadImport(fact("anki.unreadable", file=str(path), reason=reason))


@contextmanager
def _open_collection(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the database within a package, read-only; nothing else of the package is unpacked."""
    with zipfile.ZipFile(path) as package, tempfile.TemporaryDirectory() as folder:
        _refuse_strange(path, package)
        names = set(package.namelist())
        name = next((each for each in (_NEWEST, _NEWER, _OLDEST) if each in names), None)
        if name is None:
            raise _bad(path, fact("anki.no-collection"))
        database = Path(folder) / "collection.db"
        with package.open(name) as packed, database.open("wb") as file:
            _copy(path, zstd.ZstdFile(packed) if name == _NEWEST else packed, file)
        uri = f"{database.as_uri()}?mode=ro&immutable=1"
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.create_collation("unicase", _compare_names)
            found = dict(connection.execute("SELECT name, type FROM sqlite_master").fetchall())
            # A view could compute without end.
            if any(found.get(table) != "table" for table in _TABLES):
                raise _bad(path, fact("anki.no-collection"))
            yield connection


def _compare_names(left: str, right: str) -> int:
    """Compare as Anki's own collation does, which its newer tables need."""
    one, other = left.casefold(), right.casefold()
    return (one > other) - (one < other)


def _refuse_strange(path: Path, package: zipfile.ZipFile) -> None:
    """Refuse what no package of Anki has, although nothing would be unpacked by these names."""
    for member in package.infolist():
        parts = Path(member.filename).parts
        is_link = stat.S_ISLNK(member.external_attr >> 16)
        if is_link or ".." in parts or member.filename.startswith(("/", "\\")):
            raise _bad(path, fact("anki.strange-member", name=member.filename[:200]))


def _copy(path: Path, source: IO[bytes] | zstd.ZstdFile, target: IO[bytes]) -> None:
    """Copy at most as much as a collection may have, whatever the package says of its size."""
    size = 0
    while piece := source.read(_PIECE):
        size += len(piece)
        if size > MOST_BYTES:
            raise _bad(path, fact("anki.too-large", limit=MOST_BYTES >> 20))
        target.write(piece)


def _read_notes(connection: sqlite3.Connection) -> Iterator[ReadNote]:
    decks, four = _deck_names(connection), _has_four_buttons(connection)
    reviews: dict[int, list[Review]] = {}
    query = "SELECT id, cid, ease, ivl, lastIvl, time, type FROM revlog ORDER BY id"
    for at_ms, card, ease, days, before, duration, kind in connection.execute(query):
        # While learning, the first scheduler had Again, Good, Easy.
        rating = int(ease) + (not four and kind in _LEARNING and ease in _SHIFTED)
        review = Review(
            int(at_ms), rating, int(days), int(before), max(0, int(duration)), int(kind)
        )
        reviews.setdefault(card, []).append(review)
    cards: dict[int, list[tuple[int, int, int, int, int]]] = {}
    query = "SELECT nid, id, did, queue, type, mod FROM cards ORDER BY ord"
    for note, *card in connection.execute(query):
        number, deck, queue, kind, changed_s = map(int, card)
        cards.setdefault(note, []).append((number, deck, queue, kind, changed_s))
    for name, guid, tags, fields in connection.execute(
        "SELECT id, guid, tags, flds FROM notes ORDER BY id"
    ):
        its = cards.get(name, [])
        card, deck, queue, kind, changed_s = its[0] if its else (0, 0, 0, 0, 0)
        yield ReadNote(
            id=int(name), guid=str(guid), fields=tuple(str(fields).split(SEPARATOR)),
            tags=tuple(str(tags).split()), deck=decks.get(deck, ""),
            reviews=tuple(reviews.get(card, ())), cards=len(its), suspended=queue == _SUSPENDED,
            scheduled=kind in _SCHEDULED, changed_ms=changed_s * 1000,
        )  # fmt: skip


class _Conf(msgspec.Struct):
    """What is read of `col.conf`."""

    schedVer: int = 1  # noqa: N815 - Anki's name


class _Deck(msgspec.Struct):
    """What is read of a deck in `col.decks`."""

    name: str


_conf = msgspec.json.Decoder(_Conf)
_deck_table = msgspec.json.Decoder(dict[str, _Deck])
_SUSPENDED = -1
"""The queue of such a card."""
_SCHEDULED = (1, 2, 3)
"""The types of cards that are learned, reviewed, or learned again: all but new ones."""
_LEARNING = (0, 2)
_SHIFTED = (2, 3)


def _has_four_buttons(connection: sqlite3.Connection) -> bool:
    """Return False for a collection of Anki's first scheduler; newer forms keep no `conf` here."""
    (text,) = connection.execute("SELECT conf FROM col").fetchone()
    return not text or _conf.decode(text).schedVer >= _SECOND_SCHEDULER


def _deck_names(connection: sqlite3.Connection) -> dict[int, str]:
    """Read the names of decks: from a table in newer collections, else from the JSON in `col`."""
    found = dict(connection.execute("SELECT name, type FROM sqlite_master").fetchall())
    if found.get("decks") == "table":
        rows: Iterable[tuple[Any, Any]] = connection.execute("SELECT id, name FROM decks")
        return {int(number): str(name).replace(SEPARATOR, "::") for number, name in rows}
    (text,) = connection.execute("SELECT decks FROM col").fetchone()
    return {int(number): deck.name for number, deck in _deck_table.decode(text).items()}
