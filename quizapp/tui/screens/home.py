"""Home: what is due, what is new, and the topics, each of which can be studied and looked into."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual import getters, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content

from quizapp.domain.days import Instant
from quizapp.domain.errors import OK, StoreError
from quizapp.report.dates import today_text
from quizapp.report.studying import study_plan
from quizapp.report.studying.plan import time_text
from quizapp.report.words import Words
from quizapp.study import browsing, overview, planning
from quizapp.study.clock import SystemClock
from quizapp.study.home_values import Filter, Home, TopicRow
from quizapp.system.width import columns as cells
from quizapp.tui.keys import SCREENS, bindings
from quizapp.tui.screens import browser
from quizapp.tui.screens.base import QuizScreen, tells
from quizapp.tui.topic_detail import TopicPane
from quizapp.tui.topic_table import draw_row, fold_to_fit, table_head, table_rows
from quizapp.tui.widgets.bars import KeyLine, TopLine
from quizapp.tui.widgets.flow import Flow
from quizapp.tui.widgets.rows import Rows

PRELOAD_AFTER_S = 0.1
"""Home must be on the terminal first: the imports take turns with whatever is being drawn."""

LOOK_S = 5.0
"""How often home looks for what another program stored."""

RESTING_SECONDS = 0.05
"""A list that is scrolled through must not read the log for each row."""

_LEAST_STREAK = 2

_AROUND = 6
"""Rows of the screen that neither the lines of today nor the table's rows have."""


