"""Says on standard error how far a launch is, once it takes longer than a second."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from grader.facts import Fact, fact
from grader.simt.launches.reports import LaunchProgress

_LINE_AGAIN = "\r\x1b[K"
"""To the original stream: what the script prints may be kept from steering the terminal."""
_FIRST = 1.0
_AGAIN = 0.5
_BUSY = 2.0
_LONG = 60.0
"""Seconds; where no terminal is, each line comes after twice the time of the one before."""


class LaunchTicker:
    """Shows a launch's progress, and how long the rest takes if that is long.

    On a terminal, the line is overwritten, and cleared at the end.
    """

    def __init__(self, kernel: str) -> None:
        self._kernel = kernel
        self._begun = time.monotonic()
        self._next = _FIRST
        self._shown = False

    def __call__(self, reached: LaunchProgress) -> None:
        """Show the progress; within a block, at first only on a terminal."""
        passed = time.monotonic() - self._begun
        if passed < self._next or reached.done == reached.blocks or sys.stderr is None:
            return
        terminal = sys.stderr.isatty()
        if reached.rounds and not terminal and passed < _BUSY:
            return
        text = _describe(self._kernel, reached, passed)
        if terminal:
            print(f"{_LINE_AGAIN}{text}", end="", file=sys.__stderr__, flush=True)
            self._next = passed + _AGAIN
            self._shown = True
        else:
            print(text, file=sys.stderr, flush=True)
            self._next = 2 * passed

    def end(self) -> None:
        """Leave no half line."""
        if self._shown:
            print(_LINE_AGAIN, end="", file=sys.__stderr__, flush=True)


def _describe(kernel: str, reached: LaunchProgress, passed: float) -> Fact:
    """Say how far a launch is, in which loop, and how long the rest takes if that is long."""
    done, blocks = reached.done, reached.blocks
    said = fact("progress.blocks", kernel=kernel, done=done, blocks=blocks, seconds=round(passed))
    if reached.rounds:
        said = fact("progress.loop", said=said, line=reached.line, rounds=reached.rounds)
    # Of blocks that none has finished of, at least those under way take as long as they have.
    known = done or reached.under_way
    rest = passed * (blocks - known) / known
    if rest > _LONG:
        said = fact("progress.long", said=said, n=round(rest / 60))
    return said


@contextmanager
def saying_what_is_done(what: Fact) -> Iterator[Callable[[], None]]:
    """Say on a terminal what takes more than a few seconds; yield what ends the wait for it."""

    def show() -> None:  # over what the command that started this shows while it waits
        print(f"{_LINE_AGAIN}{what}", file=sys.__stderr__, flush=True)

    waiting = threading.Timer(_BUSY, show)
    waiting.daemon = True
    if sys.stderr is not None and sys.stderr.isatty():
        waiting.start()
    try:
        yield waiting.cancel
    finally:
        waiting.cancel()
