"""Reads a submission from a file or from standard input, once or after each save."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

from grader.facts import fact
from quizapp.deck.regular_files import IrregularFile, read_regular
from quizapp.domain.errors import UsageError

POLL_SECONDS = 0.3
LONGEST = 1_000_000
"""Bytes: a larger file is not a submission."""
STANDARD_INPUT = "-"


def read_submission(file: Path) -> str:
    """Read the submission; `-` is standard input.

    Raises:
        UsageError: the file does not exist, or is not text.
    """
    if str(file) == STANDARD_INPUT:
        data = sys.stdin.buffer.read(LONGEST + 1)
    else:
        if not file.exists():
            raise UsageError(fact("file.missing", file=str(file)), fact("grade.name-file"))
        if file.is_dir():
            raise UsageError(fact("file.folder", file=str(file)), fact("grade.name-file"))
        try:
            data = read_regular(str(file), LONGEST)
        except IrregularFile as error:
            raise UsageError(fact("grade.not-a-file", file=str(file), what=error.what)) from None
    if len(data) > LONGEST:
        raise UsageError(fact("grade.too-large", most=LONGEST))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(fact("code-file.not-utf8", file=str(file), byte=error.start)) from None


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
