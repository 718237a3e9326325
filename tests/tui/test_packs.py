"""Packs on the screens: listed, switched, and said what that means."""

from __future__ import annotations

from pathlib import Path

import pytest

from quizapp.deck.deck import load
from quizapp.study.home_values import Filter
from quizapp.system import config
from quizapp.tui.screens.home import HomeScreen
from quizapp.tui.screens.question import QuestionScreen
from quizapp.tui.screens.settings import SettingsScreen
from tests.deck.tools import NUMBER
from tests.tui.pilots import WIDE, in_each_size_and_language, open_app, paths_in, press, tap
from tests.tui.screen_text import screen_text, settle


def write_packs(folder: Path) -> None:
    """Two packs that are on, and one that is off by default."""
    for pack, title, on in (
        ("basics", "Basics", True),
        ("deep", "Deep", True),
        ("old", "Old", False),
    ):
        at = folder / pack
        at.mkdir(parents=True)
        (at / "pack.yaml").write_text(
            f"title: {{en: {title} things, zh: {title} 题}}\n"
            f"description: {{en: What {title} is about., zh: 关于 {title}。}}\n"
            f"on_by_default: {str(on).lower()}\n"
            f'version: "{pack} 1.2"\nlicense: MIT\n'
            "topics: {shared-id: {en: one topic, zh: 主题一}}\n"
        )
        text = NUMBER.replace("topic: banks", "topic: shared-id")
        questions = (
            text.replace("id: a-number", f"id: q-{n}").replace("strides", f"{pack}-{n}")
            for n in range(4)
        )
        (at / "questions.yaml").write_text("".join(questions))


@pytest.fixture
def deck(tmp_path):
    write_packs(tmp_path / "packs")
    return load([str(tmp_path / "packs")], str(tmp_path / "deck-of-packs"))


def read_settings(folder: Path) -> dict[str, object]:
    """What the settings file sets."""
    return config.read_file(paths_in(folder).config)


def row_of(pilot, pack: str, topic: str = "") -> int:
    table = pilot.app.screen._table
    return [(row.pack, row.topic) for row in table].index((pack, topic))


async def go_to(pilot, pack: str, topic: str = "") -> str:
    pilot.app.screen._rows.move_to(row_of(pilot, pack, topic))
    return await settle(pilot)


@in_each_size_and_language
async def test_home_lists_topics_below_their_packs(tmp_path, deck, size, language):
    async with open_app(tmp_path, deck=deck, size=size, language=language) as pilot:
        text = screen_text(pilot.app)
        say = pilot.app.say
        for pack in deck.packs.values():
            assert say.topic(pack.titles) in text
        assert text.count(say.topic(deck.topic_names("shared-id"))) == 2
        assert say("home.pack-off", n=4) in text
        places = [(row.pack, row.topic) for row in pilot.app.screen._table]
        assert places == [
            ("", ""), ("basics", ""), ("basics", "shared-id"), ("deep", ""), ("deep", "shared-id"),
            ("old", ""),
        ]  # fmt: skip


@in_each_size_and_language
async def test_a_pack_is_switched_off_and_on_by_a_key(tmp_path, deck, size, language):
    async with open_app(tmp_path, deck=deck, size=size, language=language) as pilot:
        say = pilot.app.say
        await go_to(pilot, "deep")
        text = screen_text(pilot.app)
        assert f"o {say('key.pack-off')}" in text
        text = await press(pilot, "o")
        assert read_settings(tmp_path)["packs"] == {"deep": False}
        assert f"o {say('key.pack-on')}" in text
        assert ("deep", "shared-id") not in [(r.pack, r.topic) for r in pilot.app.screen._table]
        assert pilot.app.screen._row.pack == "deep"
        (toast,) = pilot.app._notifications
        assert toast.message == say(
            "settings.pack-is-off", title=say.topic(deck.packs["deep"].titles)
        )
        study = pilot.app.study
        assert {item.question.split("/")[0] for item in study.session.queue.waiting} == {"basics"}
        text = await press(pilot, "o")
        assert read_settings(tmp_path)["packs"] == {"deep": True}
        assert {item.question.split("/")[0] for item in study.session.queue.waiting} == {
            "basics",
            "deep",
        }


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_home_says_version_license_and_count_of_a_pack(tmp_path, deck, language):
    async with open_app(tmp_path, deck=deck, size=WIDE, language=language) as pilot:
        say = pilot.app.say
        for pack in ("deep", "old"):
            text = await go_to(pilot, pack)
            assert say("pack.version", version=f"{pack} 1.2") in text
            assert say("pack.license", license="MIT") in text
            assert say("count.questions", n=4) in text


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_settings_limit_the_new_questions_of_a_pack(tmp_path, deck, language, monkeypatch):
    async with open_app(tmp_path, deck=deck, size=WIDE, language=language) as pilot:
        say = pilot.app.say
        screen = SettingsScreen("packs")
        await pilot.app.push_screen(screen)
        text = await press(pilot, "down")
        assert text.count(say("settings.pack-no-limit")) == 3
        assert "new_per_pack.basics" in text
        text = await press(pilot, "enter", "1", "enter")
        assert read_settings(tmp_path)["new_per_pack"] == {"basics": 1}
        assert pilot.app.settings.new_per_pack == {"basics": 1}
        assert text.count(say("settings.pack-no-limit")) == 2
        new = [item.question.split("/")[0] for item in pilot.app.study.session.queue.waiting]
        assert new.count("basics") == 1
        text = await press(pilot, "enter", "backspace", "x", "minus", "1", "enter")
        assert "✗ new_per_pack.basics" in text
        text = await press(pilot, "backspace", "backspace", "enter")
        assert read_settings(tmp_path)["new_per_pack"] == {}
        assert pilot.app.settings.new_per_pack == {}
        monkeypatch.setenv("QUIZ_NEW_PER_PACK", "basics=2")
        text = await press(pilot, "up", "down", "enter")
        assert say("settings.pack-fixed", variable="QUIZ_NEW_PER_PACK") in text.replace("\n", " ")


