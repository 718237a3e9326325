"""What a type cannot say: rules between fields, translations, code, and computed values."""

from __future__ import annotations

import pytest

from quizapp.deck.compiler import compile_deck
from quizapp.deck.writing.templates import files
from tests.deck.tools import CHOICE, compile_texts, file, question, split_mark
from tests.sentences import english, sentence

WIDE = "x" * 74
FENCE = "```"


def find_problem(text: str, languages: str = "[en]") -> tuple[tuple[int, int], str] | None:
    """The one problem of a file in a pack of these languages, None when there is none."""
    pack = file(f"languages: {languages}\n", "pack/pack.yaml")
    problems = compile_deck([pack, file(text)]).problems
    if not problems:
        return None
    (problem,) = problems
    return (problem.line, problem.column), english(problem)


def block(field: str, code: str, language: str = "cuda", indent: int = 4) -> str:
    """A prose field of several lines with code in it."""
    lines = ["Look:", "", f"{FENCE}{language}", *code.splitlines(), FENCE]
    return f"  {field}: |\n" + "".join(f"{' ' * indent}{line}\n" for line in lines)


# Choices


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("¦[{text: a, why: x}, {text: b, why: y}]", "no option is correct"),
        ("¦[{text: a, correct: true}, {text: b, correct: true}]", "2 options are correct"),
        ("[{text: a, correct: true}, ¦{text: b}]", "no reason"),
        ("[{text: a, correct: true}, {text: ¦a, why: x}]", "the same text"),
        ("[{text: {en: a}, correct: true}, {text: ¦{en: a}, why: x}]", "the same text"),
    ],
)
def test_options_are_complete_and_differ(options, says):
    clean, place = split_mark(question("choice", options=options))
    found = find_problem(clean)
    assert found is not None
    assert found[0] == place
    assert says in found[1]


@pytest.mark.parametrize(
    "fields",
    [
        {"options": "[{text: a, correct: true}, {text: b, why: x}]"},
        {"options": "[{text: a, correct: true}, {text: b, correct: true}]", "several": "true"},
        {"options": "[{text: a, correct: true}, {text: b, why: x}]", "several": "true"},
        {"options": "[{text: a, correct: true, why: also}, {text: b, why: x}]"},
    ],
)
def test_complete_options_are_no_problem(fields):
    assert find_problem(question("choice", **fields)) is None


# Numbers


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"answer": None}, "no expected value"),
        ({"compute": "1 + 1"}, "answer, compute"),
        ({"range": "[1, 2]"}, "answer, range"),
        ({"answer": None, "compute": "1 + 1", "range": "[1, 2]"}, "compute, range"),
    ],
)
def test_a_number_has_exactly_one_expected_value(fields, says):
    found = find_problem(question(**fields))
    assert found is not None
    assert found[0] == (1, 3)
    assert says in found[1]


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"answer": None, "range": "¦[7, 3]"}, "the wrong way round"),
        ({"answer": None, "range": "[3, 7]", "tolerance": "¦1"}, "cannot have a tolerance"),
        ({"units": "¦{TB/s: 1000}"}, "need a first unit"),
        ({"answer": None, "compute": "¦1 +"}, "cannot be computed"),
        ({"answer": None, "compute": "¦lane"}, "one value per lane"),
        ({"answer": None, "compute": "¦1 + foo"}, "character 5"),
        ({"answer": None, "compute": "¦1 // 0"}, "division by zero"),
        ({"answer": None, "compute": "¦9**9**9"}, "too large"),
        ({"answer": None, "compute": "¦-(lane < 16)"}, "cannot be computed"),
        ({"answer": None, "compute": "¦'wavefronts(\"load\", 4, lane / 2)'"}, "must be an integer"),
    ],
)
def test_fields_of_a_number_fit_together(fields, says):
    clean, place = split_mark(question(**fields))
    found = find_problem(clean)
    assert found is not None
    assert found[0] == place
    assert says in found[1]


# Traces and exercises


COUNTS = ("wavefronts", "conflicts", "ways", "ideal")


@pytest.mark.parametrize("ask", COUNTS)
def test_a_question_for_counts_says_of_what(ask):
    clean = question("trace", ask=ask, basis=None)
    found = find_problem(clean)
    assert found is not None
    assert found[0] == (1, 3)
    assert "on which basis" in found[1]
    assert "basis: as-written" in found[1]
    assert find_problem(question("trace", ask=ask)) is None
    assert find_problem(question("trace", ask=ask, basis="as-compiled")) is None


def test_a_bank_is_as_written_and_as_compiled():
    assert find_problem(question("trace", ask="bank", lane="3", basis=None)) is None


@pytest.mark.parametrize("fields", [{"ask": "bank"}, *({"ask": a, "lane": "3"} for a in COUNTS)])
def test_a_lane_belongs_to_the_question_for_a_bank_and_only_there(fields):
    found = find_problem(question("trace", **fields))
    assert found is not None
    assert found[0] == (1, 3)
    assert "`lane:` belongs to `ask: bank`" in found[1]


