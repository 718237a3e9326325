"""Lines in, lines out, and what a person's line means. Knows no question, stores nothing."""

from __future__ import annotations

import shutil
from io import TextIOWrapper
from typing import TextIO

from quizapp.plain.markdown import plain

QUIT = ("q", ":q")
_WIDEST = 100
"""Longer lines are hard to read, however wide the terminal."""


class Ended(Exception):
    """The person quits: nothing more is read."""


class EndOfInput(Ended):
    """There is no further line."""


class Unclear(Exception):
    """A line that says nothing usable; the message says what would."""


class Console:
    """A person at a terminal, or a script at a pipe."""

    def __init__(self, stdin: TextIO, stdout: TextIO) -> None:
        self._stdin = stdin
        self._stdout = stdout
        if isinstance(stdin, TextIOWrapper):
            stdin.reconfigure(errors="replace")  # a byte that is no UTF-8 is no reason to end

    def say(self, *lines: str) -> None:
        """Say lines as they are."""
        for line in lines:
            print(line, file=self._stdout)
        self._stdout.flush()

    def prose(self, *texts: str) -> None:
        """Say Markdown as plain text, folded where a person's terminal would cut words."""
        for markdown in texts:
            self.say(*plain(markdown.rstrip(), self._width()) or [""])

    def read(self, prompt: str = "") -> str:
        """The next line, without its end.

        Raises:
            EndOfInput: there is none.
        """
        if prompt:
            self.say(prompt)
        line = self._stdin.readline()
        if not line:
            raise EndOfInput
        return line.rstrip("\r\n")

    def _width(self) -> int | None:
        """Columns to fold at; None when a program reads, or a file is written."""
        if not self._stdout.isatty():
            return None
        return min(shutil.get_terminal_size().columns, _WIDEST)


def read_numbers(line: str, low: int, high: int) -> tuple[int, ...] | None:
    """The numbers of a line such as `1 3` or `1,3`, sorted; None unless all are in range."""
    parts = line.replace(",", " ").replace("，", " ").replace("、", " ").split()
    if not parts or not all(part.isdecimal() for part in parts):
        return None
    numbers = tuple(sorted({int(part) for part in parts}))
    return numbers if low <= numbers[0] and numbers[-1] <= high else None
