"""A question as it is drawn: prompt, rows or field, hints, and after grading the feedback.

Draws an `Attempt`, and returns what its field holds. Decides nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input

from quizapp.domain.attempt import Attempt, Phase
from quizapp.domain.question import (
    Choice,
    Index,
    Kernel,
    Number,
    PutQuestion,
    Recall,
    Spot,
    prose,
)
from quizapp.report import numbered_code
from quizapp.report.verdicts import gpu_verdict
from quizapp.report.words import Words
from quizapp.study.values import Turn
from quizapp.tui import feedback
from quizapp.tui.widgets import code_field
from quizapp.tui.widgets.field import Field
from quizapp.tui.widgets.page import Figure, Page, Part, PickableRows

if TYPE_CHECKING:
    from textual.widgets import TextArea

    from quizapp.report.verdicts.kernel_views import View
    from quizapp.tui.widgets.code_field import CodeField

FIELDS = ("number", "essay", "code")
"""Ids of the widgets in which every key types."""

HINT_LINES = 8
"""More than a hint takes, with the note above it."""

_FIELD_OF = {"number": Number, "essay": Recall, "code": Index | Kernel}


class QuestionView(VerticalScroll, inherit_bindings=False):
    """The part of the screen between first and last line.

    Up and down are the screen's: they move the cursor where there are rows to pick.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "page_up", show=False),
        Binding("pagedown", "page_down", show=False),
        Binding("home", "scroll_home", show=False),
        Binding("end", "scroll_end", show=False),
    ]

    DEFAULT_CSS = """
    QuestionView { height: 1fr; padding: 0 0 0 1; scrollbar-size-vertical: 1; }
    QuestionView #left { height: auto; }
    QuestionView #left > *, QuestionView #feedback { margin-top: 1; }
    QuestionView #number { width: 44; }
    QuestionView #essay {
        height: 6; border: none; padding: 0 1; background: $surface;
        &:focus { border: none; }
    }
    QuestionView #code {
        height: auto; min-height: 4; max-height: 50vh; border: none; padding: 0;
        &:focus { border: none; }
    }
    QuestionView.judged #code { max-height: 33vh; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._note = ""
        self._below: list[Part] = []

    def compose(self) -> ComposeResult:
        """Lay out what every kind of question needs; larger fields come when first needed."""
        with Vertical(id="left"):
            yield Page(id="prompt")
            yield Field(id="number", replaces_all=False)
        yield Page(id="feedback")

    def put(self, question: PutQuestion, draft: str, note: str, unit: str, *, typing: bool) -> None:
        """Go to the top of another question, once drawn: its field holds `draft`.

        `unit` stands in the empty field of a number.
        """
        self.focus()
        if isinstance(question, Index | Kernel):
            code = self._code()
            code.mark(0)
            code.text = draft
            code.move_cursor(code.document.end)
            if typing:
                code.focus()
        if isinstance(question, Number):
            field = self.query_one("#number", Input)
            field.value = draft
            field.placeholder = unit
            field.cursor_position = len(draft)
            if typing:
                field.focus()
        if isinstance(question, Recall):
            essay = self._essay()
            essay.text = draft
            essay.move_cursor(essay.document.end)
        self.scroll_home(animate=False, immediate=True)  # else a frame later: 17 ms
        self.note(note)

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

    def write(self) -> None:
        """Go to the field, where there is one."""
        for field in self.query(", ".join(f"#{name}" for name in FIELDS)):
            if field.display:
                field.focus()

    def rewrite(self, code: str) -> None:
        """Put another text into the editor, as it was changed outside."""
        field = self._code()
        if field.text != code:  # as an edit that can be undone
            field.replace(code, field.document.start, field.document.end)

    def to_verdict(self, tries: int = 3) -> None:
        """Scroll so that the editor is on top and the verdict below it, once it is laid out."""

        def scroll() -> None:
            if not self.scroll_to_widget(self._code(), top=True, animate=False) and tries:
                self.to_verdict(tries - 1)

        self.call_after_refresh(scroll)

    def to_figures(self) -> None:
        """Scroll so that verdict and view have the whole screen."""

        def scroll() -> None:
            below = self.query_one("#feedback", Page)
            self.scroll_to(y=below.virtual_region.y + below.figure_at, animate=False)

        self.call_after_refresh(scroll)

    def to_end(self) -> None:
        """Scroll so that what is below the question is seen: how sure, or what is missing."""
        self.call_after_refresh(self.scroll_end, animate=False)

    def to_line(self, line: int) -> None:
        """Scroll so that this line of a fault's code, from 0, is seen."""

        def scroll() -> None:
            asked = self.query_one("#prompt", Page)
            y = asked.virtual_region.y + asked.figure_at + line
            top, room = self.scroll_offset.y, self.size.height
            if not top <= y < top + room:
                self.scroll_to(y=y if y < top else y - room + 1, animate=False)

        self.call_after_refresh(scroll)

    def to_hint(self) -> None:
        """Scroll so that the newest hint is seen, above whatever verdict there is."""

        def scroll() -> None:
            below = self.query_one("#feedback", Page)
            if below.virtual_region.y + HINT_LINES > self.scroll_offset.y + self.size.height:
                self.scroll_to_widget(below, top=True, animate=False)

        self.call_after_refresh(scroll)

    def note(self, text: str) -> None:
        """Show one sentence below the question."""
        self._note = text
        self.query_one("#feedback", Page).put([Content(text), *self._below])

    def mark(self, line: int) -> None:
        """Mark the line of the editor that is to blame, from 1; 0 for none."""
        self._code().mark(line)

    def draw(
        self,
        turn: Turn,
        attempt: Attempt,
        say: Words,
        *,
        detailed: bool,
        whole: bool = False,
        view: View | None = None,
    ) -> None:
        """Bring everything in line with the attempt; `whole` shows what only its author sees."""
        question = attempt.question
        if attempt.is_open and isinstance(question, Recall):
            self._essay()
        if attempt.is_open and attempt.is_written:
            self._code()
        for name, kind in _FIELD_OF.items():
            for field in self.query(f"#{name}"):
                field.display = attempt.is_open and isinstance(question, kind)
        rows = self._rows(attempt, say)
        picks = isinstance(question, Choice | Spot)
        prompt: list[Part] = [prose(question.prompt, say.language)]
        if isinstance(question, Choice) and question.several:
            prompt.append(say("study.several"))
        if isinstance(question, Spot):
            prompt += [feedback.code(attempt), numbered_code.launch(question, say)]
        if isinstance(question, Kernel) and question.gpu and turn.timed:
            prompt.append(gpu_verdict.goal(question.gpu, say))
        self.query_one("#prompt", Page).put([*prompt, rows] if picks else prompt)
        self._below = [
            *_aside(attempt, say),
            *([] if picks else [rows]),
            *_feedback(turn, attempt, say, detailed=detailed, view=view),
            *(feedback.draw_authored(question, say) if whole else []),
        ]
        self.note(self._note)
        self.set_class(attempt.submission is not None, "judged")
        figured = any(isinstance(part, Figure) for part in self._below)
        self.set_class(figured, "figured")
        self.set_class(attempt.is_graded and not figured, "graded")

    def _rows(self, attempt: Attempt, say: Words) -> PickableRows:
        """Draw what can be picked or ticked."""
        question = attempt.question
        several = not isinstance(question, Spot) and (
            not isinstance(question, Choice) or question.several
        )
        moves = attempt.has_cursor and not isinstance(question, Spot)
        rows = tuple(feedback.rows(attempt, say))
        return PickableRows(rows, several, attempt.cursor if moves else None)

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
            language="python",
            soft_wrap=False,
            show_line_numbers=True,
            tab_behavior="indent",
            id="code",
        )
        code.cursor_blink = False
        self.query_one("#left").mount(code)
        return code


