"""Exercises made of plain data, and the verdicts on what a person may hand in."""

from __future__ import annotations

import os

import numpy as np
import pytest
import yaml

from quizapp.domain.question import Index
from quizapp.exercises.faults import BadExercise
from quizapp.exercises.layouts import check, exercise
from tests.commands.program import ROOT
from tests.exercises.tools import INDEX, check_question, index
from tests.sentences import chinese, english

TILE = {"rows": 32, "columns": 32, "storage": 1056}


def build_access(access: dict, tile: dict = TILE, **fields):
    """The one access of an exercise, as the grader has it."""
    (made,) = exercise(
        index(tile=tile, accesses=[{"name": "it", **access}], **fields)
    ).accesses  # fmt: skip
    return made


def find_elements(access: dict, tile: dict = TILE, **fields) -> list[list[tuple[int, int] | None]]:
    """By warp, by lane: the element, None where the lane takes no part."""
    made = build_access(access, tile, **fields)
    active = np.ones(made.rows.shape, bool) if made.active is None else made.active
    return [
        [(int(r), int(c)) if on else None for r, c, on in zip(*warp, strict=True)]
        for warp in zip(made.rows, made.columns, active, strict=True)
    ]


# The exercise


def test_tile_constants_and_architecture_are_those_of_the_question():
    tile = {
        "rows": 8, "columns": 16, "element": 2, "pitch": 24, "storage": 300, "base": 128,
    }  # fmt: skip
    made = exercise(
        index(
            tile=tile, accesses=[{"name": "a", "along": "rows"}], constants={"pad": 3}, arch="8.0"
        )
    )
    shape = made.tile
    assert (shape.rows, shape.columns, shape.element_bytes) == (8, 16, 2)
    assert (shape.row_pitch, shape.allowed_storage, shape.base) == (24, 300, 128)
    assert (made.constants, made.arch) == ({"pad": 3}, "8.0")


def test_what_is_left_out_has_its_documented_value():
    made = exercise(index(tile={"rows": 8, "columns": 32}, accesses=[INDEX["accesses"][1]]))
    assert (made.tile.element_bytes, made.tile.row_pitch, made.tile.base) == (4, 32, 0)
    assert (made.tile.allowed_storage, made.arch) == (256, "9.0")
    pitched = exercise(index(tile={"rows": 8, "columns": 32, "pitch": 40})).tile
    assert pitched.allowed_storage == 320
    access = build_access({"along": "rows"})
    assert (access.kind, access.elements, access.allowed) == ("load", 1, None)


def test_along_rows_and_columns():
    rows = find_elements({"along": "rows"})
    assert rows == [[(row, lane) for lane in range(32)] for row in range(32)]
    columns = find_elements({"along": "columns", "op": "store"})
    assert columns == [[(lane, column) for lane in range(32)] for column in range(32)]
    assert build_access({"along": "columns", "op": "store"}).kind == "store"