class HomeScreen(QuizScreen):
    """The first screen; every session starts and ends here."""

    DEFAULT_CSS = """
    HomeScreen {
        #home { margin: 1 0; padding: 0 2; }
        #list { width: 1fr; }
        #head { padding: 0 0 0 2; }
        #detail { display: none; width: 1fr; padding: 0 2; scrollbar-size-vertical: 1; }
    }
    HomeScreen.opened #list { display: none; }
    HomeScreen.opened #detail { display: block; }
    HomeScreen.-wide #list { display: block; width: 64; }
    HomeScreen.-wide #detail { display: block; border-left: solid $foreground 30%; }
    """
    AUTO_FOCUS = "#topics"
    BINDINGS: ClassVar[list[BindingType]] = bindings(SCREENS["home"])
    _rows = getters.query_one(Rows)

    def __init__(self, kept: Home | None = None) -> None:
        """`kept`: what to show before the study is open."""
        super().__init__()
        self._kept = kept
        self._facts: Home | None = None
        self._today: list[Content] = []
        self._readiness = ""
        self._folded: frozenset[str] = frozenset()

    def compose(self) -> ComposeResult:
        """Lay out the line of today, the topics, and one of them."""
        yield TopLine()
        yield Flow(id="home")
        with Horizontal():
            with Vertical(id="list"):
                yield Flow(id="head")
                yield Rows(id="topics")
            with VerticalScroll(id="detail", can_focus=False):
                yield Flow(id="topic")
        yield KeyLine()

    def on_mount(self) -> None:
        """Follow what other programs store."""
        self.set_interval(LOOK_S, self.look_again)

    @tells
    async def look_again(self) -> None:
        """Draw again if another program has set a plan, or answered something."""
        if self.is_current and self.quiz.is_open and await self.call(self.study.catch_up):
            await self.redraw()

    async def on_screen_resume(self) -> None:
        """Draw the first time, and when another screen may have changed what is due."""
        if not self.quiz.is_open:
            # A signal may end the program already.
            if self._kept is not None and self.is_attached and not self.quiz.leaving:
                self._show(self._kept)
                self.call_after_refresh(self.quiz.open_behind)
                self._kept = None
            return
        if self._facts is not None:
            with suppress(StoreError):  # which reading the facts says
                await self.call(self.study.catch_up)
        await self.redraw()

    @tells
    async def redraw(self) -> None:
        """Read the facts again and show them."""
        facts = await self.call(overview.home, self.study)
        # Else a signal has ended the program, or the study was open before home was laid out.
        if self.is_attached and self.is_mounted:
            self._show(facts)
            if facts.interview_in is not None:
                self._measure_readiness()

    def _show(self, facts: Home) -> None:
        """Show the facts, the cursor staying on its topic."""
        before = _place(self._row) if self._row is not None else ("", "")
        is_first = self._facts is None
        self._facts, say = facts, self.say
        self.query_one(TopLine).show(self._title(), _top_right(facts, self._now(), say))
        self._today = self._read_today(facts)
        lines = self._show_today()
        if is_first:  # from now on, only the person folds
            self._folded = fold_to_fit(facts, self.app.size.height - lines - _AROUND)
        head = self.query_one("#head", Flow)
        head.display = bool(self._table)
        head.show(lambda width: [table_head(say, width).stylize("dim")])
        self._show_table(before)

    def _now(self) -> Instant:
        """Return the present moment, also before there is a study."""
        return (self.study.clock if self.quiz.is_open else SystemClock()).now()

    def _read_today(self, facts: Home) -> list[Content]:
        folder = str(self.quiz.paths.own_content)
        return list(today_lines(facts, self.say, folder, self.quiz.key_of("half-written")))

    def _show_today(self) -> int:
        """Show the lines of today, with one for the readiness while there is a day for it."""
        facts, lines = self._facts, self._today
        if facts is not None and facts.interview_in is not None:
            lines = [*lines, Content(self._readiness)]
        self.query_one("#home", Flow).show(lambda width: [cut(line, width) for line in lines])
        return len(lines)

    @work(exclusive=True, group="readiness")
    @tells
    async def _measure_readiness(self) -> None:
        """Say how much of what is asked the person would answer; home never waits for it."""
        await asyncio.sleep(PRELOAD_AFTER_S)
        measure = await self.call(planning.foresee_readiness, self.study)
        found = await asyncio.to_thread(measure)
        topic = planning.name_topic(self.study, found)
        self._readiness = study_plan.readiness_text(
            found, topic, self.study.progress.goal, self.say
        )
        planned = await self.call(overview.count_planned, self.study)
        if self._facts is not None and self._facts.planned != planned:  # the plan has shrunk
            self._facts = replace(self._facts, planned=planned)
            self._today = self._read_today(self._facts)
        self._show_today()

    def _show_table(self, here: tuple[str, str]) -> None:
        """Show the rows, the cursor on the one at this place."""
        rows = self._table
        places = [_place(row) for row in rows]
        cursor = places.index(here) if here in places else 0
        self._rows.show(len(rows), partial(draw_row, rows, self._folded, self.say), cursor)
        self._show_keys()
        self._show_detail()

    def _title(self) -> str:
        """Say what this is, and what the session is narrowed to."""
        say, narrowed = self.say, self.quiz.narrowed
        if not narrowed.narrows:
            return say("app.title")
        deck = self.study.deck
        pack = say.topic(deck.packs[narrowed.pack].titles) if narrowed.pack else ""
        topic = narrowed.topic or ""
        if topic in deck.topics:  # a file that was spoilt meanwhile may have taken it away
            topic = say.topic(deck.topic_names(topic, narrowed.pack))
        kind = say(f"kind.{narrowed.kind}") if narrowed.kind else ""
        what = " · ".join(name for name in (pack, topic, kind) if name)
        return say("app.title") + (f" · {say('home.filter', what=what)}" if what else "")

    # What a person does

    def action_move(self, rows: int) -> None:
        """Move to another row, also while one is opened."""
        self._rows.move(rows)

    async def action_study(self) -> None:
        """Go on with the session, or study the topic or pack under the cursor."""
        row = self._part
        if row is None:
            await self.quiz.study_now()
        elif not row.on:
            key = self.quiz.key_of("switch-pack")
            self.notify(self.say("home.pack-is-off", key=key), timeout=4)
        elif self._is_done:
            keys = {name: self.quiz.key_of(name) for name in ("more", "practice")}
            self.notify(self.say("home.topic-done", **keys), timeout=4)
        else:
            await self.quiz.study_these(overview.narrow(self.quiz.narrowed, row))

    async def action_open_row(self) -> None:
        """Show the topics of the pack under the cursor; study any other row."""
        row = self._part
        if row is None or not row.is_pack:
            await self.action_study()
        elif self._can_unfold:
            self._folded -= {row.pack}
            self._show_table(_place(row))

    def action_fold(self) -> None:
        """Show the pack under the cursor, or that of the topic there, without its topics."""
        row = self._part
        if row is not None and self._can_fold:
            self._folded |= {row.pack}
            self._show_table((row.pack, ""))

    async def action_practice(self) -> None:
        """Practice what the cursor is on, without moving its schedule."""
        here, row = self.quiz.narrowed, self._part
        if row is not None:
            here = overview.narrow(here, row)
        narrowed = Filter(topic=here.topic, kind=here.kind, practice=True, pack=here.pack)
        await self.quiz.study_these(narrowed)

    async def action_more(self) -> None:
        """Study what the cursor is on beyond the day's limit."""
        row = self._part
        if row is None:
            await self.quiz.study_more()
        elif row.on:
            narrowed = overview.narrow(self.quiz.narrowed, row)
            beyond = await self.call(overview.go_beyond, self.study, narrowed)
            await self.quiz.study_these(beyond)

    async def action_switch_pack(self) -> None:
        """Switch the pack under the cursor on or off."""
        row = self._part
        if row is not None:
            await self.quiz.switch_pack(row.pack, on=not row.on)
            await self.redraw()

    def action_detail(self) -> None:
        """Show the row's detail in place of the table, where there is no room beside it."""
        if not self.has_class("-wide"):
            self.toggle_class("opened")
            self._show_keys()
            self._show_detail()

    def can_work(self, binding_id: str) -> bool:
        """Return True if a binding does something for the row under the cursor."""
        row = self._part
        needs = {
            "study-topic": row is not None and (not row.is_pack or self._can_unfold),
            "fold": self._can_fold,
            "switch-pack": row is not None and row.is_pack,
            "detail": not self.has_class("-wide"),
            "half-written": self._facts is not None and self._facts.drafts > 0,
        }
        return needs.get(binding_id, True)

    def action_half_written(self) -> None:
        """List the half-written answers."""
        if self._facts is not None and self._facts.drafts:
            self.app.push_screen(browser.BrowserScreen(browsing.HALF_WRITTEN))

    async def action_leave(self) -> None:
        """Quit."""
        await self.quiz.leave(OK)

    async def action_back(self) -> None:
        """Close the topic; there is nothing behind home."""
        if self.has_class("opened"):
            self.remove_class("opened")
            self._rows.focus()
            self._show_keys()

    # What widgets say

    def on_rows_moved(self) -> None:
        """Show the topic under the cursor, once the cursor rests."""
        self._show_keys()
        self._show_detail(after=RESTING_SECONDS)

    async def on_rows_clicked(self) -> None:
        """Study what was clicked twice."""
        await self.run_action("study")

    def on_resize(self) -> None:
        """Show a topic beside the table if there is room now."""
        self._show_keys()
        self._show_detail()

    # Inside

    @work(exclusive=True, group="detail")
    @tells
    async def _show_detail(self, after: float = 0.0) -> None:
        """Show the topic under the cursor where it can be seen; the table never waits for it."""
        await asyncio.sleep(after)
        row, facts = self._row, self._facts
        if row is None or facts is None or not {"-wide", "opened"} & self.classes:
            return
        await self.quiz.when_ready()
        found = await self.call(overview.topic_detail, self.study, row, facts.asked)
        forecast = None if row.pack else facts.forecast
        pack = self.study.deck.packs.get(row.pack)
        pane, say = TopicPane(row, found, facts.day, forecast, pack), self.say
        self.query_one("#topic", Flow).show(partial(pane.lines, say))

    def _show_keys(self) -> None:
        facts = self._facts
        if facts is None:
            return
        row = self._part
        first = "study:this-topic" if row is not None and not row.is_pack else "study"
        if self._is_done and self._row is not None and self._row.new:
            first = "more"
        beside = "help" if self.has_class("-wide") else "detail"
        keys = [first, "practice", "browse", beside, "palette:everything", "quit:end"]
        if row is not None and row.is_pack:
            switch = "switch-pack:pack-off" if row.on else "switch-pack:pack-on"
            fold = "study-topic:unfold" if self._can_unfold else "fold"
            fold = fold if self._shows_table else "practice"
            keys[:3] = [first, fold, switch] if row.on else ["practice", switch]
        self.query_one(KeyLine).show(*keys)

    @property
    def _table(self) -> tuple[TopicRow, ...]:
        """The rows: all topics together, then each, below its pack if there are several."""
        return table_rows(self._facts, self._folded) if self._facts is not None else ()

    @property
    def _row(self) -> TopicRow | None:
        table = self._table
        return table[self._rows.cursor] if table else None

    @property
    def _part(self) -> TopicRow | None:
        """The topic or pack under the cursor; None for all of them."""
        return self._row if self._row is not None and self._row.pack else None

    @property
    def _can_unfold(self) -> bool:
        """True if the cursor is on a pack whose topics can be shown."""
        row, has_table = self._part, self._shows_table
        return has_table and row is not None and row.on and row.is_pack and row.pack in self._folded

    @property
    def _can_fold(self) -> bool:
        """True if the cursor is on a pack that shows its topics, or on one of those."""
        row, packs = self._part, {other.pack for other in self._table if other.is_pack}
        foldable = packs - self._folded if self._shows_table else set()
        return row is not None and row.on and row.pack in foldable

    @property
    def _shows_table(self) -> bool:
        return self.has_class("-wide") or not self.has_class("opened")

    @property
    def _is_done(self) -> bool:
        """True if nothing of the row under the cursor is asked today, within the day's limits."""
        facts, row = self._facts, self._row
        return facts is not None and row is not None and not row.due and not (row.new and facts.new)


