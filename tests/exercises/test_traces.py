"""Draws, their order, what is filled in, and answers against a count that knows no grader."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from itertools import product
from math import gcd

import pytest

from quizapp.domain.question import FollowUp, prose
from quizapp.exercises.faults import BadExercise
from quizapp.exercises.formulas import Values, amount, fill, fill_prose
from quizapp.exercises.traces import DrawnTrace, build_trace, cases, draw_trace
from tests.exercises.tools import trace
from tests.sentences import english

PITCHES = (32, 33, 34, 36, 40, 48, 64, 65)


def put(question, **case) -> DrawnTrace:
    """The question with these parameters; with its first ones where none are given."""
    return build_trace(question, case or cases(question)[0])


def key(case) -> tuple:
    return tuple(sorted(case.items(), key=lambda item: item[0]))


# What may be drawn


def test_values_by_name_are_drawn_any_with_any():
    question = trace(draw={"pitch": [32, 33, 34], "column": [0, 5], "type": ["float"]})
    assert {key(case) for case in cases(question)} == {
        (("column", column), ("pitch", pitch), ("type", "float"))
        for pitch, column in product((32, 33, 34), (0, 5))
    }
    assert len(cases(question)) == 6


def test_whole_cases_are_drawn_as_they_stand():
    listed = [{"type": "float", "bytes": 4}, {"type": "double", "bytes": 8}]
    question = trace(
        {"index": "threadIdx.x", "element": "bytes", "pitch": None},
        draw=listed,
        prompt="`{{type}}` of {{bytes}}",
    )
    assert cases(question) == listed
    assert [put(question, **case).question.prompt for case in listed] == [
        "`float` of 4",
        "`double` of 8",
    ]
    assert [put(question, **case).question.answer for case in listed] == [1, 2]


def test_cases_are_copies():
    """Whoever changes what was drawn must not change the deck's question."""
    question = trace(draw=[{"pitch": 33}])
    cases(question)[0]["pitch"] = 32
    assert cases(question) == [{"pitch": 33}]


# Their order


@pytest.mark.parametrize(
    "fields",
    [
        {"draw": {"pitch": list(PITCHES)}},
        {"draw": [{"pitch": pitch} for pitch in PITCHES]},
        {"draw": {"pitch": list(PITCHES), "column": [0, 1, 2]}, "prompt": "{{column}}"},
    ],
    ids=["values", "cases", "product"],
)
def test_all_are_drawn_before_any_comes_again_and_then_in_the_same_order(fields):
    question = trace(**fields)
    many = len(cases(question))
    order = [key(draw_trace(question, "pack/a", review).parameters) for review in range(2 * many)]
    assert set(order[:many]) == {key(case) for case in cases(question)}
    assert len(set(order[:many])) == many
    assert order[many:] == order[:many]


def test_the_order_hangs_on_the_question():
    question = trace()
    orders = {
        tuple(draw_trace(question, f"pack/{name}", n).parameters["pitch"] for n in range(8))
        for name in "abcdefgh"
    }
    assert len(orders) >= 7
    assert any(order != PITCHES for order in orders)


