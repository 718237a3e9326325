"""The compiled deck: what a session needs of every question, and its body to be decoded on demand.

A compiled deck is one file: a header line, tables of the entries and packs, what the disk said of
the content's files, and the questions' JSON one after the other. It is valid for exactly the
content it was made from: the header begins with a hash of every content file. Reading it must stay
fast, so this module imports neither YAML nor msgspec (18 ms), json (6 ms), typing (6 ms), hashlib
(4 ms) or pathlib (2 ms).
"""

from __future__ import annotations

import marshal
import os
import time
import zlib
from collections import namedtuple
from mmap import ACCESS_READ, mmap
from operator import eq

from grader import facts
from quizapp.deck.regular_files import IrregularFile, read_regular
from quizapp.system.file_state import look_at

TYPE_CHECKING = False
"""Type checkers take this name for true; `typing` takes 6 of the 15 ms a cached deck may take."""

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.facts import Fact

FORMAT = 16
"""Raise when the table or the question types change meaning: older files are then not used."""

YAML = (".yaml", ".yml")
PACK_FILE = "pack.yaml"
GLOSSARY = "glossary.yaml"
ASKED = "asked.yaml"
BESIDE_PACKS = (GLOSSARY, ASKED)
"""In a folder of packs, and in none of them: they hold no questions."""
FOLDER_FILE = "question.yaml"
"""A question with a folder of its own: kernels, with code files beside."""
CODE = (".py", ".cu")
WRONG_FOLDER = "wrong"
MOCK_FOLDER = "mock"
"""In a pack: its files are themes of mock interviews, which hold no questions of the deck."""
SET_ASIDE = ".reverted"
"""In the name of a file or folder: a person keeps it, and no deck reads it."""

_HEADER_FIELDS = 6
_LONGEST_HEADER = 200
_MARSHAL = 4
"""A form that all versions of Python read. To split and convert texts took 2.6 ms instead of 1."""
_TICK_NS = 2_000_000_000
"""The coarsest clock of a file system: FAT's."""


class Entry(
    namedtuple(
        "Entry",
        "id kind topic topic_en topic_zh concept builds_on asked difficulty requires rev was"
        " content_hash file line changed start length digest listed extra",
        defaults=("", 0, ""),
    )
):
    """One question of the deck, without its text.

    `id` is canonical (`pack/id`), as are `requires` and `was`. `topic_en`, `topic_zh`: the name
    that its pack gives the topic. `builds_on`: concepts that it is asked after. `asked`: how many
    lists of interview questions ask for its concept, all and by kind of job (`quizapp.deck.asked`).
    `file`, `line`: where it stands, 1-based. `changed`: a file of the person's overlays the shipped
    one. `start`, `length`: its JSON in the bodies. `digest`: of all that its file was compiled
    from; empty if the file had a problem. `listed`: how many questions the file lists; 0 if it is
    one question and no list. `extra`: what must be installed before it can be asked; "" for most.
    """

    __slots__ = ()

    id: str
    kind: str
    topic: str
    topic_en: str
    topic_zh: str
    concept: str
    builds_on: tuple[str, ...]
    asked: tuple[int, ...]
    difficulty: int
    requires: tuple[str, ...]
    rev: int
    was: tuple[str, ...]
    content_hash: str
    file: str
    line: int
    changed: bool
    start: int
    length: int
    digest: str
    listed: int
    extra: str

    @property
    def pack(self) -> str:
        """The id of its pack."""
        return self.id.split("/", 1)[0]

    @property
    def topic_names(self) -> tuple[str, str]:
        """What its topic is called in English and in Chinese."""
        return self.topic_en, self.topic_zh


class PackEntry(
    namedtuple("PackEntry", "id title_en title_zh about_en about_zh on_by_default version license")
):
    """A pack that has questions, as its `pack.yaml` describes it; without one, by its folder.

    `version`, `license`: empty if it states none.
    """

    __slots__ = ()

    id: str
    title_en: str
    title_zh: str
    about_en: str
    about_zh: str
    on_by_default: bool
    version: str
    license: str

    @property
    def titles(self) -> tuple[str, str]:
        """What it is called in English and in Chinese."""
        return self.title_en, self.title_zh

    @property
    def descriptions(self) -> tuple[str, str]:
        """What it is about in English and in Chinese; may be empty."""
        return self.about_en, self.about_zh


class CompiledDeck(
    namedtuple(
        "CompiledDeck", "entries packs left_out bodies fingerprint state", defaults=("", b"")
    )
):
    """A compiled deck as read: entries, packs, how many questions were left out, and all bodies.

    `fingerprint`: of the content it was made from; empty for one that was just compiled. `state`:
    of the content's files then, as `file_state` has it.

    The bodies of a file are mapped, not copied: that took 3 of the 15 ms. `write` replaces the
    file and never changes one, so what is mapped stays as it was.
    """

    __slots__ = ()

    entries: tuple[Entry, ...]
    packs: tuple[PackEntry, ...]
    left_out: int
    bodies: bytes | memoryview
    fingerprint: str
    state: bytes


