"""Traces and exercises in the plain mode: lines of code in, verdicts in words out."""

from __future__ import annotations

import re

import pytest

from quizapp.deck.deck import load
from quizapp.domain.log.events import Answered, Tried
from quizapp.domain.rating import Rating, Rule
from quizapp.report.quantities import write_quantity
from quizapp.report.words import Words
from quizapp.study.home_values import Filter
from tests.deck.tools import INDEX, NUMBER, TRACE, question, write
from tests.plain.person import DAY_MS, Played, right, wrong
from tests.store.tools import FullOnce

TRACES = Filter(kind="trace")
INDICES = Filter(kind="index")
INDEXED = "pack/a-index"
TRACED = "pack/a-trace"

BOTH = question(
    "index",
    prompt="{en: Place a tile., zh: 放置一个分块。}",
    explanation="{en: An odd pitch., zh: 奇数行距。}",
    hints="[{en: Think odd., zh: 想想奇数。}]",
    wrong="[{source: row * 31 + col, fails: one slot, why: {en: Rows overlap., zh: 各行重叠。}}]",
) + question(
    "trace",
    prompt="{en: 'Stride {{stride}}.', zh: '步长 {{stride}}。'}",
    explanation="{en: 'Hence {{answer}}.', zh: '所以是 {{answer}}。'}",
    hints="[{en: 'gcd({{stride}}, 32)', zh: '{{stride}} 与 32 的最大公约数'}]",
)
SOLUTION = ["def index(row, col):", "", "    return row * 33 + col"]
STARTER = ["def index(row, col):", "    return row * 32 + col"]
PACKED = ["def index(row, col):", "    return 32 * row + col"]


@pytest.fixture(scope="session")
def deck(tmp_path_factory):
    root = tmp_path_factory.mktemp("exercises")
    write(root, "pack/a.yaml", BOTH)
    write(root, "pack/b.yaml", NUMBER)
    return load([str(root)], str(root / "cache" / "deck"))


def failed_submissions(played: Played) -> list[Tried]:
    events = played.study.store.events(INDEXED)
    return [event.body for event in events if isinstance(event.body, Tried)]


def answer(played: Played, name: str = INDEXED) -> Answered:
    (one,) = played.answers(name)
    return one


# Exercises


def test_an_exercise_shows_its_starter_and_how_to_hand_in(stage):
    said = stage.play(narrowed=INDICES).said
    assert re.search(r"^1 of 1 · .* · difficulty 2$", said, re.MULTILINE)
    assert "\nPlace a tile.\n" in said
    assert "\n    row * 32 + col\n" in said
    assert "Type all of your code, also what you keep" in said


def test_lines_up_to_a_full_stop_are_the_submission_blank_ones_too(stage):
    played = stage.play("?", *SOLUTION, "q", "help", ":o", ".", "", narrowed=INDICES)
    assert "✓ right" in played.said
    assert played.said.count("That was not taken as an answer. Commands begin with a colon") == 3
    assert "The editor opens only at a terminal" in played.said
    assert answer(played).response == "\n".join(SOLUTION)
    assert (answer(played).correct, answer(played).failures) == (True, 0)
    assert "An odd pitch." in played.said
    assert "1 question answered, 1 right" in played.said
    assert "solution" not in played.said.lower()


def test_indentation_is_kept_and_spaces_around_the_full_stop_do_not_matter(stage):
    code = ["def index(row, col):", "\tif row:", "\t\treturn row * 33 + col", "\treturn col"]
    played = stage.play(*code, "  . ", "", narrowed=INDICES)
    assert "✓ right" in played.said
    assert answer(played).response == "\n".join(code)


def test_one_line_of_c(stage):
    assert "✓ right" in stage.play("row * 33 + col", ".", "", narrowed=INDICES).said


def test_failing_says_why_and_asks_again_and_passing_ends_it(stage):
    played = stage.play(*PACKED, ".", *SOLUTION, ".", "", narrowed=INDICES)
    said = played.said
    assert "✗ column load: 32 wavefronts, 1 allowed" in said
    assert "lanes 0, 1, 2, …, 31 conflict in bank 0" in said
    assert re.search(
        r"yours +ideal +allowed\n✓ row store +1 +1 +1\n✗ column load +32 +1 +1\n", said
    )
    assert "extra storage: 0 elements" in said
    assert said.count("Type all of your code") == 2
    assert said.index("✗ column load: 32") < said.index("✓ right")
    assert [body.source for body in failed_submissions(played)] == ["\n".join(PACKED)]
    assert failed_submissions(played)[0].gate == "wavefronts: column load"
    assert answer(played).response == "\n".join(SOLUTION)
    assert (answer(played).failures, answer(played).rule) == (1, Rule.UNAIDED)


