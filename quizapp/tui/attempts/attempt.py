"""A question, from being asked to its feedback: sends keys to an `Attempt`, and draws it.

Whatever asks: the study, an interview, a placement. Knows no cards.
"""

from __future__ import annotations

import asyncio
import gc
from contextlib import suppress
from dataclasses import replace
from time import monotonic
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
    Pick,
    ShowHint,
    StateConfidence,
    Submit,
    TakeAssessment,
    Withdraw,
)
from quizapp.domain.attempt import Attempt, Phase, advance
from quizapp.domain.errors import OK, StoreDamaged, StoreError, Ungraded
from quizapp.domain.grading import NotSubmitted, can_go_on
from quizapp.domain.question import FactChoice, InputChoice, Number, Recall, Spot, prose
from quizapp.domain.rating import USUAL_CONFIDENCE, Confidence
from quizapp.domain.typed.inputs import example_of
from quizapp.report import quantities
from quizapp.report.content import question_text
from quizapp.report.verdicts import found_by_inputs
from quizapp.study.mock import probing
from quizapp.study.values import GradedResponse, Turn
from quizapp.tui import feedback, markdown
from quizapp.tui.attempts import keys_shown, notes
from quizapp.tui.attempts.keys_shown import KeyPlace
from quizapp.tui.attempts.saving import Saving
from quizapp.tui.attempts.submission import SubmissionScreen
from quizapp.tui.keys import SCREENS, bindings
from quizapp.tui.screens.confirm import Confirm
from quizapp.tui.widgets.bars import KeyLine, TopLine
from quizapp.tui.widgets.field import NumberField
from quizapp.tui.widgets.page import Page
from quizapp.tui.widgets.question_view import QuestionView

if TYPE_CHECKING:
    from quizapp.exercises.kernels import CheckedKernel  # NumPy, 80 ms

_RATING_PADDING = 6
DRAWING_SECONDS = 0.1
"""The longest delay before an answer is stored, even if the screen never draws again."""

_BREAKPOINTS = [(0, "-narrow"), (120, "-wide"), (160, "-vast")]
"""A wide screen has a workbench's parts side by side, a vast one those of every question."""


