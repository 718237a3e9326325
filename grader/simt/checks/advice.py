"""An advice: changes of the program, and what they changed when the launch ran again.

Knows nothing of how changes are found; a value of it exists only if the emulator has run them.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from textwrap import dedent

from grader.changes import Change
from grader.facts import Fact
from grader.frozen import frozen
from grader.wire import Count, Text

_LONGEST = 300
"""Characters of a line that are shown."""


@frozen
class Effect:
    """A number of a launch before the changes and after them.

    Attributes:
        subject: a kind of finding, whose cases are counted, or a counter of the emulator.
        line: where, in the source before the changes; 0 for the whole launch.
        array: the array that the finding is about; "" if it is about none.
    """

    subject: Text
    before: Count
    after: Count
    line: Count = 0
    array: Text = ""


@frozen
class DiffLine:
    """A line of the changed source.

    Attributes:
        sign: "-" for one that goes, "+" for one that comes, " " for one beside them.
        line: its number before the changes; of one that comes, that of the next one.
        text: without the blanks that all lines of the difference begin with.
    """

    sign: Text
    line: Count
    text: Text


@frozen
class Advice:
    """Changes of the kernel's own file that were tried.

    Attributes:
        what: what they do, in words.
        diff: what they change in the source, with a line before and behind.
        effects: what they changed; that of the finding which they were made for is the first.
    """

    what: Fact
    changes: tuple[Change, ...]
    diff: tuple[DiffLine, ...]
    effects: tuple[Effect, ...]


def difference(before: str, after: str) -> tuple[DiffLine, ...]:
    """Return the lines in which two texts differ, with a line before and behind."""
    old, new = before.split("\n"), after.split("\n")
    found: list[tuple[str, int, str]] = []
    compared = SequenceMatcher(None, old, new, autojunk=False)
    for group in compared.get_grouped_opcodes(1):
        for operation, first, last, begin, end in group:
            sign = " " if operation == "equal" else "-"
            found += [(sign, at + 1, old[at]) for at in range(first, last)]
            if operation != "equal":
                found += [("+", last + 1, new[at]) for at in range(begin, end)]
    texts = dedent("\n".join(text.expandtabs(4) for *_, text in found)).split("\n")
    pairs = zip(found, texts, strict=True)
    return tuple(DiffLine(sign, line, text[:_LONGEST]) for (sign, line, _), text in pairs)
