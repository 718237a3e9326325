"""Whole kernels that everybody knows: right, and without a finding; `bench.emulator` times them."""

from __future__ import annotations

import time
import tracemalloc

import numpy as np
import pytest

from bench.emulator import N, cases
from grader.simt import launch, read
from tests.grader.simt.budget import LAUNCH_BUDGET
from tests.grader.simt.tools import kernel
from tests.sampling import every

CASES = cases()


@pytest.mark.parametrize("name", CASES)
def test_it_is_right_and_nothing_is_found(name):
    case = CASES[name]
    done = launch(case.source, case.grid, case.block, case.arguments)
    assert done.findings == ()
    assert np.allclose(case.arguments[-1], case.right, rtol=1e-5)


@pytest.mark.long
def test_a_million_threads_stay_within_a_gibibyte():
    lines = ["l = cuda.local.array(64, numba.float64)", "i = cuda.grid(1)", "for j in range(64):"]
    lines += ["    l[j] = i + j", "a[i] = l[(7 * i) % 64]", "b[i] = a[i]"]
    arguments = [np.zeros(N), np.zeros(N)]
    tracemalloc.start()
    launch(kernel(*lines, takes="a, b"), N // 256, 256, arguments)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 30


ROUNDS = {
    "a statement": "a[i] = a[i] + 1",
    "elements far apart": "a[(n * 7919) % N] = n",
    "another bank pattern in each round": "s[(t * n) % 1024] += t",
    "another one in each block": "s[(t * n + i) % 1024] += t",
    "a lock": "x = cuda.atomic.cas(a, 0, 0, i)",
    "a lock of a block": "x = cuda.atomic.exch(s, 0, 1)",
    "functions": "x = math.sin(n) * math.exp(i) + math.pow(n, 2.5) * math.tan(i)",
    "a warp compared": "x = cuda.match_any_sync(0xffffffff, n)",
    "out of bounds": "a[i + N] = n",
}


@pytest.mark.parametrize(
    ("round_", "threads"),
    every(
        3,
        [(each, threads) for threads in ((1, 32), (4096, 256)) for each in ROUNDS],
        lambda row: f"{row[0]}-{row[1][0]} blocks",
    ),
)
def test_the_budget_of_grading_ends_an_endless_loop(round_, threads):
    """In 2 s of a slow machine; here each takes some 0.1 s to 0.8 s."""
    lines = ("s = cuda.shared.array(1024, numba.int32)", "i = cuda.grid(1)", "n = 0")
    lines += ("t = cuda.threadIdx.x", "while True:", "    n += 1", f"    {ROUNDS[round_]}")
    function = read(kernel(*lines), names={"N": N})
    begun = time.process_time()
    done = launch(function, *threads, [np.zeros(N, dtype=np.int32)], budget=LAUNCH_BUDGET)
    assert time.process_time() - begun < 2
    assert [one.line for one in done.faults if one.kind == "budget"] == [6]
    assert done.operations >= LAUNCH_BUDGET
