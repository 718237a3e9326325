"""What inputs hold, run by run, and the run that confirms a pass."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from grader.kernels import Argument, InvalidProblem, KernelGrade, check
from grader.kernels.confirming import make_confirmation
from grader.kernels.inputs import make_arguments
from grader.kernels.messages import ExpectRequest
from grader.wire import decode_request, encode_request
from tests.grader.kernels.tools import ARRAY, GOOD, HEAD, OUT, graded, problem
from tests.sentences import english, expect_error


def values(run: int = 0, **fields: object) -> np.ndarray:
    argument = Argument("a", shape=(1000,), **fields)  # type: ignore[arg-type]
    return make_arguments(problem(arguments=(argument, OUT)), run)[0]  # type: ignore[return-value]


def test_equal_is_one_integer_within_the_bounds():
    (value,) = np.unique(values(dtype="int32", filling="equal", low=-5, high=5))
    assert -5 <= value < 5


def test_skewed_holds_one_value_in_most_places():
    _, counts = np.unique(values(dtype="uint8", filling="skewed", high=256), return_counts=True)
    assert counts.max() > 800
    assert len(counts) > 20


def test_extremes_are_the_least_and_the_largest():
    low, high = -(2**31), 2**31
    found = values(dtype="int32", filling="extremes", low=low, high=high)
    assert set(found.tolist()) == {low, high - 1}


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_wide_has_all_magnitudes_and_infinities_but_no_nan(dtype):
    found = values(dtype=dtype, filling="wide")
    finite = np.abs(found[np.isfinite(found)])
    facts = np.finfo(dtype)
    assert np.isinf(found).any()
    assert not np.isnan(found).any()
    assert finite.min() > 0
    assert np.log2(finite).max() - np.log2(finite).min() > 0.9 * (facts.maxexp - facts.minexp)


def test_a_list_has_one_for_each_shape_and_other_runs_take_the_first():
    argument = Argument("a", "int32", ("n",), filling=("ones", "zeros"))
    asked = problem(arguments=(argument, OUT))
    assert [make_arguments(asked, run)[0].max() for run in (0, 1)] == [1, 0]
    timed = replace(asked, shapes=(*asked.shapes, {"n": 7}))
    assert make_arguments(timed, 2)[0].min() == 1


def test_a_list_that_does_not_match_the_shapes_is_told():
    argument = Argument("a", "int32", ("n",), filling=("ones", "zeros", "ones"))
    with pytest.raises(InvalidProblem) as raised:
        problem(arguments=(argument, OUT))
    assert (raised.value.path, english(raised.value.what)) == (
        ("arguments", 0, "values"),
        "3 values for 2 shapes; give one value for all shapes, or one per shape",
    )


@pytest.mark.parametrize(
    ("confirm", "what"),
    [
        ({"m": (1, 2)}, "there is no size m"),
        ({"n": (3, 2)}, "the smallest size, 3, is above the largest, 2"),
    ],
)
def test_sizes_that_cannot_confirm_are_told(confirm, what):
    with pytest.raises(InvalidProblem) as raised:
        problem(confirm=(confirm,))
    assert english(raised.value.what).startswith(what)


def test_the_largest_shape_that_may_confirm_is_checked_too():
    with expect_error(InvalidProblem, r"elements|threads|array"):
        check(problem(confirm=({"n": (1, 2**30)},)))


def test_the_process_is_given_the_same_problem():
    filling = ("ones", "zeros")
    asked = problem(
        arguments=(replace(ARRAY, filling=filling, low=(0, 1)), OUT), confirm=({"n": (5, 90)},)
    )
    assert (
        decode_request(encode_request(ExpectRequest(problem=asked)), [ExpectRequest]).problem
        == asked
    )


# Confirming

BY_SIZE = (
    HEAD + "    if i < out.size:\n        out[i] = (2 if out.size in (64, 100) else 3) * a[i]\n"
)


def test_a_kernel_that_knows_the_shapes_fails_at_one_that_it_does_not_know():
    assert graded(GOOD, confirm=({"n": (101, 200)},)).passed
    found = graded(BY_SIZE, confirm=({"n": (101, 200)},))
    assert found.verdict.failed_at == "result"
    unseen = found.runs[-1]
    assert 101 <= unseen.shape["n"] <= 200
    assert f"n = {unseen.shape['n']}" in english(found.verdict.failure.reason)
    assert graded(BY_SIZE, confirm=({"n": (101, 200)},)).verdict == found.verdict


def test_no_constant_array_confirms_a_pass_if_there_is_another():
    for filling, drawn in ((("zeros", "normal"), "normal"), (("zeros", "zeros"), "zeros")):
        asked = problem(arguments=(replace(ARRAY, filling=filling), OUT))
        made = (make_confirmation(asked, str(number)) for number in range(9))
        assert {each.arguments[0].filling for each in made} == {drawn}


def test_every_run_that_confirms_has_to_pass():
    found = graded(BY_SIZE, confirm=({"n": (64, 64)}, {"n": (101, 200)}))
    assert found.verdict.failed_at == "result"
    assert 101 <= found.runs[-1].shape["n"] <= 200


def test_a_bound_is_reached_and_not_exceeded():
    problem(bounded={"n": 300}, confirm=({"n": (1, 300)},))
    with expect_error(InvalidProblem, "n is bounded by 200; the largest one .* is 100"):
        problem(bounded={"n": 200})


def test_without_sizes_a_pass_is_confirmed_with_other_values():
    table = make_arguments(problem(), 0)[0].tolist()
    other = make_arguments(problem(), 1)[0].tolist()
    source = (
        f"T = {tuple(2 * one for one in table)}\nS = {tuple(2 * one for one in other)}\n{HEAD}"
        "    if i < out.size:\n        out[i] = T[i % 64] if out.size == 64 else S[i]\n"
    )
    found = graded(source)
    assert found.verdict.failed_at == "result"
    assert len(found.runs) == 3


def test_a_finding_at_the_unseen_shape_fails_too():
    source = HEAD + "    if i < out.size or out.size > 100:\n        out[i] = 2 * a[i]\n"
    found = graded(source, confirm=({"n": (161, 190)},))
    assert found.verdict.failed_at == "findings: out-of-bounds"
    assert len(found.runs) == 3
    assert found.runs[-1].faults


def test_the_seed_follows_the_text():
    asked = problem(confirm=({"n": (1, 100_000)},))
    one, same, other = (make_confirmation(asked, text) for text in ("a", "a", "b"))
    assert one == same
    assert (one.seed, one.shapes) != (other.seed, other.shapes)


def test_submissions_that_are_compared_get_the_same_hidden_inputs_and_another_run_others():
    asked, later = (problem(confirm=({"n": (1, 100_000)},), hidden=seed) for seed in (3, 4))
    assert make_confirmation(asked, "a") == make_confirmation(asked, "b")
    assert make_confirmation(asked, "a").seed != make_confirmation(later, "a").seed
    other = replace(asked, seed=asked.seed + 1)
    assert make_confirmation(other, "a").seed != make_confirmation(asked, "a").seed


# The order of blocks

COUNTED = (
    Argument("arrived", "int32", (1,), role="inout", filling="zeros"),
    Argument("out", "float32", ("n",), role="output"),
)
ARRIVAL = """\
from numba import cuda

