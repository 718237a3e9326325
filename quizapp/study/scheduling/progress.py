"""`StudyProgress`: every card of a person, due on the day that the plan gives it.

Reads the log's caches, and appends events; which question is next is not its business.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from functools import cache

from quizapp.domain.days import from_date, study_day
from quizapp.domain.easy_days import EasyDays, read_easy_days
from quizapp.domain.goal import Goal
from quizapp.domain.log.events import Body
from quizapp.domain.log.projection import Card
from quizapp.domain.schedule import Parameters
from quizapp.store.log import NewEvent
from quizapp.store.store import Store
from quizapp.study.clock import TimeSource
from quizapp.study.scheduling.course import Course
from quizapp.study.scheduling.pace import Paces
from quizapp.study.scheduling.planned import Planned, read_planned


class StudyProgress:
    """The cards of a course's questions, as the log has them.

    Attributes:
        session_id: what the events of this program's run are filed under.
        paces: what the person's answers took.
        planned: the plan and the weights that hold.
    """

    planned: Planned

    def __init__(self, store: Store, clock: TimeSource, course: Course) -> None:
        self.store, self.clock, self.course = store, clock, course
        self.session_id = uuid.uuid4().hex
        self.paces = Paces(store)
        store.adopt(course.deck.renames)
        self.reread()

    # The day

    @property
    def day(self) -> int:
        """The study day it is now."""
        return study_day(self.clock.now(), self.store.latest_day())

    @property
    def parameters(self) -> Parameters:
        """What the scheduler is tuned with now."""
        return self.planned.parameters(self.course.settings.retention)

    @property
    def goal(self) -> Goal | None:
        """The plan that holds, while its day is ahead."""
        return self.planned.goal

    @property
    def interview(self) -> int | None:
        """The day that is prepared for: that of the plan, else that of the settings."""
        if self.goal is not None:
            return self.goal.day
        if self.planned.ended == self.day:
            return self.planned.ended
        date = self.course.settings.interview_date
        return None if date is None else from_date(date)

    @property
    def easy_days(self) -> EasyDays:
        """The days that are to have few reviews."""
        return read_easy_days(self.course.settings.easy_days)

    def estimate_minutes(self) -> Callable[[str], float]:
        """Return what says how many minutes an answer to a question takes, by the person's pace."""
        minutes = cache(self.paces.minutes)
        return lambda question: minutes(self.course.deck.entries[question].kind)

    # The cards

    @property
    def cards(self) -> Mapping[str, Card]:
        """The state of every question that has one."""
        return self._cards

    def card(self, question: str) -> Card:
        """Return the state of a question's card; an empty one if it was never answered."""
        return self._cards.get(question) or Card(question)

    def reread(self) -> None:
        """Read all cards, due on the days that the plan gives them."""
        self.paces.forget()
        self.planned = read_planned(self.store, self.day, self.course.order)
        place = self.planned.place
        self._cards = {name: place(card) for name, card in self.store.cards().items()}

    def refresh(self, question: str) -> None:
        """Read a question's card anew: an event about it was stored."""
        entry = self.course.deck.entries.get(question)
        self.paces.forget("" if entry is None else entry.kind)
        card = self.store.card(question)
        if card is None:
            self._cards.pop(question, None)
        else:
            self._cards[question] = self.planned.place(card)

    # Events

    def make_event(self, body: Body, question: str | None = None) -> NewEvent:
        """Make an event of here and now, filed under a question if one is given.

        It has an id of its own, so that it may be appended again after a failure.
        """
        now_ms = self.clock.now().utc_ms
        return NewEvent(uuid.uuid4().hex, self.session_id, question, body, now_ms)

    def append(self, body: Body, question: str | None = None) -> None:
        """Store an event; the card that it is about follows.

        Raises StoreError: it is not stored.
        """
        self.store.append([self.make_event(body, question)])
        if question is not None:
            self.refresh(question)