def _top_right(facts: Home, now: Instant, say: Words) -> str:
    """Say which day it is, since when without a break, and how far the interview is."""
    parts = [today_text(facts.day, now, say)]
    if facts.streak >= _LEAST_STREAK:
        parts.append(say("home.streak", n=facts.streak))
    if facts.interview_in is not None:
        days = facts.interview_in
        parts.append(say("home.interview", n=days) if days else say("home.interview-today"))
    return " · ".join(parts)


def _place(row: TopicRow) -> tuple[str, str]:
    """Return what tells a row from the others."""
    return row.pack, row.topic


def today_lines(facts: Home, say: Words, folder: str, key: str) -> Iterator[Content]:
    """Draw what today asks, and what needs attention; `key` lists half-written answers."""
    if not facts.questions:
        empty = "home.all-off" if facts.packs else "home.empty"
        if facts.narrowed:
            empty = "home.none-fits"
        yield Content(say(empty, folder=folder))
    elif facts.whole.due or facts.new:
        yield _today(facts, say)
    else:
        text = say("home.nothing")
        if facts.next_due_day is not None:
            when = say("home.when-days", n=facts.next_due_day - facts.day)
            text += " " + say("home.next", n=facts.next_due, when=when)
        yield Content(text)
    yield from _notes(facts, say, key)


