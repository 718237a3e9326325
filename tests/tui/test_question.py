"""A person's way through questions: keys in, what stands on the screen out."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from grader.facts import quote
from quizapp.deck.content import content_roots
from quizapp.deck.deck import load
from quizapp.domain.errors import StoreFull
from quizapp.domain.log.events import Answered, Rerated
from quizapp.domain.rating import USUAL_CONFIDENCE, Confidence
from quizapp.store.store import Store
from quizapp.study.home_values import Filter
from quizapp.study.service import Study
from quizapp.system.config import Settings
from quizapp.tui.app import QuizApp
from quizapp.tui.screens.question import QuestionScreen
from quizapp.tui.screens.summary import SummaryScreen
from quizapp.tui.widgets.field import NumberField
from tests.tui.pilots import NARROW, WIDE, FixedClock, paths_in, press, rest_stored, tap
from tests.tui.screen_text import rest, screen_lines, settle
from tests.tui.test_arrivals import type_at_once

QUESTIONS = """
- id: pick
  kind: choice
  topic: first
  concept: picking
  difficulty: 1
  shuffle: false
  prompt: {en: "Which of these is `a[tid]`?", zh: "哪一个是 `a[tid]`？"}
  options:
    - {text: "`b[i] +=`", why: {en: "It adds.", zh: "它做加法。"}}
    - {text: "`[/x]`", correct: true}
    - {text: "`[bold]`", why: {en: "It shouts.", zh: "它太响。"}}
  explanation: {en: "Because it is so.", zh: "因为如此。"}
  hints: [{en: "Look closer.", zh: "仔细看。"}, {en: "It has a slash.", zh: "它有斜杠。"}]
  sources: ["measured: here"]
  follow_ups: [{prompt: {en: "And why?", zh: "为什么？"}, answer: {en: "Lo.", zh: "看。"}}]
- id: count
  kind: number
  topic: second
  concept: counting
  difficulty: 2
  prompt: {en: "Wavefronts of a column?", zh: "一列需要几个 wavefront？"}
  compute: wavefronts("load", 4, 32 * lane)
  unit: wavefronts
  basis: as-written
  explanation: {en: "One word a row.", zh: "每行一个字。"}
  sources: ["computed: grader.banks"]
- id: tell
  kind: recall
  topic: third
  concept: telling
  difficulty: 3
  prompt: {en: "What is a bank?", zh: "什么是 bank？"}
  answer: {en: "One of 32 slices.", zh: "32 个分片之一。"}
  rubric:
    - {point: {en: "there are 32", zh: "共有 32 个"}, weight: 3}
    - {point: {en: "four bytes wide", zh: "宽四个字节"}, weight: 1}
  explanation: {en: "Words go round.", zh: "字轮流分布。"}
  sources: ["vendor documentation"]
