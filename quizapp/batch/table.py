"""Reads the rows of a CSV that names submissions, and says what is wrong with a row.

Reads none of the files that it names.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from grader.facts import Fact, fact
from quizapp.domain.errors import UsageError

COLUMNS = ("student", "question", "file")
"""Of a CSV."""


class TableRow(NamedTuple):
    """A row of the CSV.

    Attributes:
        fault: why its file is not graded; None if nothing is wrong so far.
    """

    student: str
    question: str
    file: str
    fault: Fact | None


def read_rows(file: Path) -> Iterator[TableRow]:
    """Yield the rows, without those that are empty.

    Raises UsageError: it is not a CSV with these columns, or a row names no student.
    """
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            rows = csv.DictReader(lines)
            if not set(COLUMNS) <= set(rows.fieldnames or ()):
                raise UsageError(_other_columns(file))
            for cells in rows:
                row = [cells[column] or "" for column in COLUMNS]
                if any(cell.strip() for cell in row):
                    yield _check(file, rows.line_num, *row)
    except UnicodeDecodeError as error:
        raise UsageError(fact("code-file.not-utf8", file=str(file), byte=error.start)) from None
    except csv.Error:
        raise UsageError(_other_columns(file)) from None


def _other_columns(file: Path) -> Fact:
    return fact("batch.columns", file=str(file), columns=COLUMNS)


def _check(file: Path, line: int, student: str, question: str, name: str) -> TableRow:
    """Make a row with what is wrong with it.

    Raises UsageError: it names no student, so its result would be nobody's.
    """
    named = zip(COLUMNS, (student, question, name), strict=True)
    empty = next((column for column, cell in named if not cell.strip()), None)
    if empty is None:
        return TableRow(student, question, name, _misplaced(file.parent, name))
    fault = fact("batch.empty-cell", file=str(file), line=line, column=empty)
    if empty == "student":
        raise UsageError(fault)
    return TableRow(student, question, name, fault)


def _misplaced(folder: Path, name: str) -> Fact | None:
    """Say why a file is not one of the CSV's folder; None if it is."""
    if "\0" in name:
        return fact("code-file.unreadable", file=name, reason=fact("system.enoent"))
    path = folder / name
    if path.is_symlink():
        return fact("batch.link")
    if not path.resolve().is_relative_to(folder.resolve()):
        return fact("batch.outside")
    return None
