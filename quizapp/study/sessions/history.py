"""`UndoHistory`: takes back what was done last, step by step, and restores it."""

from __future__ import annotations

from quizapp.deck import ordering
from quizapp.deck.index import Entry
from quizapp.domain import queue
from quizapp.domain.log.events import (
    Answered,
    Flagged,
    LogEntry,
    Placed,
    PlanDropped,
    PlanSet,
    Unvoided,
    Voided,
)
from quizapp.domain.log.projection import redo_target, undo_target
from quizapp.domain.question import CodeLanguage
from quizapp.domain.queue import Item, Stage
from quizapp.domain.rating import Rating
from quizapp.study.scheduling import daily
from quizapp.study.scheduling.progress import StudyProgress
from quizapp.study.sessions.attempts import StudyAttempts
from quizapp.study.sessions.session import Session
from quizapp.study.values import Undone

WRITTEN = ("index", "kernel")
"""Kinds whose answer is code: an undo brings it back to the editor."""


class UndoHistory:
    """Undo and redo of this program's run, as events; queue and drafts follow."""

    def __init__(self, progress: StudyProgress, session: Session, attempts: StudyAttempts) -> None:
        self._progress = progress
        self._session = session
        self._attempts = attempts
        self._began_ms = progress.clock.now().utc_ms

    def undo(self) -> Undone | None:
        """Take back the last answer, bury, suspend or flag; None when there is nothing."""
        target = undo_target(self._recent())
        if target is None:
            return None
        self._append_each(target, Voided)
        self._session.undone.add(target.id)
        return self._finish_step(target, undone=True)

    def redo(self) -> Undone | None:
        """Restore what was undone last; None when there is nothing."""
        target = redo_target(self._recent())
        if target is None:
            return None
        self._append_each(target, Unvoided)
        self._session.undone.discard(target.id)
        return self._finish_step(target, undone=False)

    def _recent(self) -> list[LogEntry]:
        progress = self._progress
        return progress.store.recent_undo_events(progress.session_id, self._began_ms)

    def _append_each(self, target: LogEntry, step: type[Voided | Unvoided]) -> None:
        """Undo or redo an event; of a placement, all that it found known, in one transaction."""
        together = [target]
        if isinstance(target.body, Placed):
            found = target.body.placement
            together = [
                event
                for event in self._recent()
                if isinstance(event.body, Placed) and event.body.placement == found
            ]
        progress = self._progress
        progress.store.append(
            [progress.make_event(step(target=each.id), each.question) for each in together]
        )
        for event in together:
            if event.question is not None:
                progress.refresh(event.question)

    def _finish_step(self, target: LogEntry, *, undone: bool) -> Undone:
        """Bring the queue in line with an undo or a redo, and say what it was."""
        progress, session, body = self._progress, self._session, target.body
        if isinstance(body, PlanSet | PlanDropped):
            session.follow_plan()
        elif target.question is None:
            progress.reread()
            session.drop_done()
        question = target.question or ""
        if isinstance(body, Answered) and body.kind in WRITTEN:
            self._restore_draft(question, body, undone=undone)
        entry = progress.course.deck.entries.get(question)
        runs = question not in progress.course.held_back.questions
        if isinstance(body, Placed):
            session.queue = daily.plan_day(progress, session.narrowed)
        elif entry is not None and runs and not isinstance(body, Flagged):
            self._requeue(entry, target, undone=undone)
        tag = type(body).__struct_config__.tag
        return Undone("" if isinstance(body, Placed) else question, str(tag))

    def _restore_draft(self, question: str, answer: Answered, *, undone: bool) -> None:
        """Bring undone code back to the editor; take it away again if it was not edited since."""
        language: CodeLanguage = "cuda" if answer.language == "cuda" else "python"
        store = self._progress.store
        if undone:
            self._attempts.save_draft(question, answer.response, language)
        elif store.draft(question, language) == answer.response:
            store.drop_drafts(question, (language,))

    def _is_due(self, question: str) -> bool:
        """Return True if the day's queue, within filter and limits, would ask it."""
        planned = daily.plan_day(self._progress, self._session.narrowed)
        return question in {item.question for item in planned.items}

    def _requeue(self, entry: Entry, target: LogEntry, *, undone: bool) -> None:
        """Ask an undone question again at once; take a redone one away, or bring it back later."""
        progress, session = self._progress, self._session
        card = progress.cards.get(entry.id)
        stage = queue.stage_of(ordering.candidate(entry), card, progress.day)
        answer = isinstance(target.body, Answered)
        if isinstance(target.body, Answered) and target.body.practice:
            stage = Stage.PRACTICE
        session.leave_out(entry.id)
        item = Item(entry.id, entry.topic, stage or Stage.REVIEW, entry.kind)
        if undone and (answer or self._is_due(entry.id)) and stage is not None:
            session.queue = queue.put_back(session.queue, item, answer=answer)
        elif answer and not undone:
            rating = Rating.AGAIN if stage is Stage.REPEAT else Rating.GOOD
            session.queue = queue.answer(session.queue, item, rating)
