"""The first start: one screen, in either language, skipped with one key, never seen again."""

from __future__ import annotations

import re

import pytest
from textual.widgets import Input

from quizapp.domain.planning import plan as plans
from quizapp.domain.question import KINDS
from quizapp.system import config, settings_file
from quizapp.system.width import columns as cells
from quizapp.tui.screens.home import HomeScreen
from quizapp.tui.screens.question import QuestionScreen
from quizapp.tui.screens.welcome import LanguageChoice, WelcomeScreen
from tests.tui.pilots import NARROW, WIDE, open_app, paths_in, press, tap
from tests.tui.screen_text import screen_lines, screen_text


def read_settings(folder) -> dict[str, object]:
    return config.read_file(paths_in(folder).config)


def first_start(folder, **more):
    return open_app(folder, welcomed=False, **more)


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=str)
async def test_the_first_picture_is_a_conflict_and_one_key_removes_it(tmp_path, size):
    async with first_start(tmp_path, size=size, first_conflict=True) as pilot:
        screen = await press(pilot)
        assert "float tile[32][32];" in screen
        assert "1,024 wavefronts to read the whole tile, 992 of them bank conflicts" in screen
        assert "space 32 → 33" in screen
        assert all(cells(line) <= size[0] for line in screen_lines(pilot.app))
        screen = await press(pilot, "space")
        assert "float tile[32][33];" in screen
        assert "1,024 → 32 wavefronts, 0 conflicts" in screen
        assert "1,024 wavefronts to read" in await press(pilot, "space")
        assert "1,024 → 32 个 wavefront" in await press(pilot, "l", "space")
        assert "不需要账号" in await press(pilot, "enter")
        await tap(pilot, "enter")
        assert isinstance(pilot.app.screen, QuestionScreen)
        assert read_settings(tmp_path) == {"language": "zh", "welcomed": True}


@pytest.mark.parametrize(
    ("size", "language", "says"),
    [(WIDE, "en", "no account"), (NARROW, "zh", "不需要账号")],
    ids=str,
)
async def test_it_fits_and_says_what_this_is(tmp_path, size, language, says):
    async with first_start(tmp_path, size=size, language=language) as pilot:
        lines = screen_lines(pilot.app)
        assert says in screen_text(pilot.app)
        assert len(lines) == size[1]
        assert all(cells(line) <= size[0] for line in lines)
        labels = [pilot.app.say(f"setting.{k}") for k in ("new_per_day", "interview_date")]
        assert all(any(label in line for line in lines) for label in labels)


async def test_escape_skips_and_it_does_not_come_back(tmp_path):
    async with first_start(tmp_path) as pilot:
        await tap(pilot, "escape")
        assert isinstance(pilot.app.screen, HomeScreen)
        assert read_settings(tmp_path) == {"welcomed": True}
        assert config.load(paths_in(tmp_path).config, {}).welcomed


async def test_enter_keeps_what_was_chosen_and_asks_one_question_of_each_kind(tmp_path):
    async with first_start(tmp_path) as pilot:
        await tap(pilot, "down", "3", "down", *"2026-12-24", "enter")
        assert isinstance(pilot.app.screen, QuestionScreen)
        settings = pilot.app.settings
        assert (settings.new_per_day, str(settings.interview_date)) == (3, "2026-12-24")
        assert set(read_settings(tmp_path)) == {"new_per_day", "interview_date", "welcomed"}
        assert pilot.app.study.session.queue.left == len(KINDS)