class ContentRoot(namedtuple("ContentRoot", "root inside")):
    """Where content is: a folder of packs, and what below it counts: empty for all packs."""

    __slots__ = ()

    root: str
    inside: str


class SourceFile(namedtuple("SourceFile", "root path data stamp refused")):
    """One content file: the root it was found under, its path below it, and its bytes.

    `stamp` tells the versions of the Python files beside it, where it is a kernel question's.
    `refused` says why nothing of it was read; None for nearly all.
    """

    __slots__ = ()

    root: str
    path: str
    data: bytes
    stamp: str
    refused: Fact | None

    @property
    def pack(self) -> str:
        """The folder directly below the root."""
        return self.path.split("/", 1)[0]


def sources(places: Iterable[str | ContentRoot]) -> list[SourceFile]:
    """Read all question files of some places, in a fixed order; those that are missing have none.

    A text is the path of a folder of packs. What is in two of the places counts for the first.
    """
    return _read_all(places, themes=False)


def file_state(places: Iterable[str | ContentRoot]) -> bytes:
    """List all files and folders that decide what `sources` reads, with how each is now.

    Empty while it would not tell: what was written just now may be written again within the same
    tick of the disk's clock.
    """
    roots = [*map(as_root, places)]
    watched = [path for root, inside in roots for path in _watched(root, inside)]
    looks = [*map(look_at, watched)]
    latest = max((look[-1] for look in looks if look), default=0)
    told = marshal.dumps((_name_roots(roots), watched, looks), _MARSHAL)
    return told if time.time_ns() - latest > _TICK_NS else b""


def is_as_it_was(state: bytes, places: Iterable[str | ContentRoot]) -> bool:
    """Return True if `sources` would read what it read in this `file_state`.

    Nothing need be read or listed: that took two thirds of the time for a cached deck.
    """
    if not state:
        return False
    named, watched, looks = marshal.loads(state)  # noqa: S302 - of a file with its checksum
    return named == _name_roots(map(as_root, places)) and all(map(eq, map(look_at, watched), looks))


def _name_roots(roots: Iterable[ContentRoot]) -> str:
    return "\n".join(f"{root}\n{inside}" for root, inside in roots)


def _watched(root: str, inside: str) -> Iterator[str]:
    """Yield all paths of a place whose state decides what is read of it; rather too many."""
    if inside:
        yield from _below(os.path.join(root, inside.split("/", 1)[0]))
        return
    yield from (root, root + os.sep + ASKED)
    for entry in _entries_of(root):
        if is_read(entry.name):
            yield from _below(entry.path)


def _below(path: str) -> Iterator[str]:
    yield path
    for entry in _entries_of(path):
        if not is_read(entry.name):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _below(entry.path)
        elif entry.is_symlink() or entry.name.endswith((*YAML, *CODE)):
            yield entry.path


def theme_sources(places: Iterable[str | ContentRoot]) -> list[SourceFile]:
    """Read all themes of mock interviews of some places, with the packs' own files."""
    return _read_all(places, themes=True)


def _read_all(places: Iterable[str | ContentRoot], *, themes: bool) -> list[SourceFile]:
    found: dict[tuple[str, str], SourceFile] = {}
    for place in places:
        root, inside = as_root(place)
        for path, versions in sorted(_yaml_at(root, inside)):
            wanted = is_theme(path) == themes or path.endswith(f"/{PACK_FILE}")
            if wanted and (root, path) not in found:
                found[root, path] = source_file(root, path, versions)
    return list(found.values())


def is_theme(path: str) -> bool:
    """Return True if a file, by its path below its root, is a theme of mock interviews."""
    return path.split("/")[1:2] == [MOCK_FOLDER] and path.count("/") > 1


def as_root(place: str | ContentRoot) -> ContentRoot:
    """Return a place; a text is the path of a folder of packs."""
    return ContentRoot(place, "") if isinstance(place, str) else place


def source_file(root: str, path: str, versions: str) -> SourceFile:
    """Read a content file as it is now."""
    pack = os.path.join(root, path.split("/", 1)[0])
    if "/" not in path and path != ASKED:
        return SourceFile(root, path, b"", versions, facts.fact("file.outside-packs"))
    try:
        data = read_regular(os.path.join(root, path), pack=pack)
    except IrregularFile as error:
        return SourceFile(root, path, b"", versions, error.what)
    return SourceFile(root, path, data, versions, None)


