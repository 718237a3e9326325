"""Every fault of a question with its exact place, in the words of the format, all in one run."""

from __future__ import annotations

from dataclasses import fields

import msgspec
import pytest

from quizapp.deck.validate import FieldFault, validate
from quizapp.domain.question import KINDS, Choice, Number, Recall
from tests.deck.tools import KINDS as TEXTS
from tests.deck.tools import compile_texts, question, split_mark
from tests.sentences import english, sentence


def find_problems(text: str) -> list[tuple[int, int, str]]:
    """Line, column and message of every problem in a file."""
    return [(p.line, p.column, english(p)) for p in compile_texts(text).problems]


@pytest.mark.parametrize("kind", TEXTS)
def test_the_questions_that_these_tests_spoil_are_valid(kind):
    result = compile_texts(TEXTS[kind])
    assert result.problems == ()
    (item,) = result.found
    assert isinstance(item.question, KINDS[kind])


def test_defaults_and_every_optional_field():
    text = question(
        "number",
        hints="[think, {en: count, zh: 数}]",
        tags="[one, two-three]",
        claims="[1, 66]",
        follow_ups="[{prompt: Why?}, a-number]",
        requires="[]",
        basis="as-written",
        rev="3",
        was="[old-name, other/name]",
        unit="GB/s",
        units="{TB/s: 1000}",
        tolerance='"2%"',
    )
    result = compile_texts(text)
    assert result.problems == ()
    (item,) = result.found
    assert isinstance(item.question, Number)
    assert item.question.rev == 3
    assert item.question.was == ("old-name", "other/name")
    assert item.question.units == {"TB/s": 1000.0}
    plain = compile_texts(TEXTS["choice"]).found[0].question
    assert isinstance(plain, Choice)
    assert (plain.rev, plain.several, plain.shuffle, plain.hints) == (1, False, True, ())


# One fault each. The mark stands where the problem must be reported.

