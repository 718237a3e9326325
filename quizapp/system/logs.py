"""The log file: what happened, for finding a fault. Never what a person answered.

Of events it gets ids and types, of errors the class and the places in our source. Messages of
exceptions stay out: `could not convert 'what they typed' to float` quotes an answer.
"""

from __future__ import annotations

import logging
import traceback
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

SIZE = 512 * 1024
FILES = 3

_ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]

_logger = logging.getLogger("quizapp")


class _Discreet(logging.Formatter):
    """Writes an exception as its class and its places, without what it says."""

    def formatException(self, ei: _ExcInfo) -> str:  # noqa: N802 - logging's name
        """Describe the error that is logged, and those that led to it."""
        return "\n".join(_places(ei[1]))


class _QuietFile(RotatingFileHandler):
    """A log that cannot be written is not an error: the program goes on, the screen stays whole."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """Do nothing: `logging` would print a traceback onto the screen."""


def set_up(path: Path) -> None:
    """Log to `path` from now on, in `FILES` files of `SIZE` bytes; again with the same: nothing."""
    if any(getattr(h, "baseFilename", "") == str(path.absolute()) for h in _logger.handlers):
        return
    close()
    _logger.setLevel(logging.INFO)
    _logger.propagate = False
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = _QuietFile(path, maxBytes=SIZE, backupCount=FILES - 1, encoding="utf-8")
    except OSError:
        _logger.addHandler(logging.NullHandler())
        return
    file.setFormatter(_Discreet("%(asctime)s %(process)d %(levelname)s %(message)s"))
    _logger.addHandler(file)


def close() -> None:
    """Close the file."""
    for handler in list(_logger.handlers):
        _logger.removeHandler(handler)
        with suppress(OSError):  # what a full disk could not take is flushed once more
            handler.close()


def record(what: str, **facts: str | int) -> None:
    """Log that something happened: `record("reset", questions=3)`. Ids, types and counts only."""
    _logger.info("%s", " ".join([what, *(f"{name}={value}" for name, value in facts.items())]))


def failure(error: BaseException) -> None:
    """Log an error: its class, where it was raised, and the errors that led to it."""
    _logger.error("failed", exc_info=error)


def failure_in(path: Path, error: BaseException) -> str:
    """Log an error in a file of which nobody has said yet that it is the log; return its path."""
    set_up(path)
    failure(error)
    return str(path)


def _places(error: BaseException | None) -> list[str]:
    lines: list[str] = []
    seen: set[int] = set()
    cause = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        lines.append(f"{'because of ' if lines else ''}{type(cause).__qualname__}")
        frames = traceback.extract_tb(cause.__traceback__)
        lines += [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    return lines
