"""`Study`: one running program's deck and progress, in the parts that change together.

    course      the deck as the person set it: order, packs, what is held back
    progress    their cards, as the log has them; appends events
    session     the queue, the question at hand, its answer
    attempts    drafts, hints, and submissions before there is an answer
    marks       bury, suspend, flag, reset
    history     undo and redo
    plan        setting a plan, and what it covers

Whoever needs one of them takes it from here; only what concerns several is done here. For one
thread at a time, which is never the one that draws; `examiner` and `clock` are for any.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Self

from quizapp.deck.deck import Deck
from quizapp.store.store import Store
from quizapp.study.clock import TimeSource
from quizapp.study.examiner import Examiner
from quizapp.study.plan import CurrentPlan
from quizapp.study.scheduling.course import Course
from quizapp.study.scheduling.progress import StudyProgress
from quizapp.study.sessions.attempts import StudyAttempts
from quizapp.study.sessions.history import UndoHistory
from quizapp.study.sessions.marks import Marks
from quizapp.study.sessions.session import Session
from quizapp.system.config import Settings
from quizapp.system.paths import shipped_content
from quizapp.system.trust import Trust


class Study:
    """A deck, a store and a clock, with the session that is going on."""

    def __init__(
        self,
        deck: Deck,
        store: Store,
        settings: Settings,
        clock: TimeSource,
        trust: Callable[[], Trust] = lambda: Trust((str(shipped_content()),)),
        *,
        kept_plan: Path | None = None,
        mutant_cache: Path | None = None,
    ) -> None:
        """Nothing is asked yet.

        `trust`: says whose Python may run, as it is now. `kept_plan`: where the report on the plan
        is kept; None to make it anew each time. `mutant_cache`: where it is kept what mutants of
        kernels came to; None to keep nothing.
        """
        self.store, self.clock, self.kept_plan = store, clock, kept_plan
        self.course = Course(deck, settings, trust)
        self.progress = StudyProgress(store, clock, self.course)
        self.attempts = StudyAttempts(self.progress)
        examiner = Examiner(lambda: self.settings.gpu, results=mutant_cache)
        self.session = Session(self.progress, self.attempts, examiner)
        self.marks = Marks(self.progress, self.session)
        self.history = UndoHistory(self.progress, self.session, self.attempts)
        self.plan = CurrentPlan(self.progress, self.session)

    def __enter__(self) -> Self:
        """The study itself; the store is closed on leaving."""
        return self

    def __exit__(self, *_error: object) -> None:
        self.examiner.close()
        self.store.close()

    @property
    def deck(self) -> Deck:
        """The questions."""
        return self.course.deck

    @property
    def settings(self) -> Settings:
        """What the person set."""
        return self.course.settings

    @property
    def examiner(self) -> Examiner:
        """What grades kernels."""
        return self.session.examiner

    @property
    def day(self) -> int:
        """The study day it is now."""
        return self.progress.day

    def catch_up(self) -> bool:
        """Read anew if another program stored something meanwhile; return True if it did."""
        if not self.store.changed_elsewhere():
            return False
        goal = self.progress.goal
        self.progress.reread()
        if self.progress.goal != goal:
            self.session.follow_plan()
        else:
            self.session.drop_done()
        return True

    def use_deck(self, deck: Deck) -> None:
        """Go on with changed content; what is gone leaves the queue, progress stays."""
        self.course.use(deck)
        self.store.adopt(deck.renames)
        self.progress.reread()
        self.session.drop_unaskable()
