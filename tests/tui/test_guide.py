"""Help: the keys of where it was opened come first, every key stands somewhere, all is searched."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from quizapp.deck.glossary import read_terms
from quizapp.system.paths import shipped_content
from quizapp.system.width import columns as cells
from quizapp.tui.keys import KEYS, SCREENS
from quizapp.tui.screens.guide import GuideScreen
from tests.tui.pilots import in_each_size_and_language, open_app, press, tap
from tests.tui.screen_text import screen_lines, screen_text, settle

GUIDE = "app.guide"


def headings(pilot) -> list[str]:
    return [heading for heading, _ in pilot.app.screen._sections()]


async def search(pilot, query: str) -> str:
    """Type a query; the page below the search line."""
    await tap(pilot, "slash")
    pilot.app.screen.query_one("#search", Input).value = query
    return "\n".join((await settle(pilot)).splitlines()[3:-1])


@in_each_size_and_language
async def test_the_keys_of_the_screen_come_first(tmp_path, size, language):
    async with open_app(tmp_path, at="app.browse", size=size, language=language) as pilot:
        await tap(pilot, "escape", "question_mark")
        lines = screen_lines(pilot.app)
        say = pilot.app.say
        assert say("guide.here") in lines[4]
        first = "\n".join(lines[5:13])
        for name in ("attempt", "search", "practice", "look", "reveal"):
            assert say(f"key.{name}") in first
        assert all(cells(line) <= size[0] for line in lines)
        assert len(lines) == size[1]


async def test_every_key_stands_under_some_screen(tmp_path):
    async with open_app(tmp_path, at=GUIDE) as pilot:
        screen = pilot.app.screen
        texts = {e.text for _, entries in list(screen._sections())[1:] for e in entries if e.key}
        assert texts >= {pilot.app.say(f"key.{name}") for name in KEYS}


async def test_a_remapped_key_is_shown_as_it_is(tmp_path):
    async with open_app(tmp_path, at=GUIDE, keys={"statistics": "ctrl+t"}) as pilot:
        assert "^t      statistics" in screen_text(pilot.app)


@pytest.mark.parametrize(
    ("language", "finds"),
    [
        (
            "en",
            {
                "BANK conflict": "bank conflict · bank 冲突",
                "override": "1 to 4 override it",
                "conflict wavefront distinct": "n-way bank conflict",
            },
        ),
        (
            "zh",
            {
                "共享内存": "共享内存 · shared memory",
                "撤销": "u       撤销",
                "存储体冲突": "bank 冲突 · bank conflict",
            },
        ),
    ],
)
async def test_search_finds_keys_rules_and_terms(tmp_path, language, finds):
    async with open_app(tmp_path, at=GUIDE, language=language) as pilot:
        for query, found in finds.items():
            assert found in await search(pilot, query)


async def test_what_is_not_there_is_not_found_and_escape_leads_back(tmp_path):
    async with open_app(tmp_path, at=GUIDE) as pilot:
        assert "Nothing here mentions that." in await search(pilot, "qqq[/]")
        await tap(pilot, "escape")
        assert headings(pilot)[0] in await press(pilot, "escape")
        await tap(pilot, "escape")
        assert not isinstance(pilot.app.screen, GuideScreen)


async def test_the_whole_glossary_is_there_in_the_persons_language(tmp_path):
    terms = read_terms(shipped_content())
    assert len(terms) > 40
    async with open_app(tmp_path, at=GUIDE, language="zh") as pilot:
        entries = dict(list(pilot.app.screen._sections()))[pilot.app.say("guide.glossary")]
        assert [e.text for e in entries] == [t.means.zh for t in terms]
        assert "术语表" not in screen_text(pilot.app)
        assert terms[-1].zh in await press(pilot, "end")


async def test_keys_that_scroll(tmp_path):
    async with open_app(tmp_path, at=GUIDE) as pilot:
        first = pilot.app.say("guide.here")
        assert first in (await press(pilot, "j")).splitlines()[3]
        assert first in (await press(pilot, "k")).splitlines()[4]


def test_a_term_in_either_language():
    term = next(t for t in read_terms(shipped_content()) if t.en == "bank conflict")
    assert term.title("en") == "bank conflict · bank 冲突"
    assert term.title("zh") == "bank 冲突 · bank conflict"
    kept = next(t for t in read_terms(shipped_content()) if t.keep)
    assert kept.title("zh") == kept.title("en") == kept.en


@in_each_size_and_language
async def test_no_key_of_the_help_touches_the_next_or_is_cut(tmp_path, size, language):
    async with open_app(tmp_path, at="app.guide", size=size, language=language) as pilot:
        page = pilot.app.screen.query_one("#page")
        lines = page.render().plain.splitlines()
        for name in (name for ids in SCREENS.values() for name in ids):
            what = pilot.app.say(f"key.{name}")
            assert any(f"{what}  " in line or line.endswith(what) for line in lines), what
