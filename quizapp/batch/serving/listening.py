"""The Unix socket that a server listens on: only its owner may connect; it goes with the server.

One that another server left behind is replaced; one that is in use, or another file, is not.
"""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from grader.facts import fact
from quizapp.domain.errors import EnvironmentProblem, UsageError
from quizapp.system import os_errors

_MODE = 0o600
_LONGEST = 103
"""Bytes of a path: Linux has room for 107, macOS for 103."""
_PATIENCE = 2.0
"""Seconds until a socket that does not answer counts as in use."""


@contextmanager
def listen(path: Path) -> Iterator[socket.socket]:
    """Listen on a path; it is removed at the end.

    Raises:
        UsageError: it is in use, is another kind of file, or is too long.
        EnvironmentProblem: the system refuses it.
    """
    if len(os.fsencode(path)) > _LONGEST:
        raise UsageError(fact("serve.long-path", path=str(path), most=_LONGEST))
    with socket.socket(socket.AF_UNIX) as listening:
        try:
            mine = _bind(listening, path)
        except OSError as error:
            reason = os_errors.system_reason(error)
            raise EnvironmentProblem(
                fact("serve.no-socket", path=str(path), reason=reason)
            ) from None
        try:
            yield listening
        finally:
            with suppress(OSError):
                if _identify(path) == mine:
                    path.unlink()


def _bind(listening: socket.socket, path: Path) -> tuple[int, int]:
    """Bind the socket, and return which file it is.

    Raises:
        UsageError: the path is in use.
        OSError: it cannot be bound.
    """
    folder = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)  # else two servers could replace the same old socket
        _make_room(path)
        listening.bind(str(path))
        path.chmod(_MODE)  # nobody can connect before `listen`
        listening.listen()
        return _identify(path)
    finally:
        os.close(folder)


def _make_room(path: Path) -> None:
    """Remove a socket that nobody listens on.

    Raises UsageError: somebody does, or it is not a socket.
    """
    try:
        kind = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(kind):
        raise UsageError(fact("serve.not-a-socket", path=str(path)))
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(_PATIENCE)
        refused = client.connect_ex(str(path))
    if refused != errno.ECONNREFUSED:
        raise UsageError(fact("serve.in-use", path=str(path)))
    path.unlink()


def _identify(path: Path) -> tuple[int, int]:
    found = path.lstat()
    return found.st_dev, found.st_ino
