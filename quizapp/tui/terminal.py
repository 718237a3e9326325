"""The terminal as Textual drives it on Unix, with what went wrong on bad days mended.

Draws on standard output (Textual draws on standard error, so `2>log` showed nothing), asks the
terminal itself for its size (exported COLUMNS would freeze it), survives a terminal that was
closed (a failed write ended the writing thread, and the program waited for it for ever), and takes
a SIGCONT for a return only after it was suspended.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, TextIO, cast

from textual.drivers.linux_driver import LinuxDriver

from quizapp.system.streams import SCREEN_ERRORS

if TYPE_CHECKING:
    from textual.app import App


class _Output:
    """Standard output that is not there any more takes everything and says nothing."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        """Write, if there is a terminal."""
        with suppress(OSError, ValueError):
            self._stream.write(text)

    def flush(self) -> None:
        """Flush, if there is a terminal."""
        with suppress(OSError, ValueError):
            self._stream.flush()

    def fileno(self) -> int:
        """Return the descriptor."""
        return self._stream.fileno()


class Terminal(LinuxDriver):
    """Textual's driver, mended."""

    def __init__(
        self,
        app: App[Any],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        screen = cast("TextIO", sys.__stdout__)
        if isinstance(screen, TextIOWrapper):
            screen.reconfigure(errors=SCREEN_ERRORS)
        self._output = _Output(screen)
        self._file = cast("Any", self._output)

    def _get_terminal_size(self) -> tuple[int, int]:
        try:
            columns, rows = os.get_terminal_size(self._output.fileno())
        except OSError:
            return super()._get_terminal_size()
        return (columns, rows) if columns and rows else super()._get_terminal_size()

    def _sigcont_application(self, *_: object) -> None:
        if self._must_signal_resume:
            super()._sigcont_application()

    def _run_input_thread(self) -> None:
        with suppress(OSError):  # the terminal was closed; SIGHUP says so as well
            self.run_input_thread()
