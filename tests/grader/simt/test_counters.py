"""Counts: those of the profiler on an H200 where there are some (shared/hardware/README.md), those
of `grader.banks` for any access, closed forms for sectors and branches.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.banks import cost_many
from tests.grader.simt.tools import kernel, run

TRANSPOSE = """
PITCH = {pitch}

def transpose(a, out):
    tile = cuda.shared.array((32, PITCH), numba.float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    x = cuda.blockIdx.x * 32 + tx
    y = cuda.blockIdx.y * 32 + ty
    row, col = ty, tx
    tile[row, {place}] = a[y, x]
    cuda.syncthreads()
    x = cuda.blockIdx.y * 32 + tx
    y = cuda.blockIdx.x * 32 + ty
    row, col = tx, ty
    out[y, x] = tile[row, {place}]
"""


@pytest.mark.parametrize(
    ("pitch", "place", "conflicts"),
    [
        (32, "col", 63_488),
        (33, "col", 0),
        (32, "col ^ row", 0),
        (32, "(col + row) % 32", 0),
        (32, "col ^ ((row & 7) << 2)", 6_144),
        (32, "col ^ ((row & 31) >> 2)", 6_144),
        (32, "(col + 4 * row) % 32", 6_144),
    ],
)
def test_a_transpose_has_the_conflicts_that_the_profiler_counted(pitch, place, conflicts):
    """The last one was not measured: rows of four words further each, 4-way."""
    a = np.arange(256 * 256, dtype=np.float32).reshape(256, 256)
    out = np.zeros_like(a)
    done = run(TRANSPOSE.format(pitch=pitch, place=place), [a, out], grid=(8, 8), block=(32, 32))
    assert (out == a.T).all()
    assert done.findings == ()
    total = done.totals
    assert total["shared_load_conflicts"] + total["shared_store_conflicts"] == conflicts
    assert total["shared_load_requests"] == total["shared_store_requests"] == 2048
    assert total["global_load_sectors"] == total["global_load_ideal_sectors"] == 8192


REDUCTION = """
def total(a, out):
    s = cuda.shared.array(256, numba.float32)
    t = cuda.threadIdx.x
    s[t] = a[cuda.grid(1)]
    cuda.syncthreads()
    d = 1
    while d < 256:
        i = 2 * d * t
        if i < 256:
            s[i] += s[i + d]
        cuda.syncthreads()
        d *= 2
    if t == 0:
        out[cuda.blockIdx.x] = s[0]
"""


def test_an_interleaved_reduction_has_the_conflicts_that_the_profiler_counted():
    a, out = np.ones(256, np.float32), np.zeros(1, np.float32)
    done = run(REDUCTION, [a, out], block=256)
    assert out[0] == 256
    assert done.findings == ()
    assert done.totals["shared_load_conflicts"] == 70
    assert done.totals["shared_store_conflicts"] == 35


@pytest.mark.parametrize(
    ("dtype", "pitch", "wavefronts"),
    [
        ("float32", 32, 32),
        ("float32", 33, 1),
        ("float64", 32, 32),
        ("float64", 33, 2),
        ("float16", 32, 16),
        ("float16", 33, 1),
        ("float16", 34, 1),
    ],
)
def test_one_column_of_a_tile(dtype, pitch, wavefronts):
    """Half at an odd pitch takes 2 at an odd column, by the rule 1 at an even one."""
    text = kernel(
        f"s = cuda.shared.array((32, {pitch}), np.{dtype})",
        "t = cuda.threadIdx.x",
        "s[t, 0] = 1",
        "x = s[t, 0]",
    )
    done = run(text, [np.zeros(1)], block=32)
    assert done.totals["shared_load_wavefronts"] == wavefronts


ACCESS = {
    "load": ("x = s[i[n]]", "load"),
    "store": ("s[i[n]] = 1", "store"),
    "atomic": ("x = cuda.atomic.add(s, i[n], 2)", "atom"),
}


@pytest.mark.parametrize("kind", ACCESS)
@pytest.mark.parametrize("same", [True, False], ids=["blocks alike", "blocks differ"])
@pytest.mark.parametrize("cases", [25, pytest.param(1000, marks=pytest.mark.long)])
def test_any_access_costs_what_the_bank_model_says(kind, same, cases):
    statement, bank_kind = ACCESS[kind]
    text = kernel(
        "s = cuda.shared.array(256, numba.uint32)",
        "n = cuda.threadIdx.x" if same else "n = cuda.grid(1)",
        "if on[n]:",
        f"    {statement}",
        takes="i, on",
    )

    @settings(max_examples=cases, deadline=None, database=None)
    @given(st.integers(0, 2**32 - 1), st.integers(1, 256), st.floats(0, 1))
    def check(seed, most, share):
        random = np.random.default_rng(seed)
        index = random.integers(0, most, 3 * 64)
        on = random.random(3 * 64) <= share
        done = run(text, [index, on], grid=3, block=64)
        if same:
            index, on = np.tile(index[:64], 3), np.tile(on[:64], 3)
        lanes = on.reshape(-1, 32)
        costs = cost_many(bank_kind, 4, index.reshape(-1, 32) * 4, lanes)
        total = done.totals
        assert total.get(f"shared_{kind}_requests", 0) == lanes.any(axis=1).sum()
        assert total.get(f"shared_{kind}_wavefronts", 0) == costs.wavefronts.sum()
        assert total.get(f"shared_{kind}_conflicts", 0) == costs.conflicts.sum()
        assert total.get(f"shared_{kind}_ideal", 0) == costs.ideal.sum()
        assert total.get(f"shared_{kind}_lanes", 0) == on.sum()

    check()


@pytest.mark.parametrize("cases", [40, pytest.param(1000, marks=pytest.mark.long)])
@pytest.mark.parametrize("dtype", [np.int8, np.float32, np.float64])
def test_sectors_are_the_distinct_ones_of_each_warp(cases, dtype):
    text = kernel(
        "n = cuda.grid(1)", "if on[n]:", "    x = a[i[n] + first]", takes="a, i, on, first"
    )
    size = np.dtype(dtype).itemsize

    @settings(max_examples=cases, deadline=None, database=None)
    @given(st.integers(0, 2**32 - 1), st.integers(1, 500), st.floats(0, 1), st.integers(0, 9))
    def check(seed, most, share, kind):
        random = np.random.default_rng(seed)
        index = np.arange(128) * (kind - 4) if kind < 8 else random.integers(0, most, 128)
        index = index - index.min()
        on = random.random(128) <= share
        a = np.zeros(int(index.max()) + 8, dtype)
        done = run(text, [a, index, on, 7], grid=2, block=64)
        expected = ideal = 0
        for warp in range(4):
            part = index[warp * 32 :][:32][on[warp * 32 :][:32]] + 7
            expected += len({int(one) * size // 32 for one in part})
            ideal += -(-len(set(part.tolist())) * size // 32)
        line = done.line(4)
        assert line.get("global_load_sectors", 0) - sectors_of_index(on) == expected
        assert line.get("global_load_ideal_sectors", 0) - ideal_of_index(on) == ideal

    check()


def sectors_of_index(on) -> int:
    """Those of reading `i[n]`, 8 bytes each, in the same line."""
    return sum(len({lane // 4 for lane in np.flatnonzero(warp)}) for warp in on.reshape(-1, 32))


def ideal_of_index(on) -> int:
    return sum(-(-int(warp.sum()) // 4) for warp in on.reshape(-1, 32))


def test_branches_and_those_that_diverge():
    text = kernel(
        "t = cuda.threadIdx.x",
        "if t < 48:",
        "    a[t] = 1",
        "else:",
        "    a[t] = 2",
        "for i in range(t // 32):",
        "    a[t] = 3",
    )
    done = run(text, [np.zeros(128)], block=128)
    assert done.line(3) == {"instructions": 4, "lanes": 128, "branches": 4, "divergent_branches": 1}
    assert done.line(4)["global_store_lanes"] == 48
    assert done.line(4)["global_store_requests"] == 2
    loop = done.line(7)
    assert loop["branches"] == 1 + 2 + 3 + 4
    assert loop.get("divergent_branches", 0) == 0


def test_two_accesses_in_a_line_are_told_apart_by_column():
    done = run(
        kernel("t = cuda.threadIdx.x", "a[t] = a[31 - t] + b[0]", takes="a, b"),
        [np.zeros(32), np.zeros(1)],
    )
    loads = {
        place: one["global_load_sectors"]
        for place, one in done.counts.items()
        if "global_load_sectors" in one
    }
    assert loads == {(3, 12): 8, (3, 24): 1}


def test_atomics_are_counted_as_they_are_compiled():
    lines = ["s = cuda.shared.array(1, numba.int32)", "s[0] = 0", "cuda.syncthreads()"]
    for statement, wavefronts in [
        ("cuda.atomic.add(s, 0, 1)", 1),
        ("x = cuda.atomic.add(s, 0, 1)", 32),
        ("cuda.atomic.add(s, 0, 2)", 32),
        ("cuda.atomic.cas(s, 0, 1, 2)", 64),
    ]:
        done = run(kernel(*lines, statement), [np.zeros(1)])
        assert done.line(5)["shared_atomic_wavefronts"] == wavefronts, statement


def test_a_64_bit_compare_and_swap_is_one_instruction_and_a_64_bit_addition_a_loop():
    lines = ["s = cuda.shared.array(32, numba.int64)", "t = cuda.threadIdx.x", "cuda.syncthreads()"]
    for statement, wavefronts, conflicts in [
        ("cuda.atomic.cas(s, t, 1, 2)", 4, 0),
        ("cuda.atomic.cas(s, 0, 1, 2)", 64, 30),
        ("cuda.atomic.compare_and_swap(s, 1, 2)", 64, 30),
        ("cuda.atomic.add(s, 0, 2)", 32, 31),
    ]:
        done = run(kernel(*lines, statement), [np.zeros(1)], block=32)
        found = done.line(5)
        assert found["shared_atomic_wavefronts"] == wavefronts, statement
        assert found.get("shared_atomic_conflicts", 0) == conflicts, statement


def test_local_memory_is_counted():
    done = run(
        kernel("l = cuda.local.array(2, numba.int32)", "l[0] = 1", "a[0] = l[0]"), [np.zeros(1)]
    )
    assert done.line(3)["local_store_requests"] == 1
    assert done.line(4)["local_load_lanes"] == 32


def test_another_architecture():
    text = kernel("s = cuda.shared.array((32, 2), numba.float32)", "s[cuda.threadIdx.x, 0] = 1")
    assert run(text, [np.zeros(1)]).totals["shared_store_conflicts"] == 1
    assert run(text, [np.zeros(1)], arch="3.x-8byte").totals["shared_store_conflicts"] == 0


def test_dynamic_shared_memory_begins_at_a_multiple_of_16():
    lines = (
        "s = cuda.shared.array(1, numba.int32)",
        "d = cuda.shared.array(0, numba.float64)",
        "s[0] = 1",
        "d[cuda.threadIdx.x] = 1",
    )
    done = run(kernel(*lines), [np.zeros(1)], shared_bytes=256)
    assert done.line(5)["shared_store_wavefronts"] == 2
    assert done.worst[5, 5].addresses[0] == 16
