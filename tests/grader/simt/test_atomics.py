"""Atomics where Numba has ways of its own: NaN, and indices that are no whole numbers."""

from __future__ import annotations

import numpy as np
import pytest

from tests.grader.simt.tools import kernel, run

NAN = np.nan


@pytest.mark.parametrize("used", [False, True])
@pytest.mark.parametrize(
    ("name", "before", "value"),
    [
        ("max", 1.0, 9.0),
        ("max", NAN, NAN),  # what is there stays
        ("min", 7.0, 2.0),
        ("min", NAN, NAN),
        ("nanmax", NAN, 9.0),
        ("nanmin", NAN, 2.0),
    ],
)
def test_nan(name, before, value, used):
    given = np.array([NAN, 2, NAN, 9])
    out, old = np.array([before]), np.zeros(4)
    call = f"cuda.atomic.{name}(out, 0, given[t])"
    lines = ("t = cuda.threadIdx.x", f"old[t] = {call}" if used else call)
    run(kernel(*lines, takes="given, out, old"), [given, out, old], block=4)
    np.testing.assert_array_equal(out, [value])
    if used:
        np.testing.assert_array_equal(old[0], before)


def test_what_is_behind_the_point_of_an_index_is_cut_off():
    out = np.zeros((2, 4))
    lines = ("t = cuda.threadIdx.x", "cuda.atomic.add(a, (t // 4, t % 4 + 0.5), 1)")
    assert run(kernel(*lines), [out], block=8).faults == ()
    assert (out == 1).all()
