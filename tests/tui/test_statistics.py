"""Statistics: the heatmap reads without colour, the numbers are the log's, the page fits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree.ElementTree import fromstring as parse

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.facts import quote
from quizapp.domain.days import as_date
from quizapp.domain.errors import StoreLocked
from quizapp.domain.rating import Confidence
from quizapp.report.dates import date_text
from quizapp.report.html.statistics import statistics_page
from quizapp.report.words import Words
from quizapp.study.home_values import TopicRow
from quizapp.study.values import ForgottenQuestion, MissedPoint, Retention, Statistics
from quizapp.system.width import columns as cells
from quizapp.tui.heatmap import NONE, SIGNS, heatmap, scale, steps
from quizapp.tui.screens.statistics import StatisticsScreen, page
from tests.tui.pilots import NARROW, WIDE, FixedClock, open_app, press, tap
from tests.tui.screen_text import screen_lines, screen_text

DAY = 20_777
EN, ZH = Words("en"), Words("zh")
STATISTICS = "app.statistics"

counts = st.dictionaries(st.integers(DAY - 370, DAY), st.integers(1, 300), max_size=60)


BANKS = ("banks and mapping", "bank 与映射")
CAPACITY = ("capacity and speed", "容量与速度")


def facts(**more) -> Statistics:
    """A busy year."""
    values: Mapping[str, object] = {
        "day": DAY,
        "answers_by_day": {DAY - n: 1 + (n * 7) % 60 for n in range(0, 371, 2)},
        "forecast": {DAY + n: (n * 5) % 23 for n in range(30)},
        "retention_month": Retention(412, 371),
        "retention_all": Retention(2310, 2051),
        "retention_young": Retention(1800, 1500),
        "retention_mature": Retention(510, 551 - 90),
        "duration_by_day": {DAY - n: n * 60_000 for n in range(0, 60, 3)},
        "topic_retention": {("pack", "banks"): Retention(9, 8)},
        "calibration": {Confidence.GUESS: (40, 21), Confidence.CERTAIN: (1200, 1100)},
        "failed_checks": (("result", 17), ("races", 4)),
        "missed_points": (MissedPoint("pack/essay", "Names the pitch of the rows", 9, 7),),
        "streak": 12,
        "answers": 3120,
        "duration_ms": 3120 * 40_000,
        "topics": (
            TopicRow("pack", "banks", BANKS, 25, 12, 0.48, 3, 4, "half-word"),
            TopicRow("pack", "capacity", CAPACITY, 17, 0, 0.0, 0, 17, ""),
            TopicRow("pack", "of-my-own", ("of my own", "of my own"), 100, 100, 1.0, 0, 0, "x"),
        ),
        "packs": (TopicRow("pack", "", ("A pack", "题包"), 142, 112, 0.8, 3, 21),),
        "forgotten": (
            ForgottenQuestion("shared-memory/count-divergent-reduction-step", 8, set_aside=True),
            ForgottenQuestion("mine/short", 4),
        ),
    }
    return Statistics(**(values | more))


def lines(width: int, say: Words = EN, **more) -> list[str]:
    return [line.plain for line in page(facts(**more), 0.9, say, width)]


@pytest.mark.parametrize("width", [56, 74, 114, 200])
@pytest.mark.parametrize("say", [EN, ZH], ids=["en", "zh"])
def test_no_line_is_wider_than_the_page(width, say):
    assert max(map(cells, lines(width, say))) <= width


def test_true_retention_stands_beside_its_target():
    text = "\n".join(lines(74))
    assert "90%  87–93% · 371 of 412 · 30 days" in text
    assert "89%  87–90% · 2,051 of 2,310 · overall" in text
    assert "90%  target" in text


def test_without_reviews_there_is_no_share():
    text = "\n".join(lines(74, retention_month=Retention(0, 0)))
    assert "–  no reviews · 30 days" in text


def test_time_and_streak_have_their_units():
    text = "\n".join(lines(74, streak=1))
    assert "3,120  in 34 h 40 min" in text
    assert re.search(r"Streak +1  day$", text, re.MULTILINE)
    assert "in 2 min" in "\n".join(lines(74, duration_ms=100_000))


def test_the_longest_bar_is_the_greatest_count_and_numbers_are_aligned():
    rows = [line for line in lines(74) if re.match(r"\w{3} \d+ \w{3} ", line)]
    assert len(rows) == 14
    found = [re.match(r"\w{3} \d+ \w{3} +(\d+|·) (━*)", row) for row in rows]
    assert all(found)
    bars = [(0 if m[1] == "·" else int(m[1]), len(m[2])) for m in found if m]
    assert max(bars)[1] == max(length for _, length in bars)
    assert sorted(bars) == sorted(bars, key=lambda b: (b[1], b[0]))
    assert all((count > 0) == (length > 0) for count, length in bars)
    assert len({m.end(1) for m in found if m}) == 1


def test_a_wide_page_looks_further_ahead():
    assert "Due in the next 30 days" in "\n".join(lines(114))


def test_what_fails_most_often_is_beside_how_often():
    text = "\n".join(lines(114))
    assert re.search(r"21 of 40 right  guess", text)
    assert re.search(r"17  result", text)
    assert "7 of 9  Names the pitch of the rows" in text
    assert "Checks" not in "\n".join(lines(114, failed_checks=()))


def test_the_longest_day_is_named_beside_the_minutes():
    assert "most: 57 min" in "\n".join(lines(74))
    assert "most: 0 min" in "\n".join(lines(74, duration_by_day={}))


@pytest.mark.parametrize("say", [EN, ZH], ids=["en", "zh"])
def test_the_page_has_every_figure_and_loads_nothing(say):
    retention = {("pack", name): Retention(9, 8) for name in ("banks", "capacity", "of-my-own")}
    html = statistics_page(facts(topic_retention=retention), say).decode()
    root = parse(html[html.index("<main>") : html.index("</body>")])
    titles = [title.text or "" for title in root.iter("{http://www.w3.org/2000/svg}title")]
    assert sum(title.endswith(": 57") for title in titles) >= 1  # minutes of one day
    assert len(titles) >= 371 + 30 + 30
    assert "Names the pitch of the rows" in html
    assert "89%" in html
    assert "src=" not in html
    assert "http" not in html.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")


def test_on_the_page_topics_stand_below_their_pack():
    retention = {("pack", name): Retention(9, 8) for name in ("banks", "capacity", "of-my-own")}
    packs = (*facts().packs, TopicRow("other", "", ("Other", "其他"), 3, 0, 0.0, 0, 0, on=False))
    html = statistics_page(facts(topic_retention=retention, packs=packs), EN).decode()
    assert '<td class="name">A pack</td>' in html
    assert '<td class="name">  banks and mapping</td>' in html


def test_forgotten_questions_only_where_there_are_any_and_leeches_as_set_aside():
    found = [line.split() for line in lines(72)]
    assert ["count-divergent-reduction-step", "8", "times,", "set", "aside"] in found
    assert ["short", "4", "times"] in found
    assert "Forgotten" not in "\n".join(lines(74, forgotten=()))


def test_a_topic_that_was_never_seen_has_no_percentage():
    row = next(line for line in lines(114) if "capacity" in line)
    assert "%" not in row[46:]
    assert "0 of 17" in row


def test_before_the_first_answer_there_is_one_sentence():
    assert lines(74, answers=0) == ["", "Nothing answered yet. What you answer shows here."]


@given(counts, st.integers(40, 140))
def test_the_heatmap_is_a_calendar(by_day, width):
    drawn = [line.plain for line in heatmap(by_day, DAY, EN, width)]
    assert len(drawn) == 9
    rows = drawn[1:8]
    assert all(cells(line) <= width for line in rows)
    weeks = (len(rows[0]) - 4) // 2
    monday = DAY - as_date(DAY).weekday()
    for row, line in enumerate(rows):
        for week in range(weeks):
            day = monday - 7 * (weeks - 1 - week) + row
            sign = line[4 + 2 * week]
            expected = " " if day > DAY else (NONE if day not in by_day else None)
            assert sign == expected if expected else sign in SIGNS


@given(counts)
def test_more_answers_are_never_a_lighter_sign(by_day):
    rows = [line.plain for line in heatmap(by_day, DAY, EN, 200)][1:8]
    weeks = (len(rows[0]) - 4) // 2
    monday = DAY - as_date(DAY).weekday()
    seen = []
    for day, count in by_day.items():
        week = weeks - 1 - (monday - (day - as_date(day).weekday())) // 7
        if week >= 0:
            sign = rows[as_date(day).weekday()][4 + 2 * week]
            seen.append((count, SIGNS.index(sign)))
    seen.sort()
    assert [sign for _, sign in seen] == sorted(sign for _, sign in seen)


@given(st.lists(st.integers(1, 500), max_size=80))
def test_the_scale_names_every_count_once(values):
    bounds = steps(values)
    assert bounds == sorted(set(bounds))
    assert len(bounds) <= len(SIGNS)
    assert not values or bounds[0] == min(values)
    assert not values or bounds[-1] <= max(values)
    text = scale(bounds)
    assert text.startswith("· 0")
    assert text.endswith("+") == bool(bounds)


def test_the_scale_by_hand():
    assert scale([]) == "· 0"
    assert scale([3]) == "· 0   █ 3+"
    assert scale([1, 2, 5, 9]) == "· 0   ░ 1   ▒ 2–4   ▓ 5–8   █ 9+"
    assert steps([1, 2, 3, 4, 5, 6, 7, 8]) == [1, 3, 5, 7]


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=str)
@pytest.mark.parametrize(("language", "head"), [("en", "statistics"), ("zh", "统计")])
async def test_the_screen(tmp_path, size, language, head):
    answers = [True, False, True]
    async with open_app(
        tmp_path, at=STATISTICS, size=size, language=language, answers=answers
    ) as pilot:
        shown = screen_lines(pilot.app)
        assert head in shown[0]
        assert shown[3].split()[1] == "3"
        assert len(shown) == size[1]
        assert "█" in screen_text(pilot.app)
        assert "? " in shown[-1]


async def test_keys_scroll_and_escape_leaves(tmp_path):
    async with open_app(tmp_path, at=STATISTICS, answers=[True]) as pilot:
        assert "Topics" in await press(pilot, "j", "j", "j")
        assert "Older GPUs" in await press(pilot, "end")
        await tap(pilot, "escape")
        assert not isinstance(pilot.app.screen, StatisticsScreen)


async def test_what_is_due_tomorrow_is_in_the_forecast(tmp_path):
    clock = FixedClock()
    size, answers = (100, 200), [False, True]
    async with open_app(tmp_path, at=STATISTICS, size=size, answers=answers, clock=clock) as pilot:
        study = pilot.app.study
        due = {c.memory.due_day for c in study.progress.cards.values() if c.memory}
        text = await press(pilot, "end")
        assert all(date_text(day, EN) in text for day in due), due


async def test_a_store_that_cannot_be_read_is_told(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise StoreLocked(quote("the database is locked"), quote("close the other program"))

    async with open_app(tmp_path) as pilot:
        monkeypatch.setattr(pilot.app.study.store, "totals_by_day", refuse)
        assert "the database is locked" in await press(pilot, "s")
