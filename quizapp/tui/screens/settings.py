"""Settings: every one with what it means, changed in place and written to the file at once.

A value is typed, switched, or picked from a list that is tried out as the cursor moves; a key is
changed by pressing the new one.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, NamedTuple

from textual import events, getters, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input

from grader.facts import Fact
from quizapp.domain.days import as_date
from quizapp.domain.errors import BadSetting
from quizapp.report.studying.plan import pace_text
from quizapp.report.words import Words
from quizapp.study import planning
from quizapp.system import config, os_errors, settings_file
from quizapp.system.config import Settings
from quizapp.tui.keys import KEYS, SCREENS, bindings, describe_clash, find_clash
from quizapp.tui.screens.base import QuizScreen
from quizapp.tui.screens.confirm import NewKey
from quizapp.tui.themes import THEMES, unknown_theme
from quizapp.tui.widgets.bars import KeyLine, TopLine
from quizapp.tui.widgets.field import NUMBER, Field
from quizapp.tui.widgets.flow import Flow, wrap
from quizapp.tui.widgets.rows import Rows
from quizapp.tui.wrap import pad

SETTINGS = (
    "language", "new_per_day", "day_minutes", "reviews_per_day", "easy_days", "interview_date",
    "confidence", "code_language", "job", "retention", "theme", "editor", "gpu.use", "gpu.host",
)  # fmt: skip
_NAME, _VALUE = 24, 28
_BY_NAME = ("keys", "new_per_pack")
"""Settings of which a row of this screen changes one part: a binding's, a pack's."""
_MOST_CHOICES = 8
_OF_PLAN = ("new_per_day", "day_minutes", "interview_date")
"""Settings that a plan decides while it holds."""


class _Line(NamedTuple):
    """One row: a setting by its key, a binding or a pack by its id, or none: a line between.

    `limit`: the pack whose own number of new questions it is.
    """

    setting: str = ""
    binding: str = ""
    heading: str = ""
    pack: str = ""
    limit: str = ""

    @property
    def key(self) -> str:
        """The key that a field on this row changes."""
        return self.setting or f"{config.PACK_NEW}{self.limit}"


def _lines(packs: Iterable[str]) -> tuple[_Line, ...]:
    """Return the rows: settings, packs, keys."""
    return (
        *(_Line(setting=key) for key in SETTINGS),
        _Line(),
        _Line(heading="settings.packs"),
        *(line for name in packs for line in (_Line(pack=name), _Line(limit=name))),
        _Line(),
        _Line(heading="settings.keys"),
        *(_Line(binding=name) for name in KEYS),
    )


def _name_key(line: _Line) -> str:
    """Return what the settings file calls what a row is about."""
    return line.binding or (f"{config.PACK}{line.pack}" if line.pack else line.key)


def explain_bad(error: BadSetting, say: Words) -> str:
    """Say why a setting cannot have a value; the setting as the screens call it.

    That name says what the setting means, so the hint is left out.
    """
    what, key = error.what, error.what.fields.get("key")
    if not say.knows(f"setting.{key}"):
        return say.error(error)
    return say.fact(Fact(what.code, {**what.fields, "key": say(f"setting.{key}")}))


class SettingsScreen(QuizScreen):
    """A list of settings, packs and keys; below it, what the one under the cursor means."""

    DEFAULT_CSS = """
    SettingsScreen {
        Rows { margin: 1 1 0 1; }
        #panel { height: auto; min-height: 7; padding: 0 3; border-top: solid $foreground 30%; }
        #value { margin: 1 0; }
        #choices { margin: 0; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(SCREENS["settings"])
    _rows = getters.query_one("#settings", Rows)
    _picker = getters.query_one("#choices", Rows)
    _field = getters.query_one("#value", Input)

    def __init__(self, setting: str = "") -> None:
        """Open at a setting, or at the `packs`; at the first one without a name."""
        super().__init__()
        self._opens = setting or SETTINGS[0]
        self._lines: tuple[_Line, ...] = ()
        self._choices: tuple[str, ...] = ()
        self._before: Settings | None = None
        self._note = ""

    def compose(self) -> ComposeResult:
        """Lay out the list, what the row means, and the field."""
        yield TopLine()
        yield Rows(id="settings")
        with Vertical(id="panel"):
            yield Flow(id="about")
            yield Rows(id="choices")
            yield Field(id="value")
            yield Flow(id="note")
        yield KeyLine("open:change", "help", "back")

    def on_mount(self) -> None:
        """Show the settings as they are."""
        self._lines = _lines(self.study.deck.packs)
        self.go_to(self._opens)

    def on_screen_resume(self) -> None:
        """Draw again: a plan may have been set or dropped meanwhile."""
        if self._lines:
            self._redraw()

    def go_to(self, setting: str) -> None:
        """Go to a setting, or to the `packs`; without a name stay."""
        first = [setting in (line.setting, "packs" if line.pack else "") for line in self._lines]
        if setting and True in first:
            self._rows.cursor = first.index(True)
        self._leave_field("")

    # What a person does

    def action_move(self, rows: int) -> None:
        """Move the cursor."""
        (self._picker if self._before else self._rows).move(rows)

    async def action_open(self) -> None:
        """Change the setting or the key under the cursor, or keep what is picked."""
        if self._before is not None:
            await self._set(self._here.setting, self._choices[self._picker.cursor])
            return
        setting, binding, _, pack, limit = self._here
        if binding:
            self._ask_for_key(binding)
        elif pack:
            await self.quiz.switch_pack(pack, on=pack not in self._packs_on)
            self._redraw()
        elif limit and limit not in config.from_environment("new_per_pack"):
            value = self.quiz.settings.new_per_pack.get(limit)
            self._type(config.format_value(value), NUMBER)
        elif setting in _OF_PLAN and self._plan_day:
            await self.run_action("app.plan")
        elif setting and config.variable(setting) not in os.environ:
            await self._open(setting)

    async def _open(self, key: str) -> None:
        """Switch one of two values, offer a list, or a field to type in."""
        value = self._value(key)
        match key:
            case "confidence" | "gpu.use":
                await self._set(key, config.format_value(not value))
            case "language" | "code_language" | "job" | "theme":
                self._offer(THEMES if key == "theme" else config.choices(key), value)
            case _:
                is_number = isinstance(value, int | float)
                self._type(config.format_value(value), NUMBER if is_number else None)

    def _type(self, value: str, restrict: str | None = None) -> None:
        """Offer a field to type in what `restrict` allows, an expression."""
        self._field.restrict = restrict
        self._field.value = value
        self._field.remove_class("hidden")
        self._field.focus()
        self._say_note(self.say("settings.editing", key=self.quiz.key_of("back")))

    async def action_back(self) -> None:
        """Leave the field or the list as it was, else the screen."""
        if self._before is not None:
            self.quiz.use_settings(self._before)
            self._leave_field("")
        elif self._field.has_focus:
            self._leave_field("")
        else:
            await super().action_back()

    # What widgets say

    async def on_input_submitted(self, message: Input.Submitted) -> None:
        """Keep the value, if it is valid."""
        await self._set(self._here.key, message.value.strip())

    def on_rows_moved(self) -> None:
        """Try out what is picked; else say what the row means, unless it was opened meanwhile."""
        if self._before is not None:
            picked = self._choices[self._picker.cursor]
            self.quiz.use_settings(config.with_value(self._before, self._here.setting, picked))
            self._redraw()
        elif not self._field.has_focus:
            self._leave_field("")

    async def on_rows_clicked(self) -> None:
        """Change the setting on a second click."""
        await self.action_open()

    async def on_descendant_blur(self, event: events.DescendantBlur) -> None:
        """Leave a field or a list that lost the focus to a click elsewhere."""
        if event.widget is self._field:
            self._field.add_class("hidden")
        elif event.widget is self._picker and self._before is not None:
            await self.action_back()

    # Inside

    def _offer(self, choices: tuple[str, ...], now: str) -> None:
        """Show a list to pick from; the settings as they are come back if nothing is picked."""
        self._choices, self._before = choices, self.quiz.settings
        self._picker.show(len(choices), self._choice, choices.index(now) if now in choices else 0)
        self._picker.styles.height = min(_MOST_CHOICES, len(choices))
        self._picker.remove_class("hidden")
        self._picker.focus()
        self._redraw()

    def _choice(self, position: int, width: int) -> Content:
        return Content(pad(self._in_words(self._here.setting, self._choices[position]), width))

    def _ask_for_key(self, name: str) -> None:
        remapped = self.quiz.settings.keys

        def refuse(key: str) -> str:
            clash = find_clash(name, {**remapped, name: key})
            if clash is None:
                return ""
            what = describe_clash(name, clash)
            named = {**what.fields, "name": self.say(f"key.{name}")}
            return self.say.fact(Fact(what.code, named))

        async def take(key: str | None) -> None:
            if key is not None:
                await self._set(f"{config.BINDING}{name}", key)

        default = self.quiz.name_key(KEYS[name].keys)
        question = NewKey(self.say(f"key.{name}"), default, self.say, refuse)
        self.app.push_screen(question, take)

    async def _set(self, key: str, text: str) -> None:
        """Write a setting and use it; what cannot be written changes nothing and says why."""
        if key == "theme" and text not in self.app.available_themes:
            self._say_note(f"✗ {self.say.in_line(*unknown_theme(text))}")
            return
        path = self.quiz.paths.config
        try:
            value = await self.call(settings_file.set_value, path, key, text)
        except BadSetting as error:
            self._say_note(f"✗ {explain_bad(error, self.say)}")
        except OSError as error:
            self._say_note(f"✗ {self.say.fact(os_errors.system_error(error))}")
        else:
            now = self._before or self.quiz.settings
            group, _, name = key.partition(".")
            if group in _BY_NAME:
                kept = {n: v for n, v in config.value_of(now, group).items() if n != name}
                key, value = group, kept if value is None else {**kept, name: value}
            self._before = None
            self.quiz.apply_settings(config.with_value(now, key, value))
            self._leave_field(self.say("settings.saved"))
            if key == "new_per_day":
                self._foresee(value)

    @work(exclusive=True)
    async def _foresee(self, pace: int) -> None:
        """Say what a pace that was set takes per day."""
        foresee = await self.call(planning.foresee_pace, self.study)
        found = await asyncio.to_thread(foresee, pace, self.study.settings.day_minutes)
        text = pace_text(found, self.say)
        self._say_note(f"{self.say('settings.saved')} · {text}")

    def _leave_field(self, note: str) -> None:
        """Go back to the list."""
        self._before = None
        self._field.add_class("hidden")
        self._picker.add_class("hidden")
        self._rows.focus()
        self._note = note
        self._redraw()

    def _say_note(self, text: str) -> None:
        self._note = text
        self._redraw()

    def _redraw(self) -> None:
        """Draw everything, since another language changes everything."""
        self.query_one(TopLine).show(self.say("settings.title"))
        self._rows.show(len(self._lines), self._row, self._rows.cursor)
        self.query_one("#about", Flow).show(self._about)
        style = "$text-error" if self._note.startswith("✗") else ""
        self.query_one("#note", Flow).write(self._note, style)
        if self._before is not None:
            self._picker.refresh()
            self.query_one(KeyLine).show("open:keep", "up", "down", "back:as-before")
        else:
            self.query_one(KeyLine).show("open:change", "palette:everything", "help", "back")
        self.query_one(KeyLine).refresh()

    def _row(self, position: int, width: int) -> Content:
        setting, binding, heading, pack, limit = self._lines[position]
        if heading:
            return Content(self.say(heading)).stylize("bold")
        if pack:
            name = self.say.topic(self.study.deck.packs[pack].titles)
            value = self.say("settings.pack-on" if pack in self._packs_on else "settings.pack-off")
            value = f"! {value}" if pack in config.from_environment("packs") else value
        elif limit:
            name, value = f"  {self.say('settings.pack-new')}", self._format_limit(limit)
        elif binding:
            name, value = self.say(f"key.{binding}"), self.quiz.key_of(binding)
        elif setting:
            name = self.say(f"setting.{setting}")
            value = self._in_words(setting, self._value(setting))
            if setting in _OF_PLAN and self._plan_day:
                value = self.say("settings.by-plan")
                value = f"{self._plan_day} ({value})" if setting == "interview_date" else value
            elif config.variable(setting) in os.environ:
                value = f"! {value}"
        else:
            return Content("")
        text = pad(name, _NAME) + " " + pad(value, _VALUE)
        return Content.assemble(text, (f" {_name_key(self._lines[position])}", "dim"))

    def _about(self, width: int) -> Iterator[Content]:
        """Say what the row under the cursor means, and how to change it."""
        setting, binding, _, pack, limit = self._here
        path = self.quiz.paths.config
        if pack:
            yield from self._about_pack(pack, width)
        if limit:
            title = self.say.topic(self.study.deck.packs[limit].titles)
            yield from wrap(self.say("settings.pack-new-about", title=title), width)
            yield from self._how("new_per_pack", limit, width)
        if binding:
            default = self.quiz.name_key(KEYS[binding].keys)
            fields = {"key": self.quiz.key_of("open"), "id": binding, "default": default}
            yield from wrap(self.say("settings.remap", **fields, path=path), width)
        if not setting:
            return
        yield from wrap(self.say(f"setting.{setting}.about"), width)
        if self._before is not None:
            return
        variable = config.variable(setting)
        if setting in _OF_PLAN and self._plan_day:
            key = self.quiz.key_of("open")
            text = self.say("settings.plan-holds", day=self._plan_day, key=key)
            yield from wrap(text, width, style="dim")
        elif variable in os.environ:
            text = self.say("settings.from-environment", variable=variable)
            yield from wrap(text, width, style="$text-warning")
        else:
            how = self.say("settings.how", key=self.quiz.key_of("open"))
            where = self.say("settings.file", path=path)
            yield from wrap(f"{how} · {setting} {where}", width, style="dim")

    def _about_pack(self, pack: str, width: int) -> Iterator[Content]:
        """Say what a pack is about, and how it is switched."""
        yield from wrap(self.say.topic(self.study.deck.packs[pack].descriptions), width)
        yield from wrap(self.say("settings.packs-rest"), width)
        yield from self._how("packs", pack, width)

    def _how(self, group: str, pack: str, width: int) -> Iterator[Content]:
        """Say how a setting of one pack is changed, or what keeps it from that."""
        if pack in config.from_environment(group):
            text = self.say("settings.pack-fixed", variable=config.variable(group))
            yield from wrap(text, width, style="$text-warning")
            return
        how = self.say("settings.how", key=self.quiz.key_of("open"))
        where = self.say("settings.file", path=self.quiz.paths.config)
        yield from wrap(f"{how} · {group}.{pack} {where}", width, style="dim")

    def _value(self, key: str) -> Any:
        return config.value_of(self.quiz.settings, key)

    def _format_limit(self, pack: str) -> str:
        """Write a pack's own number of new questions."""
        limit = self.quiz.settings.new_per_pack.get(pack)
        value = self.say("settings.pack-no-limit") if limit is None else str(limit)
        return f"! {value}" if pack in config.from_environment("new_per_pack") else value

    def _in_words(self, key: str, value: Any) -> str:
        match key:
            case "language":
                return self.say(f"settings.language.{value}")
            case "job":
                return self.say(f"settings.job.{value}")
            case "code_language":
                return self.say(f"code.{value}")
            case "confidence" | "gpu.use":
                return self.say("yes" if value else "no")
            case "editor" if not value:
                return self.say("settings.default-editor")
            case "retention" if value is None:
                return self.say("settings.usual-retention")
            case "gpu.host" if not value:
                return self.say("settings.this-machine")
        return config.format_value(value) or self.say("settings.none")

    @property
    def _plan_day(self) -> str:
        """The day of the plan that holds; empty without one."""
        goal = self.study.progress.goal
        return "" if goal is None else as_date(goal.day).isoformat()

    @property
    def _here(self) -> _Line:
        """What the cursor is on."""
        return self._lines[self._rows.cursor]

    @property
    def _packs_on(self) -> frozenset[str]:
        """The packs that are on, by the settings."""
        return self.study.deck.packs_on(self.quiz.settings.packs)
