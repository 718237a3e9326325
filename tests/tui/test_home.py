"""Home: topics can be moved to, studied, practiced and looked into; all counts agree."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from textual.pilot import Pilot

from grader.facts import fact
from quizapp.domain.days import Instant
from quizapp.domain.errors import StoreError, StoreLocked
from quizapp.report.first_words import first_words
from quizapp.study import overview
from quizapp.study.home_values import Filter
from quizapp.study.service import Study
from quizapp.system.width import columns as cells
from quizapp.tui.app import HomeFirst, QuizApp
from quizapp.tui.screens.home import HomeScreen
from quizapp.tui.screens.question import QuestionScreen
from quizapp.tui.widgets.rows import Rows
from tests.shipped_packs import ASKED, OPTIONAL, SHIPPED
from tests.tui.pilots import (
    NARROW,
    WIDE,
    FixedClock,
    answer_next,
    make_app,
    open_app,
    press,
    tap,
)
from tests.tui.screen_text import count_message, rest, screen_lines, screen_text, settle


def topic_here(pilot) -> str:
    """The topic under the cursor; empty for all."""
    row = pilot.app.screen._part
    return row.topic if row is not None else ""


def name_here(pilot) -> str:
    """What the topic under the cursor is called."""
    return pilot.app.say.topic(pilot.app.screen._part.names)


@pytest.mark.parametrize(
    ("size", "language"),
    [(NARROW, "en"), (WIDE, "zh"), ((60, 18), "zh"), ((200, 60), "en")],
    ids=str,
)
async def test_it_fits(tmp_path, size, language):
    answers = [True, False, True]
    async with open_app(tmp_path, size=size, language=language, answers=answers) as pilot:
        say = pilot.app.say
        for keys in ((), ("down",), ("right",), ("d",), ("down", "down")):
            text = await press(pilot, *keys)
            lines = screen_lines(pilot.app)
            assert len(lines) == size[1]
            assert all(cells(line) <= size[0] for line in lines)
            assert say("home.due") in text
            assert say("key.everything") in lines[-1]


@pytest.mark.parametrize("key", ["enter", "right"])
async def test_a_topic_is_moved_to_and_studied(tmp_path, key):
    async with open_app(tmp_path) as pilot:
        assert "all topics" in next(ln for ln in screen_lines(pilot.app) if "❯" in ln)
        text = await press(pilot, "down", "right", "j", "j", "k")
        topic = topic_here(pilot)
        assert topic
        assert name_here(pilot) in next(ln for ln in text.splitlines() if "❯" in ln)
        assert "enter this topic" in text
        await tap(pilot, key)
        assert isinstance(pilot.app.screen, QuestionScreen)
        assert pilot.app.screen._turn.entry.topic == topic
        assert not pilot.app.screen._turn.is_practice
        text = await press(pilot, "escape", "escape")
        assert isinstance(pilot.app.screen, HomeScreen)
        assert topic_here(pilot) == topic
        assert len(pilot.app.screen._facts.topics) > 5


def packs_shown(pilot) -> dict[str, str]:
    """The sign before each pack's name."""
    found = (re.search(r"([▸▾ ]) (\w+(?: \S+)*)  ", line) for line in screen_lines(pilot.app))
    titles = {
        pilot.app.say.topic(pack.titles): pack.id for pack in pilot.app.study.deck.packs.values()
    }
    return {titles[m[2]]: m[1] for m in found if m and m[2] in titles}


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_where_there_is_little_room_packs_are_folded(tmp_path, language):
    async with open_app(tmp_path, language=language) as pilot:
        shown = packs_shown(pilot)
        assert [*shown.values()] == ["▸"] * len(ASKED) + [" "] * len(OPTIONAL)
        assert [*shown] == [*SHIPPED]


