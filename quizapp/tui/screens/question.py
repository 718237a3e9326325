"""A question, from being asked to its feedback. Draws a `Trial` and feeds it keys."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from quizapp.domain.grading import NotANumber, UnknownUnit, read_number
from quizapp.domain.question import Choice, Index, Kernel, Number, Recall, Spot, prose
from quizapp.domain.rating import Confidence, Rating
from quizapp.errors import StoreError, Ungraded
from quizapp.study import trial as trials
from quizapp.study.trial import Phase, Trial
from quizapp.study.values import Asked, Graded
from quizapp.tui import feedback, markdown
from quizapp.tui.keys import bindings
from quizapp.tui.screens.handing_in import HandingIn
from quizapp.tui.widgets.bars import KeyLine, TopLine
from quizapp.tui.widgets.page import Page
from quizapp.tui.widgets.question_view import FIELDS, QuestionView

DRAFT_SECONDS = 2.0

_FIELD_KEYS = {
    "number": ("answer", "back:leave-field"),
    "essay": ("back:leave-field",),
    "code": ("check", "open-code-here", "back:leave-editor"),
}
_KERNEL_KEYS = ("check", "practise", "open-code-here", "back:leave-editor")
_VIEW_KEYS = ("check", "practise", "view-here", "back:leave-editor")
"""In the editor: before a kernel was graded, and after."""
_LONG_KEYS = ("answer:next", "down:more-below", "detail", "undo", "help")
"""Of feedback that does not fit the screen."""
_EXERCISE_KEYS = ("answer:check", "write", "open-code", "hint", "give-up", "help")
_SPOT_KEYS = ("up:line", "down:line", "digit-1:kind", "answer", "hint", "give-up", "help")
_GRADING_KEYS = ("back:cancel",)
_GPU_KEYS = ("back:without",)
_KEYS = {
    Phase.ASKING: ("answer", "hint", "give-up", "undo", "back", "help"),
    Phase.SURE: ("back:change-answer",),
    Phase.COMPARING: ("answer:accept", "mark", "back", "help"),
    Phase.READY: (),
    Phase.GRADED: ("answer:next", "detail", "undo", "edit", "help"),
}


class QuestionScreen(HandingIn):
    """The session: one question after the other until none is left."""

    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - as Textual has it
        (0, "-narrow"),
        (110, "-wide"),
        (144, "-vast"),
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(["answer", "hint", "give-up", "write", "undo", "redo", "edit", "bury"]),
        *bindings(["suspend", "flag", "copy", "detail", "retry", "mark", "help", "browse"]),
        *bindings(["check", "open-code", "open-code-here", "practise", "view", "view-here"]),
        *bindings([f"digit-{n}" for n in range(1, 10)]),
        *bindings(["up", "down", "back", "quit"]),
    ]

    def __init__(self, first: Asked) -> None:
        super().__init__(trials.begun(first, asks_confidence=False))
        self._first = first
        self._began = 0.0
        self._saving: asyncio.Task[None] | None = None
        self._unsaved: StoreError | None = None
        self._draft = ""
        self._detailed = False

    def compose(self) -> ComposeResult:
        """First line, question, ratings, last line."""
        yield TopLine()
        yield QuestionView(id="body")
        yield Static(id="rating", markup=False, classes="hidden")
        yield KeyLine()

    def on_mount(self) -> None:
        """Show the first question; keep half-written answers."""
        self.set_interval(DRAFT_SECONDS, self._keep_draft)
        self._watch_outside()
        self.put(self._first)

    # The question at hand

    def put(self, asked: Asked, *, typing: bool = True) -> None:
        """Ask a question; `typing` goes to its field at once, where keys are no commands."""
        self._trial = trials.begun(asked, asks_confidence=self.quiz.settings.confidence)
        self._began = time.monotonic()
        self._unsaved, self._detailed = None, False
        self._begin_writing(asked)
        self._draft = asked.beginning
        note = self.say("study.draft") if asked.draft else self._invitation()
        self._draw()
        unit = self.say.unit(getattr(asked.question, "unit", None) or "")
        self._view.put(asked.question, self._draft, note, unit, typing=typing)

    async def next(self, *, typing: bool = True) -> None:
        """Wait until the answer is stored, then ask the next question or end."""
        if self._saving is not None:
            await self._saving
        if self._unsaved is not None:
            return
        asked = await self.call(self.study.next)
        if asked is None:
            await self.quiz.finish()
        else:
            self.put(asked, typing=typing)

    async def _become(self, trial: Trial) -> None:
        """Take on a new state; grade when it is ready."""
        if trial.phase is Phase.READY:
            if isinstance(trial.asked.question, Spot):
                try:
                    trial = await self._revealed(trial, trial.asked.question)
                except Ungraded as error:
                    await self._leave_out(error)
                    return
            given = trial.given(round(1000 * (time.monotonic() - self._began)))
            graded = await self.call(self.study.grade, trial.asked, given)
            trial = trials.graded(trial, graded)
            self._view.note("")
            self._saving = asyncio.create_task(self._store(graded))
        self._trial = trial
        self._draw()
        if trial.phase is Phase.SURE and self._is_looked_at:
            self._view.to_end()

    async def _revealed(self, trial: Trial, spot: Spot) -> Trial:
        """The trial, with what is wrong with its kernel.

        Raises:
            Ungraded: nobody knows.
        """
        return trials.revealed(trial, await asyncio.to_thread(self.study.examiner.spotted, spot))

    async def _leave_out(self, error: Ungraded) -> None:
        """Say why the question has no verdict, and ask the next one."""
        self.quiz.tell(error)
        await self.call(self.study.leave_out, self._trial.asked.entry.id)
        await self.next()

    async def _store(self, graded: Graded) -> None:
        """Store the answer while its feedback is read; `next` waits for it."""
        try:
            await self.call(self.study.commit, graded)
        except StoreError as error:
            self._unsaved = error
            what = self.say("study.not-saved", what=error.what, key=self._key("retry"))
            self._view.note(what)
        else:
            if self._unsaved is not None:
                self._view.note(self.say("study.saved"))
            self._unsaved = None
        self._draw_keys()

    # What a person does

    async def action_enter(self) -> None:
        """Answer, accept the ticks, or go on."""
        match self._trial.phase:
            case Phase.ASKING:
                await self._submit()
            case Phase.COMPARING:
                await self._become(trials.accept(self._trial))
            case Phase.GRADED:
                await self.next()
            case _:
                pass

    async def action_check(self) -> None:
        """Hand in, from within the editor; goes no further than the feedback."""
        if self._trial.phase is Phase.ASKING:
            await self._submit()

    async def action_digit(self, number: int) -> None:
        """Pick a row, say how sure, or rate: as the phase has it."""
        match self._trial.phase:
            case Phase.ASKING | Phase.COMPARING:
                await self._become(trials.pick(self._trial, number - 1))
                if isinstance(self._trial.asked.question, Spot):
                    self._view.to_end()  # the kinds, of which one is picked now
            case Phase.SURE if number <= len(Confidence):
                await self._become(trials.be_sure(self._trial, Confidence(number)))
            case Phase.GRADED if number <= len(Rating):
                await self._rate(Rating(number))
            case _:
                pass

    async def action_mark(self) -> None:
        """Pick the row under the cursor."""
        await self._become(trials.pick(self._trial, self._trial.cursor))

    async def action_move(self, rows: int) -> None:
        """Move the cursor; scroll where there are no rows to pick."""
        if self._trial.phase in (Phase.ASKING, Phase.COMPARING) and self._trial.rows:
            await self._become(trials.move(self._trial, rows))
            if isinstance(self._trial.asked.question, Spot):
                self._view.to_line(self._trial.cursor)
        else:
            self._view.scroll_relative(y=rows, animate=False, immediate=True)

    async def action_hint(self) -> None:
        """Show the next hint."""
        if self._trial.phase is Phase.ASKING:
            if not self._hints_left:
                self._view.note(self.say("study.no-hint"))
                return
            await self._become(trials.hint(self._trial))
            self._view.to_hint()
            await self.call(self.study.show_hint, self._trial.asked, self._trial.hints)

    async def action_give_up(self) -> None:
        """Show the answer."""
        if self._trial.phase is Phase.ASKING:
            await self._become(trials.give_up(replace(self._trial, text=self._written())))

    def action_write(self) -> None:
        """Go to the field."""
        if self._trial.phase is Phase.ASKING:
            self._view.write()

    async def action_undo(self) -> None:
        """Take the last answer back and ask it again."""
        await self._keep_draft()
        if self._saving is not None:
            await self._saving
        await self.quiz.undo()
        await self._after_change()

    async def action_redo(self) -> None:
        """Restore what was undone."""
        await self._keep_draft()
        await self.quiz.redo()
        await self._after_change()

    async def action_bury(self) -> None:
        """Not before tomorrow."""
        await self._mark_and_go(self.study.bury, "study.buried")

    async def action_suspend(self) -> None:
        """Not until switched on again."""
        await self._mark_and_go(self.study.suspend, "study.suspended")

    async def action_flag(self) -> None:
        """Mark it, or remove the mark."""
        name = self._trial.asked.entry.id
        flagged = await self.call(self.study.toggle_flag, name)
        self.notify(self.say("study.flagged" if flagged else "study.unflagged"), timeout=2)

    async def action_edit(self) -> None:
        """Edit the question, then show it as it is now."""
        await self._keep_draft()
        await self.quiz.edit(self._trial.asked.entry.id)
        if self._trial.phase is Phase.ASKING:
            await self._after_change()

    def action_copy_code(self) -> None:
        """Copy the prompt's code to the terminal's clipboard (OSC 52)."""
        code = markdown.code_of(prose(self._trial.asked.question.prompt, self.say.language))
        if code:
            self.app.copy_to_clipboard(code)
        what = "study.copied-code" if code else "study.no-code"
        self.notify(self.say(what), timeout=2)

    def action_detail(self) -> None:
        """Show or hide sources and follow-ups."""
        if self._trial.phase is Phase.GRADED:
            self._detailed = not self._detailed
            self._draw()
            self._view.scroll_end(animate=False)

    async def action_retry(self) -> None:
        """Try again to store what could not be stored."""
        if self._unsaved is not None and self._trial.graded is not None:
            self._saving = asyncio.create_task(self._store(self._trial.graded))
            await self._saving

    async def action_back(self) -> None:
        """End the grading, leave the field, else the session."""
        if self._cancelled():
            return
        if self._in_field:
            self._view.focus()
            return
        if self._trial.phase is Phase.SURE:
            await self._become(trials.withdraw(self._trial))
            self._view.write()
            return
        await self.leaving()
        if self._unsaved is None:
            await super().action_back()

    async def leaving(self) -> None:
        """Nothing given or half-written is lost on the way out; what failed is tried again."""
        self._cancelled()
        if self._saving is not None:
            await self._saving
        if self._unsaved is not None:
            await self.action_retry()
        await self._keep_draft()

    async def on_page_clicked(self, message: Page.Clicked) -> None:
        """A click picks as a digit does."""
        await self._become(trials.pick(self._trial, message.position))

    async def on_input_submitted(self) -> None:
        """Enter in the field of a number."""
        await self.run_action("enter")

    # Inside

    async def _submit(self) -> None:
        """The answer stands, if there is one."""
        question = self._trial.asked.question
        trial = replace(self._trial, text=self._written())
        if self._is_written:
            await self._hand_in(trial.text)
            return
        if isinstance(question, Choice | Spot) and not trial.picked:
            key = "study.pick-kind" if isinstance(question, Spot) else "study.pick-first"
            self._view.note(self.say(key))
            self._view.to_end()
            return
        if isinstance(question, Number):
            value = self._number(question)
            if value is None:
                return
            trial = replace(trial, value=value)
        self._view.focus()
        self._view.note("")
        await self._become(trials.submit(trial))

    def _number(self, question: Number) -> float | None:
        """What was typed, in the question's unit; None, with the reason shown, if it is none."""
        text = self._written()
        try:
            return read_number(question, text)
        except NotANumber:
            key = "study.not-a-number" if text.strip() else "study.number-first"
            self._view.note(self.say(key, text=text))
        except UnknownUnit as error:
            names = [name for name in (question.unit, *question.units) if name]
            known = ", ".join(names) or self.say("study.no-unit")
            self._view.note(self.say("study.unknown-unit", unit=str(error), known=known))
        return None

    async def _rate(self, rating: Rating) -> None:
        """Override the rating and go on."""
        graded = self._trial.graded
        if self._saving is not None:
            await self._saving
        if graded is None or self._unsaved is not None:
            return
        if rating is not graded.suggestion.rating:
            await self.call(self.study.rate, graded, rating)
        await self.next()

    async def _mark_and_go(self, mark: Callable[[str], None], said: str) -> None:
        """Bury or suspend the question at hand, then ask the next."""
        await self._keep_draft()
        if self._saving is not None:
            await self._saving
        await self.call(mark, self._trial.asked.entry.id)
        self.notify(self.say(said, key=self._key("undo")), timeout=3)
        await self.next()

    async def _after_change(self) -> None:
        """Ask what is next now; the queue may be another. The next key may undo once more."""
        self._saving = None
        await self.next(typing=False)

    @property
    def _hints_left(self) -> int:
        return len(self._trial.asked.question.hints) - self._trial.hints

    @property
    def _is_looked_at(self) -> bool:
        return isinstance(self._trial.asked.question, Spot)

    @property
    def _in_field(self) -> bool:
        return self.focused is not None and self.focused.id in FIELDS

    def _written(self) -> str:
        return self._view.written(self._trial.asked.question)

    async def _keep_draft(self) -> None:
        """Keep what is half-written, when it changed."""
        text = self._written()
        if self._trial.graded is None and text != self._draft:
            self._draft = text
            try:
                await self.call(self.study.save_draft, self._trial.asked.entry.id, text)
            except StoreError as error:
                self.quiz.tell(error)

    def _invitation(self) -> str:
        """What to do, where the question does not say it itself."""
        match self._trial.asked.question:
            case Choice(several=True):
                return self.say("study.several")
            case Index():
                return self.say("study.write-it", check=self._key("check"))
            case Kernel():
                keys = {"check": self._key("check"), "run": self._key("practise")}
                return self.say("study.write-kernel", **keys)
            case Spot():
                keys = {"up": self._key("up"), "down": self._key("down")}
                return self.say("study.spot-it", **keys, key=self._key("answer"))
            case Recall():
                keys = {name: self._key(name) for name in ("answer", "write", "back")}
                return self.say(
                    "study.say-it", key=keys["answer"], write=keys["write"], leave=keys["back"]
                )
            case _:
                return ""

    # Drawing

    def _draw(self) -> None:
        """Bring every line in line with the trial."""
        trial, say = self._trial, self.say
        self._view.draw(trial, say, detailed=self._detailed, view=self._chosen)
        self.query_one(TopLine).show(
            feedback.place(trial.asked, say), feedback.right_end(trial, say)
        )
        rating = self.query_one("#rating", Static)
        rating.set_class(trial.graded is None, "hidden")
        if trial.graded is not None:
            rule = Content(feedback.rule_text(trial.graded, say)).stylize("dim")
            rating.update(Content("\n").join([rule, feedback.ratings(trial.graded, say)]))
        self._draw_keys()
        self.call_after_refresh(self._draw_keys)  # whether it all fits is known once it is laid out

    def on_descendant_focus(self) -> None:
        """In a field every key types: the last line says so."""
        self._draw_keys()

    def on_descendant_blur(self) -> None:
        """Out of the field the keys are commands again."""
        self._draw_keys()

    def _draw_keys(self) -> None:
        keys = _KEYS[self._trial.phase]
        if self._trial.phase is Phase.GRADED and self._view.max_scroll_y:
            keys = _LONG_KEYS
        if keys[:1] == ("answer",) and self._is_written:
            keys = _EXERCISE_KEYS
        elif self._trial.phase is Phase.ASKING and self._is_looked_at:
            keys = _SPOT_KEYS
        if not self._hints_left:
            keys = tuple(key for key in keys if key != "hint")
        if self.focused is not None and self.focused.id in FIELDS:
            keys = self._field_keys(self.focused.id)
        if self._grading:
            keys = _GPU_KEYS if self._on_gpu else _GRADING_KEYS
        if self._unsaved is not None:
            keys = ("retry", *keys)
        self.query_one(KeyLine).show(*keys)

    def _field_keys(self, field: str) -> tuple[str, ...]:
        """The keys that are commands in a field."""
        if not isinstance(self._trial.asked.question, Kernel):
            return _FIELD_KEYS[field]
        return _KERNEL_KEYS if self._trial.checked is None else _VIEW_KEYS