"""

Start = Callable[..., AbstractAsyncContextManager[Pilot[int]]]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Start:
    """Start the application on the three questions above; `study()` is what it studies with."""
    folder = tmp_path / "packs" / "mine"
    folder.mkdir(parents=True)
    (folder / "questions.yaml").write_text(QUESTIONS, "utf-8")
    monkeypatch.setattr("quizapp.deck.content.shipped_content", lambda: folder.parent)

    @asynccontextmanager
    async def opened(
        size: tuple[int, int] = (80, 24), *, store: type[Store] = Store, **settings: Any
    ) -> AsyncIterator[Pilot[int]]:
        chosen = Settings(**({"welcomed": True} | settings))
        paths = paths_in(tmp_path)
        deck = load(content_roots(paths, chosen)[:1], str(paths.compiled_deck))
        with Study(deck, store.open(paths.database), chosen, FixedClock()) as study:
            study.session.begin(Filter())
            app = QuizApp(study, paths, chosen, Filter())
            async with app.run_test(size=size) as pilot:
                await rest(pilot)
                yield pilot

    return opened


def read_notifications(pilot: Pilot[int]) -> list[str]:
    """What the application notified of, in order."""
    return [str(notification.message) for notification in pilot.app._notifications]


def answers(pilot: Pilot[int], question: str) -> list[Answered]:
    study: Study = pilot.app.study  # type: ignore[attr-defined]
    bodies = [event.body for event in study.store.events(f"mine/{question}")]
    return [body for body in bodies if isinstance(body, Answered)]


async def test_home_leads_to_the_question_and_code_stands_verbatim(start: Start) -> None:
    async with start() as pilot:
        text = await press(pilot, "enter")
        assert "1 of 3 · first · choice · ●○○○○" in text
        for code in ("a[tid]", "b[i] +=", "[/x]", "[bold]"):
            assert code in text


async def test_a_wrong_choice_is_told_by_sign_and_word_with_its_reason(start: Start) -> None:
    async with start() as pilot:
        await tap(pilot, "enter", "1", "enter")
        text = await press(pilot, "3")
        lines = screen_lines(pilot.app)
        assert lines[0].endswith("✗ wrong · certain and wrong")
        assert any("1 ✗ b[i] +=" in line for line in lines)
        assert any("2 ✓ [/x]" in line for line in lines)
        assert "It adds." in text
        assert "It shouts." not in text
        assert "Because it is so." in text
        assert "[1 again this session]" in text
        (answer,) = answers(pilot, "pick")
        assert (answer.correct, answer.confidence, answer.drawn) == (False, 3, {"order": [0, 1, 2]})


async def test_digits_pick_before_grading_and_rate_after(start: Start) -> None:
    async with start(confidence=False) as pilot:
        await tap(pilot, "enter", "2", "enter")
        assert "good: right, without hints" in await settle(pilot)
        text = await press(pilot, "4")
        assert "2 of 3" in text
        study: Study = pilot.app.study  # type: ignore[attr-defined]
        bodies = [event.body for event in study.store.events("mine/pick")]
        assert [type(body) for body in bodies] == [Answered, Rerated]
        assert bodies[1].rating == 4  # type: ignore[union-attr]


async def test_nothing_is_graded_before_something_was_picked(start: Start) -> None:
    async with start() as pilot:
        text = await press(pilot, "enter", "enter")
        assert "Pick an option first: 1 to 3, or space at the cursor." in text
        assert answers(pilot, "pick") == []


async def test_the_request_to_pick_goes_once_something_is_picked(start: Start) -> None:
    for key in ("2", "space"):
        async with start() as pilot:
            assert "Pick an option first" in await press(pilot, "enter", "enter")
            assert "Pick an option first" not in await press(pilot, key)


async def test_a_key_that_means_nothing_while_how_sure_is_asked_changes_nothing(
    start: Start,
) -> None:
    async with start() as pilot:
        asked = await press(pilot, "enter", "2", "enter")
        assert "enter means fairly. To skip this: settings (,), “Ask how sure”." in asked
        assert "1 guess   2 fairly   3 certain   enter fairly   esc change the answer" in asked
        assert await press(pilot, *"x9hgo", "space", "tab") == asked


@pytest.mark.parametrize(
    ("keys", "sure", "does"),
    [
        (["1"], Confidence.GUESS, "enter next"),
        (["enter"], USUAL_CONFIDENCE, "enter next"),
        (["x", "enter", "enter"], USUAL_CONFIDENCE, "Wavefronts of a column?"),
        (["d"], USUAL_CONFIDENCE, "• measured: here"),
        (["comma", "escape", "3"], Confidence.CERTAIN, "enter next"),
    ],
)
async def test_keys_pressed_in_a_burst_while_how_sure_is_asked_do_what_they_say(
    start: Start, keys: list[str], sure: Confidence, does: str
) -> None:
    async with start() as pilot:
        await type_at_once(pilot, "enter", "2", "enter", "1", "enter", "d")
        assert "How sure?" in await press(pilot), "what was typed before it was shown says nothing"
        await type_at_once(pilot, *keys)
        assert does in await press(pilot)
        assert answers(pilot, "pick")[0].confidence == sure


async def test_a_number_field_leaves_commands_to_the_screen(start: Start) -> None:
    async with start() as pilot:
        text = await press(pilot, "enter", "2", "enter", "enter", "enter")
        assert "enter answer   g give up   esc other keys" in text
        await tap(pilot, *"1e3*0x1f", "space", "w")
        assert pilot.app.screen.query_one(NumberField).value == "1e3*0x1f w"
        await tap(pilot, *["backspace"] * 9, "at")
        assert [toast.message for toast in pilot.app._notifications] == ["suspended · u undoes it"]
        await tap(pilot, "u")
        (toast,) = pilot.app._notifications  # the one before is over: two would hide the prompt
        assert toast.message.startswith("undone: suspended or not, as before · ")
        assert pilot.app.screen.query_one(NumberField).display
        text = await press(pilot, "g", "g")
        assert "gave up" in text or "given up" in text


async def test_a_number_field_types_nothing_that_can_begin_no_number_and_no_unit(
    start: Start,
) -> None:
    async with start() as pilot:
        await tap(pilot, "enter", "2", "enter", "enter", "enter")
        for burst, typed, said in (
            ("z", "", "“z” was ignored: no number or unit of this answer begins with it."),
            ("3z", "3", "“z” was ignored"),
            ("3r!k2", "32", ""),
            ("3o", "3", "“o” was ignored"),
            ("0x1f", "0x1f", ""),
            ("1e6", "1e6", ""),
            ("32 waves", "32 waves", ""),
        ):
            await type_at_once(pilot, *burst)
            text = await press(pilot)
            assert pilot.app.screen.query_one(NumberField).value == typed
            assert said in text
            assert ("was ignored" in text) == bool(said)
            pilot.app.screen.query_one(NumberField).value = ""
            pilot.app.clear_notifications()


async def test_arrows_and_space_pick_as_well(start: Start) -> None:
    async with start(confidence=False) as pilot:
        await tap(pilot, "enter", "down", "space", "enter")
        assert answers(pilot, "pick")[0].correct


async def test_the_mouse_picks_and_the_last_line_answers(start: Start) -> None:
    async with start(confidence=False) as pilot:
        await tap(pilot, "enter")
        await pilot.click("#prompt", offset=(8, 5))  # below how this kind works
        await rest(pilot)
        await pilot.click("KeyLine", offset=(2, 0))
        await rest_stored(pilot)
        assert answers(pilot, "pick")[0].correct


async def test_a_hint_makes_the_answer_hard_and_there_is_no_third_of_two(start: Start) -> None:
    async with start(confidence=False) as pilot:
        text = await press(pilot, "enter", "h")
        assert "Hint 1 of 2: Look closer." in text
        text = await press(pilot, "h", "h")
        assert "Hint 2 of 2: It has a slash." in text
        assert "There is no further hint." in text
        text = await press(pilot, "2", "enter")
        assert "hard: right, with a hint" in text
        assert answers(pilot, "pick")[0].hints == 2


async def test_in_the_field_a_word_is_typed_and_escape_leaves_it(start: Start) -> None:
    async with start() as pilot:
        await tap(pilot, "enter", "2", "enter", "2", "enter")
        text = await press(pilot, "3", "w", "u", "h")
        assert "3wuh" in text
        text = await press(pilot, "enter")
        assert "The unit “wuh” is not known here" in text
        await tap(pilot, "escape", "i", "home", "delete", "3", "2")
        assert isinstance(pilot.app.screen, QuestionScreen)


async def test_what_an_expression_came_to_is_shown_before_and_after_grading(start: Start) -> None:
    async with start() as pilot:
        await tap(pilot, "enter", "2", "enter", "2", "enter")
        text = await press(pilot, *"2^6/2", "enter")
        assert "2^6/2 = 32 wavefronts" in text
        assert "How sure?" in text
        assert "2^6/2 = 32 wavefronts" in await press(pilot, "2")
        assert answers(pilot, "count")[0].response == "2^6/2"


async def test_an_expression_that_cannot_be_computed_says_where(start: Start) -> None:
    async with start() as pilot:
        await tap(pilot, "enter", "2", "enter", "2", "enter")
        text = await press(pilot, *"2*", "asterisk", "asterisk", "enter")
        assert "(character 4) does not fit there" in text


async def test_a_number_is_computed_and_its_unit_understood(start: Start) -> None:
    async with start(confidence=False) as pilot:
        text = await press(pilot, "enter", "2", "enter", "enter", *"32", "space", *"waves", "enter")
        assert "The unit “waves” is not known here; expected: wavefronts." in text
        backspaces = ["backspace"] * 6
        await tap(pilot, *backspaces, "space", *"wavefronts", "enter")
        assert screen_lines(pilot.app)[0].endswith("✓ 32 wavefronts")
        assert answers(pilot, "count")[0].response == "32 wavefronts"


async def test_a_wrong_number_is_named_beside_the_right_one(start: Start) -> None:
    async with start(confidence=False) as pilot:
        await tap(pilot, "enter", "2", "enter", "enter", "1", "enter")
        assert screen_lines(pilot.app)[0].endswith("✗ 32 wavefronts, not 1")


async def test_giving_up_explains_every_wrong_option(start: Start) -> None:
    async with start(confidence=False) as pilot:
        text = await press(pilot, "enter", "g")
        assert "It adds." in text
        assert "It shouts." in text


async def test_what_was_not_picked_is_said_unless_it_was_given_up(
    start: Start, tmp_path: Path
) -> None:
    shouts = '- {text: "`[bold]`", why: {en: "It shouts.", zh: "它太响。"}}'
    several = QUESTIONS.replace(shouts, '- {text: "`[bold]`", correct: true}')
    several = several.replace("  shuffle: false", "  shuffle: false\n  several: true")
    (tmp_path / "packs" / "mine" / "questions.yaml").write_text(several, "utf-8")
    async with start(confidence=False) as pilot:
        text = await press(pilot, "enter", "2", "enter")
        assert text.count("right, and you did not pick it") == 1
        assert "Several may be right: choose all that are." in text
        text = await press(pilot, "u", "g")
        assert "✗ given up" in text
        assert "did not pick" not in text


async def test_only_a_picked_wrong_option_is_explained_else(start: Start) -> None:
    async with start(confidence=False) as pilot:
        text = await press(pilot, "enter", "1", "enter")
        assert "It adds." in text
        assert "It shouts." not in text


async def test_a_recall_is_compared_point_by_point(start: Start) -> None:
    async with start() as pilot:
        await tap(pilot, "enter", "2", "enter", "2", "enter", "escape", "g", "enter")
        text = await press(pilot, *"bank")  # a letter that does nothing begins to write
        assert pilot.app.screen._attempt.text == "bank"
        text = await press(pilot, "escape", "enter")
        assert "How sure?" in text
        assert "One of 32 slices." not in text
        text = await press(pilot, "2")
        assert "How sure?" not in text
        assert "1 ☐ there are 32 (3)" in text
        assert "One of 32 slices." in text
        text = await press(pilot, "1")
        assert "1 ☑ there are 32 (3)" in text
        text = await press(pilot, "enter")
        assert "hard: covered 75% of the points" in text
        (answer,) = answers(pilot, "tell")
        assert (answer.score, answer.response) == (0.75, "bank\n0")
        assert answer.confidence == Confidence.FAIRLY


async def test_what_was_answered_wrong_comes_back_and_counts_as_a_repeat(start: Start) -> None:
    async with start(confidence=False) as pilot:
        await tap(pilot, "enter", "g", "enter", "escape", "g", "enter", "g", "enter")
        text = await settle(pilot)
        assert "first · choice · ●○○○○ · again" in text
        await tap(pilot, "2", "enter")
        assert [a.repeat for a in answers(pilot, "pick")] == [False, True]


async def test_the_summary_ends_the_session_and_leads_home(start: Start) -> None:
    async with start(confidence=False) as pilot:
        await tap(pilot, "enter", "2", "enter", "enter", *"32", "enter", "enter")
        await tap(pilot, "enter", "1", "2", "enter", "enter")
        assert isinstance(pilot.app.screen, SummaryScreen)
        text = await settle(pilot)
        assert "Done for now." in text
        lines = screen_lines(pilot.app)
        assert any(line.split() == ["answered", "3"] for line in lines)
        assert any(line.split()[-1] == "3" for line in lines if "right at once" in line)
        text = await press(pilot, "enter")
        assert "Nothing is due." in text


async def test_undo_asks_again_and_redo_restores(start: Start) -> None:
    async with start(confidence=False) as pilot:
        await tap(pilot, "enter", "2", "enter", "enter", "escape")
        before = pilot.app.study.store.dump()  # type: ignore[attr-defined]
        text = await press(pilot, "u")
        assert "1 of 3 · first" in text
        said = "undone: your answer no longer counts · Which of these is a[tid]?"
        assert read_notifications(pilot)[-1] == said
        text = await press(pilot, "U")
        assert "second" in text
        assert pilot.app.study.store.dump() == before  # type: ignore[attr-defined]
        await tap(pilot, "escape", "u", "u")
        assert read_notifications(pilot)[-1] == "Nothing to undo."


async def test_a_verdict_can_be_undone_where_it_stands(start: Start) -> None:
    async with start(confidence=False) as pilot:
        await tap(pilot, "enter", "1", "enter", "u")
        text = await settle(pilot)
        assert "1 of 3 · first" in text
        assert "✗ wrong" not in text


async def test_detail_shows_sources_and_what_an_interviewer_asks_next(start: Start) -> None:
    async with start(confidence=False) as pilot:
        text = await press(pilot, "enter", "2", "enter")
        assert "measured: here" not in text
        text = await press(pilot, "d")
        assert "• measured: here" in text
        assert "And why?" in text
        assert "Lo." not in text
        assert "d shows the answers" in text
        text = await press(pilot, "d")
        assert "And why?" in text
        assert "Lo." in text
        assert "d shows the answers" not in text
        assert "And why?" not in await press(pilot, "d")
        assert "Lo." not in await press(pilot, "d")
        assert "And why?" not in await press(pilot, "escape")


async def test_bury_and_suspend_take_it_out_and_undo_brings_it_back(start: Start) -> None:
    async with start() as pilot:
        assert "second" in await press(pilot, "enter", "minus")
        assert "first" in await press(pilot, "u")
        assert "second" in await press(pilot, "at")
        card = pilot.app.study.progress.card("mine/pick")  # type: ignore[attr-defined]
        assert card.suspended


async def test_flag_is_switched_on_and_off(start: Start) -> None:
    async with start() as pilot:
        await tap(pilot, "enter", "f")
        assert read_notifications(pilot) == ["flagged"]
        assert pilot.app.study.progress.card("mine/pick").flagged  # type: ignore[attr-defined]
        await tap(pilot, "f")
        assert not pilot.app.study.progress.card("mine/pick").flagged  # type: ignore[attr-defined]


async def test_a_half_written_answer_is_kept_and_offered_again(start: Start) -> None:
    async with start(confidence=False) as pilot:
        await tap(pilot, "enter", "2", "enter", "enter", *"3", "escape", "escape")
    async with start(confidence=False) as pilot:
        text = await press(pilot, "enter")
        assert "From last time" in text
        assert "   3" in text


class FullOnce(Store):
    """The disk is full the first time an answer is stored."""

    failures = 1

    def append(self, new: Any) -> Any:
        if self.failures:
            self.failures -= 1
            raise StoreFull(quote("The disk is full."), quote("Make room."))
        return super().append(new)


async def test_a_full_disk_keeps_the_answer_and_one_key_retries(start: Start) -> None:
    async with start(confidence=False, store=FullOnce) as pilot:
        text = await press(pilot, "enter", "2", "enter")
        assert "! Not saved: The disk is full." in text
        assert "r try again to save" in text
        assert "1 of 3" in await press(pilot, "enter")
        text = await press(pilot, "r")
        assert "saved" in text
        assert "2 of 3" in await press(pilot, "enter")
        assert len(answers(pilot, "pick")) == 1


async def test_chinese_speaks_everywhere(start: Start) -> None:
    async with start(language="zh") as pilot:
        assert "待复习" in await settle(pilot) or "新题" in await settle(pilot)
        text = await press(pilot, "enter", "1", "enter", "3")
        for words in ("哪一个是 a[tid]？", "✗ 错误 · 很确定却错了", "它做加法。", "下一题"):
            assert words in text


async def test_vast_terminals_show_question_and_feedback_side_by_side(start: Start) -> None:
    async with start((200, 50), confidence=False) as pilot:
        await tap(pilot, "enter", "2", "enter")
        lines = screen_lines(pilot.app)
        (line,) = [line for line in lines if "Because it is so." in line]
        assert line.index("Because") > 95
        assert any(line.startswith("  Which of these") for line in lines)


@pytest.mark.parametrize("size", [NARROW, WIDE, (200, 50)])
async def test_what_was_asked_stays_where_it_was_when_feedback_comes(
    start: Start, size: tuple[int, int]
) -> None:
    async with start(size, confidence=False) as pilot:
        before = await press(pilot, "enter")
        asked = [line for line in before.splitlines() if line.strip()][2]
        after = await press(pilot, "2", "enter")
        place = before.splitlines().index(asked)
        assert after.splitlines()[place].startswith(asked)


@pytest.mark.parametrize("why", ["Because it is so.", r"Because it is so.\n\n" * 20])
async def test_feedback_below_a_long_question_begins_on_the_screen(
    start: Start, tmp_path: Path, why: str
) -> None:
    long = QUESTIONS.replace('{en: "Which', '{en: "' + r"Read on.\n\n" * 12 + "Which", 1)
    file = tmp_path / "packs" / "mine" / "questions.yaml"
    file.write_text(long.replace("Because it is so.", why, 1), "utf-8")
    async with start(confidence=False) as pilot:
        assert "Because" not in await press(pilot, "enter", "2")
        assert "Look closer." in await press(pilot, "h")
        text = await press(pilot, "enter")
        assert "✓ right" in text  # and rated hard, for the hint
        assert "✓ [/x]" in text
        assert "Because it is so." in text


async def test_a_terminal_too_small_says_so_and_recovers(start: Start) -> None:
    async with start() as pilot:
        await tap(pilot, "enter")
        await pilot.resize_terminal(50, 12)
        assert "The terminal is too small: 50×12." in await settle(pilot)
        await pilot.resize_terminal(80, 24)
        assert "1 of 3 · first" in await settle(pilot)


async def test_keys_can_be_remapped_and_the_last_line_shows_it(start: Start) -> None:
    async with start(keys={"hint": "x"}) as pilot:
        assert "x hint" in await press(pilot, "enter")
        assert "Hint 1 of 2" in await press(pilot, "x")


async def test_copy_code_says_when_there_is_none(start: Start) -> None:
    async with start() as pilot:
        await tap(pilot, "enter", "y")
        assert read_notifications(pilot) == ["There is no code here."]


async def test_arrows_move_the_mark_while_comparing_even_where_the_page_scrolls(
    start: Start,
) -> None:
    async with start((80, 16)) as pilot:
        await tap(pilot, "enter", "2", "enter", "2", "enter", "escape", "g", "enter")
        text = await press(pilot, "enter", "2", "down", "space")
        assert "❯ 2 ☑ four bytes wide (1)" in text


async def test_undo_after_undo_is_an_undo_and_not_an_answer(start: Start) -> None:
    async with start(confidence=False) as pilot:
        await tap(pilot, "enter", "2", "enter", "enter", *"32", "enter", "u")
        await tap(pilot, "u")
        said = "undone: your answer no longer counts · Which of these is a[tid]?"
        assert read_notifications(pilot) == [said]  # it ended the one about the other answer
        assert answers(pilot, "count") != []
        assert "1 of 3 · first" in await settle(pilot)


async def test_a_number_is_typed_at_once_after_an_undo(start: Start) -> None:
    async with start(confidence=False) as pilot:
        await tap(pilot, "enter", "2", "enter", "enter", *"31", "enter", "u")
        assert isinstance(pilot.app.focused, NumberField)
        assert "✓ 32 wavefronts" in await press(pilot, *"32", "enter")
        await tap(pilot, "u", "escape")
        assert pilot.app.focused is not pilot.app.screen.query_one(NumberField)
        assert "✓ 32 wavefronts" in await press(pilot, *"32", "enter"), "a digit leads to the field"


async def test_a_message_about_the_answer_goes_when_it_is_graded(start: Start) -> None:
    async with start() as pilot:
        await tap(pilot, "enter", "2", "enter", "2", "enter")
        assert "is not a number" in await press(pilot, *"1/0", "enter")
        assert "is not a number" not in await press(pilot, "escape", "g")


async def test_a_hint_is_offered_only_while_there_is_one(start: Start) -> None:
    async with start() as pilot:
        assert "h hint" in await press(pilot, "enter")
        assert "h hint" not in await press(pilot, "h", "h")


async def test_when_the_day_is_done_more_can_be_asked_for(start: Start) -> None:
    async with start(confidence=False, new_per_day=1) as pilot:
        text = await press(pilot, "enter", "2", "enter", "enter", "enter")
        assert "Nothing is due." in text
        assert "n more new questions" in text
        assert "second" in await press(pilot, "n")


async def test_keys_after_leaving_do_nothing(start: Start) -> None:
    async with start() as pilot:
        await pilot.press("q", "s", "enter")
        await pilot.pause()
        app = pilot.app
        assert app.failure is None  # type: ignore[attr-defined]
    assert app.return_code == 0


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_what_the_counts_of_a_question_are_is_said_in_words(
    start: Start, language: str
) -> None:
    async with start(language=language) as pilot:
        words = pilot.app.say("basis.as-written.means")
        said = "".join(words.split())

        def is_said(text: str) -> bool:
            return said in "".join(text.split())

        assert not is_said(await press(pilot, "enter"))  # a question without counts
        await tap(pilot, "g", "enter")
        assert is_said(await settle(pilot)), "the first question of its kind"
        await tap(pilot, "3", "2", "enter", "3", "enter")
        await pilot.app.study_these(Filter(kind="number", practice=True))
        await rest(pilot)
        assert not is_said(await press(pilot, "3", "2", "enter", "3"))
        assert is_said(await press(pilot, "d"))
