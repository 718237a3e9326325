"""Lockstep with masks gives every thread what it would compute alone: random programs, each run by
Python itself, one thread after the other; and the forms of control flow one by one.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.simt import NotTyped, Refused, launch, read
from grader.simt.lockstep import gathering, statements
from grader.simt.program import liveness
from tests.grader.simt.tools import kernel, run

NAMES = ("x", "y", "z")
THREADS = 70
VALUES = st.sampled_from([*NAMES, "t", "1", "2", "3", "7"])


EXPRESSIONS = [
    *("{}", "(({} + {}) % 1000)", "({} * {} % 11)", "({} - {})", "(-{})", "abs({})", "min({}, {})"),
    *("({} if {} > {} else {})", "mixed({}, {})", "l[({}) % 3]"),
]
TESTS = [
    *("{} > {}", "{} % 3 == {} % 3", "{} < {} < {}", "not {}", "{} > 2 and {} < 5"),
    *("{} == 1 or {} > {}", "early({}) > 1 and {} > 3"),
]
RANGES = ["3", "t % 4", "abs({}) % 5", "2, t % 6", "4, 0, -1"]
RETURN = [*(f"    out[{at} * {THREADS} + t] = {one}" for at, one in enumerate(NAMES)), "    return"]


def filled(draw, forms: list[str]) -> str:
    """One of some forms, with names and numbers."""
    form = draw(st.sampled_from(forms))
    return form.format(*(draw(VALUES) for _ in range(form.count("{}"))))


class Writer:
    """Writes random statements; its loops all end."""

    def __init__(self, draw) -> None:
        self.draw = draw
        self.left = 14

    def block(self, depth: int, *, in_loop: bool = False) -> list[str]:
        kinds = ["assign", "assign", "augment", "local"]
        if depth < 3 and self.left > 0:
            kinds += ["branch", "branch", "branch", "counted", "condition"]
        kinds += ["leave", "leave"] if in_loop else []
        kinds += ["finish"] if depth else []
        lines = []
        for _ in range(self.draw(st.integers(1, 3))):
            self.left -= 1
            lines += getattr(self, self.draw(st.sampled_from(kinds)))(depth, in_loop)
        return lines

    def inner(self, depth: int, in_loop: bool) -> list[str]:
        return ["    " + line for line in self.block(depth + 1, in_loop=in_loop)]

    def assign(self, _depth, _in_loop):
        return [f"{self.draw(st.sampled_from(NAMES))} = {filled(self.draw, EXPRESSIONS)}"]

    def augment(self, _depth, _in_loop):
        return [f"{self.draw(st.sampled_from(NAMES))} += {filled(self.draw, EXPRESSIONS)}"]

    def local(self, _depth, _in_loop):
        return [f"l[({filled(self.draw, EXPRESSIONS)}) % 3] = {filled(self.draw, EXPRESSIONS)}"]

    def branch(self, depth, in_loop):
        lines = [f"if {filled(self.draw, TESTS)}:", *self.inner(depth, in_loop)]
        if self.draw(st.booleans()):
            lines += [f"elif {filled(self.draw, TESTS)}:", *self.inner(depth, in_loop)]
        if self.draw(st.booleans()):
            lines += ["else:", *self.inner(depth, in_loop)]
        return lines

    def counted(self, depth, _in_loop):
        name = self.draw(st.sampled_from(["i", "x"]))
        lines = [f"for {name} in range({filled(self.draw, RANGES)}):", *self.inner(depth, True)]
        if self.draw(st.booleans()):
            lines += ["else:", *self.inner(depth, False)]
        return lines

    def condition(self, depth, _in_loop):
        test = filled(self.draw, TESTS)
        head = [f"n{depth} = 0", f"while n{depth} < 4 and ({test}):", f"    n{depth} += 1"]
        return [*head, *self.inner(depth, True)]

    def leave(self, _depth, _in_loop):
        how = self.draw(st.sampled_from(["break", "continue"]))
        return [f"if {filled(self.draw, TESTS)}:", f"    {how}"]

    def finish(self, _depth, _in_loop):
        return [f"if {filled(self.draw, TESTS)}:", *RETURN]


@st.composite
def programs(draw) -> list[str]:
    return Writer(draw).block(0)


HELPERS = """
def mixed(p, q):
    if p > q:
        return p - q
    for k in range(abs(q) % 3):
        if k == p:
            return k
        p = p + k
    return p

def early(p):
    if p < 0:
        return 0
    return p % 4
