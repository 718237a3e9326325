"""`Session`: asks the questions of a day one after the other, and stores what is answered.

Not thread-safe: an interface calls it from one worker thread, never from the one that draws.
Grading is pure (`recording`), the queue is pure (`domain.queue`); this class holds what changes.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from quizapp.domain import leeches, queue
from quizapp.domain.attempt import Response
from quizapp.domain.errors import StoreError, UnaskableQuestion
from quizapp.domain.languages import language_of, languages_of, put_in
from quizapp.domain.log.projection import Begun, attempt_so_far
from quizapp.domain.question import (
    CODE_LANGUAGES,
    AnyQuestion,
    CodeLanguage,
    PutQuestion,
    code_language,
)
from quizapp.domain.queue import Item, Queue, Stage
from quizapp.domain.rating import Rating
from quizapp.exercises import faults
from quizapp.study.examiner import Examiner
from quizapp.study.home_values import Filter
from quizapp.study.scheduling import daily
from quizapp.study.scheduling.progress import StudyProgress
from quizapp.study.sessions import recording
from quizapp.study.sessions.attempts import StudyAttempts
from quizapp.study.sessions.drawing import draw, linked_questions
from quizapp.study.sessions.occasions import find_occasion
from quizapp.study.values import GradedResponse, Turn

if TYPE_CHECKING:
    from quizapp.exercises.spots import DrawnSpot
    from quizapp.exercises.traces import DrawnTrace

CHECKPOINT_ANSWERS = 50
"""The main file is brought up to date after so many: a lost write-ahead log costs no more."""


class Session:
    """A queue of questions, and what was answered of it.

    Attributes:
        queue: what is still to be asked.
        narrowed: the selection that it is about.
        attempts: what is kept of an attempt before its answer.
        undone: the events of answers that were taken back.
    """

    def __init__(
        self, progress: StudyProgress, attempts: StudyAttempts, examiner: Examiner
    ) -> None:
        self._progress = progress
        self._course = progress.course
        self._store = progress.store
        self.attempts = attempts
        self.examiner = examiner
        self.clock = progress.clock
        self.queue = Queue(())
        self.narrowed = Filter()
        self.undone: set[str] = set()
        self._interrupted: list[tuple[Filter, Queue]] = []
        self._committed: dict[str, GradedResponse] = {}
        self._languages: dict[str, CodeLanguage] = {}
        """Of the questions that were switched in this session."""
        self._since_checkpoint = 0

    # The queue

    def begin(self, narrowed: Filter) -> Queue:
        """Build the day's queue.

        Raises UnknownTopic, UnknownPack, UsageError: the filter names what no question has.
        """
        self._course.check(narrowed)
        self._course.reconsider()  # it may have been agreed to since
        if narrowed.failed:
            narrowed = replace(narrowed, questions=daily.failed_lately(self._progress))
        self.narrowed = narrowed
        self.follow_plan()
        return self.queue

    def interrupt(self, narrowed: Filter) -> Queue:
        """Begin a session within the one that is going on; `resume` takes that up again.

        Raises UnknownTopic, UnknownPack, UsageError: the filter names what no question has.
        """
        interrupted = (self.narrowed, self.queue)
        begun = self.begin(narrowed)
        self._interrupted.append(interrupted)
        return begun

    def resume(self) -> None:
        """End the inner session: go on with the outer, without what was answered meanwhile."""
        self.narrowed, self.queue = self._interrupted.pop()
        self.drop_done()

    def follow_plan(self) -> None:
        """Read the cards, due on the days that the plan gives them, and build the queue anew."""
        self._progress.reread()
        self.queue = self._put_pending_first(daily.plan_day(self._progress, self.narrowed))
        if self.narrowed.limit is not None:
            self.queue = queue.shorten(self.queue, self.narrowed.limit)

    def drop_done(self) -> None:
        """Leave out what was answered elsewhere, or lost meanwhile."""
        progress, course = self._progress, self._course
        asked = course.every_candidate() if self.narrowed.is_chosen else course.candidates()
        self.queue = queue.drop_done(self.queue, asked, progress.cards, progress.day)

    def drop_unaskable(self) -> None:
        """Leave out what the deck has no more, or what runs code that was not agreed to."""
        for item in self.queue.items:
            if not self._course.is_askable(item.question):
                self.leave_out(item.question)

    def leave_out(self, question: str) -> None:
        """Leave a question out of this session; nothing is stored."""
        self.queue = queue.drop(self.queue, question)

    def still_asks(self, turn: Turn) -> bool:
        """Return True if this is still in the queue, as it was put."""
        return turn.item in self.queue.items

    def _put_pending_first(self, planned: Queue) -> Queue:
        """Put what a GPU's turn left pending first, if it is asked at all."""
        waiting = {item.question: item for item in (*planned.first, *planned.waiting)}
        for name in self._store.recently_submitted():
            if name in waiting and attempt_so_far(self._store.events(name)).pending is not None:
                planned = queue.put_back(planned, waiting[name], answer=False)
        return planned

    # A question

    def next(self) -> Turn | None:
        """Return the next question, or None when the session is done; twice gives the same.

        Raises:
            UnaskableQuestion: it cannot be computed; it has left the queue.
            StoreDamaged: no answer could be stored.
        """
        if self._store.damage is not None:
            raise self._store.damage
        item = queue.next_item(self.queue)
        if item is None:
            return None
        deck, entry = self._course.deck, self._course.deck.entries[item.question]
        card = self._progress.card(item.question)
        begun = attempt_so_far(self._store.events(item.question))
        language = self._choose_language(item.question, begun)
        question, drawn = self._draw_question(item.question, begun.answers, language)
        repetition = card.memory.repetitions if card.memory else 0
        if item.stage is Stage.PRACTICE:  # neither an order that is to come, nor what was begun
            repetition, begun = -1 - begun.answers, Begun()
        turn = Turn(
            item=item,
            entry=entry,
            question=question,
            card=card,
            position=self.queue.asked + 1,
            total=self.queue.asked + self.queue.left,
            order=recording.draw_order(question, entry.id, repetition),
            draft=self._store.draft(item.question, language_of(question)) or "",
            drawn=drawn,
            tried=begun.tried,
            hints=min(begun.hints, len(question.hints)),
            timed=self.examiner.measures(question),
            pending=begun.pending.source if begun.pending is not None else "",
            returns=not self.queue.once,
            explains=self.narrowed.guided or entry.kind not in self._known_kinds(),
            linked=linked_questions(deck, entry, question),
            languages=languages_of(deck.question(item.question)),
        )
        if turn.lapses_if_leech is None:
            return turn
        return replace(turn, easier=leeches.find_easier(entry.id, self._course.candidates()))

    def peek(self) -> AnyQuestion | None:
        """Return the question that `next` puts if nothing changes, before what varies is drawn."""
        item = queue.next_item(self.queue)
        if item is None or not self._course.is_askable(item.question):
            return None
        language = self._languages.get(item.question, self._course.settings.code_language)
        return put_in(self._course.deck.question(item.question), language)

    def switch_language(self, turn: Turn) -> None:
        """Put the question that is asked in its other language from now on, if it has one."""
        if turn.other_language is not None:
            self._languages[turn.entry.id] = turn.other_language

    def _choose_language(self, name: str, begun: Begun) -> CodeLanguage:
        """Choose what a question is put in: as it was left, else as the person writes."""
        if name in self._languages:
            return self._languages[name]
        if begun.pending is not None:
            return code_language(begun.pending.source)
        return self._store.draft_language(name) or self._course.settings.code_language

    def _known_kinds(self) -> set[str]:
        """Return the kinds of which a question was answered."""
        cards, entries = self._progress.cards, self._course.deck.entries
        seen = (name for name, card in cards.items() if card.memory is not None)
        return {entries[name].kind for name in seen if name in entries}

    def _draw_question(
        self, name: str, answers: int, language: CodeLanguage
    ) -> tuple[PutQuestion, DrawnTrace | DrawnSpot | None]:
        """Draw a question of the deck as it is put after so many answers.

        Raises UnaskableQuestion: it cannot be computed; it has left the queue.
        """
        question = put_in(self._course.deck.question(name), language)
        try:
            return draw(question, name, answers)
        except faults.BadExercise as error:
            self.leave_out(name)
            raise UnaskableQuestion(name, error.fault.located_fact) from None

    # Its answer

    def grade(self, turn: Turn, response: Response) -> GradedResponse:
        """Grade and rate a response. Nothing is stored yet."""
        source = "" if response.effort.gave_up else response.text
        return recording.grade(turn, response, find_occasion(self._progress, turn, source))

    def commit(self, graded: GradedResponse) -> None:
        """Store an answer. May be called again after a failure: it is stored once.

        Raises StoreError: it is not stored; the answer is still in `graded`.
        """
        self._store.append(graded.events)
        question = graded.turn.entry.id
        solved = graded.grade.correct
        self._store.drop_drafts(question, CODE_LANGUAGES if solved else (graded.turn.language,))
        self._progress.refresh(question)
        if graded.event_id not in self._committed:
            self._committed[graded.event_id] = graded
            rating = graded.suggestion.rating
            self.queue = queue.answer(self.queue, graded.turn.item, rating)
            self._set_aside(graded.turn)
            self._since_checkpoint += 1
            if self._since_checkpoint >= CHECKPOINT_ANSWERS:
                self.checkpoint()

    @property
    def results(self) -> tuple[GradedResponse, ...]:
        """This program's stored answers that were not undone, in order."""
        return tuple(g for name, g in self._committed.items() if name not in self.undone)

    def rate(self, graded: GradedResponse, rating: Rating) -> None:
        """Override the rating of a stored answer. Raises StoreError: the override is not stored."""
        body = recording.rerate(graded, rating, self._progress.day)
        self._progress.append(body, graded.turn.entry.id)
        self.queue = queue.rerate(self.queue, graded.turn.item, rating)
        self._set_aside(graded.turn)

    def _set_aside(self, turn: Turn) -> None:
        """Leave out what became a leech; questions to learn its concept from follow.

        One that is new is answered for the first time, and others are practice.
        """
        for name in turn.easier:
            self.queue = queue.drop_offer(self.queue, name)
        if turn.lapses_if_leech is None or not self._progress.card(turn.entry.id).suspended:
            return
        self.leave_out(turn.entry.id)
        for name in turn.easier:
            entry = self._course.deck.entries[name]
            stage = Stage.NEW if self._progress.card(name).memory is None else Stage.PRACTICE
            item = Item(name, entry.topic, stage, entry.kind)
            self.queue = queue.offer(self.queue, item)

    def checkpoint(self) -> None:
        """Bring the database's main file up to date: after a session, and within a long one."""
        with suppress(StoreError):  # the answers are stored; the next checkpoint has them too
            self._store.checkpoint()
        self._since_checkpoint = 0
