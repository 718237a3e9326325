"""The plan by keys: set, changed, undone, dropped, what it leaves out; and where else it shows."""

from __future__ import annotations

from datetime import date
from threading import Event

from quizapp.domain.days import as_date, from_date
from quizapp.domain.goal import Goal
from quizapp.report.studying import study_plan
from quizapp.study import planning
from quizapp.study.browsing import LEFT_OUT, passes
from quizapp.system.width import columns as cells
from quizapp.tui.screens.browser import BrowserScreen
from quizapp.tui.screens.home import HomeScreen
from quizapp.tui.screens.plan import PlanScreen
from quizapp.tui.screens.plan_form import PlanFormScreen
from quizapp.tui.screens.question import QuestionScreen
from tests.tui.pilots import NARROW, behind, in_each_size_and_language, open_app, press, tap
from tests.tui.screen_text import screen_lines, screen_text, settle

PROMISED = 5


def day_after(pilot, days: int) -> str:
    """The date so many study days from now."""
    return as_date(pilot.app.study.day + days).isoformat()


async def settled(pilot) -> str:
    """What stands on the screen once the plan is computed."""
    await pilot.app.workers.wait_for_complete()
    return await settle(pilot)


FEW = ("fft",)
"""A topic that a plan has time for: to find what would be enough for all takes 2 s."""


async def set_plan(pilot, days: int, minutes: int = 10, topics: tuple[str, ...] = ()) -> Goal:
    """Set a plan without keys."""
    study = pilot.app.study
    goal = Goal(study.day, study.day + days, minutes, topics, promised=PROMISED)
    await pilot.app.call(study.plan.set, goal)
    return goal


@in_each_size_and_language
async def test_the_form_fits(tmp_path, size, language):
    async with open_app(tmp_path, size=size, language=language) as pilot:
        await tap(pilot, "P", "enter")
        lines = screen_lines(pilot.app)
        assert isinstance(pilot.app.screen, PlanFormScreen)
        assert len(lines) == size[1]
        assert all(cells(line) <= size[0] for line in lines)
        for name in ("goal.form.day", "goal.form.minutes", "goal.every-topic"):
            assert any(pilot.app.say(name) in line for line in lines)


async def test_day_minutes_and_topics_are_set_by_keys_and_one_key_undoes_it(tmp_path):
    async with open_app(tmp_path) as pilot:
        study = pilot.app.study
        text = await press(pilot, "P")
        assert "enter make a plan" in await settled(pilot), text
        day = day_after(pilot, 40)
        await tap(pilot, "enter")
        assert pilot.app.screen.query_one("#minutes").value == "45"
        await tap(pilot, *day, "tab", "2", "0", "tab", "down", "space")
        topic = pilot.app.screen._topics[1].topic
        await tap(pilot, "enter")
        await settled(pilot)
        goal = study.progress.goal
        assert (goal.day, goal.minutes, goal.topics) == (study.day + 40, 20, (topic,))
        assert goal.promised
        assert isinstance(pilot.app.screen, PlanScreen)
        assert day in await settled(pilot)
        await tap(pilot, "u")
        assert study.progress.goal is None
        await tap(pilot, "U")
        assert study.progress.goal is not None
        await tap(pilot, "x")
        assert study.progress.goal is None
        await tap(pilot, "u")
        assert study.progress.goal is not None


async def test_the_form_begins_with_the_plan_that_holds_and_escape_leaves_it(tmp_path):
    async with open_app(tmp_path) as pilot:
        goal = await set_plan(pilot, 40, 600)
        await tap(pilot, "P")
        await settled(pilot)
        text = await press(pilot, "enter")
        assert day_after(pilot, 40) in text
        assert "● all topics" in text
        await tap(pilot, "tab", "5", "escape")
        assert pilot.app.study.progress.goal == goal
        await tap(pilot, "enter", "tab", "g", "5", "q", "0", "0", "enter")
        await settled(pilot)
        assert pilot.app.study.progress.goal.minutes == 500


