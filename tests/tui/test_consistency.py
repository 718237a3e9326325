"""What holds on every screen: esc, undo, ctrl+c, toasts that end with their screen, help."""

from __future__ import annotations

import pytest
from textual.command import CommandPalette
from textual.events import ScreenResume

from quizapp.domain.question import Number
from quizapp.report.first_words import first_words
from quizapp.study.home_values import Filter
from quizapp.tui.screens.browser import BrowserScreen
from quizapp.tui.screens.home import HomeScreen
from quizapp.tui.screens.question import QuestionScreen
from quizapp.tui.screens.settings import SettingsScreen
from quizapp.tui.screens.statistics import StatisticsScreen
from quizapp.tui.screens.summary import SummaryScreen
from quizapp.tui.widgets.flow import Flow
from tests.tui.pilots import WIDE, open_app, press, tap
from tests.tui.screen_text import rest, screen_text, settle


def toasts(pilot) -> list[str]:
    return [toast.message for toast in pilot.app._notifications]


SCREENS = ("app.browse", "app.statistics", "app.settings", "app.guide", "app.command_palette")


@pytest.mark.parametrize("screen", SCREENS)
async def test_escape_leads_back_home_and_no_further(tmp_path, screen):
    async with open_app(tmp_path, at=screen) as pilot:
        assert not isinstance(pilot.app.screen, HomeScreen)
        for _ in range(4):
            await tap(pilot, "escape")
        assert isinstance(pilot.app.screen, HomeScreen)
        assert pilot.app.is_running
        assert pilot.app.screen.focused is not None


@pytest.mark.parametrize("at", ["", "app.statistics"])
async def test_u_takes_the_last_answer_back(tmp_path, at):
    async with open_app(tmp_path, at=at, answers=[True]) as pilot:
        await tap(pilot, "u")
        assert pilot.app.study.session.results == ()
        assert len(toasts(pilot)) == 1
        await tap(pilot, "U")
        assert len(pilot.app.study.session.results) == 1


async def test_u_in_the_list_of_questions_takes_a_mark_back(tmp_path):
    async with open_app(tmp_path, at="app.browse") as pilot:
        await tap(pilot, "escape", "f")
        assert any(card.flagged for card in pilot.app.study.progress.cards.values())
        await tap(pilot, "u")
        assert not any(card.flagged for card in pilot.app.study.progress.cards.values())


async def test_undo_at_the_end_of_a_session_says_so_on_the_question(tmp_path):
    async with open_app(tmp_path, answers=[True], new_per_day=1) as pilot:
        await tap(pilot, "enter")
        assert isinstance(pilot.app.screen, SummaryScreen)
        await tap(pilot, "u")
        assert isinstance(pilot.app.screen, QuestionScreen)
        (toast,) = toasts(pilot)
        assert toast.startswith(pilot.app.say("study.undone.answer"))
        home = pilot.app.screen_stack[1]
        home.post_message(ScreenResume())  # of the way there; on a busy machine it comes this late
        await rest(pilot)
        assert toasts(pilot) == [toast]


async def test_a_toast_ends_with_its_screen(tmp_path):
    async with open_app(tmp_path, at="app.statistics") as pilot:
        await tap(pilot, "u")
        assert toasts(pilot) == ["Nothing to undo."]
        assert isinstance(pilot.app.screen, StatisticsScreen)
        text = await press(pilot, "escape")
        assert isinstance(pilot.app.screen, HomeScreen)
        assert toasts(pilot) == []
        assert "Nothing to undo." not in text


async def test_a_toast_stays_while_its_screen_does(tmp_path):
    async with open_app(tmp_path) as pilot:
        await tap(pilot, "u", "down")
        assert toasts(pilot) == ["Nothing to undo."]


async def test_a_toast_covers_nothing_but_the_rule(tmp_path):
    async with open_app(tmp_path) as pilot:
        before = (await press(pilot, "enter", "g")).splitlines()
        assert "again" in before[-2]
        after = (await press(pilot, "f")).splitlines()
        assert "flagged" in after[1]
        assert after[:1] + after[2:] == before[:1] + before[2:]


