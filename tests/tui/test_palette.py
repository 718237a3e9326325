"""The command palette: whatever can be opened is reached by a few letters, in either language."""

from __future__ import annotations

import pytest
from textual.command import CommandList, CommandPalette
from textual.widgets import Input

from quizapp.report.first_words import first_words
from quizapp.store.foreign import Arrival
from quizapp.tui import palette
from quizapp.tui.screens.guide import GuideScreen
from quizapp.tui.screens.home import HomeScreen
from quizapp.tui.screens.question import QuestionScreen
from quizapp.tui.screens.settings import SETTINGS, SettingsScreen
from quizapp.tui.widgets.rows import Rows
from tests.tui.pilots import (
    NOON_MS,
    answer_next,
    in_each_size_and_language,
    make_app,
    open_app,
    press,
    tap,
)
from tests.tui.screen_text import rest, screen_text


def names(pilot) -> list[str]:
    """What is listed, without what it does."""
    found = pilot.app.screen.query_one(CommandList)
    return [str(option.prompt).splitlines()[0].partition("   ")[0] for option in found.options]


async def search(pilot, query: str) -> list[str]:
    """Open the palette and type; what is listed."""
    if not isinstance(pilot.app.screen, CommandPalette):
        await tap(pilot, "ctrl+p")
    pilot.app.screen.query_one(Input).value = query
    await rest(pilot)
    return names(pilot)


async def choose(pilot, query: str) -> str:
    """Choose the first that is found; the screen after."""
    await search(pilot, query)
    return await press(pilot, "enter")


@in_each_size_and_language
async def test_it_opens_from_home_and_offers_what_the_screen_can_do(tmp_path, size, language):
    async with open_app(tmp_path, size=size, language=language) as pilot:
        say = pilot.app.say
        assert f"^p {say('key.everything')}" in screen_text(pilot.app)
        text = await press(pilot, "ctrl+p")
        assert say("palette.placeholder")[:20] in text
        listed = names(pilot)
        for name in ("study", "practice", "browse", "settings", "undo", "quit"):
            assert say(f"key.{name}") in listed
        topic = say.topic(pilot.app.study.deck.topic_names("swizzling"))
        assert say("palette.to-study", topic=topic) in listed
        assert "Search for commands" not in text
        await tap(pilot, "escape")
        assert isinstance(pilot.app.screen, HomeScreen)


async def test_a_topic_is_studied_and_practiced(tmp_path):
    async with open_app(tmp_path) as pilot:
        await choose(pilot, "study swizz")
        turn = pilot.app.screen._turn
        assert (turn.entry.topic, turn.is_practice) == ("swizzling", False)
        await tap(pilot, "escape", "escape")
        await choose(pilot, "practice atomics")
        turn = pilot.app.screen._turn
        assert (turn.entry.topic, turn.is_practice) == ("atomics", True)


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_a_question_is_attempted_by_its_first_words(tmp_path, language):
    async with open_app(tmp_path, language=language) as pilot:
        study = pilot.app.study
        question = next(c.question for c in study.course.candidates() if c.topic == "pipelines")
        words = first_words(study.deck.question(question), language)
        await choose(pilot, words[:60])
        assert isinstance(pilot.app.screen, QuestionScreen)
        assert pilot.app.screen._turn.entry.id == question
        await tap(pilot, "escape", "escape")
        assert isinstance(pilot.app.screen, HomeScreen)


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_a_term_is_explained(tmp_path, language):
    async with open_app(tmp_path, language=language) as pilot:
        assert any("wavefront" in name for name in await search(pilot, "wavefront"))
        text = screen_text(pilot.app)
        term = next(t for t in palette._glossary() if t.en == "bank conflict")
        text = await choose(pilot, term.title(language))
        assert isinstance(pilot.app.screen, GuideScreen)
        assert term.meaning(language)[:20] in text


