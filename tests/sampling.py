"""Tables of which `make test` takes a part; `make test-long` takes the rest.

For rows that prove the same rule of another content file each: what the rule is made of, the part
finds as well; what is wrong with one file, the long run.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
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
        values = row if type(row) is tuple else (row,)  # a named tuple is one value
        found.append(pytest.param(*values, id=name(row), marks=marks))
    return found
