"""Asks in a box over the screen: before something that cannot be undone, and for another key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
Refuse = Callable[[str], str]
"""Says why a binding cannot have a key; empty if it can, and for the empty key, its default."""


class AskingBox(ModalScreen[Answer], Generic[Answer]):
    """A box over the screen; what answers it are not commands, so they are not bindings."""

    DEFAULT_CSS = """
    AskingBox { align: center middle; padding: 0; }
    AskingBox Static {
        width: auto; max-width: 72; height: auto; padding: 1 3; margin: 0;
        background: $surface; border: round $foreground 50%;
    }
    """
    _answered = False


class Ask(AskingBox[Answer], Generic[Answer]):
    """One sentence and its answers."""

    def __init__(
        self, question: str, answers: Mapping[str, tuple[str, Answer]], otherwise: Answer
    ) -> None:
        """Ask; `answers` are texts and values by key, `otherwise` is what any other key answers."""
        super().__init__()
        self._question = question
        self._answers = answers
        self._otherwise = otherwise

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


class NewKey(AskingBox[str | None]):
    """Asks for a key by having it pressed: escape cancels, backspace gives the default back.

    Answers with the key as Textual names it, "" for the default, None for no change. A key
    that is refused says what has it, and another one can be pressed.
    """

    def __init__(self, name: str, default: str, say: Words, refuse: Refuse) -> None:
        """Ask for the key of what is called `name`, whose default key is shown as `default`."""
        super().__init__()
        self._name, self._default = name, default
        self._words, self._refuse = say, refuse

    def compose(self) -> ComposeResult:
        """Lay out what to do; the reason of a refusal comes below."""
        yield Static(self._text(""), markup=False)

    def _text(self, reason: str) -> Content:
        how = self._words("settings.press-how", default=self._default)
        ask = Content(safe(self._words("settings.press", name=self._name))).stylize("bold")
        text = ask + Content("\n\n") + Content(safe(how)).stylize("dim")
        return text + Content(f"\n\n✗ {reason}").stylize("$text-error") if reason else text

    def on_key(self, event: events.Key) -> None:
        """Take any key."""
        event.stop()
        event.prevent_default()
        if self._answered:
            return
        key = "" if event.key in ("backspace", "delete") else event.key
        reason = "" if key == "escape" else self._refuse(key)
        if reason:
            self.query_one(Static).update(self._text(reason))
            return
        self._answered = True
        self.dismiss(None if key == "escape" else key)
