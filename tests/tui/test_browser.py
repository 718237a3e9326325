"""The browser: find a question, read all of it, and change how it stands."""

from __future__ import annotations

import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from grader.facts import quote
from quizapp.domain.errors import StoreLocked
from quizapp.domain.queue import Stage
from quizapp.report.content.question_search import match, read_texts
from quizapp.report.content.search_words import fold
from quizapp.report.first_words import first_words
from quizapp.report.words import Words
from quizapp.study import browsing
from quizapp.study.browsing import FILTERS, State
from quizapp.system.paths import shipped_content
from quizapp.system.width import columns as cells
from quizapp.tui.screens.browser import BrowserScreen, _read_titles
from quizapp.tui.screens.home import HomeScreen
from quizapp.tui.widgets.details import facts
from quizapp.tui.widgets.question_table import SIGNS, Table, due, due_columns
from quizapp.tui.widgets.rows import Rows
from tests.sentences import catalogue
from tests.tui.pilots import NARROW, WIDE, FixedClock, make_app, open_app, press, tap
from tests.tui.screen_text import rest, screen_lines, screen_text, settle, wait_for_text

BROWSE = "app.browse"
HEAD = "level  due"
"""Of the list at 80 columns."""
LIST_HEAD = "question  "
"""Of the list at any width."""
VERBATIM = """\
- id: verbatim
  kind: choice
  topic: banks
  concept: verbatim
  difficulty: 2
  tags: [markup]
  prompt: "What does `a[tid] b[i] += [/x] [bold]` say? {braces} stay too."
  options:
    - {text: "`s[threadIdx.x]`", correct: true}
    - {text: "[red]no[/red]", why: "Because [/] is text."}
  explanation: "It says a[tid]."
  sources: ["[1] a page"]
"""


def own_question(folder: Path, text: str) -> None:
    """Put a pack of the person's own into an installation."""
    pack = folder / "content" / "mine"
    pack.mkdir(parents=True)
    (pack / "q.yaml").write_text(text, "utf-8")


@asynccontextmanager
async def open_list(folder: Path, **options: Any) -> AsyncIterator[Pilot[int]]:
    """The browser with the cursor in the list, where letters are commands."""
    async with open_app(folder, at=BROWSE, **options) as pilot:
        await tap(pilot, "escape")
        yield pilot


async def find(pilot, query: str) -> str:
    """Search for something at once, then go to the list."""
    pilot.app.screen.query_one("#search", Input).value = query
    pilot.app.screen.query_one(Rows).focus()
    return await settle(pilot)


def _words_of(entry, tags) -> list[str]:
    """What a question is about, by its names and tags, as single words."""
    own = entry.id.rpartition("/")[2]  # a pack holds questions on more than its name says
    names = [own, entry.concept, entry.topic, *entry.topic_names, *tags]
    return re.findall("[a-z0-9]+", " ".join(names).casefold())


def current(pilot) -> str:
    """The id of the question under the cursor."""
    return pilot.app.screen._current.entry.id


@pytest.mark.parametrize(
    ("size", "language", "word"), [(NARROW, "zh", "道题"), (WIDE, "en", "questions")], ids=str
)
async def test_all_questions_are_listed_with_kind_and_level(tmp_path, size, language, word):
    async with open_list(tmp_path, size=size, language=language) as pilot:
        lines = screen_lines(pilot.app)
        count, off = len(pilot.app.study.deck.entries), pilot.app.study.course.count_off()
        assert f"{count:,} {word}" in lines[0]
        assert (f", {off} of them off" if language == "en" else f"，其中 {off} 道未启用") in lines[
            0
        ]
        assert len(lines) == size[1]
        assert all(cells(line) <= size[0] for line in lines)
        signs = (SIGNS[State.NEW], SIGNS[State.RESTING])
        rows = lines[4:-1]
        assert sum(line[:6].strip(" ❯") in signs for line in rows) == size[1] - 5
        say, entries = Words(language), pilot.app.study.deck.entries.values()
        kinds = "|".join({say(f"kind.{entry.kind}") for entry in entries})
        assert all(re.match(rf".* (?:{kinds}) +●[●○]{{4}}  ", line) for line in rows)


