"""`Marks`: what a person says about a question beside answering it; each can be undone."""

from __future__ import annotations

from collections.abc import Sequence

from quizapp.deck import ordering
from quizapp.domain import queue
from quizapp.domain.log.events import Buried, Flagged, Reset, Revealed, Suspended
from quizapp.domain.queue import Stage
from quizapp.study.scheduling.progress import StudyProgress
from quizapp.study.sessions.session import Session


class Marks:
    """Puts questions off, aside, or back to new, and flags them; the session's queue follows."""

    def __init__(self, progress: StudyProgress, session: Session) -> None:
        self._progress = progress
        self._session = session

    def bury(self, question: str) -> None:
        """Do not ask it before tomorrow."""
        self._progress.append(Buried(until=self._progress.day + 1), question)
        self._session.leave_out(question)

    def reveal(self, question: str) -> bool:
        """Note that the answer was looked at; return True if that puts it off until tomorrow.

        Only what was still to be asked today is put off: new, or due.
        """
        progress, course = self._progress, self._progress.course
        candidate = ordering.candidate(course.deck.entries[question])
        stage = queue.stage_of(candidate, progress.cards.get(question), progress.day)
        if stage not in (Stage.NEW, Stage.REVIEW):
            return False
        progress.append(Revealed(study_day=progress.day), question)
        self._session.leave_out(question)
        return not course.rests(question)

    def suspend(self, question: str, *, on: bool = True) -> None:
        """Do not ask it until this is switched off."""
        self._progress.append(Suspended(on=on), question)
        if on:
            self._session.leave_out(question)

    def toggle_flag(self, question: str) -> bool:
        """Flag it as wrong or unclear, or remove the flag; return True if it is flagged now."""
        on = not self._progress.card(question).flagged
        self._progress.append(Flagged(on=on), question)
        return on

    def reset(self, questions: Sequence[str]) -> int:
        """Make questions new again; return how many had progress to forget."""
        progress = self._progress
        touched = [q for q in questions if progress.card(q).memory is not None]
        progress.store.append([progress.make_event(Reset(), q) for q in touched])
        progress.reread()
        return len(touched)
