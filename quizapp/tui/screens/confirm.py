"""Asks whether something that cannot be undone is meant: `y` says so, any other key does not."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.screen import ModalScreen
from textual.style import Style
from textual.widgets import Static

from quizapp.report.words import Words
from quizapp.system.safe_text import safe


class Confirm(ModalScreen[bool]):
    """One sentence and two answers; the answers are not commands, so they are not bindings."""

    DEFAULT_CSS = """
    Confirm { align: center middle; padding: 0; }
    Confirm Static {
        width: auto; max-width: 72; height: auto; padding: 1 3; margin: 0;
        background: $surface; border: round $foreground 50%;
    }
    """

    def __init__(self, question: str, say: Words) -> None:
        super().__init__()
        self._question = question
        self._words = say
        self._answered = False

    def compose(self) -> ComposeResult:
        """The sentence and the answers, which can be clicked."""
        answers = Content("")
        for key in ("yes", "no"):
            text = Content.assemble(
                (key[0], "bold $text-accent"), (f" {self._words(f'confirm.{key}')}", "dim")
            )
            answers += text.stylize(
                Style.from_meta({"@click": f"screen.answer('{key}')"})
            ) + Content("   ")
        yield Static(Content(safe(self._question)) + Content("\n\n") + answers, markup=False)

    def on_key(self, event: events.Key) -> None:
        """Answer by any key."""
        event.stop()
        self._answer(event.key in ("y", "Y"))

    def action_answer(self, answer: str) -> None:
        """Answer by a click."""
        self._answer(answer == "yes")

    def _answer(self, yes: bool) -> None:  # noqa: FBT001 - what is answered
        """Answer once: a further key that came quickly would take the screen below away."""
        if not self._answered:
            self._answered = True
            self.dismiss(yes)