async def test_the_columns_end_at_the_same_place_in_chinese(tmp_path):
    async with open_list(tmp_path, language="zh", answers=[True, True]) as pilot:
        lines = screen_lines(pilot.app)
        head, rows = lines[3], lines[4:-1]
        due = cells(head[: head.index("到期")])
        assert all(cells(row[: max(row.rfind(w) for w in ("新题", "天后"))]) >= due for row in rows)
        assert {cells(row[: row.rfind("新题")]) for row in rows if row.endswith("新题")} == {due}


async def test_the_list_is_read_once_and_what_is_searched_once_for_a_deck(tmp_path, monkeypatch):
    listed, read_list = [], browsing.list_questions
    monkeypatch.setattr(
        browsing, "list_questions", lambda study: listed.append(1) or read_list(study)
    )
    async with open_list(tmp_path) as pilot:
        assert listed == [1]
        await find(pilot, "padding")
        deck = pilot.app.study.deck
        read = await pilot.app.screen._texts
        await tap(pilot, "q", "slash", *"swizzle")
        assert isinstance(pilot.app.screen, BrowserScreen)
        assert await pilot.app.screen._texts is read is read_texts(deck)
        assert _read_titles(deck, "en") is _read_titles(deck, "en")


async def test_search_while_typing_then_leave_step_by_step(tmp_path):
    async with open_list(tmp_path) as pilot:
        text = await press(pilot, "slash", *"HALF")
        letters = pilot.app.screen.query_one("#search", Input).value
        assert letters == "HALF"
        assert " of " in text.splitlines()[0]
        assert "off" not in text.splitlines()[0]
        assert pilot.app.focused is pilot.app.screen.query_one("#search", Input)
        shown = pilot.app.screen._shown
        assert 0 < len(shown) < len(pilot.app.study.deck.entries)
        await tap(pilot, "escape")
        assert isinstance(pilot.app.focused, Rows)
        assert len(pilot.app.screen._shown) == len(shown)
        await tap(pilot, "escape")
        assert len(pilot.app.screen._shown) == len(pilot.app.study.deck.entries)
        await tap(pilot, "escape")
        assert isinstance(pilot.app.screen, HomeScreen)


@pytest.mark.parametrize(
    ("language", "changes", "begins"),
    [
        ("en", "/ changes the search", "press / to search"),
        ("zh", "按 / 修改搜索", "按 / 搜索"),
    ],
)
async def test_the_search_is_a_field_only_while_keys_are_typed_into_it(
    tmp_path, language, changes, begins
):
    async with open_app(tmp_path, at=BROWSE, confidence=False, language=language) as pilot:
        text = await press(pilot, *"wgmma")
        assert text.splitlines()[2].strip() == "/ wgmma"
        text = await press(pilot, "enter", "escape")
        assert isinstance(pilot.app.screen, BrowserScreen)
        assert isinstance(pilot.app.focused, Rows)
        line = text.splitlines()[2]
        assert line.split()[0] == "wgmma"
        assert line.endswith(changes)
        text = await press(pilot, "slash")
        assert text.splitlines()[2].strip() == "/ wgmma"
        text = await press(pilot, *"half")
        assert text.splitlines()[2].strip() == "/ half"
        text = await press(pilot, "escape", "escape")
        assert text.splitlines()[2].strip() == begins


async def test_the_text_that_is_searched_can_be_added_to(tmp_path):
    async with open_list(tmp_path) as pilot:
        text = await press(pilot, "slash", *"wgm", "escape", "slash", "end", *"ma")
        assert text.splitlines()[2].strip() == "/ wgmma"