async def test_ctrl_c_asks_once_while_an_answer_is_half_given(tmp_path):
    async with open_app(tmp_path, new_per_day=50) as pilot:
        await tap(pilot, "enter")
        left: list[int] = []

        async def leave(status: int) -> None:
            left.append(status)

        pilot.app.leave = leave
        await tap(pilot, "ctrl+c")
        assert left == [130]
        screen = pilot.app.screen
        while not isinstance(screen._turn.question, Number):
            await pilot.app.call(pilot.app.study.session.leave_out, screen._turn.entry.id)
            await screen.next()
            await rest(pilot)
        await tap(pilot, "3", "1")
        await tap(pilot, "ctrl+c")
        assert left == [130]
        assert "^c again quits" in screen_text(pilot.app)
        await tap(pilot, "ctrl+c")
        assert left == [130, 130]


async def test_the_palette_opens_where_one_types(tmp_path):
    async with open_app(tmp_path, at="app.browse") as pilot:
        await tap(pilot, "slash", "a")
        await tap(pilot, "ctrl+p")
        assert isinstance(pilot.app.screen, CommandPalette)


def keys_in_help(pilot) -> set[str]:
    """What the first part of help says keys do."""
    _, entries = next(pilot.app.screen._sections())
    return {entry.text for entry in entries if entry.key}


async def test_help_lists_only_keys_that_can_work(tmp_path):
    async with open_app(tmp_path) as pilot:
        for kind, there, missing in (
            ("choice", ("digit-1", "mark"), ("check", "view", "write", "retry")),
            ("number", ("write", "answer"), ("mark", "digit-1", "practise", "open-code", "detail")),
            ("index", ("check", "write", "open-code"), ("digit-1", "mark", "practise")),
            ("kernel", ("check", "practise"), ("digit-3", "mark", "detail")),
            ("spot", ("digit-1", "mark"), ("check", "write")),
        ):
            await pilot.app.study_these(Filter(kind=kind, practice=True))
            await rest(pilot)
            pilot.app.screen._view.focus()
            await tap(pilot, "question_mark")
            say, listed = pilot.app.say, keys_in_help(pilot)
            assert {say(f"key.{name}") for name in there} <= listed, kind
            assert not {say(f"key.{name}") for name in missing} & listed, kind
            await tap(pilot, "escape")


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_where_something_of_a_question_is_cut_the_last_line_says_so(tmp_path, language):
    cut = set()
    async with open_app(tmp_path, language=language) as pilot:
        more = pilot.app.say("key.more-below")
        for kind in ("choice", "number", "trace", "recall", "spot"):
            await pilot.app.study_these(Filter(kind=kind, practice=True))
            line = (await settle(pilot)).splitlines()[-1]
            if pilot.app.screen._view.has_more:
                cut.add(kind)
            assert (more in line) == (kind in cut), kind
    assert "spot" in cut


async def test_help_at_home_knows_the_row_and_the_width(tmp_path):
    async with open_app(tmp_path) as pilot:
        await tap(pilot, "question_mark")
        unfold, fold = (pilot.app.say(f"key.{name}") for name in ("study-topic", "fold"))
        assert not {unfold, fold} & keys_in_help(pilot)
        assert "detail" in keys_in_help(pilot)
        await tap(pilot, "escape", "down", "question_mark")
        assert unfold in keys_in_help(pilot)
        await tap(pilot, "escape", "right", "question_mark")
        assert fold in keys_in_help(pilot)
        assert unfold not in keys_in_help(pilot)
        await tap(pilot, "escape", "down", "question_mark")
        assert unfold in keys_in_help(pilot)


async def test_find_goes_back_to_the_one_find_screen(tmp_path):
    async with open_app(tmp_path) as pilot:
        await tap(pilot, "slash", "enter", "escape")  # the last one leaves a field, if any
        if not isinstance(pilot.app.screen, QuestionScreen):
            await tap(pilot, "enter")
        await tap(pilot, "g", "g")
        assert pilot.app.screen._attempt.is_graded
        await tap(pilot, "slash")
        assert isinstance(pilot.app.screen, BrowserScreen)
        assert pilot.app.screen.focused.id == "search"
        assert sum(isinstance(screen, BrowserScreen) for screen in pilot.app.screen_stack) == 1
        await tap(pilot, "escape", "escape")
        assert isinstance(pilot.app.screen, HomeScreen)
        assert len(pilot.app.study.session.results) == 1


