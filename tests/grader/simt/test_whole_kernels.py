"""Whole kernels that everybody knows: right, and without a finding; `bench.emulator` times them."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from bench.emulator import N, cases
from grader.simt import GRADING_BUDGET, launch
from tests.grader.simt.tools import kernel

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


@pytest.mark.parametrize("threads", [(1, 32), (4096, 256)])
def test_the_budget_of_grading_ends_an_endless_loop(threads):
    text = kernel("i = cuda.grid(1)", "while True:", "    a[i] = a[i] + 1")
    done = launch(text, *threads, [np.zeros(N)], budget=GRADING_BUDGET)
    assert [(one.kind, one.line) for one in done.faults] == [("budget", 3)]
