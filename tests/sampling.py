"""Tables of which `make test` takes a part; `make test-long` takes the rest.

For rows that prove the same rule of another content file each: what the rule is made of, the part
finds as well; what is wrong with one file, the long run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

Row = TypeVar("Row")


def first_of_each(
    group: Callable[[Row], Hashable], rows: Iterable[Row], name: Callable[[Row], str]
) -> list[ParameterSet]:
    """The rows by their names, marked `long` but for the first of each group."""
    met: set[Hashable] = set()
    found = []
    for row in rows:
        marks = [pytest.mark.long] if group(row) in met else []
        met.add(group(row))
        found.append(_row(row, name, marks))
    return found


def first_with_each(
    parts: Callable[[Row], Iterable[Hashable]], rows: Iterable[Row], name: Callable[[Row], str]
) -> list[ParameterSet]:
    """The rows by their names, marked `long` but for those with a part that none before has."""
    met: set[Hashable] = set()
    found = []
    for row in rows:
        new = {*parts(row)} - met
        met |= new
        found.append(_row(row, name, [] if new else [pytest.mark.long]))
    return found


def every(
    nth: int, rows: Iterable[Row], name: Callable[[Row], str], *, dear: Collection[str] = ()
) -> list[ParameterSet]:
    """The rows by their names, marked `long` but for one of so many, and if they take seconds."""
    return [
        _row(row, name, [pytest.mark.long] if number % nth or name(row) in dear else [])
        for number, row in enumerate(rows)
    ]


def _row(row: Row, name: Callable[[Row], str], marks: list[pytest.MarkDecorator]) -> ParameterSet:
    values = row if type(row) is tuple else (row,)  # a named tuple is one value
    return pytest.param(*values, id=name(row), marks=marks)