async def test_lists_opened_from_one_another_do_not_pile_up(tmp_path):
    async with open_app(tmp_path, at="app.statistics") as pilot:
        await tap(pilot, "comma", "s", "comma", "s")
        assert isinstance(pilot.app.screen, StatisticsScreen)
        await tap(pilot, "escape")
        assert isinstance(pilot.app.screen, HomeScreen)


async def test_settings_open_over_feedback_and_its_language_follows(tmp_path):
    async with open_app(tmp_path) as pilot:
        await pilot.app.study_these(Filter(kind="choice", practice=True))
        await tap(pilot, "g")
        await tap(pilot, "comma")
        assert isinstance(pilot.app.screen, SettingsScreen)
        shown = await press(pilot, "enter", "down", "enter", "escape")
        assert isinstance(pilot.app.screen, QuestionScreen)
        assert "✗ 已放弃" in shown
        assert "帮助" in shown.splitlines()[-1]


@pytest.mark.parametrize("screen", ["app.browse", "app.statistics"])
async def test_settings_open_from_every_list(tmp_path, screen):
    async with open_app(tmp_path, at=screen) as pilot:
        if screen == "app.browse":
            await tap(pilot, "escape")
        await tap(pilot, "comma")
        assert isinstance(pilot.app.screen, SettingsScreen)


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_an_undo_on_a_fresh_question_is_announced_and_named(tmp_path, language):
    async with open_app(tmp_path, language=language) as pilot:
        await pilot.app.study_these(Filter(kind="choice", practice=True))
        first = pilot.app.study.deck.question(pilot.app.screen._turn.entry.id)
        shown = await press(pilot, "g", "enter")
        assert pilot.app.say("key.undo-last") in shown.splitlines()[-1]
        await tap(pilot, "u")
        assert toasts(pilot)
        said, title = toasts(pilot)[-1].split(" · ")
        assert said == pilot.app.say("study.undone.answer")
        assert first_words(first, language).startswith(title.rstrip("…"))


async def test_what_leads_further_down_is_not_offered_at_the_end(tmp_path):
    async with open_app(tmp_path) as pilot:
        await pilot.app.study_these(Filter(kind="recall", practice=True))
        more = pilot.app.say("key.more-below")
        await rest(pilot)
        assert more in await press(pilot, "enter", "2", "enter")
        assert pilot.app.screen._attempt.is_graded
        shown = await press(pilot, "end")
        assert more not in shown.splitlines()[-1]
        assert more in (await press(pilot, "home")).splitlines()[-1]


async def test_feedback_on_an_interview_answer_begins_at_its_top(tmp_path):
    async with open_app(tmp_path) as pilot:
        await pilot.app.study_these(Filter(kind="recall", practice=True))
        await rest(pilot)
        await tap(pilot, "enter", "2")
        await tap(pilot, "end")
        assert pilot.app.screen._view.scroll_y > 0
        await tap(pilot, "enter")
        assert pilot.app.screen._attempt.is_graded
        assert pilot.app.screen._view.scroll_y == 0


async def test_a_chance_of_recall_is_not_named_right_after_a_wrong_answer(tmp_path):
    async with open_app(tmp_path, size=WIDE, answers=[False]) as pilot:
        name = pilot.app.study.session.results[0].turn.entry.id
        await pilot.app.run_action("app.browse")
        await tap(pilot, *name.rpartition("/")[2])
        assert "chance of recall" not in screen_text(pilot.app)
        assert "due today" in screen_text(pilot.app)


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_no_key_is_cut_in_help_at_80_columns(tmp_path, language):
    async with open_app(tmp_path, at="app.guide", language=language) as pilot:
        page = pilot.app.screen.query_one("#page", Flow)
        shown = [line.plain for line in page._draw(page.content_size.width)]
        keys = shown[: shown.index(pilot.app.say("guide.kind"))]
        assert not [line for line in keys if "…" in line]
