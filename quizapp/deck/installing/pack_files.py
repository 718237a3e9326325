"""The files of a pack from elsewhere, read into memory: of a folder, of a zip file; and a zip made.

What could do harm where it is written is refused: names that lead out of the pack, links, devices,
two names that are one on some disk, and more files or bytes than a pack has. Writes no file.
"""

from __future__ import annotations

import io
import os
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path

from grader.facts import Fact, fact
from quizapp.deck.index import is_read
from quizapp.deck.regular_files import MOST_BYTES, IrregularFile, read_regular
from quizapp.domain.errors import BadPack
from quizapp.system import os_errors
from quizapp.system.safe_text import is_safe

MOST_FILES = 5_000
MOST_TOTAL = 32_000_000
"""Bytes of all files together; the shipped packs are below 3 MB."""

_LONGEST_NAME = 200
_MADE = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip file can state: the same files make the same bytes."""
_SKIPPED = ("__pycache__",)
_ENCRYPTED = 1

PackFiles = Mapping[str, bytes]
"""By their paths below some folder, with `/`."""


class Collector:
    """Collects the files of one pack, and refuses what a pack must not hold."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self._files: dict[str, str] = {}
        self._folders: dict[str, str] = {}
        self._bytes = 0

    def add(self, name: str, read: Callable[[int], bytes]) -> None:
        """Add a file, unless no deck reads a file of that name.

        `read`: reads at most so many bytes of it, or one more if there are more.

        Raises BadPack: the pack must not hold it.
        """
        check_name(name)
        if not is_kept(name):
            return
        self._check_unique(name)
        if len(self.files) == MOST_FILES:
            raise BadPack(fact("pack.too-many-files", most=MOST_FILES))
        data = read(MOST_BYTES)
        if len(data) > MOST_BYTES:
            raise BadPack(fact("pack.file-too-large", file=name, megabytes=MOST_BYTES // 10**6))
        self._bytes += len(data)
        if self._bytes > MOST_TOTAL:
            raise BadPack(fact("pack.too-large", megabytes=MOST_TOTAL // 10**6))
        self.files[name] = data

    def _check_unique(self, name: str) -> None:
        """Refuse two names that are one file on a disk that ignores case or composition."""
        parts = name.split("/")
        for end in range(1, len(parts)):
            folder = "/".join(parts[:end])
            known = self._folders.setdefault(_fold(folder), folder)
            clash = self._files.get(_fold(folder)) or (known if known != folder else None)
            if clash:
                raise BadPack(fact("pack.same-name", file=name, other=clash))
        clash = self._files.get(_fold(name)) or self._folders.get(_fold(name))
        if clash:
            raise BadPack(fact("pack.same-name", file=name, other=clash))
        self._files[_fold(name)] = name


def check_name(name: str) -> None:
    """Check that a path leads to a place below the pack, on every system.

    Raises BadPack: it does not, or could not be written.
    """
    parts = name.split("/")
    if name.startswith("/") or ".." in parts or "\\" in name or ":" in parts[0]:
        raise BadPack(fact("pack.leads-out", file=name))
    named = all(part not in ("", ".") for part in parts)
    if not named or len(os.fsencode(name)) > _LONGEST_NAME or not is_safe(name) or "\n" in name:
        raise BadPack(fact("pack.bad-name", file=name[:_LONGEST_NAME]))


def is_kept(name: str) -> bool:
    """Return True if a pack keeps a file of this path."""
    return all(is_read(part) and part not in _SKIPPED for part in name.split("/"))


def read_folder(folder: Path) -> PackFiles:
    """Read the files of a folder. Raises BadPack: it holds what a pack must not."""
    found = Collector()
    _read_below(folder, "", found)
    return found.files


def read_zip(path: Path) -> PackFiles:
    """Read the files of a zip file.

    Raises BadPack: it is not one, or holds what a pack must not.
    """
    try:
        if path.stat().st_size > MOST_TOTAL:
            raise BadPack(fact("pack.too-large", megabytes=MOST_TOTAL // 10**6))
        with zipfile.ZipFile(path) as archive:
            return _read_members(archive)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as error:
        raise BadPack(fact("pack.bad-zip", file=str(path), reason=str(error))) from None
    except OSError as error:
        reason = os_errors.system_reason(error)
        raise BadPack(fact("pack.bad-zip", file=str(path), reason=reason)) from None


def make_zip(files: PackFiles, programs: Collection[str] = ()) -> bytes:
    """Write files into a zip file; the same files always give the same bytes.

    `programs`: the names of those that can be run.
    """
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in sorted(files.items()):
            member = zipfile.ZipInfo(name, _MADE)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.create_system = 3  # Unix, wherever it is made
            mode = 0o755 if name in programs else 0o644
            member.external_attr = (stat.S_IFREG | mode) << 16
            archive.writestr(member, data)
    return made.getvalue()


def _read_below(folder: Path, below: str, found: Collector) -> None:
    try:
        with os.scandir(folder) as listed:
            entries = sorted(listed, key=lambda entry: entry.name)
    except OSError as error:
        reason = os_errors.system_reason(error)
        raise BadPack(fact("file.unreadable", path=str(folder), reason=reason)) from None
    for entry in entries:
        name = f"{below}{entry.name}"
        if not is_kept(name):
            continue
        if entry.is_symlink():
            raise BadPack(fact("pack.link", file=name))
        if entry.is_dir():
            _read_below(Path(entry.path), f"{name}/", found)
        else:
            found.add(name, partial(_read_plain, entry.path, name))


def _read_plain(path: str, name: str, most: int) -> bytes:
    try:
        return read_regular(path, most)
    except IrregularFile as error:
        raise BadPack(fact("pack.not-plain", file=name, reason=error.what)) from None
    except OSError as error:
        reason = os_errors.system_reason(error)
        raise BadPack(fact("file.unreadable", path=path, reason=reason)) from None


def _read_members(archive: zipfile.ZipFile) -> PackFiles:
    members = archive.infolist()
    if len(members) > 2 * MOST_FILES:  # folders, and files that are not kept, are listed too
        raise BadPack(fact("pack.too-many-files", most=MOST_FILES))
    found = Collector()
    for member in members:
        name = member.orig_filename
        kind = stat.S_IFMT(member.external_attr >> 16)
        if name.endswith("/"):
            check_name(name[:-1])
        elif kind not in (0, stat.S_IFREG):
            raise BadPack(_refuse_kind(name, kind))
        elif member.flag_bits & _ENCRYPTED:
            raise BadPack(fact("pack.encrypted", file=name))
        else:
            found.add(name, partial(_read_member, archive, member))
    return found.files


def _refuse_kind(name: str, kind: int) -> Fact:
    if stat.S_ISLNK(kind):
        return fact("pack.link", file=name)
    return fact("pack.not-plain", file=name, reason=fact("file.device"))


def _read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int) -> bytes:
    """Read at most one byte more than allowed, whatever size the member claims to have."""
    with archive.open(member) as file:
        return file.read(most + 1)


def _fold(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()