def test_the_order_is_the_same_for_everybody():
    """Whatever the process: not by `hash`, which is salted, nor by the global random state."""
    script = (
        "import random; random.seed({seed})\n"
        "from tests.exercises.tools import trace\n"
        "from quizapp.exercises.traces import draw_trace\n"
        "print([draw_trace(trace(), 'pack/a', n).parameters['pitch'] for n in range(8)])"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", script.format(seed=seed)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert said == {f"{[draw_trace(trace(), 'pack/a', n).parameters['pitch'] for n in range(8)]}\n"}


def test_drawing_leaves_other_random_numbers_alone():
    random.seed(5)
    before = random.getstate()
    draw_trace(trace(), "pack/a", 3)
    assert random.getstate() == before


# The number question it becomes


def test_it_becomes_a_number_question_with_all_that_stands_in_the_trace():
    question = trace(
        prompt={"en": "Pitch {{pitch}}, {{ pitch * 2 }}.", "zh": "行距 {{pitch}}。"},
        explanation={"en": "So {{answer}}.", "zh": "所以 {{answer}}。"},
        hints=["gcd({{pitch}}, 32)", {"en": "{{gcd(pitch, 32)}}", "zh": "是 {{gcd(pitch, 32)}}"}],
        tags=["one"],
        claims=[15],
        follow_ups=[{"prompt": "Why?"}],
        requires=["other"],
        rev=3,
        was=["old"],
    )
    number = put(question, pitch=40).question
    assert (prose(number.prompt, "en"), prose(number.prompt, "zh")) == (
        "Pitch 40, 80.",
        "行距 40。",
    )
    assert (prose(number.explanation, "en"), prose(number.explanation, "zh")) == (
        "So 8.",
        "所以 8。",
    )
    assert [prose(h, "zh") for h in number.hints] == ["gcd(40, 32)", "是 8"]
    assert [prose(h, "en") for h in number.hints] == ["gcd(40, 32)", "8"]
    for name in ("id", "topic", "concept", "difficulty", "sources", "tags", "claims", "follow_ups",
                 "requires", "basis", "rev", "was"):  # fmt: skip
        assert getattr(number, name) == getattr(question, name), name
    assert (number.answer, number.compute, number.range, number.tolerance) == (8, None, None, 0)


@pytest.mark.parametrize(
    ("ask", "unit", "answer"),
    [
        ("wavefronts", "wavefronts", 8),
        ("conflicts", "conflicts", 7),
        ("ways", "ways", 8),
        ("ideal", "wavefronts", 1),
        ("bank", "bank", 24),
    ],
)
def test_each_thing_that_may_be_asked_has_its_answer_and_unit(ask, unit, answer):
    number = put(trace(ask=ask, lane=3 if ask == "bank" else None), pitch=40).question
    assert (number.answer, number.unit) == (answer, unit)


def test_the_explanation_knows_what_the_access_costs():
    names = ("answer", "wavefronts", "conflicts", "groups", "ways", "ideal", "pitch")
    question = trace(
        {"element": 8},
        ask="conflicts",
        explanation=" ".join(f"{name}={{{{{name}}}}}" for name in names),
    )
    # 8-byte loads go in two groups of 16 lanes; a pitch of 32 puts each group on one bank pair.
    assert put(question, pitch=32).question.explanation == (
        "answer=30 wavefronts=32 conflicts=30 groups=2 ways=16 ideal=2 pitch=32"
    )


@pytest.mark.parametrize("field", ["prompt", "hints"])
def test_what_is_shown_before_the_answer_does_not_know_it(field):
    text = "It is {{answer}}."
    with pytest.raises(BadExercise):
        put(trace(**{field: [text] if field == "hints" else text}))


def test_let_computes_in_order_and_may_use_what_came_before():
    question = trace(
        {"index": "threadIdx.x * twice + start", "pitch": None},
        let={"step": "pitch % 32", "twice": "step * 2", "start": "twice + step"},
        prompt="{{step}} {{twice}} {{start}}",
    )
    assert put(question, pitch=36).question.prompt == "4 8 12"
    assert put(question, pitch=36).question.answer == 8
    assert put(question, pitch=36).parameters == {"pitch": 36}


def test_text_stands_in_prose_in_code_and_in_what_let_is_made_of():
    question = trace(
        {"index": "data[{{where}}]", "where": "threadIdx.x {{sign}} 16", "pitch": None},
        draw=[{"where": "threadIdx.x * 2", "sign": "<", "sum": "3 + 4"}],
        let={"seven": "{{sum}}"},
        prompt="`data[{{where}}]` if {{ sign }} {{seven}}",
    )
    found = put(question)
    assert found.question.prompt == "`data[threadIdx.x * 2]` if < 7"
    assert found.traced.access.active.tolist() == [True] * 16 + [False] * 16
    assert found.traced.access.addresses.tolist()[:4] == [0, 8, 16, 24]


def test_prose_without_fields_stays_as_it_is():
    text = "int a[2] = {1, 2}; `{x}` }} and {"
    assert fill(text, Values({}, {}), ()) == text
    assert fill_prose(text, Values({}, {}), ()) == text


def test_a_value_that_looks_like_a_field_is_not_filled_again():
    assert fill("{{a}}", Values({"b": 1}, {"a": "{{b}}"}), ()) == "{{b}}"


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("n", "40"),
        ("n / 16", "2.5"),
        ("n / 8", "5"),
        ("0 - n", "-40"),
        ("n * 1024 * 1024", "41943040"),
        ("2**36", "68719476736"),
        ('wavefronts("load", 4, n * lane)', "8"),
        ("2**40", "1099511627776"),
        ("2**48", "281474976710656"),
    ],
)
def test_numbers_are_shown_as_people_write_them(expression, shown):
    assert fill(f"{{{{{expression}}}}}", Values({"n": 40}, {}), ()) == shown


