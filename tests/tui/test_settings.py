"""Settings: changed in place, written at once, used at once; a wrong value changes nothing."""

from __future__ import annotations

import os

import pytest
from textual.widgets import Input

from quizapp.system import config, settings_file
from quizapp.system.width import columns as cells
from quizapp.tui.keys import KEYS
from quizapp.tui.screens.home import HomeScreen
from quizapp.tui.screens.settings import SETTINGS, SettingsScreen
from quizapp.tui.screens.statistics import StatisticsScreen
from quizapp.tui.themes import THEMES
from quizapp.tui.widgets.rows import Rows
from tests.sentences import catalogue
from tests.tui.pilots import WIDE, in_each_size_and_language, open_app, paths_in, press, tap
from tests.tui.screen_text import rest, screen_lines, settle

OPEN = "app.settings"


def read_settings(folder) -> dict[str, object]:
    return config.read_file(paths_in(folder).config)


async def go_to(pilot, key: str) -> str:
    """Put the cursor on a setting."""
    pilot.app.screen.query_one("#settings", Rows).move_to(SETTINGS.index(key))
    return await settle(pilot)


async def change(pilot, key: str, text: str) -> str:
    """Type another value."""
    await go_to(pilot, key)
    await tap(pilot, "enter")
    pilot.app.screen.query_one("#value", Input).value = text
    return await press(pilot, "enter")


@in_each_size_and_language
async def test_every_setting_is_shown_with_its_meaning(tmp_path, size, language):
    async with open_app(tmp_path, at=OPEN, size=size, language=language) as pilot:
        say = pilot.app.say
        for key in SETTINGS:
            text = await press(pilot, *["down"] * bool(SETTINGS.index(key)))
            assert say(f"setting.{key}") in text
            assert f" {key} " in text
            assert say(f"setting.{key}.about")[:20] in text
            assert str(tmp_path)[:40] in text.replace("\n    ", "")
        lines = screen_lines(pilot.app)
        assert len(lines) == size[1]
        assert all(cells(line) <= size[0] for line in lines)


def test_what_is_not_shown_is_known():
    assert set(config.keys()) - set(SETTINGS) == {
        "content",
        "keys",
        "new_per_pack",
        "packs",
        "welcomed",
    }


def test_every_setting_and_key_has_its_words():
    words = catalogue()
    assert all(f"setting.{key}" in words and f"setting.{key}.about" in words for key in SETTINGS)
    assert all(f"key.{name}" in words for name in KEYS)


async def test_the_language_changes_everything_at_once(tmp_path):
    async with open_app(tmp_path, at=OPEN) as pilot:
        text = await press(pilot, "enter", "down", "enter")
        assert "设置" in text
        assert "每日新题" in text
        assert "esc 返回" in text
        assert "✓ 已保存" in text
        assert read_settings(tmp_path) == {"language": "zh"}
        assert "待复习" in await press(pilot, "escape")
    async with open_app(tmp_path, at=OPEN, language="zh") as pilot:
        await tap(pilot, "enter", "up", "enter")
        assert read_settings(tmp_path) == {"language": "en"}


async def test_confidence_is_switched(tmp_path):
    async with open_app(tmp_path, at=OPEN) as pilot:
        await go_to(pilot, "confidence")
        await tap(pilot, "enter")
        assert read_settings(tmp_path) == {"confidence": False}
        assert pilot.app.settings.confidence is False
        await tap(pilot, "enter")
        assert pilot.app.settings.confidence is True


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("new_per_day", "25", 25),
        ("retention", "0.85", 0.85),
        ("editor", "vim -n [x]", "vim -n [x]"),
    ],
)
async def test_a_value_is_typed_written_and_used(tmp_path, key, text, value):
    async with open_app(tmp_path, at=OPEN) as pilot:
        shown = await change(pilot, key, text)
        assert read_settings(tmp_path) == {key: value}
        assert getattr(pilot.app.settings, key) == value
        assert getattr(pilot.app.study.settings, key) == value
        assert text in shown
        assert "✓ saved" in shown
        assert pilot.app.settings.welcomed


async def test_a_date_is_set_and_taken_away(tmp_path):
    async with open_app(tmp_path, at=OPEN) as pilot:
        await change(pilot, "interview_date", "2026-12-24")
        assert str(pilot.app.settings.interview_date) == "2026-12-24"
        await change(pilot, "interview_date", "")
        assert pilot.app.settings.interview_date is None
        assert read_settings(tmp_path) == {}


