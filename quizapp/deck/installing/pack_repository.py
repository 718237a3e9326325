"""The files of a pack in a git repository, fetched by https or ssh; nothing is checked out.

The newest commit is fetched into a bare repository, and its files are read from there: so no hook,
no filter, and no submodule of it has a turn, and no link is followed.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import IO, NamedTuple

from grader.facts import fact
from quizapp.deck.installing.pack_files import MOST_FILES, MOST_TOTAL, Collector, PackFiles
from quizapp.domain.errors import BadPack, EnvironmentProblem
from quizapp.system.safe_text import hide_password

PROTOCOLS = ("https", "ssh")
"""The protocols of git that may be used, whatever a person's git is configured to allow."""
FETCH_SECONDS = 300
MOST_FETCHED = 4 * MOST_TOTAL
"""Bytes on the disk after which a fetch is ended, of files that are not kept, too."""

_URL = re.compile(r"(?P<protocol>[a-z][a-z0-9+.-]*)://(?P<rest>\S*)")
_SSH = re.compile(r"[A-Za-z0-9_.]+@[A-Za-z0-9][A-Za-z0-9.-]*:[^:\s-]\S*")
_HOST = re.compile(r"([^@/\s]*@)?(\[[0-9A-Fa-f:]+\]|[A-Za-z0-9][A-Za-z0-9.-]*)(:\d+)?/\S+")
_POLL_SECONDS = 0.1
_QUIET: dict[str, str] = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_LFS_SKIP_SMUDGE": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C",
}
_SAFE = ("core.hooksPath=/dev/null", "core.fsmonitor=false", "submodule.recurse=false", "gc.auto=0")
_KEPT = ("GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_SSL_CAINFO")
"""Variables by which a person says how to connect; the others would say which repository it is."""
_LINK, _SUBMODULE, _TREE_FIELDS = "120000", "160000", 4


class _Blob(NamedTuple):
    """One file of a commit."""

    mode: str
    object: str
    size: int
    name: str


def is_url(text: str) -> bool:
    """Return True for what names a repository elsewhere, rather than a path."""
    return bool(_URL.match(text) or _SSH.fullmatch(text))


def check_url(url: str) -> None:
    """Check that a repository is to be fetched by https or ssh.

    Raises BadPack: by another way, or it names no host and path.
    """
    found = _URL.fullmatch(url)
    if found is None and not _SSH.fullmatch(url):
        raise BadPack(fact("pack.bad-url", url=hide_password(url)))
    if found is None:
        return
    if found["protocol"] not in PROTOCOLS:
        raise BadPack(fact("pack.bad-protocol", protocol=found["protocol"]))
    if found["protocol"] != "file" and not _HOST.fullmatch(found["rest"]):
        raise BadPack(fact("pack.bad-url", url=hide_password(url)))


def repository_name(url: str) -> str:
    """Return the last part of a URL, without `.git`."""
    return re.split(r"[/:]", url.rstrip("/"))[-1].removesuffix(".git")


def read_repository(url: str) -> PackFiles:
    """Read the files of a repository's newest commit, on its default branch.

    Raises:
        BadPack: it cannot be fetched, or holds what a pack must not.
        EnvironmentProblem: git is not installed.
    """
    check_url(url)
    with tempfile.TemporaryDirectory(prefix="quiz-pack-") as folder:
        bare = Path(folder) / "pack.git"
        options = ("--quiet", "--bare", "--depth=1", "--single-branch", "--no-tags", "--template=")
        _fetch(("clone", *options, "--", url, str(bare)), Path(folder), url)
        return _read_commit(bare, url)


