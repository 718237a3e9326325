"""Makes text from outside safe to show: characters that steer a terminal or hide become visible.

Decks, GPU hosts, scripts, databases, settings and arguments may hold escape sequences (OSC 52 sets
the clipboard), C1 controls, which many terminals obey as well, and controls that reorder or hide
text. The gates that no caller can forget are at both ends: `quizapp.system.streams` on what is
printed, `quizapp.tui.safety` on what is drawn. This module only says which characters those are.
"""

from __future__ import annotations

import re
from functools import cache
from unicodedata import normalize

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

_FORMULA = "=+-@"
"""What a cell begins with that a spreadsheet computes."""
_NUMBER = re.compile(r"[-+]?\d+([.,]\d+)?([eE][-+]?\d+)?", re.ASCII)
_WHO = re.compile(
    r"(?P<way>(?:[A-Za-z][A-Za-z0-9+.-]*:)?/+|)(?P<name>[^\s/?#:@]*)(?P<rest>:[^\s/?#]*)?@"
)
"""Before a host; `git@host:path` has it, too."""
_ASKED = re.compile(r"([?&;][^\s?&;=#]*=)[^\s&;#']+")


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


def one_line(text: str) -> str:
    r"""Write also the ends of lines and tabs as Python does, for a name in a list or a cell."""
    return safe(text).replace("\n", r"\n").replace("\r", r"\r").replace("\t", r"\t")


def as_cell(text: str) -> str:
    """Return what a spreadsheet shows as it is: an apostrophe goes before what it would compute.

    Some compute what begins with a full-width sign, or with spaces before it; a number stays one.
    """
    first = normalize("NFKC", text.lstrip()[:1])
    computed = (first in _FORMULA and first != "") or text[:1] in ("\t", "\r", "\n")
    return f"'{text}" if computed and not _NUMBER.fullmatch(text) else text


def hide_password(text: str) -> str:
    """Replace what could be a secret in each URL of a text: passwords, tokens, values of a query.

    For https a name alone may be a token; for ssh it is a name.
    """
    return _ASKED.sub(r"\1***", _WHO.sub(_hide, text))


def _hide(found: re.Match[str]) -> str:
    if found["way"].casefold().startswith("http"):
        return f"{found['way']}***@"
    return f"{found['way']}{found['name']}:***@" if found["rest"] else found[0]


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
