"""The guided first session, by keys: each kind says how it works, it can be left, and repeated."""

from __future__ import annotations

import pytest

from quizapp.domain.question import KINDS
from quizapp.report.content.question_text import explain_kind
from quizapp.tui.screens.guide import GuideScreen
from quizapp.tui.screens.home import HomeScreen
from quizapp.tui.screens.question import QuestionScreen
from quizapp.tui.screens.summary import SummaryScreen
from tests.tui.pilots import NARROW, answer_next, in_each_size_and_language, open_app, press, tap
from tests.tui.screen_text import screen_text


def asked(app) -> str:
    return app.screen._turn.entry.kind


@in_each_size_and_language
async def test_each_kind_says_in_one_line_how_it_works(tmp_path, size, language):
    async with open_app(tmp_path, welcomed=False, size=size, language=language) as pilot:
        app = pilot.app
        text = await press(pilot, "enter")
        shown = []
        while isinstance(app.screen, QuestionScreen):
            kind = asked(app)
            shown.append(kind)
            said = explain_kind(app.screen._turn, app.say)
            # Beside an editor it is wrapped to half of the screen.
            assert (said if size == NARROW else said[:20]) in text, kind
            await app.call(answer_next, app.study, right=True)
            await app.screen.next()
            text = await press(pilot)
        assert sorted(shown) == sorted(KINDS)
        assert isinstance(app.screen, SummaryScreen)
        await tap(pilot, "escape")
        assert isinstance(app.screen, HomeScreen)


async def test_it_ends_after_its_questions_whatever_the_answers(tmp_path):
    async with open_app(tmp_path, welcomed=False) as pilot:
        app, counted = pilot.app, []
        text = await press(pilot, "enter")
        while isinstance(app.screen, QuestionScreen):
            counted.append(text.split(" · ")[0].strip())
            if app.screen._in_field:
                await tap(pilot, "escape")
            while not app.screen._attempt.is_graded:
                text = await press(pilot, "g")
            assert "again today" in text
            text = await press(pilot, "enter")
        assert counted == [f"{n} of {len(KINDS)}" for n in range(1, len(KINDS) + 1)]
        assert isinstance(app.screen, SummaryScreen)


async def test_leaving_it_loses_nothing(tmp_path):
    async with open_app(tmp_path, welcomed=False) as pilot:
        app = pilot.app
        first = await press(pilot, "enter", "escape")
        assert isinstance(app.screen, HomeScreen), first
        text = await press(pilot, "enter")
        assert asked(app) == "choice"
        assert app.say("guide.kind.choice") in text
        assert app.study.session.queue.left > 0


async def test_on_leaving_it_the_way_back_is_said(tmp_path):
    async with open_app(tmp_path, welcomed=False) as pilot:
        app = pilot.app
        await tap(pilot, "enter", "escape")
        said = "On the home screen, t continues with one question of each kind."
        assert [toast.message for toast in app._notifications] == [said]
        await tap(pilot, "t")
        assert app.study.session.narrowed.guided
        await tap(pilot, "escape", "enter", "escape")
        assert not [t for t in app._notifications if t.message == said and not t.has_expired]


async def test_a_kind_is_explained_until_one_of_it_was_answered(tmp_path):
    async with open_app(tmp_path, answers=[True] * 7) as pilot:
        app = pilot.app
        assert app.say(f"guide.kind.{asked_after(app)}") not in await press(pilot, "enter")


def asked_after(app) -> str:
    return app.study.session.next().entry.kind


@pytest.mark.parametrize("way", ["help", "palette"])
async def test_it_is_repeated_from_help_and_palette_as_practice(tmp_path, way):
    async with open_app(tmp_path, answers=[True] * 8) as pilot:
        app = pilot.app
        if way == "help":
            assert "t one of each kind" in await press(pilot, "question_mark")
            text = await press(pilot, "t")
        else:
            await tap(pilot, "ctrl+p", *"one of each")
            text = await press(pilot, "enter")
        assert isinstance(app.screen, QuestionScreen)
        assert app.say("guide.kind.choice") in text
        assert app.screen._turn.is_practice
        assert app.study.session.queue.left == len(KINDS)
        await tap(pilot, "escape")
        assert isinstance(app.screen, GuideScreen if way == "help" else HomeScreen)
        assert "1 of" not in screen_text(app)
