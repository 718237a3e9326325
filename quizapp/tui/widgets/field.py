"""Lines to type in: no box around them, and nothing blinks."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Input, Static

from quizapp.system.safe_text import safe


class Field(Input):
    """One line of text. `replaces_all`: what stands there is selected, so typing replaces it.

    Ctrl+z takes back what was typed since the field was entered, where Textual's has no undo.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+z", "undo_typing", show=False)]
    DEFAULT_CSS = """
    Field {
        border: none; height: 1; padding: 0 1; background: $surface;
        &:focus { border: none; }
    }
    """

    def __init__(
        self,
        value: str = "",
        *,
        placeholder: str = "",
        id: str,
        replaces_all: bool = True,
    ) -> None:
        self._past: list[str] = []  # before the first value, which is watched
        super().__init__(value, placeholder=placeholder, id=id, select_on_focus=replaces_all)
        self.cursor_blink = False

    def on_focus(self) -> None:
        """Begin anew: what stands there now was not typed here."""
        self._past.clear()

    def watch_value(self, before: str, _now: str) -> None:
        """Remember what the text was."""
        self._past.append(before)

    def action_undo_typing(self) -> None:
        """Go back to what the text was before the last change."""
        if self._past:
            self.value = self._past.pop()
            self._past.pop()  # the change that this was
            self.cursor_position = len(self.value)

    def validate_value(self, value: str) -> str:
        """Make visible what is typed or pasted and would steer the terminal."""
        return safe(value)


class SearchLine(Horizontal):
    """A slash, which is the key that leads here, and the field `#search`."""

    DEFAULT_CSS = """
    SearchLine {
        height: 1; padding: 0 1;
        Static { width: 2; }
        Field { width: 1fr; padding: 0; background: $background; }
    }
    """

    def __init__(self, placeholder: str) -> None:
        super().__init__()
        self._placeholder = placeholder

    def compose(self) -> ComposeResult:
        """Lay out sign and field."""
        yield Static("/ ", markup=False)
        yield Field(placeholder=self._placeholder, id="search")