async def test_while_a_plan_is_simulated_that_is_said_and_no_other_plan_is_shown(
    tmp_path, monkeypatch
):
    gate = Event()
    for name in ("choose", "describe"):
        monkeypatch.setattr(planning, name, behind(gate, getattr(planning, name)))
    async with open_app(tmp_path) as pilot:
        computing, absent = pilot.app.say("goal.computing"), "make a plan"
        await set_plan(pilot, 10, 5, FEW)
        for keys in (("P",), ("enter", "tab", "7", "enter"), ("enter", "tab", "9", "enter")):
            gate.clear()
            await pilot.press(*keys)
            await pilot.pause()
            text = screen_text(pilot.app)
            assert computing in text
            assert "planned " not in text
            gate.set()
            text = await settled(pilot)
            assert computing not in text
            assert "planned " in text
        await tap(pilot, "x")
        assert absent in await settled(pilot)
        gate.clear()
        await pilot.press("u")
        await pilot.pause()
        text = screen_text(pilot.app)
        gate.set()
        assert computing in text
        assert absent not in text
        await tap(pilot, "enter", "tab", "6")
        gate.clear()
        await pilot.press("enter", "escape")
        gate.set()
        await settled(pilot)
        assert pilot.app.study.progress.goal.minutes == 9


async def test_what_cannot_be_a_plan_is_said_below_the_fields(tmp_path):
    async with open_app(tmp_path) as pilot:
        for day, minutes, said in (
            ("soon", "30", "“soon” is not a date"),
            ("2020-01-01", "30", "must be ahead"),
            ("2027-01-01", "0", "from 1 to 600"),
            ("2027-01-01", "601", "from 1 to 600"),
            ("2027-01-01", "9" * 30, "from 1 to 600"),
            ("2027-01-01", "-1q", "from 1 to 600"),
        ):
            text = await press(pilot, "P", "enter", *day, "tab", *minutes, "enter")
            assert said in text
            assert isinstance(pilot.app.screen, PlanFormScreen)
            assert pilot.app.study.progress.goal is None
            while not isinstance(pilot.app.screen, HomeScreen):
                await tap(pilot, "escape")


async def test_what_is_left_out_is_listed_and_can_be_attempted(tmp_path):
    async with open_app(tmp_path) as pilot:
        study = pilot.app.study
        await set_plan(pilot, 10, 2)
        await tap(pilot, "P")
        assert "what is left out" in await settled(pilot)
        await tap(pilot, "l")
        screen = pilot.app.screen
        assert isinstance(screen, BrowserScreen)
        left_out = {candidate.question for candidate in study.plan.split_new()[1]}
        assert left_out
        assert {row.entry.id for row in screen._all if passes(row, LEFT_OUT)} == left_out
        assert {row.entry.id for row in screen._shown} == left_out
        await tap(pilot, "enter")
        assert isinstance(pilot.app.screen, QuestionScreen)
        assert pilot.app.screen._turn.entry.id in left_out


async def test_home_and_the_first_start_go_by_the_plan(tmp_path):
    async with open_app(tmp_path) as pilot:
        goal = await set_plan(pilot, 10, 5)
        await pilot.app.screen.redraw()
        assert f"of {PROMISED} planned" in await settle(pilot)
        found = await pilot.app.call(planning.describe, pilot.app.study)
        for line in study_plan.topic_lines(found, pilot.app.say):
            assert cells("".join(text for text, _ in line)) <= NARROW[0] - 4, "else it wraps"
    async with open_app(tmp_path, welcomed=False) as pilot:
        assert pilot.app.study.progress.goal == goal
        text = " ".join((await settled(pilot)).split())
        assert "Your plan for" in text
        assert f"5 min per day, {PROMISED} questions still to meet" in text
        assert "New questions per day" not in text
        await tap(pilot, "enter")
        assert isinstance(pilot.app.screen, QuestionScreen)
        assert pilot.app.settings.interview_date is None


async def test_the_settings_that_a_plan_decides_lead_to_it(tmp_path):
    async with open_app(tmp_path, interview_date=date(2026, 12, 24)) as pilot:
        await set_plan(pilot, 40, topics=FEW)
        await pilot.app.open_settings("interview_date")
        text = await settle(pilot)
        assert f"{day_after(pilot, 40)} (by the plan)" in text
        for name in ("New questions per day", "Minutes per day"):
            assert f"{name:24} by the plan" in text
        assert "Your plan decides this until" in " ".join(text.split())
        assert "2026-12-24" not in text
        await tap(pilot, "enter")
        assert isinstance(pilot.app.screen, PlanScreen)
        await settled(pilot)
        await tap(pilot, "x", "escape")
        assert "2026-12-24" in await settle(pilot)
        assert pilot.app.study.progress.interview == from_date(date(2026, 12, 24))
