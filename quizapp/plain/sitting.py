"""What a plain session works with: the study, the person and one turn's state.

Knows no order of events; that is `session`'s, and what commands do is `commands`'s.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from quizapp.errors import StoreError
from quizapp.plain.console import QUIT, Console, Ended
from quizapp.study.service import Study
from quizapp.study.values import Asked, Graded
from quizapp.words import Words

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sitting:
    """One session: study, person, language."""

    study: Study
    console: Console
    words: Words

    def kept(self, write: Callable[[], T]) -> T:
        """What `write` returns; while the store cannot, the person may mend it and try again.

        Raises:
            StoreError: it still cannot, and the person (or the end of the script) leaves.
        """
        while True:
            try:
                return write()
            except StoreError as error:
                self.console.say(str(error))
                if self._leaves():
                    raise

    def _leaves(self) -> bool:
        try:
            return self.console.read(self.words("plain.kept")).strip() in QUIT
        except Ended:
            return True


@dataclass(slots=True)
class Turn:
    """One question being worked on. `duration_ms` is None until it is answered.

    `tried`: submissions of an exercise that failed since the last answer.
    """

    sitting: Sitting
    asked: Asked
    hints: int = 0
    tried: tuple[str, ...] = ()
    lines: list[str] = field(default_factory=list)
    duration_ms: int | None = None
    graded: Graded | None = None
    _began: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.tried = self.asked.tried
        self.hints = self.asked.hints

    def forget(self) -> None:
        """Nothing is written: neither now nor earlier."""
        self.lines.clear()
        self.asked = replace(self.asked, draft="")

    def stop(self) -> int:
        """Answered: the time it took, in milliseconds."""
        self.duration_ms = round((time.monotonic() - self._began) * 1000)
        return self.duration_ms
