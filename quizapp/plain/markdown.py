"""Markdown as plain text: paragraphs without emphasis marks, code verbatim. Pure.

As much Markdown as questions use: paragraphs, lists, fences, inline code, emphasis.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from unicodedata import category

from quizapp.system.width import is_wide

CODE_INDENT = "    "

_FENCE = re.compile(r"^```\S*[^\n]*\n(.*?)^```[ \t]*$\n?", re.MULTILINE | re.DOTALL)
_CODE_OR_EMPHASIS = re.compile(r"(`[^`]*`)|(\*{1,3})(?=\S)([^*`]*(?:`[^`]*`[^*`]*)*)(?<=\S)\2")
_ITEM = re.compile(r"[-*] |\d+\. ")


def plain(markdown: str, width: int | None) -> list[str]:
    """Lay out a text; paragraphs folded at `width` columns, or one line each if None."""
    lines: list[str] = []
    pieces = _FENCE.split(markdown)
    for position, piece in enumerate(pieces):
        if position % 2:
            lines += [CODE_INDENT + line if line else "" for line in piece.splitlines()]
        else:
            lines += _prose(piece, width)
    return lines


def _prose(text: str, width: int | None) -> Iterator[str]:
    for block in _blocks(text):
        line = _CODE_OR_EMPHASIS.sub(lambda found: found[1] or found[3], block)
        yield from _fold(line, width)


def _blocks(text: str) -> Iterator[str]:
    """Yield paragraphs and list items, each in one line, with the empty lines between them."""
    block = ""
    for line in text.splitlines():
        stripped = line.strip()
        if block and (not stripped or _ITEM.match(stripped)):
            yield block
            block = ""
        if stripped:
            block = _join(block, stripped)
        else:
            yield ""
    if block:
        yield block


def _join(before: str, after: str) -> str:
    """Join two lines; Chinese has no space between its characters, nor after its stops."""
    if not before or _stop(before[-1]) or (is_wide(before[-1]) and is_wide(after[0])):
        return before + after
    return f"{before} {after}"


def _fold(line: str, width: int | None) -> list[str]:
    """Fold a line; Chinese is left to the terminal, which may break it anywhere."""
    if width is None or not line or any(map(is_wide, line)):
        return [line]
    return textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False)


def _stop(character: str) -> bool:
    return is_wide(character) and category(character).startswith("P")
