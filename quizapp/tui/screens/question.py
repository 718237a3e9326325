"""A question, from being asked to its feedback: sends keys to an `Attempt`, and draws it."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

from quizapp.domain.actions import (
    Accept,
    GiveUp,
    MoveAction,
    NothingPicked,
    OtherCount,
    Override,
    Pick,
    ShowHint,
    StateConfidence,
    Submit,
    TakeAssessment,
    TakeKey,
    Withdraw,
)
from quizapp.domain.attempt import Attempt, Phase, advance
from quizapp.domain.errors import OK, StoreDamaged, StoreError, Ungraded
from quizapp.domain.grading import NotSubmitted
from quizapp.domain.question import Choice, Index, InputChoice, Kernel, Number, Recall, Spot, prose
from quizapp.domain.rating import USUAL_CONFIDENCE, Confidence, Rating
from quizapp.report import quantities
from quizapp.report.content import question_text
from quizapp.report.verdicts import found_by_inputs
from quizapp.study.mock import probing
from quizapp.study.values import GradedResponse, Turn
from quizapp.tui import feedback, markdown, question_keys
from quizapp.tui.keys import SCREENS, bindings
from quizapp.tui.screens.confirm import Confirm
from quizapp.tui.screens.submission import SubmissionScreen
from quizapp.tui.widgets.bars import KeyLine, TopLine
from quizapp.tui.widgets.field import NumberField
from quizapp.tui.widgets.page import Page
from quizapp.tui.widgets.question_view import FIELDS, QuestionView

if TYPE_CHECKING:
    from quizapp.exercises.kernels import CheckedKernel  # NumPy, 80 ms

_RATING_PADDING = 6
DRAFT_SECONDS = 2.0
DRAWING_SECONDS = 0.1
"""The longest delay before an answer is stored, even if the screen never draws again."""

_BREAKPOINTS = [(0, "-narrow"), (120, "-wide"), (160, "-vast")]
"""A wide screen has a workbench's parts side by side, a vast one those of every question."""

_FIELD_KEYS = {
    "number": ("answer", "hint-here", "give-up-here", "back:leave-field"),
    "essay": ("hint-here", "give-up-here", "back:leave-field"),
    "code": ("check", "view-here", "prompt", "hint-here", "give-up-here", "back:leave-field"),
}
_KERNEL_KEYS = ("check", "practise", "view-here", "hint-here", "give-up-here", "back:leave-field")
_WIDE_KERNEL_KEYS = ("check", "practise", "line-here", *_KERNEL_KEYS[3:])
"""The line stands beside the code; to turn to another view comes with a verdict."""
_LONG_KEYS = ("answer:next", "probes", "down:more-below", "detail", "undo", "help")
"""Of feedback that does not fit the screen."""
_EXERCISE_KEYS = ("answer:check", "write", "view", "hint", "give-up", "help")
_AWAY_KEYS = ("back:leave-line", "view", "hint", "give-up", "help")
"""Where a narrow screen shows something other than the editor."""
_WRITING_KEYS = ("answer", "write", "hint", "give-up", "back", "help")
_SPOT_KEYS = ("up:line", "down:line", "digit-1:kind", "answer", "hint", "give-up", "help")
_GRADING_KEYS = ("back:cancel",)
_GPU_KEYS = ("back:without",)
_OPEN_KEYS = ("answer", "hint", "give-up", "undo:undo-last", "back", "help")
_GRADED_KEYS = ("answer:next", "probes", "detail", "undo", "edit", "help")
_LESS_THAN_A_RACE = ("line-here", "hint", "hint-here", "edit")
"""Keys that give way in the last line to the one that shows a race step by step."""
_KEYS = {
    Phase.CONFIDENCE: (
        *("digit-1:guess", "digit-2:fairly", "digit-3:certain", "answer:fairly"),
        "back:change-answer",
    ),
    Phase.COMPARING: ("answer:accept", "mark", "back", "help"),
    Phase.GRADING: (),
    Phase.GRADED: _GRADED_KEYS,
    Phase.OVERRIDDEN: _GRADED_KEYS,
}