async def test_in_the_search_line_every_key_types(tmp_path):
    async with open_list(tmp_path) as pilot:
        await tap(pilot, "slash", "f", "at", "x", "e", "q", "slash")
        assert pilot.app.screen.query_one("#search", Input).value == "f@xeq/"
        assert isinstance(pilot.app.screen, BrowserScreen)


async def test_what_is_about_a_word_is_listed_before_what_mentions_it(tmp_path):
    """Also by a name that only the glossary has."""
    words = {"wgmma": "wgmma", "roofline": "roofline", "线程束": "warp", "存储体": "bank"}
    async with open_list(tmp_path) as pilot:
        for query, word in words.items():
            await find(pilot, query)
            shown = [row.entry for row in pilot.app.screen._shown]
            deck = pilot.app.study.deck
            assert 0 < len(shown) < len(deck.entries)
            named = [
                any(name.startswith(word) for name in _words_of(each, deck.question(each.id).tags))
                for each in shown
            ]
            assert {*named} == {True, False}, query
            assert named == sorted(named, reverse=True), query


async def test_nothing_found_says_so_and_no_key_breaks_it(tmp_path):
    async with open_list(tmp_path, size=WIDE) as pilot:
        text = await press(pilot, "slash", *"qqqq", "enter", "escape")
        assert "No question matches." in text
        await tap(pilot, "enter", "f", "at", "x", "e", "r", "a", "p", "space", "down", "up", "end")
        assert isinstance(pilot.app.screen, BrowserScreen)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("中位", "any Chinese text, two characters"),
        ("BANK conflict", "words in any order and case"),
        ("swizzling", "the topic"),
    ],
)
def test_every_word_must_occur(study, query, field):
    rows, texts = browsing.list_questions(study), read_texts(study.deck)
    found = match(rows, texts, query)
    assert 0 < len(found) < len(rows), field
    for row in rows:
        holds = all(fold(word) in texts[row.entry.id].text for word in query.split())
        assert (row in found) == holds


@pytest.mark.parametrize("name", ["interview-bank-conflict", "kernel-top-k", "wider-copies"])
def test_an_id_finds_its_question_first(study, name):
    rows, texts = browsing.list_questions(study), read_texts(study.deck)
    assert match(rows, texts, name)[0].entry.id.endswith(f"/{name}")


def test_search_looks_at_every_field(tmp_path):
    fields = {
        "prompt": "promptword",
        "explanation": "explanationword",
        "option": "optionword",
        "tag": "tagword",
        "concept": "conceptword",
        "chinese": "中文词",
    }
    own_question(
        tmp_path,
        f"""\
- id: idword
  kind: choice
  topic: topicword
  concept: {fields["concept"]}
  difficulty: 1
  tags: [{fields["tag"]}]
  prompt: {{en: {fields["prompt"]}, zh: {fields["chinese"]}}}
  options:
    - {{text: {fields["option"]}, correct: true}}
    - {{text: other, why: because}}
  explanation: {fields["explanation"]}
  sources: [s]
- id: spoken
  kind: recall
  topic: banks
  concept: c
  difficulty: 1
  prompt: p
  answer: answerword
  rubric: [{{point: a}}, {{point: b}}]
  explanation: e
  sources: [s]
""",
    )
    app = make_app(tmp_path)
    rows, texts = browsing.list_questions(app.study), read_texts(app.study.deck)
    app.study.store.close()
    for word in (*fields.values(), "idword", "topicword"):
        assert [r.entry.id for r in match(rows, texts, word)] == ["mine/idword"], word
    assert [r.entry.id for r in match(rows, texts, "answerword")] == ["mine/spoken"]


@pytest.fixture
def study(tmp_path):
    app = make_app(tmp_path)
    yield app.study
    app.study.store.close()


async def test_space_shows_the_question_in_place_of_the_list(tmp_path):
    async with open_list(tmp_path) as pilot:
        text = await press(pilot, "down", "space")
        assert current(pilot) in text
        assert "level" in text
        assert HEAD not in text
        text = await press(pilot, "end")
        assert "Not answered yet." in text
        text = await press(pilot, "escape")
        assert HEAD in text


