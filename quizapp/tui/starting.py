"""Starts the application and ends it: home first and the study behind it, where home was kept.

Decides nothing about what is shown. Until home is drawn, nothing may need the database: SQLAlchemy
takes a quarter of a start without what was kept.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

from quizapp.deck.content import load_deck
from quizapp.domain.errors import DataError
from quizapp.report.studying import upgrading
from quizapp.report.words import Words
from quizapp.study import kept_home, opening, rolling_copy
from quizapp.study.clock import SystemClock
from quizapp.study.home_values import Filter
from quizapp.system.config import Settings
from quizapp.system.paths import Paths
from quizapp.tui.app import HomeFirst, QuizApp
from quizapp.tui.shell import run_to_end

if TYPE_CHECKING:  # types alone: home is drawn without these
    from quizapp.study.mock.interviews import InterviewWish
    from quizapp.study.service import Study


def run(
    paths: Paths, settings: Settings, narrowed: Filter, wish: InterviewWish | None = None
) -> int:
    """Run the application and return the exit status; `wish` is for mock interviews.

    Raises:
        StoreError, UsageError: before the screen is taken over, or once it is given back.
        StoreDamaged: also once it is gone, if the database is not sound.
    """
    if not paths.compiled_deck.exists():  # it takes 2 s, and more on a busy machine
        print(Words(settings.language)("welcome.reading"), file=sys.stderr, flush=True)
    deck = load_deck(paths, settings)
    with ExitStack() as stack:

        def open_study(progress: Callable[[int, int], None] | None = None) -> Study:
            study = opening.open_study(paths, settings, deck=deck, progress=progress)
            stack.enter_context(study)
            study.session.begin(narrowed.by_schedule)
            return study

        facts = None
        if settings.welcomed and wish is None and narrowed == Filter():
            facts = kept_home.read(paths, settings, deck, SystemClock().now())
        if facts is None:
            app = QuizApp(open_study(upgrading.show_upgrade()), paths, settings, narrowed, wish)
        else:
            app = QuizApp(None, paths, settings, narrowed, behind=HomeFirst(facts, open_study))
        status = run_to_end(app)
        if app.parting:
            print(app.parting)
        if app.is_open:  # else a signal came first
            _end(app, stack)
        return status


def _end(app: QuizApp, stack: ExitStack) -> None:
    """Copy the database, close it, and keep what home shows next."""
    study, paths = app.study, app.paths
    if study.store.damage is not None:
        raise study.store.damage
    if app.stopped_by is None:  # else somebody waits for its end; the next session copies
        notice = rolling_copy.keep_copy(study.store)
        if notice:
            print(app.say.fact(notice), file=sys.stderr)
    if app.stopped_by in {None, signal.SIGHUP}:
        days = None
        with suppress(DataError):  # the next start says what is wrong
            days = kept_home.foresee(study, paths)
        stack.close()
        if days is not None:
            kept_home.keep(study, paths, days)
