"""A question as it is drawn: prompt, rows or field, hints, and after grading the feedback.

Takes a `Trial`, draws it, and tells what stands in its field. Decides nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Input

from quizapp.domain.question import AnyQuestion, Choice, Number, Recall, prose
from quizapp.study.trial import Phase, Trial
from quizapp.tui import feedback
from quizapp.tui.widgets.field import Field
from quizapp.tui.widgets.page import Page, Part, Rows
from quizapp.words import Words

if TYPE_CHECKING:
    from textual.widgets import TextArea

FIELDS = ("number", "essay")
"""Ids of the widgets in which every key types."""


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
    QuestionView { height: 1fr; padding: 0 1; scrollbar-size-vertical: 1; }
    QuestionView > * { margin-top: 1; }
    QuestionView #number { width: 44; }
    QuestionView #essay {
        height: 6; border: none; padding: 0 1; background: $surface;
        &:focus { border: none; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._note = ""
        self._told: list[Part] = []

    def compose(self) -> ComposeResult:
        """What every kind of question needs; the field of a recall comes with the first of them."""
        yield Page(id="asked")
        yield Field(id="number", replaces_all=False)
        yield Page(id="told")

    def put(self, question: AnyQuestion, draft: str, note: str, *, typing: bool) -> None:
        """Go to the top of another question, once drawn: its field holds `draft`."""
        self.focus()
        if isinstance(question, Number):
            field = self.query_one("#number", Input)
            field.value = draft
            field.placeholder = question.unit or ""
            field.cursor_position = len(draft)
            if typing:
                field.focus()
        if isinstance(question, Recall):
            essay = self._essay()
            essay.text = draft
            essay.move_cursor(essay.document.end)
        self.scroll_home(animate=False)
        self.note(note)

    def written(self, question: AnyQuestion) -> str:
        """What stands in the field of this kind of question."""
        match question:
            case Number():
                return self.query_one("#number", Input).value
            case Recall():
                return self._essay().text
            case _:
                return ""

    def write(self) -> None:
        """Go to the field, where there is one."""
        for field in self.query("#number, #essay"):
            if field.display:
                field.focus()

    def note(self, text: str) -> None:
        """One sentence below the question."""
        self._note = text
        self.query_one("#told", Page).put([Content(text), *self._told])

    def draw(self, trial: Trial, say: Words, *, detailed: bool) -> None:
        """Bring everything in line with the trial."""
        question, asking = trial.asked.question, trial.phase is Phase.ASKING
        if asking and isinstance(question, Recall):
            self._essay()
        for name, kind in (("number", Number), ("essay", Recall)):
            for field in self.query(f"#{name}"):
                field.display = asking and isinstance(question, kind)
        rows = self._rows(trial, say)
        choice = isinstance(question, Choice)
        asked: list[Part] = [prose(question.prompt, say.language)]
        self.query_one("#asked", Page).put([*asked, rows] if choice else asked)
        self._told = [
            *_aside(trial, say),
            *([] if choice else [rows]),
            *_feedback(trial, say, detailed=detailed),
        ]
        self.note(self._note)
        self.set_class(trial.phase is Phase.GRADED, "graded")

    def _rows(self, trial: Trial, say: Words) -> Rows:
        """What can be picked or ticked, as it stands."""
        question = trial.asked.question
        several = not isinstance(question, Choice) or question.several
        moving = trial.phase in (Phase.ASKING, Phase.COMPARING)
        rows = tuple(feedback.rows(trial, say))
        return Rows(rows, several, trial.cursor if moving else None)

    def _essay(self) -> TextArea:
        """The field of a recall, made when first needed: it is the dearest of the widgets."""
        from textual.widgets import TextArea  # noqa: PLC0415 - the tree-sitter library, 9 ms

        for essay in self.query("#essay").results(TextArea):
            return essay
        essay = TextArea(id="essay", soft_wrap=True, show_line_numbers=False)
        essay.cursor_blink = False
        self.mount(essay, before="#told")
        return essay


def _aside(trial: Trial, say: Words) -> list[Part]:
    """What was written, hints, and what is asked of the person now."""
    question, parts = trial.asked.question, list[Part]()
    if trial.phase is not Phase.ASKING:
        parts.append(Content(trial.text).stylize("dim"))
    total = len(question.hints)
    for n, hint in enumerate(question.hints[: trial.hints], start=1):
        parts.append(say("study.hint", n=n, total=total) + prose(hint, say.language))
    if trial.phase is Phase.SURE:
        parts.append(feedback.confidence_line(say))
    if trial.phase is Phase.COMPARING:
        parts.append(say("study.compare"))
    return parts


def _feedback(trial: Trial, say: Words, *, detailed: bool) -> list[Part]:
    """The answer, why, and on demand the rest."""
    question, graded = trial.asked.question, trial.phase is Phase.GRADED
    parts: list[Part] = [feedback.answer(trial, say)]
    if graded:
        parts.append(feedback.explanation(question, say))
    if graded and detailed:
        parts.append(feedback.detail(question, say))
    return parts
