"""The gates: their order, the reason of each, and that its smallest case is one."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.facts import fact
from grader.layouts import (
    GATES,
    Block,
    Exercise,
    InvalidExercise,
    Tile,
    TileAccess,
    along_columns,
    along_rows,
    by_block,
    gate_names,
    grade,
    matrix_rows,
)
from grader.verdict import Gate, Verdict, verdict
from tests.grader.layouts.tools import EXERCISE, TILE, body, wavefronts
from tests.sentences import chinese, english

IN_CPP = {"row": 0, "column": 0, "language": "cuda"}
VECTORS = Exercise(
    Tile(32, 32, pitch=36),
    (along_rows("vectors", "load", Tile(32, 32), elements=4),),
)


@pytest.mark.parametrize(
    ("source", "gate", "code", "fields"),
    [
        ("row * 33 +", "source", "layout.ends-too-early", {}),
        (body("return rwo * 33 + col"), "source", "layout.unknown-name", {"name": "rwo"}),
        (body("return 1, 2, 3"), "source", "layout.numbers-returned", {"count": 3}),
        ("col / row", "defined", "finding.zero-division", IN_CPP),
        ("32 / (31 - col)", "defined", "finding.zero-division", IN_CPP | {"column": 31}),
        (
            body("if row < 31: return row, col"), "defined", "layout.function-returns-nothing",
            {"row": 31, "column": 0, "name": "index"},
        ),
        (
            body("if row < 3: x = 1", "return row, x"), "defined", "layout.no-value",
            {"row": 3, "column": 0, "name": "x"},
        ),
        (body("while True: pass"), "defined", "layout.does-not-end", {}),
        (
            body("return row * 33 + col / 2"), "integers", "layout.float-returned",
            {"row": 0, "column": 1, "value": 0.5},
        ),
        (
            body("return row * 33 + col / 1"), "integers", "layout.float-returned",
            {"row": 0, "column": 0, "value": 0.0},
        ),
        (
            "row * 34 + col", "inside", "layout.outside-slots",
            {"row": 31, "column": 2, "slot": 1056, "allowed": 1056},
        ),
        (
            "row * 33 - col", "inside", "layout.outside-slots",
            {"row": 0, "column": 1, "slot": -1, "allowed": 1056},
        ),
        (
            "threadIdx.x - 1 + 33 * row", "inside", "layout.outside-slots",
            {"row": 0, "column": 0, "slot": 4294967295, "allowed": 1056},
        ),
        (
            "tile[row][col * 2]", "inside", "layout.outside-pitch",
            {"row": 0, "column": 17, "to_column": 34, "pitch": 33},
        ),
        (
            body("return row + 1, col"), "inside", "layout.outside-rows",
            {"row": 31, "column": 0, "to_row": 32, "to_column": 0, "allowed": 1056},
        ),
        (
            body("return row, col - 1"), "inside", "layout.outside-pitch",
            {"row": 0, "column": 0, "to_column": -1, "pitch": 33},
        ),
        (
            body("return 2**61, col"), "inside", "layout.outside-rows",
            {"row": 0, "column": 0, "to_row": 2**61, "to_column": 0, "allowed": 1056},
        ),
        (
            "row * 16 + col", "one slot", "layout.shared-slot",
            {"row": 0, "column": 16, "other_row": 1, "other_column": 0, "slot": 16},
        ),
        (
            "0", "one slot", "layout.shared-slot",
            {"row": 0, "column": 0, "other_row": 0, "other_column": 1, "slot": 0},
        ),
        (
            "row * 32 + col", "wavefronts", "layout.too-many-wavefronts",
            {
                "access": "column load", "n": 32, "ideal": 1, "allowed": 1, "warp": 0, "bank": 0,
                "lanes": tuple(range(32)), "words": tuple(range(0, 1024, 32)),
            },
        ),
    ],
)  # fmt: skip
def test_what_fails_says_why_and_where(source, gate, code, fields):
    found = grade(source, EXERCISE)
    failure = found.verdict.failure
    assert failure is not None
    assert failure.reason is not None
    assert (failure.name, failure.reason.code) == (gate, code)
    assert failure.reason.fields == fields
    assert english(failure.reason) != chinese(failure.reason)
    states = [each.state for each in found.verdict.gates]
    if gate != "wavefronts":
        at = states.index("failed")
        assert states == ["passed"] * at + ["failed"] + ["not reached"] * (len(states) - at - 1)
        assert found.slots is None
        assert found.accesses == ()


def test_all_gates_are_there_in_order_whatever_comes():
    for source in ("", "row +", "row / col", body("return 0.5"), "0", "row * 32 + col", "-1"):
        keys = tuple(gate.key for gate in grade(source, EXERCISE).verdict.gates)
        assert keys == gate_names(EXERCISE)
    names = [key.partition(":")[0] for key in gate_names(EXERCISE)]
    assert tuple(dict.fromkeys(names)) == tuple(name for name in GATES if name != "equals")
    exact = dataclasses.replace(EXERCISE, equals=np.arange(EXERCISE.tile.elements))
    assert gate_names(exact)[len(GATES) - 2] == "equals"


def test_place_and_hint_of_a_misspelt_name():
    failure = grade("row * 33 + cool", EXERCISE).verdict.failure
    assert failure is not None
    assert (failure.line, failure.column) == (1, 12)
    assert failure.hint == fact("suggest.name", name="col")


@pytest.mark.parametrize(
    ("source", "gate"),
    [
        ("row * 32 + (col - row) % 32", "one slot"),
        ("(col - row) % 32 + row * 32", "one slot"),
        ("(col - row) % 32", "inside"),
        ("tile[row][(col - row) % 32]", "inside"),
        ("int c = (col - 2 * row - 1) / 2;\nreturn row * 32 + c;", "one slot"),
    ],
)
def test_a_negative_remainder_of_c_is_named(source, gate):
    failure = grade(source, EXERCISE).verdict.failure
    assert failure is not None
    assert failure.name == gate
    assert failure.hint == fact("layout.negative-division")


@pytest.mark.parametrize(
    "source",
    [
        "row % 4 * 32 + col",
        "-1 - 32 * row / 32",
        "row * 32 + (unsigned)(col - row) % 32 / 2",
        body("return row * 32 + (col - row) % 32 // 2"),
        body("return -row"),
    ],
)
def test_no_negative_remainder_is_blamed_where_there_is_none(source):
    failure = grade(source, EXERCISE).verdict.failure
    assert failure is not None
    assert failure.hint != fact("layout.negative-division")


@pytest.mark.parametrize(
    ("source", "place", "element"),
    [
        ("def index(row, col):\n    return row * 33 + col / 1", (2, 12), (0, 0)),
        ("def index(row, col):\n    x = col / 2\n    return row, x", (3, 17), (0, 1)),
        (
            "def index(row, col):\n    if row > 2:\n        return row / 2\n    return col",
            (3, 16),
            (3, 0),
        ),
        (
            "def index(row, col):\n    if row < 2:\n        return 2.0\n    return col / 4",
            (4, 12),
            (2, 1),
        ),
        ("lambda row, col:\\\n row / 2", (2, 2), (1, 0)),
    ],
)
def test_a_float_is_reported_where_it_is_returned(source, place, element):
    failure = grade(source, EXERCISE).verdict.failure
    assert failure is not None
    assert failure.name == "integers"
    assert (failure.line, failure.column) == place
    assert failure.reason is not None
    at = failure.reason.fields["row"], failure.reason.fields["column"]
    assert at == element


def test_every_access_is_costed_though_one_fails():
    found = grade("row * 32 + col", EXERCISE)
    states = [gate.state for gate in found.verdict.gates if gate.name == "wavefronts"]
    assert states == ["passed", "failed", "passed", "failed"]
    assert wavefronts(found) == [1, 32, 1, 32]
    column = found.accesses[1]
    assert (column.ideal, column.allowed, column.warps) == (1, 1, 32)
    assert (column.total, column.total_ideal) == (32 * 32, 32)
    assert column.cost.wavefronts == 32
    assert column.cost.witness is not None
    assert column.cost.witness.bank == 0
    assert len(column.cost.witness.words) == 32
    assert np.array_equal(column.addresses, np.arange(32) * 128)
    assert np.array_equal(column.elements, np.arange(32) * 32)


def test_a_gate_may_allow_more_than_the_ideal():
    access = along_columns("column load", "load", TILE, allowed=4)
    exercise = Exercise(TILE, (access,))
    assert grade("row * 32 + (col ^ ((row & 7) << 2))", exercise).verdict.passed
    assert grade("row * 32 + col", exercise).verdict.fails_at("wavefronts: column load")
    assert grade("row * 32 + col", exercise).verdict.fails_at("wavefronts")


def test_extra_storage_counts_up_to_the_last_slot_used():
    assert grade("row * 32 + col", EXERCISE).extra_elements == 0
    found = grade("row * 33 + col", EXERCISE)
    assert found.extra_elements == 31  # the last row needs no padding
    assert found.extra_bytes == 124
    assert grade("row * 33 + col + 1", EXERCISE).extra_elements == 32


def test_storage_is_that_of_the_pitch_unless_it_is_said():
    assert Tile(32, 32).allowed_storage == 1024
    assert Tile(32, 32, pitch=33).allowed_storage == 1056
    assert grade("row * 33 + col", Exercise(Tile(32, 32), ())).verdict.fails_at("inside")


@pytest.mark.parametrize(
    ("source", "came"),
    [
        ("row * 36 + col", None),
        ("row * 32 + (col ^ ((row & 7) << 2))", None),
        ("row * 32 + (col ^ row)", "(1, 0) and (1, 1) at once"),
        ("row * 33 + col", "byte address 132, which is not a multiple of 16"),
        ("row * 32 + (col + 16 * row) % 32", None),
        ("row * 32 + 31 - col", "(0, 0) and (0, 1) at once, but their slots are 31"),
    ],
)
def test_vector_accesses_need_neighbours_and_alignment(source, came):
    failure = grade(source, VECTORS).verdict.failure
    if came is None:
        assert failure is None
    else:
        assert failure is not None
        assert failure.name == "aligned"
        assert came in english(failure.reason)


def test_where_the_tile_lies_counts():
    def exercise(base):
        tile = Tile(8, 32, base=base)
        return Exercise(tile, (along_rows("vectors", "store", tile, elements=4),))

    assert grade("row * 32 + col", exercise(16)).verdict.passed
    assert grade("row * 32 + col", exercise(8)).verdict.fails_at("aligned")


def test_partial_warps_have_an_ideal_of_their_own():
    tile = Tile(5, 7)
    found = grade("row * 7 + col", Exercise(tile, (along_rows("all", "store", tile),)))
    assert found.verdict.passed
    assert found.accesses[0].warps == 2


@pytest.mark.parametrize("threads", [1, 2, 31, 33])
def test_a_block_of_any_shape(threads):
    tile = Tile(33, 33)
    access = by_block(
        "some", "load", Block(threads, 3), row="threadIdx.x / 2", column="threadIdx.y"
    )
    assert access.rows.shape == (-(-threads * 3 // 32), 32)
    there = 32 * len(access.rows) if access.active is None else int(access.active.sum())
    assert there == 3 * threads
    (report,) = grade("row * 33 + col", Exercise(tile, (access,))).accesses
    assert report.total_ideal == len(access.rows)


def test_steps_and_conditions_of_a_block():
    access = by_block(
        "copy",
        "store",
        Block(32, 8),
        row="threadIdx.y + N * step",
        column="threadIdx.x",
        where="threadIdx.x < 20",
        steps=4,
        constants={"N": 8},
    )
    assert access.rows.shape == (32, 32)
    assert sorted(access.rows[:, 0].tolist()) == list(range(32))
    assert access.active is not None
    assert access.active.sum() == 32 * 20


def test_constants_have_names():
    exercise = dataclasses.replace(EXERCISE, constants={"PITCH": 33})
    assert grade("row * PITCH + col", exercise).verdict.passed
    assert grade(body("return row * PITCH + col"), exercise).verdict.passed


def test_an_older_architecture_counts_differently():
    tile = Tile(32, 32)
    access = along_columns("column", "load", tile)
    found = grade("row * 32 + col", Exercise(tile, (access,), arch="3.x"))
    assert wavefronts(found) == [16]  # two words a row of a bank


@pytest.mark.parametrize(
    "make",
    [
        lambda: Tile(0, 32),
        lambda: Tile(1024, 1024),
        lambda: Exercise(TILE, (along_rows("a", "load", TILE),) * 2),
        lambda: Exercise(TILE, (along_rows("a", "load", TILE, elements=3),)),
        lambda: Exercise(TILE, (along_rows("a", "load", Tile(64, 32)),)),
        lambda: Exercise(TILE, (along_rows("a", "load", TILE),), arch="4.2"),
        lambda: Exercise(TILE, (matrix_rows("a", TILE),), arch="7.0"),
        lambda: Exercise(TILE, (TileAccess("a", "load", np.zeros((1, 3)), np.zeros((1, 3))),)),
        lambda: matrix_rows("a", Tile(8, 9, 2)),
        lambda: by_block("a", "load", Block(2048), row="0", column="0"),
        lambda: by_block("a", "load", Block(32), row="lane +", column="0"),
        lambda: by_block("a", "load", Block(32), row="lane / 0", column="0"),
    ],
)
def test_an_exercise_that_cannot_be_is_the_authors_fault(make):
    with pytest.raises(InvalidExercise):
        make()


@given(st.permutations(range(64)), st.integers(0, 63), st.integers(0, 63))
def test_two_elements_in_one_slot_are_found_wherever_they_are(slots, first, second):
    """One element is sent to another's slot."""
    tile = Tile(8, 8)
    a, b = sorted((slots[first], slots[second]))
    source = f"row * 8 + col == {b} ? {a} : row * 8 + col"
    found = grade(source, Exercise(tile, ()))
    assert found.verdict.passed == (a == b)
    if a != b:
        failure = found.verdict.failure
        assert failure is not None
        fields = {"row": a // 8, "column": a % 8, "other_row": b // 8, "other_column": b % 8}
        assert failure.name == "one slot"
        assert failure.reason == fact("layout.shared-slot", **fields, slot=a)


def test_a_verdict_says_its_first_failure():
    gates = (Gate("a", "passed"), Gate("b", "failed", "x"), Gate("c", "failed"))
    found = verdict(gates, ("a", "b: x", "c", "d: y"))
    assert not found.passed
    assert found.failure is gates[1]
    assert found.fails_at("b")
    assert found.fails_at("b: x")
    assert not found.fails_at("c")
    assert found.gates[-1] == Gate("d", "not reached", "y")
    assert Verdict(gates[:1]).passed
    assert Verdict(gates[:1]).failure is None
    assert not Verdict(gates[:1]).fails_at("a")