class AttemptScreen(SubmissionScreen):
    """One question after the other until none is left, whatever asks them."""

    HORIZONTAL_BREAKPOINTS = _BREAKPOINTS
    BINDINGS: ClassVar[list[BindingType]] = bindings(SCREENS["question"])
    WITHOUT: ClassVar[frozenset[str]] = frozenset()
    """Keys of the table that do nothing here."""

    def __init__(self, first: Turn) -> None:
        super().__init__(first)
        self._saving = Saving(self._store, self._say_saved)
        self._detailed = False
        self._answers_key = ""
        self._asked_sure_s = 0.0
        """When it was drawn that one is asked how sure one is, by the clock of events."""
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
        self._watch_code()
        self.put(self._turn)

    async def on_screen_resume(self) -> None:
        """Ask another question if this one was answered, or its answer looked at, meanwhile.

        The settings may have changed the language.
        """
        if self._said_in != self.say.language:
            self._said_in = self.say.language
            note = notes.opening(self._turn, self.say, self._key)
            self._view.note(note if self._attempt.is_open else "")
            self._draw()
        asks = not self._attempt.is_open or await self.call(self.asks.still_asks, self._turn)
        if not asks and self.is_current:  # else it is being left, with what is above it
            await self._keep_draft()
            await self._after_change()

    # The question at hand

    def put(self, turn: Turn, *, typing: bool = True) -> None:
        """Ask a question; `typing` goes to its field at once, where keys are not commands.

        To that of a number in any case, unless the key that undoes once more would be typed there.
        """
        asks_confidence = self.quiz.settings.confidence
        self._turn = turn
        self._attempt = turn.begin(self._now_ms, asks_confidence=asks_confidence)
        self._saving.forget()
        self._detailed = False
        self._begin_writing()
        self._draw()
        note = notes.opening(turn, self.say, self._key)
        if turn.answered is not None:
            typing = False
        elif isinstance(turn.question, Number):  # its field leaves that key to the screen
            undo = self._key("undo")
            typing = typing or not can_go_on(turn.question, turn.initial_text, undo)
        blank = quantities.write_blank(getattr(turn.question, "unit", None), self.say)
        if isinstance(turn.question, InputChoice):
            blank = example_of(turn.question.kernel)
        self._view.put(turn.question, turn.initial_text, note, blank, typing=typing)
        self._opened, self._draft = self._read_field(), self._read_draft()
        self._run_live()

    async def next(self, *, typing: bool = True) -> None:
        """Wait until the answer is stored, then ask the next question or end."""
        if not await self._saving.wait():
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
            self._saving.begin(graded)
        stands = attempt.phase in (Phase.COMPARING, Phase.STANDING)
        if stands and self._attempt.is_open and not await self._store_standing(attempt):
            return
        self._attempt = attempt
        self._draw()
        if attempt.is_graded and attempt.is_written:
            self._view.go_to(self._home)
        if attempt.is_graded and isinstance(attempt.question, Recall):
            self._view.action_scroll_home()  # it begins with the points
        elif attempt.is_graded:
            self._view.to_feedback()
        if attempt.phase is Phase.CONFIDENCE:
            self._asked_sure_s = float("inf")
            self.call_after_refresh(self._note_asked_sure)
            if isinstance(attempt.question, Spot):
                self._view.to_end()

    def _note_asked_sure(self) -> None:
        self._asked_sure_s = monotonic()

    async def _store_standing(self, attempt: Attempt) -> bool:
        """Store words before anything is shown beside them; return False if that fails."""
        try:
            await self.call(self.asks.attempts.keep_standing, self._turn, attempt.response)
        except StoreError as error:
            self.quiz.tell(error)
            return False
        return True

    async def _reveal_key(self, attempt: Attempt) -> Attempt:
        """Add what the emulator says is right, where that is asked: of a `spot`, or of inputs.

        Raises Ungraded: the emulator does not say.
        """
        if attempt.needs_key:
            what = (attempt, self.asks.examiner, self.say, lambda: self._now_ms, self._say_running)
            attempt = await asyncio.to_thread(found_by_inputs.reveal, *what)
            self._turn = replace(self._turn, question=attempt.question)
        return attempt

    def _say_running(self, done: int, total: int) -> None:
        """Say, from the thread that waits for them, how many mistakes were run."""

        def say() -> None:
            if self.is_current:
                self._view.note(self.say("mock.inputs.running", done=done, total=total))

        self.app.call_from_thread(say)

    async def _leave_out(self, error: Ungraded) -> None:
        """Say why the question has no verdict, and ask the next one."""
        self.quiz.tell(error)
        await self.call(self.asks.leave_out, self._turn.entry.id)
        await self.next()

    async def _store(self, graded: GradedResponse) -> None:
        """Store the answer once its feedback is drawn. Raises StoreError: it is not stored."""
        await self._wait_for_drawing()
        await self.call(self.asks.commit, graded)

    def _say_saved(self, error: StoreError | None, before: StoreError | None) -> None:
        """Say that the answer could not be stored, or that now it could."""
        if error is not None:
            damaged = isinstance(error, StoreDamaged)
            key = self._key("quit" if damaged else "retry")
            said = "study.not-saved-damaged" if damaged else "study.not-saved"
            self._view.note(self.say(said, what=error.what, key=key))
        elif before is not None:
            self._view.note(self.say("study.saved"))
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
        elif self._attempt.is_done:
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
        """Pick a row, or say how sure: as the phase has it."""
        if self._attempt.is_graded:
            return
        if self._attempt.phase is Phase.CONFIDENCE:
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
            self._view.note(self._invite())
        if isinstance(self._attempt.question, FactChoice):
            await self._keep_draft()  # at once: what was told stays told

    async def on_key(self, event: events.Key) -> None:
        """Take what no field typed, before its binding, if it has one, does its work.

        Asked how sure, a key of the feedback says so as is usual, and what was typed before that
        could be read says nothing. Before, a letter that does
        nothing begins an answer in prose, and a digit a number; where a number is typed, it is said
        that it was not.
        """
        bound = self.active_bindings.get(event.key)
        name = "" if bound is None else bound.binding.id or ""
        if self._attempt.phase is Phase.CONFIDENCE:
            if event.time < self._asked_sure_s and name != "back":
                event.stop()
                event.prevent_default()
            elif name == "detail":
                await self._act(StateConfidence(self._now_ms, USUAL_CONFIDENCE))
        elif event.is_printable and isinstance(self.focused, NumberField):
            if bound is None or not (name in self.WITHOUT or self.can_work(name)):
                self._view.note(self.say("study.not-typed", typed=event.character))
        elif event.is_printable:
            self._begin_field(event, bound=bound is not None)

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

        `here`: it was the key that works while typing.
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
            if attempt.withholds:
                said = "mock.give-up-again"
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
            self._attempt,
            began_ms=spent.began_ms,
            thinking_ms=spent.thinking_ms,
            hints=spent.hints,
            failed=spent.failed,
        )

    def action_write(self) -> None:
        """Go to the field."""
        if self._attempt.is_open:
            self._view.write()

    @property
    def passed(self) -> tuple[Turn, CheckedKernel] | None:
        """The question and the kernel, once one has passed and its feedback is shown."""
        checked = self._attempt.submission
        if not self._attempt.is_graded or not probing.can_probe(self._turn, checked):
            return None
        return self._turn, cast("CheckedKernel", checked)

    def tell_probing(self, seconds: int | None) -> None:
        """Say that a kernel that passed is run for questions, and which keys skip that; or no more.

        `seconds`: since when; None: it is done.
        """
        if seconds is None:
            self._view.note("")
            return
        keys = {"key": self._key("back"), "other": self._key("answer")}
        self._view.note(self.say("probe.running", seconds=seconds, **keys))

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
        if self._attempt.is_graded and self._attempt.shows_answer:
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
        await self._saving.retry()

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
        if self._saving.failed is None:
            await self._leave()
            return
        damaged = isinstance(self._saving.failed, StoreDamaged)
        question = self.say("study.leave-damaged" if damaged else "study.leave-unsaved")
        self.app.push_screen(Confirm(question, self.say), self._leave_unsaved)

    async def _leave_unsaved(self, meant: bool | None) -> None:  # noqa: FBT001 - as Textual calls
        """Leave without the answer once that is meant; damage leads out, to what can be rescued."""
        if not meant:
            return
        damaged = isinstance(self._saving.failed, StoreDamaged)
        self._saving.forget()
        if damaged:
            await self.quiz.leave(OK)
        else:
            await super().action_back()

    async def _leave(self) -> None:
        """Leave; all is stored."""
        await super().action_back()

    def can_work(self, binding_id: str) -> bool:
        """Return True if a binding does something in this phase of this question."""
        switches = self._turn.other_language is not None
        unsaved = self.holds_unsaved
        return keys_shown.can_work(binding_id, self._attempt, unsaved=unsaved, switches=switches)

    @property
    def holds_unsaved(self) -> bool:
        """True if the answer could not be stored."""
        return self._saving.failed is not None

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
        if not await self._saving.wait():
            await self._saving.retry()
        await self._keep_draft()

    async def on_page_row_clicked(self, message: Page.RowClicked) -> None:
        """Pick by a click, as a digit does."""
        await self._pick(message.position)

    # Inside

    async def _submit(self) -> None:
        """Let the answer stand, or say why it cannot; of an input that is typed, add it first."""
        if isinstance(self._attempt.question, InputChoice) and self._view.typed_input.strip():
            await self._add_input(self._view.typed_input)
            return
        self._write(self._read_field())
        if self._attempt.is_written:
            await self._submit_code()
            return
        try:
            submitted = advance(self._attempt, Submit(self._now_ms))
        except NotSubmitted as reason:
            self._view.note(notes.explain(reason, self._attempt, self.say, self._key))
            if isinstance(reason, NothingPicked | OtherCount):
                self._view.to_end()
            return
        self._view.focus()
        self._view.note("")
        await self._become(submitted)

    async def _after_change(self) -> None:
        """Ask what is next now; the queue may be another. The next key may undo once more."""
        await self.next(typing=False)

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
        rating.set_class(not attempt.is_done, "hidden")
        if attempt.is_done:
            width = self.size.width - _RATING_PADDING
            key = self.quiz.key_of("bury")
            rating.update(feedback.rating_lines(self._turn, attempt, say, width, key))
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
        if self.query(QuestionView):  # else the screen is being left: a last blur or scroll came
            self.query_one(KeyLine).show(*self._list_keys())

    def _list_keys(self) -> tuple[str, ...]:
        panel, field = self._inspector, self.focused if self._in_field else None
        place = KeyPlace(
            self._attempt,
            field="" if field is None or field.id is None else field.id,
            types=self._types,
            panel=None if panel is None else (panel.keys, panel.mode),
            at_code=self._view.at == "code",
            wide=not self.has_class("-narrow"),
            has_more=self._view.has_more,
            shows_race=self._view.shows_race,
            switches=self._turn.other_language is not None,
            grading=("gpu" if self._on_gpu else "emulator") if self._grading else "",
            unsaved=self._saving.failed is not None,
        )
        return tuple(filter(self._offers, keys_shown.last_line(place)))

    def _offers(self, key: str) -> bool:
        """Return True if the last line shows a key: what is about cards or kernels may not work."""
        name = key.partition(":")[0]
        return name not in self.WITHOUT and (name != "probes" or self.can_work(name))

    def _types(self, name: str) -> bool:
        """Return True if the key of a binding types something in the field of a number."""
        return self.query_one(NumberField).types(self._key(name))