@cuda.jit
def double(arrived, out):
    if cuda.threadIdx.x == 0:
        place = cuda.atomic.add(arrived, 0, 1)
        out[cuda.blockIdx.x] = VALUE
"""


def in_any_order(value: str, **fields: Any) -> KernelGrade:
    """The verdict on a kernel whose blocks store this, where `place` is their place of arrival."""
    source = ARRIVAL.replace("VALUE", value)
    reference = "def reference(arrived):\n    return arrived + 12, np.ones(12)\n"
    return graded(
        source, arguments=COUNTED, shapes=({"n": 12},), grid=("n",), reference=reference,
        confirm=({"n": (12, 12)},), **fields,
    )  # fmt: skip


def test_a_pass_is_confirmed_with_the_blocks_in_another_order():
    assert in_any_order("1").passed
    assert in_any_order("1 if place >= 0 else 2", deterministic=True).passed
    found = in_any_order("1 if place == cuda.blockIdx.x else 2")
    assert found.verdict.failed_at == "result"
    assert len(found.runs) == 2


def test_bits_that_depend_on_the_order_of_blocks_fail_where_the_question_promises_them():
    nearly = "1 + place * 1e-8 + (place == 11) * 2e-7"
    assert in_any_order(nearly, terms=12).passed
    found = in_any_order(nearly, terms=12, deterministic=True)
    assert found.verdict.failed_at == "result"
    assert "in a different order" in english(found.verdict.failure.reason)
