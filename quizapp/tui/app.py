"""The application: owns the screens, and says which comes when."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple, ParamSpec, TypeVar

from textual import events
from textual.await_complete import AwaitComplete
from textual.binding import BindingType
from textual.command import CommandPalette
from textual.geometry import Size

from quizapp.deck.content import content_roots
from quizapp.domain.errors import QuizError, StoreError
from quizapp.report.studying import interview as interview_text
from quizapp.study import day_card, overview, rolling_copy, values
from quizapp.study import statistics as session_figures
from quizapp.study.home_values import Filter, Home
from quizapp.study.mock import interview as held
from quizapp.study.mock import interviews
from quizapp.study.mock import placement as placing
from quizapp.system.config import Settings
from quizapp.system.paths import Paths
from quizapp.tui import palette, preloading
from quizapp.tui.attempts import attempt
from quizapp.tui.keys import EVERYWHERE, bindings
from quizapp.tui.screens import (
    browser,
    confirm,
    first_conflict,
    guide,
    interview,
    mock,
    placement,
    plan,
    question,
    report,
    settings,
    statistics,
    summary,
    too_small,
    welcome,
)
from quizapp.tui.screens.base import QuizScreen
from quizapp.tui.screens.home import PRELOAD_AFTER_S, HomeScreen
from quizapp.tui.study_shell import StudyShell

if TYPE_CHECKING:  # types alone: home is drawn without these
    from quizapp.domain.log.interview import InterviewRecord
    from quizapp.study.mock.interview import Interview, Themes
    from quizapp.study.mock.interviews import InterviewWish
    from quizapp.study.service import Study
    from quizapp.study.values import Turn

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S", bound=QuizScreen)

HOME_DEPTH = 2
"""Textual's own blank screen, and home upon it."""

LEAST_COLUMNS = 60
LEAST_ROWS = 16


class HomeFirst(NamedTuple):
    """What home shows before the study is open, and what opens it."""

    facts: Home
    open_study: Callable[[], Study]


