"""A person's way through traces and layout exercises: keys in, what stands on the screen out."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import TextArea

from quizapp.deck.content import content_roots
from quizapp.deck.deck import load
from quizapp.domain.log.events import Answered, Body, Tried
from quizapp.store.store import Store
from quizapp.study.home_values import Filter
from quizapp.study.service import Study
from quizapp.system import editor as external
from quizapp.system.config import Settings
from quizapp.system.width import columns
from quizapp.tui.app import QuizApp
from quizapp.tui.screens.question import QuestionScreen
from tests.tui.pilots import FixedClock, paths_in, press, tap
from tests.tui.screen_text import rest, screen_lines, screen_text, settle, wait_for_text

QUESTIONS = """
- id: column
  kind: trace
  topic: traces
  concept: column
  difficulty: 1
  basis: as-written
  ask: wavefronts
  draw:
    pitch: [32, 33, 34, 36, 40, 48, 64, 65]
    column: [0, 5]
  access: {index: "tile[threadIdx.x][column]", pitch: pitch}
  prompt:
    en: "Column {{column}} of `float tile[32][{{pitch}}]`: how many wavefronts?"
    zh: "`float tile[32][{{pitch}}]` 的第 {{column}} 列：需要几个 wavefront？"
  explanation:
    en: "Reason: the greatest divisor of {{pitch}} and 32 is {{answer}}."
    zh: "原因：{{pitch}} 与 32 的最大公约数是 {{answer}}。"
  sources: ["computed: grader.banks"]
- id: ways
  kind: trace
  topic: traces
  concept: ways
  difficulty: 2
  basis: as-written
  ask: ways
  draw: {stride: [1, 2, 4, 6, 8, 12, 16, 32]}
  access: {index: threadIdx.x * stride}
  prompt: {en: "A stride of {{stride}}: how many ways?", zh: "步长 {{stride}}：几路？"}
  explanation: {en: "So it is {{answer}}.", zh: "所以是 {{answer}}。"}
  sources: ["computed: grader.banks"]
- id: swizzle
  kind: index
  topic: layouts
  concept: swizzle
  difficulty: 3
  basis: as-written
  prompt:
    en: |
      A 32×32 tile of floats, for a transpose.

      - a warp stores a row
      - a warp loads a column

      1,024 elements may be used, and one wavefront each.
    zh: 按行写，按列读，1,024 个元素。
  tile: {rows: 32, columns: 32, storage: 1024}
  accesses:
    - {name: row store, op: store, along: rows}
    - {name: column load, op: load, along: columns}
  starter: |
    def index(row, col):
        return row * 32 + col
  solution: |
    def index(row, col):
        return row * 32 + (col ^ row)
  wrong:
    - source: row * 32 + (col ^ (row & 7))
      fails: "wavefronts: column load"
      why: {en: "`row & 7` has **eight** values.", zh: "`row & 7` 只有 **8** 种取值。"}
  explanation: {en: "Reason: the bank is the column.", zh: "原因：bank 就是列。"}
  hints: [{en: "What decides the bank?", zh: "什么决定 bank？"}]
  sources: ["computed: grader.layouts"]
- id: after
  kind: index
  topic: layouts
  concept: padding
  difficulty: 4
  basis: as-written
  prompt: {en: "The same with padding.", zh: "同样，可以填充。"}
  tile: {rows: 32, columns: 32, storage: 1056}
  accesses:
    - {name: row store, op: store, along: rows}
    - {name: column load, op: load, along: columns}
  starter: row * 32 + col
  solution: row * 33 + col
  wrong:
    - source: row * 34 + col
      fails: inside
      why: {en: "It takes too much.", zh: "太多了。"}
  explanation: {en: "An odd pitch.", zh: "奇数。"}
  sources: ["computed: grader.layouts"]