def _read_commit(bare: Path, url: str) -> PackFiles:
    listed = _ask(("ls-tree", "-r", "-z", "--long", "--full-tree", "HEAD"), bare, url)
    blobs = list(_blobs(listed, url))
    if len(blobs) > 2 * MOST_FILES:
        raise BadPack(fact("pack.too-many-files", most=MOST_FILES))
    if sum(blob.size for blob in blobs) > MOST_FETCHED:
        raise BadPack(fact("pack.too-large", megabytes=MOST_TOTAL // 10**6))
    wanted = "".join(f"{blob.object}\n" for blob in blobs).encode()
    answer = _ask(("cat-file", "--batch"), bare, url, wanted) if blobs else b""
    found, at = Collector(), 0
    for blob in blobs:
        begin = answer.index(b"\n", at) + 1
        at = begin + blob.size + 1
        data = answer[begin : at - 1]
        found.add(blob.name, partial(_first_bytes, data))
    return found.files


def _first_bytes(data: bytes, most: int) -> bytes:
    return data[: most + 1]


def _blobs(listed: bytes, url: str) -> Iterator[_Blob]:
    """Yield the files of a commit, as `git ls-tree` lists them."""
    for line in listed.split(b"\0"):
        if not line:
            continue
        head, _, raw = line.partition(b"\t")
        fields = head.decode("ascii").split()
        try:
            name = raw.decode()
        except UnicodeDecodeError:
            raise BadPack(fact("pack.bad-name", file=raw.decode("utf-8", "replace"))) from None
        if len(fields) != _TREE_FIELDS:
            raise BadPack(
                fact("pack.not-fetched", url=hide_password(url), reason=head.decode("ascii"))
            )
        mode, _, object_name, size = fields
        if mode == _LINK:
            raise BadPack(fact("pack.link", file=name))
        if mode == _SUBMODULE:
            raise BadPack(fact("pack.submodule", file=name))
        yield _Blob(mode, object_name, int(size), name)


def _fetch(arguments: Sequence[str], folder: Path, url: str) -> None:
    """Run git while it is neither too long at it, nor fetches too much.

    Raises:
        BadPack: it failed, or was ended.
        EnvironmentProblem: git is not installed.
    """
    errors = folder / "errors"
    end = time.monotonic() + FETCH_SECONDS
    with errors.open("wb") as said, _start(arguments, stdout=said, stderr=said) as process:
        while process.poll() is None:
            large = _bytes_below(folder) > MOST_FETCHED
            if large or time.monotonic() > end:
                process.kill()
                process.wait()
                if large:
                    raise BadPack(fact("pack.too-large", megabytes=MOST_FETCHED // 10**6))
                raise BadPack(fact("pack.too-slow", n=FETCH_SECONDS))
            time.sleep(_POLL_SECONDS)
    if process.returncode:
        raise BadPack(
            fact("pack.not-fetched", url=hide_password(url), reason=_reason(errors.read_bytes()))
        )


def _bytes_below(folder: Path) -> int:
    """Sum up the files of a folder that git is writing to, which may go while they are counted."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                total += os.lstat(os.path.join(place, name)).st_size  # noqa: PTH118 - from `walk`
    return total


def _ask(arguments: Sequence[str], bare: Path, url: str, typed: bytes = b"") -> bytes:
    """Return what git prints about a repository that was fetched. Raises BadPack: it failed."""
    command = ("--git-dir", str(bare), *arguments)
    pipe = subprocess.PIPE
    with _start(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        out, errors = process.communicate(typed)
    if process.returncode:
        raise BadPack(fact("pack.not-fetched", url=hide_password(url), reason=_reason(errors)))
    return bytes(out)


def _start(
    arguments: Sequence[str],
    *,
    stdin: int = subprocess.DEVNULL,
    stdout: int | IO[bytes],
    stderr: int | IO[bytes],
) -> subprocess.Popen[bytes]:
    settings = [word for setting in _SAFE for word in ("-c", setting)]
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name in _KEPT
    }
    environment |= _QUIET | {"GIT_ALLOW_PROTOCOL": ":".join(PROTOCOLS)}
    try:
        return subprocess.Popen(
            ["git", *settings, *arguments],  # noqa: S607 - the person's git
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            env=environment,
        )
    except FileNotFoundError:
        raise EnvironmentProblem(fact("pack.no-git")) from None


def _reason(said: bytes) -> str:
    """Return the last line that git printed, which says why."""
    lines = said.decode("utf-8", "replace").split("\n")
    told = [line.strip() for line in lines if line.strip()]
    fatal = [line for line in told if line.startswith(("fatal:", "ERROR", "error:"))]
    return hide_password((fatal or told or ["git"])[0])
