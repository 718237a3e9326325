"""Makes text from outside safe to show: characters that steer a terminal or hide become visible.

Decks, GPU hosts, scripts, databases, settings and arguments may hold escape sequences (OSC 52 sets
the clipboard), C1 controls, which many terminals obey as well, and controls that reorder or hide
text. The gates that no caller can forget are at both ends: `quizapp.system.streams` on what is
printed, `quizapp.tui.safety` on what is drawn. This module only says which characters those are.
"""

from __future__ import annotations

import re
from functools import cache

_CLASS = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # C0 without tab and line feed, DEL, C1
    "\u00ad\u061c\u180e"  # soft hyphen and others that take no column
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # zero width, line separators, bidi
    "\ufeff\ufff0-\ufffb"
    "\ufdd0-\ufdef"  # noncharacters: `quizapp.system.streams` marks our own colors with them
    "\ud800-\udfff"  # half a pair: no encoding has it
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e00ff"  # tags: a hidden alphabet
)


@cache
def unsafe() -> re.Pattern[str]:
    r"""Compile a pattern of one character that a terminal could obey or a reader could not see.

    A line may end in `\r\n`. Compiled on demand: 1 ms, and most runs never need it.
    """
    return re.compile(rf"[{_CLASS}]|\r(?!\n)")


def is_safe(text: str) -> bool:
    """Return True if nothing in the text needs to be made visible."""
    # Nothing unsafe is printable, and isprintable() takes a twentieth of the time of a search.
    if text.isprintable() or text.replace("\n", "").isprintable():
        return True
    return unsafe().search(text) is None


def safe(text: str) -> str:
    r"""Write every unsafe character of the text as Python does: `\x1b`, `\u202e`."""
    return text if is_safe(text) else unsafe().sub(lambda found: escape_character(found[0]), text)


def one_to_one(text: str) -> str:
    """Replace each unsafe character by one visible sign, so that places stay the same."""
    return text if is_safe(text) else unsafe().sub(_sign, text)


def escape_character(character: str) -> str:
    """Write one character by its number, as Python does."""
    number = ord(character)
    if number <= 0xFF:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"


def _sign(found: re.Match[str]) -> str:
    """Return a control picture where there is one: ␛."""
    number = ord(found[0])
    if number < ord(" "):
        return chr(0x2400 + number)
    return "␡" if number == 0x7F else "�"
