"""What a plain session works with: the study, the person, and the attempt at one question.

Knows no order of events; that is `session`'s, and what commands do is `commands`'s.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from quizapp.domain.attempt import Action, Attempt, advance
from quizapp.domain.errors import StoreError
from quizapp.plain.console import QUIT, Console, Ended
from quizapp.report.words import Words
from quizapp.study.service import Study
from quizapp.study.sessions.asking import Asking, AskingApart
from quizapp.study.values import GradedResponse, Turn

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sitting:
    """One session: study, person, language; `interview` asks in its place, if there is one.

    `probe` asks about the kernel of a dialogue that has passed.
    """

    study: Study
    console: Console
    words: Words
    interview: AskingApart | None = None
    probe: Callable[[Dialogue], None] | None = None

    @property
    def asks(self) -> Asking:
        """What asks the questions."""
        return self.interview or self.study.session

    def retry_write(self, write: Callable[[], T]) -> T:
        """Return what `write` does; while the store cannot, the person may fix it and try again.

        Raises StoreError: it still cannot, and the person (or the end of the script) leaves.
        """
        while True:
            try:
                return write()
            except StoreError as error:
                self.console.say(self.words.error(error))
                if self._leaves():
                    raise

    def _leaves(self) -> bool:
        try:
            return self.console.read(self.words("plain.kept")).strip() in QUIT
        except Ended:
            return True


@dataclass(slots=True)
class Dialogue:
    """One question's dialogue: the attempt so far, and what was typed since its last verdict."""

    sitting: Sitting
    turn: Turn
    attempt: Attempt
    lines: list[str]
    graded: GradedResponse | None = None
    said_more: bool = False

    @property
    def now_ms(self) -> int:
        """The time for the next action."""
        return self.sitting.study.clock.now().utc_ms

    def act(self, *actions: Action) -> None:
        """Advance the attempt. Raises NotSubmitted: the last of them has changed nothing."""
        for action in actions:
            self.attempt = advance(self.attempt, action)


def begin_dialogue(sitting: Sitting, turn: Turn) -> Dialogue:
    """Begin an attempt at a question that is shown now; a draft is the beginning of its answer."""
    study = sitting.study
    now_ms = study.clock.now().utc_ms
    attempt = turn.begin(now_ms, asks_confidence=study.settings.confidence)
    return Dialogue(sitting, turn, attempt, attempt.text.splitlines())
