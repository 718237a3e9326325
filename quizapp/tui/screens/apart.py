"""The question screen for what has no cards: an interview, a placement."""

from __future__ import annotations

from typing import ClassVar

from quizapp.study.sessions.asking import Asking, AskingApart
from quizapp.study.values import Turn
from quizapp.tui.attempts.attempt import AttemptScreen

_OF_CARDS = frozenset({"bury", "suspend", "flag", "redo", "edit", "browse", "probes"})
OF_AN_INTERVIEW = _OF_CARDS | {"undo", "practise"}
"""What an interview does not have: an answer stands, and code is submitted to be run."""


class ApartScreen(AttemptScreen):
    """Questions whose answers move no schedule; the keys that are about cards do nothing."""

    WITHOUT: ClassVar[frozenset[str]] = _OF_CARDS

    def __init__(self, apart: AskingApart, first: Turn) -> None:
        self._apart = apart
        super().__init__(first)

    @property
    def asks(self) -> Asking:
        """The interview, or the placement."""
        return self._apart

    def can_work(self, binding_id: str) -> bool:
        """Return True if a binding does something in this phase of this question."""
        if self._attempt.is_graded and binding_id.startswith("digit-"):
            return False
        return binding_id not in self.WITHOUT and super().can_work(binding_id)

    async def action_undo(self) -> None:
        """Take the latest answer back and ask it again."""
        await self._keep_draft()
        await self._saving.wait()
        taken = await self.call(self._apart.take_back)
        if taken is None:
            await self._refuse()
            return
        said = "mock.taken-back" if taken else "study.nothing-to-undo"
        self.notify(self.say(said), timeout=3)
        await self._after_change()

    async def _refuse(self) -> None:
        """Say that there is no such thing here."""
        self.notify(self.say("mock.not-here"), timeout=3)

    action_redo = action_bury = action_suspend = action_flag = action_edit = _refuse

    def _say_failures(self, failures: int) -> str:
        """Say how many submissions failed: no schedule moves."""
        return self.say("study.failures-apart", n=failures)
