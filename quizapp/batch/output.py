"""Writes the results of a run: CSV for a spreadsheet, JSON lines for a program."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from grader.facts import fact
from quizapp.batch.values import Result
from quizapp.domain.errors import UsageError
from quizapp.system.safe_text import as_cell, one_line

ENDINGS = (".csv", ".jsonl")
COLUMNS = (
    "student", "question", "status", "gate", "code", "reason", "language", "file", "sha256"
)  # fmt: skip
"""Of the CSV."""


def check_ending(out: Path) -> None:
    """Check that the form of the results follows from the name of their file.

    Raises UsageError: it does not.
    """
    if out.suffix not in ENDINGS:
        what = fact("file.ending", file=str(out), endings=ENDINGS)
        raise UsageError(what, fact("batch.endings"))


def write_rows(results: Iterable[Result], ending: str) -> Iterator[bytes]:
    """Yield the lines of the file."""
    return _csv_rows(results) if ending == ".csv" else map(_json_row, results)


def _csv_rows(results: Iterable[Result]) -> Iterator[bytes]:
    yield _csv_row(COLUMNS)
    for result in results:
        code = "" if result.reason is None else result.reason.code
        yield _csv_row(
            (
                result.student, result.question, result.status, result.gate, code, result.said,
                result.language, result.file, result.sha256,
            )
        )  # fmt: skip


def _csv_row(cells: Iterable[str]) -> bytes:
    line = io.StringIO()
    # Students choose the names of their files.
    csv.writer(line).writerow(as_cell(one_line(cell)) for cell in cells)
    return line.getvalue().encode()


def _json_row(result: Result) -> bytes:
    plain = msgspec.to_builtins(result)
    del plain["lines"]
    return msgspec.json.encode(plain) + b"\n"