def _today(facts: Home, say: Words) -> Content:
    """Draw due, new and time. Due is the table's sum; limits and siblings may leave some."""
    gap = Content("    ")
    due = Content.assemble(say("home.due"), (f" {facts.whole.due}", "bold"))
    if facts.due < facts.whole.due:
        due += Content(f" ({say('home.due-today', n=facts.due)})").stylize("dim")
    of = say("home.of-unseen", n=facts.unseen)
    if facts.planned is not None:
        of = say("home.of-planned", n=facts.planned)
    of = f" {of}" if facts.new else ""
    new = Content.assemble(say("home.new"), (f" {facts.new}", "bold"), (of, "dim"))
    time = Content(time_text(facts, say)) if facts.minutes else Content("")
    return gap.join([due, new, time])


def _notes(facts: Home, say: Words, key: str) -> Iterator[Content]:
    """Draw what needs attention."""
    if facts.overdue_minutes:
        text = say("home.new-waits", minutes=facts.overdue_minutes)
        yield Content(text).stylize("$text-warning")
    if facts.left_out:
        yield Content(say("home.left-out", n=facts.left_out)).stylize("$text-warning")
    for pack, n in facts.held_back.items():
        yield Content(say("trust.held-back", n=n, pack=pack)).stylize("$text-warning")
    if facts.drafts:
        yield Content(say("home.drafts", n=facts.drafts, key=key)).stylize("dim")


def cut(line: Content, width: int) -> Content:
    """Cut a line of a table to the width: wrapped, it would not be a table."""
    return line if cells(line.plain) <= width else line.truncate(width, ellipsis=True)