"""
STARTER = "def index(row, col):\n    return row * 32 + col\n"
RIGHT = "row * 32 + (col ^ row)"
PACKED = STARTER.replace("row * 32", "32 * row")
MISTAKE = "row * 32 + (col ^ (row & 7))"

Start = Callable[..., AbstractAsyncContextManager[Pilot[int]]]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Start:
    """Start the application at the first question of a kind of those above."""
    folder = tmp_path / "packs" / "mine"
    folder.mkdir(parents=True)
    (folder / "questions.yaml").write_text(QUESTIONS, "utf-8")
    monkeypatch.setattr("quizapp.deck.content.shipped_content", lambda: folder.parent)

    @asynccontextmanager
    async def opened(
        kind: str = "index", size: tuple[int, int] = (80, 24), **settings: Any
    ) -> AsyncIterator[Pilot[int]]:
        chosen = Settings(**({"welcomed": True, "confidence": False} | settings))
        paths = paths_in(tmp_path)
        narrowed = Filter(kind=kind)
        deck = load(content_roots(paths, chosen)[:1], str(paths.compiled_deck))
        with Study(deck, Store.open(paths.database), chosen, FixedClock()) as study:
            study.session.begin(narrowed)
            app = QuizApp(study, paths, chosen, narrowed)
            async with app.run_test(size=size) as pilot:
                await rest(pilot)
                await tap(pilot, "enter")
                yield pilot

    return opened


def after_starter(typed: str) -> str:
    """What the editor holds after something was typed where its cursor starts."""
    head, result = STARTER.splitlines()
    return f"{head}\n    {typed}\n{result}\n"


def editor(pilot: Pilot[int]) -> TextArea:
    return pilot.app.screen.query_one("#code", TextArea)


async def write(pilot: Pilot[int], source: str) -> None:
    """Replace what stands in the editor as a person does: all selected, then pasted over."""
    await tap(pilot, "f7", "delete")
    pilot.app.post_message(events.Paste(source))
    await rest(pilot)
    assert editor(pilot).text == source


def bodies(pilot: Pilot[int], question: str = "swizzle") -> list[Body]:
    study: Study = pilot.app.study  # type: ignore[attr-defined]
    return [event.body for event in study.store.events(f"mine/{question}")]


def failed_submissions(pilot: Pilot[int]) -> list[str]:
    """Submissions in the log that failed."""
    return [body.source for body in bodies(pilot) if isinstance(body, Tried)]


def drafts(pilot: Pilot[int]) -> dict[str, str]:
    study: Study = pilot.app.study  # type: ignore[attr-defined]
    return study.store.drafts()


def read_pitch(text: str) -> tuple[int, int]:
    """Column and pitch of the trace that is asked."""
    found = re.search(r"Column (\d+) of float tile\[32\]\[(\d+)\]", text)
    assert found is not None, text
    return int(found[1]), int(found[2])


# A trace


async def test_a_wrong_trace_shows_the_map_and_then_the_reason_of_the_same_draw(
    start: Start,
) -> None:
    async with start("trace", size=(80, 40)) as pilot:
        column, pitch = read_pitch(await settle(pilot))
        text = await press(pilot, *"77", "enter")
        (answer,) = [b for b in bodies(pilot, "column") if isinstance(b, Answered)]
        right = next(n for n in (32, 16, 8, 4, 2, 1) if pitch % n == 0)
        assert answer.drawn == {"parameters": {"column": column, "pitch": pitch}}
        assert screen_lines(pilot.app)[0].endswith(
            f"✗ {right} wavefront{'s' if right > 1 else ''}, not 77"
        )
        assert f"greatest divisor of {pitch} and 32 is {right}." in text
        assert text.index("bank     0 1 2") < text.index("wavefronts ") < text.index("Reason:")


async def test_a_right_trace_shows_its_map_on_demand(start: Start) -> None:
    async with start("trace") as pilot:
        _, pitch = read_pitch(await settle(pilot))
        right = next(n for n in (32, 16, 8, 4, 2, 1) if pitch % n == 0)
        text = await press(pilot, *str(right), "enter")
        assert "✓" in screen_lines(pilot.app)[0]
        assert "bank " not in text
        assert "bank     0 1 2" in await press(pilot, "d")
        assert "bank     0 1 2" not in await press(pilot, "d")


async def test_undo_asks_the_same_draw_again_and_a_repeat_another(start: Start) -> None:
    async with start("trace") as pilot:
        first = read_pitch(await settle(pilot))
        text = await press(pilot, *"77", "enter", "u")
        assert read_pitch(text) == first
        await tap(pilot, "i", *"77", "enter", "enter", "escape", "g", "enter")
        assert read_pitch(await settle(pilot)) != first


@pytest.mark.parametrize("typed", ["8", "8-way", "8 ways", "8way", "８"])
async def test_ways_may_be_typed_as_one_says_them(start: Start, typed: str) -> None:
    async with start("trace") as pilot:
        await tap(pilot, "escape", "g", "enter")
        assert "how many ways?" in await settle(pilot)
        pilot.app.post_message(events.Paste(typed))
        await rest(pilot)
        text = await press(pilot, "enter")
        assert "enter next" in text, text


@pytest.mark.parametrize("typed", ["8路", "8 路冲突"])
async def test_ways_may_be_typed_in_chinese(start: Start, typed: str) -> None:
    async with start("trace", language="zh") as pilot:
        await tap(pilot, "escape", "g", "enter")
        pilot.app.post_message(events.Paste(typed))
        await rest(pilot)
        assert "下一题" in await press(pilot, "enter")


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_at_80_columns_a_map_is_whole_and_aligned(start: Start, language: str) -> None:
    async with start("trace", language=language) as pilot:
        await tap(pilot, *"77", "enter")
        lines = screen_lines(pilot.app)
        assert not any("76" in line for line in lines), "the map was left out"
        head = next(i for i, line in enumerate(lines) if line.lstrip().startswith("bank "))
        ends = {columns(line[:78].rstrip(" ▁▂▃▄▅▆▇█")) for line in lines[head : head + 3]}
        assert ends == {78}
        assert all(columns(line) <= 80 for line in lines)


async def test_without_colours_the_signs_say_everything(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with start("trace") as pilot:
        _, pitch = read_pitch(await settle(pilot))
        text = await press(pilot, *"77", "enter")
        assert "✗" in text
        assert ("!wave 2" in text) == (pitch % 2 == 0)


# The editor of an exercise


async def test_typing_goes_to_the_editor_at_once_and_undo_stays_within_it(start: Start) -> None:
    async with start() as pilot:
        assert editor(pilot).has_focus
        assert editor(pilot).language == "python"
        assert editor(pilot).text == after_starter("")
        await tap(pilot, *"ghq", "tab", "x")
        assert editor(pilot).text == after_starter("ghq x")
        await tap(pilot, "ctrl+z", "ctrl+z", "ctrl+z")
        assert editor(pilot).text == after_starter("")
        assert bodies(pilot) == []
        assert isinstance(pilot.app.screen, QuestionScreen)


async def test_several_lines_are_pasted_verbatim(start: Start) -> None:
    async with start() as pilot:
        source = "def index(row, col):\n\t# [red]行[/red]\n\treturn row * 32 + (col ^ row)"
        await write(pilot, source)
        assert "[red]行[/red]" in await settle(pilot)
        text = await press(pilot, "ctrl+s")
        assert "✓ right" in text
        assert "[red]行[/red]" in await press(pilot, "tab")


async def test_costs_come_without_being_asked_and_checks_wait(start: Start) -> None:
    async with start(size=(120, 40)) as pilot:
        await write(pilot, MISTAKE)
        text = await wait_for_text(pilot, "4        1        1")
        assert "✗" not in text
        assert bodies(pilot) == []
        assert "✗ column load: 4 wavefronts, 1 allowed" in await press(pilot, "ctrl+s")


async def test_a_failed_submission_is_told_logged_and_counted_once(start: Start) -> None:
    async with start() as pilot:
        await write(pilot, PACKED)
        text = await press(pilot, "ctrl+s")
        assert "1 submission failed" in text
        assert "✗ column load: 32 wavefronts, 1 allowed" in text
        assert "This is what was submitted" in await press(pilot, "ctrl+s")
        assert "This is what was submitted" in await press(pilot, "escape", "enter")
        assert failed_submissions(pilot) == [PACKED]
        await tap(pilot, "i", "#", "ctrl+s")
        assert failed_submissions(pilot) == [PACKED, PACKED + "#"]


async def test_what_never_ran_costs_nothing(start: Start) -> None:
    async with start() as pilot:
        text = await press(pilot, "ctrl+s")
        assert "This is the starter, unchanged; write your part first." in text
        assert bodies(pilot) == []
        for slip in ("row +", "row * 32 + 列"):
            await write(pilot, slip)
            assert "does not count as an attempt" in await press(pilot, "ctrl+s")
        await write(pilot, RIGHT)
        assert "right, without hints" in await press(pilot, "ctrl+s")
        (answer,) = [body for body in bodies(pilot) if isinstance(body, Answered)]
        assert answer.failures == 0


@pytest.mark.parametrize("size", [(80, 24), (60, 16), (110, 30)])
async def test_the_verdict_is_seen_without_scrolling_and_typing_goes_on(
    start: Start, size: tuple[int, int]
) -> None:
    async with start(size=size) as pilot:
        for round_ in range(6):
            text = await press(pilot, "#", "ctrl+s")
            assert "✗ column load" in text
            assert "return row * 32 + col" in text, f"round {round_}"
            assert editor(pilot).has_focus
        assert editor(pilot).text == after_starter("#" * 6)


async def test_escape_then_enter_checks(start: Start) -> None:
    async with start() as pilot:
        await write(pilot, RIGHT)
        text = await press(pilot, "escape")
        assert "enter submit" in text
        assert "✓ right" in await press(pilot, "enter")


async def test_a_pass_shows_ratings_reason_and_keys_and_d_a_solution(start: Start) -> None:
    async with start(size=(80, 40)) as pilot:
        await write(pilot, RIGHT)
        text = await press(pilot, "ctrl+s")
        assert "good: right, without hints" in text
        assert "Reason: the bank is the column." in text
        assert "A solution" not in text
        assert screen_lines(pilot.app)[-1].split("   ")[0].strip() == "enter next"
        assert "return row * 32 + (col ^ row)" in await press(pilot, "d")
        text = await press(pilot, "enter")
        assert "The same with padding." in text
        assert "✗" not in text
        assert editor(pilot).text == "row * 32 + col"
        await tap(pilot, "ctrl+z")
        assert editor(pilot).text == "row * 32 + col"


async def test_beside_the_feedback_stay_prompt_code_and_map(start: Start) -> None:
    async with start(size=(120, 40)) as pilot:
        await write(pilot, MISTAKE)
        await tap(pilot, "ctrl+s")
        text = await press(pilot, "f3", "f3")
        assert all(said in text for said in ("A 32×32 tile of floats", MISTAKE, "Reason: the"))
        assert "+    return row * 32 + (col ^ row)" in text
        assert re.search(r"column load, warp 0:.*\n.*│  bank  ", text)


async def test_giving_up_shows_a_solution_and_keeps_what_was_written(start: Start) -> None:
    async with start(size=(80, 40)) as pilot:
        await tap(pilot, *"mine", "escape", "g", "g")
        text = await settle(pilot)
        assert "✗ given up" in text
        assert "A solution" in text
        assert "return row * 32 + (col ^ row)" in text
        (answer,) = [body for body in bodies(pilot) if isinstance(body, Answered)]
        assert answer.response == after_starter("mine")


async def test_quitting_in_the_middle_keeps_the_draft(start: Start) -> None:
    async with start() as pilot:
        await tap(pilot, *"abc", "escape", "q")
    async with start() as pilot:
        assert editor(pilot).text == after_starter("abc")
        assert "From last time" in await settle(pilot)


@pytest.mark.parametrize("key", ["minus", "u"])
async def test_what_was_just_typed_is_kept_when_another_question_comes(
    start: Start, key: str
) -> None:
    async with start() as pilot:
        await write(pilot, RIGHT)
        await tap(pilot, "ctrl+s", "enter")
        await tap(pilot, *" # mine", "escape", key)
        assert drafts(pilot).get("mine/after") == "row * 32 + col # mine"


async def test_editing_the_question_keeps_what_was_just_typed(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def edited(_app: QuizApp, _question: str) -> None:
        """Nothing was changed."""

    monkeypatch.setattr(QuizApp, "edit", edited)
    async with start() as pilot:
        await tap(pilot, *"abc", "escape", "e")
        assert editor(pilot).text == after_starter("abc")


async def test_undo_after_a_pass_asks_again(start: Start) -> None:
    async with start() as pilot:
        await write(pilot, RIGHT)
        text = await press(pilot, "ctrl+s", "u")
        assert "✓ right" not in text
        assert "layout" in text
        assert editor(pilot).display


async def test_undo_does_not_make_failures_undone(start: Start) -> None:
    async with start() as pilot:
        for wrong in (PACKED, PACKED + "#"):
            await write(pilot, wrong)
            await tap(pilot, "ctrl+s")
        await write(pilot, RIGHT)
        assert "right after two or more failures" in await press(pilot, "ctrl+s")
        await tap(pilot, "u", "i")
        await write(pilot, RIGHT)
        assert "right after two or more failures" in await press(pilot, "ctrl+s")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def index(row, col:\n    return 1", "line 1"),
        ("def index(row, col):\n    return row + [red]col[/red]", "line 2"),
        ("row * 32 + 列", "列"),
        ("row * 32 + col # " + "长x" * 300, "✗"),
        ("def index(row, col):\n" + "    x = row\n" * 500 + "    return row * 32 + col", "✗"),
        ("return", "the source is empty"),
    ],
)
async def test_odd_sources_are_answered_and_the_editor_goes_on(
    start: Start, source: str, said: str
) -> None:
    async with start() as pilot:
        await write(pilot, source)
        text = await press(pilot, "ctrl+s")
        assert "does not count" in text or "1 submission failed" in text
        assert said in text
        await tap(pilot, "x")
        assert "x" in editor(pilot).text
        assert editor(pilot).has_focus


async def test_what_never_ends_is_ended_and_keys_are_taken_meanwhile(start: Start) -> None:
    async with start() as pilot:
        await write(pilot, "def index(row, col):\n    while True: pass")
        await tap(pilot, "ctrl+s", "#")
        await wait_for_text(pilot, "does not end in time")
        assert editor(pilot).text.endswith("pass#")


@pytest.mark.parametrize(("language", "said"), [("en", "eight"), ("zh", "8")])
async def test_why_a_known_mistake_fails_is_told_as_prose(
    start: Start, language: str, said: str
) -> None:
    async with start(language=language) as pilot:
        await write(pilot, MISTAKE)
        text = await press(pilot, "ctrl+s")
        assert "row & 7" in text
        assert said in text
        assert "`" not in text
        assert "**" not in text


async def test_in_the_editor_the_last_line_names_keys_that_work_there(start: Start) -> None:
    async with start() as pilot:
        line = screen_lines(pilot.app)[-1]
        assert "^s submit" in line
        assert "f3 give up" in line
        text = screen_text(pilot.app)
        assert "After esc: i writes on, o opens your editor." in text
        assert text.count("^s") == 1


async def test_help_lists_the_keys_of_the_editor(start: Start) -> None:
    async with start(size=(80, 40)) as pilot:
        text = await press(pilot, "escape", "question_mark")
        assert "^s " in text
        assert "^o " in text


async def test_a_habit_of_pressing_ctrl_s_twice_does_not_skip_the_feedback(start: Start) -> None:
    async with start() as pilot:
        await write(pilot, RIGHT)
        assert "✓ right" in await press(pilot, "ctrl+s", "ctrl+s")


@pytest.mark.parametrize("theme", ["quiz-dark", "quiz-light", "quiz-contrast", "nord"])
async def test_the_editor_has_the_colors_of_the_theme(start: Start, theme: str) -> None:
    async with start(theme=theme) as pilot:
        await tap(pilot, "x")
        assert editor(pilot).theme == theme
        style = editor(pilot).rich_style
        assert style.color != style.bgcolor


async def test_another_theme_is_the_editors_as_well(start: Start) -> None:
    async with start(theme="quiz-dark") as pilot:
        pilot.app.theme = "quiz-light"
        await rest(pilot)
        assert editor(pilot).theme == "quiz-light"


async def test_without_colours_the_cursor_of_the_editor_is_seen(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with start() as pilot:
        await tap(pilot, "x", "left")
        region = editor(pilot).content_region
        row, _ = editor(pilot).cursor_location
        strip = pilot.app.screen._compositor.render_strips()[region.y + row]
        assert any(segment.style and segment.style.reverse for segment in strip)


# An editor outside


class Outside:
    """Stands for an editor with a window of its own: remembers which file it opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.paths: list[Path] = []
        monkeypatch.setattr(external, "stands_beside", lambda _setting: True)
        monkeypatch.setattr(external, "open_beside", lambda _setting, path: self.paths.append(path))

    def save(self, text: str) -> None:
        """At once: what is half written is looked at, too."""
        beside = self.paths[-1].with_suffix(".new")
        beside.write_text(text, "utf-8")
        beside.replace(self.paths[-1])