@pytest.mark.parametrize("lane", ["0", "31", "stride", "stride - 1"])
def test_the_lane_may_be_zero_and_may_be_computed(lane):
    assert find_problem(question("trace", ask="bank", lane=lane)) is None


@pytest.mark.parametrize(
    ("kind", "fields", "says"),
    [
        ("trace", {"prompt": "¦'{{strid}}'"}, "`strid`"),
        ("trace", {"prompt": "{en: a, zh: ¦'第 {{strid}}'}"}, "`strid`"),
        ("trace", {"explanation": "¦'{{1 // (stride - 1)}}'"}, "division by zero"),
        ("trace", {"hints": "[a, ¦'{{b}}']"}, "`b`"),
        ("trace", {"let": "{a: '1', b: ¦c}"}, "`c`"),
        ("trace", {"access": "{index: ¦threadIdx.x * strid}"}, "the name `strid`"),
        ("trace", {"access": "{index: lane, width: ¦stride / 2}"}, "0.5"),
        ("trace", {"access": "¦{index: lane - 1}"}, "lane 0: address -4 is negative"),
        ("trace", {"access": "{index: lane, warp: ¦1}"}, "no warp 1"),
        ("trace", {"access": "{index: lane, block: [32, ¦stride / 2]}"}, "0.5"),
        ("trace", {"compiled": "{index: ¦lane +}"}, "line 1, column 7"),
        ("trace", {"ask": "bank", "lane": "¦32"}, "no lane 32"),
        ("index", {"tile": "¦{rows: 1024, columns: 65}"}, "65,536"),
        ("index", {"accesses": "[{name: a, along: rows}, ¦{name: b}]"}, "which elements"),
        ("index", {"accesses": "[¦{name: a, along: rows, row: '0'}]"}, "which elements"),
        ("index", {"accesses": "¦[{name: a, along: rows}, {name: a, along: columns}]"}, "same"),
    ],
)
def test_an_exercise_that_cannot_be_built_is_left_out_with_a_position(kind, fields, says):
    """It would end a session; what only lint minds can still be asked."""
    clean, place = split_mark(question(kind, **fields))
    result = compile_texts(clean, CHOICE)
    (problem,) = result.problems
    assert (problem.line, problem.column) == place, english(problem)
    assert says in english(problem)
    assert problem.question == f"pack/a-{kind}"
    assert [entry.id for entry in result.compiled.entries] == ["pack/a-choice"]
    assert result.compiled.left_out == 1


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("trace", {"draw": "{stride: [1, 2]}"}),
        ("index", {"starter": "row * 33 + col"}),
        ("index", {"solution": "row * 32 + col"}),
        ("index", {"wrong": "[{source: row, fails: nowhere, why: So.}]"}),
    ],
)
def test_what_only_lint_minds_can_be_asked(kind, fields):
    result = compile_texts(question(kind, **fields))
    assert result.problems == ()
    assert result.compiled.left_out == 0


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("trace", {"access": "{index: lane, where: 'tile[0][1]'}"}),
        ("trace", {"access": "{index: 'tile[lane][0]', pitch: 4611686018427387904}"}),
        ("trace", {"access": "{index: 'tile[lane][0]', pitch: 9223372036854775808}"}),
        ("trace", {"draw": "{stride: [1, 2], step: [18446744073709551616]}"}),
    ],
    ids=["two values", "wraps around", "beyond 63 bits", "drawn beyond 64 bits"],
)
def test_no_question_ends_the_compiling_of_the_others(kind, fields):
    result = compile_texts(question(kind, **fields), CHOICE)
    assert len(result.problems) == 1
    assert [entry.id for entry in result.compiled.entries] == ["pack/a-choice"]


def test_a_drawn_value_in_code_is_taken_for_two_digits():
    fits = WIDE[:-2] + "{{stride * 1000 + 1000000}}"
    wider = WIDE[:-1] + "{{stride}}"
    assert find_problem(question("trace", prompt=None) + block("prompt", fits)) is None
    found = find_problem(question("trace", prompt=None) + block("prompt", wider))
    assert found is not None
    assert "75 columns" in found[1]


def test_both_new_kinds_have_no_rule_against_them():
    assert find_problem(question("trace")) is None
    assert find_problem(question("index")) is None


# Translations


@pytest.mark.parametrize("field", ["prompt", "explanation"])
@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("¦only English", "Chinese"),
        ("¦{en: only English}", "Chinese"),
        ("{en: ¦其实是中文, zh: 中文}", "the English holds Chinese"),
        ("{en: English, zh: ¦also English}", "not Chinese"),
    ],
)
def test_a_pack_that_promises_chinese_has_it(field, value, says):
    fields = {"prompt": "{en: a, zh: 问}", "explanation": "{en: b, zh: 答}"} | {field: value}
    clean, place = split_mark(question(**fields))
    found = find_problem(clean, "[en, zh]")
    assert found is not None
    assert found[0] == place
    assert says in found[1]


def test_a_pack_that_promises_only_english_needs_no_chinese():
    assert find_problem(question(prompt="only English"), "[en]") is None


BOTH = {"prompt": "{en: a, zh: 问}", "explanation": "{en: b, zh: 答}"}