class QuestionScreen(SubmissionScreen):
    """The session: one question after the other until none is left."""

    HORIZONTAL_BREAKPOINTS = _BREAKPOINTS
    BINDINGS: ClassVar[list[BindingType]] = bindings(SCREENS["question"])
    WITHOUT: ClassVar[frozenset[str]] = frozenset()
    """Keys of the table that do nothing here."""

    def __init__(self, first: Turn) -> None:
        super().__init__(first)
        self._graded: GradedResponse | None = None
        self._saving: asyncio.Task[None] | None = None
        self._unsaved: StoreError | None = None
        self._opened = self._draft = ""
        self._detailed = False
        self._answers_key = ""
        self._makes_probes = False
        self._giving_up: Attempt | None = None
        """The attempt as it was when the person was asked for a second press to give it up."""

    def compose(self) -> ComposeResult:
        """Lay out first line, question, ratings, last line."""
        yield TopLine()
        yield QuestionView(id="body")
        yield Static(id="rating", markup=False, classes="hidden")
        yield KeyLine()

    def on_mount(self) -> None:
        """Show the first question; keep half-written answers."""
        self._said_in = self.say.language
        self.set_interval(DRAFT_SECONDS, self._keep_draft)
        self._watch_code()
        self.put(self._turn)

    async def on_screen_resume(self) -> None:
        """Ask another question if this one was answered, or its answer looked at, meanwhile.

        The settings may have changed the language.
        """
        if self._said_in != self.say.language:
            self._said_in = self.say.language
            self._view.note(self._opening_note() if self._attempt.is_open else "")
            self._draw()
        asks = not self._attempt.is_open or await self.call(self.asks.still_asks, self._turn)
        if not asks and self.is_current:  # else it is being left, with what is above it
            await self._keep_draft()
            await self._after_change()

    # The question at hand

    def put(self, turn: Turn, *, typing: bool = True) -> None:
        """Ask a question; `typing` goes to its field at once, where keys are not commands."""
        asks_confidence = self.quiz.settings.confidence
        self._turn, self._graded = turn, None
        self._attempt = turn.begin(self._now_ms, asks_confidence=asks_confidence)
        self._unsaved, self._detailed = None, False
        self._begin_writing()
        self._draw()
        text, note = turn.initial_text, self._opening_note()
        blank = quantities.write_blank(getattr(turn.question, "unit", None), self.say)
        self._view.put(turn.question, text, note, blank, typing=typing)
        self._opened = self._draft = self._read_field()
        self._run_live()

    async def next(self, *, typing: bool = True) -> None:
        """Wait until the answer is stored, then ask the next question or end."""
        if self._saving is not None:
            await self._saving
        if self._unsaved is not None:
            return
        turn = await self.call(self.asks.next)
        if turn is None:
            await self._end()
        else:
            self.put(turn, typing=typing)

    async def _end(self) -> None:
        """End the session: no question is left."""
        await self.quiz.finish()

    async def _become(self, attempt: Attempt) -> None:
        """Take on a new state; grade the answer when it is final."""
        if attempt.is_final and not attempt.is_graded:
            try:
                attempt = await self._reveal_key(attempt)
            except Ungraded as error:
                await self._leave_out(error)
                return
            graded = await self.call(self.asks.grade, self._turn, attempt.response)
            attempt = advance(attempt, TakeAssessment(self._now_ms, graded))
            self._view.note("")
            self._graded = graded
            self._saving = asyncio.create_task(self._store(graded))
        self._attempt = attempt
        self._draw()
        if attempt.is_graded and attempt.is_written:
            self._view.go_to("verdict")
        if attempt.is_graded and isinstance(attempt.question, Recall):
            self._view.action_scroll_home()  # it begins with the points
        if attempt.phase is Phase.CONFIDENCE and isinstance(attempt.question, Spot):
            self._view.to_end()

    async def _reveal_key(self, attempt: Attempt) -> Attempt:
        """Add what the emulator says is right, where that is asked: of a `spot`, or of inputs.

        Raises:
            Ungraded: the emulator does not say.
        """
        question, examiner = attempt.question, self.asks.examiner
        if attempt.needs_key and isinstance(question, InputChoice):
            tried = await asyncio.to_thread(examiner.try_inputs, question)
            solved = found_by_inputs.solve(question, tried, attempt.picked, self.say)
            self._turn = replace(self._turn, question=solved)
            return advance(attempt, TakeKey(self._now_ms, tried, solved))
        if not attempt.needs_key or not isinstance(question, Spot):
            return attempt
        key = await asyncio.to_thread(examiner.find_bug, question)
        return advance(attempt, TakeKey(self._now_ms, key))

    async def _leave_out(self, error: Ungraded) -> None:
        """Say why the question has no verdict, and ask the next one."""
        self.quiz.tell(error)
        await self.call(self.asks.leave_out, self._turn.entry.id)
        await self.next()

    async def _store(self, graded: GradedResponse) -> None:
        """Store the answer once its feedback is drawn, while it is read; `next` waits for it."""
        await self._wait_for_drawing()
        try:
            await self.call(self.asks.commit, graded)
        except StoreError as error:
            self._unsaved = error
            damaged = isinstance(error, StoreDamaged)
            key = self._key("quit" if damaged else "retry")
            said = "study.not-saved-damaged" if damaged else "study.not-saved"
            self._view.note(self.say(said, what=error.what, key=key))
        else:
            if self._unsaved is not None:
                self._view.note(self.say("study.saved"))
            self._unsaved = None
        self._draw_keys()
        gc.collect(1)  # while the feedback is read; all of it would take 40 ms

    async def _wait_for_drawing(self) -> None:
        """Wait until the change is on the screen: storing meanwhile delays it by 12 ms."""
        drawn = asyncio.Event()
        self.call_after_refresh(drawn.set)
        with suppress(TimeoutError):
            await asyncio.wait_for(drawn.wait(), DRAWING_SECONDS)

    # What a person does

    async def action_enter(self) -> None:
        """Answer, accept the ticks, or go on; submit code only where the last line says so."""
        if self._attempt.is_open:
            if not self._attempt.is_written or self._view.at == "code":
                await self._submit()
        elif self._attempt.is_graded:
            await self.next()
        elif self._attempt.phase is Phase.CONFIDENCE:
            await self._act(StateConfidence(self._now_ms, USUAL_CONFIDENCE))
        else:
            await self._act(Accept(self._now_ms))

    async def action_check(self) -> None:
        """Submit from within the editor; goes no further than the feedback."""
        if self._attempt.is_open:
            await self._submit()

    async def action_digit(self, number: int) -> None:
        """Pick a row, say how sure, or rate: as the phase has it."""
        if self._attempt.is_graded:
            if number <= len(Rating) and not self._turn.is_practice:
                await self._rate(Rating(number))
        elif self._attempt.phase is Phase.CONFIDENCE:
            if number <= len(Confidence):
                await self._act(StateConfidence(self._now_ms, Confidence(number)))
        else:
            await self._pick(number - 1)
            if isinstance(self._attempt.question, Spot):
                self._view.to_line(self._attempt.cursor)

    async def action_mark(self) -> None:
        """Pick the row under the cursor."""
        await self._pick(self._attempt.cursor)

    async def _pick(self, row: int) -> None:
        """Pick a row; a note that asked for it is over."""
        await self._act(Pick(self._now_ms, row))
        if self._attempt.is_open and self._attempt.picked:
            self._view.note(self._invitation())

    async def on_key(self, event: events.Key) -> None:
        """Take what no field typed, before its binding, if it has one, does its work.

        Asked how sure, a key of the feedback says so as is usual. Before, a letter that does
        nothing begins an answer in prose; where a number is typed, it is said that it was not.
        """
        bound = self.active_bindings.get(event.key)
        name = "" if bound is None else bound.binding.id or ""
        if self._attempt.phase is Phase.CONFIDENCE:
            if name == "detail":
                await self._act(StateConfidence(self._now_ms, USUAL_CONFIDENCE))
        elif event.is_printable and isinstance(self.focused, NumberField):
            if bound is None or not (name in self.WITHOUT or self.can_work(name)):
                self._view.note(self.say("study.not-typed", typed=event.character))
        elif event.is_printable and bound is None:
            self._begin_prose(event)

    def _begin_prose(self, event: events.Key) -> None:
        """Type a letter into the field of prose, where there is one that has not the focus."""
        attempt = self._attempt
        if isinstance(attempt.question, Recall) and attempt.is_open and not self._in_field:
            event.stop()
            event.prevent_default()
            self._view.begin_prose(event.character or "")

    async def action_move(self, rows: int) -> None:
        """Move the cursor; scroll where there are no rows to pick."""
        if self._attempt.has_cursor and self._attempt.rows:
            await self._act(MoveAction(self._now_ms, rows))
            if isinstance(self._attempt.question, Spot):
                self._view.to_line(self._attempt.cursor)
        else:
            self._view.scroll_rows(rows)

    def action_page_down(self) -> None:
        """Show what is below."""
        self._view.action_page_down()

    async def action_hint(self) -> None:
        """Show the next hint."""
        if self._attempt.is_open:
            if not self._attempt.hints_left:
                self._view.note(self.say("study.no-hint"))
                return
            await self._act(ShowHint(self._now_ms))
            self._view.to_hint()
            await self.call(self.asks.attempts.show_hint, self._turn, self._attempt.hints)

    async def action_give_up(self, here: bool = False) -> None:  # noqa: FBT001, FBT002 - keys
        """Show the answer; once something is written or picked, on the second press in a row.

        Args:
            here: it was the key that works while typing.
        """
        if not self._attempt.is_open:
            return
        self._write(self._read_field())
        attempt = self._attempt
        writes = attempt.is_written or bool(attempt.text) or self._in_field
        if (writes or attempt.picked) and self._giving_up is not attempt:
            self._giving_up = attempt
            key = self._key("give-up-here" if here else "give-up")
            said = "study.give-up-again" if writes else "study.give-up-picked"
            self._view.note(self.say(said, key=key))
            self._typing_clears_note = True
            if not writes:
                self._view.to_end()
            return
        await self._act(GiveUp(self._now_ms))

    async def action_switch_language(self) -> None:
        """Put the question in its other language; what is written in this one is kept."""
        if not self._attempt.is_open or self._grading or self._turn.other_language is None:
            return
        await self._keep_draft()
        spent = self._attempt
        await self.call(self.asks.switch_language, self._turn)
        await self.next()
        self._attempt = replace(
            self._attempt, thinking_ms=spent.thinking_ms, hints=spent.hints, failed=spent.failed
        )

    def action_write(self) -> None:
        """Go to the field."""
        if self._attempt.is_open:
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
        """Do not ask it before tomorrow."""
        await self._mark_and_go(self.study.marks.bury, "study.buried")

    async def action_suspend(self) -> None:
        """Do not ask it until it is switched on again."""
        await self._mark_and_go(self.study.marks.suspend, "study.suspended")

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

    @property
    def passed(self) -> tuple[Turn, CheckedKernel] | None:
        """The question and the kernel, once one has passed and its feedback is shown."""
        checked = self._attempt.submission
        if not self._attempt.is_graded or not probing.can_probe(self._turn, checked):
            return None
        return self._turn, cast("CheckedKernel", checked)

    async def action_probes(self) -> None:
        """Ask about the kernel that passed."""
        if self.can_work("probes") and not self._makes_probes:
            self._makes_probes = True
            # Home is drawn before it is needed
            from quizapp.tui.screens.probes import begin_probes  # noqa: PLC0415

            await begin_probes(self, probing.MOST)
            self._makes_probes = False

    def action_copy_code(self) -> None:
        """Copy code to the terminal's clipboard (OSC 52): the prompt's, later one's own."""
        prompt = prose(self._turn.question.prompt, self.say.language)
        own = self._attempt.is_graded and self._attempt.is_written
        code = self._attempt.text if own else markdown.code_of(prompt)
        if code:
            self.app.copy_to_clipboard(code)
        what = "study.copied-code" if code else "study.no-code"
        self.notify(self.say(what), timeout=2)

    def action_detail(self) -> None:
        """Show sources and follow-up questions, then the answers of those, then hide both."""
        if self._attempt.is_graded:
            if self._detailed and self._answers_key:
                self._answers_key = ""
            else:
                self._detailed = not self._detailed
                unanswered = self._detailed and question_text.has_answers(self._turn.question)
                self._answers_key = self.quiz.key_of("detail") if unanswered else ""
            self._draw()
            self._view.to_end()

    async def action_retry(self) -> None:
        """Try again to store what could not be stored."""
        if self._unsaved is not None and self._graded is not None:
            self._saving = asyncio.create_task(self._store(self._graded))
            await self._saving

    async def action_back(self) -> None:
        """End the grading, leave the field, else the session."""
        if self._cancel_grading():
            return
        if self._in_field:
            self._view.focus()
            return
        away = self._inspector is not None or self._view.at not in ("code", self._home)
        if self._attempt.is_written and away:
            self._view.go_to(self._home)
            return
        if self._attempt.phase is Phase.CONFIDENCE:
            await self._act(Withdraw(self._now_ms))
            self._view.write()
            return
        if self._detailed:
            self._answers_key = ""
            self.action_detail()
            return
        await self.store_unsaved()
        if self._unsaved is None:
            guided = self.study.session.narrowed.guided
            await super().action_back()
            if guided:
                self.notify(self.say("study.guided-left", key=self._key("guided")), timeout=6)
            return
        damaged = isinstance(self._unsaved, StoreDamaged)
        question = self.say("study.leave-damaged" if damaged else "study.leave-unsaved")
        self.app.push_screen(Confirm(question, self.say), self._leave_unsaved)

    async def _leave_unsaved(self, meant: bool | None) -> None:  # noqa: FBT001 - as Textual calls
        """Leave without the answer once that is meant; damage leads out, to what can be rescued."""
        if not meant:
            return
        damaged = isinstance(self._unsaved, StoreDamaged)
        self._unsaved = None
        if damaged:
            await self.quiz.leave(OK)
        else:
            await super().action_back()

    def can_work(self, binding_id: str) -> bool:
        """Return True if a binding does something in this phase of this question."""
        if binding_id == "probes":
            return self.passed is not None
        unsaved, switches = self._unsaved is not None, self._turn.other_language is not None
        return question_keys.can_work(binding_id, self._attempt, unsaved=unsaved, switches=switches)

    @property
    def holds_unsaved(self) -> bool:
        """True if the answer could not be stored."""
        return self._unsaved is not None

    @property
    def interrupts(self) -> bool:
        """True while an answer is half given, or being graded."""
        written = self._attempt.is_open and self._read_field() != self._opened
        between = (Phase.CONFIDENCE, Phase.COMPARING)
        return self._grading or written or self._attempt.phase in between

    async def store_unsaved(self) -> None:
        """Store what is given or half-written on the way out; try again what failed."""
        self._cancel_grading()
        self._live_run.stop()
        if self._saving is not None:
            await self._saving
        if self._unsaved is not None:
            await self.action_retry()
        await self._keep_draft()

    async def on_page_row_clicked(self, message: Page.RowClicked) -> None:
        """Pick by a click, as a digit does."""
        await self._pick(message.position)

    def on_input_changed(self) -> None:
        """Note that a number is being typed; what was said of the one before is over."""
        self._note_typing()
        if self._attempt.phase is Phase.ANSWERING:
            self._view.note("")

    def on_text_area_changed(self) -> None:
        """Note that an answer or code is being typed; clear the reason it was not submitted."""
        self._note_typing()
        if self._typing_clears_note:
            self._typing_clears_note = False
            self._view.note(self._invitation())
        self._run_live()

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
        """Submit by Enter in the field of a number."""
        await self.run_action("enter")

    # Inside

    async def _submit(self) -> None:
        """Let the answer stand, or say why it cannot."""
        self._write(self._read_field())
        if self._attempt.is_written:
            await self._submit_code()
            return
        try:
            submitted = advance(self._attempt, Submit(self._now_ms))
        except NotSubmitted as reason:
            self._view.note(self._explain(reason))
            if isinstance(reason, NothingPicked | OtherCount):
                self._view.to_end()
            return
        self._view.focus()
        self._view.note("")
        await self._become(submitted)

    def _explain(self, reason: NotSubmitted) -> str:
        """Say why the answer cannot be graded as it is."""
        question = self._attempt.question
        if isinstance(reason, NothingPicked):
            if isinstance(question, Spot):
                return self.say("study.pick-kind")
            return self.say("study.pick-first", n=self._attempt.rows, key=self._key("mark"))
        if isinstance(question, Choice):
            chosen = len(self._attempt.picked)
            return self.say("study.other-count", n=question.stated_count, chosen=chosen)
        assert isinstance(question, Number)
        return quantities.explain_number(reason, question, self._attempt.text, self.say)

    async def _rate(self, rating: Rating) -> None:
        """Override the rating and go on."""
        if self._saving is not None:
            await self._saving
        if self._graded is None or self._unsaved is not None:
            return
        self._attempt = advance(self._attempt, Override(self._now_ms, rating))
        if self._attempt.rating is not None:
            await self.call(self.study.session.rate, self._graded, self._attempt.rating)
        await self.next()

    async def _mark_and_go(self, mark: Callable[[str], None], said: str) -> None:
        """Bury or suspend the question at hand, then ask the next."""
        await self._keep_draft()
        if self._saving is not None:
            await self._saving
        await self.call(mark, self._turn.entry.id)
        self.notify(self.say(said, key=self._key("undo")), timeout=3)
        await self.next(typing=False)  # where the key that takes it back would be text

    async def _after_change(self) -> None:
        """Ask what is next now; the queue may be another. The next key may undo once more."""
        self._saving = None
        await self.next(typing=False)

    @property
    def _in_field(self) -> bool:
        return self._attempt.is_open and self.focused is not None and self.focused.id in FIELDS

    def _read_field(self) -> str:
        return self._view.read_field(self._turn.question)

    async def _keep_draft(self) -> None:
        """Keep what is half-written, when it changed."""
        text = self._read_field()
        if not self._attempt.is_graded and text != self._draft:
            self._draft = text
            try:
                save, turn = self.asks.attempts.save_draft, self._turn
                await self.call(save, turn.entry.id, text, turn.language)
            except StoreError as error:
                self.quiz.tell(error)

    def _explain_kind(self) -> str:
        """Say how exercises of this kind work, in a line of its own, where that is to be said."""
        turn = self._turn
        return question_text.explain_kind(turn, self.say) + "\n" if turn.explains else ""

    @property
    def _ways_out(self) -> dict[str, str]:
        """The keys that lead out of the editor and back, and to the person's own."""
        names = {"leave": "back", "write": "write", "open": "open-code"}
        return {place: self._key(name) for place, name in names.items()}

    def _opening_note(self) -> str:
        """Say what to do with the question, or what is there from last time."""
        if self._turn.pending:
            keys = {"check": self._key("check"), "key": self._key("without-gpu")}
            return self.say("kernel.pending", **keys)
        return self.say("study.draft") if self._turn.draft else self._invitation()

    def _invitation(self) -> str:
        """Say what to do, where the question does not say it itself."""
        match self._turn.question:
            case Index():
                return self._explain_kind() + self.say("study.write-it", **self._ways_out)
            case Kernel():
                return self._explain_kind() + self.say("study.write-kernel", **self._ways_out)
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
        """Bring every line in line with the attempt."""
        attempt, say = self._attempt, self.say
        self._view.draw(
            self._turn,
            attempt,
            say,
            detailed=self._detailed,
            view=self._chosen,
            live=self._live,
            answers_key=self._answers_key,
        )
        if attempt.is_written:
            self._inspect()
        self._draw_top()
        rating = self.query_one("#rating", Static)
        assessment = attempt.assessment
        rating.set_class(assessment is None, "hidden")
        if assessment is not None:
            width = self.size.width - _RATING_PADDING
            key = self.quiz.key_of("bury")
            rating.update(feedback.rating_lines(self._turn, assessment, say, width, key))
        self._draw_keys()
        self.call_after_refresh(self._draw_keys)  # whether it all fits is known once it is laid out

    def _draw_top(self) -> None:
        """Draw the first line: where this is, and the verdict once there is one."""
        place = feedback.place(self._turn, self.say)
        self.query_one(TopLine).show(place, feedback.right_end(self._attempt, self.say))

    def on_descendant_focus(self) -> None:
        """Show the keys of a field, in which every key types."""
        if self._in_field and self._attempt.is_written and self._view.at != "code":
            self._view.go_to("code")  # it was clicked
        self._draw_keys()

    def on_question_view_scrolled(self) -> None:
        """Offer the key that shows more while there is more."""
        self._draw_keys()

    def on_descendant_blur(self) -> None:
        """Show the keys that are commands again."""
        self._draw_keys()

    def _draw_keys(self) -> None:
        if not self.query(QuestionView):
            return  # the screen is being left: a last blur or scroll still came
        attempt = self._attempt
        keys = self._open_keys() if attempt.is_open else _KEYS[attempt.phase]
        if attempt.is_graded and self._view.has_more:
            keys = _LONG_KEYS
        panel = self._inspector
        if panel is not None:
            away = ("view-here", "back:leave-line") if panel.mode == "line" else ("view-here",)
            keys = (*panel.keys, *away)
        elif self._in_field and self.focused is not None and self.focused.id is not None:
            keys = self._field_keys(self.focused.id)
        if panel is None and self._view.shows_race:
            others = [key for key in keys[1:] if key not in _LESS_THAN_A_RACE]
            keys = (keys[0], "line-here:replay", *others)
        if self._view.has_more and not attempt.is_graded and not attempt.is_written:
            keys = ("more-below", *keys)
        if not self._attempt.hints_left:
            keys = tuple(key for key in keys if key not in ("hint", "hint-here"))
        if self._grading:
            keys = _GPU_KEYS if self._on_gpu else _GRADING_KEYS
        if self._unsaved is not None:
            keys = ("retry", *keys)
        keys = tuple(filter(self._offers, keys))
        self.query_one(KeyLine).show(*keys)

    def _offers(self, key: str) -> bool:
        """Return True if the last line shows a key: what is about cards or kernels may not work."""
        name = key.partition(":")[0]
        return name not in self.WITHOUT and (name != "probes" or self.can_work(name))

    def _open_keys(self) -> tuple[str, ...]:
        """List the keys that are commands before there is an answer, outside of fields."""
        match self._attempt.question:
            case Index() | Kernel():
                return self._with_switch(_EXERCISE_KEYS if self._view.at == "code" else _AWAY_KEYS)
            case Number() | Recall():
                return _WRITING_KEYS
            case Spot():
                return self._with_switch(_SPOT_KEYS)
            case _:
                return _OPEN_KEYS

    def _with_switch(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """Add the key of the other language, if there is one, before the last."""
        if self._turn.other_language is None:
            return keys
        return (*keys[:-1], "switch-language", keys[-1])

    def _field_keys(self, field: str) -> tuple[str, ...]:
        """List the keys that are commands in a field."""
        wide = not self.has_class("-narrow")  # where the prompt is above and the line beside
        if isinstance(self._turn.question, Kernel):
            keys: tuple[str, ...] = _WIDE_KERNEL_KEYS if wide else _KERNEL_KEYS
            if wide and self._attempt.submission is not None:
                keys = tuple("view-here" if key == "practise" else key for key in keys)
            switches = self._turn.other_language is not None
            return (*keys[:-2], "switch-language", keys[-1]) if switches else keys
        if field == "number":
            return tuple(self._shortest(name) for name in _FIELD_KEYS[field])
        return tuple("line-here" if wide and key == "prompt" else key for key in _FIELD_KEYS[field])

    def _shortest(self, name: str) -> str:
        """Return the binding that does the same by a letter, unless the letter is typed."""
        letter = name.removesuffix("-here")
        field = self.query_one(NumberField)
        return name if letter == name or field.types(self._key(letter)) else letter
