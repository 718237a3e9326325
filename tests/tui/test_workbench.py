"""The workbench for code by keys: its parts, what is run while one writes, and what waits."""

from __future__ import annotations

import os
import re
import signal

import pytest
from textual import events

from quizapp.domain.log.events import Tried
from quizapp.domain.queue import Stage
from quizapp.domain.starters import is_starter
from quizapp.study.home_values import Filter
from quizapp.system import submission
from quizapp.tui.widgets.code_field import begin_below
from quizapp.tui.widgets.inspector import Inspector
from quizapp.tui.widgets.question_view import QuestionView
from tests.tui.pilots import NARROW, WIDE, tap
from tests.tui.screen_text import rest, screen_lines, screen_text, settle, wait_for_text, wait_until
from tests.tui.test_kernels import (
    SOLUTION,
    STARTER,
    THREE,
    Start,
    answers,
    attempt_of,
    bodies,
    editor,
    hand_in,
    press,
    put,
    start,
    study_of,
    turn_of,
)

__all__ = ["start"]  # a fixture
VAST, SHORT = (200, 60), (60, 18)
ENDLESS = STARTER.rstrip("\n") + "\n    while True:\n        i = 0\n"
REFUSED = SOLUTION.replace("2 * a[i]", "2 * b[i]")
LOOP, GUARD = "def f(a):\n    for i in a:\n", "def f(a):\n    if a:\n"
HEAD, BRACE = "def f(a):\n    \n", "void f()\n{\n  if (a)\n"


@pytest.mark.parametrize(
    ("source", "text", "caret"),
    [
        ("def f(a):\n    i = 1\n", "def f(a):\n    i = 1\n    \n", (2, 4)),
        ("def f(a):\n    i = 1\n    \n", "def f(a):\n    i = 1\n    \n", (2, 4)),
        ("def f(a):\n    for i in a:\n", "def f(a):\n    for i in a:\n        \n", (2, 8)),
        ("void f()\n{\n    int i;\n}\n", "void f()\n{\n    int i;\n    \n}\n", (3, 4)),
        ("void f()\n{\n}\n", "void f()\n{\n    \n}\n", (2, 4)),
        ("void f() {\n}\n", "void f() {\n    \n}\n", (1, 4)),
        (f"{LOOP}        pass\n", f"{LOOP}        pass\n        \n", (3, 8)),
        (f"{LOOP}        s += i\n", f"{LOOP}        s += i\n    \n", (3, 4)),
        (f"{GUARD}        return\n", f"{GUARD}        return\n    \n", (3, 4)),
        (f"{BRACE}    return;\n}}\n", f"{BRACE}    return;\n  \n}}\n", (4, 2)),
        ("def f(a):\n    return a\n", "def f(a):\n    \n    return a\n", (1, 4)),
        ("def f(a):\n    \n    return a\n", "def f(a):\n    \n    return a\n", (1, 4)),
        ("def f(a):\n    return (a\n        + 1)", f"{HEAD}    return (a\n        + 1)\n", (1, 4)),
        ("int f()\n{\n    return 1;\n}\n", "int f()\n{\n    \n    return 1;\n}\n", (2, 4)),
        ("row", "row", (0, 3)),
        ("", "", (0, 0)),
    ],
)
def test_the_editor_begins_on_a_line_below_the_starter(
    source: str, text: str, caret: tuple[int, int]
) -> None:
    assert begin_below(source) == (text, caret)
    assert is_starter(text, source)


@pytest.mark.parametrize(("size", "least"), [(NARROW, 11), (WIDE, 22), (VAST, 40), (SHORT, 6)])
async def test_the_editor_takes_the_height_there_is(
    start: Start, size: tuple[int, int], least: int
) -> None:
    async with start(size=size) as pilot:
        assert editor(pilot).size.height >= least
        assert editor(pilot).has_focus


async def test_a_wide_screen_has_verdict_and_counts_beside_the_editor(start: Start) -> None:
    async with start(size=WIDE) as pilot:
        text = await hand_in(pilot, THREE)
        (line,) = [line for line in text.splitlines() if "✗ wrong values · line 8" in line]
        assert line.index("✗") > 55
        assert "def double" in text


