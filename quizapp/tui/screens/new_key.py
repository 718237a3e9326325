"""Asks for a key by having it pressed: escape cancels, backspace gives the default back."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from quizapp.report.words import Words
from quizapp.system.safe_text import safe

Refuse = Callable[[str], str]
"""Says why a binding cannot have a key; empty if it can, and for the empty key, its default."""


class NewKey(ModalScreen[str | None]):
    """Answers with the key as Textual names it, "" for the default, None for no change.

    A key that is refused says what has it, and another one can be pressed.
    """

    DEFAULT_CSS = """
    NewKey { align: center middle; padding: 0; }
    NewKey Static {
        width: auto; max-width: 72; height: auto; padding: 1 3; margin: 0;
        background: $surface; border: round $foreground 50%;
    }
    """

    def __init__(self, name: str, default: str, say: Words, refuse: Refuse) -> None:
        """Ask for the key of what is called `name`, whose default key is shown as `default`."""
        super().__init__()
        self._name, self._default = name, default
        self._words, self._refuse = say, refuse
        self._answered = False

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