@pytest.mark.parametrize(("given", "value"), [(0, 0), (7, 7), ("n", 40), ("n / 8", 5)])
def test_an_amount_is_a_whole_number(given, value):
    assert amount(given, Values({"n": 40}, {}), ()) == value
    assert isinstance(amount(given, Values({"n": 40}, {}), ()), int)


@pytest.mark.parametrize("given", ["n / 16", "0 - n", "n - 41", "lane", "'load'", "x", ""])
def test_what_is_no_amount(given):
    with pytest.raises(BadExercise) as raised:
        amount(given, Values({"n": 40}, {}), ("access", "width"))
    assert raised.value.fault.path == ("access", "width")


# Answers, against a count of distinct words by bank


def words_by_bank(index: Callable[[int], int | None], threads: range) -> dict[int, set[int]]:
    """Which 4-byte words of each of 32 banks a warp's threads need, by the rule alone."""
    banks = defaultdict(set)
    for thread in threads:
        word = index(thread)
        if word is not None:
            banks[word % 32].add(word)
    return banks


LOADS: dict[str, tuple[dict, Callable]] = {
    "a column": ({"index": "tile[threadIdx.x][{c}]"}, lambda p, c: lambda t: t * p + c),
    "a row": ({"index": "tile[{c}][threadIdx.x]"}, lambda p, c: lambda t: c * p + t),
    "a diagonal": (
        {"index": "tile[threadIdx.x][threadIdx.x + {c}]"},
        lambda p, c: lambda t: t * p + t + c,
    ),
    "a flat index": ({"index": "threadIdx.x * pitch + {c}"}, lambda p, c: lambda t: t * p + c),
    "xor": (
        {"index": "threadIdx.x * pitch + (threadIdx.x ^ {c})"},
        lambda p, c: lambda t: t * p + (t ^ c),
    ),
    "one word": ({"index": "tile[{c}][0]"}, lambda p, c: lambda _: c * p),
    "pairs": ({"index": "threadIdx.x / 2 * pitch + {c}"}, lambda p, c: lambda t: t // 2 * p + c),
    "a part of the warp": (
        {"index": "threadIdx.x * pitch", "where": "threadIdx.x % 3 == {c} % 3"},
        lambda p, c: lambda t: t * p if t % 3 == c % 3 else None,
    ),
    "a partial warp": (
        {"index": "threadIdx.x * pitch + {c}", "block": [20]},
        lambda p, c: lambda t: t * p + c if t < 20 else None,
    ),
    "a 2-D block": (
        {"index": "tile[threadIdx.x][threadIdx.y + {c}]", "block": [16, 4]},
        lambda p, c: lambda t: t % 16 * p + t // 16 + c,
    ),
    "the second warp": (
        {"index": "tile[threadIdx.x % 32][threadIdx.x / 32 + {c}]", "block": [64], "warp": 1},
        lambda p, c: lambda t: t % 32 * p + t // 32 + c,
    ),
}


@pytest.mark.parametrize("name", LOADS)
def test_answers_for_four_byte_loads_are_those_of_brute_force(name):
    access, python = LOADS[name]
    warp = access.get("warp", 0)
    differ = set()
    for pitch, column in product(PITCHES, (0, 5)):
        question = trace(
            {**access, "index": access["index"].format(c="column"),
             "where": access.get("where", "1").format(c="column")},
            draw={"pitch": [pitch], "column": [column]},
            explanation="{{wavefronts}} {{conflicts}} {{ways}} {{groups}} {{ideal}}",
        )  # fmt: skip
        banks = words_by_bank(python(pitch, column), range(32 * warp, 32 * warp + 32))
        most = max(map(len, banks.values()))
        number = put(question).question
        assert number.answer == most, (pitch, column)
        assert number.explanation == f"{most} {most - 1} {most} 1 1"
        differ.add(most)
    assert len(differ) >= (1 if name in ("a row", "one word") else 2)


@pytest.mark.parametrize("lane", [0, 1, 7, 31])
@pytest.mark.parametrize("pitch", PITCHES)
def test_the_bank_of_a_lane(pitch, lane):
    question = trace({"index": "tile[threadIdx.x][5]"}, ask="bank", lane=lane)
    assert put(question, pitch=pitch).question.answer == (lane * pitch + 5) % 32


def test_the_lane_may_be_computed_and_banks_are_those_of_the_architecture():
    question = trace({"index": "lane * 3", "pitch": None}, ask="bank", lane="pitch - 30")
    assert put(question, pitch=41).question.answer == 11 * 3 % 32
    old = trace({"index": "lane * 3", "pitch": None, "arch": "1.x"}, ask="bank", lane=11)
    assert put(old).question.answer == 11 * 3 % 16
    eight = trace({"index": "lane", "pitch": None, "arch": "3.x-8byte"}, ask="bank", lane=11)
    assert put(eight).question.answer == 5


@pytest.mark.parametrize("bytes_", [1, 2])
def test_narrow_elements_share_words(bytes_):
    question = trace({"index": "threadIdx.x * pitch", "pitch": None, "element": bytes_})
    for pitch in PITCHES:
        banks = words_by_bank(lambda t, p=pitch: t * p * bytes_ // 4, range(32))
        assert put(question, pitch=pitch).question.answer == max(map(len, banks.values()))


def test_a_lane_may_move_more_than_an_element():
    """A `float4` read out of floats: element 4 bytes, width 16."""
    question = trace({"index": "threadIdx.x * 4", "pitch": None, "width": "pitch * 0 + 16"})
    found = put(question)
    assert found.traced.access.width == 16
    assert found.traced.access.addresses.tolist() == [16 * lane for lane in range(32)]
    assert found.question.answer == 4


def test_closed_form_of_a_strided_load():
    question = trace({"index": "threadIdx.x * pitch", "pitch": None})
    assert all(put(question, pitch=p).question.answer == gcd(p, 32) for p in range(1, 66))


# What the compiler makes of it


def test_compiled_is_a_second_access_with_its_own_answer():
    question = trace(
        {"index": "threadIdx.x * pitch", "pitch": None},
        compiled={"index": "threadIdx.x", "width": 4, "block": [32]},
        explanation="{{answer}} as written, {{compiled}} as compiled",
    )
    found = put(question, pitch=64)
    assert found.question.answer == 32
    assert found.question.explanation == "32 as written, 1 as compiled"
    assert found.compiled is not None
    assert (found.traced.cost.wavefronts, found.compiled.cost.wavefronts) == (32, 1)
    assert put(trace()).compiled is None


def test_compiled_counts_the_same_thing_as_the_question():
    question = trace(ask="bank", lane=4, compiled={"index": "lane + 3"}, explanation="{{compiled}}")
    assert put(question, pitch=33).question.explanation == "7"


# Faults: exactly where, and what


FAULTS = {
    "an unknown name in the prompt": (
        {"prompt": "{{pich}}"}, ("prompt",), "(character 1 of `pich`)"),
    "in the Chinese": (
        {"prompt": {"en": "{{pitch}}", "zh": "行距 {{pich}}"}}, ("prompt", "zh"), "pich"),
    "in the English": (
        {"explanation": {"en": "{{1 + anwser}}", "zh": "{{answer}}"}},
        ("explanation", "en"), "(character 5 of `1 + anwser`)"),
    "in the second hint": ({"hints": ["x", "{{y}}"]}, ("hints", 1), "`y`"),
    "in a hint's Chinese": (
        {"hints": [{"en": "a", "zh": "{{y}}"}]}, ("hints", 0, "zh"), "`y`"),
    "not an expression": ({"prompt": "{{pitch +}}"}, ("prompt",), "not an expression"),
    "a division by zero": (
        {"prompt": "{{1 // (pitch - 32)}}"}, ("prompt",), "division by zero"),
    "a division by zero in let": (
        {"let": {"a": "1 % (pitch - pitch)"}}, ("let", "a"), "division by zero"),
    "a let that uses a later one": (
        {"let": {"a": "b", "b": "1"}}, ("let", "a"), "there is no 'b'"),
    "a let that is a fraction": ({"let": {"a": "pitch / 3"}}, ("let", "a"), "pitch / 3 is 10.6667"),
    "a negative let": ({"let": {"a": "1 - pitch"}}, ("let", "a"), "1 - pitch is -31"),
    "text computed with": (
        {"draw": {"pitch": ["32"]}}, ("access", "pitch"), "there is no 'pitch'"),
    "a misaligned access": (
        {"access": {"index": "threadIdx.x * 4 + 1", "width": 16, "pitch": None}},
        ("access",), "lane 0: address 4 is not aligned to 16 bytes"),
    "a negative index": (
        {"access": {"index": "lane - 5", "pitch": None}},
        ("access",), "lane 0: address -20 is negative"),
    "a width that is none": (
        {"access": {"element": 3}}, ("access",), "no access is 3 bytes wide"),
    "an architecture that is none": (
        {"access": {"arch": "9.9"}}, ("access",), "no architecture '9.9'"),
    "an access the architecture lacks": (
        {"access": {"arch": "2.x", "op": "ldmatrix", "element": 16}}, ("access",), "has no ldm"),
    "a warp out of the block": (
        {"access": {"block": [64], "warp": 2}}, ("access", "warp"), "there is no warp 2"),
    "a warp that is a fraction": (
        {"access": {"warp": "pitch / 3"}}, ("access", "warp"), "is 10.6667"),
    "a pitch that is unknown": (
        {"access": {"pitch": "pich"}}, ("access", "pitch"), "`pich`"),
    "a negative pitch": ({"access": {"pitch": "1 - pitch"}}, ("access", "pitch"), "is -31"),
    "a fraction of a width": ({"access": {"width": "pitch / 3"}}, ("access", "width"), "10.6667"),
    "a fraction of an element": (
        {"access": {"element": "pitch / 3"}}, ("access", "element"), "10.6667"),
    "a fraction of a block": (
        {"access": {"block": [32, "pitch / 3"]}}, ("access", "block", 1), "10.6667"),
    "no pitch": (
        {"access": {"pitch": None}}, ("access", "index"), "the row length of the tile is missing"),
    "an unknown name in C": (
        {"access": {"index": "threadIdx.x * pich"}}, ("access", "index"), "the name `pich`"),
    "no C": ({"access": {"index": "threadIdx.x *"}}, ("access", "index"), "line 1, column "),
    "an unknown field in C": (
        {"access": {"index": "{{pich}}"}}, ("access", "index"), "`pich`"),
    "an unknown field in where": (
        {"access": {"where": "{{pich}}"}}, ("access", "where"), "`pich`"),
    "an unknown field in arch": ({"access": {"arch": "{{cc}}"}}, ("access", "arch"), "`cc`"),
    "an index without a value": (
        {"access": {"index": "8 / (pitch - pitch)", "pitch": None}},
        ("access", "index"), "divided by zero"),
    "only bounds": ({"access": {"op": "atom_float"}}, ("access",), "only bounds"),
    "in the compiled access": (
        {"compiled": {"index": "foo"}}, ("compiled", "index"), "the name `foo`"),
    "a misaligned compiled access": (
        {"compiled": {"index": "lane", "width": 8}}, ("compiled",), "not aligned"),
    "a compiled warp": ({"compiled": {"index": "lane", "warp": 3}}, ("compiled", "warp"), "warp 3"),
    "a lane out of range": ({"ask": "bank", "lane": 32}, ("lane",), "there is no lane 32"),
    "a lane that is a fraction": ({"ask": "bank", "lane": "pitch / 5"}, ("lane",), "is 6.4"),
    "a lane that is unknown": ({"ask": "bank", "lane": "n"}, ("lane",), "`n`"),
}  # fmt: skip

OPEN_FAULTS = {
    "a block of nothing": ({"access": {"block": [0]}}, ("access", "block"), "a block of 0"),
    "a block too large": ({"access": {"block": [64, 64]}}, ("access", "block"), "64×64"),
    "an unknown name in where": (
        {"access": {"where": "foo"}}, ("access", "where"), "`foo`, line 1, column 1: the name"),
    "two indices in where": ({"access": {"where": "tile[0][1]"}}, ("access", "where"), ""),
    "two numbers in where": (
        {"access": {"where": "def f(): return 1, 2"}}, ("access", "where"), ""),
    "a pitch that no number holds": ({"access": {"pitch": 2**64}}, ("access",), ""),
    "a pitch that wraps around to 0": ({"access": {"pitch": 2**62}}, ("access",), ""),
    "an index that wraps around to 0": (
        {"access": {"index": "tile[1LL << 47][0]", "pitch": 2**47}}, ("access",), ""),
    "an element that no number holds": (
        {"access": {"element": 2**64, "width": 4}}, ("access",), ""),
    "an element that wraps around to 0": (
        {"access": {"element": 2**62, "width": 4}}, ("access",), ""),
    "elements of nothing": ({"access": {"element": 0, "width": 4}}, ("access",), ""),
    "a negative index as people write it": (
        {"access": {"index": "threadIdx.x - 5", "pitch": None}}, ("access",), ""),
    "only bounds, compiled": (
        {"compiled": {"index": "lane", "op": "atom_float"}}, ("compiled",), "only bounds"),
    "a lane that takes no part": (
        {"ask": "bank", "lane": 20, "access": {"where": "threadIdx.x < 16"}}, ("lane",), "20"),
    "a lane without a thread": (
        {"ask": "bank", "lane": 20, "access": {"block": [16]}}, ("lane",), "20"),
    "an unknown name in a follow-up": (
        {"follow_ups": ["next", {"prompt": "{{pich}}?"}]}, ("follow_ups", 1, "prompt"), "pich"),
    "a name that the explanation means otherwise": (
        {"draw": {"ways": [1, 2]}, "access": {"pitch": 33}, "prompt": "{{ways}}"},
        ("draw",), "ways"),
    "a let over a drawn name": ({"let": {"pitch": "pitch + 1"}}, ("let",), "pitch"),
    "bounds shown as counts": (
        {"ask": "bank", "lane": 3, "access": {"op": "atom_float"}, "explanation": "{{wavefronts}}"},
        ("explanation",), ""),
}  # fmt: skip


@pytest.mark.parametrize(("fields", "path", "says"), FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_is_where_it_is_and_says_what_to_do(fields, path, says):
    with pytest.raises(BadExercise) as raised:
        put(trace(**fields))
    fault = raised.value.fault
    assert fault.path == path, english(fault)
    assert says in english(fault)
    assert "; " in english(fault)


@pytest.mark.parametrize(("fields", "path", "says"), OPEN_FAULTS.values(), ids=OPEN_FAULTS.keys())
def test_what_cannot_be_meant_is_a_fault_below_its_field(fields, path, says):
    with pytest.raises(BadExercise) as raised:
        put(trace(**fields))
    assert raised.value.fault.path[: len(path)] == path, english(raised.value)
    assert says in english(raised.value)


def test_a_missing_pitch_says_what_field_to_add():
    with pytest.raises(BadExercise) as raised:
        put(trace({"pitch": None}))
    assert "pitch" in english(raised.value)


def test_follow_ups_are_filled_like_all_prose():
    follow = {"prompt": "And at {{pitch + 1}}?", "answer": "{{pitch}}."}
    number = put(trace(follow_ups=[follow]), pitch=33).question
    assert number.follow_ups == (FollowUp("And at 34?", "33."),)


def test_more_draws_than_anybody_counts_are_a_fault_and_no_hang():
    """64 values for each of three names are 262,144 cases: `first_fault` lists them all.

    With eight names it would not end; the deck is compiled with it.
    """
    many = {name: list(range(64)) for name in ("pitch", "b", "c")}
    with pytest.raises(BadExercise) as raised:
        cases(trace(draw=many))
    assert raised.value.fault.path == ("draw",)
