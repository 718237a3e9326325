"""Practice on the screen: it says so, rates nothing, schedules nothing, and gives back what was."""

from __future__ import annotations

import pytest

from quizapp.study.home_values import Filter
from quizapp.tui.screens.home import HomeScreen
from quizapp.tui.screens.question import QuestionScreen
from quizapp.tui.screens.summary import SummaryScreen
from tests.tui.pilots import open_app, press, tap
from tests.tui.screen_text import screen_text, settle

CHOICES = """\
- id: first
  kind: choice
  topic: banks
  concept: first
  difficulty: 1
  prompt: Which is the first?
  options:
    - {text: this one, correct: true}
    - {text: the other, why: because}
  explanation: It is so.
  sources: [s]
- id: second
  kind: choice
  topic: banks
  concept: second
  difficulty: 1
  prompt: Which is the second?
  options:
    - {text: this one, correct: true}
    - {text: the other, why: because}
  explanation: It is so.
  sources: [s]
"""
CHOSEN = ("mine/first", "mine/second")


@pytest.fixture
def folder(tmp_path):
    pack = tmp_path / "content" / "mine"
    pack.mkdir(parents=True)
    (pack / "q.yaml").write_text(CHOICES, "utf-8")
    return tmp_path


async def practice(pilot, *questions: str) -> str:
    await pilot.app.study_these(Filter(questions=questions, practice=True))
    return await settle(pilot)


@pytest.mark.parametrize(
    ("language", "said", "after"),
    [("en", "practice", "the schedule stays as it was"), ("zh", "练习", "不改变复习安排")],
)
async def test_the_first_line_says_practice_and_nothing_is_rated(folder, language, said, after):
    async with open_app(folder, language=language, confidence=False) as pilot:
        text = await practice(pilot, *CHOSEN)
        assert said in text.splitlines()[0]
        text = await press(pilot, "1", "enter")
        assert after in text
        assert "1 again" not in text
        assert "[3" not in text
        before = pilot.app.study.store.count_events()
        await tap(pilot, "3")
        assert pilot.app.study.store.count_events() == before
        assert pilot.app.study.progress.card("mine/first").memory is None


async def test_one_question_ends_where_it_was_begun_and_several_with_what_they_came_to(folder):
    async with open_app(folder, confidence=False) as pilot:
        queue = pilot.app.study.session.queue
        await practice(pilot, CHOSEN[0])
        await tap(pilot, "1", "enter", "enter")
        assert isinstance(pilot.app.screen, HomeScreen)
        await practice(pilot, *CHOSEN)
        text = await press(pilot, "1", "enter", "enter", "1", "enter", "enter")
        assert isinstance(pilot.app.screen, SummaryScreen)
        assert "practice" in text
        await tap(pilot, "escape")
        assert isinstance(pilot.app.screen, HomeScreen)
        assert pilot.app.study.session.queue == queue


async def test_leaving_in_the_middle_gives_the_session_back(folder):
    async with open_app(folder) as pilot:
        queue = pilot.app.study.session.queue
        await practice(pilot, *CHOSEN)
        await tap(pilot, "escape")
        assert isinstance(pilot.app.screen, HomeScreen)
        assert pilot.app.study.session.queue == queue
        assert pilot.app.study.session.narrowed == Filter()


async def test_a_question_that_was_answered_meanwhile_is_not_asked_twice(folder):
    async with open_app(folder, confidence=False) as pilot:
        await tap(pilot, "enter")
        assert isinstance(pilot.app.screen, QuestionScreen)
        name = pilot.app.screen._turn.entry.id
        await pilot.app.call(pilot.app.study.marks.reveal, name)
        await practice(pilot, CHOSEN[0])
        await tap(pilot, "escape")
        assert isinstance(pilot.app.screen, QuestionScreen)
        assert pilot.app.screen._turn.entry.id != name


async def test_undo_within_practice_asks_again(folder):
    async with open_app(folder, confidence=False) as pilot:
        await practice(pilot, CHOSEN[0])
        await tap(pilot, "1", "enter")
        text = await press(pilot, "u")
        assert "practice" in text.splitlines()[0]
        assert pilot.app.screen._attempt.is_open


async def test_nothing_to_ask_is_said(folder):
    async with open_app(folder) as pilot:
        assert "There is no question to ask here." in await practice(pilot, "mine/gone")
        assert isinstance(pilot.app.screen, HomeScreen)
        assert "Due" in screen_text(pilot.app)
