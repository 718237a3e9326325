"""Forms of the language in kernels: each thread writes what Python would write."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from grader.simt import launch
from tests.grader.simt.tools import kernel, kinds, python_function, run

THREADS = 8
FUNCTIONS = """
@cuda.jit
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)

@cuda.jit
def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)

@cuda.jit
def gcd(p, q):
    if q == 0:
        return p
    return gcd(q, p % q)

@cuda.jit
def scale(v, by=None, add=0):
    if by is None:
        return v + add
    return v * by + add

@cuda.jit
def total(*values):
    s = 0
    for value in values:
        s += value
    return s

@cuda.jit
def apply(f, v):
    return f(v)

@cuda.jit
def choose(v, how="add"):
    if how == "add":
        return v + 1
    return v - 1

"""
CASES = {
    "lambda": ["f = lambda v: v * 2", "a[i, 0] = f(i)"],
    "lambda with a default": ["f = lambda v, k=3: v * k", "a[i, 0] = f(i) + f(i, 2)"],
    "closure reads what is there when it is called": [
        "m = i",
        "f = lambda v: v + m",
        "m = i * 10",
        "a[i, 0] = f(1)",
    ],
    "closure in a branch": [
        "m = i",
        "f = lambda v: v + m",
        "if i % 2:",
        "    m = 100",
        "    a[i, 1] = f(i)",
        "a[i, 0] = f(i)",
    ],
    "closure in a loop": [
        "for k in range(3):",
        "    def f(v):",
        "        if v > 4:",
        "            return v + k",
        "        return k",
        "    a[i, k] = f(i)",
    ],
    "closure in a closure": [
        "m = i + 1",
        "def f(v):",
        "    k = v * 2",
        "    def g(w):",
        "        return w + k + m",
        "    return g(v)",
        "a[i, 0] = f(i)",
    ],
    "closure calls a closure": [
        "m = i + 1",
        "f = lambda v: v + m",
        "g = lambda v: f(v) * 2",
        "a[i, 0] = g(i)",
    ],
    "closure writes to an array": ["def f(k):", "    a[i, k] = k + i", "f(0)", "f(2)"],
    "function as an argument": ["a[i, 0] = apply(lambda v: v + 1, i) + apply(factorial, i)"],
    "recursion": ["a[i, 0] = factorial(i)", "a[i, 1] = fibonacci(i)", "a[i, 2] = gcd(i * 6, i)"],
    "None as a default": [
        "a[i, 0] = scale(i)",
        "a[i, 1] = scale(i, 3)",
        "a[i, 2] = scale(i, None, 5)",
    ],
    "star parameters": ["a[i, 0] = total(i, 1, 2)", "p = (i, 3)", "a[i, 1] = total(*p, *p)"],
    "star in a tuple": ["p = (*a.shape, i)", "a[i, 0] = p[0] + p[1] + p[2]"],
    "string as an argument": ["a[i, 0] = choose(i) + choose(i, 'sub') * 10"],
    "in a tuple": ["a[i, 0] = i in (1, 4, 6)", "a[i, 1] = i not in [2, 3]"],
    "in a string": ["a[i, 0] = 'b' in 'abc'", "a[i, 1] = 'x' in ('x', 'y')"],
    "string constants": ["s = 'ab' + 'c'", "a[i, 0] = len(s)", "a[i, 1] = s[1] == 'b'"],
    "tuples": [
        "p = (i, 2) * 2 + (5,)",
        "a[i, 0] = p[3] + p[1:][0] + p[::-1][0]",
        "a[i, 1] = (i, 2) < (4, 1)",
        "a[i, 2] = (i, 1, 0) >= (4, 1)",
        "a[i, 3] = (i, 2) != (4, 2)",
    ],
    "row of numbers": ["a[i] = i + 1"],
    "part of numbers": ["a[i, 1:3] = i", "a[i, -1:] = 9"],
    "part of every second": ["a[i, ::2] = i + 1"],
    "step that differs": ["a[i, :: i + 1] = i + 1"],
    "step that may be negative": ["r = a[i, :: 1 - 2 * (i % 2)]", "r[0] = i + 1"],
    "dots": ["a[..., 0][i] = i", "a[i, ...] = i + a[i, 0]"],
    "new axis": ["r = a[i, None, :]", "r[0, 2] = i", "a[i, np.newaxis, 1] = 4"],
    "slice object": ["s = slice(1, None, 2)", "a[i, s] = i + 1"],
    "items of a tuple into a part": ["a[i, 0:2] = (i, 2.5)"],
    "items of an array into names": ["a[i] = i + 1", "p, q, r, s = a[i]", "a[i, 0] = p + s"],
    "rows": ["for k, row in enumerate(a):", "    if k == i:", "        row[1] = k + 1"],
    "elements": ["a[i] = i", "s = 0", "for v in a[i]:", "    s += v", "a[i, 0] = s"],
    "list in a loop": ["for k in [2, 0]:", "    a[i, k] = i + k"],
    "range in a variable": ["r = range(i, 20, 3)", "a[i, 0] = len(r)", "a[i, 1] = r.stop"],
    "unrolled": [
        "s = 0.0",
        "for v in literal_unroll((1, 2.5, 4)):",
        "    if i == 3 and v > 2:",
        "        break",
        "    if i == 4 and v < 2:",
        "        continue",
        "    s += v",
        "a[i, 0] = s",
    ],
    "match": [
        "match i:",
        "    case 1:",
        "        a[i, 0] = 1",
        "    case 2 | 3:",
        "        a[i, 0] = 2",
        "    case v if v > 5:",
        "        a[i, 0] = v * 10",
        "    case _:",
        "        a[i, 0] = -1",
    ],
    "match of truth values": [
        "match i < 3:",
        "    case True:",
        "        a[i, 0] = 1",
        "    case False:",
        "        a[i, 0] = 2",
        "match i:",
        "    case None | True:",
        "        a[i, 1] = 1",
        "    case False | 4:",
        "        a[i, 1] = 2",
        "a[i, 2] = 1 if (i < 2) is not False else 2",
    ],
    "defaults of inner functions": [
        "n = i + 1",
        "f = lambda x, p=n, q=3: x * p + q",
        "def g(x, p=2 * n):",
        "    return f(x, p)",
        "n = 100",
        "a[i, 0] = f(i)",
        "a[i, 1] = g(i)",
        "for k in range(2):",
        "    if k == 0:",
        "        h = lambda x, p=k: x + p",
        "    a[i, 2] = h(i)",
    ],
    "match of an expression": ["match i % 3:", "    case 0:", "        a[i, 0] = 7"],
    "views": ["v = a.view(np.int64)", "v[i, 0] = i + 1"],
    "bits of a number": ["a[i, 0] = np.float64(i).view(np.int64) // 2**40"],
    "methods": [
        "r = a[i]",
        "r.fill(i)",
        "a[i, 0] = r.sum()",
        "m = a[i].reshape(2, 2)",
        "m[1, 0] = i + 5",
        "m.transpose()[1, 0] = i + 7",
        "a[i, 3] = m.reshape(-1)[2]",
    ],
    "sums": ["a[i, 0] = sum((i, 2, 3.5))", "a[i, 1] = np.sum(a[i])"],
    "limits": ["a[i, 0] = np.iinfo(np.int32).max", "a[i, 1] = np.finfo(np.float32).eps"],
    "isinstance": ["a[i, 0] = 1 if isinstance(i, int) else 2"],
    "assigned later in the loop": [
        "v = 0",
        "for k in range(4):",
        "    if k > i:",
        "        v = k",
        "    a[i, k] = v",
    ],
}


def in_python(text: str) -> np.ndarray:
    """What Python writes, one thread after the other."""
    a = np.zeros((THREADS, 4))
    for i in range(THREADS):
        cuda = SimpleNamespace(grid=lambda _axes, i=i: i, jit=lambda function: function)
        function = python_function(text, cuda=cuda, literal_unroll=lambda values: values)
        function.__globals__["cuda"] = cuda
        function(a)
    return a


@pytest.mark.parametrize("name", CASES)
def test_each_thread_does_what_python_does(name):
    lines = kernel("i = cuda.grid(1)", *CASES[name])
    a = np.zeros((THREADS, 4))
    head = "from numba.cuda import literal_unroll\n"
    done = launch(head + FUNCTIONS + lines, 1, THREADS, [a])
    assert not done.faults
    np.testing.assert_array_equal(a, in_python(FUNCTIONS + lines))


def test_a_thread_that_raises_in_a_device_function_does_nothing_more():
    text = """
