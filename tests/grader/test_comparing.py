"""What is allowed to differ: against closed forms, and against what must never pass."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.comparing import compare
from grader.wire import LARGEST

F32, F16, F64 = np.float32, np.float16, np.float64


def in_order(terms: np.ndarray) -> np.ndarray:
    """Their sum, rounded after each, as a thread adds them up."""
    return np.cumsum(terms, dtype=terms.dtype)[-1:]


def passes(got, expected, terms: int) -> bool:
    found = compare(np.atleast_1d(got), np.atleast_1d(np.asarray(expected)), terms)
    return not len(found.wrong)


# Sums whose value is known


@pytest.mark.parametrize("count", [10, 100, 1_000, 10_000, 100_000])
@pytest.mark.parametrize("dtype", [F32, F64])
def test_sums_of_known_value_pass_however_they_are_rounded(count, dtype):
    k = np.arange(1, count + 1, dtype=F64)
    ratio = 0.999
    series = {
        "arithmetic": (k, count * (count + 1) / 2),
        "geometric": (ratio**k, ratio * (1 - ratio**count) / (1 - ratio)),
        "cubes": (k**3, (count * (count + 1) / 2) ** 2),
        "telescoping": (1 / (k * (k + 1)), count / (count + 1)),
    }
    for name, (terms, right) in series.items():
        assert passes(in_order(terms.astype(dtype)), right, count), name


@pytest.mark.parametrize("count", [32, 1_000, 4_096])
def test_a_term_too_few_or_too_many_fails(count):
    terms = np.random.default_rng(count).standard_normal(count)
    right = float(terms.sum())
    got = in_order(terms.astype(F32))
    assert passes(got, right, count)
    large = np.flatnonzero(abs(terms) > 0.2)[:50]
    assert len(large) > 3
    for i in large:
        assert not passes(got - F32(terms[i]), right, count)
        assert not passes(got + F32(terms[i]), right, count)


def test_a_matrix_product_in_single_precision_passes_and_one_in_half_does_not():
    drawn = np.random.default_rng(3)
    a, b = (drawn.standard_normal((64, 256)) for _ in range(2))
    right = a @ b.T
    single = a.astype(F32) @ b.astype(F32).T
    half = a.astype(F16).astype(F32) @ b.astype(F16).astype(F32).T
    assert passes(single, right, 256)
    assert len(compare(half, right, 256).wrong) > right.size // 2
    assert passes((a.astype(F16) @ b.astype(F16).T), right, 256)


@given(st.integers(1, 4_096), st.integers(0, 2**32 - 1))
def test_a_random_sum_passes_and_its_double_does_not(count, seed):
    terms = np.random.default_rng(seed).uniform(0.5, 1.0, count)
    got = in_order(terms.astype(F32))
    assert passes(got, terms.sum(), count)
    assert not passes(2 * got, terms.sum(), count)


# What is asked to be equal


def test_equal_means_equal_after_rounding_to_the_type():
    right = np.array([1 / 3, 2 / 3])
    got = right.astype(F32)
    assert passes(got, right, 0)
    got[1] = np.nextafter(got[1], F32(1))
    found = compare(got, right, 0)
    assert found.wrong.tolist() == [[1]]
    assert found.allowed == 0
    assert found.error == pytest.approx(2**-24, rel=1e-3)


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint8", "uint64", "bool"])
def test_whole_numbers_are_equal_or_wrong_whatever_the_terms(dtype):
    right = np.array([0, 1, 1, 0])
    assert passes(right.astype(dtype), right, 1_000)
    found = compare(np.array([0, 1, 0, 0]).astype(dtype), right, 1_000)
    assert found.wrong.tolist() == [[2]]


def test_large_whole_numbers_that_no_float_tells_apart():
    right = np.array([2**62])
    assert not passes(np.array([2**62 + 1]), right, 0)


# What is no number


@pytest.mark.parametrize("terms", [0, 1, 1_000])
def test_nan_and_infinity_are_right_only_where_they_are_asked(terms):
    nan, inf = F32(np.nan), F32(np.inf)
    assert passes([nan, inf, -inf], [np.nan, np.inf, -np.inf], terms)
    for got, right in ((nan, 1.0), (inf, 1.0), (-inf, np.inf), (F32(1), np.nan), (nan, np.inf)):
        found = compare(np.array([got]), np.array([right]), terms)
        assert len(found.wrong) == 1, (got, right)
    assert compare(np.array([nan]), np.array([1.0]), terms).error == LARGEST
    assert compare(np.array([nan]), np.array([np.nan]), terms).error == 0


def test_an_infinity_among_what_is_right_allows_nothing_else():
    got, right = np.array([1.0, np.inf], F32), np.array([2.0, np.inf])
    assert compare(got, right, 1).wrong.tolist() == [[0]]


@pytest.mark.parametrize("terms", [0, 4])
def test_nothing_of_nothing_is_wrong(terms):
    found = compare(np.empty((0, 3), F32), np.empty((0, 3)), terms)
    assert (len(found.wrong), found.error) == (0, 0)


# What must never pass


@pytest.mark.parametrize("count", [1, 64, 4_096, 65_536])
def test_zeros_and_the_input_never_pass_for_a_sum(count):
    drawn = np.random.default_rng(count).standard_normal((16, min(count, 4_096)))
    right = drawn.sum(axis=1) * sqrt(max(1, count / 4_096))
    assert not passes(np.zeros(16, F32), right, count)
    if count > 1:
        assert not passes(drawn[:, 0].astype(F32), right, count)


def test_small_elements_among_large_ones_have_the_tolerance_of_the_usual_ones():
    """A difference of large numbers is small, and rounded as they are."""
    right = np.array([1.0, 1.0, 1e-9])
    got = np.array([1.0, 1.0, 1e-7], F32)
    assert passes(got, right, 1)
    assert not passes(np.array([1.0, 1.0, 1e-4], F32), right, 1)


def test_wrong_positions_are_in_order_with_all_their_indices():
    right = np.zeros((3, 4))
    got = right.astype(F32)
    got[2, 1] = got[0, 3] = 1
    assert compare(got, right, 0).wrong.tolist() == [[0, 3], [2, 1]]


def test_one_rounded_integer_in_a_hundred_may_be_off_by_one():
    right = np.arange(300, dtype=np.float64) % 100
    got = right.astype(np.int8)
    got[[3, 50, 299]] += 1
    assert compare(got, right, 9).wrong.tolist() == [[3], [50], [299]]
    assert not compare(got, right, 9, rounded=True).wrong.size
    got[7] -= 1
    assert compare(got, right, 9, rounded=True).wrong.tolist() == [[3], [7], [50], [299]]
    got = right.astype(np.int8)
    got[7] += 2
    assert compare(got, right, 9, rounded=True).wrong.tolist() == [[7]]
    assert not compare(np.array([4], np.int8), np.array([5.0]), 0, rounded=True).wrong.size
    assert compare(np.array([4.0], F32), np.array([5.0]), 1, rounded=True).wrong.size


def test_a_narrower_float_is_allowed_one_rounding_of_its_own():
    right = np.ones(64, F32)
    off = right * np.linspace(0.99, 1.01, 64, dtype=F32)  # bfloat16 has steps of 1/128 at 1
    assert not len(compare(off, right, 1, epsilon=2.0**-7).wrong)
    assert len(compare(off * F32(1.02), right, 1, epsilon=2.0**-7).wrong)
