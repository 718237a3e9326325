"""What lint promises of exercises: a good one is spoilt in each way, and the fault is found."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
import yaml

from quizapp.deck.linting.lint import lint
from quizapp.deck.validate import validate
from quizapp.exercises.faults import BadExercise
from quizapp.exercises.proofs import FEWEST_ANSWERS, FEWEST_CASES, faults, first_fault
from tests.deck.tools import KINDS, MARK, question, split_mark, write
from tests.examining import REFEREE
from tests.exercises.tools import INDEX, index, trace
from tests.sentences import english

PLAIN = ("recall", "choice", "number")


def find_faults(question) -> list[tuple[tuple, str]]:
    return [(one.path, english(one)) for one in faults(question, REFEREE)]


# What is good has none


@pytest.mark.parametrize("make", [trace, index])
def test_what_these_tests_spoil_is_good(make):
    assert find_faults(make()) == []
    assert first_fault(make()) is None


@pytest.mark.parametrize("kind", PLAIN)
def test_other_kinds_have_nothing_to_prove(kind):
    (data,) = yaml.safe_load(KINDS[kind])
    other = validate(data)
    assert find_faults(other) == []
    assert first_fault(other) is None


def test_eight_draws_with_three_answers_are_enough():
    assert (FEWEST_CASES, FEWEST_ANSWERS) == (8, 3)
    assert find_faults(trace(draw={"pitch": [1, 2, 4, 3, 5, 7, 9, 11]})) == []


def test_a_fault_of_one_case_alone_does_not_keep_it_from_being_asked():
    """Compiling looks at one case, since it must be quick; lint looks at all."""
    question = trace(draw={"pitch": [32, 33, 34, 36, 40, 48, 64, 31]}, let={"over": "pitch - 32"})
    assert first_fault(question) is None
    assert len(find_faults(question)) == 1


# Traces


TRACES = {
    "too few draws": (
        {"draw": {"pitch": [1, 2, 4, 8, 16, 32, 3]}}, ("draw",), "7 different variants, but 8"),
    "the same draw again": (
        {"draw": {"pitch": [1, 2, 4, 8, 16, 32, 3, 3]}}, ("draw",), "7 different variants"),
    "the same case again": (
        {"draw": [{"pitch": p, "n": 1} for p in (1, 2, 4, 8, 16, 32, 3)]
         + [{"n": 1, "pitch": 3}]},
        ("draw",), "7 different variants"),
    "too few answers": (
        {"draw": {"pitch": [32, 33, 35, 37, 39, 41, 43, 45]}},
        ("draw",), "2 different answers, but 3"),
    "draws that change nothing": (
        {"access": {"pitch": 33}, "draw": {"pitch": [1, 2, 3, 4, 5, 6, 7, 8]}},
        ("draw",), "1 different answer"),
    "answers that differ only in what the compiler makes of it": (
        {"access": {"pitch": 33}, "compiled": {"index": "threadIdx.x * pitch"}},
        ("draw",), "1 different answer"),
    "one draw of which a let is negative": (
        {"draw": {"pitch": [33, 34, 36, 40, 48, 64, 65, 31]}, "let": {"over": "pitch - 32"}},
        ("let", "over"), "with pitch = 31: pitch - 32 is -1"),
    "one draw that is misaligned": (
        {"draw": {"pitch": [32, 36, 40, 44, 48, 64, 68, 33]}, "access": {"width": 16}},
        ("access",), "with pitch = 33: "),
    "one draw that divides by zero": (
        {"prompt": "{{64 // (pitch - 48)}}"}, ("prompt",), "with pitch = 48: cannot be computed"),
    "one case without a name": (
        {"draw": [{"pitch": p, "n": p} for p in (32, 33, 34, 36, 40, 48, 64)] + [{"pitch": 65}],
         "prompt": "{{n}}"},
        ("prompt",), "with pitch = 65: "),
    "one case whose warp is not there": (
        {"draw": [{"pitch": p, "w": 0} for p in (32, 33, 34, 36, 40, 48, 64)]
         + [{"pitch": 65, "w": 1}],
         "access": {"warp": "w"}},
        ("access", "warp"), "with pitch = 65, w = 1: there is no warp 1"),
    "one case of only bounds": (
        {"draw": [{"pitch": p, "cc": "9.0"} for p in (1, 2, 3, 4, 5, 6, 8)]
         + [{"pitch": 2, "cc": "2.x"}],
         "access": {"index": "lane * pitch", "pitch": None, "element": 16, "arch": "{{cc}}"}},
        ("access",), "with pitch = 2, cc = 2.x: only bounds"),
    "an explanation in Chinese that cannot be filled": (
        {"explanation": {"en": "{{answer}}", "zh": "是 {{anwser}}"}},
        ("explanation", "zh"), "with pitch = 32: "),
    "a hint that cannot be filled": ({"hints": ["a", "{{b}}"]}, ("hints", 1), "`b`"),
    "a compiled access that cannot be": (
        {"compiled": {"index": "lane", "width": "pitch"}}, ("compiled",), "32 bytes wide"),
}  # fmt: skip


@pytest.mark.parametrize(("fields", "path", "says"), TRACES.values(), ids=TRACES.keys())
def test_a_spoilt_trace_has_one_fault_at_its_place(fields, path, says):
    ((place, message),) = find_faults(trace(**fields))
    assert place == path, message
    assert says in message


def test_few_draws_and_few_answers_are_both_named():
    said = find_faults(trace(draw={"pitch": [32, 33]}))
    assert [path for path, _ in said] == [("draw",), ("draw",)]
    assert "2 different variants" in said[0][1]
    assert "2 different answers" in said[1][1]


def test_one_bad_draw_is_found_wherever_it_stands():
    good = [32, 33, 34, 36, 40, 48, 64]
    for place in range(8):
        pitches = [*good[:place], 31, *good[place:]]
        ((path, message),) = find_faults(trace(draw={"pitch": pitches}, let={"over": "pitch - 32"}))
        assert path == ("let", "over")
        assert "with pitch = 31" in message


# Exercises


def wrong(source: str, fails: str) -> dict:
    return {"wrong": [INDEX["wrong"][0], {"source": source, "fails": fails, "why": "So."}]}


INDICES = {
    "a starter that passes": ({"starter": "row * 33 + col"}, ("starter",), "passes already"),
    "a starter that is no language": (
        {"starter": "row * 33 +"}, ("starter",), "the starter is not understood: "),
    "a starter that is no index": ({"starter": "import os"}, ("starter",), "not understood"),
    "a starter that is not understood when it is run": (
        {"starter": "def index(row, col):\n    return 1, 2, 3"}, ("starter",), "not understood"),
    "a solution that fails": (
        {"solution": "row * 32 + col"}, ("solution",),
        "fails at `wavefronts: column load`: column load: 32 wavefronts, 1 allowed"),
    "a solution that goes outside": ({"solution": "row * 34 + col"}, ("solution",), "at `inside`"),
    "a solution that does not parse": ({"solution": "row * * col"}, ("solution",), "at `source`"),
    "a solution without an end": (
        {"solution": "def index(row, col):\n    while True: pass"}, ("solution",), "at `defined`"),
    "a wrong one that passes": (
        wrong("row * 33 + col", "inside"), ("wrong", 1, "fails"), "passes"),
    "a wrong one that fails earlier": (
        wrong("row * 64 + col", "wavefronts: column load"), ("wrong", 1, "fails"),
        "fails at `inside`"),
    "a wrong one that fails later": (
        wrong("row * 32 + col", "inside"), ("wrong", 1, "fails"), "fails at `wavefronts:"),
    "a wrong one that fails at another access": (
        wrong("row * 32 + col", "wavefronts: row store"), ("wrong", 1, "fails"), "column load"),
    "a wrong one that does not parse": (
        wrong("row * * col", "inside"), ("wrong", 1, "fails"), "fails at `source`"),
    "a gate that is none": (
        wrong("row * 34 + col", "insde"), ("wrong", 1, "fails"),
        "no check `insde`; the checks are: source, defined, integers, inside, one slot, aligned, "),
    "a gate without its access": (
        wrong("row * 32 + col", "wavefronts"), ("wrong", 1, "fails"), "no check `wavefronts`"),
    "a gate of an access that is not there": (
        wrong("row * 32 + col", "wavefronts: column store"), ("wrong", 1, "fails"), "no check"),
}  # fmt: skip


@pytest.mark.parametrize(("fields", "path", "says"), INDICES.values(), ids=INDICES.keys())
def test_a_spoilt_exercise_has_one_fault_at_its_place(fields, path, says):
    question = index(**fields)
    ((place, message),) = find_faults(question)
    assert place == path, message
    assert says in message
    assert first_fault(question) is None  # it can be asked; lint alone minds


def test_all_that_is_wrong_with_an_exercise_is_named_in_one_run():
    question = index(
        starter="row * 33 + col",
        solution="row * 32 + col",
        wrong=[
            {"source": "row * 33 + col", "fails": "inside", "why": "a"},
            INDEX["wrong"][0],
            {"source": "row", "fails": "nothing", "why": "b"},
            {"source": "row", "fails": "aligned", "why": "c"},
        ],
    )
    assert [path for path, _ in find_faults(question)] == [
        ("starter",),
        ("solution",),
        ("wrong", 0, "fails"),
        ("wrong", 2, "fails"),
        ("wrong", 3, "fails"),
    ]


def test_an_exercise_that_cannot_be_built_has_that_fault_alone():
    question = index(tile={"rows": 1024, "columns": 1024}, starter="no", solution="no")
    ((path, message),) = find_faults(question)
    assert path == ("tile",)
    assert "65,536" in message
    assert first_fault(question) is not None


@pytest.mark.parametrize(
    "fields",
    [
        {"tile": {"rows": 32, "columns": 4, "element": 1},
         "accesses": [{"name": "v", "along": "rows", "elements": 8}]},
        {"tile": {"rows": 32, "columns": 32, "storage": 1056, "base": 2**62}},
        {"tile": {"rows": 32, "columns": 32, "pitch": 2**70}, "solution": "tile[row][col]"},
        {"constants": {"n": 2**70}, "solution": "row * 33 + col + 0 * n"},
    ],
    ids=["no such vector", "base", "pitch", "constant"],
)  # fmt: skip
def test_lint_names_what_cannot_be_instead_of_crashing(fields):
    with suppress(BadExercise):  # a field that no question may have: refused before that
        assert find_faults(index(**fields))


# Through lint, with positions. The mark stands where the problem must be reported.


IN_FILES = {
    "a starter that passes": (
        question("index", starter=f"{MARK}row * 33 + col"), "the starter passes already"),
    "a solution that fails": (
        question("index", solution=f"{MARK}row * 32 + col"), "the solution fails at `wavefronts:"),
    "a wrong one that passes": (
        question("index", wrong=f"[{{source: row * 33 + col, fails: {MARK}inside, why: So.}}]"),
        "passes"),
    "a gate that is none": (
        question("index", wrong=f"[{{source: row * 34 + col, fails: {MARK}out, why: So.}}]"),
        "there is no check `out`"),
    "few draws": (
        question("trace", draw=f"{MARK}{{stride: [1, 2, 4]}}"), "3 different variants"),
    "few answers": (
        question("trace", draw=f"{MARK}{{stride: [1, 3, 5, 7, 9, 11, 13, 2]}}"), "2 different"),
    "a bad draw": (
        question("trace", let=f"{{a: {MARK}8 - stride}}"), "with stride = 16: 8 - stride is -8"),
    "a bad draw in the explanation": (
        question("trace", explanation=f"{MARK}'{{{{1 // (stride - 16)}}}}'"),
        "with stride = 16: cannot be computed"),
    "a bad draw in Chinese": (
        question("trace", explanation=f"{{en: a, zh: {MARK}'是 {{{{1 // (stride - 16)}}}}'}}"),
        "with stride = 16"),
    "a bad draw in a field that is left out": (
        question("trace", access=f"{MARK}{{index: threadIdx.x, element: stride}}"),
        "with stride = 3: "),
}  # fmt: skip


@pytest.mark.parametrize(("text", "what"), IN_FILES.values(), ids=IN_FILES.keys())
def test_lint_gives_the_place_in_the_file(text, what, tmp_path):
    clean, place = split_mark("# a note\n\n" + question("choice") + text)
    write(tmp_path, "pack/a.yaml", clean)
    report = lint([], [str(tmp_path)])
    (problem,) = report.problems
    assert (problem.line, problem.column) == place, english(problem)
    assert what in english(problem)
    assert "; " in english(problem)
    assert problem.question in ("pack/a-trace", "pack/a-index")
    assert Path(problem.file) == tmp_path / "pack" / "a.yaml"
    assert report.questions == 2  # it can still be studied


def test_lint_proves_only_what_was_named(tmp_path):
    write(tmp_path, "pack/a.yaml", question("index", starter="row * 33 + col"))
    good = write(tmp_path, "pack/b.yaml", question("trace"))
    assert lint([good], [str(tmp_path)]).problems == ()
    assert len(lint([tmp_path / "pack" / "a.yaml"], [str(tmp_path)]).problems) == 1


def test_lint_gives_problems_of_both_sorts_in_order_of_position(tmp_path):
    text = (
        question("index", starter="row * 33 + col")
        + question("number", difficulty="9")
        + question("trace", draw="{stride: [1, 2, 4]}")
    )
    write(tmp_path, "pack/a.yaml", text)
    lines = [p.line for p in lint([], [str(tmp_path)]).problems]
    assert len(lines) == 3
    assert lines == sorted(lines)


def test_what_cannot_be_asked_is_named_once(tmp_path):
    write(tmp_path, "pack/a.yaml", question("trace", prompt="'{{pich}}'"))
    (problem,) = lint([], [str(tmp_path)]).problems
    assert "`pich`" in english(problem)