async def test_as_many_packs_as_fit_show_their_topics(tmp_path):
    async with open_app(tmp_path, size=WIDE) as pilot:
        shown = packs_shown(pilot)
        assert [*shown.values()] == ["▾", *["▸"] * len(ASKED[1:]), *[" "] * len(OPTIONAL)]
        assert not pilot.app.screen.query_one(Rows).show_vertical_scrollbar
    async with open_app(tmp_path, size=(200, 70)) as pilot:
        assert packs_shown(pilot)["fundamentals"] == "▾"
        rows = pilot.app.screen.query_one(Rows)
        needed = len(pilot.app.screen._table)
        exactly = 70 - (rows.size.height - needed)
    for height, sign in ((exactly, "▾"), (exactly - 1, "▸")):
        async with open_app(tmp_path, size=(200, height)) as pilot:
            assert packs_shown(pilot)["fundamentals"] == sign


async def test_a_pack_is_unfolded_and_folded_below_a_cursor_that_stays(tmp_path):
    async with open_app(tmp_path) as pilot:
        text = await press(pilot, "down")
        assert "enter study" in text
        assert "→ topics" in text
        before = next(at for at, line in enumerate(screen_lines(pilot.app)) if "❯" in line)
        text = await press(pilot, "right")
        assert "← fold" in text
        assert packs_shown(pilot)["shared-memory"] == "▾"
        after = next(at for at, line in enumerate(screen_lines(pilot.app)) if "❯" in line)
        assert after == before
        text = await press(pilot, "right")
        assert isinstance(pilot.app.screen, HomeScreen)
        assert packs_shown(pilot)["shared-memory"] == "▾"
        await tap(pilot, "down", "down")
        assert topic_here(pilot)
        await tap(pilot, "left")
        assert packs_shown(pilot)["shared-memory"] == "▸"
        after = next(at for at, line in enumerate(screen_lines(pilot.app)) if "❯" in line)
        assert after == before


async def test_what_was_unfolded_stays_so(tmp_path):
    async with open_app(tmp_path) as pilot:
        await tap(pilot, "down", "right", "enter")
        assert pilot.app.study.session.narrowed == Filter(pack="shared-memory")
        await tap(pilot, "escape", "escape")
        assert isinstance(pilot.app.screen, HomeScreen)
        assert packs_shown(pilot)["shared-memory"] == "▾"
        await pilot.resize_terminal(*WIDE)
        await rest(pilot)
        shown = packs_shown(pilot)
        assert (shown["shared-memory"], shown["fundamentals"]) == ("▾", "▸")


async def test_where_the_table_is_not_seen_nothing_is_folded(tmp_path):
    async with open_app(tmp_path) as pilot:
        text = await press(pilot, "down", "d")
        assert "→ topics" not in text
        await tap(pilot, "right", "left", "escape")
        assert packs_shown(pilot)["shared-memory"] == "▸"


async def test_the_first_row_studies_everything(tmp_path):
    async with open_app(tmp_path) as pilot:
        await tap(pilot, "down", "up", "enter")
        assert isinstance(pilot.app.screen, QuestionScreen)
        assert pilot.app.study.session.narrowed == Filter()


async def test_a_topic_is_practiced(tmp_path):
    async with open_app(tmp_path) as pilot:
        await tap(pilot, "down", "right", "down")
        topic = topic_here(pilot)
        assert topic
        await tap(pilot, "p")
        turn = pilot.app.screen._turn
        assert turn.is_practice
        assert turn.entry.topic == topic


async def test_a_click_moves_and_a_second_studies(tmp_path):
    async with open_app(tmp_path) as pilot:
        await tap(pilot, "down", "right")
        there = next(row for row in pilot.app.screen._table[3:] if row.topic)
        name = pilot.app.say.topic(there.names)
        row = next(i for i, ln in enumerate(screen_lines(pilot.app)) if f"  {name} " in ln)
        await pilot.click(offset=(6, row))
        await rest(pilot)
        assert topic_here(pilot) == there.topic
        await pilot.click(offset=(6, row))
        await rest(pilot)
        assert pilot.app.screen._turn.entry.topic == there.topic


async def test_the_topic_beside_the_table_follows_the_cursor(tmp_path):
    async with open_app(tmp_path, size=WIDE, answers=[True, False, True]) as pilot:
        for _ in range(3):
            text = await press(pilot, "down")
            name = name_here(pilot)
            beside = [ln.partition("│")[2] for ln in text.splitlines() if "│" in ln]
            assert beside[0].strip() == name
            assert any("not yet" in ln for ln in beside)
        assert "d detail" not in text