@pytest.mark.parametrize(
    "extra",
    [
        {"hints": "['`a[tid]`', '32', '2 + 2 = 4']"},
        {"hints": "[{en: '`x`', zh: '`x`'}]"},
        {"hints": "[{en: '32', zh: '32'}]"},
        {"follow_ups": "[a-number, pack/a-number]"},
    ],
)
def test_code_numbers_and_ids_need_no_translation(extra):
    assert find_problem(question(**BOTH, **extra), "[en, zh]") is None


@pytest.mark.parametrize(
    "fields",
    [
        {"hints": "[{en: a, zh: 一}, ¦think]"},
        {"follow_ups": "[a-number, {prompt: ¦Why so?}]"},
    ],
)
def test_every_entry_of_a_list_of_prose_is_looked_at(fields):
    clean, place = split_mark(question(**BOTH, **fields))
    found = find_problem(clean, "[en, zh]")
    assert found is not None
    assert found[0] == place


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("choice", {"options": "[{text: '1', correct: true}, {text: '2', why: ¦because}]"}),
        ("choice", {"options": "[{text: ¦one, correct: true}, {text: '2', why: {en: a, zh: 一}}]"}),
        ("recall", {"answer": "¦words", "rubric": "[{point: '1'}, {point: '2'}]"}),
        ("recall", {"answer": "{en: a, zh: 一}", "rubric": "[{point: '1'}, {point: ¦so}]"}),
        ("index", {"wrong": "[{source: row * 34 + col, fails: inside, why: ¦No room.}]"}),
        ("index", {"wrong": "[{source: row * 34 + col, fails: inside, why: ¦{en: No room.}}]"}),
        ("trace", {"hints": "[{en: a, zh: 一}, ¦'think of {{stride}}']"}),
    ],
)
def test_every_prose_field_of_every_kind_is_looked_at(kind, fields):
    clean, place = split_mark(question(kind, **BOTH, **fields))
    found = find_problem(clean, "[en, zh]")
    assert found is not None
    assert found[0] == place
    assert "Chinese" in found[1]


# Code


@pytest.mark.parametrize("language", ["cuda", "python", "text"])
def test_code_as_wide_as_a_screen_fits(language):
    assert find_problem(question(prompt=None) + block("prompt", WIDE, language)) is None


@pytest.mark.parametrize(
    ("code", "columns"),
    [(WIDE + "x", 75), ("x\n" + "y" * 100 + "\nz", 100), ("字" * 39, 78)],
)
def test_wider_code_is_a_problem_with_its_width(code, columns):
    found = find_problem(question(prompt=None) + block("prompt", code))
    assert found is not None
    assert f"{columns} columns" in found[1]


def test_wide_code_within_a_list_is_a_problem_too():
    text = question(prompt=None) + (
        f"  prompt: |\n    - Look:\n\n      {FENCE}cuda\n      {WIDE}x\n      {FENCE}\n"
    )
    assert find_problem(text) is not None


@pytest.mark.parametrize(
    ("comment", "columns"),
    [("x" * 64, None), ("x" * 65, 71), ("x" * 62 + "{{size}}", None), ("x" * 63 + "{{size}}", 71)],
)
def test_code_that_is_shown_with_line_numbers_has_less_room(comment, columns):
    template = files("spot", "a-spot", "schema.json", ("en",))["a-spot.yaml"]
    text = template.replace("        out[i] =", f"        # {comment}\n        out[i] =")
    assert comment in text
    found = find_problem(text)
    assert (found is None) == (columns is None)
    assert found is None or f"{columns} columns" in found[1]


ONLY_CUDA = """\
  cuda:
    code: |
      extern "C" __global__
      void kernel(const float* a, float* out, int size)
      {
          out[threadIdx.x + {{size}}] = a[threadIdx.x];
      }
"""


def test_a_bug_of_cpp_alone_needs_no_code_in_python():
    assert find_problem(question("spot", code=None) + ONLY_CUDA) is None


def test_a_bug_in_no_language_is_a_problem():
    found = find_problem(question("spot", code=None))
    assert found is not None
    assert "no code" in found[1]


def test_code_without_a_language_is_a_problem():
    found = find_problem(question(prompt=None) + block("prompt", "x", language=""))
    assert found is not None
    assert "has no language" in found[1]


def test_wide_prose_is_no_problem_since_it_is_wrapped():
    assert find_problem(question(prompt="word " * 60)) is None


def test_both_languages_show_the_same_number_of_code_blocks():
    text = question(prompt=None, explanation="{en: b, zh: 答}") + (
        f"  prompt:\n    en: |\n      {FENCE}text\n      x\n      {FENCE}\n    zh: 看\n"
    )
    found = find_problem(text, "[en, zh]")
    assert found is not None
    assert "different numbers of code blocks" in found[1]


def test_several_faults_of_one_question_are_all_named():
    text = CHOICE.replace("correct: true", "why: x").replace("      why: Long ago.\n", "")
    problems = compile_texts(text).problems
    assert [sentence(p.what) for p in problems] == [
        "no option is correct",
        "a wrong option has no reason",
    ]
