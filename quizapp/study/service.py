"""`Study`: one running program's view of deck and progress, and everything it can do with them.

Not thread-safe: an interface calls it from one worker thread, never from the one that draws.
Grading is pure (`attempt`), the queue is pure (`domain.session`); this class holds what changes.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

from quizapp.config import Settings
from quizapp.deck.deck import Deck
from quizapp.deck.index import Entry
from quizapp.domain import session as queue
from quizapp.domain.days import study_day
from quizapp.domain.events import (
    Answered,
    Body,
    Buried,
    Event,
    Flagged,
    Reset,
    Suspended,
    Unvoided,
    Voided,
)
from quizapp.domain.projection import Card, attempt_so_far, redo_target, undo_target
from quizapp.domain.question import KINDS, Index, PutQuestion, Spot, Trace
from quizapp.domain.rating import Pace, Rating
from quizapp.domain.schedule import Parameters
from quizapp.domain.session import Candidate, Item, Limits, Session, Stage
from quizapp.errors import UnaskableQuestion, UsageError
from quizapp.store import Store
from quizapp.study import attempt
from quizapp.study.attempt import Setting
from quizapp.study.clock import Clock
from quizapp.study.examiner import Examiner
from quizapp.study.values import Asked, Filter, Given, Graded, Submission, Undone

if TYPE_CHECKING:
    from quizapp.exercises.layouts import Checked  # NumPy, 80 ms
    from quizapp.exercises.spots import DrawnSpot
    from quizapp.exercises.traces import Drawn


WRITTEN = ("index", "kernel")
"""Kinds whose answer is code: an undo brings it back to the editor."""


class Study:
    """A deck, a store and a clock, with the session that is going on.

    `examiner` grades kernels; it alone may be used from any thread.
    """

    def __init__(self, deck: Deck, store: Store, settings: Settings, clock: Clock) -> None:
        self.deck = deck
        self.store = store
        self.settings = settings
        self.session = Session(())
        self.examiner = Examiner(lambda: self.settings.gpu)
        self._clock = clock
        self._session_id = uuid.uuid4().hex
        self._began_ms = clock.now().utc_ms
        self._filter = Filter()
        self._committed: dict[str, Graded] = {}
        self._undone: set[str] = set()
        self._paces: dict[str, tuple[int, ...]] = {}
        store.adopt(deck.renames)
        self._cards = store.cards()

    def __enter__(self) -> Self:
        """The study itself; the store is closed on leaving."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.examiner.close()
        self.store.close()

    # The day and the deck

    @property
    def day(self) -> int:
        """The study day it is now."""
        return study_day(self._clock.now(), self.store.latest_day())

    @property
    def parameters(self) -> Parameters:
        """What the scheduler is tuned with now."""
        return Parameters(retention=self.settings.retention)

    @property
    def cards(self) -> Mapping[str, Card]:
        """The state of every question that has one."""
        return self._cards

    def card(self, question: str) -> Card:
        """The state of a question's card; an empty one when it was never answered."""
        return self._cards.get(question) or Card(question)

    def use_deck(self, deck: Deck) -> None:
        """Go on with changed content; what is gone leaves the queue, progress stays."""
        self.deck = deck
        self.store.adopt(deck.renames)
        self._cards = self.store.cards()
        for item in (*self.session.waiting, *(i for _, i in self.session.returning)):
            if item.question not in deck.entries:
                self.session = queue.dropped(self.session, item.question)

    # The session

    def begin(self, narrowed: Filter) -> Session:
        """Build the day's queue.

        Raises:
            UnknownTopic, UsageError: the filter names a topic or kind that no question has.
        """
        if narrowed.topic is not None:
            self.deck.check_topic(narrowed.topic)
        if narrowed.kind is not None and narrowed.kind not in KINDS:
            raise UsageError(f"there is no kind '{narrowed.kind}'", f"kinds: {', '.join(KINDS)}")
        self._filter = narrowed
        self._cards = self.store.cards()
        self.session = self.planned()
        if narrowed.limit is not None:
            self.session = queue.shortened(self.session, narrowed.limit)
        return self.session

    def planned(self) -> Session:
        """What the day still asks, narrowed as the session is."""
        known = frozenset(self.deck.entries)
        narrowed = self.candidates(self._filter)
        return queue.build(narrowed, self._cards, self.limits(), self.day, known)

    def candidates(self, narrowed: Filter | None = None) -> list[Candidate]:
        """The questions that may be asked, easiest first."""
        narrowed = narrowed or Filter()
        entries = [
            entry
            for entry in self.deck.entries.values()
            if narrowed.topic in (None, entry.topic) and narrowed.kind in (None, entry.kind)
        ]
        entries.sort(key=lambda entry: entry.difficulty)
        return [Candidate(e.id, e.topic, e.requires, e.rev) for e in entries]

    def limits(self) -> Limits:
        """What is left of the day's limits."""
        done = self.store.day_counts(self.day)
        new = self._filter.new
        return Limits(
            new=self.settings.new_per_day - done.new if new is None else new,
            reviews=self.settings.reviews_per_day - done.reviews,
        )

    def next(self) -> Asked | None:
        """The next question, or None when the session is done. Asking twice gives the same.

        Raises:
            UnaskableQuestion: it cannot be computed; it has left the queue.
        """
        item = queue.next_item(self.session)
        if item is None:
            return None
        entry = self.deck.entries[item.question]
        card = self.card(item.question)
        begun = attempt_so_far(self.store.events(item.question))
        question, drawn = self._put(item.question, begun.answers)
        return Asked(
            item=item,
            entry=entry,
            question=question,
            card=card,
            position=self.session.asked + 1,
            total=self.session.asked + self.session.left,
            order=attempt.drawn_order(
                question, entry.id, card.memory.repetitions if card.memory else 0
            ),
            draft=self.store.draft(item.question) or "",
            drawn=drawn,
            tried=begun.tried,
            hints=min(begun.hints, len(question.hints)),
            timed=self.examiner.measures(question),
        )

    def leave_out(self, question: str) -> None:
        """Ask it no more in this session; nothing is stored."""
        self.session = queue.dropped(self.session, question)

    def grade(self, asked: Asked, given: Given) -> Graded:
        """The verdict on an answer. Nothing is stored yet."""
        return attempt.grade(asked, given, self._setting(asked))

    def check(self, asked: Asked, source: str) -> Checked:
        """The verdict on a layout; one that fails is stored, once.

        Raises:
            StoreError: it failed and is not stored.
        """
        from quizapp.exercises.layouts import check  # noqa: PLC0415 - NumPy, 80 ms

        assert isinstance(asked.question, Index)  # noqa: S101 - kernels go to the examiner
        checked = check(asked.question, source)
        self.keep(asked, checked)
        return checked

    def keep(self, asked: Asked, checked: Submission) -> None:
        """Store a submission that failed, once.

        Raises:
            StoreError: it is not stored.
        """
        begun = attempt_so_far(self.store.events(asked.entry.id))
        if not checked.passed and checked.source not in (*begun.tried, *begun.unread):
            self.store.append([attempt.tried(asked, checked, self._setting(asked))])

    def show_hint(self, asked: Asked, number: int) -> None:
        """Store that the `number`-th hint was shown: it counts although the person leaves now.

        Raises:
            StoreError: it is not stored.
        """
        self.store.append([attempt.hinted(asked, number, self._setting(asked))])

    def commit(self, graded: Graded) -> None:
        """Store an answer. May be called again after a failure: it is stored once.

        Raises:
            StoreError: it is not stored; the answer is still in `graded`.
        """
        self.store.append(graded.events)
        question = graded.asked.entry.id
        self.store.drop_draft(question)
        self._refresh(question)
        if graded.event_id not in self._committed:
            self._committed[graded.event_id] = graded
            rating = graded.suggestion.rating
            self.session = queue.answered(self.session, graded.asked.item, rating)

    @property
    def results(self) -> tuple[Graded, ...]:
        """This program's stored answers that were not undone, in order."""
        return tuple(g for name, g in self._committed.items() if name not in self._undone)

    def rate(self, graded: Graded, rating: Rating) -> None:
        """Override the rating of a stored answer.

        Raises:
            StoreError: the override is not stored.
        """
        event = attempt.rerate(graded, rating, self._setting(graded.asked))
        self.store.append([event])
        self._refresh(graded.asked.entry.id)
        self.session = queue.rerated(self.session, graded.asked.item, rating)

    # Taking back

    def undo(self) -> Undone | None:
        """Take back the last answer, bury, suspend or flag; None when there is nothing."""
        target = undo_target(self._recent())
        if target is None:
            return None
        self._append(target.question, Voided(target=target.id))
        self._undone.add(target.id)
        return self._stepped(target, undone=True)

    def redo(self) -> Undone | None:
        """Restore what was undone last; None when there is nothing."""
        target = redo_target(self._recent())
        if target is None:
            return None
        self._append(target.question, Unvoided(target=target.id))
        self._undone.discard(target.id)
        return self._stepped(target, undone=False)

    # Marks

    def bury(self, question: str) -> None:
        """Do not ask it before tomorrow."""
        self._append(question, Buried(until=self.day + 1))
        self.session = queue.dropped(self.session, question)

    def suspend(self, question: str, *, on: bool = True) -> None:
        """Do not ask it until this is switched off."""
        self._append(question, Suspended(on=on))
        if on:
            self.session = queue.dropped(self.session, question)

    def flag(self, question: str, *, on: bool = True) -> None:
        """Mark it as wrong, unclear or worth another look."""
        self._append(question, Flagged(on=on))

    def toggle_flag(self, question: str) -> bool:
        """Flag it, or remove the flag; whether it is flagged now."""
        on = not self.card(question).flagged
        self.flag(question, on=on)
        return on

    def reset(self, questions: Sequence[str]) -> int:
        """Make questions new again; how many had progress to forget."""
        touched = [q for q in questions if self.card(q).memory is not None]
        setting = self._setting(None)
        self.store.append([attempt.new_event(q, Reset(), setting) for q in touched])
        self._cards = self.store.cards()
        return len(touched)

    def save_draft(self, question: str, text: str) -> None:
        """Keep a half-written answer; an empty one is forgotten."""
        if text.strip():
            self.store.save_draft(question, text, self._clock.now().utc_ms)
        else:
            self.store.drop_draft(question)

    # Inside

    def _put(self, name: str, answers: int) -> tuple[PutQuestion, Drawn | DrawnSpot | None]:
        """A question of the deck as it is put after so many answers.

        Raises:
            UnaskableQuestion: it cannot be computed; it has left the queue.
        """
        question = self.deck.question(name)
        if not isinstance(question, Trace | Spot):
            return question, None
        from quizapp.exercises.errors import BadExercise  # noqa: PLC0415

        try:
            drawn = _drawn(question, name, answers)
        except BadExercise as error:
            self.leave_out(name)
            raise UnaskableQuestion(name, error.what) from None
        return drawn.question, drawn

    def _setting(self, asked: Asked | None) -> Setting:
        parameters = self.parameters
        return Setting(
            moment=self._clock.now(),
            day=self.day,
            session=self._session_id,
            parameters=parameters,
            announce=parameters.id not in self.store.parameters(),
            pace=self._pace(asked),
        )

    def _pace(self, asked: Asked | None) -> Pace:
        if asked is None:
            return Pace(first_exposure=True)
        kind = asked.entry.kind
        if kind not in self._paces:
            self._paces[kind] = self.store.durations(kind)
        return Pace(
            first_exposure=asked.card.memory is None,
            durations_ms=self._paces[kind],
            asks_confidence=self.settings.confidence,
        )

    def _append(self, question: str | None, body: Body) -> None:
        self.store.append([attempt.new_event(question, body, self._setting(None))])
        if question is not None:
            self._refresh(question)

    def _refresh(self, question: str) -> None:
        card = self.store.card(question)
        if card is None:
            self._cards.pop(question, None)
        else:
            self._cards[question] = card

    def _recent(self) -> list[Event]:
        return self.store.recent_undo_events(self._session_id, self._began_ms)

    def _stepped(self, target: Event, *, undone: bool) -> Undone:
        """What was undone or redone, once the queue is in line with it."""
        question = target.question or ""
        entry = self.deck.entries.get(question)
        if undone and isinstance(target.body, Answered) and target.body.kind in WRITTEN:
            self.save_draft(question, target.body.response)
        if entry is not None and not isinstance(target.body, Flagged):
            self._requeue(entry, target, undone=undone)
        tag = type(target.body).__struct_config__.tag
        return Undone(question, str(tag))

    def _is_due(self, question: str) -> bool:
        """Whether the day's queue, within filter and limits, would ask it."""
        due = self.planned()
        return question in {i.question for i in (*due.waiting, *(i for _, i in due.returning))}

    def _requeue(self, entry: Entry, target: Event, *, undone: bool) -> None:
        """Undone: asked again, at once. Redone: gone again, or back later as it was."""
        candidate = Candidate(entry.id, entry.topic, entry.requires, entry.rev)
        stage = queue.stage_of(candidate, self._cards.get(entry.id), self.day)
        answer = isinstance(target.body, Answered)
        self.session = queue.dropped(self.session, entry.id)
        item = Item(entry.id, entry.topic, stage or Stage.REVIEW)
        if undone and (answer or self._is_due(entry.id)) and stage is not None:
            self.session = queue.put_back(self.session, item, answer=answer)
        elif answer and not undone:
            rating = Rating.AGAIN if stage is Stage.REPEAT else Rating.GOOD
            self.session = queue.answered(self.session, item, rating)


def _drawn(question: Trace | Spot, name: str, answers: int) -> Drawn | DrawnSpot:
    """What varies, drawn for the review after so many answers; each kind imports its own.

    Raises:
        BadExercise: it cannot be computed.
    """
    if isinstance(question, Trace):
        from quizapp.exercises.traces import draw  # noqa: PLC0415 - NumPy, 80 ms

        return draw(question, name, answers)
    from quizapp.exercises.spots import draw_spot  # noqa: PLC0415 - NumPy and the emulator

    return draw_spot(question, name, answers)