async def test_in_little_room_a_key_opens_the_topic_in_place_of_the_table(tmp_path):
    async with open_app(tmp_path, answers=[True, False]) as pilot:
        assert "not yet" not in screen_text(pilot.app)
        text = await press(pilot, "down", "right", "down", "d")
        assert "not yet" in text
        assert "known    " not in text
        first = topic_here(pilot)
        text = await press(pilot, "down")
        assert topic_here(pilot) != first
        assert name_here(pilot) in text
        text = await press(pilot, "escape")
        assert "not yet" not in text
        assert isinstance(pilot.app.screen, HomeScreen)
        await tap(pilot, "escape")
        assert isinstance(pilot.app.screen, HomeScreen)
        assert pilot.app.screen.query_one(Rows).has_focus


async def test_the_hardest_questions_are_named_by_their_first_words(tmp_path):
    clock = FixedClock()
    async with open_app(tmp_path, size=WIDE, clock=clock) as pilot:
        turn = answer_next(pilot.app.study, right=True)
        clock.pass_days(5)
        pilot.app.study.session.begin(Filter(questions=(turn.entry.id,)))
        answer_next(pilot.app.study, right=False)
        pilot.app.study.session.begin(Filter())
        await pilot.app.screen.redraw()
        text = await settle(pilot)
        assert "hardest for you" in text
        assert first_words(turn.question, "en")[:20] in text
        assert "1 lapse" in text


@pytest.mark.parametrize("narrowed", [Filter(topic="banks"), Filter(kind="number"), Filter()])
async def test_the_line_of_today_and_the_table_agree(tmp_path, narrowed):
    clock = FixedClock()
    async with open_app(tmp_path, clock=clock, answers=[True] * 6) as pilot:
        clock.pass_days(40)
        pilot.app.narrowed = narrowed
        pilot.app.study.session.begin(narrowed)
        await pilot.app.screen.redraw()
        text = await settle(pilot)
        due = int(re.search(r"Due (\d+)", text).group(1))
        unseen = int(re.search(r"of ([\d,]+) unseen", text).group(1).replace(",", ""))
        (*whole, _), *_ = re.findall(r"(?:%|–) +(\d+|·) +([\d,]+|·)($)", text, re.MULTILINE)
        assert [int(n.replace(",", "")) if n != "·" else 0 for n in whole] == [due, unseen]
        rows = pilot.app.screen._facts.topics
        assert [sum(row.due for row in rows), sum(row.new for row in rows)] == [due, unseen]


async def test_what_the_limit_leaves_for_another_day_is_said(tmp_path):
    clock = FixedClock()
    settings = {"reviews_per_day": 2}
    async with open_app(tmp_path, clock=clock, answers=[True] * 4, **settings) as pilot:
        clock.pass_days(40)
        pilot.app.study.session.begin(Filter())
        await pilot.app.screen.redraw()
        assert "Due 4 (2 of them today)" in await settle(pilot)


async def test_no_day_is_counted_but_a_streak_is(tmp_path):
    clock = FixedClock()
    async with open_app(tmp_path, clock=clock, answers=[True]) as pilot:
        first = screen_lines(pilot.app)[0]
        assert "day" not in first
        assert first.endswith("Fri 20 Nov")
        clock.pass_days(1)
        answer_next(pilot.app.study, right=True)
        await pilot.app.screen.redraw()
        await rest(pilot)
        assert "2 days in a row" in screen_lines(pilot.app)[0]


@pytest.mark.parametrize(
    ("language", "named"),
    [("en", "Fri 20 Nov, until 04:00"), ("zh", "11 月 20 日 周五（到 04:00 为止）")],
)
async def test_past_midnight_it_says_until_when_the_day_goes_on(tmp_path, language, named):
    clock = FixedClock()
    clock.moment = Instant(clock.moment.utc_ms + 15 * 3_600_000, 0)
    async with open_app(tmp_path, clock=clock, language=language) as pilot:
        assert screen_lines(pilot.app)[0].endswith(named)
        clock.moment = Instant(clock.moment.utc_ms + 3_600_000, 0)
        await pilot.app.screen.redraw()
        await rest(pilot)
        assert "04:00" not in screen_lines(pilot.app)[0]


