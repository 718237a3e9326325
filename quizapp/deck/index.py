"""The compiled deck: what a session needs of every question, and its body to be decoded on demand.

A compiled deck is one file: a JSON header line with the entries, then the questions' JSON one
after the other. It is valid for exactly the content it was made from: the header carries a hash of
every content file. Reading it must stay fast, so this module imports neither YAML nor msgspec
(18 ms) nor pathlib (2 ms).
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

FORMAT = 1
"""Raise when the header or the question types change meaning: older files are then not used."""


class Entry(NamedTuple):
    """One question of the deck, without its text.

    `id` is canonical (`pack/id`), as are `requires` and `was`. `file`, `line`: where it stands,
    1-based. `changed`: a file of the person's overlays the shipped one. `start`, `length`: its JSON
    in the bodies.
    """

    id: str
    kind: str
    topic: str
    concept: str
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


class Compiled(NamedTuple):
    """A compiled deck as read: entries, how many questions were left out, and all bodies."""

    entries: tuple[Entry, ...]
    left_out: int
    bodies: bytes


class SourceFile(NamedTuple):
    """One content file: the root it was found under, its path below it, and its bytes."""

    root: str
    path: str
    data: bytes

    @property
    def pack(self) -> str:
        """The folder directly below the root."""
        return self.path.split("/", 1)[0]


def sources(roots: Iterable[str]) -> list[SourceFile]:
    """All question files below the roots, in a fixed order; roots that do not exist have none."""
    found: list[SourceFile] = []
    for root in roots:
        for path in sorted(_yaml_files(root, "")):
            with open(os.path.join(root, path), "rb") as file:  # noqa: PTH118, PTH123
                found.append(SourceFile(root, path, file.read()))
    return found


def fingerprint(files: Iterable[SourceFile]) -> str:
    """A hash of names and content: equal means that compiling would give the same deck."""
    digest = hashlib.sha256(f"{FORMAT}".encode())
    for file in files:
        digest.update(f"\0{file.root}\0{file.path}\0{len(file.data)}\0".encode())
        digest.update(file.data)
    return digest.hexdigest()


def read(path: str, expected: str) -> Compiled | None:
    """The compiled deck at `path`; None when absent, damaged or made from other content."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            data = file.read()
    except OSError:
        return None
    head, _, bodies = data.partition(b"\n")
    try:
        header = json.loads(head)
        if header["fingerprint"] != expected or header["checksum"] != zlib.crc32(bodies):
            return None
        entries = tuple(_entry(row) for row in header["entries"])
        return Compiled(entries, header["left_out"], bodies)
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        return None


def write(path: str, expected: str, compiled: Compiled) -> None:
    """Write beside, then rename, so that a reader sees the old file or the new one whole."""
    header = {
        "fingerprint": expected,
        "checksum": zlib.crc32(compiled.bodies),
        "left_out": compiled.left_out,
        "entries": compiled.entries,
    }
    beside = f"{path}.{os.getpid()}"
    os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120
    with open(beside, "wb") as file:  # noqa: PTH123
        file.write(json.dumps(header, separators=(",", ":")).encode())
        file.write(b"\n")
        file.write(compiled.bodies)
    os.replace(beside, path)  # noqa: PTH105


def _entry(row: list[object]) -> Entry:
    entry = Entry._make(row)
    return entry._replace(requires=tuple(entry.requires), was=tuple(entry.was))


def _yaml_files(root: str, below: str) -> Iterator[str]:
    """Paths of `*.yaml` and `*.yml` in the packs below `root`; files at the root are no pack's."""
    try:
        with os.scandir(os.path.join(root, below)) as found:  # noqa: PTH118
            entries = list(found)
    except (FileNotFoundError, NotADirectoryError):
        return
    for entry in entries:
        path = f"{below}/{entry.name}" if below else entry.name
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            yield from _yaml_files(root, path)
        elif below and entry.name.endswith((".yaml", ".yml")) and entry.is_file():
            yield path