def test_what_never_ran_costs_nothing(stage):
    """Two slips of the pen and the starter as it was, before a right solution."""
    lines = ("row +", ".", "row * 32 + col", ".", "row + )", ".", *SOLUTION, ".", "")
    played = stage.play(*lines, narrowed=INDICES)
    assert "✗ not understood\n  line 1, column " in played.said
    assert played.said.count("Nothing was run, so this does not count as an attempt.") == 2
    assert "This is the starter, unchanged; write your part first." in played.said
    assert [body.ran for body in failed_submissions(played)] == [False, False]
    assert (answer(played).failures, answer(played).rule) == (0, Rule.UNAIDED)


def test_two_failures_make_it_hard(stage):
    played = stage.play("row", ".", "col", ".", *SOLUTION, ".", "", narrowed=INDICES)
    assert "✗ two elements in one slot" in played.said
    assert (answer(played).failures, answer(played).rule) == (2, Rule.TWO_FAILURES)
    assert answer(played).rating is Rating.HARD
    assert "Rated hard" in played.said


def test_failures_before_a_restart_count(stage):
    stage.play("row", ".", "col", ".", narrowed=INDICES)
    played = stage.play(":x", *SOLUTION, ".", "", narrowed=INDICES)
    assert (answer(played).failures, answer(played).rule) == (2, Rule.TWO_FAILURES)


def test_a_known_mistake_is_explained(stage):
    said = stage.play("col + 31 * row", ".", narrowed=INDICES).said
    assert "✗ two elements in one slot" in said
    assert "\nRows overlap.\n" in said
    assert "Rows overlap." not in stage.play(":x", "row", ".", narrowed=INDICES).said


def test_nothing_handed_in_costs_nothing(stage):
    played = stage.play(".", *SOLUTION, ".", "", narrowed=INDICES)
    assert "\nWrite something first.\n" in played.said
    assert answer(played).failures == 0


def test_how_sure_is_not_asked(stage):
    played = stage.play(*SOLUTION, ".", "", narrowed=INDICES, confidence=True)
    assert "How sure?" not in played.said
    assert answer(played).confidence is None


def test_giving_up_shows_the_solution(stage):
    played = stage.play("def index(row, col):", ":g", "", narrowed=INDICES)
    assert "✗ given up\nA solution\n    def index(row, col):\n        return row * 33 + col\n" in (
        played.said
    )
    assert (answer(played).gave_up, answer(played).response) == (True, "def index(row, col):")
    assert "Rated again: given up." in played.said


def test_giving_up_after_failures_counts_them(stage):
    played = stage.play("row", ".", ":g", "", narrowed=INDICES)
    assert (answer(played).failures, answer(played).gave_up) == (1, True)
    assert answer(played).response == "row"  # what the editor of the screens still holds


def test_a_hint_makes_it_hard(stage):
    played = stage.play(":h", ":h", *SOLUTION, ".", "", narrowed=INDICES)
    assert "Hint 1 of 1: Think odd." in played.said
    assert "There is no further hint." in played.said
    assert answer(played).rule is Rule.HINT_USED


def test_commands_between_lines_are_no_code(stage):
    played = stage.play(SOLUTION[0], ":r", ":z", *SOLUTION[1:], ".", "", narrowed=INDICES)
    assert "There is no command ':z'" in played.said
    assert "✓ right" in played.said


def test_a_line_of_code_may_begin_with_a_colon(stage):
    """C over several lines: `row < 16 ? … : …`."""
    code = ["row < 99", "  ? row * 33 + col", "  : 0"]
    assert "✓ right" in stage.play(*code, ".", "", narrowed=INDICES).said


# Drafts


