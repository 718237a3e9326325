"""One number assigned to a part of an array: as NumPy does it, a store for each element."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import Refused, launch
from tests.grader.simt.tools import kernel, kinds, run

PARTS = [
    "a[i, :] = i",
    "a[i, 1:3] = i + 0.5",
    "a[i:i + 1, ::2] = -i",
    "a[i][1:] = i",
    "a.T[2:, i] = i",
]


@pytest.mark.parametrize("part", PARTS)
def test_a_part_is_filled_as_numpy_fills_it(part):
    a, wanted = np.ones((40, 5)), np.ones((40, 5))
    done = run(kernel("i = cuda.grid(1)", "if i < 40:", f"    {part}"), [a], block=64)
    for i in range(40):
        exec(part, {"a": wanted, "i": i})
    assert a.tolist() == wanted.tolist()
    assert done.faults == ()


def test_each_element_is_a_store():
    lines = ["s = cuda.shared.array(64, numba.float32)", "t = cuda.threadIdx.x", "s[:] = 1"]
    done = run(kernel(*lines), [np.zeros(1)], block=64)
    assert done.line(4)["shared_store_requests"] == 64 * 2
    assert done.line(4)["shared_store_conflicts"] == 0


def test_threads_that_fill_with_different_numbers_race():
    assert set(kinds(run(kernel("a[:] = cuda.grid(1)"), [np.zeros(4)]))) == {"global-race"}


def test_the_budget_ends_it():
    done = launch(kernel("a[:] = 1"), 1, 32, [np.zeros(1_000_000)], budget=10_000_000)
    assert kinds(done) == ["budget"]


@pytest.mark.parametrize(
    ("line", "what"),
    [("a[:] = a", "python.fill"), ("a[1:] += 2", "python.partial-write")],
)
def test_what_is_more_than_a_number_is_refused(line, what):
    with pytest.raises(Refused, match=what) as refused:
        launch(kernel(line), 1, 1, [np.zeros(4)])
    assert (refused.value.line, refused.value.column) == (2, 5)