class QuizApp(StudyShell):
    """The terminal application: which screen comes when."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(EVERYWHERE)
    _is_too_small = False

    def __init__(
        self,
        study: Study | None,
        paths: Paths,
        settings: Settings,
        narrowed: Filter,
        wish: InterviewWish | None = None,
        *,
        behind: HomeFirst | None = None,
    ) -> None:
        """`behind`: what is shown instead while the study is opened, if there is none."""
        super().__init__(study, paths, settings, narrowed.by_schedule)
        self._wish, self._behind = wish, behind
        self._chosen = narrowed if narrowed.is_chosen else None
        self._inner: list[tuple[QuizScreen, int]] = []
        """Sessions begun over another screen, and how many answers there were before each."""

    def on_mount(self) -> None:
        """Open the first screen; what was chosen on the command line is asked over home."""
        super().on_mount()
        self._home = HomeScreen(None if self._behind is None else self._behind.facts)
        self.push_screen(self._home)
        if self.is_open:
            self._begin()
        self._fit(self.size)

    def _begin(self) -> None:
        """Go on from home, once there is a study."""
        begin, key = self._asked_for()
        if not self.settings.welcomed:
            first = welcome.WelcomeScreen(begin, key)
            self.push_screen(first)
            if begin is None:
                self.push_screen(first_conflict.FirstConflictScreen(first.action_mark))
        elif begin is not None:
            self.run_worker(begin())
        self.run_worker(self._say_at_start())
        self.set_timer(PRELOAD_AFTER_S, self._preload_soon)

    def open_behind(self) -> None:
        """Open the study, now that home is drawn from what was kept."""
        behind, self._behind = self._behind, None
        if behind is not None:
            self.run_worker(self._open(behind.open_study))

    async def _open(self, open_study: Callable[[], Study]) -> None:
        try:
            self.study = await self.call(open_study)
        except QuizError as error:  # which is said once the terminal is back
            self.failure = error
            self.exit()
            return
        await self._home.redraw()
        self._opened.set()
        self._begin()

    def _asked_for(self) -> tuple[Callable[[], Awaitable[None]] | None, str]:
        """Return what begins what the command line asked for, and which key is called so."""
        if self._wish is not None:
            key = "place" if self._wish.places else "mock"
            return partial(self._open_wish, self._wish), key
        if self._chosen is not None:
            return partial(self.study_these, self._chosen), "start"
        return None, "start"

    async def _open_wish(self, wish: InterviewWish) -> None:
        """Open what a command of its own asked for; leaving that ends the program."""
        depth = len(self.screen_stack)
        await self.open_mock(wish)
        for screen in self.screen_stack[depth : depth + 1]:
            if isinstance(screen, mock.MockScreen | placement.PlacementScreen):
                screen.ends_program = True

    async def _say_at_start(self) -> None:
        """Say what the person would wonder about: events set aside, new questions that are few."""
        aside = self.study.store.newly_aside
        if aside:
            text = self.say("store.set-aside", n=aside)
            self.notify(text, severity="warning", markup=False, timeout=15)
        fewer = await self.call(overview.explain_few, self.study)
        if fewer is not None:
            self.notify(self.say.fact(fewer), markup=False, timeout=10)

    def _preload_soon(self) -> None:
        """Import what the next keys need, on the study's thread, after home is drawn."""
        self.run_worker(self._preload(), group="preload", exclusive=True)

    async def _preload(self) -> None:
        for portion in preloading.PRELOADED:
            await self.call(portion)
        # Not on the study's thread: a large database takes a while, and a key need not wait for it.
        try:
            await asyncio.to_thread(self.study.store.check_pages)
        except StoreError as error:
            self.tell(error)

    async def study_now(self) -> None:
        """Go on with the session: the next question, or its end."""
        turn = await self.call(self._next)
        if turn is None:
            await self.finish()
        else:
            self.push_screen(question.QuestionScreen(turn))

    async def study_these(self, narrowed: Filter) -> None:
        """Begin a session of its own over the screen that is shown, which comes back after it."""
        await self.call(self.study.session.interrupt, narrowed)
        turn = await self.call(self.study.session.next)
        if turn is None:
            fewer = await self.call(overview.explain_few, self.study)
            await self.call(self.study.session.resume)
            why = self.say.fact(fewer) if fewer else self.say(values.why_nothing_chosen(narrowed))
            self.notify(why, markup=False, timeout=4)
            return
        screen = question.QuestionScreen(turn)
        self._inner.append((screen, len(self.study.session.results)))
        self.push_screen(screen)

    def pop_screen(self) -> AwaitComplete:
        """Leave a screen; with the first screen of an inner session, that session ends."""
        if self._inner and self.screen is self._inner[-1][0]:
            self._inner.pop()
            # At once, so that whatever the screen below reads comes after it.
            self._thread.submit(self.study.session.resume)
        return super().pop_screen()

    async def action_guided(self) -> None:
        """Ask one question of each kind, and say how each kind works; again it is practice."""
        await self.study_these(Filter(guided=True))

    async def study_more(self) -> None:
        """Go on beyond the day's limit, with as many new questions as a day brings.

        In a session of its own: after it, the day is what `quiz due` says again.
        """
        await self.study_these(await self.call(overview.go_beyond, self.study, self.narrowed))

    def _next(self) -> Turn | None:
        """Return the next question; rebuild a session that ran out, since time may have passed."""
        turn = self.study.session.next()
        if turn is None:
            self.study.session.begin(self.narrowed)
            turn = self.study.session.next()
        return turn

    async def redraw(self) -> None:
        """Draw the screen again if it shows what an undo changes."""
        if isinstance(self.screen, QuizScreen):
            await self.screen.redraw()

    async def finish(self) -> None:
        """End the session with its summary, over home; an inner one over where it was begun."""
        if self._inner:
            await self._finish_inner()
            return
        result = await self.call(session_figures.summary, self.study, self.study.session.results)
        card = await self.call(day_card.day_card, self.study)
        while len(self.screen_stack) > HOME_DEPTH:
            self.pop_screen()
        self.push_screen(summary.SummaryScreen(result, card))
        self.run_worker(self._keep_copy())

    async def _finish_inner(self) -> None:
        """Go back to where the session was begun; of several answers it says what they came to."""
        screen, before = self._inner[-1]
        results = self.study.session.results[before:]
        result = await self.call(session_figures.summary, self.study, results)
        while self.screen is not screen:
            self.pop_screen()
        self.pop_screen()
        if len(results) > 1:
            card = await self.call(day_card.day_card, self.study)
            self.push_screen(summary.SummaryScreen(result, card))

    async def _keep_copy(self) -> None:
        """Copy the database after a session, while the summary is read."""
        await self.call(self.study.session.checkpoint)
        try:
            notice = await asyncio.to_thread(rolling_copy.keep_copy, self.study.store)
        except StoreError as error:
            self.tell(error)
            return
        if notice:
            self.notify(self.say.fact(notice), severity="warning", markup=False, timeout=8)

    async def action_place(self) -> None:
        """Ask a few questions that show what is known; once that is done, show what was found."""
        if not (await self.call(placing.Placement, self.study)).resumed:
            found = await self.call(placing.find_earlier, self.study)
            if found is not None:
                self.push_screen(placement.PlacedScreen(found))
                return
        await self.place_again()

    async def place_again(self) -> None:
        """Ask a few questions that show what is known, after a placement as well."""
        going = await self.call(placing.Placement, self.study)
        turn = await self.call(going.next)
        if turn is None:
            self.notify(self.say("place.nothing"), timeout=4)
        else:
            self.push_screen(placement.PlacementScreen(going, turn))
            if going.resumed:
                self.notify(self.say("place.resumed", n=going.resumed), timeout=4)

    # Mock interviews

    async def action_mock(self) -> None:
        """Open mock interviews, or go back to them."""
        await self.open_mock(interviews.InterviewWish())

    async def open_mock(self, wish: InterviewWish) -> None:
        """Open mock interviews, or what is wished for straight away."""
        if wish.places:
            await self.action_place()
            return
        below = self._find_open(mock.MockScreen)
        if below is not None:
            await self._go_back_to(below)
            return
        self.push_screen(mock.MockScreen(wish.style, wish.minutes))
        if wish.resumes:
            await self.resume_interview()
        elif wish.theme is not None or wish.again is not None:
            await self.begin_interview(partial(self._begin_interview, wish))

    def _begin_interview(self, wish: InterviewWish) -> Interview:
        themes = self._load_themes()
        if wish.again is not None:
            return interviews.begin_again(self.study, themes, wish.again)
        name = interviews.find_theme(themes, wish.theme or "")
        minutes = wish.minutes or interviews.DEFAULT_MINUTES
        return interviews.begin(self.study, themes, wish.style or "onsite", minutes, name)

    async def begin_interview(self, begin: Callable[[], Interview]) -> None:
        """Begin an interview and hold it; ask first what becomes of one that is unfinished."""
        record = await self.call(interviews.unfinished, self.study)
        if record is None:
            await self.hold_interview(await self.call(begin))
            return
        question = self.say("mock.unfinished", **interview_text.place_fields(record, self.say))
        answers = {
            "enter": (self.say("mock.unfinished.go-on"), "go-on"),
            "e": (self.say("mock.unfinished.end"), "end"),
            "esc": (self.say("mock.unfinished.back"), "back"),
        }
        asking = confirm.Ask(question, answers, otherwise="back")
        self.push_screen(asking, partial(self._settle_unfinished, record, begin))

    async def _settle_unfinished(
        self, record: InterviewRecord, begin: Callable[[], Interview], answer: str | None
    ) -> None:
        """Go on with the unfinished interview, or end it and begin the other one."""
        if answer == "go-on":
            await self.resume_interview()
        elif answer == "end":
            await self.call(interviews.end, self.study, record)
            await self.begin_interview(begin)
            self.notify(self.say("mock.ended-incomplete", number=record.begun.earlier + 1))

    async def hold_interview(self, going: Interview) -> None:
        """Ask the next stage of an interview, over the screen that is shown."""
        turn = await self.call(going.next)
        if turn is None:
            await self.report_interview(going.record)
        else:
            self.push_screen(interview.InterviewScreen(going, turn))

    async def resume_interview(self) -> None:
        """Go on with the interview that is unfinished."""
        going = await self.call(self._unfinished)
        if going is None:
            self.notify(self.say("mock.nothing-to-resume"), timeout=4)
        else:
            await self.hold_interview(going)

    def _unfinished(self) -> Interview | None:
        record = interviews.unfinished(self.study)
        return None if record is None else held.Interview(self.study, self._load_themes(), record)

    def _load_themes(self) -> Themes:
        return interviews.load_themes(self.study, content_roots(self.paths, self.settings))

    async def report_interview(self, record: InterviewRecord, *, instead: bool = False) -> None:
        """Show the report on an interview; `instead` of the screen that is shown."""
        themes = await self.call(self._load_themes)
        if instead:
            self.pop_screen()
            self.run_worker(self._keep_copy())
        self.push_screen(report.ReportScreen(themes, record))

    async def open_report(self, number: int) -> None:
        """Show the report on the interview with this number."""
        await self.report_interview(await self.call(interviews.find_record, self.study, number))

    async def action_browse(self) -> None:
        """Open find; where a question was begun from it, end that and go back to it."""
        below = self._find_open(browser.BrowserScreen)
        if below is None:
            self.push_screen(browser.BrowserScreen())
            return
        await self._go_back_to(below)
        below.action_search()

    async def action_statistics(self) -> None:
        """Open the statistics, or go back to them."""
        below = self._find_open(statistics.StatisticsScreen)
        if below is None or self._asks_above(below):
            self.push_screen(statistics.StatisticsScreen())
        else:
            await self._go_back_to(below)

    async def action_plan(self) -> None:
        """Open the plan, or go back to it."""
        below = self._find_open(plan.PlanScreen)
        if below is None or self._asks_above(below):
            self.push_screen(plan.PlanScreen())
        else:
            await self._go_back_to(below)

    async def action_settings(self) -> None:
        """Open the settings."""
        await self.open_settings("")

    async def open_settings(self, setting: str) -> None:
        """Open the settings at one of them, or go back to them."""
        below = self._find_open(settings.SettingsScreen)
        if below is None or self._asks_above(below):
            self.push_screen(settings.SettingsScreen(setting))
        else:
            await self._go_back_to(below)
            below.go_to(setting)

    def _find_open(self, kind: type[S]) -> S | None:
        """Return the screen of a kind that is open, unless an answer above it is not stored."""
        for depth, screen in enumerate(self.screen_stack):
            if isinstance(screen, kind):
                above = self._above(depth)
                return None if any(other.holds_unsaved for other in above) else screen
        return None

    def _asks_above(self, screen: QuizScreen) -> bool:
        """Return True if a question is asked above a screen: it is what one comes back to."""
        above = self._above(self.screen_stack.index(screen))
        return any(isinstance(other, attempt.AttemptScreen) for other in above)

    def _above(self, depth: int) -> list[QuizScreen]:
        return [s for s in self.screen_stack[depth + 1 :] if isinstance(s, QuizScreen)]

    async def _go_back_to(self, screen: QuizScreen) -> None:
        """Leave every screen above one, once each has stored what it holds."""
        for other in self._above(self.screen_stack.index(screen)):
            await other.store_unsaved()
        while self.screen is not screen:
            self.pop_screen()

    def action_guide(self) -> None:
        """Open help for the screen that is shown."""
        self.open_guide("")

    def open_guide(self, query: str) -> None:
        """Open help at what is searched for."""
        names = (binding.binding.id for binding in self.screen.active_bindings.values())
        here = tuple(name for name in names if name and self.can_work(name))
        self.push_screen(guide.GuideScreen(here, query))

    def can_work(self, binding_id: str) -> bool:
        """Return True if a binding does something on the screen that is shown."""
        return not isinstance(self.screen, QuizScreen) or self.screen.can_work(binding_id)

    def action_command_palette(self) -> None:
        """Open the palette, unless it is open."""
        if not isinstance(self.screen, CommandPalette):
            placeholder = self.say("palette.placeholder")
            self.push_screen(CommandPalette([palette.Everything], placeholder=placeholder))

    @property
    def interrupts(self) -> bool:
        """True if some screen has something under way."""
        return any(s.interrupts for s in self.screen_stack if isinstance(s, QuizScreen))

    async def leave(self, status: int) -> None:
        """End with this exit status, once every screen has stored what it holds."""
        for screen in self.screen_stack:
            if isinstance(screen, QuizScreen):
                await screen.store_unsaved()
        await super().leave(status)

    def on_resize(self, event: events.Resize) -> None:
        """Follow the terminal's size; its first size comes before there is a screen."""
        if len(self.screen_stack) >= HOME_DEPTH:
            self._fit(event.size)

    def _fit(self, size: Size) -> None:
        """Say so when the terminal is too small, and go on when it has grown."""
        small = size.width < LEAST_COLUMNS or size.height < LEAST_ROWS
        if small and not self._is_too_small:
            self.push_screen(too_small.TooSmallScreen((LEAST_COLUMNS, LEAST_ROWS)))
            self.open_behind()  # home is not drawn, and keys wait for it
        elif not small and self._is_too_small:
            self.pop_screen()
        self._is_too_small = small