async def test_where_there_is_room_it_stands_beside_the_list(tmp_path):
    async with open_list(tmp_path, size=WIDE) as pilot:
        assert current(pilot)[:24] in screen_text(pilot.app)
        text = await press(pilot, "down", "down")
        assert current(pilot)[:24] in text
        assert LIST_HEAD in text
        text = await press(pilot, "space")
        assert LIST_HEAD in text
        await pilot.resize_terminal(*NARROW)
        text = await settle(pilot)
        assert HEAD not in text
        assert current(pilot) in text


@pytest.mark.parametrize("size", [NARROW, WIDE, (110, 24)], ids=str)
async def test_facts_are_whole_under_a_long_id_and_no_file_is_named(tmp_path, size):
    async with open_list(tmp_path, size=size) as pilot:
        await find(pilot, "sources-pick-access-of-a-stencil-that-conflicts")
        text = await press(pilot, "space")
        assert "level" in text
        assert "· new" in text
        assert ".yaml" not in text
        assert "content/" not in text


@pytest.mark.parametrize("width", [24, 47])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_facts_break_between_words(study, width, language):
    name = "shared-memory/sources-pick-access-of-a-stencil-that-conflicts"
    details = browsing.details(study, name, reveals=False)
    lines = [line.plain for line in facts(details, Words(language), width)]
    assert all(cells(line) <= width for line in lines)
    pieces = list(accumulate(lines))
    whole = pieces.index(name)
    assert all(line[-1] in "-/" for line in lines[:whole])
    level = Words(language)("browser.difficulty", n=details.listed.entry.difficulty)
    assert any(level in line.replace("\N{NO-BREAK SPACE}", " ") for line in lines)


async def test_what_is_to_be_learned_first_is_named_by_its_words(tmp_path):
    async with open_list(tmp_path) as pilot:
        await find(pilot, "shared-memory/stride-two-who-collides")
        text = await press(pilot, "space")
        needed = pilot.app.study.deck.question("shared-memory/count-stride-two")
        assert f"first learn: {first_words(needed, 'en')[:40]}" in text
        assert "count-stride-two" not in text


async def test_a_title_beside_the_pane_has_as_much_room_as_without_it(tmp_path):
    async with open_list(tmp_path) as pilot:
        rooms = []
        for size in (NARROW, WIDE, (140, 40), (180, 40), (220, 40)):
            await pilot.resize_terminal(*size)
            await settle(pilot)
            head = screen_lines(pilot.app)[3]
            rooms.append(head.index("kind") - head.index("question"))
        assert min(rooms) == rooms[0], rooms


def test_no_title_has_a_hole(study):
    for name in study.deck.entries:
        for language in ("en", "zh"):
            words = first_words(study.deck.question(name), language)
            assert words.strip("… "), name
            assert "{{" not in words, name


async def test_the_history_has_dates_ratings_and_times(tmp_path):
    clock = FixedClock()
    async with open_app(tmp_path, answers=[True, False], clock=clock, size=WIDE) as pilot:
        wrong = [
            c.question for c in pilot.app.study.progress.cards.values() if c.again_day is not None
        ]
        await pilot.app.run_action(BROWSE)
        await rest(pilot)
        await find(pilot, wrong[0])
        text = await press(pilot, "space", "end")
        assert "2026-11-20  ✗ again · 12 s · first" in text


@pytest.mark.parametrize("size", [NARROW, pytest.param(WIDE, marks=pytest.mark.long)], ids=str)
async def test_code_and_brackets_are_shown_as_written(tmp_path, size):
    own_question(tmp_path, VERBATIM)
    async with open_list(tmp_path, size=size) as pilot:
        await find(pilot, "mine/verbatim")
        text = await press(pilot, "a")
        for part in (
            "a[tid] b[i] += [/x] [bold]",
            "{braces}",
            "s[threadIdx.x]",
            "[red]no[/red]",
            "[/] is text",
            "tags: markup",
        ):
            assert part in text
        assert "[1] a page" in await press(pilot, "end")