async def test_the_interview_stands_in_the_first_line(tmp_path):
    settings = {"interview_date": date(2026, 12, 24)}
    async with open_app(tmp_path, size=WIDE, answers=[True], **settings) as pilot:
        assert "interview in 34 days" in screen_lines(pilot.app)[0]
        assert re.search(r"\d+% of what you met is recalled on", screen_text(pilot.app))
        await pilot.app.workers.wait_for_complete()
        assert re.search(r"Ready: \d+% of what is asked, \d+% \(", await settle(pilot))


async def test_an_answer_is_taken_back(tmp_path):
    async with open_app(tmp_path, answers=[False]) as pilot:
        assert "Due 1" in screen_text(pilot.app)
        assert "Due 0" in await press(pilot, "u")
        assert "Due 1" in await press(pilot, "U")


async def test_when_nothing_is_left_more_is_offered(tmp_path):
    async with open_app(tmp_path, new_per_day=0) as pilot:
        text = screen_text(pilot.app)
        assert "Nothing is due." in text
        assert "n more new questions" in text
        await tap(pilot, "n")
        assert isinstance(pilot.app.screen, QuestionScreen)
        assert "Nothing is due." in await press(pilot, "escape")


async def test_a_topic_that_is_done_for_today_says_how_to_go_on(tmp_path):
    async with open_app(tmp_path, new_per_day=0) as pilot:
        text = await press(pilot, "down", "right", "down")
        assert "n more new questions" in text
        await tap(pilot, "enter")
        assert isinstance(pilot.app.screen, HomeScreen)
        (toast,) = pilot.app._notifications
        assert "n brings new questions, p practices" in toast.message
        topic = topic_here(pilot)
        await tap(pilot, "n")
        assert isinstance(pilot.app.screen, QuestionScreen)
        assert pilot.app.screen._turn.entry.topic == topic
        assert not pilot.app.screen._turn.is_practice


@asynccontextmanager
async def home_first(
    folder: Path, size: tuple[int, int] = NARROW, error: StoreError | None = None
) -> AsyncIterator[tuple[Pilot[int], list[str]]]:
    """The application over a home that was kept, with a count that is not true any more.

    And what is drawn once the study begins to be opened.
    """
    made, drawn = make_app(folder), list[str]()

    def open_study() -> Study:
        drawn.append(screen_text(app))
        if error is not None:
            raise error
        return made.study

    with made.study:
        kept = HomeFirst(replace(overview.home(made.study), new=77), open_study)
        app = QuizApp(None, made.paths, made.settings, Filter(), behind=kept)
        async with app.run_test(size=size, message_hook=count_message) as pilot:
            yield pilot, drawn


async def test_a_kept_home_is_corrected_once_the_study_is_open(tmp_path):
    async with home_first(tmp_path) as (pilot, drawn):
        assert re.search(r"New +9 ", await settle(pilot))
        assert re.search(r"New +77 ", drawn[0])
        await tap(pilot, "enter")
        assert isinstance(pilot.app.screen, QuestionScreen)


async def test_the_study_is_opened_behind_a_terminal_that_is_too_small_for_home(
    tmp_path, monkeypatch
):
    """Even if it is open before home is laid out."""

    async def call_at_once(_app, function, *args, **kwargs):
        return function(*args, **kwargs)

    monkeypatch.setattr(QuizApp, "call", call_at_once)
    async with home_first(tmp_path, size=(40, 10)) as (pilot, _):
        await rest(pilot)
        assert pilot.app.is_open
        await pilot.resize_terminal(*NARROW)
        assert re.search(r"New +9 ", await settle(pilot))


async def test_a_study_that_cannot_be_opened_ends_a_kept_home_and_is_said(tmp_path):
    error = StoreLocked(fact("store.locked", path="progress.db"))
    async with home_first(tmp_path, error=error) as (pilot, _):
        await pilot.press("enter")
        while not pilot.app._exit:
            await pilot.pause()
    assert pilot.app.failure is error
