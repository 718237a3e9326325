"""The line of a source that an error is about, with a caret below its column.

For kernels and index functions, in any language; knows no error.
"""

from __future__ import annotations

import linecache
from collections.abc import Iterator

from quizapp.report.lines import Line
from quizapp.system.safe_text import one_to_one
from quizapp.system.width import columns

_ROOM, _BEFORE = 64, 40
"""Columns of the text that is shown, and of it at most before the caret: a line of a terminal of 80
columns with some room for a frame."""
_CUT = "…"
_INDENT = "    "


def excerpt(source: str, line: int, column: int) -> Iterator[Line]:
    """Draw a line of a source and a caret; nothing if it has no such line, or an empty one.

    `line`: from 1; 0 for none. `column`: from 1, in characters.
    """
    texts = source.split("\n")
    if 1 <= line <= len(texts) and texts[line - 1].strip():
        yield from _draw(texts[line - 1].rstrip(), column)


def excerpt_of_file(file: str, line: int, column: int) -> str:
    """Return the same of a file as text; "" if the file has no such line, or is not there."""
    text = linecache.getline(file, line)
    drawn = _draw(text.rstrip(), column) if text.strip() else ()
    return "\n".join("".join(part for part, _ in each) for each in drawn)


def _draw(text: str, column: int) -> Iterator[Line]:
    """Draw a text without its indentation, cut where it is long, and a caret below a column."""
    text = one_to_one(text.replace("\t", " "))
    indented = len(text) - len(text.lstrip())
    at = max(0, min(column - 1, len(text)) - indented)
    text = text[indented:]
    first = max(0, at - _BEFORE)  # a line may have a million characters
    while columns(text[first:at]) > _BEFORE:
        first += 1
    before, after = text[first:at], text[at : at + _ROOM + 1]
    if first:
        before = _CUT + before[1:]
    if columns(before + after) > _ROOM:
        while columns(before + after) > _ROOM - 1:
            after = after[:-1]
        after += _CUT
    yield ((_INDENT, "text"), (before + after, "dim"))
    yield ((_INDENT, "text"), (" " * columns(before) + "^", "note"))
