"""Folds text into lines of so many terminal columns; Chinese may break between characters."""

from __future__ import annotations

from collections.abc import Iterator

from quizapp.system import width as measure

_NEVER_FIRST = frozenset("，。；：、？！）”’》…%,.;:?!)")
_NEVER_LAST = frozenset("（“‘《(")


def columns(text: str) -> int:
    """Count the columns that `text` takes; ASCII, as in `quiz --help`, loads no measure."""
    return len(text) if text.isascii() else measure.columns(text)


def fold(text: str, width: int, indent: str = "") -> list[str]:
    """Return the lines of a paragraph; every line but the first begins with `indent`.

    A word that is longer than a line is not broken: it may be a path to be copied.
    """
    lines: list[str] = []
    line = ""
    for piece in _words(text) if text.isascii() else _pieces(text):
        if line.strip() and columns(line) + columns(piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = indent + piece.lstrip()
        else:
            line += piece
    return [*lines, line.rstrip()]


def cut(text: str, width: int) -> str:
    """Cut a text that is too long where a line may end."""
    return text if columns(text) <= width else f"{fold(text, width - 2)[0]} …"


def _words(text: str) -> Iterator[str]:
    """Split after spaces, as `_pieces` does with ASCII, without a look at every character."""
    start = 0
    while (space := text.find(" ", start)) >= 0:
        end = len(text) - len(text[space:].lstrip(" "))
        if end == len(text):
            break
        yield text[start:end]
        start = end
    yield text[start:]


def _pieces(text: str) -> Iterator[str]:
    """Split where a line may end: after a space, and beside a wide character."""
    start = 0
    for place in range(1, len(text)):
        before, after = text[place - 1], text[place]
        between_words = before == " " and after not in " ·"
        beside_wide = (_is_wide(before) or _is_wide(after)) and " " not in (before, after)
        forbidden = after in _NEVER_FIRST or before in _NEVER_LAST
        if between_words or (beside_wide and not forbidden):
            yield text[start:place]
            start = place
    yield text[start:]


def _is_wide(character: str) -> bool:
    return not character.isascii() and measure.is_wide(character)
