"""What a study session keeps of an attempt before its answer, and what was left half-written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from quizapp.domain.attempt import GradedSubmission
from quizapp.domain.log.events import Hinted
from quizapp.domain.log.projection import attempt_so_far
from quizapp.domain.question import CODE_LANGUAGES, CodeLanguage
from quizapp.study.scheduling.progress import StudyProgress
from quizapp.study.sessions import recording
from quizapp.study.sessions.asking import Attempts
from quizapp.study.sessions.occasions import find_occasion
from quizapp.study.values import Turn

if TYPE_CHECKING:
    from quizapp.exercises.kernels import CheckedKernel  # NumPy, 80 ms


class StudyAttempts(Attempts):
    """Drafts, and as events: hints, submissions that failed, and those that a GPU judges.

    Not words that stand: the person alone is deceived by writing the answer after they were shown.
    """

    def __init__(self, progress: StudyProgress) -> None:
        self._progress = progress
        self._store = progress.store

    def store_failure(self, turn: Turn, submission: GradedSubmission) -> None:
        """Store a submission that failed, once. Raises StoreError: it is not stored."""
        begun = attempt_so_far(self._store.events(turn.entry.id))
        occasion = find_occasion(self._progress, turn, submission.source)
        known = not occasion.submission and submission.source in (*begun.tried, *begun.never_ran)
        if not submission.passed and not known:
            self._store.append([recording.record_failure(turn, submission, occasion)])

    def submit(self, turn: Turn, checked: CheckedKernel) -> None:
        """Store a submission that the emulator passed, once, before a GPU is asked about it.

        Raises StoreError: it is not stored.
        """
        occasion = find_occasion(self._progress, turn, checked.source)
        if not occasion.submission and not turn.is_practice:
            self._store.append([recording.record_submission(turn, checked, occasion)])
        self.save_draft(turn.entry.id, checked.source, turn.language)

    def show_hint(self, turn: Turn, number: int) -> None:
        """Store that the `number`-th hint was shown: it counts although the person leaves now.

        In practice it counts for this answer alone, which says so itself.

        Raises StoreError: it is not stored.
        """
        if not turn.is_practice:
            body = Hinted(number=number, utc_ms=self._progress.clock.now().utc_ms)
            self._store.append([self._progress.make_event(body, turn.entry.id)])

    def save_draft(self, question: str, text: str, language: CodeLanguage = "python") -> None:
        """Keep a half-written answer; an empty one is forgotten."""
        if text.strip():
            now_ms = self._progress.clock.now().utc_ms
            self._store.save_draft(question, text, now_ms, language)
        else:
            self._store.drop_drafts(question, (language,))

    def half_written(self) -> dict[str, str]:
        """Return the latest half-written answer to each question of the deck that has one."""
        texts, entries = self._store.drafts(), self._progress.course.deck.entries
        return {name: texts[name] for name in texts if name in entries}

    def drop_half_written(self, questions: Iterable[str]) -> int:
        """Forget the half-written answers to these, in every language; return to how many."""
        begun = [name for name in self._store.drafts() if name in set(questions)]
        for name in begun:
            self._store.drop_drafts(name, CODE_LANGUAGES)
        return len(begun)
