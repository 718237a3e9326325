"""Settings: every one with what it means, changed in place and written to the file at once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input

from quizapp.domain.errors import BadSetting
from quizapp.domain.question import LANGUAGES
from quizapp.system import config, os_errors, settings_file
from quizapp.tui.keys import KEYS, SCREENS, bindings
from quizapp.tui.screens.base import QuizScreen
from quizapp.tui.themes import unknown_theme
from quizapp.tui.widgets.bars import KeyLine, TopLine
from quizapp.tui.widgets.field import Field
from quizapp.tui.widgets.flow import Flow, wrap
from quizapp.tui.widgets.rows import Rows
from quizapp.tui.wrap import pad

SETTINGS = (
    "language",
    "new_per_day",
    "reviews_per_day",
    "interview_date",
    "confidence",
    "retention",
    "theme",
    "editor",
    "gpu.use",
    "gpu.host",
)
_NAME, _VALUE = 24, 28


class _Line(NamedTuple):
    """One row: a setting by its key, a key binding by its id, or neither: a line between."""

    setting: str = ""
    binding: str = ""
    heading: str = ""


_LINES = (
    *(_Line(setting=key) for key in SETTINGS),
    _Line(),
    _Line(heading="settings.keys"),
    *(_Line(binding=name) for name in KEYS),
)


class SettingsScreen(QuizScreen):
    """A list of settings and keys; below it, what the one under the cursor means."""

    DEFAULT_CSS = """
    SettingsScreen {
        Rows { margin: 1 1 0 1; }
        #panel { height: auto; min-height: 7; padding: 0 3; border-top: solid $foreground 30%; }
        #value { margin: 1 0; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(SCREENS["settings"])

    def __init__(self, setting: str = "") -> None:
        """Open at a setting; at the first one without a name."""
        super().__init__()
        self._first = SETTINGS.index(setting) if setting else 0
        self._note = ""

    def compose(self) -> ComposeResult:
        """Lay out the list, what the row means, and the field."""
        yield TopLine()
        yield Rows()
        with Vertical(id="panel"):
            yield Flow(id="about")
            yield Field(id="value")
            yield Flow(id="note")
        yield KeyLine("open:change", "help", "back")

    def on_mount(self) -> None:
        """Show the settings as they are."""
        self._rows.cursor = self._first
        self._leave_field("")

    # What a person does

    def action_move(self, rows: int) -> None:
        """Move the cursor."""
        self._rows.move(rows)

    async def action_open(self) -> None:
        """Change the setting under the cursor: the next of two values, or a field to type in."""
        key = _LINES[self._rows.cursor].setting
        if not key or config.variable(key) in os.environ:
            return
        match key:
            case "confidence" | "gpu.use":
                await self._set(key, config.format_value(not self._value(key)))
            case "language":
                here = LANGUAGES.index(self.quiz.settings.language)
                await self._set(key, LANGUAGES[(here + 1) % len(LANGUAGES)])
            case _:
                self._field.value = config.format_value(self._value(key))
                self._field.remove_class("hidden")
                self._field.focus()
                self._say_note(self.say("settings.editing", key=self.quiz.key_of("back")))

    async def action_back(self) -> None:
        """Leave the field, else the screen."""
        if self._field.has_focus:
            self._leave_field("")
        else:
            await super().action_back()

    # What widgets say

    async def on_input_submitted(self, message: Input.Submitted) -> None:
        """Keep the value, if it is valid."""
        await self._set(_LINES[self._rows.cursor].setting, message.value.strip())

    def on_rows_moved(self) -> None:
        """Say what the row under the cursor means, unless it was opened meanwhile."""
        if not self._field.has_focus:
            self._leave_field("")

    async def on_rows_clicked(self) -> None:
        """Change the setting on a second click."""
        await self.action_open()

    def on_descendant_blur(self, event: events.DescendantBlur) -> None:
        """Leave a field that lost the focus to a click elsewhere."""
        if event.widget is self._field:
            self._field.add_class("hidden")

    # Inside

    async def _set(self, key: str, text: str) -> None:
        """Write a setting and use it; what cannot be written changes nothing and says why."""
        if key == "theme" and text not in self.app.available_themes:
            self._say_note(f"✗ {self.say.in_line(*unknown_theme(text))}")
            return
        path = self.quiz.paths.config
        try:
            value = await self.call(settings_file.set_value, path, key, text)
        except BadSetting as error:
            self._say_note(f"✗ {self.say.error(error)}")
        except OSError as error:
            self._say_note(f"✗ {self.say.fact(os_errors.system_error(error))}")
        else:
            self.quiz.apply_settings(config.with_value(self.quiz.settings, key, value))
            self._leave_field(self.say("settings.saved"))

    def _leave_field(self, note: str) -> None:
        """Go back to the list."""
        self._field.add_class("hidden")
        self._rows.focus()
        self._note = note
        self._redraw()

    def _say_note(self, text: str) -> None:
        self._note = text
        self._redraw()

    def _redraw(self) -> None:
        """Draw everything, since another language changes everything."""
        self.query_one(TopLine).show(self.say("settings.title"))
        self._rows.show(len(_LINES), self._row, self._rows.cursor)
        self.query_one("#about", Flow).show(lambda width: list(self._about(width)))
        self.query_one("#note", Flow).show(lambda width: list(self._below(width)))
        self.query_one(KeyLine).refresh()

    def _row(self, position: int, width: int) -> Content:
        setting, binding, heading = _LINES[position]
        if heading:
            return Content(self.say(heading)).stylize("bold")
        if binding:
            name, value = self.say(f"key.{binding}"), self.quiz.key_of(binding)
        elif setting:
            name, value = self.say(f"setting.{setting}"), self._format_value(setting)
            value = f"! {value}" if config.variable(setting) in os.environ else value
        else:
            return Content("")
        text = pad(name, _NAME) + " " + pad(value, _VALUE)
        return Content.assemble(text, (f" {setting or binding}", "dim"))

    def _about(self, width: int) -> Iterator[Content]:
        """Say what the row under the cursor means, and how to change it."""
        setting, binding, _ = _LINES[self._rows.cursor]
        path = self.quiz.paths.config
        if binding:
            yield from wrap(self.say("settings.remap", id=binding, path=path), width)
            yield from (Content(line) for line in ("", "  [keys]", f'  {binding} = "ctrl+b"'))
        if not setting:
            return
        yield from wrap(self.say(f"setting.{setting}.about"), width)
        if setting == "theme":
            names = ", ".join(sorted(self.app.available_themes))
            yield from wrap(self.say("settings.themes", names=names), width, style="dim")
        variable = config.variable(setting)
        if variable in os.environ:
            text = self.say("settings.from-environment", variable=variable)
            yield from wrap(text, width, style="$text-warning")
        else:
            how = self.say("settings.how", key=self.quiz.key_of("open"))
            where = self.say("settings.file", path=path)
            yield from wrap(f"{how} · {setting} {where}", width, style="dim")

    def _below(self, width: int) -> Iterator[Content]:
        """Say what the last change led to."""
        if self._note:
            style = "$text-error" if self._note.startswith("✗") else ""
            yield from wrap(self._note, width, style=style)

    def _value(self, key: str) -> Any:
        return config.value_of(self.quiz.settings, key)

    def _format_value(self, key: str) -> str:
        """Write a value in the person's words."""
        value = self._value(key)
        match key:
            case "language":
                return self.say(f"settings.language.{value}")
            case "confidence" | "gpu.use":
                return self.say("yes" if value else "no")
            case "editor" if not value:
                return self.say("settings.default-editor")
            case "gpu.host" if not value:
                return self.say("settings.this-machine")
        return config.format_value(value) or self.say("settings.none")

    @property
    def _rows(self) -> Rows:
        return self.query_one(Rows)

    @property
    def _field(self) -> Input:
        return self.query_one("#value", Input)