ONE_FAULT = {
    # kinds
    "no kind": (question(kind=None).replace("- id", "- ¦id"), "'kind' is missing", "recall"),
    "an unknown kind": (question(kind="¦chioce"), "no kind 'chioce'", "did you mean 'choice'?"),
    "a kind far from any": (question(kind="¦essay"), "no kind 'essay'", "recall, choice, number"),
    "a kind that is a number": (question(kind="¦5"), "no kind '5'", "recall"),
    "a kind that is empty": (question(kind="¦~"), "no kind", "recall"),
    "a kind that is a list": (question(kind="¦[choice]"), "no kind", "choice"),
    "a kind that is a map": (question(kind="¦{choice: 1}"), "no kind", "choice"),
    # keys
    "an unknown key": (
        question(answer=None).replace("  topic", "  answr: 5\n  topic").replace("answr", "¦answr")
        + "  answer: 5\n",
        "no field 'answr'",
        "",
    ),
    "a misspelt key": (
        question(hints="[x]").replace("hints", "¦hint"),
        "no field 'hint'",
        "did you mean 'hints'?",
    ),
    "a field of another kind": (
        question(options="[]").replace("options", "¦options"),
        "no field 'options'",
        "",
    ),
    "a key in an option": (
        question("choice").replace("why:", "¦whi:") + "      why: w\n",
        "no field 'whi'",
        "",
    ),
    "a key in prose": (
        question(prompt="{en: a, ¦ch: b}"),
        "no field 'ch'",
        "one of: zh",
    ),
    # missing
    "no id": (question(id=None).replace("- kind", "- ¦kind"), "'id' is missing", "add `id:`"),
    "no prompt": (question(prompt=None).replace("- id", "- ¦id"), "'prompt' is missing", "add"),
    "no options": (
        question("choice", options=None).replace("- id", "- ¦id"),
        "'options' is missing",
        "add `options:`",
    ),
    "an option without text": (
        question("choice").replace('    - text: "16"\n      why', "    - ¦why"),
        "'text' is missing",
        "add `text:`",
    ),
    "no English": (question(prompt="¦{zh: 中}"), "'en' is missing", "add `en:`"),
    "an empty map of prose": (question(prompt="¦{}"), "'en' is missing", "add `en:`"),
    # wrong values
    "an id with a capital": (question(id="¦Bank"), "'Bank'", "lower-case words"),
    "an id with a space": (question(id="¦a b"), "'a b'", "lower-case words"),
    "an id with a pack": (question(id="¦pack/a"), "'pack/a'", "lower-case words"),
    "an id that is a number": (question(id="¦12"), "text", ""),
    "an empty id": (question(id="¦''"), "''", "lower-case words"),
    "an id that is too long": (question(id="¦" + "a" * 61), "60", ""),
    "a topic with a space": (question(topic="¦the banks"), "'the banks'", "lower-case words"),
    "a difficulty of text": (question(difficulty="¦hard"), "an integer", ""),
    "a difficulty of 0": (question(difficulty="¦0"), "1", ""),
    "a difficulty of 6": (question(difficulty="¦6"), "5", ""),
    "a difficulty of 2.5": (question(difficulty="¦2.5"), "an integer", ""),
    "an empty prompt": (question(prompt="¦''"), "length", ""),
    "no prompt behind the key": (question(prompt="¦~"), "empty", ""),
    "a prompt that is a number": (question(prompt="¦5"), "5", ""),
    "a prompt that is a list": (question(prompt="¦[a]"), "list", ""),
    "a Chinese text that is a number": (question(prompt="{en: a, zh: ¦5}"), "text", ""),
    "sources that are text": (question(sources="¦a document"), "a list", ""),
    "no sources": (question(sources="¦[]"), "length", ""),
    "a source that is empty": (question(sources="[a, ¦'']"), "length", ""),
    "a claim of text": (question(claims="[1, ¦two]"), "an integer", ""),
    "a claim of 0": (question(claims="[¦0]"), "1", ""),
    "a revision of 0": (question(rev="¦0"), "1", ""),
    "a revision no database can hold": (question(rev="¦99999999999999999999"), "", ""),
    "a basis of another kind": (question(basis="¦measured"), "measured", ""),
    "a tag with a space": (question(tags="[a, ¦b c]"), "'b c'", "lower-case words"),
    "a requirement in capitals": (question(requires="[¦Other]"), "'Other'", "pack/id"),
    "a former id with two packs": (question(was="[¦a/b/c]"), "'a/b/c'", "pack/id"),
    "an answer of text": (question(answer="¦'32'"), "a number", ""),
    "a unit that is empty": (question(unit="¦''"), "length", ""),
    "a unit worth nothing": (question(unit="s", units="{ms: ¦0}"), "0", ""),
    "a tolerance below zero": (question(tolerance="¦-1"), "0", ""),
    "a tolerance of text": (question(tolerance="¦some"), "'some'", "2%"),
    "a tolerance that is no share": (question(tolerance="¦1.2.3%"), "'1.2.3%'", "2%"),
    "a tolerance of dots": (question(tolerance="¦'..%'"), "'..%'", "2%"),
    "a range of three": (question(answer=None, range="¦[1, 2, 3]"), "exactly 2", ""),
    "a range of text": (question(answer=None, range="[1, ¦x]"), "a number", ""),
    "one option": (
        question("choice", options="¦[{text: a, correct: true}]"),
        "length",
        "",
    ),
    "an option that is text": (
        question("choice", options="[¦a, {text: b, correct: true}]"),
        "",
        "",
    ),
    "a truth that is text": (
        question("choice").replace("correct: true", "correct: ¦yes"),
        "true or false",
        "",
    ),
    "a weight of 11": (question("recall").replace("weight: 3", "weight: ¦11"), "10", ""),
    "a rubric of one": (question("recall", rubric="¦[{point: a}]"), "length", ""),
    # what may be drawn: a map of lists, or a list of maps
    "draws that are a number": (question("trace", draw="¦5"), "a map or a list", ""),
    "draws that are text": (question("trace", draw="¦stride"), "a map or a list", ""),
    "draws that are empty": (question("trace", draw="¦~"), "a map or a list", ""),
    "no cases": (question("trace", draw="¦[]"), "length", ""),
    "a value alone": (question("trace", draw="{stride: ¦5}"), "a list", ""),
    "no values": (question("trace", draw="{stride: [1], b: ¦[]}"), "length", ""),
    "a value that is a fraction": (question("trace", draw="{stride: [1, ¦2.5]}"), "an integer", ""),
    "a value that is a truth": (question("trace", draw="{stride: [1, ¦true]}"), "an integer", ""),
    "a value that is a map": (question("trace", draw="{stride: [1, ¦{a: 1}]}"), "an integer", ""),
    "an empty text drawn": (question("trace", draw="{stride: [1], b: [¦'']}"), "length", ""),
    "a case that is a number": (question("trace", draw="[{stride: 1}, ¦5]"), "a map", ""),
    "a case that is a list": (question("trace", draw="[¦[1], {stride: 1}]"), "a map", ""),
    "a list in a case": (question("trace", draw="[{stride: 1}, {stride: ¦[1]}]"), "an integer", ""),
    "a fraction in a case": (question("trace", draw="[{stride: ¦1.5}]"), "an integer", ""),
    # traces
    "no access": (question("trace", access=None).replace("- id", "- ¦id"), "'access'", "add"),
    "an access that is text": (question("trace", access="¦lane"), "a map", ""),
    "an access without an index": (question("trace", access="¦{width: 4}"), "'index'", "add"),
    "a key in an access": (
        question("trace", access="{index: lane, ¦witdh: 4}"), "'witdh'", "did you mean 'width'?"),
    "a key in the compiled access": (
        question("trace", compiled="{index: lane, ¦with: 4}"), "'with'", "did you mean 'width'?"),
    "a pitch that is a fraction": (
        question("trace", access="{index: lane, pitch: ¦1.5}"), "an integer or text", ""),
    "a pitch below zero": (question("trace", access="{index: lane, pitch: ¦-1}"), "0", ""),
    "a block that is a number": (
        question("trace", access="{index: lane, block: ¦32}"), "a list", ""),
    "a block of four sizes": (
        question("trace", access="{index: lane, block: ¦[8, 4, 1, 1]}"), "length", ""),
    "a size of a block that is empty": (
        question("trace", access="{index: lane, block: [32, ¦'']}"), "length", ""),
    "a let that is a fraction": (question("trace", let="{a: ¦1.5}"), "an integer or text", ""),
    "a let that is a list": (question("trace", let="¦[a]"), "a map", ""),
    "a lane that is a fraction": (question("trace", lane="¦1.5"), "an integer or text", ""),
    "something else that is asked": (question("trace", ask="¦cycles"), "'cycles'", ""),
    "an op that is none": (question("trace", access="{index: lane, op: ¦read}"), "'read'", ""),
    # exercises
    "a tile of no rows": (question("index", tile="{rows: ¦0, columns: 3}"), "1", ""),
    "a tile of many rows": (question("index", tile="{rows: ¦many, columns: 3}"), "an integer", ""),
    "a tile without columns": (question("index", tile="¦{rows: 3}"), "'columns'", "add"),
    "a key in a tile": (
        question("index", tile="{rows: 3, columns: 3, ¦col: 3}"), "'col'", "one of: "),
    "no accesses": (question("index", accesses="¦[]"), "length", ""),
    "an access without a name": (question("index", accesses="[¦{along: rows}]"), "'name'", "add"),
    "a name with a colon": (
        question("index", accesses="[{name: ¦'a: b', along: rows}]"), "'a: b'", "a short name"),
    "a name that is too long": (
        question("index", accesses=f"[{{name: ¦{'a' * 25}, along: rows}}]"), "24", ""),
    "a way along that is none": (
        question("index", accesses="[{name: a, along: ¦diagonals}]"), "'diagonals'", ""),
    "too many steps": (
        question("index", accesses="[{name: a, along: rows, steps: ¦65}]"), "64", ""),
    "a block of nothing": (
        question("index", accesses="[{name: a, block: [32, ¦0], row: x, column: y}]"), "1", ""),
    "no wrong solutions": (question("index", wrong="¦[]"), "length", ""),
    "a wrong solution without a reason": (
        question("index", wrong="[¦{source: row, fails: inside}]"), "'why'", "add"),
    "a starter that is empty": (question("index", starter="¦''"), "length", ""),
    "a constant that is text": (question("index", constants="{n: ¦many}"), "an integer", ""),
    # not numbers that can be compared
    "an answer without end": (question(answer="¦.inf"), "", ""),
    "an answer that is not a number": (question(answer="¦.nan"), "", ""),
    "an answer too large": (question(answer="¦1e400"), "", ""),
    "a tolerance without end": (question(tolerance="¦.inf"), "", ""),
    "a range without end": (question(answer=None, range="[0, ¦.inf]"), "", ""),
    "a unit worth everything": (question(unit="s", units="{ms: ¦.inf}"), "", ""),
}  # fmt: skip


