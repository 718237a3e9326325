"""Says on standard error how far a launch is, once it takes longer than a second."""

from __future__ import annotations

import sys
import time

from grader.simt.launches.launching import LaunchProgress

_LINE_AGAIN = "\r\x1b[K"
"""To the original stream: what the script prints may be kept from steering the terminal."""
_FIRST = 1.0
_AGAIN = 0.5
"""Seconds; where no terminal is, each line comes after twice the time of the one before."""


class Progress:
    """Shows a launch's progress. On a terminal, the line is overwritten, and cleared at the end."""

    def __init__(self, kernel: str) -> None:
        self._kernel = kernel
        self._begun = time.monotonic()
        self._next = _FIRST
        self._shown = False

    def __call__(self, reached: LaunchProgress) -> None:
        """Show the progress; within a block, only on a terminal."""
        passed = time.monotonic() - self._begun
        if passed < self._next or reached.done == reached.blocks or sys.stderr is None:
            return
        terminal = sys.stderr.isatty()
        if reached.rounds and not terminal:
            return
        text = f"{self._kernel}: {reached.done:,} of {reached.blocks:,} blocks, {passed:.0f} s"
        if reached.rounds:
            text += f", line {reached.line}, iteration {reached.rounds:,}"
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
