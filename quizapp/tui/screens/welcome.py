"""The one screen of a first start: what this is, language, pace, interview date. Skippable."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
from textual import events, getters, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from grader.facts import Fact
from quizapp.domain.days import from_date
from quizapp.domain.errors import BadSetting
from quizapp.domain.goal import Goal
from quizapp.domain.order import Candidate
from quizapp.domain.planning.plan import Plan, plan
from quizapp.domain.question import LANGUAGES, Language
from quizapp.report.studying.plan import coverage_text, goal_text, minutes_text, plan_text
from quizapp.report.words import Words
from quizapp.study import planning
from quizapp.system import config, os_errors, settings_file
from quizapp.tui.keys import SCREENS, bindings
from quizapp.tui.screens.base import QuizScreen
from quizapp.tui.screens.settings import explain_bad
from quizapp.tui.widgets.bars import KeyLine, TopLine
from quizapp.tui.widgets.field import Field
from quizapp.tui.widgets.flow import Flow, wrap

if TYPE_CHECKING:
    from quizapp.domain.planning.plan_choice import PaceForecast  # NumPy, 80 ms

_FIELDS = ("new_per_day", "interview_date")


class LanguageChoice(Widget, can_focus=True):
    """Both languages, one of them chosen; a click chooses the other."""

    DEFAULT_CSS = "LanguageChoice { height: 1; width: 1fr; }"

    def __init__(self, chosen: Language) -> None:
        super().__init__()
        self.chosen = chosen

    def switch(self) -> None:
        """Choose the other language."""
        self.chosen = LANGUAGES[(LANGUAGES.index(self.chosen) + 1) % len(LANGUAGES)]
        self.refresh()

    def render(self) -> Content:
        """Draw `● English   ○ 中文`, with a cursor while it has the focus."""
        line = Content("❯ " if self.has_focus else "  ").stylize("$text-accent")
        for language in LANGUAGES:
            mark = "●" if language == self.chosen else "○"
            line = line + f"{mark} {Words(language)(f'settings.language.{language}')}   "
        return line


_Held = tuple[Goal, tuple[Sequence[Candidate], Sequence[Candidate]]]
"""A plan, with what is still to be met and what it leaves out."""


class WelcomeScreen(QuizScreen):
    """Shown once, over home."""

    DEFAULT_CSS = """
    WelcomeScreen {
        .line { height: 1; margin-top: 1; }
        .label { width: 24; }
        .note { width: 1fr; color: $foreground 60%; padding-left: 2; }
        LanguageChoice { width: 24; }
        Field { width: 24; padding: 0 2; }
        #body { overflow-y: auto; }
        #plan, #message { margin-top: 1; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(SCREENS["welcome"])
    _language = getters.query_one(LanguageChoice)

    _new: Sequence[Candidate] = ()
    """What is to be met, once it is read."""
    _day = 0
    _goal: _Held | None = None
    """The plan that holds: then it decides the pace and the date."""
    _unwritten: Fact | None = None
    _foreseen: dict[tuple[str, ...], tuple[Plan, tuple[PaceForecast, ...]]]
    """When each pace that was typed has met everything, and what it takes, by what was typed."""

    def __init__(
        self, begin: Callable[[], Awaitable[None]] | None = None, key: str = "start"
    ) -> None:
        """Open it; `begin` begins what the command line asked for, as whose key enter is called."""
        super().__init__()
        self._begin, self._key = begin, key

    def compose(self) -> ComposeResult:
        """Say what the program is, then lay out one line per choice."""
        self._before, self._foreseen = self.quiz.settings, {}
        yield TopLine()
        with Vertical(id="body"):  # a VerticalScroll would take the keys that go to the next line
            yield Flow(id="what")
            with Horizontal(classes="line"):
                yield Static(id="label-language", classes="label", markup=False)
                yield LanguageChoice(self.quiz.settings.language)
                yield Static(id="note-language", classes="note", markup=False)
            for key in _FIELDS:
                with Horizontal(classes="line", id=f"line-{key}"):
                    yield Static(id=f"label-{key}", classes="label", markup=False)
                    yield Field(config.format_value(getattr(self.quiz.settings, key)), id=key)
                    yield Static(id=f"note-{key}", classes="note", markup=False)
            yield Flow(id="plan")
            yield Flow(id="message")
        place = () if self._key == "place" else ("place-here:place",)
        yield KeyLine(f"study:{self._key}", *place, "mark:language", "back:skip")

    async def on_mount(self) -> None:
        """Begin at the language."""
        self._language.focus()
        self._redraw()
        self._new, self._day, self._goal = await self.call(self._read_deck)
        for key in _FIELDS:
            self.query_one(f"#line-{key}").display = self._goal is None
        self._draw_plan()
        self._foresee()

    # What a person does

    def action_mark(self) -> None:
        """Choose the other language."""
        self._language.switch()
        self.quiz.apply_settings(self._with(language=self._language.chosen))
        self._redraw()

    def on_click(self, event: events.Click) -> None:
        """Choose the other language by a click."""
        if event.widget is self._language:
            self.action_mark()

    def action_move(self, rows: int) -> None:
        """Go to the next line, or the line before."""
        if rows > 0:
            self.focus_next()
        else:
            self.focus_previous()

    async def action_study(self) -> None:
        """Keep what was chosen, and begin what was asked for, or one question of each kind."""
        if await self._keep({"language": self._language.chosen, **self._typed()}):
            self.app.pop_screen()
            await self.call(self.study.session.begin, self.quiz.narrowed)
            if self._begin is None:
                await self.quiz.study_these(replace(self.quiz.narrowed, guided=True))
            else:
                await self._begin()
            self._tell_unwritten()

    async def action_place(self) -> None:
        """Keep what was chosen, and ask a few questions that show what is known already."""
        if await self._keep({"language": self._language.chosen, **self._typed()}):
            self.app.pop_screen()
            await self.call(self.study.session.begin, self.quiz.narrowed)
            await self.quiz.action_place()
            self._tell_unwritten()

    async def action_back(self) -> None:
        """Skip: only the language, which already changed, is kept; what was asked for begins."""
        if await self._keep({"language": self._language.chosen}):
            await super().action_back()
            if self._begin is not None:
                await self._begin()
            self._tell_unwritten()

    async def on_input_submitted(self) -> None:
        """Begin by Enter in a field as well."""
        await self.action_study()

    def on_input_changed(self) -> None:
        """Say what the pace and the date typed so far come to."""
        self._draw_plan()
        self._foresee()

    # Inside

    def _read_deck(self) -> tuple[list[Candidate], int, _Held | None]:
        """Return what is to be met, today, and the plan that holds with what it covers."""
        goal, planned = self.study.progress.goal, self.study.plan.split_new()
        held = None if goal is None or planned is None else (goal, planned)
        return self.study.plan.to_meet(), self.study.day, held

    def _draw_plan(self) -> None:
        """Say what the deck covers and, unless a value is wrong, how long it takes."""
        if not self._new:
            return
        entries = self.study.deck.entries
        names = [entries[candidate.question].topic_names for candidate in self._new]
        off = self.study.course.count_off()
        said = [coverage_text(names, self.say, off=off)]
        if self._goal is not None:
            said.append(goal_text(*self._goal, self.say))
            said.append(self.say("welcome.plan-later", key=self.quiz.key_of("plan")))
        else:
            with suppress(BadSetting):
                said += self._typed_plan()
        self.query_one("#plan", Flow).write("\n".join(said))

    @work(exclusive=True)
    async def _foresee(self) -> None:
        """Simulate what the pace and date typed so far take; nothing while one is wrong."""
        typed = self._typed()
        key = tuple(typed.values())
        if key in self._foreseen or not self._new or not typed:
            return
        with suppress(BadSetting):
            pace, interview = self._parse(typed)
            foresee = await self.call(planning.foresee_meeting, self.study)
            self._foreseen[key] = await asyncio.to_thread(foresee, pace, interview)
            self._draw_plan()

    def _typed_plan(self) -> Iterator[str]:
        """Say what pace and date come to.

        Raises BadSetting: one of them is not what it has to be.
        """
        typed = self._typed()
        pace, interview = self._parse(typed)
        foreseen = self._foreseen.get(tuple(typed.values()))
        if foreseen is None:
            yield plan_text(plan(self._new, pace, self._day, interview), self.say)
        else:
            met, found = foreseen
            takes = minutes_text(found, self.say)
            yield self.say("plan.takes", met=plan_text(met, self.say), takes=takes)
        if interview is not None and interview < self._day:
            yield self.say("plan.interview-over")
        elif interview is not None:
            yield self.say("welcome.plan-hint", key=self.quiz.key_of("plan"))

    def _parse(self, typed: dict[str, str]) -> tuple[int, int | None]:
        """Return the pace and the day of the interview that were typed.

        Raises BadSetting: one of them is not what it has to be.
        """
        pace, date = (config.parse(key, text) for key, text in typed.items())
        return pace, None if date is None else from_date(date)

    def _typed(self) -> dict[str, str]:
        """Return what the fields hold, by setting; nothing where a plan decides it."""
        if self._goal is not None:
            return {}
        return {key: self.query_one(f"#{key}", Input).value.strip() for key in _FIELDS}

    async def _keep(self, chosen: dict[str, str]) -> bool:
        """Write what differs from what is set; False, with the reason shown, if it cannot be."""
        try:
            changed = await self.call(self._write, chosen)
        except BadSetting as error:
            self._say(explain_bad(error, self.say))
            return False
        except OSError as error:
            # The screen would come back at each start otherwise, and the choice still holds now.
            self._unwritten = os_errors.system_error(error)
            changed = {key: config.parse(key, text) for key, text in chosen.items()}
        self.quiz.apply_settings(self._with(**changed, welcomed=True))
        return True

    def _tell_unwritten(self) -> None:
        """Say on the screen that comes then why the settings are not kept, if they are not."""
        if self._unwritten is not None:
            self.notify(self.say.fact(self._unwritten), markup=False, timeout=8)

    def _write(self, chosen: dict[str, str]) -> dict[str, Any]:
        """Check all of it, then write it; return what the file will say now."""
        values = {key: config.parse(key, text) for key, text in chosen.items()}
        path = self.quiz.paths.config
        for key, value in values.items():
            if value != getattr(self._before, key):
                settings_file.set_value(path, key, chosen[key])
        settings_file.set_value(path, "welcomed", config.format_value(value=True))
        return values

    def _with(self, **changed: Any) -> config.Settings:
        return msgspec.structs.replace(self.quiz.settings, **changed)

    def _redraw(self) -> None:
        """Draw everything in the language chosen."""
        say = self.say
        self.query_one(TopLine).show(say("app.title"))
        self.query_one("#what", Flow).show(self._what)
        for key in ("language", *_FIELDS):
            self.query_one(f"#label-{key}", Static).update(Content(say(f"setting.{key}")))
        switch = say("welcome.switch", key=self.quiz.key_of("mark"))
        self.query_one("#note-language", Static).update(Content(switch))
        self.query_one("#note-interview_date", Static).update(Content(say("welcome.date-form")))
        self._say("")
        self._draw_plan()
        self.query_one(KeyLine).refresh()

    def _what(self, width: int) -> Iterator[Content]:
        say = self.say
        yield Content("")
        for name in ("asks", "true", "local"):
            yield from wrap(say(f"welcome.{name}"), width)
        if self._begin is None:
            yield from wrap(say("welcome.first"), width)
        if self._key == "place":
            yield from wrap(say("place.begins"), width)
        else:
            yield from wrap(say("welcome.place", key=self.quiz.key_of("place-here")), width)
        yield from wrap(say("welcome.later", key=self.quiz.key_of("settings")), width, style="dim")

    def _say(self, problem: str) -> None:
        message = self.query_one("#message", Flow)
        message.write(problem and f"✗ {problem}", "$text-error")
        if problem:
            self.call_after_refresh(message.scroll_visible, animate=False)
