"""Variables of Numba kernels that only some threads assign: found where others read them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.grader.simt.tools import kernel, run

FAULTY = {
    ("if t < 16:", "    v = a[t]", "a[t] = v"): (5, 48),
    ("if t < 16:", "    v = 5", "a[t] = v"): (5, 48),
    ("if t < 16:", "    v = True", "if v:", "    a[t] = 1"): (5, 48),
    ("for i in range(t):", "    v = i", "a[t] = v"): (5, 1),
    ("for i in range(t):", "    pass", "a[t] = i"): (5, 1),
    ("n = 0", "while n < t:", "    n += 1", "    v = n", "a[t] = v"): (7, 1),
    ("if t < 16:", "    v = 1", "elif t < 32:", "    v = 2.5", "a[t] = v"): (7, 32),
    ("if t > 9:", "    v = t", "v += 1", "a[t] = v"): (5, 10),
    ("if t > 9:", "    v = t", "if t < 60:", "    a[t] = v"): (6, 10),
    ("if t < 4:", "    p, q = t, 2 * t", "a[t] = p"): (5, 60),
    ("if t < 4:", "    v = t", "x = v", "a[t] = x"): (5, 60),
}
CLEAN = (
    ("if t < 16:", "    v = 1", "else:", "    v = t", "a[t] = v"),
    ("if t < 16:", "    v = t", "if t < 16:", "    a[t] = v"),
    ("for i in range(t + 1):", "    v = i", "a[t] = v + i"),
    ("while True:", "    v = t", "    if v >= 0:", "        break", "a[t] = v"),
    ("for k in range(4):", "    if k == 0:", "        v = t", "    a[t] += v"),
    ("if t > 99:", "    return", "v = 3", "a[t] = v"),
)


def findings_of(lines):
    return run(kernel("t = cuda.threadIdx.x", *lines), [np.zeros(64)], block=64).findings


@pytest.mark.parametrize("lines", FAULTY)
def test_a_variable_that_some_threads_never_assign_is_found_where_they_read_it(lines):
    first = findings_of(lines)[0]
    assert (first.kind, first.topic) == ("uninitialised-read", "variable")
    assert (first.line, first.count) == FAULTY[lines]


@pytest.mark.parametrize("lines", CLEAN)
def test_a_variable_that_every_reader_has_assigned_is_not_blamed(lines):
    assert findings_of(lines) == ()
