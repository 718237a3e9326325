"""The part of the question screen that something is written into: its fields, and their drafts."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from dataclasses import replace

from textual import events, getters

from quizapp.domain.actions import AddInput, Write
from quizapp.domain.attempt import Action, Attempt, Phase, advance
from quizapp.domain.errors import Ungraded
from quizapp.domain.grading import BadInput
from quizapp.domain.question import Choice, InputChoice, Number, Recall, Spot
from quizapp.study.values import Turn
from quizapp.tui.attempts import notes
from quizapp.tui.screens.base import QuizScreen, tells
from quizapp.tui.widgets.question_view import FIELDS, QuestionView

DRAFT_SECONDS = 2.0


class WritingScreen(QuizScreen):
    """A screen with an attempt, and what is written so far."""

    _view = getters.query_one(QuestionView)

    def __init__(self, turn: Turn) -> None:
        super().__init__()
        self._turn = turn
        self._attempt = turn.begin(0, asks_confidence=False)
        self._opened = self._draft = ""
        """What the field held at first, and what was kept last."""
        self._typing_clears_note = False
        """True if the note below no longer holds once something is typed."""

    def on_mount(self) -> None:
        """Keep half-written answers."""
        self.set_interval(DRAFT_SECONDS, self._keep_draft)

    @abstractmethod
    async def _become(self, attempt: Attempt) -> None:
        """Take on a new state; grade the answer when it is final."""

    @property
    def _now_ms(self) -> int:
        """The time for the next action."""
        return self.asks.clock.now().utc_ms

    async def _act(self, action: Action) -> None:
        """Advance the attempt. Raises NotSubmitted: nothing has changed."""
        await self._become(advance(self._attempt, action))

    def _write(self, text: str) -> None:
        """Tell the attempt what is written; nothing of that is drawn."""
        if text != self._attempt.text:
            self._attempt = advance(self._attempt, Write(self._now_ms, text))

    def _key(self, name: str) -> str:
        return self.quiz.key_of(name)

    @property
    def _in_field(self) -> bool:
        return self._attempt.is_open and self.focused is not None and self.focused.id in FIELDS

    def _read_field(self) -> str:
        return self._view.read_field(self._turn.question)

    def _read_draft(self) -> str:
        """Return what there is of the answer: picks, or what the field holds."""
        picks = isinstance(self._turn.question, Choice | Spot)
        return self._attempt.draft if picks else self._read_field()

    @tells
    async def _keep_draft(self) -> None:
        """Keep what is half-written or picked, when it changed."""
        text = self._read_draft()
        if not self._attempt.is_done and text != self._draft:
            self._draft = text
            save, turn = self.asks.attempts.save_draft, self._turn
            await self.call(save, turn.entry.id, text, turn.language)

    async def _add_input(self, text: str) -> None:
        """Add an input that was typed to those of a question, or say why it is none."""
        question = self._attempt.question
        assert isinstance(question, InputChoice)
        self._view.note("")
        try:
            await asyncio.to_thread(self.asks.examiner.check_input, question, text)
            attempt = advance(self._attempt, AddInput(self._now_ms, text))
        except BadInput as reason:
            self._view.note(self.say.in_line(reason.what))
            self._view.to_end()
            return
        except Ungraded as error:
            self.quiz.tell(error)
            return
        self._turn = replace(self._turn, question=attempt.question, order=attempt.order)
        self._view.begin_input()
        await self._become(attempt)
        self._view.note(self.say("mock.inputs.added", number=len(attempt.order)))
        self._view.to_end()
        await self._keep_draft()

    def _invite(self) -> str:
        """Say what to do, where the question does not say it itself."""
        return notes.invitation(self._turn, self.say, self._key)

    def _begin_field(self, event: events.Key, *, bound: bool) -> None:
        """Type a letter into the field of prose, or a digit into that of a number.

        Where there is one that has not the focus. `bound`: the key does something else.
        """
        attempt, character = self._attempt, event.character or ""
        match attempt.question:
            case Recall():
                begins = not bound
            case Number():
                begins = character.isdecimal()
            case _:
                begins = False
        if begins and attempt.is_open and not self._in_field:
            event.stop()
            event.prevent_default()
            self._view.begin_field(character)

    def on_input_changed(self) -> None:
        """Note that a number is being typed; what was said of the one before is over."""
        self._note_typing()
        if self._attempt.phase is Phase.ANSWERING:
            self._view.note("")

    def on_text_area_changed(self) -> None:
        """Note that an answer or code is being typed; clear the reason it was not submitted."""
        typed = self._read_field() != self._attempt.text  # else it is a file's text, and submitted
        self._note_typing()
        if typed and self._typing_clears_note:
            self._typing_clears_note = False
            self._view.note(self._invite())

    def on_paste(self) -> None:
        """Say that a paste did not reach the editor."""
        if self._attempt.is_open and not self._in_field and self._attempt.is_written:
            self._view.note(self.say("study.paste-outside", key=self._key("write")))

    def _note_typing(self) -> None:
        """Count typing as thinking; what a field holds at first was not typed."""
        text = self._read_field()
        if self._attempt.phase is not Phase.READING or text != self._opened:
            self._write(text)

    async def on_input_submitted(self) -> None:
        """Submit by Enter in the field of a number; a second press does not say how sure one is."""
        if self._attempt.is_open:
            await self.run_action("enter")
