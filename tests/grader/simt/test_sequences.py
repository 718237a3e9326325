"""Loops over what `enumerate` and `zip` give: as Python goes through them."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import Refused
from tests.grader.simt.tools import kernel, python_function, run

X = np.array([10, 9, 8, 7, 6])
Y = np.array([1.5, 2.5, 3.5])


@pytest.mark.parametrize(
    "loop",
    [
        ("for i, x in enumerate(xs):", "    out[0] = out[0] * 3 + i * x"),
        ("for i, x in enumerate(xs, 2):", "    out[0] = out[0] * 3 + i * x"),
        ("for x, y in zip(xs, ys):", "    out[0] = out[0] * 3 + x * y"),
        ("for i, (x, y) in enumerate(zip(xs, ys)):", "    out[0] = out[0] * 3 + i + x * y"),
        ("for (i, x), y in zip(enumerate(xs), ys):", "    out[0] = out[0] * 3 + i + x * y"),
        ("for t, x in zip((2, 3, 5), xs):", "    out[0] = out[0] * 3 + t * x"),
        ("for r, x in zip(range(9, 0, -2), xs):", "    out[0] = out[0] * 3 + r * x"),
        ("for i, x in enumerate(xs):", "    if x == 8:", "        continue", "    out[0] += i"),
        ("for i, x in enumerate(xs):", "    if x == 8:", "        break", "    out[0] += i * x"),
        ("for x in xs:", "    xs = xs[1:]", "    out[0] = out[0] * 3 + x + xs.size"),
    ],
)
def test_as_python(loop):
    text = kernel(*loop, takes="xs, ys, out")
    expected, found = np.zeros(1), np.zeros(1)
    python_function(text)(X, Y, expected)
    assert run(text, [X, Y, found], block=1).faults == ()
    assert found == expected


def test_lanes_go_through_parts_of_different_length():
    text = kernel(
        "t = cuda.threadIdx.x",
        "for i, x in enumerate(xs[:t]):",
        "    out[t] += i * x",
        takes="xs, out",
    )
    out = np.zeros(32, np.int64)
    run(text, [np.arange(40), out])
    assert out.tolist() == [sum(i * i for i in range(t)) for t in range(32)]


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("for i, x in enumerate(3):", r"loop-over \(type=type\.number \(value=3\)\)"),
        ("for i, x in enumerate((1, 2.5)):", "python.mixed-tuple"),
        ("for x in zip():", r"simt\.zip"),
    ],
)
def test_what_no_loop_goes_through(head, message):
    with pytest.raises(Refused, match=message):
        run(kernel(head, "    pass"), [np.zeros(1)])


def test_rows_of_an_array_are_arrays():
    a = np.arange(24.0).reshape(4, 3, 2)
    lines = ["i = cuda.grid(1)", "s = 0.0", "for row in a[i % 3:]:", "    for one in row:"]
    lines += ["        s = 2 * s + one[0] - one[1] * row.shape[0]", "o[i] = s"]
    out = np.zeros(32)
    run(kernel(*lines, takes="a, o"), [a, out])
    for i in range(32):
        s = 0.0
        for row in a[i % 3 :]:
            for one in row:
                s = 2 * s + one[0] - one[1] * row.shape[0]
        assert out[i] == s
