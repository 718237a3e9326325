"""What is not done again in a loop (indices, arithmetic, squares, results) comes out the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.grader.simt.tools import run

LANES, SECTOR = 32, 32
STRIDED = """
def kernel(a, b, first, end, step):
    x, y = cuda.grid(2)
    for i in range(first + y, end, step):
        for j in range(x, a.shape[1], cuda.gridsize(1)):
            a[i, j] = b[i, j] + 1
"""
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
NUMBERS = [*INTEGERS, "float16", "float32", "float64"]


def sectors(i: np.ndarray, j: np.ndarray, inside: np.ndarray, pitch: int, size: int) -> int:
    """Of one access by a warp per row of the arguments."""
    first = np.where(inside, (i * pitch + j) * size // SECTOR, -1)
    return sum(len({*row} - {-1}) for row in first.tolist())


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 3), st.integers(1, 5), st.integers(33, 150), st.sampled_from(["i1", "f4", "f8"]),
    st.booleans(),
)  # fmt: skip
def test_a_strided_loop_counts_each_iteration(first, step, pitch, dtype, down):
    rows, threads = 19, 64
    a, b = np.zeros((rows, pitch), dtype), np.arange(rows * pitch).reshape(rows, pitch) % 100
    b = b.astype(dtype)
    begin, end, by = (rows - 2 - first, -1, -step) if down else (first, rows, step)
    done = run(STRIDED, [a, b, begin, end, by], grid=(1, 2), block=(threads, 1))
    expected = np.zeros_like(a)
    count, lanes = 0, np.arange(threads)
    for block in range(2):
        for i in range(begin + block, end, by):
            expected[i] = b[i] + 1
            for base in range(0, pitch, threads):
                j = (base + lanes).reshape(-1, LANES)
                count += sectors(np.full_like(j, i), j, j < pitch, pitch, a.itemsize)
    assert np.array_equal(a, expected)
    assert done.totals["global_load_sectors"] == done.totals["global_store_sectors"] == count
    assert not [one for one in done.faults if one.kind != "global-race"]


def test_a_flat_index_is_counted_and_checked_as_one_of_rows_and_columns():
    source = """
def kernel(a, b, c, n):
    j, i = cuda.grid(2)
    if i < n and j < n:
        for k in range(n):
            c[ROW] += a[LEFT] * b[RIGHT]
"""
    places = {"ROW": ("i, j", "i * n + j"), "LEFT": ("i, k", "i * n + k")}
    places["RIGHT"] = "k, j", "k * n + j"
    n, chance = 41, np.random.default_rng(2)
    a, b = chance.integers(0, 9, (2, n, n))
    found = []
    for flat in (False, True):
        text = source
        for name, written in places.items():
            text = text.replace(name, written[flat])
        c = np.zeros((n, n), np.int64)
        arguments = [array.ravel() if flat else array for array in (a, b, c)]
        done = run(text, [*arguments, n], grid=(2, 6), block=(32, 8))
        assert np.array_equal(c, a @ b)
        found.append((done.totals, done.findings))
    assert found[0] == found[1]


def test_an_index_that_leaves_the_array_in_a_late_iteration_is_found():
    source = """
def kernel(a, n):
    i = cuda.grid(1)
    for k in range(i, n, cuda.gridsize(1)):
        a[k] = k
"""
    a = np.zeros(500, np.int64)
    done = run(source, [a, 601], grid=2, block=64)
    assert [one.kind for one in done.findings] == ["out-of-bounds"]
    assert done.findings[0].index == (500,)
    assert a.tolist() == list(range(500))


def test_arithmetic_follows_what_an_outer_loop_or_a_branch_changes():
    source = """
def kernel(a, out):
    i = cuda.grid(1)
    x, y, total = i, 1, 0
    for j in range(4):
        x = x * 3 + j
        if i % 3 == j % 3:
            x, y = y, x
        for k in range(a[i]):
            total += x * y + 2 * x - k
            for m in range(2):
                total ^= (x << 1) + k * y
    out[i] = total
"""
    a, out = np.arange(64) % 5, np.zeros(64, np.int64)
    run(source, [a, out], grid=1, block=64)

    def expected(i: int) -> int:
        x, y, total = i, 1, 0
        for j in range(4):
            x = x * 3 + j
            if i % 3 == j % 3:
                x, y = y, x
            for k in range(int(a[i])):
                total += x * y + 2 * x - k
                for _ in range(2):
                    total ^= (x << 1) + k * y
        return total

    assert out.tolist() == [expected(i) for i in range(64)]


@pytest.mark.parametrize("dtype", NUMBERS)
def test_a_square_is_the_product_to_the_last_bit(dtype):
    source = """
def kernel(a, b, squares, products):
    i = cuda.grid(1)
    x, y = a[i], b[i]
    squares[i], products[i] = x * x, x * y
"""
    chance = np.random.default_rng(5)
    a = chance.integers(0, 256, 2048 * np.dtype(dtype).itemsize, dtype=np.uint8).view(dtype)
    result = np.result_type(dtype, np.int64) if np.dtype(dtype).kind in "iu" else np.dtype(dtype)
    if dtype == "uint64":
        result = np.dtype(dtype)
    squares, products = np.zeros((2, len(a)), result)
    run(source, [a, a.copy(), squares, products], grid=len(a) // 128, block=128)
    assert squares.tobytes() == products.tobytes()
    assert squares.any()


def test_what_a_function_returns_first_is_not_changed_by_what_it_returns_later():
    source = """
def first_or(x, other, n):
    for k in range(5):
        if n == k:
            if k == 0:
                return x
            return other * k
    return -1

def kernel(a, out, kept):
    i = cuda.grid(1)
    x = a[i] + 1
    out[i] = first_or(x, i, i % 7)
    kept[i] = x
"""
    a, out, kept = np.arange(96), np.zeros(96, np.int64), np.zeros(96, np.int64)
    run(source, [a, out, kept], grid=1, block=96)
    assert kept.tolist() == (a + 1).tolist()
    expected = [i + 1 if i % 7 == 0 else i * (i % 7) if i % 7 < 5 else -1 for i in range(96)]
    assert out.tolist() == expected