"""


def alone(body: list[str]) -> np.ndarray:
    """Each thread by itself, by Python."""
    space: dict = {}
    lines = ["def thread(t, out, l):", *("    " + line for line in body)]
    exec(HELPERS + "\n".join(lines), space)
    out = np.zeros(3 * THREADS, np.int64)
    for t in range(THREADS):
        space["thread"](t, out, [0, 0, 0])
    return out


@pytest.fixture(params=["as it is", "paused at once", "gathered at once"])
def waiting(request, monkeypatch):
    """What blocks do in a loop: with the second, they wait for others in a `while` wherever they
    can; with the third, warps are gathered as soon as one has left.
    """
    if request.param == "gathered at once":
        monkeypatch.setattr(gathering, "FEWEST", 0)
        monkeypatch.setattr(gathering, "DENSE", 1.0)
    if request.param == "paused at once":
        monkeypatch.setattr(liveness, "may_spin", lambda loop: not loop.counted)
        monkeypatch.setattr(statements, "_PATIENCE", 0)


@pytest.mark.parametrize("cases", [25, pytest.param(5000, marks=pytest.mark.long)])
def test_random_programs(cases, waiting):
    ends = [f"out[{at} * {THREADS} + t] = {name}" for at, name in enumerate(NAMES)]

    @settings(max_examples=cases, deadline=None, database=None)
    @given(programs())
    def check(lines):
        body = ["x = t", "y = 3", "z = 0", *lines, *ends]
        local = ["l = cuda.local.array(3, numba.int64)", "for k in range(3):", "    l[k] = 0"]
        text = HELPERS + kernel("t = cuda.grid(1)", *local, *body, takes="out")
        out = np.zeros(3 * THREADS, np.int64)
        done = run(text, [out], grid=2, block=35, budget=3_000_000_000)
        assert done.faults == (), text
        expected = alone(body)
        assert out.tolist() == expected.tolist(), text

    check()


def result(*lines: str, takes: str = "a", threads: int = 8, dtype=np.int64, arguments=()) -> list:
    out = np.zeros(threads, dtype)
    run(kernel("t = cuda.threadIdx.x", *lines, takes=takes), [out, *arguments], block=threads)
    return out.tolist()


def test_else_of_a_loop_is_for_those_that_did_not_break():
    found = result(
        "for i in range(5):",
        "    if i == t:",
        "        break",
        "else:",
        "    a[t] = 9",
        "a[t] += i",
    )
    assert found == [0, 1, 2, 3, 4, 13, 13, 13]


def test_what_else_of_a_loop_assigns_is_not_for_those_that_broke():
    """Their variable keeps its type, too: a constant in `else` is none after it."""
    lines = ["x = t", "for i in range(3):", "    if x > 3:", "        break", "else:", "    x = 3"]
    assert result(*lines, "a[t] = x") == [3, 3, 3, 3, 4, 5, 6, 7]


def test_a_loop_over_a_tuple_and_over_an_array():
    assert result("for i in (1, 2, 4):", "    a[t] += i * t")[3] == 21
    array = np.arange(5)
    assert result("for x in b:", "    a[t] += x", takes="a, b", arguments=[array])[0] == 10


def test_unpacking_and_swapping():
    assert result("x, y = t, 5", "for i in range(t):", "    x, y = y, x", "a[t] = x * 10 + y") == [
        5,
        51,
        25,
        53,
        45,
        55,
        65,
        57,
    ]
    assert result("(x, y), z = (1, 2), 3", "a[t] = x + y * z")[0] == 7


def test_short_circuit_reads_nothing_that_is_not_asked_for():
    """`a[t + 1]` is read by those only for whom it is there."""
    out = np.zeros(8)
    done = run(
        kernel("t = cuda.threadIdx.x", "if t + 1 < a.size and a[t + 1] == 0:", "    a[t] = 1"),
        [out],
        block=8,
    )
    assert done.findings == () or {one.kind for one in done.findings} == {"global-race"}
    assert out.tolist() == [1] * 7 + [0]


def test_a_ternary_reads_only_what_it_chooses():
    done = run(
        kernel("t = cuda.threadIdx.x", "x = b[t] if t < b.size else -1", "a[t] = x", takes="a, b"),
        [np.zeros(8), np.ones(4)],
        block=8,
    )
    assert done.findings == ()


def test_slices_are_views():
    array = np.zeros((4, 6), np.int64)
    run(
        kernel(
            "row = a[cuda.threadIdx.x]",
            "part = row[1:-1]",
            "part[0] = part.size",
            "part[part.shape[0] - 1] = len(row)",
            "a[0:2, 3][1] = 7",
        ),
        [array],
        block=4,
    )
    assert array[2].tolist() == [0, 4, 0, 0, 6, 0]
    assert array[1, 3] == 7


def test_strided_and_reversed_arrays_can_be_given():
    whole = np.zeros((6, 6), np.int64)
    run(kernel("x, y = cuda.grid(2)", "a[x, y] = 10 * x + y"), [whole[::2, ::-3]], block=(3, 2))
    expected = np.zeros((6, 6), np.int64)
    expected[::2, ::-3] = [[0, 1], [10, 11], [20, 21]]
    assert (whole == expected).all()


def test_fortran_order_and_transposed():
    whole = np.zeros((3, 4), np.int64, order="F")
    run(kernel("x, y = cuda.grid(2)", "a.T[y, x] = 10 * x + y"), [whole], block=(3, 4))
    assert whole[2].tolist() == [20, 21, 22, 23]


def test_device_functions_closures_and_globals():
    scale, table = 3, np.array([5, 7, 11])
    text = "def twice(x):\n    return x * 2\n" + kernel(
        "t = cuda.threadIdx.x", "a[t] = twice(t) * SCALE + TABLE[t % 3]"
    )
    out = np.zeros(4, np.int64)
    launch(read(text, names={"SCALE": scale, "TABLE": table}), 1, 4, [out])
    assert out.tolist() == [5, 13, 23, 23]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("x = [1, 2]", "python.no-lists"),
        ("x = undefined", r"unknown-name \(name=undefined\)"),
        ("import os", "python.no-imports"),
        (
            "x = cuda.shred.array(3, numba.int32)",
            r"\(name=cuda.shred\); suggest.name",
        ),
        ("s = cuda.shared.array(a.size, numba.int32)", "simt.shape-not-constant"),
        ("s = cuda.shared.array((32, 32 + n), numba.int32)", "simt.shape-not-constant"),
        ("raise ValueError(a)", "simt.raise-form"),
        ("return 5", "python.kernel-returns"),
        ("x = a.argmax()", "python.array-attribute"),
        ("x = a[1.5]", "python.index-type"),
        ("if a:\n    pass", "python.not-a-number"),
        ("with a:\n    pass", "python.no-with"),
        ("x = f'{a}'", "python.no-text"),
        ("x = 'a' + 1", r"not-a-number \(type=type.string\)"),
        ("print(a)", r"print-type \(type=type.array"),
        ("x = 1 @ 2", "python.no-matmul"),
        ("x = cuda.grid(n)", "simt.axes-not-constant"),
        ("x = kernel(a, n)", r"python.recursion \(function=kernel\)"),
        ("x = 1 << 2.5", "simt.no-overload"),
        ("x = a[0, 1, 2]", r"index-count \(count=3"),
        ("cuda.atomic.add(a, 0)", r"argument-count \(name=cuda.atomic.add, n=3\)"),
        ("x = y", "unassigned \\(name=y\\)\ny = 1"),
    ],
)
def test_what_is_not_emulated_is_refused_with_its_place(line, what):
    line, what = (f"{line}\ny = 1", what.partition("\n")[0]) if "\n" in what else (line, what)
    what, _, advice = what.partition("; ")
    with pytest.raises(Refused, match=what) as caught:
        run(kernel(*line.split("\n"), takes="a, n"), [np.zeros(4), 3])
    assert advice in str(caught.value.instead)
    expected = 1 if line.startswith("return") else 2
    assert caught.value.line in (expected, expected + 1)
    assert caught.value.column >= 1


def test_types_that_do_not_go_together():
    with pytest.raises(NotTyped, match=r"python.variable-types \(name=x"):
        run(kernel("if n:", "    x = 1", "else:", "    x = (1, 2)", "y = x", takes="n"), [1])
    # To NumPy's `==`, an array's type and that of its elements are equal.
    with pytest.raises(NotTyped, match=r"python.variable-types \(name=a"):
        run(
            kernel("for i in range(2):", "    n = a[0]", "    a = n", takes="a, n"), [np.ones(4), 1]
        )


def test_a_constant_that_is_passed_on_can_be_a_shape():
    text = """
def filled(a, size, dtype, combine):
    s = cuda.shared.array(size, dtype)
    t = cuda.threadIdx.x
    s[t] = 3
    combine(s, t, 4)
    a[t] = s[t]

def kernel(a):
    filled(a, 32, numba.int32, cuda.atomic.add)
"""
    out = np.zeros(32)
    done = run(text, [out])
    assert done.findings == ()
    assert set(out.tolist()) == {7}
