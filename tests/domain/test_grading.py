"""Right or wrong, by tables worked out by hand: choices, numbers with units, recalls."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from grader.facts import fact
from quizapp.domain.grading import (
    AcceptedRange,
    Grade,
    NotANumber,
    UnknownUnit,
    can_go_on,
    grade_choice,
    grade_facts,
    grade_number,
    grade_recall,
    guess_score,
    mean_above_chance,
    range_around,
    read_number,
)
from quizapp.domain.question import (
    AskedFact,
    Choice,
    FactChoice,
    Number,
    Option,
    Recall,
    RubricPoint,
)

COMMON = {
    "id": "q",
    "topic": "banks",
    "concept": "c",
    "difficulty": 1,
    "prompt": "?",
    "explanation": "!",
    "sources": ("s",),
}


def choice(right: set[int], of: int = 4) -> Choice:
    options = (Option(text=str(i), correct=i in right, why="no") for i in range(of))
    return Choice(**COMMON, options=tuple(options), several=True)


def recall(*weights: int) -> Recall:
    rubric = tuple(RubricPoint(point=str(i), weight=w) for i, w in enumerate(weights))
    return Recall(**COMMON, answer="!", rubric=rubric)


def number(**more) -> Number:
    return Number(**COMMON, **more)


# Choices


@pytest.mark.parametrize(
    ("right", "picked", "correct"),
    [
        ({1}, [1], True),
        ({1}, [1, 1], True),
        ({1}, [0], False),
        ({1}, [], False),
        ({1}, [1, 2], False),
        ({0, 2}, [2, 0], True),
        ({0, 2}, [0], False),
        ({0, 2}, [0, 2, 3], False),
        ({0, 1, 2, 3}, [3, 2, 1, 0], True),
        ({0, 1, 2, 3}, [0, 1, 2], False),
    ],
)
def test_a_choice_is_right_when_all_right_options_and_no_other_are_picked(right, picked, correct):
    grade = grade_choice(choice(right), picked)
    assert grade.correct is correct
    assert (grade.score == 1.0) is correct


@given(st.sets(st.integers(0, 5), min_size=1), st.sets(st.integers(0, 5)))
def test_a_choice_is_exact_and_a_wrong_one_scores_less_than_a_right_one(right, picked):
    grade = grade_choice(choice(right, of=6), picked)
    assert grade.correct == (right == picked)
    assert 0 <= grade.score <= 1
    assert (grade.score == 1) == grade.correct


def test_a_part_of_the_right_options_scores_and_guessing_does_not():
    question = choice({0, 1}, of=4)
    given = ([2, 3], [2], [], [0, 2], range(4), [0], [0, 1])
    scores = [grade_choice(question, picked).score for picked in given]
    assert scores[:5] == [0] * 5
    assert 0 < scores[5] < scores[6] == 1
    assert grade_choice(choice({0}, of=4), [1]).score == 0


@given(
    st.integers(2, 6).flatmap(
        lambda n: st.tuples(st.just(n), st.sets(st.integers(0, n - 1), min_size=1))
    ),
    st.sampled_from(["", "Which two?", "Which of them?"]),
)
def test_a_guess_scores_what_drawn_picks_score_on_average(given, prompt):
    of, right = given
    several = replace(choice(right, of), prompt=prompt)
    sizes = [several.stated_count] if several.stated_count else range(1, of + 1)
    drawn = [picked for size in sizes for picked in combinations(range(of), size)]
    scores = [grade_choice(several, picked).score for picked in drawn]
    assert guess_score(several) == pytest.approx(sum(scores) / len(scores))
    one = replace(choice({0}, of), several=False)
    assert guess_score(one) == pytest.approx(1 / of)
    guesses = [(grade_choice(one, [i]).score, 1 / of) for i in range(of)]
    assert mean_above_chance(guesses) == pytest.approx(0)


@given(st.integers(1, 4), st.integers(1, 4))
def test_asking_for_what_matters_alone_is_right_and_for_everything_scores_0(m, others):
    facts = tuple(AskedFact("?", "!", "why", matters=i < m) for i in range(m + others))
    question = FactChoice(**COMMON, options=(), several=True, facts=facts)
    assert grade_facts(question, range(m)) == Grade(correct=True, score=1)
    assert grade_facts(question, range(m + 1)).score == pytest.approx(1 - 1 / others)
    assert not grade_facts(question, range(m + 1)).correct
    assert grade_facts(question, range(m + others)).score == 0


# Numbers as typed

BANDWIDTH = number(answer=1.0, unit="GB/s", units={"TB/s": 1000.0, "MB/s": 0.001})
COUNT = number(answer=1.0, unit="wavefronts")
WAYS = number(answer=1.0, unit="ways")
SIZE = number(answer=1.0, unit="KB", units={"B": 1 / 1024})
COLUMN = number(answer=1.0, unit="column")
TIME = number(answer=1.0, unit="ms", units={"s": 1000.0, "µs": 0.001})
BARE = number(answer=1.0)
SHARE = number(answer=1.0, unit="%")


@pytest.mark.parametrize(
    ("question", "text", "value"),
    [
        # forms
        (BARE, "12", 12),
        (BARE, "  12  ", 12),
        (BARE, "+12", 12),
        (BARE, "-12", -12),
        (BARE, "−12", -12),
        (BARE, "1.5", 1.5),
        (BARE, ".5", 0.5),
        (BARE, "5.", 5),
        (BARE, "-.5", -0.5),
        (BARE, "1,024", 1024),
        (BARE, "1,048,576", 1_048_576),
        (BARE, "1,024.5", 1024.5),
        (BARE, "1e3", 1000),
        (BARE, "1E3", 1000),
        (BARE, "1.5e-3", 0.0015),
        (BARE, "1e+3", 1000),
        (BARE, "1/8", 0.125),
        (BARE, "1 / 8", 0.125),
        (BARE, "-1/8", -0.125),
        (BARE, "1.5/3", 0.5),
        (BARE, "0/5", 0),
        (BARE, "2^10", 1024),
        (BARE, "2 ^ 10", 1024),
        (BARE, "2**10", 1024),
        (BARE, "2^0", 1),
        (BARE, "0.5^2", 0.25),
        (BARE, "2^-3", 0.125),
        (BARE, "2^0.5", 2**0.5),
        (BARE, "-2^2", -4),
        (BARE, "2^3^2", 512),
        (BARE, "1/8.5", 1 / 8.5),
        (BARE, "1/8/2", 1 / 16),
        (BARE, "999^9", 999**9),
        (BARE, "1 + 2*3 - 4/2", 5),
        (BARE, "(1 + 2) * (3 - 4)", -3),
        (BARE, "2*-3", -6),
        (BARE, "80*195.84/1000", 15.6672),
        (BARE, "80 x 195.84 ÷ 1,000", 15.6672),
        (BARE, "（1＋2）×3", 9),
        (BARE, "0xff", 255),
        (BARE, "007", 7),
        (BARE, "1e308", 1e308),
        # units
        (BANDWIDTH, "3", 3),
        (BANDWIDTH, "3 GB/s", 3),
        (BANDWIDTH, "3GB/s", 3),
        (BANDWIDTH, "3 gb/S", 3),
        (BANDWIDTH, "3 GB / s", 3),
        (BANDWIDTH, "3 TB/s", 3000),
        (BANDWIDTH, "1,500 MB/s", 1.5),
        (BANDWIDTH, "1e3 TB/s", 1e6),
        (BANDWIDTH, "1/8 TB/s", 125),
        (BANDWIDTH, "2^10 GB/s", 1024),
        (COUNT, "32 wavefronts", 32),
        (COUNT, "1 wavefront", 1),
        (COUNT, "32 Wavefronts", 32),
        (WAYS, "32-way", 32),
        (WAYS, "2^5-way", 32),
        (WAYS, "32 路冲突", 32),
        (SIZE, "48", 48),
        (SIZE, "48 KB", 48),
        (SIZE, "48 KiB", 48),
        (SIZE, "0.5 MiB", 512),
        (SIZE, "2*1,024 bytes", 2),
        (COLUMN, "column 11", 11),
        (COLUMN, "Column 8+3", 11),
        (COLUMN, "第 11 列", 11),
        (COLUMN, "11", 11),
        (COUNT, "12 个 wavefront", 12),
        (WAYS, "32 way", 32),
        (WAYS, "32 ways", 32),
        (TIME, "5 ms", 5),
        (TIME, "5 s", 5000),
        (TIME, "5 µs", 0.005),
        (TIME, "5 μs", 0.005),  # the Greek letter, which many keyboards give
        (SHARE, "50 %", 50),
        (SHARE, "50%", 50),
    ],
)
def test_a_number_is_read_in_the_question_s_unit(question, text, value):
    assert read_number(question, text) == pytest.approx(value, rel=1e-12)
    # and each of its characters can be typed in a field for it
    assert all(can_go_on(question, text[:at], typed) for at, typed in enumerate(text))


@pytest.mark.parametrize(
    ("question", "before", "commands"),
    [
        (COUNT, "", "gudqhife@?U"),
        (COUNT, "32 ", "gudqhif@"),
        (TIME, "3", "gdqhi"),
        (BANDWIDTH, "", "udqhi"),
        (BARE, "0x1", ""),
        (BARE, "1", "gudqhif"),
    ],
)
def test_a_key_that_begins_neither_number_nor_unit_is_a_command(
    question: Number, before: str, commands: str
) -> None:
    known = "gudqhife@?U"
    others = "".join(key for key in known if not can_go_on(question, before, key))
    assert set(commands) <= set(others)
    assert can_go_on(question, f"{before}1", "e")
    assert can_go_on(question, f"{before}0x1", "f")


def test_within_a_word_every_letter_is_typed() -> None:
    assert can_go_on(COUNT, "32 w", "q")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "GB/s",
        "abc",
        "-",
        "+",
        ".",
        "e3",
        "nan",
        "inf",
        "-Infinity",
        "1/0",
        "0/0",
        "1/00",
        "9^999",
        "2^9999999",
        "9^9^9^9",
        "256^256",
        "(-1)^0.5",
        "0^-1",
        "80*",
        "(1+2",
        "1+2)",
        "*3",
        "2(3)",
        "()",
        "__import__('os')",
        "(" * 100,
        "1+" * 60 + "1",
        "1e999",
        "1e308 TB/s",
        "12 13",
        "1 024",
        "²",
        "二",
        "--5",
        "5\n6",
    ],
)
def test_what_is_no_number_is_refused(text):
    with pytest.raises(NotANumber):
        read_number(BANDWIDTH, text)


@pytest.mark.parametrize("text", ["1,5", "1,02", "1,0245", "1.2.3"])
def test_a_number_in_a_form_we_do_not_read_is_not_taken_for_a_unit(text):
    """The message has to say how numbers are written, not that the unit `,5` is unknown."""
    with pytest.raises(NotANumber):
        read_number(BANDWIDTH, text)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("12 13", fact("typed.unexpected", found="1", column=4)),
        ("1,5", fact("typed.unexpected", found=",", column=2)),
        ("80*x", fact("typed.unexpected", found="x", column=4)),
        ("(1+2", fact("typed.unfinished")),
        ("2*(1/0)", fact("typed.no-value", column=5)),
        ("2^9999999", fact("typed.no-value", column=2)),
        ("7" * 101, fact("typed.too-long", most=100)),
    ],
)
def test_a_refusal_says_where(text, what):
    with pytest.raises(NotANumber) as refused:
        read_number(BANDWIDTH, text)
    assert refused.value.what == what


@given(st.recursive(
    st.integers(0, 99).map("{}.0".format),
    lambda part: st.tuples(part, st.sampled_from(["+", "-", "*", "/", "**"]), part).map(
        lambda parts: "({} {} {})".format(*parts)
    ),
    max_leaves=5,
))  # fmt: skip
def test_an_expression_is_worth_what_python_makes_of_it(text):
    try:
        expected = eval(text)  # numbers and operators only; floats, which are never slow
        finite = math.isfinite(float(expected))
    except (ArithmeticError, TypeError, ValueError):
        finite = False
    if finite:
        assert read_number(BARE, text) == pytest.approx(expected)
    else:
        with pytest.raises(NotANumber):
            read_number(BARE, text)


@pytest.mark.parametrize("digits", [400, 5000])
@pytest.mark.parametrize("shape", ["{}", "1/{}", "2^{}", "{}^2", "1e{}", "1.{}", "1 {}"])
def test_thousands_of_digits_are_a_number_or_refused(shape, digits):
    text = shape.format("9" * digits)
    try:
        assert math.isfinite(read_number(BARE, text))
    except NotANumber:
        return


@pytest.mark.parametrize(
    ("question", "text", "unit"),
    [
        (BANDWIDTH, "3 km", "km"),
        (BANDWIDTH, "3 GB", "GB"),
        (BANDWIDTH, "3 GB/ss", "GB/ss"),
        (BANDWIDTH, "3 GB/s please", "GB/s please"),
        (BANDWIDTH, "3 KiB", "KiB"),
        (SIZE, "64 KB/32", "KB/32"),
        (BANDWIDTH, "3 %", "%"),
        (BARE, "3 GB/s", "GB/s"),
        (TIME, "3 m", "m"),
        (COUNT, "3 字", "字"),
    ],
)
def test_an_unknown_unit_is_refused_by_its_name(question, text, unit):
    with pytest.raises(UnknownUnit) as refused:
        read_number(question, text)
    assert refused.value.args == (unit,)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_number_that_python_writes_is_read_back(value):
    assert read_number(BARE, repr(value)) == value


@given(st.integers(-(10**15), 10**15))
def test_thousands_separators_do_not_change_a_number(value):
    assert read_number(BARE, f"{value:,}") == value


@given(st.text(max_size=30) | st.text("0123456789.,eE+-−/^* GBs%", max_size=20))
def test_any_text_is_a_finite_number_or_refused(text):
    try:
        value = read_number(BANDWIDTH, text)
    except (NotANumber, UnknownUnit):
        return
    assert math.isfinite(value)


# Numbers as accepted


@pytest.mark.parametrize(
    ("question", "value", "low", "high"),
    [
        (number(answer=10.0), 10, 10, 10),
        (number(answer=10.0, tolerance=0.5), 10, 9.5, 10.5),
        (number(answer=10.0, tolerance="2%"), 10, 9.8, 10.2),
        (number(answer=10.0, tolerance="2 %"), 10, 9.8, 10.2),
        (number(answer=-10.0, tolerance="2%"), -10, -10.2, -9.8),
        (number(answer=0.0, tolerance="2%"), 0, 0, 0),
        (number(answer=10.0, tolerance="0.5%"), 10, 9.95, 10.05),
        (number(range=(3.0, 7.0)), 0, 3, 7),
    ],
)
def test_a_tolerance_or_range_gives_the_bounds(question, value, low, high):
    bounds = range_around(question, value)
    assert (bounds.low, bounds.high) == pytest.approx((low, high))


@pytest.mark.parametrize(
    ("given_value", "right"),
    [(9.8, True), (10.2, True), (10, True), (9.79, False), (10.21, False), (-10, False)],
)
def test_both_bounds_are_right(given_value, right):
    assert grade_number(AcceptedRange(9.8, 10.2), given_value) == Grade(right, float(right))


@pytest.mark.parametrize("value", [0.1 + 0.2, 195.84, 1 / 3, 1e15 / 7, -0.7])
def test_a_value_typed_with_ten_digits_is_the_value(value):
    assert grade_number(AcceptedRange(value, value), float(f"{value:.12g}")).correct


@pytest.mark.parametrize(
    ("expected", "given_value"), [(1.0, 1.0001), (1024, 1023), (0, 1e-6), (1e9, 1e9 + 10)]
)
def test_the_slack_forgives_rounding_and_nothing_else(expected, given_value):
    assert not grade_number(AcceptedRange(expected, expected), given_value).correct


# Recalls


@pytest.mark.parametrize(
    ("weights", "covered", "score", "correct"),
    [
        ((1, 1), [], 0, False),
        ((1, 1), [0], 0.5, True),
        ((1, 1), [0, 1], 1, True),
        ((3, 1), [1], 0.25, False),
        ((3, 1), [0], 0.75, True),
        ((10, 5, 5), [1, 2], 0.5, True),
        ((10, 5, 4), [1, 2], 9 / 19, False),
        ((2, 2, 2), [1, 1, 1], 1 / 3, False),
    ],
)
def test_a_recall_scores_its_share_of_weight(weights, covered, score, correct):
    grade = grade_recall(recall(*weights), covered)
    assert grade.score == pytest.approx(score)
    assert grade.correct is correct
