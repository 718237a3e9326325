"""Lines in, lines out, and what a person's line means. Knows no question, stores nothing."""

from __future__ import annotations

import shutil
import termios
from collections.abc import Iterable
from io import TextIOWrapper
from typing import TextIO

from quizapp.plain.markdown import plain
from quizapp.report.lines import Line, fold_line, sentence
from quizapp.system.safe_text import safe

QUIT = ("q", ":q")
_MOST_DIGITS = 9
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
        # A byte that is not UTF-8 must not end the program. A stream that was read from refuses any
        # change, and the menu of the rescue reads before the session does.
        if isinstance(stdin, TextIOWrapper) and stdin.errors != "replace":
            stdin.reconfigure(errors="replace")

    def say(self, *texts: str) -> None:
        """Say sentences, each line folded where a person's terminal would cut words."""
        self.report(sentence(line) for text in texts for line in text.split("\n"))

    def show(self, *lines: str) -> None:
        """Say lines as they are, but for what would steer the terminal."""
        for line in lines:
            print(safe(line), file=self._stdout)
        self._stdout.flush()

    def prose(self, *texts: str) -> None:
        """Say Markdown as plain text, folded where a person's terminal would cut words."""
        for markdown in texts:
            self.show(*plain(markdown.rstrip(), self._width()) or [""])

    def report(self, lines: Iterable[Line]) -> None:
        """Say a report: its sentences folded where a person's terminal would cut words."""
        width = self._width()
        for line in lines:
            for spans in [line] if width is None else fold_line(line, width):
                self.show("".join(text for text, _ in spans))

    def read(self, prompt: str = "") -> str:
        """Read the next line, without its end; one that was typed before the prompt is none.

        Raises EndOfInput: there is none.
        """
        if prompt:
            self.forget_typed_ahead()
            self.say(prompt)
        line = self._stdin.readline()
        if not line:
            raise EndOfInput
        return line.rstrip("\r\n")

    @property
    def is_terminal(self) -> bool:
        """True if a person types, at a terminal that an editor can have meanwhile."""
        return self._is_typed and self._stdout.isatty()

    @property
    def _is_typed(self) -> bool:
        return isinstance(self._stdin, TextIOWrapper) and self._stdin.isatty()

    def forget_typed_ahead(self) -> None:
        """Drop what a person typed before the next question was shown; a pipe keeps its lines."""
        if self._is_typed:
            termios.tcflush(self._stdin.fileno(), termios.TCIFLUSH)

    def _width(self) -> int | None:
        """Return the columns to fold at; None when a program reads, or a file is written."""
        if not self._stdout.isatty():
            return None
        return min(shutil.get_terminal_size().columns, _WIDEST)


def read_numbers(line: str, low: int, high: int) -> tuple[int, ...] | None:
    """Read the numbers of a line such as `1 3` or `1,3`, sorted; None unless all are in range."""
    numbers = sorted(set(digits(line) or ()))
    return tuple(numbers) if numbers and low <= numbers[0] and numbers[-1] <= high else None


def digits(line: str) -> tuple[int, ...] | None:
    """Read the numbers of a line, in its order; None if it holds anything else, or a huge one."""
    parts = line.replace(",", " ").replace("，", " ").replace("、", " ").split()
    if not all(part.isdecimal() and len(part) <= _MOST_DIGITS for part in parts):
        return None
    return tuple(map(int, parts))
