"""Asks before something that cannot be undone; each answer has its key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.screen import ModalScreen
from textual.style import Style
from textual.widgets import Static

from quizapp.report.words import Words
from quizapp.system.safe_text import safe

Answer = TypeVar("Answer")


class Ask(ModalScreen[Answer], Generic[Answer]):
    """One sentence and its answers; the answers are not commands, so they are not bindings."""

    DEFAULT_CSS = """
    Ask { align: center middle; padding: 0; }
    Ask Static {
        width: auto; max-width: 72; height: auto; padding: 1 3; margin: 0;
        background: $surface; border: round $foreground 50%;
    }
    """

    def __init__(
        self, question: str, answers: Mapping[str, tuple[str, Answer]], otherwise: Answer
    ) -> None:
        """Ask; `answers` are texts and values by key, `otherwise` is what any other key answers."""
        super().__init__()
        self._question = question
        self._answers = answers
        self._otherwise = otherwise
        self._answered = False

    def compose(self) -> ComposeResult:
        """The sentence and the answers, which can be clicked."""
        answers = Content("")
        for key, (said, _) in self._answers.items():
            text = Content.assemble((key, "bold $text-accent"), (f" {said}", "dim"))
            answers += text.stylize(
                Style.from_meta({"@click": f"screen.answer('{key}')"})
            ) + Content("   ")
        yield Static(Content(safe(self._question)) + Content("\n\n") + answers, markup=False)

    def on_key(self, event: events.Key) -> None:
        """Answer by any key."""
        event.stop()
        self.action_answer(event.key.lower())

    def action_answer(self, key: str) -> None:
        """Answer once: a further key that came quickly would take the screen below away."""
        if not self._answered:
            self._answered = True
            _, answer = self._answers.get(key, ("", self._otherwise))
            self.dismiss(answer)


class Confirm(Ask[bool]):
    """Asks whether something is meant: `y` says so, any other key does not."""

    def __init__(self, question: str, say: Words) -> None:
        answers = {"y": (say("confirm.yes"), True), "n": (say("confirm.no"), False)}
        super().__init__(question, answers, otherwise=False)