async def test_the_plan_follows_pace_and_date_while_they_are_typed(tmp_path):
    async with first_start(tmp_path, day_minutes=0) as pilot:
        text = await press(pilot)
        new, total = len(pilot.app.study.plan.to_meet()), len(pilot.app.study.deck.entries)
        covers = f"{new:,} questions ({total - new} more are off) about "
        assert covers in text
        assert "At 10 per day you will have met all of them on " in text
        text = await press(pilot, "down", "2", "0")
        assert "At 20 per day you will have met all of them on " in text
        assert "interview is on" not in text
        text = " ".join((await press(pilot, "down", *"2026-12-04")).split())
        plan = pilot.app.screen.query_one("#plan")
        assert "your interview is on Fri 4 Dec." in text
        # Fourteen days before the interview, today's among them.
        study = pilot.app.study
        planned = plans.plan(study.plan.to_meet(), 20, study.day, study.day + 14)
        assert f"you need {planned.enough} per day. With reviews that takes about " in text
        assert "P makes a plan for that day" in text
        text = await press(pilot, "backspace")
        assert "At 20 per day" not in text
        assert "makes a plan" not in text
        assert covers in text
        assert plan.region.bottom < 23


@pytest.mark.parametrize("pace", [(), ("2",)], ids=["the minutes bound", "the pace bounds"])
@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", r"need (\d+) per day\. That is about (\d+) min .* about (\d+) fit into your 45 min"),
        ("zh", r"需要 (\d+) 道新题。 ?连同复习约 (\d+) 分钟；你的 45 分钟大约能学 (\d+) 道"),
    ],
)
async def test_what_a_date_takes_is_said_beside_what_fits(tmp_path, language, says, pace):
    async with first_start(tmp_path, language=language) as pilot:
        text = " ".join((await press(pilot, "down", *pace, "down", *"2026-12-24")).split())
        found = re.search(says, text)
        assert found is not None, text
        enough, minutes, fitting = map(int, found.groups())
        assert fitting < enough
        assert minutes > 45
        assert pilot.app.screen.query_one("#plan").region.bottom < 23


async def test_the_plan_changes_its_language_with_the_rest(tmp_path):
    async with first_start(tmp_path, day_minutes=0) as pilot:
        assert "每天 10 道新题" in await press(pilot, "space")


async def test_only_what_differs_is_written(tmp_path):
    async with first_start(tmp_path) as pilot:
        await tap(pilot, "enter")
        assert read_settings(tmp_path) == {"welcomed": True}


@pytest.mark.parametrize("way", ["key", "click"])
async def test_the_language_changes_at_once_and_is_kept_when_skipped(tmp_path, way):
    async with first_start(tmp_path) as pilot:
        if way == "key":
            text = await press(pilot, "space")
        else:
            await pilot.click(LanguageChoice)
            text = await press(pilot)
        assert "每日新题" in text
        assert "○ English   ● 中文" in text
        assert "esc 跳过" in text
        assert "待复习" in await press(pilot, "escape")
        assert read_settings(tmp_path) == {"language": "zh", "welcomed": True}


async def test_there_and_back_is_no_change(tmp_path):
    async with first_start(tmp_path) as pilot:
        assert "New questions per day" in await press(pilot, "space", "space")
        await tap(pilot, "escape")
        assert read_settings(tmp_path) == {"welcomed": True}


@pytest.mark.parametrize(
    ("field", "text", "label"),
    [
        ("new_per_day", "lots[/]", "New questions per day"),
        ("interview_date", "soon", "Interview date"),
    ],
)
async def test_a_wrong_value_is_named_and_nothing_is_written(tmp_path, field, text, label):
    async with first_start(tmp_path) as pilot:
        pilot.app.screen.query_one(f"#{field}", Input).value = text
        shown = await press(pilot, "enter")
        assert f"✗ {label}: '{text}' is not " in shown
        assert read_settings(tmp_path) == {}
        assert isinstance(pilot.app.screen, WelcomeScreen)
        await tap(pilot, "escape")
        assert read_settings(tmp_path) == {"welcomed": True}


async def test_a_file_that_cannot_be_written_does_not_lock_anyone_in(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    async with first_start(tmp_path) as pilot:
        monkeypatch.setattr(settings_file, "_replace", refuse)
        text = await press(pilot, "space", "escape")
        assert isinstance(pilot.app.screen, HomeScreen)
        assert "没有权限" in text
        assert pilot.app.settings.language == "zh"