@cuda.jit
def check(v):
    if v == 3:
        raise ValueError
    return v

@cuda.jit
def inner(v):
    return check(v) + 1

def kernel(a, b):
    i = cuda.grid(1)
    a[i] = 1
    a[i] = inner(i) + 10
    cuda.atomic.add(b, check(i), 1)
    for k in range(2):
        a[i] += 1
"""
    a, b = np.zeros(5), np.zeros(5)
    done = run(text, [a, b], block=5)
    assert a.tolist() == [13, 14, 15, 1, 17]
    assert b.tolist() == [1, 1, 1, 0, 1]
    assert not done.faults


def test_a_recursion_that_is_too_deep_is_a_finding():
    text = """
@cuda.jit
def depth(n):
    return 0 if n < 1 else depth(n - 1) + 1

def kernel(a):
    i = cuda.grid(1)
    a[i] = depth(i)
"""
    a = np.full(140, -1)
    done = run(text, [a], block=140)
    assert kinds(done) == ["resources"]
    assert a.tolist() == [*range(129), *[-1] * 11]
    assert done.findings[0].count == 11


def test_a_view_of_shared_memory_may_have_elements_of_another_size():
    """Two threads write the halves of a word: no race; a third reads the word: one."""
    text = kernel(
        "s = cuda.shared.array(8, np.float64)",
        "t = cuda.threadIdx.x",
        "v = s.view(np.int32)",
        "v[t] = t + 1",
        "cuda.syncthreads()",
        "a[t] = v[t ^ 1]",
        "w = s.view(np.int64)",
        "b[t % 8] = w[t % 8]",
        takes="a, b",
    )
    a, b = np.zeros(16, np.int32), np.zeros(8, np.int64)
    done = run(text, [a, b], block=16)
    assert not done.faults
    assert a.tolist() == [t + 1 for t in (np.arange(16) ^ 1)]
    assert b.tolist() == np.arange(1, 17, dtype=np.int32).view(np.int64).tolist()


def test_a_view_is_the_same_memory_to_a_race():
    text = kernel(
        "t = cuda.threadIdx.x",
        "v = a.view(np.int32)",
        "v[0] = t",
        "if t == 1:",
        "    a[1] = a[0]",
    )
    done = run(text, [np.zeros(2, np.float32)], block=2)
    assert "global-race" in kinds(done)


@pytest.mark.parametrize(
    ("taken", "expected"),
    [("sum(sizes(n))", 12), ("min(sizes(n))", 4), ("a.reshape(sizes(n)).shape[0]", 4)],
)
def test_a_tuple_that_is_taken_apart_is_evaluated_once(taken, expected):
    text = "def sizes(n):\n    return n[0], n[1]\n\n" + kernel(f"o[0] = {taken}", takes="a, n, o")
    out = np.zeros(1)
    done = run(text, [np.zeros(32), np.array([4, 8]), out], block=1)
    assert (out[0], done.totals["global_load_requests"]) == (expected, 2)