@pytest.mark.parametrize("length", range(len(SOLUTION) + 1))
def test_the_input_may_end_within_the_code(stage, length):
    played = stage.play(*SOLUTION[:length], narrowed=INDICES)
    assert played.status == 0
    assert "Stopped here; all that was answered is kept." in played.said
    assert played.answers(INDEXED) == []
    assert failed_submissions(played) == []
    assert (played.study.store.draft(INDEXED) or "").rstrip("\n") == "\n".join(
        SOLUTION[:length]
    ).rstrip("\n")
    again = stage.play(*SOLUTION[length:], ".", "", narrowed=INDICES)
    if length != 2:  # a blank last line of a draft is not kept, nor needed
        assert answer(again).response == "\n".join(SOLUTION)
    assert "✓ right" in again.said
    assert again.study.store.draft(INDEXED) is None
    assert ("Draft from last time" in again.said) == (length > 0)


def test_the_input_may_end_after_a_failure(stage):
    played = stage.play("row", ".", narrowed=INDICES)
    assert played.status == 0
    assert len(failed_submissions(played)) == 1
    assert played.answers(INDEXED) == []


def test_a_draft_is_shown_as_code_and_can_be_thrown_away(stage):
    stage.play(*STARTER, narrowed=INDICES)
    played = stage.play(":x", *SOLUTION, ".", "", narrowed=INDICES)
    assert "\n    def index(row, col):\n        return row * 32 + col\n" in played.said
    assert "Cleared; start over." in played.said
    assert answer(played).response == "\n".join(SOLUTION)


def test_a_draft_that_was_handed_in_does_not_come_back(stage):
    """Draft, hand in, fail, write anew: the new code alone is handed in."""
    stage.play(*STARTER, narrowed=INDICES)
    played = stage.play(".", *SOLUTION, ".", "", narrowed=INDICES)
    assert [body.source for body in failed_submissions(played)] == ["\n".join(STARTER)]
    assert answer(played).response == "\n".join(SOLUTION)


def test_a_draft_that_was_thrown_away_does_not_come_back(stage):
    stage.play(*STARTER, narrowed=INDICES)
    played = stage.play(":x", "row", ".", *SOLUTION, ".", "", narrowed=INDICES)
    assert [body.source for body in failed_submissions(played)] == ["row"]
    assert answer(played).response == "\n".join(SOLUTION)


def test_what_is_said_of_a_draft_of_code_is_true(stage):
    """Enter keeps a draft of an interview answer; in code it is one more line."""
    stage.play(*STARTER, narrowed=INDICES)
    assert "enter keeps it" not in stage.play(narrowed=INDICES).said


def test_a_failed_submission_on_a_full_disk_is_kept_when_there_is_room(stage):
    study = stage.study(FullOnce)
    played = stage.play("row", ".", "", *SOLUTION, ".", "", narrowed=INDICES, study=study)
    assert "Not stored yet, and not lost" in played.said
    assert [body.source for body in failed_submissions(played)] == ["row"]
    assert answer(played).failures == 1


def test_undo_asks_the_exercise_again(stage):
    played = stage.play(*SOLUTION, ".", ":u", "row", ".", *SOLUTION, ".", "", narrowed=INDICES)
    assert f"Undone: answer, {INDEXED}." in played.said
    assert [one.correct for one in played.answers(INDEXED)] == [True, True]
    (fact,) = played.study.store.answer_facts()
    assert fact.correct


# Traces


def test_a_trace_is_asked_in_its_unit_with_its_parameters(stage):
    said = stage.play(narrowed=TRACES).said
    assert re.search(r"\nStride \d+\.\n", said)
    assert "Your answer, a number (… wavefronts):" in said
    assert "{{" not in said


@pytest.mark.parametrize("typed", [right, wrong])
def test_a_trace_says_what_the_access_costs_and_who_meets_whom(stage, typed):
    study = stage.study()
    study.session.begin(TRACES)
    asked = study.session.next()
    cost, stride = asked.drawn.traced.cost, asked.drawn.parameters["stride"]
    said = stage.play(typed, "", narrowed=TRACES, study=study).said
    assert ("✓ right" in said) == (typed is right)
    wavefronts = write_quantity(cost.wavefronts, "wavefronts", Words("en"))
    assert f"The right answer: {wavefronts} · you: " in said
    assert f"\nwavefronts {cost.wavefronts} · ideal 1 · conflicts {cost.conflicts}" in said
    assert ("conflict in bank" if cost.conflicts else "no two lanes need different words") in said
    assert "\nmeasured for 9.0: the model matches every one of" in said
    assert f"\nHence {cost.wavefronts}.\n" in said
    assert f"\nStride {stride}.\n" in said
    assert "bank  0  1" not in said  # no picture