async def test_f1_shows_the_whole_prompt_and_the_editor_again(start: Start) -> None:
    async with start() as pilot:
        text = await press(pilot, "f1")
        assert "def double" not in text
        assert "Store twice each element" in text
        assert "def double" in await press(pilot, "f1")
        assert editor(pilot).has_focus
        assert "def double" in await press(pilot, "f1", "escape")
        assert editor(pilot).has_focus


async def test_enter_submits_only_where_the_last_line_says_so(start: Start) -> None:
    async with start() as pilot:
        shown = await press(pilot, "x", "ctrl+t", "f3")
        assert "f3 again gives up" in shown  # the key that was pressed
        assert "enter" not in shown.splitlines()[-1]
        await tap(pilot, "enter")
        assert not answers(pilot)
        assert pilot.app.screen._attempt.submission is None
        assert not pilot.app.screen._grading


async def test_hint_and_give_up_work_while_typing_and_are_in_the_last_line(start: Start) -> None:
    async with start(size=WIDE) as pilot:
        assert "f2 hint" in screen_lines(pilot.app)[-1]
        assert "f3 give up" in screen_lines(pilot.app)[-1]
        assert "Mind the last block." in await press(pilot, "f2")
        assert editor(pilot).has_focus
        assert "f2 hint" not in screen_lines(pilot.app)[-1]
        assert "f3 again gives up" in await press(pilot, "x", "f3")
        await tap(pilot, "y", "f3", "backspace")
        assert not answers(pilot)
        assert "again gives up" not in screen_text(pilot.app)
        await tap(pilot, "f3", "f3")
        assert answers(pilot)[0].gave_up
        assert editor(pilot).text.count("x") == STARTER.count("x") + 1


