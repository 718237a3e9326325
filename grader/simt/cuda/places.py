"""Places in a source, and the errors that are reported there."""

from __future__ import annotations

from typing import NamedTuple

from grader.facts import Fact
from grader.simt.errors import Refused


class Place(NamedTuple):
    """A place: `line` and `column` from 1; `path` as given to `parse`, or that of an include."""

    line: int
    column: int
    path: str = ""


class IllFormed(Refused):
    """The text is not C++: a compiler refuses it, too."""


def not_emulated(what: Fact, place: Place, instead: Fact | None = None) -> Refused:
    """Make the error for C++ that is not emulated."""
    return Refused(what, place.line, place.column, instead, place.path)


def ill_formed(what: Fact, place: Place, instead: Fact | None = None) -> IllFormed:
    """Make the error for what is not C++."""
    return IllFormed(what, place.line, place.column, instead, place.path)
