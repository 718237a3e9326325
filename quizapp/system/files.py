"""Writes files and folders whole: a reader sees the old state or the new one, never half of it.

Decides nothing about what is written where.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from grader.facts import fact
from quizapp.domain.errors import EnvironmentProblem
from quizapp.system import os_errors

_FILE_MODE = 0o644
_FOLDER_MODE = 0o755
_PLAIN = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""A FIFO must not block."""


def find_free(stem: Path, *endings: str) -> tuple[Path, ...]:
    """Return paths with these endings where no file is: `stem`, or `stem-2` and so on."""
    for number in count(1):
        name = stem.name if number == 1 else f"{stem.name}-{number}"
        paths = tuple(stem.with_name(f"{name}{ending}") for ending in endings)
        if not any(path.exists() for path in paths):
            return paths
    raise AssertionError("there is always another number")


def replace_file(path: Path, content: bytes) -> None:
    """Write beside, then rename. Raises EnvironmentProblem: nothing was written."""
    replace_file_by_parts(path, (content,))


def replace_file_by_parts(path: Path, parts: Iterable[bytes]) -> None:
    """Write beside, part by part, then rename. Raises EnvironmentProblem: nothing was written."""
    with name_unwritable(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(descriptor, "wb") as file:
                for part in parts:
                    file.write(part)
            Path(beside).chmod(_FILE_MODE)
            Path(beside).replace(path)
        except BaseException:
            Path(beside).unlink(missing_ok=True)
            raise


def open_plain(path: Path | str, flags: int) -> int:
    """Open a file in a folder that others may write to; also an opener for `open`.

    Raises:
        EnvironmentProblem: it is a link, has a second name, or is not a file.
        OSError: it cannot be opened.
    """
    irregular = EnvironmentProblem(fact("file.not-plain", path=str(path)))
    try:
        descriptor = os.open(path, flags | _PLAIN, _FILE_MODE)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK, errno.ENXIO):
            raise irregular from None
        raise
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
        os.close(descriptor)
        raise irregular
    return descriptor


def write_folder(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Make a folder that does not exist yet: written beside, then renamed.

    `folder`: at most an empty one may be in its place. `contents`: files by their path below it.

    Raises EnvironmentProblem: nothing was written; a folder with something in it stays as it is.
    """
    with name_unwritable(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
        try:
            for name, content in contents.items():
                (beside / name).parent.mkdir(parents=True, exist_ok=True)
                (beside / name).write_bytes(content)
            beside.chmod(_FOLDER_MODE)
            beside.rename(folder)
        except BaseException:
            shutil.rmtree(beside)
            raise


def remove_folder(folder: Path) -> None:
    """Remove a folder at once: renamed to what no deck reads, then removed.

    Raises EnvironmentProblem: it cannot be.
    """
    with name_unwritable(folder):
        aside = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
        shutil.rmtree(folder.rename(aside))


@contextmanager
def name_unwritable(path: Path) -> Iterator[None]:
    """Say of an `OSError` which file could not be written."""
    try:
        yield
    except OSError as error:
        reason = os_errors.system_reason(error)
        what = fact("file.not-written", path=str(path), reason=reason)
        raise EnvironmentProblem(what) from None
