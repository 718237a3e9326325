"""The gate between the screens and the terminal: nothing that is drawn steers it.

`Safety` filters every line of every widget, Textual's own included, so no screen can forget it.
Text from outside passes `make_visible`, or `quizapp.system.safe_text`, before it is laid out.
"""

from __future__ import annotations

import codecs
import sys
from functools import cache

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.content import Content
from textual.filter import LineFilter

from quizapp.system.safe_text import escape_character, is_safe, safe, unsafe
from quizapp.system.streams import in_ascii


def legible(text: str) -> str:
    """Make prose and code safe, in signs that the terminal has, before they are laid out."""
    text = safe(text)
    return text if text.isascii() or not _lacks_signs() else in_ascii(text)


@cache
def _lacks_signs() -> bool:
    """Return True if the terminal's encoding is ASCII."""
    encoding = getattr(sys.__stdout__, "encoding", None) or "utf-8"
    return codecs.lookup(encoding).name == "ascii"


class Safety(LineFilter):
    """Takes unsafe characters out of a line that is already laid out; its width stays."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments, safe."""
        if all(is_safe(segment.text) for segment in segments):
            return segments
        return [Segment(_without(text), style, control) for text, style, control in segments]


def make_visible(content: Content) -> Content:
    """Make the content's unsafe characters visible, in the style they have."""
    plain = content.plain
    if is_safe(plain):
        return content
    parts: list[Content] = []
    done = 0
    for found in unsafe().finditer(plain):
        here = found.start()
        parts += [content[done:here], _restyle(content[here : here + 1])]
        done = here + 1
    return Content("").join([*parts, content[done:]])


def _restyle(character: Content) -> Content:
    visible = Content(escape_character(character.plain))
    for span in character.spans:
        visible = visible.stylize(span.style)
    return visible


def _without(text: str) -> str:
    """Drop what takes no column; put a question mark for what does."""
    return unsafe().sub(lambda found: "?" * (cell_len(found[0]) > 0), text)