def test_a_warp_takes_several_short_rows():
    narrow = {"rows": 8, "columns": 16}
    assert find_elements({"along": "rows"}, narrow)[1] == [(2 + i // 16, i % 16) for i in range(32)]
    assert find_elements({"along": "columns"}, narrow)[1] == [
        (i % 8, 4 + i // 8) for i in range(32)
    ]


def test_several_elements_at_once():
    vectors = find_elements({"along": "rows", "elements": 4})
    assert vectors[0] == [(lane // 8, lane % 8 * 4) for lane in range(32)]
    assert find_elements({"along": "columns", "elements": 4})[1] == [
        (lane, 4) for lane in range(32)
    ]
    assert build_access({"along": "rows", "elements": 4}).elements == 4


def test_matrix_rows():
    tile = {"rows": 16, "columns": 16, "element": 2}
    assert find_elements({"along": "matrix", "op": "ldmatrix"}, tile) == [
        [(lane % 16, lane // 16 * 8) for lane in range(32)]
    ]
    assert build_access({"along": "matrix", "op": "stmatrix"}, tile).kind == "stmatrix"


def test_a_block_with_steps():
    block = {"block": [32, 8], "row": "threadIdx.y + 8 * step", "column": "threadIdx.x", "steps": 4}
    found = find_elements(block)
    assert len(found) == 32
    assert found == [[(row, lane) for lane in range(32)] for row in range(32)]


def test_a_block_of_three_sizes_and_where():
    block = {
        "block": [4, 4, 4],
        "row": "threadIdx.z * 4 + threadIdx.y",
        "column": "threadIdx.x",
        "where": "threadIdx.x != 2 && warp == 1",
    }
    found = find_elements(block)
    assert found[0] == [None] * 32
    assert found[1] == [
        None if i % 4 == 2 else (8 + i // 16 * 4 + i // 4 % 4, i % 4) for i in range(32)
    ]


def test_where_may_depend_on_the_step():
    block = {
        "block": [32], "row": "step", "column": "threadIdx.x", "steps": 3,
        "where": "threadIdx.x < (16 >> step)",
    }  # fmt: skip
    assert [sum(lane is not None for lane in warp) for warp in find_elements(block)] == [16, 8, 4]


def test_a_block_may_use_the_constants():
    block = {"block": [32], "row": "pad", "column": "threadIdx.x"}
    assert find_elements(block, constants={"pad": 5})[0][7] == (5, 7)


def test_a_partial_warp_has_lanes_that_take_no_part():
    found = find_elements({"block": [20], "row": "0", "column": "threadIdx.x"})
    assert found == [[(0, lane) if lane < 20 else None for lane in range(32)]]


def test_several_elements_of_a_block():
    block = {"block": [8], "row": "0", "column": "threadIdx.x * 4", "elements": 4}
    made = build_access(block)
    assert made.elements == 4
    assert exercise(index(accesses=[{"name": "v", **block}])).width(made) == 16


# Faults of the exercise


ON = {"name": "a", "along": "rows"}
FAULTS = {
    "a tile that is too large": (
        {"tile": {"rows": 1024, "columns": 128}}, ("tile",), "at most 65,536"),
    "neither along nor block": (
        {"accesses": [ON, {"name": "b"}]}, ("accesses", 1), "which elements it covers"),
    "both": (
        {"accesses": [{**ON, "block": [32], "row": "0", "column": "0"}]},
        ("accesses", 0), "which elements it covers"),
    "along and a column": ({"accesses": [{**ON, "column": "0"}]}, ("accesses", 0), "which"),
    "a block without a column": (
        {"accesses": [{"name": "b", "block": [32], "row": "0"}]}, ("accesses", 0), "which"),
    "a row without a block": (
        {"accesses": [{"name": "b", "row": "0", "column": "0"}]}, ("accesses", 0), "which"),
    "a block too large": (
        {"accesses": [ON, {"name": "b", "block": [64, 32], "row": "0", "column": "0"}]},
        ("accesses", 1), "64×32×1"),
    "an unknown name": (
        {"accesses": [{"name": "b", "block": [32], "row": "ty", "column": "0"}]},
        ("accesses", 0), "the name `ty` is not declared here"),
    "an unknown name in where": (
        {"accesses": [{"name": "b", "block": [32], "row": "0", "column": "0", "where": "tx"}]},
        ("accesses", 0), "the name `tx` is not declared here"),
    "two values": (
        {"accesses": [{"name": "b", "block": [32], "row": "t[0][1]", "column": "0"}]},
        ("accesses", 0), "t[0][1]"),
    "off the tile": (
        {"accesses": [{"name": "b", "block": [32, 8], "row": "threadIdx.y * 5",
                       "column": "threadIdx.x"}]},
        ("accesses",), "lane 0 of warp 7 is at (35, 0)"),
    "below the tile": (
        {"accesses": [{"name": "b", "block": [32], "row": "0", "column": "lane - 1"}]},
        ("accesses",), "(0, -1)"),
    "off at a later step": (
        {"accesses": [{"name": "b", "block": [32], "row": "8 * step", "column": "lane",
                       "steps": 5}]},
        ("accesses",), "(32, 0)"),
    "12 bytes per lane": (
        {"tile": {"rows": 32, "columns": 33}, "accesses": [{**ON, "elements": 3}]},
        ("accesses",), "12 bytes"),
    "no such matrices": (
        {"tile": {"rows": 12, "columns": 32},
         "accesses": [{"name": "m", "along": "matrix", "op": "ldmatrix"}]},
        ("accesses", 0), "8 rows of 16 bytes"),
    "the same name twice": ({"accesses": [ON, ON]}, ("accesses",), "same name"),
    "no such access on it": (
        {"arch": "7.0", "tile": {"rows": 16, "columns": 16, "element": 2},
         "accesses": [{"name": "m", "along": "matrix", "op": "ldmatrix"}]},
        ("accesses",), "has no ldmatrix"),
}  # fmt: skip

OPEN_FAULTS = {
    "an architecture that is none": ({"arch": "9.9"}, ("arch",)),
    "where beside along": ({"accesses": [{**ON, "where": "threadIdx.x < 16"}]}, ("accesses", 0)),
    "steps beside along": ({"accesses": [{**ON, "steps": 4}]}, ("accesses", 0)),
    "elements beside matrix": (
        {"tile": {"rows": 16, "columns": 16, "element": 2},
         "accesses": [{"name": "m", "along": "matrix", "op": "ldmatrix", "elements": 2}]},
        ("accesses", 0)),
    "no row has so many elements": (
        {"tile": {"rows": 32, "columns": 4, "element": 1}, "accesses": [{**ON, "elements": 8}]},
        ("accesses",)),
    "elements that do not divide a row": (
        {"tile": {"rows": 32, "columns": 30}, "accesses": [{**ON, "elements": 4}]}, ("accesses",)),
    "nobody takes part": (
        {"accesses": [{"name": "b", "block": [32], "row": "0", "column": "0", "where": "0"}]},
        ("accesses",)),
    "a base beyond any memory": ({"tile": {**TILE, "base": 2**62}}, ("tile",)),
    "a base that no number holds": ({"tile": {**TILE, "base": 2**70}}, ("tile",)),
    "a pitch that no number holds": (
        {"tile": {"rows": 32, "columns": 32, "pitch": 2**70}}, ("tile",)),
    "a constant that no number holds": ({"constants": {"n": 2**70}}, ("constants",)),
}  # fmt: skip


@pytest.mark.parametrize(("fields", "path", "says"), FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_is_where_it_is_and_says_what_to_do(fields, path, says):
    with pytest.raises(BadExercise) as raised:
        exercise(index(**fields))
    assert raised.value.fault.path == path
    assert says in english(raised.value)
    assert english(raised.value)


@pytest.mark.parametrize(("fields", "path"), OPEN_FAULTS.values(), ids=OPEN_FAULTS.keys())
def test_what_cannot_be_meant_is_a_fault_below_its_field(fields, path):
    with pytest.raises(BadExercise) as raised:
        exercise(index(**fields))
    assert raised.value.fault.path[: len(path)] == path


@pytest.mark.parametrize("fields", [fields for fields, _, _ in FAULTS.values()], ids=FAULTS.keys())
def test_checking_says_the_same_as_building(fields):
    with pytest.raises(BadExercise):
        check(index(**fields), INDEX["solution"])


OPEN_CRASHES = ["no row has so many elements", "a base beyond any memory",
                "a base that no number holds", "a pitch that no number holds",
                "a constant that no number holds"]  # fmt: skip


@pytest.mark.parametrize("name", OPEN_CRASHES)
def test_no_question_makes_the_check_crash(name):
    """A verdict or `BadExercise`: anything else ends a session, or the compiling of the deck."""
    try:
        question = index(**OPEN_FAULTS[name][0])
        check(question, "def index(row, col):\n    return row, col\n")
        check(question, "row * 32 + col + 0 * n")
    except BadExercise:
        pass


# Verdicts


PASSING = [
    INDEX["solution"],
    "row * 33 + col",
    "threadIdx.y * 33 + threadIdx.x",
    "tile[row][col ^ row]",
    "def index(row, col):\n    return row, (col + row) % 32\n",
    "def index(r, c):\n\treturn 33 * r + c\n",
    "def index(row, col):\r\n    return row * 33 + col\r\n",
    "def place(row, col):\n\n    # a blank line and a comment\n    return row * 33 + col",
]


@pytest.mark.parametrize("source", PASSING)
def test_what_is_right_passes_every_gate(source):
    found = check(index(), source)
    assert found.passed, found.grade.verdict.failure
    assert [gate.state for gate in found.grade.verdict.gates] == ["passed"] * 8
    assert [report.wavefronts for report in found.grade.accesses] == [1, 1]
    assert found.mistake is None
    assert found.source == source


FAILING = {
    "starter": (INDEX["starter"], "wavefronts: column load"),
    "transposed": ("col * 32 + row", "wavefronts: row store"),
    "no room": ("row * 64 + col", "inside"),
    "negative": ("row * 32 + col - 1", "inside"),
    "column beyond the pitch": ("def index(row, col):\n    return row, col + 1", "inside"),
    "overlapping": ("row * 31 + col", "one slot"),
    "a fraction": ("def index(row, col):\n    return row * 33 + col / 2", "integers"),
    "no value": ("def index(row, col):\n    if row:\n        return col", "defined"),
    "dividing": ("8 / row", "defined"),
    "prose": ("row times 33 plus col", "source"),
    "nothing": ("", "source"),
    "blank": (" \n\t\n", "source"),
}


@pytest.mark.parametrize(("source", "gate"), FAILING.values(), ids=FAILING.keys())
def test_what_is_wrong_fails_at_its_gate_and_nothing_after_it_is_reached(source, gate):
    found = check(index(), source)
    assert not found.passed
    verdict = found.grade.verdict
    assert verdict.failure is not None
    assert verdict.failure.key == gate
    names = [g.key for g in verdict.gates]
    if not gate.startswith("wavefronts"):
        after = verdict.gates[names.index(gate) + 1 :]
        assert {g.state for g in after} == {"not reached"}
    assert verdict.failure.reason is not None
    assert english(verdict.failure.reason) != chinese(verdict.failure.reason)


def test_a_gate_is_either_passed_or_failed():
    """What is understood only when it is run has passed `source` already."""
    gates = check(index(), "def index(row, col):\n    return row, col, 0").grade.verdict.gates
    assert [g.key for g in gates if g.state == "failed"] == ["source"]
    assert len({g.key for g in gates}) == len(gates)


def test_alignment_is_judged_of_what_a_lane_takes_at_once():
    question = index(
        tile={"rows": 32, "columns": 32, "storage": 1200},
        accesses=[{"name": "v", "along": "rows", "elements": 4}],
    )
    assert check(question, "row * 33 + col").grade.verdict.fails_at("aligned")
    assert check(question, "row * 32 + (col ^ 1)").grade.verdict.fails_at("aligned")
    assert check(question, "row * 36 + col").passed


def test_what_is_allowed_widens_the_gate_and_the_rest_stays():
    loose = [INDEX["accesses"][0], {**INDEX["accesses"][1], "allowed": 4}]
    question = index(accesses=loose, starter="row", solution="row")
    assert check(question, "row * 32 + (col ^ (row & 7))").passed
    assert check(question, "row * 32 + (col ^ (row & 3))").grade.verdict.fails_at(
        "wavefronts: column load"
    )


def test_constants_may_be_used_in_both_languages():
    question = index(constants={"pad": 1})
    assert check(question, "row * (32 + pad) + col").passed
    assert check(question, "def index(row, col):\n    return row * (32 + pad) + col").passed


# Mistakes that are known


RECOGNISED = {
    "as it is listed": ("col * 32 + row", "It moved."),
    "in the other language": ("def index(row, col):\n    return row + 32 * col", "It moved."),
    "with a variable": (
        "def index(a, b):\n    bank = b ^ (a % 8)\n    return a * 32 + bank", "Eight banks."),
    "as two indices": ("def index(row, col):\n    return row, col ^ (row & 7)", "Eight banks."),
    "by the thread": ("tile[threadIdx.y][threadIdx.x ^ (threadIdx.y & 7)]", "Eight banks."),
    "that goes beyond the storage": ("row * 34 + col", "There is no room."),
    "the same, written differently": (
        "def index(row, col):\n    return 34 * row + col", "There is no room."),
    "that puts two in one slot": ("row * 31 + col", "Rows overlap."),
    "two in one slot, written differently": ("row * (32 - 1) + col", "Rows overlap."),
}  # fmt: skip


@pytest.mark.parametrize(
    ("source", "why"),
    RECOGNISED.values(),
    ids=RECOGNISED.keys(),
)
def test_a_listed_mistake_is_recognised_however_it_is_written(source, why):
    mistake = check(index(), source).mistake
    assert mistake is not None
    assert why in (mistake.why, getattr(mistake.why, "en", None))


def test_a_listed_mistake_that_tears_a_vector_apart_is_recognised():
    question = index(
        tile={"rows": 32, "columns": 32},
        accesses=[{"name": "v", "along": "rows", "elements": 4}],
        wrong=[{"source": "row * 32 + (col ^ row)", "fails": "aligned", "why": "Torn."}],
    )
    mistake = check(question, "tile[row][row ^ col]").mistake
    assert mistake is not None
    assert mistake.why == "Torn."


@pytest.mark.parametrize(
    "source",
    ["col * 32 + row + 1", "row * 32 + (col ^ (row & 3))", "row * 33 + col", "nonsense", "7 / row"],
)
def test_anything_else_is_no_listed_mistake(source):
    assert check(index(), source).mistake is None


def test_a_listed_mistake_fails_at_the_gate_it_is_listed_for():
    """The same flat places, but here the fault is a column beyond its row: `why` would mislead."""
    wrong = [{"source": "row * 32 + col", "fails": "wavefronts: column load", "why": "32-way."}]
    found = check(index(wrong=wrong), "def index(row, col):\n    return 0, row * 32 + col")
    assert found.grade.verdict.fails_at("inside")
    assert found.mistake is None


def test_a_right_submission_is_no_mistake_even_where_one_is_listed_wrongly():
    wrong = [{"source": "row * 33 + col", "fails": "inside", "why": "It is not."}]
    assert check(index(wrong=wrong), "33 * row + col").mistake is None


# Hostile submissions: a failed gate, soon, and nothing done. The time limit is against hanging.


PYTHON = "def index(row, col):\n    "
HOSTILE = {
    "a loop without end": (PYTHON + "while True: pass", "defined"),
    "a loop without end at the top": ("while True: pass", "source"),
    "nested loops": (
        PYTHON + "for i in range(10**9):\n     for j in range(10**9): pass\n    return 0",
        "defined"),
    "a power of powers": (PYTHON + "return 9**9**9", "defined"),
    "a power of powers in C": ("9**9**9", "source"),
    "a shift": (PYTHON + "return 1 << 10**18", "defined"),
    "growing numbers": (PYTHON + "a = 3\n    while True: a = a * a", "defined"),
    "growing text": (PYTHON + "a = 'x'\n    while True: a = a + a", "source"),
    "a huge list": (PYTHON + "return [0] * 10**10", "source"),
    "a huge literal": ("1" * 7000, "source"),
    "recursion": ("def f(a):\n    return f(a)\ndef index(r, c):\n    return f(r)", "defined"),
    "branching recursion": (
        "def f(n): return f(n - 1) + f(n - 1) if n > 0 else 1\ndef index(r, c): return f(23)",
        "defined"),
    "an import": ("import os\ndef index(row, col):\n    return 0", "source"),
    "an import inside": (PYTHON + "import os\n    return 0", "source"),
    "calling out": (PYTHON + "return __import__('os').system('touch {mark}')", "source"),
    "opening a file": (PYTHON + "return open('{mark}', 'w')", "source"),
    "evaluating": (PYTHON + "return eval('1')", "source"),
    "climbing": (PYTHON + "return ().__class__.__mro__[1].__subclasses__()", "source"),
    "a decorator": ("@print\n" + PYTHON + "return 0", "source"),
    "a default that acts": ("def index(row, col=open('{mark}', 'w')):\n    return 0", "source"),
    "a class": ("class A:\n    def index(self): return 0", "source"),
    "ten megabytes": ("x" * 10_000_000, "source"),
    "ten megabytes of lines": ("\n" * 10_000_000, "source"),
    "deep brackets": ("(" * 3999 + "0" + ")" * 3999, "source"),
    "deep signs": ("-" * 7999 + "0", "source"),
    "deep signs in Python": (PYTHON + "return " + "-" * 7900 + "0", "source"),
    "a NUL": ("row\0", "source"),
    "a surrogate": ("\ud800", "source"),
    "an escape": ("row \x1b[2J col", "source"),
}  # fmt: skip


@pytest.mark.parametrize(("source", "gate"), HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_submission_fails_at_a_gate_and_does_nothing(source, gate, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "system", pytest.fail)
    mark = tmp_path / "mark"
    found = check(index(), source.replace("{mark}", str(mark)))
    assert not found.passed
    assert found.grade.verdict.failure is not None
    assert found.grade.verdict.failure.name == gate
    assert found.mistake is None
    assert not mark.exists()


def test_the_placement_of_the_tma_copy_is_the_only_one_that_passes():
    """Of all XORs by a rotated row number, which are all free of conflicts, one is the copy's."""
    (written,) = [
        body
        for body in yaml.safe_load(
            (ROOT / "content/banks-in-depth/layouts/swizzles.yaml").read_text()
        )
        if body["id"] == "place-by-absolute-address"
    ]
    question = check_question(written)
    assert isinstance(question, Index)
    passing = []
    for shift in range(8):
        found = check(question, f"row * 64 + (col ^ (((row + {shift}) & 7) << 3))")
        if found.passed:
            passing.append(shift)
        else:
            assert found.gate == "equals"
    assert passing == [1]
    failure = check(question, "row * 64 + (col ^ (((row + 5) & 7) << 3))").grade.verdict.failure
    assert failure.reason.code == "layout.wrong-slot"
    assert failure.reason.fields == {
        "row": 0, "column": 0, "slot": 40, "right": 8, "differing": 2048, "elements": 2048
    }  # fmt: skip


def test_an_equals_that_places_nothing_is_the_questions_fault():
    with pytest.raises(BadExercise) as error:
        check(index(equals="row * 31 + col"), "row * 32 + col")
    assert error.value.fault.path == ("equals",)
    assert "(0, 31) and (1, 0) share slot 31" in english(error.value)
