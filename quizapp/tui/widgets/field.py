"""Lines to type in: no box around them, and nothing blinks."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import events, getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Input, Static

from quizapp.report.words import Words
from quizapp.system.safe_text import safe


class Field(Input):
    """One line of text. `replaces_all`: what stands there is selected, so typing replaces it.

    Ctrl+z takes back what was typed since the field was entered, where Textual's has no undo.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+z", "undo_typing", show=False)]
    types_all: ClassVar[bool] = True
    """Every character is typed, and no command of the screen."""
    DEFAULT_CSS = """
    Field {
        border: none; height: 1; padding: 0 1; background: $surface;
        &:focus { border: none; }
    }
    """

    def __init__(
        self, value: str = "", *, placeholder: str = "", id: str, replaces_all: bool = True
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


NUMBER = r"[0-9０-９.．,，+\-]*"
"""What a field for a plain number takes (`restrict`)."""


class NumberField(Field):
    """A line for a number: a key that begins neither number nor unit is the screen's, not typed.

    `takes` says which characters can follow a text.
    """

    types_all: ClassVar[bool] = False

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, replaces_all=False)
        self.takes: Callable[[str, str], bool] = take_all

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Return True if the key is typed, whatever it means on the screen."""
        return super().check_consume_key(key, character) and self.types(character or "")

    def types(self, character: str) -> bool:
        """Return True if the character is typed where the cursor is."""
        return self.takes(self.value[: self.selection.start], character)

    async def _on_key(self, event: events.Key) -> None:
        """Leave to the screen what is not typed."""
        if event.is_printable and not self.types(event.character or ""):
            event.prevent_default()


class SearchLine(Horizontal):
    """The field `#search`: one to type in while it has the focus, else a line that says what for.

    Elsewhere letters are keys, so it must be seen at once whether they would be typed.
    """

    DEFAULT_CSS = """
    SearchLine {
        height: 1; padding: 0 1;
        #sign { width: 2; }
        #way { width: auto; color: $text-muted; }
        Field { width: 1fr; padding: 0; background: $background; }
        &:focus-within {
            background: $surface;
            #sign { color: $text-accent; }
            Field { background: $surface; }
        }
    }
    """

    _field = getters.query_one(Field)

    def __init__(self, say: Words, searched: str, key: str) -> None:
        """Say what can be searched, by the text `searched` of the catalogue; `key` leads here."""
        super().__init__()
        self._say, self._searched, self._key = say, searched, key

    def compose(self) -> ComposeResult:
        """Lay out a sign, the field, and how to get into it."""
        yield Static(id="sign", markup=False)
        yield Field(id="search")
        yield Static(self._say("search.change", key=self._key), id="way", markup=False)

    def on_mount(self) -> None:
        """Show it without the focus."""
        self._draw(typed=False)

    def speak(self, say: Words) -> None:
        """Speak another language."""
        self._say = say
        self.query_one("#way", Static).update(say("search.change", key=self._key))
        self._draw(typed=self._field.has_focus)

    def on_descendant_focus(self) -> None:
        """Show a field."""
        self._draw(typed=True)

    def on_descendant_blur(self) -> None:
        """Show what is searched as plain text."""
        self._draw(typed=False)

    def on_input_changed(self) -> None:
        """Follow a text that was not typed; while one is, nothing else of the line changes."""
        if not self._field.has_focus:
            self._draw(typed=False)

    def _draw(self, *, typed: bool) -> None:
        say = self._say
        self.query_one("#sign", Static).update("/ " if typed else "")
        self.query_one("#way").display = bool(self._field.value) and not typed
        empty = say(self._searched) if typed else say("search.begin", key=self._key)
        self._field.placeholder = empty


def take_all(before: str, character: str) -> bool:
    """Take every character."""
    return True
