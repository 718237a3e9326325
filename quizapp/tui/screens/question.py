"""The session on the question screen: what can be said of a card beside answering it."""

from __future__ import annotations

from collections.abc import Callable

from quizapp.domain.actions import Override
from quizapp.domain.attempt import advance
from quizapp.domain.errors import StoreError
from quizapp.domain.rating import Rating
from quizapp.study.mock import probing
from quizapp.tui.attempts.attempt import AttemptScreen


class QuestionScreen(AttemptScreen):
    """The questions of the study, whose answers move their schedule."""

    _makes_probes = False

    def _say_saved(self, error: StoreError | None, before: StoreError | None) -> None:
        """Also prepare for the next question, while the feedback is read."""
        super()._say_saved(error, before)
        self.run_worker(self._look_ahead(), group="ahead", exclusive=True)

    async def _look_ahead(self) -> None:
        """Prepare for the question that is likely next; nothing is lost if another one is."""
        question = await self.call(self.study.session.peek)
        if question is not None and self.is_current:
            self._view.prepare(question, self.say)

    async def action_digit(self, number: int) -> None:
        """Pick a row, say how sure, or rate: as the phase has it."""
        if not self._attempt.is_graded:
            await super().action_digit(number)
        elif number <= len(Rating) and not self._turn.is_practice:
            await self._rate(Rating(number))

    async def _rate(self, rating: Rating) -> None:
        """Override the rating and go on."""
        if not await self._saving.wait() or self._saving.graded is None:
            return
        self._attempt = advance(self._attempt, Override(self._now_ms, rating))
        if self._attempt.rating is not None:
            graded = self._saving.graded
            await self.call(self.study.session.rate, graded, self._attempt.rating)
        await self.next()

    async def action_undo(self) -> None:
        """Take the last answer back and ask it again."""
        await self._keep_draft()
        await self._saving.wait()
        await self.quiz.undo()
        await self._after_change()

    async def action_redo(self) -> None:
        """Restore what was undone."""
        await self._keep_draft()
        await self.quiz.redo()
        await self._after_change()

    async def action_bury(self) -> None:
        """Do not ask it before tomorrow."""
        await self._mark_and_go(self.study.marks.bury, "study.buried")

    async def action_suspend(self) -> None:
        """Do not ask it until it is switched on again."""
        await self._mark_and_go(self.study.marks.suspend, "study.suspended")

    async def _mark_and_go(self, mark: Callable[[str], None], said: str) -> None:
        """Bury or suspend the question at hand, then ask the next."""
        await self._keep_draft()
        await self._saving.wait()
        await self.call(mark, self._turn.entry.id)
        self.notify(self.say(said, key=self._key("undo")), timeout=3)
        await self.next(typing=False)  # where the key that takes it back would be text

    async def action_flag(self) -> None:
        """Mark it, or remove the mark."""
        name = self._turn.entry.id
        flagged = await self.call(self.study.marks.toggle_flag, name)
        self.notify(self.say("study.flagged" if flagged else "study.unflagged"), timeout=2)

    async def action_edit(self) -> None:
        """Edit the question, then show it as it is now."""
        await self._keep_draft()
        await self.quiz.edit(self._turn.entry.id)
        if self._attempt.is_open:
            await self._after_change()

    async def action_probes(self) -> None:
        """Ask about the kernel that passed."""
        if self.can_work("probes") and not self._makes_probes:
            self._makes_probes = True
            # Home is drawn before it is needed
            from quizapp.tui.screens.probes import begin_probes  # noqa: PLC0415

            await begin_probes(self, probing.MOST)
            self._makes_probes = False

    def can_work(self, binding_id: str) -> bool:
        """Return True if a binding does something in this phase of this question."""
        if binding_id == "probes":
            return self.passed is not None
        return super().can_work(binding_id)

    async def _leave(self) -> None:
        """Leave; after one question of each kind, say how to go on with them."""
        guided = self.study.session.narrowed.guided
        await super()._leave()
        if guided:
            self.notify(self.say("study.guided-left", key=self._key("guided")), timeout=6)
