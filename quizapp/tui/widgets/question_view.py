"""A question as it is drawn: prompt, rows or field, hints, and after grading the feedback.

Draws an `Attempt`, and returns what its field holds. Decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Literal, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Input

from quizapp.domain.attempt import Attempt, Phase
from quizapp.domain.grading import LEAST_WORDS, can_go_on, is_terse
from quizapp.domain.languages import language_of_code
from quizapp.domain.question import (
    AnyQuestion,
    Choice,
    Index,
    InputChoice,
    Kernel,
    Number,
    PutQuestion,
    Recall,
    Spot,
    prose,
)
from quizapp.domain.starters import is_starter
from quizapp.report import numbered_code
from quizapp.report.content import question_text
from quizapp.report.verdicts import gpu_verdict
from quizapp.report.words import Words
from quizapp.study.values import Turn
from quizapp.tui import feedback
from quizapp.tui.widgets import code_field, inspector
from quizapp.tui.widgets.blank import Blank
from quizapp.tui.widgets.field import NumberField, take_all
from quizapp.tui.widgets.late_calls import LateCallGuard
from quizapp.tui.widgets.page import Page, Part, PickableRows

if TYPE_CHECKING:
    from textual.widget import Widget
    from textual.widgets import TextArea

    from grader.kernels import Snapshot
    from grader.simt import Moment
    from quizapp.exercises.kernels import CheckedKernel
    from quizapp.exercises.layouts import CheckedLayout
    from quizapp.report.verdicts.kernel_views import View
    from quizapp.tui.shell import Shell
    from quizapp.tui.widgets.code_field import CodeField
    from quizapp.tui.widgets.inspector import Inspector

FIELDS = ("number", "essay", "code")
"""Ids of the widgets in which every key types."""

HINT_LINES = 8
"""More than a hint takes, with the note above it."""
_FIRST_LINES = 3
"""Of feedback, that are seen without scrolling."""
_AROUND = 9
"""Lines of a workbench that neither prompt nor editor has: bars, what is said, empty ones."""
_ROOM_TO_WRITE = 2
"""Lines that an editor has beyond what it holds at first, before its prompt is folded."""

_FIELD_OF = {"number": Number | InputChoice, "essay": Recall}

Place = Literal["code", "verdict", "line", "prompt"]
"""Parts of the workbench: the editor, the verdict, what is known of a line, the whole prompt."""


class Column(Vertical, Blank):
    """Parts one below the other."""


class ScrollingColumn(VerticalScroll, Blank):
    """Parts one below the other, scrolled where they do not fit."""


class QuestionView(VerticalScroll, Blank, LateCallGuard, inherit_bindings=False):
    """The part of the screen between first and last line.

    What is asked stands left, what is said of the answer right of it or below; where that is does
    not change when the answer comes. Code has a workbench: editor and verdict, side by side or one
    at a time. Up and down are the screen's: they move the cursor where there are rows to pick.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "page_up", show=False),
        Binding("pagedown", "page_down", show=False),
        Binding("home", "scroll_home", show=False),
        Binding("end", "scroll_end", show=False),
    ]

    DEFAULT_CSS = """
    QuestionView {
        height: 1fr; padding: 0 0 0 1; scrollbar-size-vertical: 1; scrollbar-gutter: stable;
    }
    QuestionView #left { height: auto; }
    QuestionView #left > *, QuestionView #feedback, QuestionView Inspector { margin-top: 1; }
    QuestionView #right { height: auto; }
    QuestionView #said { height: auto; scrollbar-size-vertical: 1; }
    QuestionView Inspector { height: 1fr; }
    QuestionView #number { width: 44; }
    QuestionView #essay {
        height: 6; max-width: 90; border: none; padding: 0 1; background: $surface;
        &:focus { border: none; }
    }
    QuestionView #code {
        height: 1fr; min-height: 3; border: none; padding: 0; scrollbar-size: 1 1;
        &:focus { border: none; }
    }
    QuestionView #status { dock: bottom; max-height: 40%; margin-top: 1; display: none; }
    QuestionView.workbench {
        overflow: hidden; scrollbar-gutter: auto;
        #left, #right { height: 100%; }
        #said { max-height: 60%; scrollbar-gutter: stable; }
        &.reading #said { max-height: 100%; }
        #status { display: block; }
        #status.empty { display: none; }
        #brief { min-height: 2; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._note = ""
        self._below: list[Part] = []
        self._hints: list[Part] = []
        self._whole_prompt = self._whole_verdict = ""
        self._at: Place = "code"
        self._says_something = True
        self._code_lines = 0

    class Scrolled(Message):
        """Something else of it is on the screen."""

    def on_mount(self) -> None:
        """Say when it is scrolled, or one of its parts."""
        for scrolls in (self, self.query_one("#left"), self.query_one("#said")):
            self.watch(scrolls, "scroll_y", self._say_scrolled, init=False)

    def _say_scrolled(self) -> None:
        self.post_message(self.Scrolled())

    def compose(self) -> ComposeResult:
        """Lay out what every kind of question needs; larger fields come when first needed."""
        with Column(id="left"):
            yield Page(id="prompt")
            yield NumberField(id="number")
        with Column(id="right"), ScrollingColumn(id="said", can_focus=False):
            yield Page(id="feedback")
        yield Page(id="status")

    # Parts of the workbench, of which a narrow screen shows one at a time

    @property
    def at(self) -> Place:
        """The part that a narrow screen shows."""
        return self._at

    def go_to(self, place: Place, *, typing: bool = True) -> None:
        """Show a part of the workbench; `typing` goes to the editor where that is shown."""
        self._at = place
        self._arrange()
        code = self._code()
        if place == "line":
            self._inspector.focus()
        elif place == "code" and typing and not code.read_only:
            code.focus()
        else:
            self.focus()
        if place != "code":
            self._scrolled.scroll_home(animate=False)

    @property
    def says_something(self) -> bool:
        """True if there is a verdict."""
        return self._says_something

    def inspect(
        self, checked: CheckedKernel | CheckedLayout | None, say: Words, *, live: bool
    ) -> None:
        """Show what is known of the code beside it; `live` withholds what waits for submitting."""
        self._inspector.show(checked, say, live=live)
        self.at_line(self._code().cursor_location[0] + 1)

    def at_line(self, line: int) -> None:
        """Show what is known of a line of the code, counted from 1."""
        for panel in self.query("#inspector").results(inspector.Inspector):
            panel.at_line(line)

    @property
    def shows_race(self) -> bool:
        """True if a race of the code that was submitted can be walked through."""
        panels = self.query("#inspector").results(inspector.Inspector)
        return self.has_class("workbench") and any(panel.shows_race for panel in panels)

    def replay(self) -> None:
        """Walk through what the submission did wrong, from its first step."""
        self._inspector.action_step(1)

    def make_room(self) -> None:
        """Hide the verdict while something is looked at closely beside the code."""
        self._arrange()

    def show_values(self, moment: Moment, snapshot: Snapshot | None) -> None:
        """Show what a thread saw, if that is still asked for."""
        for panel in self.query(inspector.Inspector):
            panel.seen(moment, snapshot)

    def move_caret(self, line: int) -> None:
        """Move the caret to a line of the code, counted from 1."""
        code = self._code()
        text = code.document.get_line(min(line, code.document.line_count) - 1)
        code.move_cursor((line - 1, len(text) - len(text.lstrip())))

    @property
    def _inspector(self) -> Inspector:
        return self.query_one(inspector.Inspector)

    @property
    def _scrolled(self) -> Widget:
        """What page keys scroll."""
        if not self.has_class("workbench"):
            return self
        return self.query_one("#left" if self.at == "prompt" else "#said")

    @property
    def has_more(self) -> bool:
        """True if there is more below what is on the screen."""
        return self._scrolled.scroll_y < self._scrolled.max_scroll_y

    def scroll_rows(self, rows: int) -> None:
        """Scroll by so many rows."""
        self._scrolled.scroll_relative(y=rows, animate=False, immediate=True)

    def action_page_up(self) -> None:
        """Scroll one page up."""
        self._scrolled.scroll_page_up(animate=False)

    def action_page_down(self) -> None:
        """Scroll one page down."""
        self._scrolled.scroll_page_down(animate=False)

    def action_scroll_home(self) -> None:
        """Scroll to the beginning."""
        self._scrolled.scroll_home(animate=False)

    def action_scroll_end(self) -> None:
        """Scroll to the end."""
        self._scrolled.scroll_end(animate=False)

    def on_resize(self) -> None:
        """Give the prompt its share of the height."""
        self._arrange()

    def _arrange(self) -> None:
        """Show what there is room for: at once, since what is hidden cannot take the keys."""
        self._fold()
        bench, narrow = self.has_class("workbench"), self.screen.has_class("-narrow")
        alone = self.at if bench and narrow else ""
        at_prompt = bench and self.at == "prompt"
        left = self.query_one("#left")
        reads = bench and self.has_class("reading") and self.at not in ("prompt", "line")
        left.display = alone not in ("verdict", "line") and not (reads and not narrow)
        left.styles.overflow_y = "auto" if at_prompt else "hidden"
        for code in self.query("#code"):
            code.display = bench and not at_prompt
        self.query_one("#right").set_class(not left.display, "alone")
        self.query_one("#right").display = alone not in ("code", "prompt")
        panels = cast("list[Inspector]", [*self.query("#inspector")])  # its module loads NumPy
        closely = any(panel.mode != "line" for panel in panels)
        beside = alone != "line" and not closely
        self.query_one("#said").display = beside and self.says_something
        for panel in panels:
            panel.display = bench and alone != "verdict" and not reads
        for brief in self.query("#brief").results(Page):
            brief.display = alone == "code"
            brief.fold(max(2, self.app.size.height // 4), self._whole_verdict)

    def _fold(self) -> None:
        """Show the first lines of a prompt above its editor, or all of it."""
        folded = self.has_class("workbench") and self.at != "prompt"
        height = self.app.size.height - _AROUND
        most = max(2, height // 3, height - self._code_lines) if folded else None
        self.query_one("#prompt", Page).fold(most, self._whole_prompt)

    def put(
        self, question: PutQuestion, draft: str, note: str, blank: str, *, typing: bool
    ) -> None:
        """Go to the top of another question, once drawn: its field holds `draft`.

        `blank` stands in the empty field of a number: its unit.
        """
        self.focus()
        if isinstance(question, Index | Kernel):
            code = self._code()
            code.use_language(language_of_code(question, draft))
            code.mark(0)
            text, caret = draft, None
            if is_starter(draft, question.starter):
                text, caret = code_field.begin_below(draft)
            code.replace(text, code.document.start, code.document.end)  # half the time of `text`
            code.history.clear()
            code.scroll_home(animate=False, immediate=True)
            self._code_lines = code.document.line_count + _ROOM_TO_WRITE
            code.move_cursor(caret or code.document.end)
            self.go_to("code", typing=typing)
        if isinstance(question, Number):
            field = self.query_one(NumberField)
            field.takes = partial(can_go_on, question)
            field.value = draft
            field.placeholder = blank
            field.cursor_position = len(draft)
            if typing:
                field.focus()
        if isinstance(question, InputChoice):
            field = self.query_one(NumberField)
            field.takes = take_all
            field.value, field.placeholder = "", blank
        if isinstance(question, Recall):
            essay = self._essay()
            essay.text = draft
            essay.move_cursor(essay.document.end)
        self.scroll_home(animate=False, immediate=True)  # else a frame later: 17 ms
        self.note(note)

    def prepare(self, question: AnyQuestion, say: Words) -> None:
        """Do out of sight what a question to come takes long for: its text, and its editor."""
        self.query_one("#prompt", Page).prepare(prose(question.prompt, say.language))
        if isinstance(question, Index | Kernel) and not self.has_class("workbench"):
            self._code().use_language(language_of_code(question, question.starter or ""))
            self._arrange()

    def read_field(self, question: PutQuestion) -> str:
        """Return what the field of this kind of question holds."""
        match question:
            case Index() | Kernel():
                return self._code().text
            case Number():
                return self.query_one("#number", Input).value
            case Recall():
                return self._essay().text
            case _:
                return ""

    @property
    def typed_input(self) -> str:
        """The input for a kernel that is being typed."""
        return self.query_one(NumberField).value

    def begin_input(self) -> None:
        """Empty the line for another input, and leave it."""
        self.query_one(NumberField).value = ""
        self.focus()

    def write(self) -> None:
        """Go to the field, where there is one."""
        if self.has_class("workbench"):
            self.go_to("code")
            return
        for field in self.query(", ".join(f"#{name}" for name in FIELDS)):
            if field.display:
                field.focus()

    def begin_field(self, text: str) -> None:
        """Go to the field of a recall or a number with something typed."""
        self.write()
        number = self.query_one(NumberField)
        if number.display:
            number.insert_text_at_cursor(text)
        else:
            self._essay().insert(text)

    def rewrite(self, code: str) -> None:
        """Put another text into the editor, as it was changed outside."""
        field = self._code()
        if field.text != code:  # as an edit that can be undone
            field.replace(code, field.document.start, field.document.end)

    def to_end(self) -> None:
        """Scroll so that what is below the question is seen: how sure, or what is missing."""
        self.call_after_refresh(self.action_scroll_end)

    def to_line(self, line: int) -> None:
        """Scroll so that the kinds of bug are seen, and this line of the code above, from 0."""

        def scroll() -> None:
            asked = self.query_one("#prompt", Page)
            y, end = asked.virtual_region.y + asked.figure_at + line, asked.virtual_region.bottom
            top, room = self.scroll_offset.y, self.size.height
            if y < top or end > top + room:
                self.scroll_to(y=min(y, end - room), animate=False)

        self.call_after_refresh(scroll)

    def to_hint(self) -> None:
        """Scroll so that the newest hint is seen; a workbench has it below."""

        def scroll() -> None:
            below = self.query_one("#feedback", Page)
            if below.region.y - self.region.y + HINT_LINES > self.size.height:
                self.scroll_to_widget(below, top=True, animate=False)

        if not self.has_class("workbench"):
            self.call_after_refresh(scroll)

    def to_feedback(self) -> None:
        """Scroll so that what is said of the answer begins on the screen, below what was asked."""

        def scroll() -> None:
            height, below = self.size.height, self.query_one("#feedback", Page).region
            top = below.y - self.region.y  # 0 at the first line that is seen
            hidden = top + below.height - height
            if hidden > 0 and top + _FIRST_LINES > height:
                self.scroll_relative(y=min(top - height // 2, hidden), animate=False)

        if not self.has_class("workbench"):
            self.call_after_refresh(scroll)

    def note(self, text: str) -> None:
        """Show one sentence below the question."""
        self._note = text
        bench = self.has_class("workbench")
        self.query_one("#status", Page).put([*self._hints, Content(text)] if bench else [])
        below = self._below if bench else [Content(text), *self._hints, *self._below]
        self.query_one("#feedback", Page).put(below)
        self._says_something = not (bench and self.query_one("#feedback").has_class("empty"))
        self._arrange()

    def mark(self, line: int, *, scrolls: bool = True) -> None:
        """Mark the line of the editor that is to blame, from 1; 0 for none."""
        self._code().mark(line, scrolls=scrolls)

    def draw(
        self,
        turn: Turn,
        attempt: Attempt,
        say: Words,
        *,
        detailed: bool,
        answers_key: str = "",
        whole: bool = False,
        view: View | None = None,
        live: CheckedKernel | CheckedLayout | None = None,
    ) -> None:
        """Bring everything in line with the attempt.

        `detailed`: show what is shown on demand. `answers_key`: the key that shows the answers of
        follow-up questions; empty to show them. `whole`: show what only its author sees. `live`:
        what came of running the code that is being written.
        """
        question = attempt.question
        bench = attempt.is_written and attempt.phase is not Phase.REVEALED
        # A kernel to be read has the whole width: 76 columns do not fit beside an editor.
        twin = feedback.shown_view(attempt, view) == "twin"
        reads = isinstance(question, Kernel) and (twin or detailed or attempt.gave_up)
        self._lay_out(bench=bench, reading=bench and attempt.shows_answer and reads)
        key_of = cast("Shell", self.app).key_of
        self._whole_prompt = say("study.whole-prompt", key=key_of("prompt"))
        self._whole_verdict = say("study.whole-verdict", key=key_of("view-here"))
        if attempt.is_open and isinstance(question, Recall):
            self._essay()
        if bench:
            self._code().read_only = not attempt.is_open
        for name, kind in _FIELD_OF.items():
            for field in self.query(f"#{name}"):
                field.display = attempt.is_open and isinstance(question, kind)
        rows = self._rows(attempt, say)
        picks = isinstance(question, Choice | Spot)
        prompt = list(_prompt(turn, attempt, say))
        self.query_one("#prompt", Page).put([*prompt, rows] if picks else prompt)
        self._hints = _hints(attempt, say)
        self._below = [
            *([] if bench or attempt.is_open else [feedback.own_text(attempt, say)]),
            *_asked_now(turn, attempt, say, cast("Shell", self.app)),
            *([] if picks else [rows]),
            *_feedback(turn, attempt, say, answers_key if detailed else None, view=view),
            *([] if detailed else feedback.on_demand(attempt, say, key_of("detail"))),
            *(feedback.draw_authored(question, say) if whole else []),
        ]
        if bench:
            summary = [] if attempt.is_graded else feedback.summary(attempt, live, say)
            self.query_one("#brief", Page).put(summary)
        self.note(self._note)

    def _lay_out(self, *, bench: bool, reading: bool) -> None:
        """Lay out code to be written, or to be read, or a question without an editor."""
        before = self.classes
        self.set_class(bench, "workbench", update=False)
        self.set_class(reading, "reading", update=False)
        if self.classes != before:  # all that is below, editors above all, would take 20 ms
            parts = self.query("#left, #right, #prompt, #said, #status, #brief")
            self.app.stylesheet.update_nodes([self, *parts])

    def watch_has_focus(self, _has_focus: bool) -> None:  # noqa: FBT001 - as Textual calls
        """Style nothing anew: it looks the same with the keys and without them."""

    def _rows(self, attempt: Attempt, say: Words) -> PickableRows:
        """Draw what can be picked or ticked."""
        question = attempt.question
        several = not isinstance(question, Spot) and (
            not isinstance(question, Choice) or question.several
        )
        moves = attempt.has_cursor and not isinstance(question, Spot)
        rows = tuple(feedback.rows(attempt, say))
        cursor = attempt.cursor if moves else None
        return PickableRows(rows, several, cursor, side_by_side=isinstance(question, Spot))

    def _essay(self) -> TextArea:
        """Return the field of a recall, made when first needed: the most expensive widget."""
        for essay in self.query("#essay").results(code_field.TextField):
            return essay
        essay = code_field.TextField(id="essay", soft_wrap=True, show_line_numbers=False)
        essay.cursor_blink = False
        self.query_one("#left").mount(essay)
        return essay

    def _code(self) -> CodeField:
        """Return the editor of an exercise, made when first needed."""
        for code in self.query("#code").results(code_field.CodeField):
            return code
        code = code_field.CodeField(
            soft_wrap=False, show_line_numbers=True, tab_behavior="indent", id="code"
        )
        code.cursor_blink = False
        brief = Page(id="brief")
        self.query_one("#left").mount(code, brief)
        self.query_one("#right").mount(inspector.Inspector(id="inspector"))
        return code


def _prompt(turn: Turn, attempt: Attempt, say: Words) -> Iterator[Part]:
    """Draw what is asked; before it how this kind of question works, where that is said."""
    question = attempt.question
    if turn.explains and not attempt.is_written:  # a workbench says it below its editor
        yield Content("\n".join(question_text.how_it_works(turn, say))).stylize("dim")
    yield prose(question.prompt, say.language)
    if isinstance(question, Choice) and question.several:
        yield question_text.how_many(question, say)
    if isinstance(question, Spot):
        yield numbered_code.launch(question, say)
        yield feedback.code(attempt)
    if isinstance(question, Kernel) and question.gpu and turn.timed:
        yield gpu_verdict.goal(question.gpu, say)


def _hints(attempt: Attempt, say: Words) -> list[Part]:
    """Draw the hints that were asked for."""
    hints = attempt.question.hints
    return [
        say("study.hint", n=n, total=len(hints)) + prose(hint, say.language)
        for n, hint in enumerate(hints[: attempt.hints], start=1)
    ]


def _asked_now(turn: Turn, attempt: Attempt, say: Words, shell: Shell) -> list[Part]:
    """Draw what is asked of the person now."""
    if attempt.phase is Phase.CONFIDENCE:
        return [feedback.confidence_lines(turn, say, *map(shell.key_of, ("answer", "settings")))]
    if attempt.phase is not Phase.COMPARING:
        return []
    few = say("study.few-words", least=LEAST_WORDS)
    return [say("study.compare"), *([few] if is_terse(attempt.text) else [])]


def _feedback(
    turn: Turn, attempt: Attempt, say: Words, answers_key: str | None, *, view: View | None
) -> list[Part]:
    """Draw the answer, why, and on demand the rest, for which `answers_key` is a text."""
    if attempt.is_graded and not attempt.shows_answer:
        return []
    parts: list[Part] = [feedback.answer(attempt, say)]
    detailed = answers_key is not None
    figures = feedback.figures(turn, attempt, say, detailed=detailed, view=view)
    reason = [feedback.explanation(attempt.question, say)] if attempt.shows_answer else []
    solved = attempt.submission is not None and attempt.submission.passed
    verdict = int(isinstance(attempt.question, Kernel))  # of a layout, the first line says it
    first = verdict if solved else len(figures)
    parts += [*figures[:first], *reason, *figures[first:]]
    if attempt.shows_answer and answers_key is not None:
        parts.append(feedback.detail(turn, say, answers_key))
    return parts