async def test_reviews_that_wait_are_counted_beside_the_pack(tmp_path, deck):
    async with open_app(tmp_path, deck=deck, size=WIDE, answers=[True] * 4) as pilot:
        await go_to(pilot, "basics")
        pilot.app.study.clock.pass_days(60)
        await tap(pilot, "o")
        messages = " ".join(toast.message for toast in pilot.app._notifications)
        assert "2 due reviews wait" in messages
        text = await settle(pilot)
        assert "2 due reviews wait" in text
        assert pilot.app.screen._facts.whole.due == 2
        await tap(pilot, "o")
        assert pilot.app.screen._facts.whole.due == 4


async def test_a_pack_is_studied_and_one_that_is_off_is_practiced(tmp_path, deck):
    async with open_app(tmp_path, deck=deck) as pilot:
        await go_to(pilot, "deep", "shared-id")
        await tap(pilot, "enter")
        assert pilot.app.screen._turn.entry.pack == "deep"
        assert pilot.app.study.session.narrowed == Filter(topic="shared-id", pack="deep")
        await tap(pilot, "escape", "escape")
        assert isinstance(pilot.app.screen, HomeScreen)
        await go_to(pilot, "old")
        await tap(pilot, "enter")
        assert isinstance(pilot.app.screen, HomeScreen)
        assert "o switches it on" in " ".join(toast.message for toast in pilot.app._notifications)
        await tap(pilot, "p")
        assert isinstance(pilot.app.screen, QuestionScreen)
        assert pilot.app.screen._turn.entry.pack == "old"
        assert pilot.app.screen._turn.is_practice


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_a_question_of_a_pack_that_is_off_is_found_and_marked(tmp_path, deck, language):
    async with open_app(tmp_path, deck=deck, size=WIDE, language=language) as pilot:
        off = pilot.app.say("browser.state.resting")
        await tap(pilot, "slash")
        text = await press(pilot, *("space" if key == " " else key for key in off))
        assert text.count(off) >= 4
        await tap(pilot, "enter")
        assert pilot.app.screen._turn.entry.pack == "old"
        assert pilot.app.screen._turn.is_practice


@in_each_size_and_language
async def test_a_pack_is_switched_in_the_settings(tmp_path, deck, size, language):
    async with open_app(tmp_path, deck=deck, size=size, language=language) as pilot:
        await tap(pilot, "comma")
        screen = pilot.app.screen
        assert isinstance(screen, SettingsScreen)
        place = next(i for i, line in enumerate(screen._lines) if line.pack == "old")
        screen._rows.move_to(place)
        text = await settle(pilot)
        assert "packs.old" in text
        assert pilot.app.say("settings.pack-off") in text
        await tap(pilot, "enter")
        assert read_settings(tmp_path)["packs"] == {"old": True}
        assert "old" in pilot.app.study.course.packs_on
        await tap(pilot, "enter")
        assert "old" not in pilot.app.study.course.packs_on


async def test_a_pack_that_a_variable_sets_stays_as_it_is(tmp_path, deck, monkeypatch):
    monkeypatch.setenv("QUIZ_PACKS", "deep=false")
    async with open_app(tmp_path, deck=deck, packs={"deep": False}) as pilot:
        await go_to(pilot, "deep")
        await tap(pilot, "o")
        (toast,) = pilot.app._notifications
        assert "QUIZ_PACKS" in toast.message
        assert "deep" not in pilot.app.study.course.packs_on