def stamp(root: str, path: str) -> str:
    """Join names, sizes and times of the code files beside a `question.yaml`; else empty.

    Their content is not read: with some 200 of them that took half of the 15 ms.
    """
    folder, _, name = path.rpartition("/")
    if name != FOLDER_FILE:
        return ""
    return _stamp(_entries_of(os.path.join(root, folder)))


def _entries_of(folder: str) -> list[os.DirEntry[str]]:
    """List what is in a folder; nothing if it is not a folder."""
    try:
        with os.scandir(folder) as found:
            return list(found)
    except (FileNotFoundError, NotADirectoryError):
        return []


def _stamp(entries: list[os.DirEntry[str]]) -> str:
    return "".join(_stamps(entries))


def _stamps(entries: list[os.DirEntry[str]]) -> Iterator[str]:
    for entry in sorted(entries, key=lambda entry: entry.name):
        if entry.name.endswith(CODE) and is_read(entry.name):
            try:
                status = entry.stat()
            except FileNotFoundError:  # replaced just now
                continue
            yield f"{entry.name} {status.st_size} {status.st_mtime_ns}\n"
        elif entry.name == WRONG_FOLDER:
            yield from _stamps(_entries_of(entry.path))


def read(path: str) -> CompiledDeck | None:
    """Read the compiled deck at `path`, with the fingerprint of its content; None if damaged."""
    try:
        with open(path, "rb") as file:
            header = file.readline(_LONGEST_HEADER).split()
            data = memoryview(mmap(file.fileno(), 0, access=ACCESS_READ))
            rest = data[file.tell() :]
    except (OSError, ValueError):  # an empty file cannot be mapped
        return None
    if len(header) != _HEADER_FIELDS or header[1:3] != [str(FORMAT).encode(), _checksum(rest)]:
        return None
    left_out, table, state = map(int, header[3:])
    entries, packs = marshal.loads(rest[:table])  # noqa: S302 - ours, by its checksum
    return CompiledDeck(
        tuple(map(Entry._make, zip(*entries, strict=True))),
        tuple(map(PackEntry._make, packs)),
        left_out,
        rest[table + state :],
        header[0].decode(errors="replace"),
        bytes(rest[table : table + state]),
    )


def write(path: str, compiled: CompiledDeck) -> None:
    """Write beside, then rename, so that a reader sees the whole old file or the whole new one."""
    columns = [*zip(*compiled.entries, strict=True)]  # which are read faster than rows
    table = marshal.dumps((columns, [*map(tuple, compiled.packs)]), _MARSHAL)
    rest = table + compiled.state + bytes(compiled.bodies)
    sizes = (compiled.left_out, len(table), len(compiled.state))
    header = (compiled.fingerprint, str(FORMAT), _checksum(rest).decode(), *map(str, sizes))
    beside = f"{path}.{os.getpid()}"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(beside, "wb") as file:
        file.write(" ".join(header).encode() + b"\n" + rest)
    os.replace(beside, path)


def _checksum(data: bytes | memoryview) -> bytes:
    return str(zlib.crc32(data)).encode()


def is_read(name: str) -> bool:
    """Return True if a deck looks at a file or folder of that name."""
    return not name.startswith(".") and SET_ASIDE not in name


def _yaml_at(root: str, inside: str) -> Iterator[tuple[str, str]]:
    """Yield the files of a place: of all packs, of one or of a part of it, or a single one."""
    if not inside.endswith(YAML):
        yield from _yaml_files(root, inside)
    elif os.path.lexists(os.path.join(root, inside)):
        yield inside, stamp(root, inside)
    pack, _, part = inside.partition("/")
    about = f"{pack}/{PACK_FILE}"
    if part and about != inside and os.path.lexists(os.path.join(root, about)):
        yield about, ""


def _yaml_files(root: str, below: str) -> Iterator[tuple[str, str]]:
    """Yield paths of `*.yaml` and `*.yml` in the packs below `root`, each with its stamp.

    Files at the root are no pack's. Each folder is read once: with 28 kernels that is 1 ms of 15.
    """
    entries = _entries_of(os.path.join(root, below))
    a_kernel = any(entry.name == FOLDER_FILE for entry in entries)
    for entry in entries:
        if a_kernel and entry.name == WRONG_FOLDER:
            continue
        path = f"{below}/{entry.name}" if below else entry.name
        if not is_read(entry.name):
            continue
        # A pack may be a link. Below it, a link to a folder may lead anywhere, even in circles.
        if entry.is_dir(follow_symlinks=not below):
            yield from _yaml_files(root, path)
        elif entry.name.endswith(YAML) and (below or entry.name != GLOSSARY):
            # `source_file` refuses what is not a plain file, and what is in no pack.
            yield path, _stamp(entries) if entry.name == FOLDER_FILE else ""
        elif below and entry.is_symlink() and entry.is_dir():
            yield path, ""
