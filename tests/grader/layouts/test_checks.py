"""The gates: their order, what each says, and that its counterexample is one."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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

VECTORS = Exercise(
    Tile(32, 32, pitch=36),
    (along_rows("vectors", "load", Tile(32, 32), elements=4),),
)


@pytest.mark.parametrize(
    ("source", "gate", "counterexample", "came"),
    [
        ("row * 33 +", "parses", "", "ends too early"),
        (body("return rwo * 33 + col"), "parses", "", "rwo"),
        (body("return 1, 2, 3"), "parses", "", "3 numbers"),
        ("col / row", "defined", "(0, 0)", "division by zero"),
        ("32 / (31 - col)", "defined", "(0, 31)", "division by zero"),
        (body("if row < 31: return row, col"), "defined", "(31, 0)", "returns nothing"),
        (body("if row < 3: x = 1", "return row, x"), "defined", "(3, 0)", "x has no value yet"),
        (body("while True: pass"), "defined", "", "does not come to an end"),
        (body("return row * 33 + col / 2"), "integers", "(0, 1)", "0.5 is a float"),
        (body("return row * 33 + col / 1"), "integers", "(0, 0)", "0.0 is a float"),
        ("row * 34 + col", "inside", "(31, 2)", "slot 1056, with 1056 slots"),
        ("row * 33 - col", "inside", "(0, 1)", "slot -1"),
        ("threadIdx.x - 1 + 33 * row", "inside", "(0, 0)", "slot 4294967295"),
        ("tile[row][col * 2]", "inside", "(0, 17)", "column 34 in rows of 33"),
        (body("return row + 1, col"), "inside", "(31, 0)", "(32, 0)"),
        (body("return row, col - 1"), "inside", "(0, 0)", "column -1"),
        (body("return 2**61, col"), "inside", "(0, 0)", "(2305843009213693952, 0)"),
        ("row * 16 + col", "one slot", "(0, 16) and (1, 0)", "share slot 16"),
        ("0", "one slot", "(0, 0) and (0, 1)", "share slot 0"),
        ("row * 32 + col", "wavefronts", "lanes 0, 1, 2, 3, … (32 in all)", "32 (ideal 1"),
    ],
)
def test_what_fails_says_where(source, gate, counterexample, came):
    found = grade(source, EXERCISE)
    failure = found.verdict.failure
    assert failure is not None
    assert failure.name == gate
    assert counterexample in failure.counterexample
    assert came in failure.came
    assert failure.expected
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
    assert tuple(dict.fromkeys(key.partition(":")[0] for key in gate_names(EXERCISE))) == GATES


def test_place_and_hint_of_a_misspelt_name():
    failure = grade("row * 33 + cool", EXERCISE).verdict.failure
    assert failure is not None
    assert (failure.line, failure.column) == (1, 12)
    assert failure.hint == "did you mean col?"


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
        ("row * 32 + (col ^ row)", "(1, 0) and (1, 1) belong to one access"),
        ("row * 33 + col", "byte address 132 is no multiple of 16"),
        ("row * 32 + (col + 16 * row) % 32", None),
        ("row * 32 + 31 - col", "(0, 0) and (0, 1) belong to one access, but are in slots 31"),
    ],
)
def test_vector_accesses_need_neighbours_and_alignment(source, came):
    failure = grade(source, VECTORS).verdict.failure
    if came is None:
        assert failure is None
    else:
        assert failure is not None
        assert failure.name == "aligned"
        assert came in failure.came


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
        pair = f"({a // 8}, {a % 8}) and ({b // 8}, {b % 8})"
        assert (failure.name, failure.counterexample) == ("one slot", f"elements {pair}")


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