def test_a_trace_takes_hints_units_and_giving_up(stage):
    played = stage.play(":h", lambda study: right(study) + " wavefronts", "", narrowed=TRACES)
    assert re.search(r"Hint 1 of 1: gcd\(\d+, 32\)\n", played.said)
    assert answer(played, TRACED).rule is Rule.HINT_USED
    stage.clock.utc_ms += 40 * DAY_MS
    given_up = stage.play(":g", "", narrowed=TRACES)
    assert "✗ given up\nThe right answer: " in given_up.said
    assert "\nwavefronts " in given_up.said


def test_what_is_no_number_is_not_counted(stage):
    played = stage.play("many", right, "", narrowed=TRACES)
    assert "“many” is not a number" in played.said
    assert answer(played, TRACED).correct


def test_a_wrong_trace_comes_back_with_other_parameters(stage):
    played = stage.play(wrong, "", right, "", narrowed=TRACES)
    one, two = re.findall(r"\nStride (\d+)\.\n", played.said)
    assert one != two
    first, second = played.answers(TRACED)
    assert [str(body.drawn["parameters"]["stride"]) for body in (first, second)] == [one, two]


def test_what_cannot_be_asked_is_said_and_the_next_is_asked(stage, tmp_path):
    write(tmp_path, "pack/a.yaml", question("trace", let="{over: 1 - stride}") + NUMBER)
    stage.deck = load([str(tmp_path)], str(tmp_path / "cache" / "deck"))
    assert TRACED in stage.deck.entries
    for _ in range(9):
        played = stage.play(right, "", right, "")
        if "cannot be asked" in played.said:
            break
        stage.clock.utc_ms += 400 * DAY_MS
    assert f"{TRACED} cannot be asked: 1 - stride is -" in played.said
    assert "`quiz lint` says what is wrong with this one" in played.said
    assert "How many banks?" in played.said
    assert "Done for now." in played.said
    assert played.status == 0


# In Chinese


def test_an_exercise_in_chinese(stage):
    played = stage.play(
        "32 * row + col", "。", "31 * row + col", ".", ":h", *SOLUTION, "。", "", narrowed=INDICES,
        language="zh",
    )  # fmt: skip
    said = played.said
    assert "放置一个分块。" in said
    assert said.count("请输入全部代码") == 3
    assert "✗ 按列读取：32 个 wavefront，允许 1 个" in said
    assert "warp 0：lane 0, 1, 2, …, 31 在 bank 0 冲突" in said
    assert "✗ 两个元素占同一个位置" in said
    assert "\n各行重叠。\n" in said
    assert "提示 1/1：想想奇数。" in said
    assert "✓ 答对" in said
    assert "奇数行距。" in said
    assert "Place a tile" not in said
    assert answer(played).failures == 2


def test_giving_up_in_chinese(stage):
    said = stage.play(":g", "", narrowed=INDICES, language="zh").said
    assert "✗ 放弃\n一种解法\n    def index(row, col):\n" in said


def test_a_trace_in_chinese(stage):
    played = stage.play(":h", wrong, "", ":q", narrowed=TRACES, language="zh")
    said = played.said
    assert re.search(r"\n步长 \d+。\n", said)
    assert re.search(r"提示 1/1：\d+ 与 32 的最大公约数\n", said)
    assert "请输入一个数（… 个 wavefront）：" in said
    assert "✗ 答错" in said
    assert re.search(r"\nwavefront 数 \d+ · 理想值 1 · 冲突数 \d+", said)
    assert re.search(r"\n所以是 \d+。\n", said)
    assert "\n9.0 为实测：" in said
    assert "{{" not in said


def test_the_sample_questions_are_those_of_the_deck_tests(tmp_path):
    """In English alone they can be asked in Chinese too."""
    write(tmp_path, "pack/a.yaml", TRACE + INDEX)
    assert len(load([str(tmp_path)], str(tmp_path / "cache" / "deck")).entries) == 2