@pytest.mark.parametrize(
    ("key", "text", "says"),
    [
        ("new_per_day", "1-", "✗ New questions per day: "),
        ("new_per_day", "1001", "1000"),
        ("retention", "2", "0.97"),
        ("interview_date", "tomorrow", "✗ Interview date: "),
    ],
)
async def test_a_wrong_value_changes_nothing_and_says_why(tmp_path, key, text, says):
    async with open_app(tmp_path, at=OPEN) as pilot:
        before = pilot.app.settings
        shown = await change(pilot, key, text)
        assert "✗" in shown
        assert says in shown
        assert read_settings(tmp_path) == {}
        assert pilot.app.settings == before
        assert pilot.app.screen.query_one("#value", Input).value == text
        shown = await press(pilot, "escape")
        assert "✗" not in shown
        assert isinstance(pilot.app.screen, SettingsScreen)


async def test_what_a_file_sets_wrongly_is_said_and_the_default_used(tmp_path):
    async with open_app(tmp_path, at=OPEN, theme="foo", keys={"bury": "u", "flag": "z"}) as pilot:
        await rest(pilot)
        notices = [notice.message for notice in pilot.app._notifications]
        assert any("there is no theme 'foo'" in text for text in notices)
        assert any("bury cannot have the key u: undo (undo) has it" in text for text in notices)
        assert pilot.app.settings.keys == {"flag": "z"}
        assert pilot.app.key_of("bury") == "-"


async def test_escape_leaves_the_field_then_the_screen(tmp_path):
    async with open_app(tmp_path, at=OPEN) as pilot:
        await go_to(pilot, "new_per_day")
        text = await press(pilot, "enter", "4", "q")
        assert pilot.app.screen.query_one("#value").value.endswith("4")
        assert text.rstrip().endswith("^p everything else   esc other keys")
        await tap(pilot, "escape")
        assert isinstance(pilot.app.screen, SettingsScreen)
        assert read_settings(tmp_path) == {}
        await tap(pilot, "escape")
        assert not isinstance(pilot.app.screen, SettingsScreen)


async def test_the_environment_wins_and_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("QUIZ_LANGUAGE", "en")
    async with open_app(tmp_path, at=OPEN) as pilot:
        text = await press(pilot, "enter")
        assert "! QUIZ_LANGUAGE is set in the environment" in text
        assert "! English" in text
        assert read_settings(tmp_path) == {}


