"""How commands print: tables, JSON, colour where it is welcome. Knows nothing of what it prints."""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from math import isfinite
from textwrap import wrap
from typing import TYPE_CHECKING, Any, TextIO

from quizapp.width import columns

if TYPE_CHECKING:
    from quizapp.bankmap import Line, Role, Span

PATIENCE_SECONDS = 1.0
"""What takes longer says what it does, or how far it is."""
_COLOURS = {"red": "31", "green": "32", "yellow": "33", "bold": "1", "dim": "2"}
_OF_ROLE: dict[Role, str] = {"conflict": "red", "good": "green", "dim": "dim"}
"""Of the roles in a figure, those that have a colour."""
_CONTROL = {code: f"\\x{code:02x}" for code in (*range(32), 127) if chr(code) not in "\n\t"}


def print_json(value: Any) -> None:
    """All that a command with `--json` writes to standard output; ASCII, so any pipe carries it."""
    print(json.dumps(value, indent=2))


def print_table(
    rows: Sequence[Sequence[str]], *, right: Collection[int] = (), indent: str = ""
) -> None:
    """Rows in columns; those numbered in `right` are aligned to the right."""
    if not rows:
        return
    cells = [[clean(cell) for cell in row] for row in rows]
    widths = [max(map(columns, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        padded = [
            _padded(cell, width, to_right=i in right)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print((indent + "  ".join(padded)).rstrip())


def print_lines(lines: Iterable[Line]) -> None:
    """A figure: lines of styled spans. A sentence that is too long is folded, a picture is not."""
    for line in lines:
        folded: list[Line] = [(span,) for span in _folded(*line[0])] if len(line) == 1 else [line]
        for spans in folded:
            print("".join(_painted(clean(text), role) for text, role in spans).rstrip())


def print_text(text: str) -> None:
    """A sentence, folded where it is too long."""
    print_lines([((text, "text"),)])


def _painted(text: str, role: Role) -> str:
    return painted(text, _OF_ROLE[role]) if role in _OF_ROLE else text


def _folded(text: str, role: Role) -> list[Span]:
    """A sentence in lines of the terminal's width, each with its indent."""
    indent = " " * (len(text) - len(text.lstrip(" ")))
    lines = wrap(text, room(), subsequent_indent=indent, break_on_hyphens=False)
    return [(part, role) for part in lines or [""]]


def room() -> int:
    """The columns of the terminal; 80 where there is none."""
    return shutil.get_terminal_size().columns


def note(text: str) -> None:
    """Something for the person beside the output, which may go to a program."""
    print(clean(text), file=sys.stderr)


@contextmanager
def written_over(after: float) -> Iterator[Callable[[str], None]]:
    """A line of progress on the terminal, which is gone in the end; quiet where there is none.

    Args:
        after: seconds from now on during which nothing is said.
    """
    start, shown = time.monotonic(), False

    def show(text: str) -> None:
        nonlocal shown
        if time.monotonic() - start > after:
            shown = True
            print(f"\r\x1b[K{clean(text)[: room() - 1]}", end="", file=sys.stderr, flush=True)

    terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    try:
        yield show if terminal else _unsaid
    finally:
        if shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


@contextmanager
def said_while_waiting(text: str) -> Iterator[None]:
    """On the terminal, once what is done here takes long: what it is waited for."""
    with written_over(after=0) as show:
        timer = threading.Timer(PATIENCE_SECONDS, show, [text])
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()


def _unsaid(text: str) -> None:
    """Say nothing."""


def finite(number: float) -> float | None:
    """A number as JSON has it, which knows neither NaN nor infinity."""
    return number if isfinite(number) else None


def clean(text: str) -> str:
    """Foreign text without what would steer the terminal."""
    return text.translate(_CONTROL)


def painted(text: str, colour: str, stream: TextIO | None = None) -> str:
    """The text in colour, on a terminal and where `NO_COLOR` does not forbid it."""
    stream = stream or sys.stdout
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not stream.isatty():
        return text
    return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m"


def percent(share: float | None) -> str:
    """A share of 1 as a person reads it."""
    return "–" if share is None else f"{share * 100:.0f} %"


def weekday(day: date) -> str:
    """A day in words, the year left out: Fri 20 Nov."""
    return f"{day:%a} {day.day} {day:%b}"


def counted(number: int, noun: str) -> str:
    """A number with its noun: 1 question, 2 questions."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _padded(cell: str, width: int, *, to_right: bool) -> str:
    space = " " * (width - columns(cell))
    return space + cell if to_right else cell + space
