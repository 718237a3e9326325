"""The PTX of the counted launches, kept in one archive, so that no test needs a compiler."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

ARCHIVE = Path(__file__).parents[4] / "tests" / "data" / "ptx" / "counted.zip"
_INDEX = "index.json"
_PLACE = re.compile(r"^\s*\.(?:loc|file)\b.*\n", re.MULTILINE)
_DEBUG = re.compile(r"^\s*\.section\b.*\Z", re.MULTILINE | re.DOTALL)
_DAY = (2026, 11, 30, 0, 0, 0)
"""Of each member: the same texts make the same archive."""


class Compiled(NamedTuple):
    """What a compiler made of a kernel.

    Attributes:
        text: PTX without places in its source.
        entry: the kernel in it.
        shared: bytes of dynamic shared memory that the compiler wants.
        sha256: of what was compiled.
        compiler: with its version.
    """

    text: str
    entry: str
    shared: int
    sha256: str
    compiler: str


def strip(text: str) -> str:
    """Return PTX without what names lines of its source."""
    return _DEBUG.sub("", _PLACE.sub("", text.rstrip("\0")))


def save(found: Mapping[str, Compiled], path: Path = ARCHIVE) -> None:
    """Write an archive; a text that several launches have is in it once."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        index, named = {}, dict[str, str]()
        for name, each in found.items():
            digest = hashlib.sha256(each.text.encode()).hexdigest()
            file = named.setdefault(digest, f"{len(named)}.ptx")
            index[name] = [file, *each[1:]]
            if file not in archive.namelist():
                archive.writestr(_member(file), each.text)
        archive.writestr(_member(_INDEX), json.dumps(index, indent=0))


def _member(name: str) -> zipfile.ZipInfo:
    made = zipfile.ZipInfo(name, _DAY)
    made.compress_type = zipfile.ZIP_LZMA
    return made


def load(path: Path = ARCHIVE) -> Callable[[str], Compiled]:
    """Return what finds the PTX of a launch in an archive, by its name."""
    archive = zipfile.ZipFile(path)
    index = json.loads(archive.read(_INDEX))

    def find(name: str) -> Compiled:
        file, *rest = index[name]
        return Compiled(archive.read(file).decode(), *rest)

    return find