@pytest.mark.parametrize(("text", "what", "todo"), ONE_FAULT.values(), ids=ONE_FAULT.keys())
def test_a_fault_is_reported_once_at_its_place(text, what, todo):
    clean, place = split_mark(text)
    ((line, column, message),) = find_problems(clean)
    assert (line, column) == place, message
    assert what in message
    assert todo in message


OPEN_NAMES = {
    "a drawn name in capitals": (question("trace", draw="{¦Stride: [1]}"), "'Stride'"),
    "a drawn name in capitals in a case": (
        question("trace", draw="[{stride: 1}, {¦Stride: 1}]"), "'Stride'"),
    "a drawn name with a hyphen": (question("trace", draw="{stride: [1], ¦a-b: [2]}"), "'a-b'"),
    "a let in capitals": (question("trace", let="{a: '1', ¦B: '1'}"), "'B'"),
    "a constant in capitals": (question("index", constants="{¦N: 1}"), "'N'"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "what"), OPEN_NAMES.values(), ids=OPEN_NAMES.keys())
def test_a_name_of_another_form_is_reported_at_its_key(text, what):
    clean, place = split_mark(text)
    ((line, column, message),) = find_problems(clean)
    assert (line, column) == place, message
    assert what in message
    assert "a lower-case name" in message