@pytest.mark.parametrize("size", [NARROW, WIDE, VAST, SHORT])
async def test_nothing_that_was_read_moves_when_the_verdict_comes(
    start: Start, size: tuple[int, int]
) -> None:
    async with start(size=size) as pilot:
        await put(pilot, THREE)
        before = [line[: size[0] // 2 - 2] for line in screen_lines(pilot.app)]
        await tap(pilot, "ctrl+s")
        after = [line[: size[0] // 2 - 2] for line in screen_lines(pilot.app)]
        shown = editor(pilot).region.y
        assert after[2:shown] == before[2:shown]


# Live


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_a_refusal_comes_without_being_asked_and_counts_as_nothing(
    start: Start, size: tuple[int, int]
) -> None:
    async with start(size=size) as pilot:
        await put(pilot, REFUSED)
        assert "✗ not accepted · line 8" in await wait_for_text(pilot, "✗ not accepted")
        assert editor(pilot)._marked == 8
        assert bodies(pilot) == []
        assert attempt_of(pilot).submission is None


async def test_what_kept_a_submission_from_running_is_shown_until_the_code_is_read_again(
    start: Start,
) -> None:
    async with start() as pilot:
        await put(pilot, REFUSED)
        await wait_for_text(pilot, "✗ not accepted")
        await tap(pilot, "ctrl+t")  # the pane, which says nothing of what never ran
        await tap(pilot, "ctrl+s")
        assert "✗ not accepted · line 8" in await wait_for_text(pilot, "✗ not accepted")
        await tap(pilot, "i")
        await put(pilot, SOLUTION)
        assert "✗ not accepted" not in await wait_for_text(pilot, "sectors")


async def test_a_short_prompt_is_whole_where_the_editor_leaves_room(start: Start) -> None:
    async with start() as pilot:
        assert "f1 shows" not in screen_text(pilot.app)
        assert "Store twice each element" in screen_text(pilot.app)


async def test_the_mark_begins_where_the_code_does(start: Start) -> None:
    async with start() as pilot:
        await put(pilot, REFUSED)
        await wait_for_text(pilot, "✗ not accepted")
        line = editor(pilot).get_line(7)
        marks = [span for span in line.spans if "underline" in str(span.style)]
        assert [(span.start, span.end) for span in marks] == [(8, len(line.plain))]


async def test_counts_come_without_being_asked_and_values_wait(start: Start) -> None:
    async with start(size=WIDE) as pilot:
        await put(pilot, THREE)
        await tap(pilot, "up", "up")
        await wait_for_text(pilot, "sectors", "global store")
        await rest(pilot)
        assert "wrong values" not in screen_text(pilot.app)
        assert "✗ wrong values" in await press(pilot, "ctrl+s")


async def test_in_practice_all_of_it_is_live(start: Start) -> None:
    async with start(size=WIDE) as pilot:
        await tap(pilot, "escape", "q")
        await pilot.app.study_these(Filter(questions=("pack/a-kernel",), practice=True))  # type: ignore[attr-defined]
        await rest(pilot)
        assert turn_of(pilot).item.stage is Stage.PRACTICE
        await put(pilot, THREE)
        await wait_for_text(pilot, "✗ wrong values · line 8")
        assert not any(isinstance(body, Tried) for body in bodies(pilot))
        await put(pilot, SOLUTION)
        await wait_for_text(pilot, "right at 2 shapes")
        assert answers(pilot) == []


async def test_typing_goes_on_beside_a_run_that_does_not_end_which_a_newer_text_ends(
    start: Start,
) -> None:
    async with start(size=WIDE) as pilot:
        await wait_for_text(pilot, "n = 64")
        observer = study_of(pilot).examiner._observer
        assert observer is not None
        assert observer._process is not None
        os.kill(observer._process.id, signal.SIGSTOP)  # an endless loop ends by its budget, early
        await put(pilot, ENDLESS)
        await wait_until(pilot, lambda: study_of(pilot).examiner._observing)
        await pilot.press(*"abc")
        assert editor(pilot).text.endswith("abc")
        await put(pilot, REFUSED)
        await wait_for_text(pilot, "✗ not accepted · line 8")


async def test_a_loop_that_is_left_alone_is_ended_by_its_budget(start: Start) -> None:
    async with start(size=WIDE) as pilot:
        await put(pilot, ENDLESS)
        await wait_for_text(pilot, "operation budget exceeded")
        assert bodies(pilot) == []


async def test_what_was_changed_since_the_last_submission_is_a_view(start: Start) -> None:
    async with start(size=WIDE) as pilot:
        await hand_in(pilot, THREE)
        await put(pilot, SOLUTION)
        await pilot.pause(0.6)
        text = await press(pilot, "ctrl+t")
        assert "-        out[i] = 3 * a[i]" in text
        assert "+        out[i] = 2 * a[i]" in text
        assert "✗ wrong values" in text


async def test_the_pane_goes_to_the_worst_line_and_escape_comes_back(start: Start) -> None:
    async with start(size=WIDE) as pilot:
        await put(pilot, SOLUTION)
        await wait_for_text(pilot, "n = 64")
        await tap(pilot, "ctrl+t")
        assert pilot.app.screen.query_one(QuestionView).at == "line"
        await tap(pilot, "escape")
        assert editor(pilot).has_focus


async def test_a_click_beside_the_editor_and_escape_leave_nothing(start: Start) -> None:
    async with start(size=WIDE) as pilot:
        await wait_for_text(pilot, "n = 64")
        await pilot.click("#inspector")
        await tap(pilot, "escape")
        assert editor(pilot).has_focus
        await tap(pilot, "ctrl+t")
        await pilot.click("#code")
        assert pilot.app.screen.query_one(QuestionView).at == "code"


async def test_y_copies_the_submission_after_feedback(start: Start) -> None:
    async with start() as pilot:
        await hand_in(pilot, SOLUTION)
        await tap(pilot, "y")
        assert pilot.app.clipboard == SOLUTION


async def test_giving_up_shows_how_the_last_submission_differs_from_the_solution(
    start: Start,
) -> None:
    async with start(size=VAST) as pilot:
        await hand_in(pilot, THREE)
        text = await press(pilot, "f3", "f3")
        assert "-        out[i] = 3 * a[i]" in text
        assert "+        out[i] = 2 * a[i]" in text


async def test_values_are_looked_at_after_submitting_and_give_the_whole_side(start: Start) -> None:
    async with start(size=WIDE) as pilot:
        await hand_in(pilot, THREE)
        editor(pilot).move_cursor((7, 0))
        while not pilot.app.screen.query_one(Inspector).has_focus:
            await tap(pilot, "ctrl+t")
        assert "change something first" not in await press(pilot, "enter")  # it submits nothing
        await tap(pilot, "v")
        text = await wait_for_text(pilot, "execution 1 of 1")
        assert re.search(r"│   i +0 +int64$", text, re.MULTILINE)
        assert "wrong values" not in text
        assert "next thread" in screen_lines(pilot.app)[-1]
        await tap(pilot, "right")
        assert re.search(r"│   i +1 +int64$", await wait_for_text(pilot, "thread 1"), re.MULTILINE)
        assert "wrong values" in await press(pilot, "escape")


async def test_values_wait_for_submitting(start: Start) -> None:
    async with start(size=WIDE) as pilot:
        await put(pilot, THREE)
        await wait_for_text(pilot, "global load")
        while not pilot.app.screen.query_one(Inspector).has_focus:
            await tap(pilot, "ctrl+t")
        await tap(pilot, "v")
        assert pilot.app.screen.query_one(Inspector).mode == "line"
        assert "values" not in screen_lines(pilot.app)[-1]


async def test_f4_goes_to_the_line_beside_and_back(start: Start) -> None:
    async with start(size=WIDE) as pilot:
        assert "f4 line details" in screen_lines(pilot.app)[-1]
        await tap(pilot, "f4")
        assert pilot.app.screen.query_one(Inspector).has_focus
        await tap(pilot, "f4")
        assert editor(pilot).has_focus


async def test_escape_on_the_verdict_of_a_narrow_screen_leads_to_the_editor(start: Start) -> None:
    async with start() as pilot:
        await put(pilot, THREE)
        await tap(pilot, "ctrl+s")
        await wait_for_text(pilot, "✗")
        await tap(pilot, "ctrl+t")
        assert "esc editor" in screen_lines(pilot.app)[-1]
        await tap(pilot, "escape")
        assert editor(pilot).has_focus


async def test_a_paste_beside_the_editor_is_said_to_be_lost(start: Start) -> None:
    async with start() as pilot:
        await tap(pilot, "escape")
        pilot.app.screen.post_message(events.Paste("x = 1"))
        assert "Nothing was pasted" in await settle(pilot)
        assert is_starter(editor(pilot).text, STARTER)


async def test_why_it_was_not_submitted_ends_with_typing(start: Start) -> None:
    async with start() as pilot:
        assert "the starter, unchanged" in await press(pilot, "ctrl+s")
        assert "the starter, unchanged" not in await press(pilot, "x")


async def test_backspace_in_the_indent_removes_a_level(start: Start) -> None:
    async with start() as pilot:
        code = editor(pilot)
        code.replace("def f():\n        x", code.document.start, code.document.end)
        code.move_cursor((1, 8))
        await tap(pilot, "backspace")
        assert code.text == "def f():\n    x"
        await tap(pilot, "right", "backspace")
        assert code.text == "def f():\n    "
        await tap(pilot, "backspace", "backspace")
        assert code.text == "def f():"


async def test_a_given_up_kernel_has_no_rule_at_its_left(start: Start) -> None:
    async with start(size=WIDE) as pilot:
        shown = await press(pilot, "f3", "f3")
        assert "given up" in shown
        assert not any(line.lstrip().startswith("│") for line in shown.splitlines())


def test_a_file_that_an_editor_saved_is_read_up_to_its_longest(tmp_path):
    file = submission.SubmissionFile(tmp_path, "kernel.py")
    for size, read in ((submission._LONGEST, True), (submission._LONGEST + 1, False)):
        file.path.write_text("x" * size)
        assert (file.read_change() is not None) is read
