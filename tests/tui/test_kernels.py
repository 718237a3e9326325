"""A person's way through kernels and faults: keys in, what stands on the screen out."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from grader.compiled import ArchitectureReport, CompilerReport, KernelCompiler
from quizapp.deck.content import content_roots
from quizapp.deck.deck import load
from quizapp.domain.attempt import Attempt
from quizapp.domain.log.events import Answered, Body, Hinted, Probed, Tried
from quizapp.domain.question import Spot
from quizapp.report.numbered_code import kind_name
from quizapp.report.words import Words
from quizapp.store.store import Store
from quizapp.study.home_values import Filter
from quizapp.study.mock.probing import FEWEST
from quizapp.study.service import Study
from quizapp.study.values import Turn
from quizapp.system import editor as external
from quizapp.system.config import Settings
from quizapp.tui.app import QuizApp
from quizapp.tui.screens.probes import ProbeScreen
from quizapp.tui.widgets.code_field import CodeField
from quizapp.tui.widgets.page import Figure, Page, style_line
from tests.deck.tools import KERNEL, KERNEL_FILES, NUMBER, SPOT, kernel_folder, question, write
from tests.examining import EXAMINER, right_place, wrong_place
from tests.foreign import ALL_OWN
from tests.tui.pilots import (
    NARROW,
    WIDE,
    FixedClock,
    in_each_size_and_language,
    paths_in,
    press,
    tap,
)
from tests.tui.screen_text import rest, screen_lines, screen_text, settle, wait_for_text

STARTER, SOLUTION = (KERNEL_FILES[f"{name}.py"] for name in ("starter", "solution"))
BEGUN = f"{STARTER}    \n"
"""The starter as an editor opens on it."""
NO_GUARD, TWICE = (KERNEL_FILES[f"wrong/{name}.py"] for name in ("no-guard", "reads-twice"))
THREE = SOLUTION.replace("2 *", "3 *")
ENDLESS = "def reference(a):\n    while True:\n        pass\n"

Start = Callable[..., AbstractAsyncContextManager[Pilot[int]]]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Start:
    """Start the application at the first question of a kind, in a deck of one of each."""
    root = tmp_path / "packs"
    monkeypatch.setattr("quizapp.deck.content.shipped_content", lambda: root)

    @asynccontextmanager
    async def opened(
        kind: str = "kernel",
        size: tuple[int, int] = NARROW,
        text: str = KERNEL,
        spot: str = SPOT,
        reference: str = KERNEL_FILES["reference.py"],
        **settings: Any,
    ) -> AsyncIterator[Pilot[int]]:
        kernel_folder(
            root, text, reference=reference, baseline=SOLUTION if "gpu:" in text else None
        )
        write(root, "pack/b.yaml", spot)
        write(root, "pack/c.yaml", NUMBER)
        chosen = Settings(**({"welcomed": True, "confidence": False} | settings))
        paths = paths_in(tmp_path)
        narrowed = Filter(kind=kind)
        deck = load(content_roots(paths, chosen)[:1], str(paths.compiled_deck))
        store = Store.open(paths.database)
        study = Study(deck, store, chosen, FixedClock(), lambda: ALL_OWN)
        with ExitStack() as stack:
            if reference == KERNEL_FILES["reference.py"] and "gpu" not in settings:
                study.session.examiner = EXAMINER  # starting one takes 0.3 s
                stack.callback(study.store.close)
            else:
                stack.enter_context(study)
            study.session.begin(narrowed)
            app = QuizApp(study, paths, chosen, narrowed)
            async with app.run_test(size=size, notifications=True) as pilot:
                await pilot.pause()
                await pilot.press("enter")
                if reference != ENDLESS:
                    await rest(pilot)
                yield pilot

    return opened


def editor(pilot: Pilot[int]) -> CodeField:
    return pilot.app.screen.query_one("#code", CodeField)


async def put(pilot: Pilot[int], source: str) -> None:
    """Replace what stands in the editor as a person does: all selected, then pasted over."""
    await pilot.press("f7", "delete")
    pilot.app.post_message(events.Paste(source))
    await pilot.pause()
    assert editor(pilot).text == source


async def hand_in(pilot: Pilot[int], source: str) -> str:
    await put(pilot, source)
    return await press(pilot, "ctrl+s")


def study_of(pilot: Pilot[int]) -> Study:
    study: Study = pilot.app.study  # type: ignore[attr-defined]
    return study


def attempt_of(pilot: Pilot[int]) -> Attempt:
    attempt: Attempt = pilot.app.screen._attempt  # type: ignore[attr-defined]
    return attempt


def turn_of(pilot: Pilot[int]) -> Turn:
    turn: Turn = pilot.app.screen._turn  # type: ignore[attr-defined]
    return turn


def bodies(pilot: Pilot[int], name: str = "pack/a-kernel") -> list[Body]:
    return [event.body for event in study_of(pilot).store.events(name)]


def failed_submissions(pilot: Pilot[int]) -> list[Tried]:
    """Submissions in the log that failed."""
    return [body for body in bodies(pilot) if isinstance(body, Tried)]


def answers(pilot: Pilot[int], name: str = "pack/a-kernel") -> list[Answered]:
    return [body for body in bodies(pilot, name) if isinstance(body, Answered)]


# Handing in


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_a_kernel_that_fails_says_why_and_one_that_passes_ends_it(
    start: Start, size: tuple[int, int]
) -> None:
    async with start(size=size) as pilot:
        assert editor(pilot).text == BEGUN
        assert editor(pilot).has_focus
        text = await hand_in(pilot, THREE)
        assert "✗ wrong values · line 8" in text
        assert "out[0] is " in text
        assert "thread 0, block 0, line 8" in text
        assert "1 submission failed" in text
        assert [(body.source, body.gate) for body in failed_submissions(pilot)] == [
            (THREE, "result")
        ]
        assert answers(pilot) == []
        text = await hand_in(pilot, SOLUTION)
        assert "✓ right" in text
        assert "right at 2 shapes (164 elements), no bug found" in text
        (answer,) = answers(pilot)
        assert (answer.correct, answer.failures, answer.response) == (True, 1, SOLUTION)
        assert editor(pilot).read_only


async def test_a_kernel_that_passed_is_asked_about(start: Start) -> None:
    async with start(size=WIDE) as pilot:
        await hand_in(pilot, THREE)
        assert "p probes" not in screen_text(pilot.app), "it has not passed"
        assert "p probes" in await hand_in(pilot, SOLUTION)
        await pilot.press("p")
        text = await wait_for_text(pilot, "1 of ")
        assert "Kernel double" in text
        text = await press(pilot, "f3", "f3")
        assert "The emulator ran this launch" in text
        assert "p probes" not in text
        while isinstance(pilot.app.screen, ProbeScreen):
            await tap(pilot, "enter", "f3", "f3")
        assert "✓ right" in screen_text(pilot.app)
        probed = pilot.app.study.store.mock_events()
        assert len(probed) >= FEWEST
        assert all(isinstance(entry.body, Probed) and entry.body.gave_up for entry in probed)
        assert len(answers(pilot)) == 1


async def test_each_gate_has_its_title_and_its_line(start: Start) -> None:
    async with start(size=WIDE) as pilot:
        text = await hand_in(pilot, "def double(a, out:\n")
        assert "✗ not accepted · line 1" in text
        assert "was never closed" in text
        text = await hand_in(pilot, NO_GUARD)
        assert "✗ out of bounds · line 7" in text
        assert "index 100 is out of bounds" in text
        assert "The last block has threads to spare." in text
        text = await hand_in(pilot, TWICE)
        assert "✗ global memory requests · line 8" in text
        assert "6; the limit is 4" in text
        text = await hand_in(pilot, SOLUTION + "    while True:\n        i += 1\n")
        assert "✗ operation budget exceeded · line 9" in text
        assert "solution takes" in text
        text = await hand_in(pilot, SOLUTION.replace("    i =", TEN_GIGABYTES + "    i ="))
        assert "✗ exceeds device limits" in text
        assert [body.gate for body in failed_submissions(pilot)] == [
            "source",
            "findings: out-of-bounds",
            "counts: global_requests",
            "runs: budget",
            "runs: resources",
        ]


TEN_GIGABYTES = "    t = cuda.shared.array(2_500_000_000, float32)\n    t[0] = a[0]\n".replace(
    "float32", "'float32'"
)


async def test_the_line_to_blame_is_marked_until_the_text_changes(start: Start) -> None:
    async with start() as pilot:
        await hand_in(pilot, NO_GUARD)
        assert editor(pilot)._marked == 7
        assert any(
            segment.style and segment.style.underline and segment.style.bold
            for strip in pilot.app.screen._compositor.render_strips()
            for segment in strip
            if "out[" in segment.text or "out" in segment.text
        )
        await tap(pilot, "space")
        assert editor(pilot)._marked == 0


async def test_the_same_once_more_and_nothing_are_not_graded(start: Start) -> None:
    async with start() as pilot:
        await hand_in(pilot, THREE)
        text = await press(pilot, "ctrl+s")
        assert "1 submission failed" not in text
        assert len(failed_submissions(pilot)) == 1
        await tap(pilot, "f7", "delete", "ctrl+s")
        assert len(failed_submissions(pilot)) == 1


async def test_two_failures_make_it_hard(start: Start) -> None:
    async with start() as pilot:
        await hand_in(pilot, THREE)
        await hand_in(pilot, NO_GUARD)
        text = await hand_in(pilot, SOLUTION)
        assert "right after two or more failures" in text
        assert answers(pilot)[0].failures == 2


async def test_what_never_ran_costs_nothing(start: Start) -> None:
    async with start() as pilot:
        assert "write your part first." in await press(pilot, "ctrl+s")
        assert bodies(pilot) == []
        assert "does not count as an attempt" in await hand_in(pilot, "def double(a, out:\n")
        assert "does not count as an attempt" in await hand_in(
            pilot, "def double(a):\n    return\n"
        )
        await hand_in(pilot, SOLUTION)
        assert answers(pilot)[0].failures == 0


async def test_failures_and_the_draft_are_there_after_a_restart(start: Start) -> None:
    async with start() as pilot:
        await hand_in(pilot, THREE)
        await put(pilot, THREE + "# mine")
        await tap(pilot, "escape", "q")
    async with start() as pilot:
        assert editor(pilot).text == THREE + "# mine"
        assert "From last time" in screen_text(pilot.app)
        assert attempt_of(pilot).failed == (THREE,)
        text = await hand_in(pilot, TWICE)
        assert "2 submissions failed" in text


async def test_undo_brings_the_code_back(start: Start) -> None:
    async with start() as pilot:
        await hand_in(pilot, SOLUTION)
        text = await press(pilot, "u")
        assert "✓ right" not in text
        assert editor(pilot).display
        assert editor(pilot).text == SOLUTION
        text = await press(pilot, "ctrl+s") if editor(pilot).has_focus else ""
        assert "✓" in text or "✓" in await press(pilot, "i", "ctrl+s")
        assert [body.correct for body in answers(pilot)] == [True, True]


async def test_a_hint_counts(start: Start) -> None:
    async with start() as pilot:
        assert "Mind the last block." in await press(pilot, "escape", "h")
        assert [type(body) for body in bodies(pilot)] == [Hinted]
        await tap(pilot, "i")
        await hand_in(pilot, SOLUTION)
        assert answers(pilot)[0].hints == 1


# Trying out


async def test_trying_out_shows_the_verdict_and_stores_nothing(start: Start) -> None:
    async with start() as pilot:
        for source, said in ((THREE, "✗ wrong values"), (SOLUTION, "right at 2 shapes")):
            await put(pilot, source)
            text = await press(pilot, "ctrl+r")
            assert said in text
            assert "Only test-run, not submitted." in text
            assert bodies(pilot) == []
        assert attempt_of(pilot).failed == ()
        assert editor(pilot).has_focus
        assert "✓ right" in await press(pilot, "ctrl+s")
        assert (answers(pilot)[0].failures, answers(pilot)[0].correct) == (0, True)


async def test_what_was_tried_out_and_failed_can_be_handed_in(start: Start) -> None:
    async with start() as pilot:
        await put(pilot, THREE)
        await tap(pilot, "ctrl+r")
        assert failed_submissions(pilot) == []
        assert "1 submission failed" in await press(pilot, "ctrl+s")
        assert len(failed_submissions(pilot)) == 1


async def test_leaving_after_trying_out_keeps_the_text(start: Start) -> None:
    async with start() as pilot:
        await put(pilot, THREE)
        await tap(pilot, "ctrl+r", "escape", "q")
    async with start() as pilot:
        assert editor(pilot).text == THREE
        assert bodies(pilot) == []


# Views


def titles(text: str) -> list[str]:
    """The views that are offered; the one that is shown is in brackets."""
    names = ("counts", "findings", "values", "bank map", "vs. last attempt", "vs. solution")
    line = next(
        (line for line in text.splitlines() if any(f"[{name}]" in line for name in names)), ""
    )
    return [f"[{name}]" if f"[{name}]" in line else name for name in names if name in line]


async def test_a_key_turns_through_the_views(start: Start) -> None:
    async with start(size=WIDE) as pilot:
        text = await hand_in(pilot, THREE)
        assert titles(text) == ["counts", "findings", "[values]"]
        assert "element" in text
        assert "written last by" in text
        text = await press(pilot, "ctrl+t")
        assert titles(text) == ["[counts]", "findings", "values"]
        assert "n = 64: grid 2, block 32" in text
        text = await press(pilot, "ctrl+t")
        assert titles(text) == ["counts", "[findings]", "values"]
        assert "! warning · line 8" in text
        await tap(pilot, "ctrl+t")
        assert not editor(pilot).has_focus  # but the pane that follows the caret
        assert titles(await press(pilot, "ctrl+t")) == ["counts", "findings", "[values]"]
        assert editor(pilot).has_focus
        text = await hand_in(pilot, NO_GUARD)
        assert "vs. last attempt" in titles(text)
        await tap(pilot, "escape")
        shown = set()
        for _ in range(6):
            shown |= {name for name in titles(await press(pilot, "tab")) if "[" in name}
        assert {"[counts]", "[vs. last attempt]"} <= shown


async def test_after_passing_the_solution_is_a_view(start: Start) -> None:
    async with start(size=WIDE) as pilot:
        mine = SOLUTION.replace("2 * a[i]", "a[i] * 2")
        text = await hand_in(pilot, mine)
        assert "vs. solution" in titles(text)
        for _ in range(6):
            text = await press(pilot, "tab")
            if "[vs. solution]" in titles(text):
                break
        assert "-        out[i] = a[i] * 2" in text
        assert "+        out[i] = 2 * a[i]" in text


async def test_what_the_compiler_says_is_a_view(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = ArchitectureReport("9.0", 14, 0, 0, 0, 0, 32, 1.0, "blocks")
    found = CompilerReport("compiler 1", (report,), "9.0", ())
    monkeypatch.setattr("grader.compiled.is_installed", lambda *_: True)
    monkeypatch.setattr(KernelCompiler, "compile", lambda *_, **_options: found)
    async with start(size=WIDE) as pilot:
        text = await hand_in(pilot, SOLUTION)
        assert "compiled" in text
        for _ in range(6):
            text = await press(pilot, "tab")
            if "[compiled]" in text:
                break
        assert re.search(r"9\.0 +14 +100% +the number of blocks", text)
        assert "32 threads per block; compiler 1" in text


async def test_a_narrow_screen_turns_from_the_editor_to_the_verdict_and_back(start: Start) -> None:
    async with start() as pilot:
        assert "def double" in await settle(pilot)
        assert "def double" not in await press(pilot, "ctrl+t")
        assert "def double" in await press(pilot, "ctrl+t")
        assert editor(pilot).has_focus


async def test_giving_up_shows_a_solution_and_the_difference(start: Start) -> None:
    async with start(size=WIDE) as pilot:
        await hand_in(pilot, THREE)
        text = await press(pilot, "escape", "g", "g")
        assert "✗ given up" in text
        assert "A solution" in text
        await tap(pilot, "end")
        shown = "\n".join([text, await settle(pilot)])
        assert "-        out[i] = 3 * a[i]" in shown
        assert "+        out[i] = 2 * a[i]" in shown
        assert "✗ wrong values" not in shown
        (answer,) = answers(pilot)
        assert (answer.gave_up, answer.failures, answer.response) == (True, 1, THREE)


# Cancelling


async def test_escape_cancels_an_endless_reference_at_once(start: Start) -> None:
    """Which is being prepared when the person hands in, and would go on after a cancel."""
    async with start(reference=ENDLESS) as pilot:
        await wait_for_text(pilot, "def double")
        await put(pilot, THREE)
        await pilot.press("ctrl+s")
        assert "Grading …" in await wait_for_text(pilot, "Grading …")
        await pilot.press("x")
        assert editor(pilot).text == THREE + "x"
        await pilot.press("escape")
        await wait_for_text(pilot, "Canceled; nothing was submitted.")
        assert bodies(pilot) == []
        assert editor(pilot).text == THREE + "x"
        assert editor(pilot).has_focus


async def test_a_reference_that_fails_says_so_and_the_text_stays(start: Start) -> None:
    async with start(reference="def reference(a):\n    return b\n", size=WIDE) as pilot:
        text = await hand_in(pilot, SOLUTION)
        assert "cannot be graded: NameError" in text
        assert editor(pilot).text == SOLUTION
        assert bodies(pilot) == []
        assert "quiz lint" in text


async def test_leaving_while_it_is_graded_leaves_no_grading_behind(start: Start) -> None:
    async with start(reference=ENDLESS) as pilot:
        await wait_for_text(pilot, "def double")
        await put(pilot, THREE)
        await pilot.press("ctrl+s")
        await wait_for_text(pilot, "Grading …")
        examiner = study_of(pilot).examiner
    assert examiner._referee is not None
    assert examiner._referee._process is None


# Hostile and odd texts


async def test_odd_texts_are_answered_and_the_editor_goes_on(start: Start) -> None:
    odd = ["[red]x[/red]", "列 = 1", "x = '" + "长" * 400 + "'", "#" * 5_000, "print(1)"]
    async with start() as pilot:
        for source in ("\t" * 50, *odd):
            await put(pilot, source)
            text = await press(pilot, "ctrl+s")
            if source.strip():
                assert "✗ not accepted" in text
            await tap(pilot, "x")
            assert editor(pilot).text == source + "x"
        assert [body.source for body in failed_submissions(pilot)] == odd


async def test_each_save_outside_is_a_try(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    paths: list[Path] = []
    monkeypatch.setattr(external, "stands_beside", lambda _setting: True)
    monkeypatch.setattr(external, "open_beside", lambda _setting, path: paths.append(path))
    async with start() as pilot:
        await tap(pilot, "ctrl+o")
        assert paths[0].read_text("utf-8") == BEGUN
        for text, said in ((THREE, "✗ wrong values"), ("def double(a):\n", "✗ not accepted")):
            paths[0].write_text(text, "utf-8")
            await wait_for_text(pilot, said)
        paths[0].write_bytes(SOLUTION.encode("utf-8-sig"))
        assert "Only test-run" in await wait_for_text(pilot, "✓ right")
        assert failed_submissions(pilot) == []


# Chinese


async def test_chinese_speaks_of_kernels(start: Start) -> None:
    async with start(language="zh", size=WIDE) as pilot:
        text = await hand_in(pilot, THREE)
        assert "✗ 结果不对 · 第 8 行" in text
        assert "线程块 0 线程 0，行 8" in text
        assert "[数值]" in text
        text = await hand_in(pilot, NO_GUARD)
        assert "✗ 越界 · 第 7 行" in text
        assert "最后一个块有多余的线程。" in text
        text = await hand_in(pilot, TWICE)
        assert "全局内存请求：6，上限是 4" in text
        text = await hand_in(pilot, SOLUTION)
        assert "2 种形状（164 个元素）全部正确" in text


# A kernel with a fault


def spot_of(pilot: Pilot[int]) -> Spot:
    one = turn_of(pilot).question
    assert isinstance(one, Spot)
    return one


def keys_to(line: int, kind: str) -> list[str]:
    """From the first line down to another, then the digit of the kind."""
    from quizapp.domain.kernel import SPOTTABLE  # noqa: PLC0415

    return [*["down"] * (line - 1), str(SPOTTABLE.index(kind) + 1)]


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_arrows_go_to_the_line_a_digit_names_the_fault_and_enter_answers(
    start: Start, size: tuple[int, int]
) -> None:
    async with start("spot", size=size) as pilot:
        text = await settle(pilot)
        assert "▶ 1  @cuda.jit" in text
        line, kind = right_place(spot_of(pilot))
        text = await press(pilot, *keys_to(line, kind))
        assert f"▶ {line}  " in text
        text = await press(pilot, "enter")
        assert "✓ right" in text
        (answer,) = answers(pilot, "pack/a-spot")
        assert (answer.correct, answer.response.splitlines()[0]) == (True, f"line {line}: {kind}")
        assert answer.drawn["parameters"] == dict(turn_of(pilot).drawn.parameters)  # type: ignore[union-attr]
        await tap(pilot, "home")
        text = await settle(pilot)
        assert "✓ 6  " in text
        assert "✓ 7  " in text
        assert "▶" not in text


async def test_a_wrong_line_shows_the_right_ones_and_what_the_emulator_says(start: Start) -> None:
    async with start("spot", size=WIDE) as pilot:
        text = await press(pilot, *keys_to(*wrong_place(spot_of(pilot))), "enter")
        assert "✗ wrong" in text
        assert "✗ 1  @cuda.jit" in text
        assert "✓ 6  " in text
        assert "race in shared memory" in text
        assert "You said: line 1, " in text
        assert "A barrier is missing" in text
        assert not answers(pilot, "pack/a-spot")[0].correct


async def test_the_line_alone_is_no_answer(start: Start) -> None:
    async with start("spot") as pilot:
        text = await press(pilot, "down", "down", "enter")
        assert "Choose the kind of bug with a digit." in text
        assert bodies(pilot, "pack/a-spot") == []


async def test_the_cursor_stays_within_the_code_and_the_kind_can_be_changed(start: Start) -> None:
    async with start("spot") as pilot:
        await tap(pilot, "up")
        assert attempt_of(pilot).cursor == 0
        await pilot.press(*["down"] * 20)
        await tap(pilot, "1", "0", "3")
        assert attempt_of(pilot).cursor == 6
        assert attempt_of(pilot).picked == {2}


async def test_the_pointed_line_is_on_the_screen(start: Start) -> None:
    async with start("spot", size=(80, 16)) as pilot:
        for line in range(1, 8):
            assert f"▶ {line}  " in await settle(pilot)
            await tap(pilot, "down")


async def test_how_sure_is_asked_before_the_fault_is_shown(start: Start) -> None:
    async with start("spot", size=WIDE, confidence=True) as pilot:
        place = right_place(spot_of(pilot))
        text = await press(pilot, *keys_to(*place), "enter")
        assert "How sure" in text
        assert "race in shared memory · line" not in text
        assert "✓ right" in await press(pilot, "3")
        assert answers(pilot, "pack/a-spot")[0].confidence == 3


async def test_giving_up_a_spot_shows_where_it_is(start: Start) -> None:
    async with start("spot", size=WIDE) as pilot:
        text = await press(pilot, "down", "1", "g")
        assert "g again gives up" in text  # something was picked
        text = await press(pilot, "g")
        assert "✗ given up" in text
        assert "You said" not in text
        assert "✓ 6  " in text
        assert "✓ 7  " in text
        assert "✗ 2" not in text


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_all_kinds_stand_below_the_code_at_80_by_24(start: Start, language: str) -> None:
    padded = SPOT.replace("  code: |\n", "  code: |\n" + "    # a line\n" * 7)
    async with start("spot", language=language, spot=padded) as pilot:
        code = spot_of(pilot).code.rstrip("\n").split("\n")
        text = await press(pilot, "down")
        assert all(line in text for line in code)
        for kind in spot_of(pilot).kinds:
            assert f"○ {kind_name(kind, Words(language))}" in text


async def test_a_kind_in_any_column_is_picked_by_a_click(start: Start) -> None:
    async with start("spot") as pilot:
        await tap(pilot, "down")
        lines = screen_lines(pilot.app)
        (row,) = (y for y, line in enumerate(lines) if "wrong warp mask" in line)
        await pilot.click(offset=(lines[row].index("wrong warp mask"), row))
        assert "● wrong warp mask" in await settle(pilot)
        assert attempt_of(pilot).picked == {spot_of(pilot).kinds.index("warp-mask")}


async def test_the_code_of_a_spot_has_the_colors_of_code(start: Start) -> None:
    async with start("spot", size=WIDE) as pilot:
        (figure,) = (
            p for p in pilot.app.screen.query_one("#prompt", Page)._parts if isinstance(p, Figure)
        )
        (line,) = (drawn for drawn in figure.draw(80) if "def " in style_line(drawn).plain)
        keyword = style_line(line).plain.index("def ")
        assert any(s.start == keyword and s.style for s in style_line(line).spans)


async def test_undo_asks_the_same_draw_again(start: Start) -> None:
    async with start("spot") as pilot:
        before = spot_of(pilot).code
        await tap(pilot, "1", "enter", "u")
        assert spot_of(pilot).code == before
        assert attempt_of(pilot).picked == frozenset()


FAULTLESS = SPOT.replace(
    "        out[i] = {{tile}}", "        cuda.syncthreads()\n        out[i] = {{tile}}"
)


async def test_a_spot_that_nobody_can_grade_is_told_and_left_out(start: Start) -> None:
    other = question("spot", id="b-spot", difficulty="5", concept="another")
    async with start("spot", size=WIDE, spot=FAULTLESS + other) as pilot:
        assert turn_of(pilot).entry.id == "pack/a-spot"
        text = await press(pilot, "1", "enter")
        assert "cannot be graded: the emulator finds nothing" in text
        assert turn_of(pilot).entry.id == "pack/b-spot"
        assert bodies(pilot, "pack/a-spot") == []
        assert "✓ right" in await press(pilot, *keys_to(6, "race"), "enter")


async def test_chinese_speaks_of_faults(start: Start) -> None:
    async with start("spot", language="zh", size=WIDE) as pilot:
        text = await settle(pilot)
        assert "共享内存数据竞争" in text
        text = await press(pilot, *keys_to(6, "race"), "enter")
        assert "✓" in text
        assert "之间缺少同步" in text


async def test_the_last_line_names_keys_that_work(start: Start) -> None:
    async with start(size=WIDE) as pilot:
        line = screen_lines(pilot.app)[-1]
        assert "^s submit" in line
        assert "^r" in line
        await hand_in(pilot, THREE)
        assert "^t" in screen_lines(pilot.app)[-1]
    async with start("spot", size=WIDE) as pilot:
        line = screen_lines(pilot.app)[-1]
        assert "line" in line
        assert "kind" in line


CUDA = """\
extern "C" __global__ void twice(const float* a, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;  // one element per thread
    if (i < n) out[i] = 2 * a[i];
}
"""


@in_each_size_and_language
async def test_the_solution_in_cuda_is_a_view_once_it_is_earned(
    start: Start, tmp_path: Path, size: tuple[int, int], language: str
) -> None:
    write(tmp_path, "packs/pack/double/solution.cu", CUDA)
    async with start(size=size, language=language) as pilot:
        assert "blockIdx.x" not in await hand_in(pilot, THREE)
        text = await hand_in(pilot, SOLUTION)
        title = {"en": "CUDA C++ solution", "zh": "CUDA C++ 解答"}[language]
        assert title in text, "no mere language beside the views of a submission in the other one"
        for _ in range(8):
            if f"[{title}]" in text:
                break
            text = await press(pilot, "tab")
        assert f"[{title}]" in text
        assert "const float* a, float* out, int n) {" in text
        assert "out[i] = 2 * a[i];" in text
        text = await press(pilot, "tab")
        assert "blockIdx.x" not in text


async def test_who_gives_up_sees_the_solution_in_cuda_in_the_detail(
    start: Start, tmp_path: Path
) -> None:
    write(tmp_path, "packs/pack/double/solution.cu", CUDA)
    write(tmp_path, "packs/pack/double/baseline.cu", CUDA.replace("2 * a", "a[i] + a"))
    async with start(size=WIDE) as pilot:
        assert "blockIdx" not in await press(pilot, "f3", "f3")
        text = await press(pilot, "d")
        assert "The solution in CUDA C++" in text
        assert "What it is compared with, in CUDA C++" in text


LONG = "    float measured_value = a[blockIdx.x * blockDim.x + threadIdx.x] * 2;"


async def test_code_in_the_detail_has_the_whole_width_and_height(
    start: Start, tmp_path: Path
) -> None:
    lines = [LONG.replace("value", f"value_{n}") for n in range(20)]
    source = CUDA.replace("{\n", "\n".join(["{", *lines, ""]), 1)
    write(tmp_path, "packs/pack/double/solution.cu", source)
    async with start(size=WIDE) as pilot:
        before = await press(pilot, "f3", "f3")
        text = await press(pilot, "d")
        shown = [m[0] for m in re.finditer(r"float measured.*;", text)]
        assert len(shown) >= 15
        assert {line.strip() for line in lines} >= set(shown)
        assert await press(pilot, "d") == before


async def test_the_editor_is_made_while_the_feedback_before_is_read(start: Start) -> None:
    """Out of sight; undo then asks the question before as if nothing had been prepared."""
    number = question("number", id="a-number", difficulty="1")
    async with start(
        None, spot=number, text=KERNEL.replace("difficulty: 2", "difficulty: 5")
    ) as pilot:
        assert not pilot.app.screen.query("#code")
        await tap(pilot, "3", "2", "enter")
        assert (editor(pilot).display, editor(pilot).language) == (False, "python")
        assert "There are 32." in screen_text(pilot.app)
        await tap(pilot, "u")
        assert "There are 32." not in screen_text(pilot.app)
        await tap(pilot, "3", "2", "enter", "enter")
        assert (editor(pilot).display, editor(pilot).text) == (True, BEGUN)
