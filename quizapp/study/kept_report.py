"""A report that is kept in a file until anything changes that it depends on.

What that is, is hashed into its key: of one that takes seconds to make the log, what the study made
of it, the deck, the settings, the day, and the program itself. So a report is never shown that
would be another one now, nor one whose file was damaged.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from msgspec import DecodeError, Raw, Struct, json

import quizapp
from quizapp.domain.errors import EnvironmentProblem
from quizapp.system.files import replace_file

if TYPE_CHECKING:
    from quizapp.study.service import Study

T = TypeVar("T")


class _Kept(Struct, frozen=True):
    """`seal`: a hash of the key and of the report."""

    seal: str
    report: Raw


def find_key(study: Study) -> str:
    """Hash everything that a report on this study may depend on.

    Cards and plan as well as the log: another program may have written since they were read.
    """
    parts = (
        program(),
        study.deck.fingerprint,
        study.store.log_stamp(),
        study.day,
        study.progress.goal,
        study.progress.parameters,
        study.settings,
        sorted(study.course.held_back.questions),
        list(study.progress.cards.values()),
    )
    return hash_parts(parts)


def hash_parts(parts: object) -> str:
    """Hash what a report depends on."""
    return hashlib.sha256(json.encode(parts)).hexdigest()


def read(path: Path | None, key: str, kind: type[T]) -> T | None:
    """Return the report that is kept; None if there is none under this key."""
    if path is None:
        return None
    with suppress(OSError, DecodeError):
        kept = json.decode(path.read_bytes(), type=_Kept)
        if kept.seal == _seal(key, kept.report):
            return json.decode(kept.report, type=kind)
    return None


def write(path: Path | None, key: str, report: object) -> None:
    """Keep a report in place of any before; where that is impossible, it is made again."""
    if path is None:
        return
    encoded = json.encode(report)
    with suppress(EnvironmentProblem):
        replace_file(path, json.encode(_Kept(_seal(key, encoded), Raw(encoded))))


def _seal(key: str, report: bytes | Raw) -> str:
    return hashlib.sha256(key.encode() + bytes(report)).hexdigest()


@cache
def program() -> list[tuple[str, int, int]]:
    """List the files of the program with their times: a version number does not tell edits."""
    return sorted(_stamps(str(Path(quizapp.__file__).parent)))


def _stamps(folder: str) -> Iterator[tuple[str, int, int]]:
    """Yield the modules of a folder; `os` takes 2 ms for what `pathlib` takes 4."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _stamps(entry.path)
            elif entry.name.endswith(".py"):
                found = entry.stat()
                yield entry.path, found.st_mtime_ns, found.st_size
