"""The gate between the program and the terminal: what is printed is safe and can be encoded.

`guard_streams` stands around a whole run of the command line, so no command can forget it: every
`print` passes through. Our own colors pass as marks that `paint` sets; our own cursor movements
go through `control`. Knows no command.
"""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from quizapp.system import width
from quizapp.system.safe_text import escape_character, is_safe, unsafe

_COLORS = {"red": "31", "green": "32", "yellow": "33", "bold": "1", "dim": "2", "": "0"}
_MARKS = {color: chr(0xFDD0 + i) for i, color in enumerate(_COLORS)}
"""Noncharacters, which Unicode keeps for a program's own use: text from outside never has them
unless they are planted, and then it gets a color."""
_SEQUENCES = {_MARKS[color]: f"\x1b[{code}m" for color, code in _COLORS.items()}

_STAND_INS = {
    "✓": "+", "✗": "x", "●": "*", "○": "o", "•": "*", "·": ".", "×": "x", "–": "-", "—": "-",
    "−": "-", "…": "...", "“": '"', "”": '"', "‘": "'", "’": "'", "→": "->", "←": "<-", "⇒": "=>",
    "≤": "<=", "≥": ">=", "≠": "!=", "≈": "~", "❯": ">", "▶": ">", "⚑": "!", "⏎": "enter",
    "␣": "space", "☐": "[ ]", "☑": "[x]", "↑": "up", "↓": "down", "÷": "/", "±": "+-", "µ": "u",
    "μ": "u", "ε": "eps", "°": " deg", "⊕": "^", "√": "sqrt ", "∞": "inf", "⌈": "ceil(", "⌉": ")",
    "⌊": "floor(", "⌋": ")", "¼": "1/4", "½": "1/2", "§": "section ", "\u00a0": " ", "：": ":",
    "？": "?", "，": ",", "。": ".", "■": "#", "□": ".", "█": "#", "▓": "#", "▒": "+", "░": ".",
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "λ": "lambda", "ρ": "rho", "τ": "tau",
    "Δ": "Delta", "Θ": "Theta", "Ψ": "Psi", "Φ": "Phi", "∘": " o ", "ć": "c", "‖": "||", "é": "e",
    "ü": "u", "≡": "==",
    "Σ": "sum ", "′": "'", "ᵀ": "^T", "ᵢ": "_i", "ⱼ": "_j",
    **dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True)),
}  # fmt: skip
"""Signs that the program or its questions use, for an output that lacks them."""
_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿˣᵏ", "0123456789-+nxk", strict=True))
_FIRST_LINE, _LAST_LINE = 0x2500, 0x257F
_FIRST_BLOCK, _LAST_BLOCK = 0x2580, 0x259F
_HORIZONTAL, _VERTICAL = "─━┄┅┈┉╌╍═", "│┃┆┇┊┋╎╏║"

TEXT_ERRORS = "quiz-text"
SCREEN_ERRORS = "quiz-screen"


class SafeStream:
    """A stream that writes whatever it is given without letting it steer the terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write text, unsafe characters made visible and marks turned into colors."""
        self._stream.write(text if is_safe(text) else unsafe().sub(_name_sequence, text))
        return len(text)

    def control(self, sequence: str) -> None:
        """Write an escape sequence of our own."""
        self._stream.write(sequence)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class SealedStream(SafeStream):
    """One that takes no bytes either: click would write them past the gate where it finds ASCII."""

    def __getattr__(self, name: str) -> Any:
        if name == "buffer":
            raise AttributeError(name)
        return super().__getattr__(name)


@contextmanager
def guard_streams() -> Iterator[None]:
    """Guard standard output and standard error for as long as this lasts."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (_seal(stream) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def guard_script() -> None:
    """Guard a person's script in this process, where a terminal shows its output.

    A file or a pipe gets what the script writes, as from `python script.py`.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and stream.isatty():
            setattr(sys, name, SafeStream(stream))


def _seal(stream: TextIO) -> TextIO:
    if stream is None or isinstance(stream, SealedStream):  # None after `>&-`
        return stream
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors=TEXT_ERRORS)
    return cast("TextIO", SealedStream(stream))


def is_terminal() -> bool:
    """Return true if a terminal is at both ends, so that a person can read and answer."""
    streams = (sys.stdin, sys.stdout)  # None where they are closed
    return all(stream is not None and stream.isatty() for stream in streams)


def paint(text: str, color: str) -> str:
    """Put the text between marks that the gate turns into a color and its end."""
    return f"{_MARKS[color]}{text}{_MARKS['']}"


def control(stream: TextIO, sequence: str) -> None:
    """Write an escape sequence of our own to a stream, guarded or not."""
    (stream.control if isinstance(stream, SafeStream) else stream.write)(sequence)


def _name_sequence(found: Any) -> str:
    return _SEQUENCES.get(found[0]) or escape_character(found[0])


def in_ascii(text: str) -> str:
    """Replace whatever ASCII lacks by something that reads the same."""
    return "".join(
        character if character.isascii() else _stand_in(text, place)
        for place, character in enumerate(text)
    )


def _stand_in(text: str, place: int) -> str:
    """Replace the character at `place`; by its number where nothing reads the same."""
    character = text[place]
    if character in _RAISED:
        return _write_exponent(text, place)
    if character in _STAND_INS:
        return _STAND_INS[character]
    number = ord(character)
    if _FIRST_LINE <= number <= _LAST_LINE:
        return "-" if character in _HORIZONTAL else "|" if character in _VERTICAL else "+"
    return "#" if _FIRST_BLOCK <= number <= _LAST_BLOCK else escape_character(character)


def _write_exponent(text: str, place: int) -> str:
    """Write an exponent, `2^10`; before a digit on the line it is the bank map's ten."""
    digit = _RAISED[text[place]]
    further = place > 0 and text[place - 1] in _RAISED
    ten = text[place + 1 : place + 2].isdecimal() and text[place + 1].isascii()
    return digit if further or ten else f"^{digit}"


def _for_text(error: UnicodeError) -> tuple[str, int]:
    """Replace characters by stand-ins as long as they need to be."""
    assert isinstance(error, UnicodeEncodeError)
    places = range(error.start, error.end)
    return "".join(_stand_in(error.object, place) for place in places), error.end


def _for_screen(error: UnicodeError) -> tuple[str, int]:
    """Replace characters by stand-ins of the same columns, since a screen is laid out."""
    assert isinstance(error, UnicodeEncodeError)
    fitted = (
        _fit(_stand_in(error.object, place), width.columns(error.object[place]))
        for place in range(error.start, error.end)
    )
    return "".join(fitted), error.end


def _fit(text: str, size: int) -> str:
    """Fit a stand-in to its columns; a box loses its sides, of which the left would say nothing."""
    text = text.removeprefix("[").removeprefix("^") or text
    return "?" * size if text.startswith("\\") else text[:size].ljust(size)


codecs.register_error(TEXT_ERRORS, _for_text)
codecs.register_error(SCREEN_ERRORS, _for_screen)