async def test_each_save_outside_is_checked(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    outside = Outside(monkeypatch)
    async with start() as pilot:
        await tap(pilot, "#", "ctrl+o")
        assert outside.paths[0].read_text("utf-8") == after_starter("#")
        outside.save(MISTAKE)
        await wait_for_text(pilot, "4 wavefronts, 1 allowed")
        outside.save("def index(row, col): [red]")
        await wait_for_text(pilot, "does not count as an attempt")
        outside.save(RIGHT)
        await wait_for_text(pilot, "✓ right")
        assert failed_submissions(pilot) == [MISTAKE, "def index(row, col): [red]"]
        outside.save("1")
        await tap(pilot, "enter")
        assert "The same with padding." in await settle(pilot)


async def test_a_save_outside_can_be_undone_in_the_editor(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = Outside(monkeypatch)
    async with start() as pilot:
        await tap(pilot, "ctrl+o", *"# mine")
        outside.save(MISTAKE)
        await wait_for_text(pilot, "4 wavefronts, 1 allowed")
        await tap(pilot, "ctrl+z")
        assert editor(pilot).text == after_starter("# mine")


async def test_a_file_that_cannot_be_written_is_told_and_nothing_is_lost(
    start: Start, tmp_path: Path
) -> None:
    async with start() as pilot:
        (tmp_path / "cache").mkdir(exist_ok=True)
        (tmp_path / "cache" / "submissions").write_text("in the way")
        await tap(pilot, *"abc", "ctrl+o")
        assert pilot.app.failure is None  # type: ignore[attr-defined]
        assert editor(pilot).text == after_starter("abc")


# Elsewhere


@pytest.mark.parametrize("name", ["ways", "swizzle"])
async def test_the_browser_shows_the_map_at_80_columns(start: Start, name: str) -> None:
    async with start(size=(80, 60)) as pilot:
        await tap(pilot, "escape", "slash", *name, "escape")
        text = await press(pilot, "a")
        assert f"mine/{name}" in text
        assert "needs 76 columns" not in text
        assert "bank     0 1 2" in text


async def test_chinese_speaks_in_an_exercise(start: Start) -> None:
    async with start(language="zh", size=(80, 40)) as pilot:
        assert "这是未改动的初始代码" in await press(pilot, "ctrl+s")
        await write(pilot, PACKED)
        text = await press(pilot, "ctrl+s")
        assert "已失败 1 次" in text
        assert "列" in text
        await write(pilot, RIGHT)
        text = await press(pilot, "ctrl+s")
        assert "原因：bank 就是列。" in text
        assert "下一题" in text


async def test_a_new_line_is_as_deep_as_the_one_before_and_deeper_behind_a_colon(
    start: Start,
) -> None:
    async with start() as pilot:
        await tap(pilot, "f7", "delete")
        for text in ("def index(row, col):", "if row:", "return 1"):
            pilot.app.post_message(events.Paste(text))
            await rest(pilot)
            await tap(pilot, "enter")
        assert editor(pilot).text == (
            "def index(row, col):\n    if row:\n        return 1\n        "
        )


async def test_what_was_given_up_shows_no_verdict_on_an_earlier_submission(start: Start) -> None:
    async with start() as pilot:
        assert "✗ " in await press(pilot, "#", "ctrl+s")
        text = await press(pilot, "escape", "g", "g")
        assert "given up" in text
        assert "wavefronts, 1 allowed" not in text


async def test_a_hint_below_the_verdict_is_scrolled_to(start: Start) -> None:
    async with start() as pilot:
        await tap(pilot, "#", "ctrl+s", "escape")
        assert "Hint 1 of" in await press(pilot, "h")