async def test_a_folder_that_cannot_be_written_is_told(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    async with open_app(tmp_path, at=OPEN) as pilot:
        monkeypatch.setattr(settings_file, "_replace", refuse)
        text = await press(pilot, "enter", "down", "enter")
        assert "✗ 没有权限" in text
        await tap(pilot, "escape")
        assert pilot.app.settings.language == "en"


async def test_a_damaged_file_is_left_as_it_is(tmp_path):
    async with open_app(tmp_path, at=OPEN) as pilot:
        path = paths_in(tmp_path).config
        path.write_text("language = en\n")
        text = await press(pilot, "enter", "down", "enter")
        assert "✗" in text
        assert path.read_text() == "language = en\n"


async def test_comments_in_the_file_stay(tmp_path):
    path = paths_in(tmp_path).config
    path.write_text("# mine\nnew_per_day = 5  # few\n")
    async with open_app(tmp_path, at=OPEN) as pilot:
        await change(pilot, "new_per_day", "7")
    assert path.read_text() == "# mine\nnew_per_day = 7  # few\n"


async def test_a_theme_is_tried_out_and_kept(tmp_path):
    async with open_app(tmp_path, at=OPEN) as pilot:
        before = pilot.app.theme
        await go_to(pilot, "theme")
        text = await press(pilot, "enter")
        assert all(name in text for name in THEMES[:3])
        assert "keep this" in text
        await tap(pilot, "down")
        tried = THEMES[THEMES.index(before) + 1]
        assert pilot.app.theme == tried
        assert read_settings(tmp_path) == {}
        text = await press(pilot, "enter")
        assert "✓ saved" in text
        assert read_settings(tmp_path) == {"theme": tried}
        assert pilot.app.theme == pilot.app.settings.theme == tried


@pytest.mark.parametrize("way", ["escape", "click"])
async def test_a_theme_that_was_only_tried_out_goes_again(tmp_path, way):
    async with open_app(tmp_path, at=OPEN) as pilot:
        before = pilot.app.settings
        await go_to(pilot, "theme")
        await tap(pilot, "enter", "down", "j")
        assert pilot.app.theme != before.theme
        if way == "escape":
            await tap(pilot, "escape")
        else:
            await pilot.click(offset=(10, 4))
            await rest(pilot)
        assert pilot.app.theme == before.theme
        assert pilot.app.settings == before
        assert read_settings(tmp_path) == {}
        assert isinstance(pilot.app.screen, SettingsScreen)
        assert pilot.app.screen.query_one("#settings", Rows).has_focus


async def test_a_language_is_tried_out(tmp_path):
    async with open_app(tmp_path, at=OPEN) as pilot:
        assert "每日新题" in await press(pilot, "enter", "down")
        assert "New questions per day" in await press(pilot, "escape")
        assert read_settings(tmp_path) == {}


async def go_to_key(pilot, name: str) -> str:
    """Put the cursor on a key."""
    rows = pilot.app.screen.query_one("#settings", Rows)
    packs = len(pilot.app.study.deck.packs)
    rows.move_to(len(SETTINGS) + 2 + 2 * packs + 2 + list(KEYS).index(name))
    return await settle(pilot)


async def test_keys_are_listed_as_they_are_now_with_the_way_to_change_them(tmp_path):
    async with open_app(tmp_path, at=OPEN, size=WIDE, keys={"bury": "ctrl+b"}) as pilot:
        text = await go_to_key(pilot, "bury")
        assert "^b" in text
        assert "default is -" in text


async def test_a_key_is_remapped_by_pressing_it_and_works_at_once(tmp_path):
    async with open_app(tmp_path, at=OPEN) as pilot:
        await go_to_key(pilot, "statistics")
        text = await press(pilot, "enter")
        assert "Press the new key for: statistics" in text
        text = await press(pilot, "ctrl+t")
        assert "✓ saved" in text
        assert "^t" in text
        assert read_settings(tmp_path) == {"keys": {"statistics": "ctrl+t"}}
        await tap(pilot, "escape", "s")
        assert isinstance(pilot.app.screen, HomeScreen)
        await tap(pilot, "ctrl+t")
        assert isinstance(pilot.app.screen, StatisticsScreen)


async def test_a_key_that_is_taken_is_refused_with_what_has_it(tmp_path):
    async with open_app(tmp_path, at=OPEN) as pilot:
        await go_to_key(pilot, "bury")
        for key, holder in (("u", "undo"), ("ctrl+p", "palette"), ("ctrl+z", "suspend")):
            text = await press(pilot, *["enter"] * (key == "u"), key)
            assert "✗" in text
            assert holder in text
        assert read_settings(tmp_path) == {}
        text = await press(pilot, "f9")
        assert "✓ saved" in text
        assert read_settings(tmp_path) == {"keys": {"bury": "f9"}}


async def test_a_new_key_is_canceled_and_the_default_restored(tmp_path):
    async with open_app(tmp_path, at=OPEN, keys={"bury": "f9", "flag": "z"}) as pilot:
        for name in ("bury", "flag"):
            settings_file.set_value(paths_in(tmp_path).config, f"keys.{name}", "f9")
        await go_to_key(pilot, "bury")
        await tap(pilot, "enter", "escape")
        assert isinstance(pilot.app.screen, SettingsScreen)
        assert pilot.app.key_of("bury") == "f9"
        text = await press(pilot, "enter", "backspace")
        assert "✓ saved" in text
        assert pilot.app.key_of("bury") == "-"
        assert pilot.app.settings.keys == {"flag": "z"}
        assert read_settings(tmp_path) == {"keys": {"flag": "f9"}}


async def test_a_second_click_changes_a_setting(tmp_path):
    async with open_app(tmp_path, at=OPEN) as pilot:
        row = next(i for i, line in enumerate(screen_lines(pilot.app)) if "confidence" in line)
        await pilot.click(offset=(10, row))
        await pilot.click(offset=(10, row))
        await tap(pilot)
        assert pilot.app.settings.confidence is False


def test_the_environment_of_the_tests_sets_nothing():
    assert not [name for name in os.environ if name in map(_variable, SETTINGS)]


def _variable(key: str) -> str:
    return config.variable(key)
