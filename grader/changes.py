"""A change of a program: text that another text replaces, at a place that is found again.

Mutants, cheats, known mistakes and advice are values of one type. It knows text and lines and no
language, so it serves Python and CUDA C++ alike; what a change means is up to its maker.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import unified_diff

from grader.facts import fact
from grader.mistakes import Mistake

_BLANK = " \t"


class ChangeRefused(Mistake):
    """A change does not fit a source: its place is gone or ambiguous, or two changes overlap."""


@dataclass(frozen=True, slots=True)
class Change:
    """One replacement. It can be applied to a later version of the source it was made for.

    Attributes:
        old: the text that goes; "" inserts.
        new: the text that comes; "" deletes.
        context: the whole lines that `old` is in, without the space around them. They identify the
            place when the lines around them change.
        offset: where in the context `old` begins, in characters.
        line: the line where the context began, from 1. It decides between equal places.
    """

    old: str
    new: str
    context: str
    offset: int
    line: int

    @property
    def place(self) -> int:
        """The line of the source it was made for where `old` begins, from 1."""
        return self.line + self.context.count("\n", 0, self.offset)


def change_span(source: str, start: int, end: int, new: str) -> Change:
    """Make the change that puts `new` in place of `source[start:end]`; an insertion if empty."""
    first = source.rfind("\n", 0, start) + 1
    last = source.find("\n", end)
    last = len(source) if last < 0 else last
    lines = source[first:last]
    if lines.strip():
        first += min(len(lines) - len(lines.lstrip(_BLANK)), start - first)
        last -= min(len(lines) - len(lines.rstrip(_BLANK)), last - end)
    line = source.count("\n", 0, first) + 1
    return Change(source[start:end], new, source[first:last], start - first, line)


def apply_changes(source: str, changes: Iterable[Change]) -> str:
    """Return the source with all changes, each of which is found in the source as it is given.

    Raises:
        ChangeRefused: one of them does not fit.
    """
    spans = sorted((_find(source, change), change.old, change.new) for change in changes)
    text, end = [], 0
    for start, old, new in spans:
        if start < end:
            raise ChangeRefused(fact("change.overlap"), _line_of(source, start))
        text += [source[end:start], new]
        end = start + len(old)
    return "".join([*text, source[end:]])


def diff_lines(before: str, after: str) -> Iterator[str]:
    """Yield the lines that differ, as a unified diff without heads and context."""
    lines = unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    return (line for line in lines if not line.startswith(("---", "+++")))


def _find(source: str, change: Change) -> int:
    """Return where in the source the text that goes begins."""
    # A lookahead, since equal places may overlap.
    lines = rf"^[{_BLANK}]*(?=({re.escape(change.context)})[{_BLANK}]*$)"
    places = [match.start(1) for match in re.finditer(lines, source, re.MULTILINE)]
    return _only(source, places, change.context, change.line) + change.offset


def _only(source: str, places: list[int], text: str, line: int) -> int:
    """Return the only place of a text, or the one of several that is in `line`."""
    here = [place for place in places if _line_of(source, place) == line]
    match here or places:
        case [place]:
            return place
        case []:
            raise ChangeRefused(fact("change.absent", text=text), max(line, 1))
        case several:
            lines = tuple(_line_of(source, place) for place in several)
            raise ChangeRefused(fact("change.ambiguous", text=text, lines=lines), lines[0])


def _line_of(source: str, offset: int) -> int:
    return source.count("\n", 0, offset) + 1
