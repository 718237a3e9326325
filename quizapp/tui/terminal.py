"""The terminal as Textual drives it on Unix, with what went wrong on bad days mended.

Draws on standard output (Textual draws on standard error, so `2>log` showed nothing), asks the
terminal itself for its size (exported COLUMNS would freeze it), survives a terminal that was
closed (a failed write ended the writing thread, and the program waited for it for ever), takes a
SIGCONT for a return only after it was suspended, and can be left while the program is busy.
"""

from __future__ import annotations

import errno
import os
import select
import sys
import termios
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, TextIO, cast

from textual.drivers.linux_driver import LinuxDriver

from quizapp.system.streams import SCREEN_ERRORS

if TYPE_CHECKING:
    from textual.app import App


_GIVE_BACK = b"".join(
    b"\x1b" + mode
    for mode in (
        *(b"[?2026l", b"[?1000l", b"[?1003l", b"[?1015l", b"[?1006l", b"[?2048l", b"[?2004l"),
        *(b"[?7h", b"[<u", b"[?1049l", b"[?25h", b"[?1004l"),
    )
)
"""Ends what Textual's driver begins: frame, mouse, sizes, paste, wrapping, keys, screen, focus."""


class _Output:
    """Standard output that is not there any more takes everything and says nothing.

    Nor does it later: what a stream could not write it would try again as the process ends.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        """Write, if there is a terminal."""
        with self._terminal_may_be_gone():
            self._stream.write(text)

    def flush(self) -> None:
        """Flush, if there is a terminal."""
        with self._terminal_may_be_gone():
            self._stream.flush()

    @contextmanager
    def _terminal_may_be_gone(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if error.errno == errno.EIO:
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, self.fileno())
                os.close(nowhere)
        except ValueError:
            pass

    def fileno(self) -> int:
        """Return the descriptor."""
        return self._stream.fileno()


class Terminal(LinuxDriver):
    """Textual's driver, mended."""

    is_ours = False
    """True while the terminal is in the state that the application needs."""

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

    def start_application_mode(self) -> None:
        """Take the terminal."""
        self.is_ours = True
        cast("Any", super()).start_application_mode()  # which has no types

    def stop_application_mode(self) -> None:
        """Give the terminal back."""
        super().stop_application_mode()
        self.is_ours = False

    def end_within(self, seconds: float, status: int) -> None:
        """End the process by then, the terminal as it was before, whatever the process does."""
        last = threading.Timer(seconds, self._end_now, (status,))
        last.daemon = True
        last.start()

    def _end_now(self, status: int) -> None:
        """Give the terminal back without the queue of what is still to be drawn, and end."""
        if self.is_ours:
            with suppress(OSError, ValueError, termios.error):
                if self.attrs_before is not None:
                    termios.tcsetattr(self.fileno, termios.TCSANOW, self.attrs_before)
                if select.select([], [self._output], [], 0)[1]:  # else it takes nothing more
                    os.write(self._output.fileno(), _GIVE_BACK)
        os._exit(status)

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
