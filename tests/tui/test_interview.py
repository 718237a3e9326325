"""Mock interviews in the screens: begun from home, against a clock, left and resumed, reported."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest
from textual.events import Paste

from quizapp.domain.attempt import Phase
from quizapp.domain.question import FactChoice, InputChoice, Kernel, Number, prose
from quizapp.exercises.numbers import compute_answer
from quizapp.study.examiner import Examiner
from quizapp.study.mock import interviews
from quizapp.study.mock.interviews import InterviewWish
from quizapp.study.mock.probing import MOST_IN_MOCK
from quizapp.tui.screens.probes import ProbeScreen
from tests.examining import EXAMINER, shared_runs
from tests.mock_theme import overlay_theme
from tests.tui.pilots import FixedClock, behind, open_app, press, tap
from tests.tui.screen_text import screen_text, wait_for_text, wait_until

LONG = (120, 40)


@pytest.fixture(autouse=True)
def _transpose_of_tests(tmp_path):
    for home in (tmp_path, tmp_path / "home", tmp_path / "2"):
        overlay_theme(home / "content")


def later(clock: FixedClock, seconds: int) -> None:
    clock.moment = type(clock.moment)(clock.moment.utc_ms + seconds * 1000, clock.moment.offset_s)


async def choose(pilot, theme: str) -> str:
    """Move to the theme and begin."""
    while f"❯ {theme}" not in await press(pilot, "down"):
        assert pilot.app.screen._row is not None
    return await press(pilot, "enter")


async def press_joined(pilot, *keys: str) -> str:
    """The screen after keys, as one line: a text may be wrapped anywhere."""
    return " ".join((await press(pilot, *keys)).split())


async def test_an_interview_from_home_to_its_report_and_tomorrows_queue(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    clock = FixedClock()
    async with open_app(tmp_path / "home", size=LONG, clock=clock) as pilot:
        screen = await press(pilot, "m")
        assert "onsite · 45 min" in screen
        screen = await press(pilot, "tab", "minus", "minus")
        assert "phone screen · 35 min" in screen
        screen = await choose(pilot, "A transpose at 30%")
        assert "1 of 5 · recall" in screen
        assert "0:00 of 35:00" in screen
        later(clock, 75)
        screen = await press(pilot, "enter")
        assert "answer submitted" in screen
        assert "compare them with the model answer after the last question" in screen
        assert "Model answer" not in screen
        screen = await press(pilot, "enter")
        assert "Put a number on another case." in screen
        assert "1:15 of 35:00" in screen
        await tap(pilot, "f3", "f3", "enter")
        for _ in range(3):
            screen = await press(pilot, "g", "enter")
        assert "Model answer" in screen
        screen = await press(pilot, "enter")
        assert "You ticked 0%" in screen
        assert "edit question" not in screen
        screen = await press(pilot, "enter")
        assert "Mock interview 1" in screen
        assert "Certain and wrong" in screen
        assert "❯ 1. Why is it slow?" in screen, "what cost most"
        assert "1:15  4:00" in await press(pilot, "pagedown")
        assert "(shared-memory/" not in await press(pilot, "end"), "it names topics, not files"
        screen = await press(pilot, "e")
        assert "Write the report to" in screen
        await tap(pilot, "n")
        assert not Path("mock-interview-1.html").exists()
        await tap(pilot, "e", "y")
        assert Path("mock-interview-1.html").read_text("utf-8").startswith("<!doctype html>")
        assert "0 of 4, your judgment" in Path("mock-interview-1.md").read_text("utf-8")
        Path("mock-interview-1.md").write_text("mine", "utf-8")
        await tap(pilot, "e", "y")
        assert Path("mock-interview-1.md").read_text("utf-8") == "mine"
        assert "0 of 4, your judgment" in Path("mock-interview-1-2.md").read_text("utf-8")
        screen = await press(pilot, "t")
        assert "come first from tomorrow on" in screen
        screen = await press(pilot, "u")
        assert "undone: nothing from the interview comes first" in screen
        await press(pilot, "escape")
        screen = await press(pilot, "end")
        assert "Report 1" in screen


async def test_an_interview_that_is_left_can_be_resumed(tmp_path):
    clock = FixedClock()
    async with open_app(tmp_path, size=LONG, clock=clock) as pilot:
        await tap(pilot, "m", "tab")
        await choose(pilot, "A transpose at 30%")
        await tap(pilot, "g", "enter")
        later(clock, 20)
        screen = await press(pilot, "escape", "escape")
        assert "The interview can be resumed" in screen
        assert "Go on with interview 1 · stage 2 of 5 is next" in screen
        later(clock, 600)
        screen = await press(pilot, "home", "enter")
        assert "2 of 5" in screen
        assert "0:20 of 45:00" in screen, "the clock goes on where the stage was left"
        screen = await press(pilot, "escape", "u")
        assert "2 of 5" in screen, "an answer stands"
        assert "Not during an interview." in screen
        screen = await press(pilot, "at")
        assert "Not during an interview." in screen


async def test_who_leaves_before_ticking_is_led_there(tmp_path):
    async with open_app(tmp_path, size=LONG) as pilot:
        await tap(pilot, "m", "tab")
        await choose(pilot, "A transpose at 30%")
        await tap(pilot, *"zbanks", "escape", "enter")
        assert pilot.app.screen._attempt.phase is Phase.STANDING
        await tap(pilot, "enter", "f3", "f3", "enter", *("g", "enter") * 3)
        assert pilot.app.screen._attempt.phase is Phase.COMPARING
        screen = await press(pilot, "escape")
        assert "1 answer is still to be compared with the model answer" in screen
        screen = await press(pilot, "home", "enter")
        assert pilot.app.screen._attempt.phase is Phase.COMPARING
        assert "Your answer stands." in screen
        assert "Model answer" in screen
        await tap(pilot, "1", "enter")
        answered = pilot.app.screen._attempt
        assert answered.is_graded
        assert (answered.text, answered.covered) == ("zbanks", {0})


async def test_what_is_right_is_told_once_all_was_asked_and_stage_by_stage(tmp_path):
    async with open_app(tmp_path, size=LONG) as pilot:
        await tap(pilot, "m", "tab")
        await choose(pilot, "A transpose at 30%")
        later = "Right answers and explanations come after the last question."
        assert later in await press(pilot, "g")
        screen = await press(pilot, "enter", *"33", "enter", "3")
        assert "noted" in screen
        assert later not in screen, "it is said once"
        for told in ("A row has 64 words", "34", "60%"):
            assert told not in screen
        assert "Sources" not in await press(pilot, "d")
        await tap(pilot, "enter", *("g", "enter") * 3)
        assert "❯ 2. How many shared" in screen_text(pilot.app), "what cost most"
        assert "❯ 1. Why is it slow?" in await press(pilot, "p")
        screen = await press(pilot, "enter")
        assert "1 of 5 · transpose · recall" in screen
        assert "Model answer" in screen
        screen = await press(pilot, "n")
        assert "2 of 5 · transpose · number" in screen
        assert "✗ 34 wavefronts, not 33 · certain and wrong · costs 100%" in screen
        assert "A row has 64 words" in screen
        assert "Sources" in await press(pilot, "d")
        await tap(pilot, "escape")
        assert "1 of 5" in await press(pilot, "left")
        await tap(pilot, "escape")
        assert "❯ 2. How many shared" in await press(pilot, "n")
        assert "3 of 5" in await press(pilot, "enter", "enter")
        screen = await press(pilot, *["enter"] * 3)
        assert "Mock interview 1" in screen, "after the last one, the report again"


async def test_an_unfinished_interview_is_asked_about_before_another_begins(tmp_path):
    async with open_app(tmp_path, size=LONG) as pilot:
        await tap(pilot, "m", "tab")
        await choose(pilot, "A transpose at 30%")
        await tap(pilot, "g", "enter")
        await tap(pilot, "escape", "escape", "home", "down")
        screen = await press(pilot, "enter")
        assert "Interview 1 is unfinished: stage 2 of 5 is next." in screen
        screen = await press(pilot, "escape")
        assert "Go on with interview 1" in screen
        assert "2 of 5" in await press(pilot, "enter", "enter")
        await tap(pilot, "escape", "escape", "home", "down", "enter")
        screen = await press(pilot, "e")
        said = [toast.message for toast in pilot.app._notifications]
        assert any("Interview 1 has ended as incomplete" in message for message in said)
        assert "1 of " in screen
        screen = await press(pilot, "escape")
        if "Go on with" not in screen:  # a field that is typed into takes the first escape
            screen = await press(pilot, "escape")
        assert "Go on with interview 2" in screen
        screen = await press(pilot, "end")
        assert "– · unfinished · " in screen, "nothing was graded"
        assert "Report 1" in screen


async def test_an_interview_that_the_command_line_asks_for_asks_about_the_unfinished_one(tmp_path):
    async with open_app(tmp_path, size=LONG) as pilot:
        await tap(pilot, "m", "tab")
        await choose(pilot, "A transpose at 30%")
        await tap(pilot, "escape", "escape")
    wish = InterviewWish(theme="transpose-at-a-third")
    async with open_app(tmp_path, size=LONG) as pilot:
        await pilot.app.open_mock(wish)
        assert "Interview 1 is unfinished" in await press(pilot)
        assert "Go on with interview 1" in await press(pilot, "x")


async def test_the_palette_offers_it(tmp_path):
    async with open_app(tmp_path, size=LONG) as pilot:
        await tap(pilot, "ctrl+p")
        assert "mock interview" in await press(pilot, *"mock")


async def test_the_first_start_offers_a_placement_which_one_key_takes_back(tmp_path):
    async with open_app(tmp_path, size=LONG, welcomed=False) as pilot:
        screen = await press(pilot)
        assert "20 questions, to skip what you know" in screen
        screen = await press(pilot, "f2")
        assert "1 of 20" in screen
        answered = False
        for _ in range(20):
            question = pilot.app.screen._turn.question
            if isinstance(question, Number) and not answered:
                bounds = compute_answer(question)
                assert bounds is not None
                await tap(pilot, *f"{bounds.value:g}", "enter", "3")
                answered = True
            else:
                await tap(pilot, *(("f3", "f3") if isinstance(question, Number) else "g"))
            screen = await press(pilot, "enter")
        assert "1 counts as known" in screen
        await tap(pilot, "enter")
        await pilot.app.run_action("app.place")
        screen = await press(pilot)
        assert "Your placement of" in screen
        assert "1 counts as known" in screen
        assert "1 of 20" in await press(pilot, "a")
        await tap(pilot, "escape", "escape")
        assert await pilot.app.undo()
        await pilot.app.run_action("app.place")
        assert "1 of 20" in await press(pilot)


async def test_what_the_command_line_asks_for_follows_the_welcome(tmp_path):
    async with open_app(tmp_path, welcomed=False, wish=InterviewWish(places=True)) as pilot:
        screen = await press(pilot)
        assert "enter placement" in screen
        assert "Up to 20 questions" in screen
        assert "First comes one question of each kind" not in screen
        assert "1 of 20" in await press(pilot, "down", "down", *"2027-02-01", "enter")
        assert str(pilot.app.settings.interview_date) == "2027-02-01"
    with_wish = open_app(tmp_path / "2", size=LONG, welcomed=False, wish=InterviewWish())
    async with with_wish as pilot:
        assert "enter mock interviews" in await press(pilot)
        assert "Review of a loader in C++" in await press(pilot, "escape")


@pytest.mark.parametrize(
    ("wish", "keys", "said"),
    [
        (InterviewWish(), ("escape",), ""),
        (InterviewWish(theme="transpose-at-a-third"), ("escape", "escape"), "--resume"),
        (InterviewWish(places=True), ("f3", "f3", "enter", "escape"), "`quiz place`"),
    ],
)
async def test_what_a_command_opened_ends_in_the_shell(tmp_path, wish, keys, said):
    async with open_app(tmp_path, size=LONG, wish=wish) as pilot:
        for key in keys:
            assert not pilot.app.leaving
            await tap(pilot, key)
        assert pilot.app.leaving
        assert said in pilot.app.parting
        assert bool(said) == bool(pilot.app.parting)


async def test_a_placement_says_what_an_answer_is_for_and_how_to_go_on_after_leaving(tmp_path):
    async with open_app(tmp_path, size=LONG) as pilot:
        await pilot.app.run_action("app.place")
        await tap(pilot, "escape")
        assert not pilot.app._notifications
        await pilot.app.run_action("app.place")
        await tap(pilot)
        screen = " ".join((await press(pilot, "f3", "f3")).split())
        assert "scheduled as a review at the end of the placement" in screen
        assert "your schedule stays as it was" not in screen
        await tap(pilot, "escape")
        (toast,) = pilot.app._notifications
        assert toast.message.startswith("Left before the end: nothing counts as known yet.")
        await pilot.app.run_action("app.place")
        assert "2 of 20" in await press(pilot)


async def test_a_kernel_that_passes_is_asked_about_before_the_next_stage(tmp_path, monkeypatch):
    gate = Event()
    monkeypatch.setattr(Examiner, "probe", behind(gate, Examiner.probe))
    async with open_app(tmp_path, size=LONG) as pilot:
        pilot.app.study.session.examiner = EXAMINER
        await tap(pilot, "m")
        await choose(pilot, "A transpose at 30%")
        while not isinstance(pilot.app.screen._turn.question, Kernel):
            await tap(pilot, "f3", "f3", "enter")
        solution = pilot.app.screen._turn.question.solution
        assert "costs 30% of the score" in screen_text(pilot.app)
        assert "test-run" not in screen_text(pilot.app)
        await pilot.press("f7", "delete")
        pilot.app.post_message(Paste(solution.replace("cuda.syncthreads()", "pass")))
        await tap(pilot, "ctrl+s")
        text = screen_text(pilot.app)
        assert "✗ race in shared memory · line" in text
        assert "no synchronization between" in text
        await tap(pilot, "f4")
        assert "step 1 of 2" in screen_text(pilot.app), "no step says what is missing"
        for told in (text, screen_text(pilot.app)):
            assert "syncthreads() before line" not in told, "the cure is the person's to find"
            assert "Missing between the two" not in told
        await tap(pilot, "escape", "escape")
        assert "If the next one passes, this stage scores 70%." in text
        assert "comes back sooner" not in text
        await pilot.press("f7", "delete")
        pilot.app.post_message(Paste(solution))
        await tap(pilot, "ctrl+s")
        text = screen_text(pilot.app)
        assert "✓ right" in text
        for told in ("70%", "next view", "sources"):
            assert told not in text
        below = pilot.app.screen
        await pilot.press("enter")
        await wait_for_text(pilot, "Running your kernel with changes", "esc cancel")
        gate.set()
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, ProbeScreen))
        await wait_until(pilot, lambda: pilot.app._notifications)
        assert "practice" not in screen_text(pilot.app)
        assert "count in the report" in [*pilot.app._notifications][-1].message
        while isinstance(pilot.app.screen, ProbeScreen):
            await tap(pilot, "f3", "f3", "enter")
        assert pilot.app.screen is below
        assert "5 of 6" in await press(pilot), "the next stage follows by itself"
        (asked,) = below._interview.record.probes.values()
        assert 1 <= len(asked) <= MOST_IN_MOCK
        assert "cost" not in [each.rule for each in asked], "counters were shown"


async def test_what_waits_for_a_drawing_is_not_done_for_a_question_that_was_left(tmp_path):
    async with open_app(tmp_path) as pilot:
        await tap(pilot, "m", "tab")
        await choose(pilot, "A transpose at 30%")
        left, done = pilot.app.screen, []
        left._view.call_after_refresh(done.append, "of the question")
        left.call_after_refresh(done.append, "of its screen")
        await pilot.app.pop_screen()
        await press(pilot)
        assert not done, "its parts are gone"
        pilot.app.screen.call_after_refresh(done.append, "of the screen that is shown")
        await press(pilot)
        assert done == ["of the screen that is shown"]


async def test_inputs_are_run_against_the_known_mistakes_of_their_kernel(tmp_path):
    with shared_runs(tmp_path):
        async with open_app(tmp_path, size=LONG) as pilot:
            await tap(pilot, "m")
            await choose(pilot, "Sum a large array")
            while not isinstance(pilot.app.screen._turn.question, InputChoice):
                await tap(pilot, "f3", "f3", "enter")
            assert (
                "or type an input of your own (i), such as n=1000 prediction=0..1"
                in screen_text(pilot.app)
            )
            await pilot.press("6", "i", *"n=0", "enter")
            assert "CUDA refuses" in await press(pilot)
            await pilot.press("backspace", *"40000", "enter")
            assert "7 ☑ n = 40000; prediction, target = normal" in await press(pilot)
            await tap(pilot, "escape", "home", "enter")
            assert pilot.app.screen._attempt.picked == {5, 6}, "typed inputs are kept"
            shown = await press(pilot, "enter", "2")
            assert "noted" in shown
            assert "that were tried" not in shown
            assert pilot.app.screen._saving.graded.grade.score == 1
            study = pilot.app.study
            await pilot.app.call(interviews.end, study, interviews.unfinished(study))
            await pilot.app.open_report(1)
            await tap(pilot, *["n"] * 6, "enter")
            shown = " ".join(screen_text(pilot.app).split())
            assert "Your 2 inputs find 4 of the 5 mistakes that were tried." in shown
            assert "Missed: p² − 2pq + q² is mathematically equal" in shown
            assert "square-expanded" not in shown, "no name of a file"


async def test_a_fact_is_told_beside_the_question_that_asks_for_it(tmp_path):
    async with open_app(tmp_path, size=LONG) as pilot:
        await tap(pilot, "m")
        await choose(pilot, "A softmax becomes attention")
        question, order = pilot.app.screen._turn.question, pilot.app.screen._attempt.order
        assert isinstance(question, FactChoice)
        needed, other = (
            [i for i, fact in enumerate(question.facts) if fact.matters is matters]
            for matters in (True, False)
        )
        told, kept = (prose(question.facts[i].told, "en").strip()[:40] for i in needed[:2])
        assert told not in await press_joined(pilot)
        rows = [str(order.index(i) + 1) for i in (needed[0], other[0])]
        assert told in await press_joined(pilot, *rows, rows[1])
        assert pilot.app.screen._attempt.picked == {needed[0], other[0]}, "told stays told"
        assert "can be resumed" in await press(pilot, "escape")
        screen = await press_joined(pilot, "home", "enter")
        assert told in screen
        assert "What you asked before you left has been answered" in screen
        assert pilot.app.screen._attempt.picked == {needed[0], other[0]}
        screen = await press_joined(pilot, "enter", "2")
        assert "noted" in screen
        assert "facts that matter" not in screen
        assert kept not in screen
        graded = pilot.app.screen._saving.graded
        score = max(0, 1 / len(needed) - 1 / len(other))
        assert graded.grade.score == score
        assert graded.credit == pytest.approx(0.8 * score - 0.5 * (1 - score))
