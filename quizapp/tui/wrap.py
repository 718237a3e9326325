"""Breaks text into lines of a given width, Chinese included.

Textual breaks at spaces only, which leaves Chinese ragged: a sentence without spaces moves to the
next line as one word. Here a line may break between Chinese characters too, though not before
closing punctuation nor after opening punctuation.
"""

from __future__ import annotations

from quizapp.system.width import columns, is_wide

_NOT_FIRST = frozenset("，。；：？！、）】》」』”’…·,.;:?!)]}%")
_NOT_LAST = frozenset("（【《「『“‘([{")
_SEPARATOR = "·"
"""Stands between blanks, and ends a line."""


def breaks(text: str, width: int) -> list[tuple[int, int]]:
    """Return start and end offsets of each line, without the blanks at a break.

    A word longer than the width is cut.
    """
    lines: list[tuple[int, int]] = []
    start = 0
    while start < len(text):
        end = _line_end(text, start, width)
        lines.append((start, start + len(text[start:end].rstrip(" "))))
        start = end
        while start < len(text) and text[start] == " ":
            start += 1
    return lines or [(0, 0)]


def _line_end(text: str, start: int, width: int) -> int:
    """Return where the line from `start` ends: the last possible break that fits."""
    used = 0
    best = start
    for position in range(start, len(text)):
        used += columns(text[position])
        if used > width and text[position] != " ":
            return best if best > start else max(position, start + 1)
        if _may_break_after(text, position):
            best = position + 1
    return len(text)


def _may_break_after(text: str, position: int) -> bool:
    here = text[position]
    if here == " ":
        return text[position + 1 : position + 2] != _SEPARATOR
    if position + 1 >= len(text):
        return True
    following = text[position + 1]
    if here in _NOT_LAST or following in _NOT_FIRST:
        return False
    return is_wide(here) or is_wide(following)


def clip(text: str, width: int) -> str:
    """Cut `text` to `width` columns, with an ellipsis where something was cut."""
    if columns(text) <= width:
        return text
    used = 0
    for position, character in enumerate(text):
        used += columns(character)
        if used > width - 1:
            return f"{text[:position]}…"
    return text


def pad(text: str, width: int) -> str:
    """Clip `text` or fill it with blanks to exactly `width` columns."""
    text = clip(text, width)
    return text + " " * (width - columns(text))
