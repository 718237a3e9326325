"""The browser: all questions in a list, searched while typing, attempted, practiced, looked at.

What is known of a question stands beside the list where there is room, in its place where there is
not; its answer is hidden until a key reveals it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from typing import ClassVar

from textual import getters, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.css.query import NoMatches
from textual.widgets import Input

from quizapp.deck.deck import Deck
from quizapp.deck.glossary import read_terms, searched_names
from quizapp.domain.errors import Ungraded
from quizapp.domain.question import LANGUAGES, Language
from quizapp.report.content import question_search
from quizapp.report.content.search_words import Searched
from quizapp.report.first_words import first_words, measure_shared
from quizapp.study import browsing
from quizapp.study.browsing import FILTERS, HALF_WRITTEN, Listed, State
from quizapp.study.home_values import Filter
from quizapp.system.paths import shipped_content
from quizapp.tui.keys import SCREENS, bindings
from quizapp.tui.screens.base import QuizScreen, tells
from quizapp.tui.screens.confirm import Confirm
from quizapp.tui.widgets.bars import KeyLine, TopLine
from quizapp.tui.widgets.details import DetailsView, explain_held
from quizapp.tui.widgets.field import SearchLine
from quizapp.tui.widgets.flow import Flow
from quizapp.tui.widgets.question_table import Table, due_columns
from quizapp.tui.widgets.rows import Rows

RESTING_SECONDS = 0.05
"""Drawing a question takes 30 ms: a list that is scrolled through must not pay it for each row."""

SEARCHABLE_AFTER_S = 0.15
"""After the list is drawn: what is searched takes 160 ms to read, which would delay the drawing."""


class BrowserScreen(QuizScreen):
    """All questions."""

    DEFAULT_CSS = """
    BrowserScreen {
        #panes { height: 1fr; padding: 0 1; }
        #list { width: 1fr; min-width: 44; }
        #head { padding: 0 1 0 2; }
        DetailsView { display: none; width: 1fr; }
    }
    BrowserScreen.opened #list, BrowserScreen.opened SearchLine { display: none; }
    BrowserScreen.opened DetailsView { display: block; }
    BrowserScreen.opened #panes { padding: 0; }
    BrowserScreen.-wide #list, BrowserScreen.-wide SearchLine { display: block; }
    BrowserScreen.-wide #panes { padding: 0 1; }
    BrowserScreen.-wide DetailsView { display: block; width: 33%; max-width: 84; margin-left: 2; }
    """
    AUTO_FOCUS = "#search"
    BINDINGS: ClassVar[list[BindingType]] = bindings(SCREENS["browser"])
    _rows = getters.query_one(Rows)
    _search = getters.query_one("#search", Input)
    _view = getters.query_one(DetailsView)

    def __init__(self, narrowed: str = FILTERS[0]) -> None:
        """Show what `narrowed`, one of `FILTERS`, names."""
        super().__init__()
        self._all: tuple[Listed, ...] = ()
        self._shown: Sequence[Listed] = ()
        self._deck: Deck | None = None
        self._texts: asyncio.Task[Mapping[str, Searched]] | None = None
        self._other_names: Mapping[str, tuple[str, ...]] = {}
        self._words: dict[str, str] = {}
        self._shared: Mapping[str, int] = {}
        self._revealed: set[str] = set()
        self._answered: set[str] = set()
        self._filter = FILTERS.index(narrowed)
        self._due_columns = 0
        self._headed: bool | None = None
        self._said_in = ""
        self._just_read = False

    def compose(self) -> ComposeResult:
        """Lay out search line, list, and one question."""
        yield TopLine(self.say("browser.title"))
        yield SearchLine(self.say, "browser.search", self.quiz.key_of("search"))
        with Horizontal(id="panes"):
            with Vertical(id="list"):
                yield Flow(id="head")
                yield Rows(id="rows")
            yield DetailsView()
        yield KeyLine()

    async def on_mount(self) -> None:
        """Read all questions; of a short list the keys are wanted, and not the search."""
        if FILTERS[self._filter] == HALF_WRITTEN:
            self.set_focus(self._rows)
        await self.reread()
        self._just_read = True

    async def on_screen_resume(self) -> None:
        """Read again what an edit may have changed; the first time, `on_mount` reads.

        The settings may have changed the language.
        """
        if self._said_in != self.say.language:
            self._said_in = self.say.language
            self._words, self._shared, self._headed = {}, {}, None
            if self._all:
                self._read_ahead()
            self.query_one(SearchLine).speak(self.say)
        if self._all and not self._just_read:
            await self.reread()
        self._just_read = False

    @tells
    async def reread(self) -> None:
        """List all questions again, the cursor staying where it was."""
        self._all = await self.call(browsing.list_questions, self.study)
        self._due_columns = due_columns(self._all, self.say)
        changed = self._deck is not self.study.deck
        if changed:
            self._deck, self._words = self.study.deck, {}
            self._texts = None
        await self._sift()
        if changed:
            self.call_after_refresh(self.set_timer, SEARCHABLE_AFTER_S, self._read_ahead)

    async def redraw(self) -> None:
        """List them again after an undo."""
        await self.reread()

    # What a person does

    def action_search(self) -> None:
        """Go to the search line."""
        self.remove_class("opened")
        self.set_focus(self._search)

    async def action_attempt(self) -> None:
        """Attempt the question under the cursor: scheduled if it is new or due, else practice."""
        row = self._current
        if row is not None and row.state is State.HELD:
            self.notify(explain_held(row.entry, self.say), timeout=8, markup=False)
        elif row is not None:
            await self.quiz.study_these(Filter(questions=(row.entry.id,)))

    async def action_practice(self) -> None:
        """Practice all questions that the list shows now."""
        if self._shown:
            names = tuple(row.entry.id for row in self._shown)
            await self.quiz.study_these(Filter(questions=names, practice=True))

    async def action_reveal(self) -> None:
        """Show the answer; what was still to be asked today is only practice then.

        Where it is shown, show or hide the answers of the follow-up questions.
        """
        row = self._current
        if row is None:
            return
        if row.entry.id in self._revealed and (self._view.has_focus or self.has_class("-wide")):
            self._answered ^= {row.entry.id}
            self._show_details()
            return
        if await self.call(self.study.marks.reveal, row.entry.id):
            self.notify(self.say("browser.put-off"), timeout=5)
        self._revealed.add(row.entry.id)
        self.action_look()
        await self.reread()

    async def action_filter(self) -> None:
        """Show only the next state that some question is in."""
        for _ in FILTERS:
            self._filter = (self._filter + 1) % len(FILTERS)
            if any(browsing.passes(row, FILTERS[self._filter]) for row in self._all):
                break
        await self._sift()

    def action_look(self) -> None:
        """Go to the question under the cursor."""
        if self._current is not None:
            self.add_class("opened")
            self._view.focus()
            self._show_details()

    def action_move(self, rows: int) -> None:
        """Move the cursor, or scroll the question that is open."""
        if self._view.has_focus:
            self._view.scroll_relative(y=rows, animate=False)
        else:
            self._rows.move(rows)

    async def action_back(self) -> None:
        """Leave the question, the search line, the search, the screen: one at a time."""
        if not self._rows.has_focus:
            self.remove_class("opened")
            self._rows.focus()
        elif self._search.value:
            self._search.value = ""
        else:
            await super().action_back()

    async def action_leave(self) -> None:
        """Leave the screen at once."""
        await super().action_back()

    async def action_edit(self) -> None:
        """Edit the question."""
        await self._do(lambda row: self.quiz.edit(row.entry.id))

    async def action_revert(self) -> None:
        """Give up the person's own change of the question."""
        if self._current is not None and not self._current.entry.changed:
            self.notify(self.say("browser.not-changed"), timeout=3)
        else:
            await self._do(lambda row: self.quiz.revert(row.entry.id))

    async def action_suspend(self) -> None:
        """Do not ask it any more, or ask it again."""

        async def toggle(row: Listed) -> None:
            on = not row.card.suspended
            await self.call(self.study.marks.suspend, row.entry.id, on=on)
            said = "browser.suspended" if on else "browser.unsuspended"
            self.notify(self.say(said, id=row.entry.id), timeout=3, markup=False)

        await self._do(toggle)

    async def action_flag(self) -> None:
        """Mark it, or remove the mark."""

        async def toggle(row: Listed) -> None:
            flagged = await self.call(self.study.marks.toggle_flag, row.entry.id)
            self.notify(self.say("study.flagged" if flagged else "study.unflagged"), timeout=2)

        await self._do(toggle)

    def action_reset(self) -> None:
        """Forget the progress on it, once that is confirmed."""
        row = self._current
        if row is None:
            return
        if row.card.memory is None:
            self.notify(self.say("browser.nothing-to-forget"), timeout=3)
            return
        question = self.say("browser.forget", id=row.entry.id)
        self.app.push_screen(Confirm(question, self.say), partial(self._forget, row.entry.id))

    def action_drop_draft(self) -> None:
        """Forget what is half-written for it, once that is confirmed."""
        row = self._current
        if row is None or HALF_WRITTEN not in row.marks:
            self.notify(self.say("browser.nothing-written"), timeout=3)
            return
        question = self.say("browser.drop")
        self.app.push_screen(Confirm(question, self.say), partial(self._drop, row.entry.id))

    # What widgets say

    async def on_input_changed(self) -> None:
        """Search while typing; what matches is chosen from its beginning."""
        await self._sift(keep=False)

    async def on_input_submitted(self) -> None:
        """Attempt the question under the cursor; after that, keys are about the list."""
        if self._current is not None:
            self._rows.focus()
        await self.run_action("attempt")

    def on_rows_moved(self) -> None:
        """Show the question under the cursor, once the cursor rests."""
        self._show_details(after=RESTING_SECONDS)
        self._show_keys()

    def on_resize(self) -> None:
        """Show a question beside the list if there is room now."""
        self._show_details()

    def on_rows_clicked(self) -> None:
        """Look at the question that was clicked."""
        self.action_look()

    def on_descendant_focus(self) -> None:
        """Other keys matter in each part."""
        self._show_keys()

    # Inside

    @tells
    async def _forget(self, question: str, meant: bool | None) -> None:  # noqa: FBT001 - Textual's
        """Make a question new again, if that was meant."""
        if meant:
            await self.call(self.study.marks.reset, [question])
            self.notify(self.say("browser.forgotten", id=question), timeout=3, markup=False)
            await self.reread()

    async def _drop(self, question: str, meant: bool | None) -> None:  # noqa: FBT001 - Textual's
        """Forget a half-written answer, if that was meant."""
        if meant:
            await self.call(self.study.attempts.drop_half_written, [question])
            self.notify(self.say("browser.dropped"), timeout=3)
            await self.reread()

    async def _do(self, act: Callable[[Listed], Awaitable[None]]) -> None:
        """Do something with the question under the cursor, then show what it is now."""
        if self._current is None:
            return
        await act(self._current)
        await self.reread()

    async def _sift(self, *, keep: bool = True) -> None:
        """Show what passes filter and search, the cursor on the question it was on to `keep` it."""
        narrowed = FILTERS[self._filter]
        passing = [row for row in self._all if browsing.passes(row, narrowed)]
        matching = await self._matching(passing, self._search.value)
        # Only now: the cursor may have been moved meanwhile.
        before = None if self._current is None or not keep else self._current.entry.id
        self._shown = matching
        ids = [row.entry.id for row in self._shown]
        table = Table(self._shown, self.say, self._first_words, self._due_columns, self._shared)
        self._rows.show(len(ids), table.row, ids.index(before) if before in ids else 0)
        if bool(ids) is not self._headed:  # else the whole screen would be laid out at each key
            self._headed = bool(ids)
            none = Content(self.say("browser.none"))
            self.query_one("#head", Flow).show(lambda width: [table.head(width) if ids else none])
        self._say_how_many()
        self._show_keys()
        self._show_details()

    async def _matching(self, rows: Sequence[Listed], query: str) -> Sequence[Listed]:
        if not query.strip():
            return rows
        texts = await self._read_texts()
        if not self._other_names:
            self._other_names = searched_names(await self.call(read_terms, shipped_content()))
        return question_search.match(rows, texts, query, self._other_names)

    def _read_texts(self) -> asyncio.Task[Mapping[str, Searched]]:
        """Begin to read what is searched, once."""
        if self._texts is None:
            reading = asyncio.to_thread(question_search.read_texts, self._deck or self.study.deck)
            self._texts = asyncio.create_task(reading)
        return self._texts

    @work
    async def _read_ahead(self) -> None:
        """Read what is searched, and which questions begin alike."""
        await asyncio.shield(self._read_texts())  # a search may wait for them, too
        deck, language = self._deck or self.study.deck, self.say.language
        self._words, self._shared = await asyncio.to_thread(_read_titles, deck, language)
        with suppress(NoMatches):  # the screen is being taken down
            await self._sift()

    def _first_words(self, question: str) -> str:
        """Return what a question is called in the list; only what is seen is decoded."""
        if question not in self._words and self._deck is not None:
            asked = self._deck.question(question)
            self._words[question] = first_words(asked, self.say.language)
        return self._words[question]

    @work(exclusive=True, group="details")
    @tells
    async def _show_details(self, after: float = 0.0) -> None:
        """Show the question under the cursor where it can be seen; the list never waits for it."""
        await asyncio.sleep(after)
        row = self._current
        if row is None:
            self._view.clear()
            return
        if not (self.has_class("opened") or self.has_class("-wide")):
            return
        name = row.entry.id
        reveals = name in self._revealed
        details = await self.call(browsing.details, self.study, name, reveals=reveals)
        keys = {"attempt": self.quiz.key_of("attempt"), "reveal": self.quiz.key_of("reveal")}
        hidden = self.say("browser.hidden", **keys)
        key = "" if name in self._answered else keys["reveal"]
        self._view.show(details, self.say, hidden, key)
        if details.held_back or not reveals:
            return
        with suppress(Ungraded):  # it is shown without, and `quiz lint` says why
            examiner = self.study.examiner
            attempt = await asyncio.to_thread(browsing.examine, details.attempt, examiner)
            if attempt is not details.attempt:
                self._view.show(replace(details, attempt=attempt), self.say, hidden, key)

    def _show_keys(self) -> None:
        row = self._current
        hidden = row is None or row.entry.id not in self._revealed
        scheduled = row is None or row.state in (State.NEW, State.DUE, State.HELD)
        enter = "attempt" if scheduled else "attempt:practice"
        if self._view.has_focus:
            first = "reveal" if hidden else "edit"
            last = "revert" if row is not None and row.entry.changed else "reset"
            self.query_one(KeyLine).show(enter, first, "flag", last, "back", "help")
        elif self._search.has_focus:
            self.query_one(KeyLine).show(enter, "up", "down", "back:to-list")
        else:
            look = "reveal" if self.has_class("-wide") and hidden else "look"
            these = "practice:practice-these"
            if row is not None and HALF_WRITTEN in row.marks:
                these = "drop-draft"
            self.query_one(KeyLine).show(enter, "search", these, look, "back", "help")

    def _say_how_many(self) -> None:
        name = f"browser.filter.{FILTERS[self._filter]}"
        total = self.say("browser.count", n=len(self._all))
        if len(self._shown) < len(self._all):
            total = self.say("browser.found", n=len(self._shown), total=total)
        elif off := self.study.course.count_off():
            total = self.say("browser.count-off", questions=total, off=off)
        self.query_one(TopLine).show(self.say("browser.title"), f"{self.say(name)} · {total}")

    @property
    def _current(self) -> Listed | None:
        return self._shown[self._rows.cursor] if self._shown else None


@lru_cache(maxsize=len(LANGUAGES))
def _read_titles(deck: Deck, language: Language) -> tuple[dict[str, str], Mapping[str, int]]:
    """Return the first words of every question, by its id, and how much another's are like them."""
    titles = {name: first_words(deck.question(name), language) for name in deck.entries}
    return titles, measure_shared(titles)