@pytest.mark.parametrize("query", ["retention", "目标保留率", "remembered"])
async def test_a_setting_is_jumped_to(tmp_path, query):
    async with open_app(tmp_path) as pilot:
        if query == "remembered":
            query = pilot.app.say("setting.retention")
        await choose(pilot, query)
        assert isinstance(pilot.app.screen, SettingsScreen)
        assert pilot.app.screen.query_one(Rows).cursor == SETTINGS.index("retention")


async def test_every_setting_and_topic_is_there(tmp_path):
    async with open_app(tmp_path) as pilot:
        say, rows = pilot.app.say, pilot.app.screen._table
        for key in SETTINGS:
            assert say(f"setting.{key}") in await search(pilot, say(f"setting.{key}"))
        for names in {entry.topic_names for entry in pilot.app.study.deck.entries.values()}:
            name = say.topic(names)
            assert say("palette.to-practice", topic=name) in await search(pilot, name)
        for row in rows:
            if row.topic:
                name = say.topic(row.names)
                assert say("palette.to-study", topic=name) in await search(pilot, name)


async def test_actions_of_the_screen_are_there_with_their_keys(tmp_path):
    async with open_app(tmp_path, keys={"suspend": "ctrl+e"}) as pilot:
        await tap(pilot, "enter")
        await search(pilot, "suspend")
        text = screen_text(pilot.app)
        assert "suspend   ^e" in text
        before = pilot.app.screen_stack[-2]._turn.entry.id
        await choose(pilot, "suspend")
        assert pilot.app.study.progress.card(before).suspended


async def test_the_guided_session_is_there(tmp_path):
    async with open_app(tmp_path) as pilot:
        await choose(pilot, "one of each kind")
        assert isinstance(pilot.app.screen, QuestionScreen)
        assert pilot.app.study.session.narrowed.guided


async def test_letters_in_order_are_enough_for_a_name(tmp_path):
    async with open_app(tmp_path) as pilot:
        assert "statistics" in await search(pilot, "sttcs")


async def test_what_is_not_there_is_said_in_the_persons_language(tmp_path):
    async with open_app(tmp_path, language="zh") as pilot:
        assert await search(pilot, "qqqxxx[/]") == ["没有匹配项。"]
        await tap(pilot, "enter")
        assert isinstance(pilot.app.screen, HomeScreen)


async def test_it_can_have_another_key(tmp_path):
    async with open_app(tmp_path, keys={"palette": "f9"}) as pilot:
        await tap(pilot, "ctrl+p")
        assert isinstance(pilot.app.screen, HomeScreen)
        await tap(pilot, "f9")
        assert isinstance(pilot.app.screen, CommandPalette)


async def test_a_search_among_a_thousand_questions_matches_letters_of_actions_alone(tmp_path):
    """Fuzzy matching costs most of a search, so questions are found by whole words."""
    async with open_app(tmp_path) as pilot:
        commands = palette.collect(pilot.app.study, pilot.app)
        matched = []
        for command in commands:
            command.score(["conflict", "bank"], lambda name: matched.append(name) or 0.0)
        assert matched
        assert len(matched) <= sum(command.fuzzy for command in commands) < len(commands) / 2


async def test_an_import_is_taken_back_and_brought_back(tmp_path):
    other = make_app(tmp_path / "other")
    answer_next(other.study, right=True)
    rows = list(other.study.store.stored_events())
    other.study.store.close()
    async with open_app(tmp_path / "home") as pilot:
        study = pilot.app.study
        assert not [name for name in await search(pilot, "import") if "from" in name]
        await tap(pilot, "escape")
        study.store.take_in(rows, Arrival("arrival", "import", "other.jsonl", NOON_MS))
        study.session.begin(study.session.narrowed)
        assert len(study.progress.cards) == 1
        await choose(pilot, "take back 1 answer from other.jsonl")
        assert study.progress.cards == {}
        await choose(pilot, "bring back 1 answer from other.jsonl")
        assert len(study.progress.cards) == 1