def _aside(attempt: Attempt, say: Words) -> list[Part]:
    """Draw what was written, the hints, and what is asked of the person now."""
    question, parts = attempt.question, list[Part]()
    if not attempt.is_open:
        parts.append(feedback.own_text(attempt, say))
    total = len(question.hints)
    for n, hint in enumerate(question.hints[: attempt.hints], start=1):
        parts.append(say("study.hint", n=n, total=total) + prose(hint, say.language))
    if attempt.phase is Phase.CONFIDENCE:
        parts.append(feedback.confidence_line(say))
    if attempt.phase is Phase.COMPARING:
        parts.append(say("study.compare"))
        if attempt.takes_confidence:
            parts.append(feedback.stated_confidence(attempt.confidence, say))
    return parts


def _feedback(
    turn: Turn, attempt: Attempt, say: Words, *, detailed: bool, view: View | None
) -> list[Part]:
    """Draw the answer, why, and on demand the rest."""
    parts: list[Part] = [feedback.answer(attempt, say)]
    figures = feedback.figures(turn, attempt, say, detailed=detailed, view=view)
    reason = [feedback.explanation(attempt.question, say)] if attempt.shows_answer else []
    solved = attempt.submission is not None and attempt.submission.passed
    parts += [*reason, *figures] if solved else [*figures, *reason]
    if attempt.shows_answer and detailed:
        parts.append(feedback.detail(attempt.question, say))
    return parts
