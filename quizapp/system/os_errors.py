"""Errors of the system as facts: what a person reads instead of `strerror`."""

from __future__ import annotations

import errno
import traceback

from grader.facts import Fact, fact

_REASONS = {
    errno.EACCES: fact("system.eacces"),
    errno.ECONNREFUSED: fact("system.econnrefused"),
    errno.EDQUOT: fact("system.edquot"),
    errno.EEXIST: fact("system.eexist"),
    errno.EIO: fact("system.eio"),
    errno.EISDIR: fact("system.eisdir"),
    errno.ENOENT: fact("system.enoent"),
    errno.ENOSPC: fact("system.enospc"),
    errno.ENOTDIR: fact("system.enotdir"),
    errno.EPERM: fact("system.eperm"),
    errno.EROFS: fact("system.erofs"),
}


def system_reason(error: OSError) -> Fact | str:
    """Return why the system refused; its own words if it is a rare reason."""
    return _REASONS.get(error.errno or 0, error.strerror or str(error))


def system_error(error: OSError) -> Fact:
    """Return what the system refused, and the file if it names one."""
    if error.filename:
        return fact("error.of-file", file=str(error.filename), reason=system_reason(error))
    return fact("error.system", reason=system_reason(error))


def print_traceback(error: BaseException) -> None:
    """Print where an error came from to standard error, for `QUIZ_DEBUG`."""
    traceback.print_exception(error)
