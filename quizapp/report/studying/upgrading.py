"""Says on the terminal how far a database of an older version has been brought up to date."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from quizapp.report.words import Words
from quizapp.system.language import person_language
from quizapp.system.streams import control

_QUIET_S = 1.0
"""A small database is done before anything needs to be said."""


def show_upgrade() -> Callable[[int, int], None] | None:
    """Return what shows (done, of how many) on a line that is removed at the end.

    None without a terminal.
    """
    if not sys.stderr.isatty():
        return None
    began = time.monotonic()

    def show(done: int, of: int) -> None:
        if time.monotonic() - began < _QUIET_S:
            return
        control(sys.stderr, "\r\x1b[K")
        if done < of:
            say = Words(person_language())
            print(say("store.upgrading", percent=100 * done // of), end="", file=sys.stderr)
        sys.stderr.flush()

    return show
