"""The browser: find a question, read all of it, and change how it stands."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from textual.widgets import Input

from grader.facts import quote
from quizapp.domain.errors import StoreLocked
from quizapp.report.words import Words, catalogue
from quizapp.study import browsing
from quizapp.study.browsing import FILTERS, State
from quizapp.system.paths import shipped_content
from quizapp.system.width import columns as cells
from quizapp.tui.screens.browser import BrowserScreen
from quizapp.tui.screens.home import HomeScreen
from quizapp.tui.widgets.question_table import Table
from quizapp.tui.widgets.rows import Rows
from tests.tui.pilots import NARROW, WIDE, FixedClock, make_app, open_app, press
from tests.tui.screen_text import screen_lines, screen_text, settle

BROWSE = "app.browse"
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


async def find(pilot, query: str) -> str:
    """Search for something at once, then go to the list."""
    pilot.app.screen.query_one("#search", Input).value = query
    return await settle(pilot)


def current(pilot) -> str:
    """The id of the question under the cursor."""
    return pilot.app.screen._current.entry.id


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=str)
@pytest.mark.parametrize(("language", "word"), [("en", "questions"), ("zh", "道题")])
async def test_all_questions_are_listed(tmp_path, size, language, word):
    async with open_app(tmp_path, at=BROWSE, size=size, language=language) as pilot:
        lines = screen_lines(pilot.app)
        count = len(pilot.app.study.deck.entries)
        assert f"{count} {word}" in lines[0]
        assert len(lines) == size[1]
        assert all(cells(line) <= size[0] for line in lines)
        assert sum("·" in line[:6] for line in lines[4:-1]) == size[1] - 5


async def test_the_columns_end_at_the_same_place_in_chinese(tmp_path):
    async with open_app(tmp_path, at=BROWSE, language="zh", answers=[True, True]) as pilot:
        lines = screen_lines(pilot.app)
        head, rows = lines[3], [line.rstrip("▁▂▃▄▅▆▇█") for line in lines[4:-1]]
        ends = {cells(row.rstrip()) for row in rows}
        assert ends == {cells(head)}


async def test_search_while_typing_then_leave_step_by_step(tmp_path):
    async with open_app(tmp_path, at=BROWSE) as pilot:
        text = await press(pilot, "slash", *"HALF")
        assert " of " in text.splitlines()[0]
        assert pilot.app.focused is pilot.app.screen.query_one("#search", Input)
        shown = pilot.app.screen._shown
        assert 0 < len(shown) < len(pilot.app.study.deck.entries)
        await press(pilot, "escape")
        assert isinstance(pilot.app.focused, Rows)
        assert len(pilot.app.screen._shown) == len(shown)
        await press(pilot, "escape")
        assert len(pilot.app.screen._shown) == len(pilot.app.study.deck.entries)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, HomeScreen)


async def test_in_the_search_line_every_key_types(tmp_path):
    async with open_app(tmp_path, at=BROWSE) as pilot:
        await press(pilot, "slash", "f", "at", "x", "e", "q", "slash")
        assert pilot.app.screen.query_one("#search", Input).value == "f@xeq/"
        assert isinstance(pilot.app.screen, BrowserScreen)


async def test_nothing_found_says_so_and_no_key_breaks_it(tmp_path):
    async with open_app(tmp_path, at=BROWSE, size=WIDE) as pilot:
        text = await press(pilot, "slash", *"qqqq", "enter")
        assert "No question matches." in text
        await press(pilot, "enter", "f", "at", "x", "e", "r", "down", "up", "end")
        assert isinstance(pilot.app.screen, BrowserScreen)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("中位", "any Chinese text, two characters"),
        ("BANK conflict", "words in any order and case"),
        ("interview-bank-conflict", "the id"),
        ("swizzling", "the topic"),
    ],
)
def test_every_word_must_occur(study, query, field):
    rows, texts = browsing.list_questions(study), browsing.searchable(study)
    found = browsing.match(rows, texts, query)
    assert 0 < len(found) < len(rows), field
    for row in rows:
        holds = all(word in texts[row.entry.id] for word in query.lower().split())
        assert (row in found) == holds


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
    rows, texts = browsing.list_questions(app.study), browsing.searchable(app.study)
    app.study.store.close()
    for word in (*fields.values(), "idword", "topicword"):
        assert [r.entry.id for r in browsing.match(rows, texts, word)] == ["mine/idword"], word
    assert [r.entry.id for r in browsing.match(rows, texts, "answerword")] == ["mine/spoken"]


@pytest.fixture
def study(tmp_path):
    app = make_app(tmp_path)
    yield app.study
    app.study.store.close()


async def test_enter_lays_the_question_open_in_place_of_the_list(tmp_path):
    async with open_app(tmp_path, at=BROWSE) as pilot:
        text = await press(pilot, "down", "enter")
        assert current(pilot) in text
        assert "level" in text
        assert "due in" not in text
        text = await press(pilot, "end")
        assert "Not answered yet." in text
        text = await press(pilot, "escape")
        assert "due in" in text


async def test_where_there_is_room_it_stands_beside_the_list(tmp_path):
    async with open_app(tmp_path, at=BROWSE, size=WIDE) as pilot:
        assert current(pilot) in screen_text(pilot.app)
        text = await press(pilot, "down", "down")
        assert current(pilot) in text
        assert "due in" in text
        text = await press(pilot, "enter")
        assert "due in" in text
        await pilot.resize_terminal(*NARROW)
        text = await settle(pilot)
        assert "due in" not in text
        assert current(pilot) in text


async def test_the_history_has_dates_ratings_and_times(tmp_path):
    clock = FixedClock()
    async with open_app(tmp_path, answers=[True, False], clock=clock, size=WIDE) as pilot:
        wrong = [c.question for c in pilot.app.study.cards.values() if c.again_day is not None]
        await pilot.app.run_action(BROWSE)
        await settle(pilot)
        await find(pilot, wrong[0])
        text = await press(pilot, "enter", "end")
        assert "2026-11-20  ✗ again · 12 s · first time" in text


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=str)
async def test_code_and_brackets_are_shown_as_written(tmp_path, size):
    own_question(tmp_path, VERBATIM)
    async with open_app(tmp_path, at=BROWSE, size=size) as pilot:
        await find(pilot, "mine/verbatim")
        text = await press(pilot, "enter")
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
        ("en", ("kernel", "A solution", "no fault found", "[counts]", "The editor holds at first",
                "A known mistake, which fails at findings: race", "-    cuda.syncthreads()")),
        ("zh", ("kernel", "全部正确", "[计数]", "编辑器最初的内容", "止步于 findings: race")),
    ],
)  # fmt: skip
async def test_a_kernel_is_laid_open_with_what_its_solution_costs(tmp_path, language, parts):
    async with open_app(tmp_path, at=BROWSE, size=(120, 160), language=language) as pilot:
        text = await find(pilot, "shared-memory/kernel-transpose-padded")
        assert [part for part in parts if part not in text] == []


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=str)
@pytest.mark.parametrize("name", ["kernel-transpose-padded", "spot-missing-barrier"])
async def test_what_the_emulator_grades_fits_the_screen(tmp_path, size, name):
    async with open_app(tmp_path, at=BROWSE, size=size) as pilot:
        await find(pilot, name)
        await press(pilot, "enter")
        for _ in range(6):
            lines = screen_lines(pilot.app)
            assert len(lines) == size[1]
            assert all(cells(line) <= size[0] for line in lines)
            await press(pilot, "pagedown")


@pytest.mark.parametrize(
    ("language", "parts"),
    [("en", ("fault", "race in shared memory · line")), ("zh", ("找错", "共享内存数据竞争 · 第"))],
)
async def test_a_fault_is_laid_open_with_its_lines(tmp_path, language, parts):
    async with open_app(tmp_path, at=BROWSE, size=WIDE, language=language) as pilot:
        text = await find(pilot, "shared-memory/spot-missing-barrier")
        assert [part for part in parts if part not in text] == []
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
    async with open_app(tmp_path, at=BROWSE, size=(120, 90)) as pilot:
        text = await find(pilot, "mine/kernel-transpose-padded")
        assert "The editor holds at first" in text
        assert "no fault found" not in text


async def test_suspend_and_flag_switch_on_and_off(tmp_path):
    async with open_app(tmp_path, at=BROWSE) as pilot:
        name, study = current(pilot), pilot.app.study
        text = await press(pilot, "at")
        assert study.card(name).suspended
        assert "❯ =" in text
        text = await press(pilot, "f")
        assert study.card(name).flagged
        assert "❯ =⚑" in text
        text = await press(pilot, "enter")
        assert "= suspended" in text
        assert "⚑ flagged" in text
        await press(pilot, "at", "f")
        assert not study.card(name).suspended
        assert not study.card(name).flagged
        assert current(pilot) == name


async def test_reset_asks_first(tmp_path):
    async with open_app(tmp_path, at=BROWSE, answers=[True]) as pilot:
        (name,) = pilot.app.study.cards
        await find(pilot, name)
        assert "Forget your progress on" in await press(pilot, "x")
        await press(pilot, "n")
        assert pilot.app.study.card(name).memory is not None
        await press(pilot, "x")
        text = await press(pilot, "y")
        assert pilot.app.study.card(name).memory is None
        assert "❯ ·" in text


async def test_a_click_answers_the_question_too(tmp_path):
    async with open_app(tmp_path, at=BROWSE, answers=[True]) as pilot:
        (name,) = pilot.app.study.cards
        await find(pilot, name)
        await press(pilot, "x")
        lines = screen_lines(pilot.app)
        row = next(i for i, line in enumerate(lines) if "y yes" in line)
        await pilot.click(offset=(cells(lines[row][: lines[row].index("y yes")]), row))
        await settle(pilot)
        assert pilot.app.study.card(name).memory is None


async def test_what_was_never_answered_has_nothing_to_forget(tmp_path):
    async with open_app(tmp_path, at=BROWSE) as pilot:
        text = await press(pilot, "x")
        assert "There is no progress to forget." in text


async def test_tab_narrows_to_states_that_some_question_is_in(tmp_path):
    async with open_app(tmp_path, at=BROWSE, answers=[True, False]) as pilot:
        seen = []
        while (text := await press(pilot, "tab")).splitlines()[0].count("only"):
            seen.append(FILTERS[pilot.app.screen._filter])
            states = {row.state for row in pilot.app.screen._shown}
            assert states == {State(seen[-1])}
            assert len(pilot.app.screen._shown) > 0
        assert seen == ["new", "known", "due"]
        assert "all" in text.splitlines()[0]


async def test_a_changed_question_has_a_star_and_can_be_reverted(tmp_path, monkeypatch):
    own = tmp_path / "content" / "shared-memory"
    own.mkdir(parents=True)
    source = shipped_content() / "shared-memory" / "exercises" / "atomics.yaml"
    shutil.copy(source, own / "atomics.yaml")
    reverted = []

    async def revert(name):
        reverted.append(name)

    async with open_app(tmp_path, at=BROWSE) as pilot:
        monkeypatch.setattr(pilot.app, "revert", revert)
        await press(pilot, "tab")
        text = await press(pilot, "tab")
        assert "only changed by you" in text
        assert "❯ · *" in text
        text = await press(pilot, "enter")
        assert "* changed by you" in text
        assert "r revert" in text
        await press(pilot, "r")
        assert reverted == [current(pilot)]


async def test_an_unchanged_question_has_nothing_to_revert(tmp_path):
    async with open_app(tmp_path, at=BROWSE) as pilot:
        assert "You have not changed this question." in await press(pilot, "r")


async def test_edit_hands_the_question_over_and_lists_again(tmp_path, monkeypatch):
    edited = []

    async def edit(name):
        edited.append(name)

    async with open_app(tmp_path, at=BROWSE) as pilot:
        monkeypatch.setattr(pilot.app, "edit", edit)
        await press(pilot, "down", "e")
        assert edited == [current(pilot)]


@pytest.mark.parametrize("key", ["f", "at"])
async def test_a_store_that_cannot_be_written_is_told_and_nothing_ends(tmp_path, monkeypatch, key):
    def refuse(*_, **__):
        raise StoreLocked(quote("the database is locked"), quote("close the other program"))

    async with open_app(tmp_path, at=BROWSE) as pilot:
        monkeypatch.setattr(pilot.app.study.store, "append", refuse)
        text = await press(pilot, key)
        assert "the database is locked" in text
        assert isinstance(pilot.app.screen, BrowserScreen)


async def test_a_store_that_cannot_be_read_is_told(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise StoreLocked(quote("the database is locked"), quote("close the other program"))

    async with open_app(tmp_path, at=BROWSE) as pilot:
        monkeypatch.setattr(pilot.app.study.store, "events", refuse)
        assert "the database is locked" in await press(pilot, "enter")


async def test_a_click_moves_and_a_second_one_opens(tmp_path):
    async with open_app(tmp_path, at=BROWSE) as pilot:
        await pilot.click(Rows, offset=(10, 5))
        await settle(pilot)
        assert pilot.app.screen.query_one(Rows).cursor == 5
        await pilot.click(Rows, offset=(10, 5))
        text = await settle(pilot)
        assert current(pilot) in text
        assert "due in" not in text


async def test_only_what_is_seen_is_drawn(tmp_path, monkeypatch):
    drawn = []
    row = Table.row
    monkeypatch.setattr(Table, "row", lambda self, *a: drawn.append(a[0]) or row(self, *a))
    async with open_app(tmp_path, at=BROWSE) as pilot:
        assert set(drawn) == set(range(19))
        drawn.clear()
        await press(pilot, "down")
        assert set(drawn) == {0, 1}
        text = await press(pilot, "end")
        last = len(pilot.app.study.deck.entries) - 1
        assert pilot.app.screen.query_one(Rows).cursor == last
        assert "❯" in text.splitlines()[-2]
        await press(pilot, "pageup", "pageup", "home")
        assert pilot.app.screen.query_one(Rows).cursor == 0


async def test_every_key_shown_works_and_the_line_is_whole(tmp_path):
    async with open_app(tmp_path, at=BROWSE) as pilot:
        assert screen_lines(pilot.app)[-1].endswith("? help")
        text = await press(pilot, "enter")
        assert text.splitlines()[-1].endswith("? help")


async def test_without_colour_every_state_still_has_a_sign(tmp_path, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    async with open_app(tmp_path, at=BROWSE, answers=[True, False]) as pilot:
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
    table = Table(rows, Words(language))
    assert cells(table.head(width).plain) == width
    assert {cells(table.row(i, width).plain) for i in range(len(rows))} == {width}
