"""A question as it is drawn: prompt, rows or field, hints, and after grading the feedback.

Takes a `Trial`, draws it, and tells what stands in its field. Decides nothing.
"""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static, TextArea

from quizapp.domain.question import AnyQuestion, Choice, Number, Recall, prose
from quizapp.study.trial import Phase, Trial
from quizapp.tui import feedback
from quizapp.tui.widgets.field import Field
from quizapp.tui.widgets.options import Options
from quizapp.tui.widgets.prose import Prose
from quizapp.words import Words

FIELDS = ("number", "essay")
"""Ids of the widgets in which every key types."""


class QuestionView(VerticalScroll):
    """The part of the screen between first and last line."""

    DEFAULT_CSS = """
    QuestionView { height: 1fr; padding: 0 1; scrollbar-size-vertical: 1; }
    QuestionView .hidden { display: none; }
    QuestionView #question, QuestionView #feedback { height: auto; width: 1fr; }
    QuestionView #question > *, QuestionView #feedback > * { margin-top: 1; height: auto; }
    QuestionView #number { width: 44; }
    QuestionView #essay {
        height: 6; border: none; padding: 0 1; background: $surface;
        &:focus { border: none; }
    }
    """

    def compose(self) -> ComposeResult:
        """All widgets that any kind of question needs; `draw` shows those that apply."""
        with Vertical(id="question"):
            yield Prose(id="prompt")
            yield Options(id="options")
            yield Field(id="number")
            essay = TextArea(id="essay", soft_wrap=True, show_line_numbers=False)
            essay.cursor_blink = False
            yield essay
            yield Static(id="written", markup=False)
            yield Prose(id="hints")
            yield Static(id="ask", markup=False)
            yield Static(id="note", markup=False)
        with Vertical(id="feedback"):
            yield Static(id="tick", markup=False)
            yield Options(id="points")
            yield Prose(id="answer")
            yield Prose(id="why")
            yield Prose(id="detail")

    def put(self, question: AnyQuestion, draft: str, note: str) -> None:
        """Go to the top of another question, once drawn: its field holds `draft`."""
        number, essay = self.query_one("#number", Input), self.query_one("#essay", TextArea)
        self.focus()
        if isinstance(question, Number):
            number.value = draft
            number.placeholder = question.unit or ""
            number.focus()
        if isinstance(question, Recall):
            essay.text = draft
        self.scroll_home(animate=False)
        self.note(note)

    def written(self, question: AnyQuestion) -> str:
        """What stands in the field of this kind of question."""
        match question:
            case Number():
                return self.query_one("#number", Input).value
            case Recall():
                return self.query_one("#essay", TextArea).text
            case _:
                return ""

    def write(self) -> None:
        """Go to the field, where there is one."""
        for field in self.query("#number, #essay"):
            if field.display:
                field.focus()

    def note(self, text: str) -> None:
        """One sentence below the question."""
        self._static("#note", Content(text))

    def draw(self, trial: Trial, say: Words, *, detailed: bool) -> None:
        """Bring every widget in line with the trial."""
        question = trial.asked.question
        graded = trial.phase is Phase.GRADED
        self._prose("prompt", prose(question.prompt, say.language))
        self._draw_field(trial)
        self._draw_rows(trial, say)
        hints = enumerate(question.hints[: trial.hints], start=1)
        total = len(question.hints)
        told = [say("study.hint", n=n, total=total) + prose(h, say.language) for n, h in hints]
        self._prose("hints", "\n\n".join(told))
        comparing = trial.phase is Phase.COMPARING
        self._static("#tick", Content(say("study.compare")) if comparing else None)
        self._static("#ask", feedback.confidence_line(say) if trial.phase is Phase.SURE else None)
        self._prose("answer", feedback.answer(trial, say))
        self._prose("why", feedback.explanation(question, say) if graded else "")
        self._prose("detail", feedback.detail(question, say) if graded and detailed else "")
        self.query_one("#feedback").set_class(trial.phase.value < Phase.COMPARING.value, "hidden")
        self.set_class(graded, "graded")

    def _draw_field(self, trial: Trial) -> None:
        """The field while the question is open; what was written in it afterwards."""
        question = trial.asked.question
        asking = trial.phase is Phase.ASKING
        for name, kind in (("#number", Number), ("#essay", Recall)):
            self.query_one(name).set_class(not (asking and isinstance(question, kind)), "hidden")
        written = None if asking or not trial.text else Content(trial.text).stylize("dim")
        self._static("#written", written)

    def _draw_rows(self, trial: Trial, say: Words) -> None:
        """The options beside the question, or the rubric's points beside the feedback."""
        question = trial.asked.question
        choice = isinstance(question, Choice)
        several = not isinstance(question, Choice) or question.several
        moving = trial.phase in (Phase.ASKING, Phase.COMPARING)
        drawn = feedback.rows(trial, say)
        for name, rows in (
            ("options", drawn if choice else []),
            ("points", [] if choice else drawn),
        ):
            widget = self.query_one(f"#{name}", Options)
            widget.show(rows, several=several, cursor=trial.cursor if moving else None)
            widget.set_class(not rows, "hidden")

    def _prose(self, name: str, text: str) -> None:
        widget = self.query_one(f"#{name}", Prose)
        widget.show(text)
        widget.set_class(not text, "hidden")

    def _static(self, name: str, content: Content | None) -> None:
        widget = self.query_one(name, Static)
        widget.update(content or "")
        widget.set_class(not content, "hidden")