@pytest.mark.parametrize(
    ("language", "parts"),
    [
        ("en", ("kernel", "A solution", "no bug found", "[counts]", "The editor holds at first",
                "A known mistake, which fails at findings: race", "-    cuda.syncthreads()")),
        ("zh", ("kernel", "全部正确", "[计数]", "编辑器最初的内容", "止步于 findings: race")),
    ],
)  # fmt: skip
async def test_a_kernel_is_laid_open_with_what_its_solution_costs(tmp_path, language, parts):
    async with open_list(tmp_path, size=(200, 220), language=language) as pilot:
        await find(pilot, "shared-memory/kernel-transpose-padded")
        await tap(pilot, "a")
        await wait_for_text(pilot, *parts)


@pytest.mark.parametrize("size", [NARROW, pytest.param(WIDE, marks=pytest.mark.long)], ids=str)
@pytest.mark.parametrize("name", ["kernel-transpose-padded", "spot-missing-barrier"])
async def test_what_the_emulator_grades_fits_the_screen(tmp_path, size, name):
    async with open_list(tmp_path, size=size) as pilot:
        await find(pilot, name)
        await tap(pilot, "a")
        for _ in range(6):
            lines = screen_lines(pilot.app)
            assert len(lines) == size[1]
            assert all(cells(line) <= size[0] for line in lines)
            await tap(pilot, "pagedown")


@pytest.mark.parametrize(
    ("language", "parts"),
    [("en", ("bug", "race in shared memory · line")), ("zh", ("找错", "共享内存数据竞争 · 第"))],
)
async def test_a_fault_is_laid_open_with_its_lines(tmp_path, language, parts):
    async with open_list(tmp_path, size=WIDE, language=language) as pilot:
        await find(pilot, "shared-memory/spot-missing-barrier")
        await tap(pilot, "a")
        text = await wait_for_text(pilot, *parts)
        marked = [line for line in text.splitlines() if "✓" in line]
        assert [("a[i]" in line, "out[i]" in line) for line in marked] == [
            (True, False), (False, True),
        ]  # fmt: skip
        assert "{{" not in text


async def test_a_kernel_whose_reference_fails_is_laid_open_without_a_verdict(tmp_path):
    own = tmp_path / "content" / "mine" / "broken"
    source = shipped_content() / "shared-memory" / "kernels" / "transpose-padded"
    shutil.copytree(source, own)
    (own / "reference.py").write_text("def reference(image):\n    return 1 / 0\n")
    async with open_list(tmp_path, size=(120, 250)) as pilot:
        await find(pilot, "mine/kernel-transpose-padded")
        text = await press(pilot, "a")
        assert "The editor holds at first" in text
        assert "no bug found" not in text


async def test_suspend_and_flag_switch_on_and_off(tmp_path):
    async with open_list(tmp_path) as pilot:
        name, study = current(pilot), pilot.app.study
        text = await press(pilot, "at")
        assert study.progress.card(name).suspended
        assert "❯ =" in text
        text = await press(pilot, "f")
        assert study.progress.card(name).flagged
        assert "❯ =⚑" in text
        text = await press(pilot, "space")
        assert "= suspended" in text
        assert "⚑ flagged" in text
        await tap(pilot, "at", "f")
        assert not study.progress.card(name).suspended
        assert not study.progress.card(name).flagged
        assert current(pilot) == name


async def test_reset_asks_first(tmp_path):
    async with open_list(tmp_path, answers=[True]) as pilot:
        (name,) = pilot.app.study.progress.cards
        await find(pilot, name)
        assert "Forget your progress on" in await press(pilot, "x")
        await tap(pilot, "n")
        assert pilot.app.study.progress.card(name).memory is not None
        await tap(pilot, "x")
        text = await press(pilot, "y")
        assert pilot.app.study.progress.card(name).memory is None
        assert "❯ ·" in text