@pytest.mark.parametrize(
    ("text", "known"),
    [
        (question("trace", ask="cycles"), "ideal"),
        (question("trace", access="{index: lane, op: read}"), "ldmatrix"),
        (question("index", accesses="[{name: a, along: diagonals}]"), "columns"),
        (question("index", wrong="[{source: a, fails: b, why: c, wy: d}]"), "'why'"),
    ],
    ids=["ask", "op", "along", "an unknown field where none is missing"],
)
def test_where_few_words_are_allowed_the_message_names_them(text, known):
    ((_, _, message),) = find_problems(text)
    assert known in message


def test_all_faults_of_what_may_be_drawn_are_named():
    text = question("trace", draw="{a: 5, b: [1, 2.5, ~], c: []}")
    assert len(find_problems(text)) == 4
    text = question("trace", draw="[5, {a: [1]}, {a: 1}, {b: ~}]")
    assert len(find_problems(text)) == 3


@pytest.mark.parametrize("text", [t for t, _, _ in ONE_FAULT.values()], ids=ONE_FAULT.keys())
def test_a_message_speaks_of_the_format_and_not_of_types(text):
    clean, _ = split_mark(text)
    for _, _, message in find_problems(clean):
        for word in ("null", "`int`", "`float`", "`str`", "object", "array", "regex", "Struct"):
            assert word not in message, message
        assert message.split("; ")[-1], message


@pytest.mark.parametrize("data", ["5", "text", "[]", "~", "[1, 2]"])
def test_what_is_no_map_is_no_question(data):
    ((line, column, message),) = find_problems(f"- {data}\n")
    assert (line, column) == (1, 3)
    assert "a question is a map" in message


def test_all_faults_of_all_questions_of_a_file_are_named_in_one_run():
    text = """\
- id: One
  kind: choice
  topic: banks
  difficulty: 9
  prompt: ""
  explanation: x
  sources: [s]
  hnts: [a]
  options:
    - text: a
      corect: true
    - {text: 5, why: b}
- id: two
  kind: nmber
- id: three
  kind: recall
  topic: banks
  concept: c
  difficulty: 1
  prompt: p
  explanation: e
  sources: []
  answer: a
  rubric:
    - {point: a, weight: 99}
    - point: b
"""
    places = [(line, column) for line, column, _ in find_problems(text)]
    assert places == sorted(places)
    assert places == [
        (1, 3),  # no concept
        (1, 7),  # One
        (4, 15),  # 9
        (5, 11),  # an empty prompt
        (8, 3),  # hnts
        (11, 7),  # corect
        (12, 14),  # 5
        (14, 9),  # nmber
        (22, 12),  # no sources
        (25, 26),  # 99
    ]


def test_a_fault_of_one_question_leaves_the_others():
    result = compile_texts(TEXTS["number"] + question(id="Bad") + TEXTS["choice"])
    assert [item.id for item in result.found] == ["pack/a-number", "pack/a-choice"]
    assert result.compiled.left_out == 1


@pytest.mark.parametrize("kind", TEXTS)
def test_a_file_may_be_one_question_instead_of_a_list(kind):
    single = "\n".join(line[2:] for line in TEXTS[kind].splitlines())
    assert [item.id for item in compile_texts(single).found] == [f"pack/a-{kind}"]


@pytest.mark.parametrize("kind", KINDS)
def test_each_required_field_is_missed_by_name_when_only_the_kind_is_given(kind):
    faults = validate({"kind": kind})
    assert isinstance(faults, list)
    required = {f.name for f in msgspec.structs.fields(KINDS[kind]) if f.required}
    assert {sentence(fault.what) for fault in faults} == {
        f"the required field '{name}' is missing" for name in required
    }


def test_a_fault_is_a_plain_value():
    assert [f.name for f in fields(FieldFault)] == ["path", "what", "hint", "at_key", "at"]
    assert isinstance(compile_texts(TEXTS["recall"]).found[0].question, Recall)
