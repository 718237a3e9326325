"""How commands print: tables, JSON, colour where it is welcome. Knows nothing of what it prints."""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from grader.facts import Fact
from quizapp.report.lines import fold_line, table
from quizapp.system.safe_text import safe
from quizapp.system.streams import control, paint

if TYPE_CHECKING:
    from quizapp.report.lines import Line, Role
    from quizapp.report.words import Words

PATIENCE_SECONDS = 1.0
"""What takes longer says what it does, or how far it is."""
_LINE_AGAIN = "\r\x1b[K"
"""Back to the beginning of the line, which is cleared."""
_COLORS: dict[Role, str] = {
    "conflict": "red", "good": "green", "note": "yellow", "dim": "dim",
    "bold": "bold", "heat-1": "yellow", "heat-2": "yellow", "heat-3": "red",
    "heat-4": "red",
}  # fmt: skip
"""The roles that are printed in a color or a weight."""


FORMAT = 1
"""The version of what `--json` prints, higher once a key goes; a command may have its own."""


def print_json(value: Mapping[str, Any], version: int = FORMAT) -> None:
    """Print all that a command with `--json` writes to standard output, with its format."""
    print_plain({"format": version, **value})


def print_json_rows(rows: Iterable[Mapping[str, Any]], version: int) -> None:
    """Print one JSON document per line, each with its format."""
    for row in rows:
        _print_document(json.dumps({"format": version, **row}, default=_plain))


def print_plain(value: Any) -> None:
    """Print one JSON document; ASCII, so any pipe carries it."""
    _print_document(json.dumps(value, indent=2, default=_plain))


def _print_document(text: str) -> None:
    print(text.replace("\x7f", r"\u007f"))  # which json leaves as it is


def _plain(value: Any) -> dict[str, Any]:
    """Return a fact as `--json` prints it: its code and its fields."""
    if isinstance(value, Fact):
        return {"code": value.code, "fields": dict(value.fields)}
    raise TypeError(f"{type(value).__name__} has no plain form")


def print_table(rows: Sequence[Sequence[str]], *, right: Collection[int] = ()) -> None:
    """Print rows in columns; those numbered in `right` are aligned to the right."""
    for line in table(rows, right=right):
        print("".join(text for text, _ in line).rstrip())


def print_lines(lines: Iterable[Line], width: int | None = None) -> None:
    """Print lines of styled spans. A sentence that is too long is folded, a picture is not.

    `width`: columns to fold to; None: those of the terminal.
    """
    for line in lines:
        for spans in fold_line(line, width or room()):
            print("".join(_paint_span(text, role) for text, role in spans).rstrip())


def _paint_span(text: str, role: Role) -> str:
    return paint_for_terminal(text, _COLORS[role]) if role in _COLORS else text


def room() -> int:
    """Return the columns of the terminal; 80 where there is none."""
    return shutil.get_terminal_size().columns


def note(text: str) -> None:
    """Print something for the person beside the output, which may go to a program."""
    print(text, file=sys.stderr)


@contextmanager
def show_progress(after: float) -> Iterator[Callable[[str], None]]:
    """Show a line of progress on the terminal and remove it at the end; quiet without a terminal.

    `after`: seconds from now on during which nothing is said.
    """
    start, shown = time.monotonic(), False

    def show(text: str) -> None:
        nonlocal shown
        if time.monotonic() - start > after:
            shown = True
            control(sys.stderr, _LINE_AGAIN)
            print(safe(text)[: room() - 1], end="", file=sys.stderr, flush=True)

    terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    try:
        yield show if terminal else _show_nothing
    finally:
        if shown:
            control(sys.stderr, _LINE_AGAIN)
            sys.stderr.flush()


@contextmanager
def announce_wait(text: str) -> Iterator[None]:
    """Show on the terminal what the command waits for, once the wait is long."""
    with show_progress(after=0) as show:
        timer = threading.Timer(PATIENCE_SECONDS, show, [text])
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()


@contextmanager
def count_progress(say: Words, key: str, counted: str) -> Iterator[Callable[[int], None]]:
    """Show how many were done once it takes long; the text `counted` ends with their field."""
    field = counted.rpartition(".")[2]
    with show_progress(after=PATIENCE_SECONDS) as show:
        yield lambda done: show(say(key, **{field: say(counted, n=done)}))


def _show_nothing(text: str) -> None:
    """Show nothing, where there is no terminal."""


def paint_for_terminal(text: str, colour: str) -> str:
    """Color the text on a terminal, unless `NO_COLOR` forbids it."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not sys.stdout.isatty():
        return text
    return paint(text, colour)