async def test_a_click_answers_the_question_too(tmp_path):
    async with open_list(tmp_path, answers=[True]) as pilot:
        (name,) = pilot.app.study.progress.cards
        await find(pilot, name)
        await tap(pilot, "x")
        lines = screen_lines(pilot.app)
        row = next(i for i, line in enumerate(lines) if "y yes" in line)
        await pilot.click(offset=(cells(lines[row][: lines[row].index("y yes")]), row))
        await rest(pilot)
        assert pilot.app.study.progress.card(name).memory is None


async def test_what_was_never_answered_has_nothing_to_forget(tmp_path):
    async with open_list(tmp_path) as pilot:
        text = await press(pilot, "x")
        assert "There is no progress to forget." in text


async def test_tab_narrows_to_states_that_some_question_is_in(tmp_path):
    async with open_list(tmp_path, answers=[True, False]) as pilot:
        seen = []
        while (text := await press(pilot, "tab")).splitlines()[0].count("only"):
            seen.append(FILTERS[pilot.app.screen._filter])
            states = {row.state for row in pilot.app.screen._shown}
            assert states == {State(seen[-1])}
            assert len(pilot.app.screen._shown) > 0
        held = ["held"] if pilot.app.study.course.held_back.questions else []  # without Triton
        assert seen == ["new", "known", "due", "resting", *held]
        assert "all" in text.splitlines()[0]


async def test_a_changed_question_has_a_star_and_can_be_reverted(tmp_path, monkeypatch):
    own = tmp_path / "content" / "shared-memory"
    own.mkdir(parents=True)
    source = shipped_content() / "shared-memory" / "exercises" / "atomics.yaml"
    shutil.copy(source, own / "atomics.yaml")
    reverted = []

    async def revert(name):
        reverted.append(name)

    async with open_list(tmp_path) as pilot:
        monkeypatch.setattr(pilot.app, "revert", revert)
        while "only changed by you" not in (text := await press(pilot, "tab")):
            assert "only " in text
        assert "❯ · *" in text
        text = await press(pilot, "space")
        assert "* changed by you" in text
        assert "r revert" in text
        await tap(pilot, "r")
        assert reverted == [current(pilot)]


async def test_an_unchanged_question_has_nothing_to_revert(tmp_path):
    async with open_list(tmp_path) as pilot:
        assert "You have not changed this question." in await press(pilot, "r")


async def test_edit_hands_the_question_over_and_lists_again(tmp_path, monkeypatch):
    edited = []

    async def edit(name):
        edited.append(name)

    async with open_list(tmp_path) as pilot:
        monkeypatch.setattr(pilot.app, "edit", edit)
        await tap(pilot, "down", "e")
        assert edited == [current(pilot)]


@pytest.mark.parametrize("key", ["f", "at"])
async def test_a_store_that_cannot_be_written_is_told_and_nothing_ends(tmp_path, monkeypatch, key):
    def refuse(*_, **__):
        raise StoreLocked(quote("the database is locked"), quote("close the other program"))

    async with open_list(tmp_path) as pilot:
        monkeypatch.setattr(pilot.app.study.store, "append", refuse)
        text = await press(pilot, key)
        assert "the database is locked" in text
        assert isinstance(pilot.app.screen, BrowserScreen)


