"""Opens the screens for a command, and offers the ways out if the database is damaged."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable

from quizapp import __version__
from quizapp.commands.common.surroundings import Surroundings
from quizapp.domain.errors import StoreDamaged
from quizapp.plain import rescue
from quizapp.report.words import Words
from quizapp.study import home_values
from quizapp.study.mock import interviews
from quizapp.system import logs
from quizapp.tui import starting

TICKS = "240"
"""The rate in Hz at which Textual may draw; it reads this when it is imported."""


def with_rescue(where: Surroundings, study: Callable[[], int]) -> int:
    """Return what `study` returns; if the database is damaged, offer the ways out, then again."""
    while True:
        try:
            return study()
        except StoreDamaged as error:
            words = Words(where.settings.language)
            database = where.paths.database
            if not rescue.offer_rescue(error, database, words, sys.stdin, sys.stdout):
                raise


def open_screens(
    where: Surroundings, narrowed: home_values.Filter, wish: interviews.InterviewWish | None = None
) -> int:
    """Open the screens.

    Textual draws on a timer, 60 times per second by default, so a key would wait up to 17 ms for
    its picture. Garbage is not collected before home is drawn: that took 60 ms of importing and
    drawing.
    """
    os.environ.setdefault("TEXTUAL_FPS", TICKS)
    gc.disable()
    logs.set_up(where.paths.log)
    logs.record("start", version=__version__)
    return starting.run(where.paths, where.settings, narrowed, wish)
