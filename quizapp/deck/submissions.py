"""Reads a submission from a file or from standard input, once or after each save."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

from grader.facts import fact
from quizapp.deck.regular_files import IrregularFile, read_regular
from quizapp.domain.errors import UsageError
from quizapp.system import os_errors

POLL_SECONDS = 0.3
LONGEST = 1_000_000
"""Bytes: a larger file is not a submission."""
TOO_LARGE = fact("grade.too-large", most=LONGEST)
"""What is wrong with such a submission, wherever it is from."""
STANDARD_INPUT = "-"


def read_submission(file: Path) -> str:
    """Read the submission; `-` is standard input.

    Raises UsageError: the file does not exist, or is not text.
    """
    if str(file) == STANDARD_INPUT:
        return _decode(sys.stdin.buffer.read(LONGEST + 1), str(file))
    if not file.exists():
        raise UsageError(fact("file.missing", file=str(file)), fact("grade.name-file"))
    if file.is_dir():
        raise UsageError(fact("file.folder", file=str(file)), fact("grade.name-file"))
    return read_source(file, str(file))


def read_source(file: Path, name: str) -> str:
    """Read a file that is shown as `name`.

    Raises UsageError: it is not a file of text, too large, or cannot be read.
    """
    try:
        data = read_regular(str(file), LONGEST)
    except IrregularFile as error:
        if error.what.code == "file.too-large":
            raise UsageError(TOO_LARGE) from None
        raise UsageError(fact("grade.not-a-file", file=name, what=error.what)) from None
    except OSError as error:
        reason = os_errors.system_reason(error)
        raise UsageError(fact("code-file.unreadable", file=name, reason=reason)) from None
    return _decode(data, name)


def _decode(data: bytes, name: str) -> str:
    """Turn the bytes of a submission into text.

    Raises UsageError: they are not text, or too many.
    """
    if len(data) > LONGEST:
        raise UsageError(TOO_LARGE)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(fact("code-file.not-utf8", file=name, byte=error.start)) from None


def watch_submission(file: Path) -> Iterator[str]:
    """Yield the submission now and after each save; a file that is briefly gone is not a save."""
    seen: str | None = None
    while True:
        try:
            text = read_submission(file)
        except (OSError, UsageError):
            if seen is None:
                raise
        else:
            if text != seen:
                seen = text
                yield text
        time.sleep(POLL_SECONDS)
