"""The right side of the workbench by keys: a line's counts, the bank map's cursor, the steps."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache

import pytest
from textual.app import App, ComposeResult

from quizapp.deck import index
from quizapp.deck.compiler import compile_deck
from quizapp.deck.deck import Deck
from quizapp.domain.question import Index
from quizapp.exercises.kernels import CheckedKernel
from quizapp.exercises.layouts import check as check_layout
from quizapp.report.words import Words
from quizapp.system.width import columns
from quizapp.tui.widgets.inspector import Inspector
from tests.examining import EXAMINER
from tests.grader.gpu.tools import CONTENT, shipped
from tests.tui.screen_text import screen_lines, screen_text

QUESTION = next(one.question for one in shipped() if one.id.endswith("transpose-padded"))
SOLUTION = QUESTION.solution or ""
WRONG = {
    "unpadded": SOLUTION.replace("PITCH = TILE + 1", "PITCH = TILE"),
    "no-barrier": SOLUTION.replace("    cuda.syncthreads()\n", ""),
}


@cache
def checked(name: str) -> CheckedKernel:
    """A submission with its verdict: a listed mistake, or the solution."""
    return EXAMINER.check(QUESTION, WRONG.get(name, SOLUTION))


def line_of(name: str, text: str) -> int:
    """The line of a submission that has a text, from 1."""
    lines = WRONG.get(name, SOLUTION).split("\n")
    return next(number for number, line in enumerate(lines, 1) if text in line)


class Workbench(App[None]):
    """An editor's caret as a number, and the inspector beside it."""

    caret = 1

    def compose(self) -> ComposeResult:
        yield Inspector()

    def key_of(self, binding_id: str) -> str:
        return {"check": "^s"}[binding_id]

    def on_inspector_go_to(self, message: Inspector.GoTo) -> None:
        self.caret = message.line
        self.query_one(Inspector).at_line(message.line)

    async def on_inspector_look(self, message: Inspector.Look) -> None:
        seen = EXAMINER.record(message.checked, message.moment, message.run)
        self.query_one(Inspector).seen(message.moment, seen)


class Bench:
    """What a test does with it."""

    def __init__(self, app: Workbench, pilot) -> None:
        self.app, self.pilot = app, pilot
        self.inspector = app.query_one(Inspector)

    async def press(self, *keys: str) -> str:
        await self.pilot.press(*keys)
        await self.pilot.pause()
        return screen_text(self.app)


@asynccontextmanager
async def workbench(
    name: str = "unpadded",
    line: int = 1,
    *,
    width: int = 60,
    language: str = "en",
    live: bool = False,
    height: int = 40,
) -> AsyncIterator[Bench]:
    app = Workbench()
    async with app.run_test(size=(width, height)) as pilot:
        bench = Bench(app, pilot)
        bench.inspector.focus()
        bench.inspector.show(checked(name), Words(language), live=live)
        bench.inspector.at_line(line)
        await pilot.pause()
        yield bench


LOAD = "= tile["
STORE = "tile[ty"


async def test_the_line_with_the_caret_shows_its_counts_and_its_worst_access():
    async with workbench("unpadded", line_of("unpadded", LOAD)) as bench:
        shown = screen_lines(bench.app)
    counts = QUESTION.shapes[0]["rows"] * QUESTION.shapes[0]["columns"] // 32
    assert shown[2].split() == ["shared", "load", "global", "store"]
    assert shown[3].split() == ["requests", f"{counts:,}", f"{counts:,}"]
    assert shown[4].split() == ["wavefronts", f"{32 * counts:,}", "–"]
    assert shown[7].split() == ["excessive", f"{31 * counts:,}", "0"]
    assert any("32-way" in line for line in shown)


async def test_a_line_without_accesses_shows_the_totals_and_enter_goes_to_the_worst():
    async with workbench("unpadded") as bench:
        assert "all lines" in screen_text(bench.app)
        await bench.press("enter")
        assert bench.app.caret == line_of("unpadded", LOAD)


async def test_the_cursor_on_the_map_names_lane_word_and_element():
    async with workbench("unpadded", line_of("unpadded", LOAD)) as bench:
        shown = await bench.press("m")
        assert "wavefront 1, bank 0" in shown
        assert "lane 0 · word 0, byte 0 · tile[0, 0]" in shown
        shown = await bench.press("down", "down", "down")
        assert "lane 3 · word 96, byte 384 · tile[3, 0]" in shown
        assert "this bank serves no lane here" in await bench.press("right")
        assert "wavefront 1, bank 0" in await bench.press("left", "left", "up", "up", "up", "up")
        await bench.press("escape")
        assert bench.inspector.mode == "line"


async def test_a_race_is_walked_through_and_the_caret_follows():
    name = "no-barrier"
    reads, writes = line_of(name, LOAD), line_of(name, STORE)
    async with workbench(name, reads) as bench:
        shown = await bench.press("n")
        assert "writes tile[1, 0]" in shown
        assert bench.app.caret == writes
        assert bench.inspector.mode == "steps"
        shown = await bench.press("right")
        assert "reads tile[1, 0]" in shown
        assert bench.app.caret == reads
        assert "cuda.syncthreads()" in await bench.press("n")
        await bench.press("p", "left")
        assert bench.app.caret == writes
        bench.inspector.at_line(1)
        assert bench.inspector.mode == "line"