async def test_a_store_that_cannot_be_read_is_told(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise StoreLocked(quote("the database is locked"), quote("close the other program"))

    async with open_list(tmp_path) as pilot:
        monkeypatch.setattr(pilot.app.study.store, "events", refuse)
        assert "the database is locked" in await press(pilot, "space")


async def test_a_click_moves_and_a_second_one_opens(tmp_path):
    async with open_list(tmp_path) as pilot:
        await pilot.click(Rows, offset=(10, 5))
        await rest(pilot)
        assert pilot.app.screen.query_one(Rows).cursor == 5
        await pilot.click(Rows, offset=(10, 5))
        text = await settle(pilot)
        assert current(pilot) in text
        assert HEAD not in text


async def test_only_what_is_seen_is_drawn(tmp_path, monkeypatch):
    drawn = []
    row = Table.row
    monkeypatch.setattr(Table, "row", lambda self, *a: drawn.append(a[0]) or row(self, *a))
    monkeypatch.setattr("quizapp.tui.screens.browser.SEARCHABLE_AFTER_S", 3600)  # draws all again
    async with open_list(tmp_path) as pilot:
        screen_text(pilot.app)
        assert set(drawn) == set(range(19))
        drawn.clear()
        assert await press(pilot, "down")
        assert set(drawn) == {0, 1}
        text = await press(pilot, "end")
        last = len(pilot.app.study.deck.entries) - 1
        assert pilot.app.screen.query_one(Rows).cursor == last
        assert "❯" in text.splitlines()[-2]
        await tap(pilot, "pageup", "pageup", "home")
        assert pilot.app.screen.query_one(Rows).cursor == 0


async def test_every_key_shown_works_and_the_line_is_whole(tmp_path):
    async with open_list(tmp_path) as pilot:
        assert screen_lines(pilot.app)[-1].endswith("? help")
        text = await press(pilot, "space")
        assert text.splitlines()[-1].endswith("? help")


async def test_without_colour_every_state_still_has_a_sign(tmp_path, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    async with open_list(tmp_path, answers=[True, False]) as pilot:
        text = await press(pilot, "tab", "tab")
        assert "❯ ✓" in text


def test_every_filter_and_state_has_its_words():
    words = catalogue()
    assert all(f"browser.filter.{name}" in words for name in FILTERS)
    assert all(f"browser.state.{state}" in words for state in State)


@pytest.mark.parametrize("width", [30, 50, 60, 71, 90, 140])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_row_is_exactly_as_wide_as_there_is_room(study, width, language):
    rows = browsing.list_questions(study)
    say = Words(language)
    table = Table(rows, say, lambda name: f"{name} 共享内存 " * 9, due_columns(rows, say), {})
    assert cells(table.head(width).plain) == width
    assert {cells(table.row(i, width).plain) for i in range(len(rows))} == {width}


def test_the_column_of_days_has_room_for_the_longest(study):
    first, say = browsing.list_questions(study)[0], Words("en")
    rows = [replace(first, due_in=days) for days in (10_000_000, 2)]
    assert due_columns(rows, say) == cells(due(rows[0], say))


async def test_slash_at_home_types_into_the_search_at_once(tmp_path):
    async with open_app(tmp_path) as pilot:
        text = await press(pilot, "slash", *"swizz")
        assert "/ swizz" in text


async def test_enter_attempts_what_the_arrows_chose_while_typing(tmp_path):
    async with open_app(tmp_path, confidence=False) as pilot:
        await tap(pilot, "slash", *"padding", "down", "down")
        chosen = pilot.app.screen._shown[2].entry.id
        assert current(pilot) == chosen
        await tap(pilot, "enter")
        turn = pilot.app.screen._turn
        assert (turn.entry.id, turn.item.stage) == (chosen, Stage.NEW)
        await tap(pilot, "escape")
        if not isinstance(pilot.app.screen, BrowserScreen):  # that left a field
            await tap(pilot, "escape")
        assert isinstance(pilot.app.screen, BrowserScreen)
        assert pilot.app.screen.query_one("#search", Input).value == "padding"


async def test_what_changed_behind_another_screen_stands_in_the_list_afterwards(tmp_path):
    async with open_list(tmp_path) as pilot:
        name = current(pilot)
        await pilot.app.run_action("app.settings")
        pilot.app.study.marks.suspend(name)
        await tap(pilot, "escape")
        assert pilot.app.screen._current.state is State.SUSPENDED


async def test_what_was_answered_today_is_attempted_as_practice(tmp_path):
    async with open_list(tmp_path, answers=[True]) as pilot:
        (name,) = pilot.app.study.progress.cards
        await find(pilot, name)
        text = await press(pilot, "enter")
        assert "practice" in text.splitlines()[0]


@pytest.mark.parametrize("size", [NARROW, pytest.param(WIDE, marks=pytest.mark.long)], ids=str)
async def test_the_answer_is_hidden_until_a_key_reveals_it_and_then_waits_a_day(tmp_path, size):
    own_question(tmp_path, VERBATIM)
    async with open_list(tmp_path, size=size) as pilot:
        study = pilot.app.study
        await find(pilot, "mine/verbatim")
        text = await press(pilot, "space")
        assert "[red]no[/red]" in text
        assert "The answer is hidden" in text
        for part in ("[/] is text", "It says a[tid]", "✓", "[1] a page"):
            assert part not in text
        text = await press(pilot, "a")
        assert "[/] is text" in text
        assert "✓" in text
        assert "Practice only for today" in text
        assert study.progress.card("mine/verbatim").buried_until == study.day + 1
        before = study.store.count_events()
        await tap(pilot, "a")
        assert study.store.count_events() == before
        text = await press(pilot, "enter")
        assert "practice" in text.splitlines()[0]


async def test_another_question_is_hidden_again(tmp_path):
    async with open_list(tmp_path, size=WIDE) as pilot:
        assert "The answer is hidden" not in await press(pilot, "a")
        assert "The answer is hidden" in await press(pilot, "escape", "down")
        assert "The answer is hidden" not in await press(pilot, "up")


async def test_p_practices_what_the_list_shows_in_its_order(tmp_path):
    async with open_list(tmp_path, confidence=False) as pilot:
        await find(pilot, "swizzling choice")
        names = [row.entry.id for row in pilot.app.screen._shown]
        text = await press(pilot, "p")
        assert f"1 of {len(names)} " in text
        assert "practice" in text.splitlines()[0]
        queue = pilot.app.study.session.queue
        assert [item.question for item in queue.waiting] == names
        await tap(pilot, "escape")
        assert isinstance(pilot.app.screen, BrowserScreen)


async def test_undo_works_in_the_list(tmp_path):
    async with open_list(tmp_path) as pilot:
        name = current(pilot)
        await tap(pilot, "at")
        assert pilot.app.study.progress.card(name).suspended
        text = await press(pilot, "u")
        assert not pilot.app.study.progress.card(name).suspended
        assert "❯ ·" in text
        await tap(pilot, "U")
        assert pilot.app.study.progress.card(name).suspended


@pytest.mark.parametrize(
    ("language", "undone", "redone"),
    [
        ("en", "undone: your answer no longer counts", "restored: your answer counts again"),
        ("zh", "已撤销：这次作答不再计入", "已恢复：这次作答重新计入"),
    ],
)
async def test_undo_says_what_it_took_back(tmp_path, language, undone, redone):
    async with open_list(tmp_path, answers=[True], language=language) as pilot:
        study = pilot.app.study
        (name,) = study.progress.cards
        words = first_words(study.deck.question(name), language)[:20]
        for key, said in (("u", undone), ("U", redone)):
            await tap(pilot, key)
            message = str([*pilot.app._notifications][-1].message)
            assert message.startswith(f"{said} · {words}")


async def test_the_history_names_practice(tmp_path):
    async with open_list(tmp_path, confidence=False) as pilot:
        await find(pilot, "choice")
        await tap(pilot, "p", "1", "enter", "escape")
        text = await press(pilot, "space", "end")
        assert "practice" in text.split("Your answers")[1]


async def test_the_last_line_says_what_enter_does_with_the_row(tmp_path):
    async with open_list(tmp_path, answers=[True]) as pilot:
        (name,) = pilot.app.study.progress.cards
        assert "enter attempt" in screen_lines(pilot.app)[-1]
        await find(pilot, name)
        assert "enter practice" in screen_lines(pilot.app)[-1]
