"""A kernel with a fault: what is drawn for a review, and what is right, as the emulator says."""

from __future__ import annotations

from itertools import pairwise

import pytest

from quizapp.domain.kernel import SPOTTABLE
from quizapp.errors import Ungraded
from quizapp.exercises.errors import BadExercise
from quizapp.exercises.spots import draw_spot, drawn_spot, spot_cases
from tests.deck.tools import SPOT_PLACES
from tests.examining import EXAMINER
from tests.exercises.tools import kernel, spot

NAME = "pack/a-spot"
CASES = 4


def found(question):
    return EXAMINER.spotted(question)


# What is drawn


def test_reviews_draw_different_cases_until_all_were_drawn():
    drawn = [draw_spot(spot(), NAME, review) for review in range(2 * CASES)]
    codes = [one.question.code for one in drawn]
    assert len(set(codes[:CASES])) == CASES
    assert codes[CASES:] == codes[:CASES]
    assert all(one != other for one, other in pairwise(codes))


def test_redrawn_for_the_same_review_it_is_the_same():
    for review in range(CASES):
        one, again = (draw_spot(spot(), NAME, review) for _ in range(2))
        assert one.question == again.question
        assert one.parameters == again.parameters


def test_another_question_has_another_order():
    orders = {
        tuple(tuple(draw_spot(spot(), f"pack/{name}", n).parameters.items()) for n in range(CASES))
        for name in "abcdefgh"
    }
    assert len(orders) > 1


def test_everything_is_filled_in_and_nothing_is_left_to_draw():
    question = drawn_spot(
        spot(hints=["Half is {{half}}."], let={"half": "size // 2"}), {"size": 64, "tile": "part"}
    ).question
    assert "part = cuda.shared.array(64, numba.float32)" in question.code
    assert "part[63 - t]" in question.code
    assert question.prompt == "Each block of 64 threads reverses its part of `a`. What is wrong?"
    assert question.explanation.endswith("the store of part.")
    assert question.hints == ("Half is 32.",)
    assert (question.draw, question.let) == ({}, {})
    assert question.shape == {"size": 64, "half": 32}


def test_nothing_that_varies_is_one_case_and_braces_of_python_stay():
    code = spot().code.replace("{{tile}}", "tile").replace("{{size}}", "64")
    code = code.replace("{{size - 1}}", "63")
    question = spot(code=code, prompt="What?", explanation="So.", draw={}, shape={"size": 64})
    assert spot_cases(question) == [{}]
    assert draw_spot(question, NAME, 7).question.code == code


def test_more_draws_than_anybody_counts_are_a_fault_and_no_hang():
    with pytest.raises(BadExercise) as raised:
        spot_cases(spot(draw={name: list(range(64)) for name in ("size", "tile", "c")}))
    assert raised.value.path == ("draw",)


# What is right


@pytest.mark.parametrize("review", range(CASES))
def test_either_end_of_a_race_is_right_and_nothing_else(review):
    question = draw_spot(spot(), NAME, review).question
    places = found(question)
    assert places.places == SPOT_PLACES
    assert (places.lines, places.kinds) == ((6, 7), ("race",))
    for line in range(12):
        for kind in SPOTTABLE:
            assert places.right(line, kind) == ((line, kind) in SPOT_PLACES)


FAULTS = {
    "a guard": ("out[cuda.grid(1) + 1] = a[0]", "out-of-bounds", 3),
    "a barrier in a branch": (
        "if cuda.threadIdx.x < 5:\n        cuda.syncthreads()\n    out[cuda.grid(1)] = a[0]",
        "barrier-divergence", 4),
    "what nobody wrote": (
        "t = cuda.shared.array(32, numba.float32)\n    out[cuda.grid(1)] = t[0]",
        "uninitialised-read", 4),
    "one cell for all": ("out[0] = a[cuda.grid(1)]", "global-race", 3),
    "double precision": ("out[cuda.grid(1)] = 2.0 * a[0]", "warning", 3),
}  # fmt: skip


@pytest.mark.parametrize(("line", "kind", "at"), FAULTS.values(), ids=FAULTS.keys())
def test_every_kind_can_be_named_where_it_is(line, kind, at):
    code = f"@cuda.jit\ndef k(a, out):\n    {line}\n"
    question = spot(code=code, draw={}, prompt="?", explanation=".", shape={"size": 64})
    assert found(question).right(at, kind)


def test_other_warnings_are_no_faults_beside_one():
    """A negative index is worth a word in a profile; it is not what is asked for here."""
    code = "@cuda.jit\ndef k(a, out):\n    out[cuda.grid(1)] = a[-1]\n    out[0] = a[1]\n"
    question = spot(code=code, draw={}, prompt="?", explanation=".", shape={"size": 64})
    assert "warning" not in found(question).kinds


def test_the_same_code_with_another_launch_is_another_question():
    code = "@cuda.jit\ndef k(a, out):\n    t = cuda.threadIdx.x\n"
    code += "    out[cuda.blockIdx.x * 32 + t] = a[cuda.grid(1)]\n"
    fields = {"code": code, "draw": {}, "prompt": "?", "explanation": ".", "shape": {"size": 64}}
    many = spot(**fields, launch={"grid": [5], "block": [32]})
    wide = spot(**fields, launch={"grid": [2], "block": [64]})
    assert found(many).kinds == ("out-of-bounds",)
    assert found(wide).kinds == ("global-race",)
    assert found(many).kinds == ("out-of-bounds",)


def test_it_is_worked_out_once():
    question = draw_spot(spot(), NAME, 0).question
    assert found(question) is found(question)


# Where nobody knows


def test_a_spot_without_a_fault_has_no_verdict_and_says_what_to_do():
    code = "@cuda.jit\ndef k(a, out):\n    out[cuda.grid(1)] = a[0]\n"
    arguments = [
        {"name": "a", "dtype": "float32", "shape": [64]},
        {"name": "out", "dtype": "float32", "shape": [64], "role": "output"},
    ]
    question = spot(code=code, arguments=arguments, draw={}, prompt="?", explanation=".",
                    launch={"grid": [2], "block": [32]})  # fmt: skip
    for _ in range(2):
        with pytest.raises(Ungraded, match=r"a-spot cannot be graded: .* finds nothing") as raised:
            found(question)
        assert "quiz lint" in raised.value.hint


def test_a_kernel_whose_reference_fails_has_no_verdict():
    broken = kernel(reference="def reference(a):\n    return b\n")
    solution = kernel().solution or ""
    for ask in (lambda: EXAMINER.prepare(broken), lambda: EXAMINER.check(broken, solution)):
        with pytest.raises(Ungraded, match="a-kernel cannot be graded: NameError"):
            ask()
    assert EXAMINER.check(kernel(), solution).passed