async def test_live_withholds_races_and_shows_counts():
    name = "no-barrier"
    async with workbench(name, line_of(name, LOAD), live=True) as bench:
        shown = await bench.press("n")
        assert "race" not in shown
        assert "wavefronts" in shown
        assert bench.inspector.mode == "line"
        assert "inspect-next" not in bench.inspector.keys


async def test_a_refusal_is_shown_live():
    async with workbench("unpadded") as bench:
        source = SOLUTION.replace("cuda.syncthreads()", "cuda.nothing()")
        bench.inspector.show(EXAMINER.check(QUESTION, source), Words("en"), live=True)
        assert "not accepted" in await bench.press("down")


@pytest.mark.parametrize("width", [40, 60, 80, 100])
@pytest.mark.parametrize("language", ["en", "zh"])
async def test_every_line_fits_at_every_width(width, language):
    name = "no-barrier"
    async with workbench(name, line_of(name, LOAD), width=width, language=language) as bench:
        for key in ("down", "n", "escape", "m"):
            await bench.press(key)
            drawn = [line.cell_length for line in bench.inspector._drawn]
            assert max(drawn) <= width - 1, key
            assert all(columns(line) <= width for line in screen_lines(bench.app))


async def test_before_anything_is_counted_it_says_so():
    async with workbench("unpadded") as bench:
        bench.inspector.show(None, Words("en"), live=True)
        assert "Nothing has been counted yet; ^s submits." in await bench.press("m", "n", "enter")


async def test_values_of_a_thread_in_a_line_and_of_the_next_threads():
    line = line_of("right", STORE)
    async with workbench("right", line) as bench:
        shown = await bench.press("v")
        assert "thread 0 of block 0" in shown
        assert "execution 1 of 4 of this line" in shown
        assert rows_of(shown)["ty"] == ["0", "int32"]
        assert rows_of(await bench.press("right", "right"))["tx"] == ["2", "int32"]
        shown = await bench.press("n", "n")
        assert rows_of(shown)["j"] == ["16", "int64"]
        assert "execution 3 of 4 of this line" in shown
        assert "execution 2 of 4 of this line" in await bench.press("p")
        shown = await bench.press("b")
        assert "thread 2 of block 1" in shown
        assert rows_of(shown)["x"] == ["34", "int64"]
        shown = await bench.press("left", "left", "left")
        assert "thread (31, 7) of block 1" in shown


def rows_of(shown: str) -> dict[str, list[str]]:
    """The rows of the screen by their first word."""
    rows = [line.split() for line in shown.splitlines() if line.strip()]
    return {first: rest for first, *rest in rows}


async def test_a_tile_is_drawn_with_what_the_line_has_written():
    async with workbench("right", line_of("right", STORE), width=60) as bench:
        shown = await bench.press("v")
        tile = shown[shown.index("tile  32 × 33  float32") :].splitlines()
    assert tile[1].split()[0] == "columns"
    assert [row.split()[0] for row in tile[3:8]] == ["0", "1", "2", "3", "4"]
    assert all(cell.endswith("*") for cell in tile[3].split()[1:])  # row 0 by thread (tx, 0)


async def test_values_follow_the_caret_and_begin_at_the_fault():
    name = "no-barrier"
    reads, writes = line_of(name, LOAD), line_of(name, STORE)
    async with workbench(name, reads) as bench:
        await bench.press("n")
        assert "thread (0, 1) of block 0" in await bench.press("v")
        bench.inspector.at_line(line_of(name, "rows, columns ="))
        assert {"rows", "columns"} <= rows_of(await bench.press("end")).keys()
        bench.inspector.at_line(1)
        assert "never executes line 1" in await bench.press("end")
        assert writes < reads


async def test_live_there_are_no_values():
    async with workbench("right", line_of("right", STORE), live=True) as bench:
        await bench.press("v", "b")
        assert bench.inspector.mode == "line"
        assert "inspect-values" not in bench.inspector.keys


async def test_the_same_again_leaves_the_mode_as_it_is():
    """The screen shows the same verdict with every redraw."""
    async with workbench("unpadded", line_of("unpadded", LOAD)) as bench:
        words = Words("en")
        bench.inspector.show(checked("unpadded"), words, live=False)
        await bench.press("m")
        bench.inspector.show(checked("unpadded"), words, live=False)
        assert bench.inspector.mode == "map"


@pytest.mark.parametrize("live", [True, False])
async def test_a_layout_shows_its_maps_whatever_the_line(live):
    deck = Deck(compile_deck(index.sources([str(CONTENT)])).compiled)
    layout = next(
        deck.question(name) for name in deck.entries if name.endswith("column-with-padding")
    )
    assert isinstance(layout, Index)
    async with workbench("unpadded") as bench:
        found = check_layout(layout, layout.starter or "")
        bench.inspector.show(found, Words("en"), live=live)
        bench.inspector.at_line(2)
        shown = await bench.press("m")
        failed = next(report for report in found.grade.accesses if not report.passed)
        lane = failed.cost.witness.words[0].lanes[0]
        row, column = divmod(int(failed.elements[lane]), found.exercise.tile.columns)
        assert f"({row}, {column})" in shown


async def test_the_step_that_one_is_at_is_in_sight():
    name = "no-barrier"
    async with workbench(name, line_of(name, LOAD), height=6) as bench:
        for _ in range(3):
            assert "❯" in await bench.press("n")
        assert "cuda.syncthreads()" in screen_text(bench.app)
