"""Values that are no numbers: tuples of arrays, named tuples, enumerations, members of modules."""

from __future__ import annotations

import enum
import math
from collections import namedtuple
from types import ModuleType

import numpy as np
import pytest

from grader.simt import InvalidLaunch, Refused, launch, read
from tests.grader.simt.tools import kernel, run
from tests.sentences import english

Point = namedtuple("Point", ("x", "y", "r"))


class Color(enum.Enum):
    red = 1.5
    green = 2.5
    blue = green  # another name of it


class Planet(enum.Enum):
    EARTH = (5.9, 6.4)
    MARS = (0.6, 3.4)


class Shape(enum.IntEnum):
    circle = 2
    square = -5


class Other(enum.IntEnum):
    two = 2


class TestTuples:
    def test_arrays_in_a_tuple_are_written_and_known_by_name(self):
        text = kernel("i = cuda.grid(1)", "x[0][i] = x[1][0][i] + x[2]", takes="x")
        out, given = np.zeros(32), np.arange(32.0)
        done = launch(text, 1, 32, [(out, (given,), 5)])
        np.testing.assert_array_equal(out, given + 5)
        assert done.origin("x[0]", 3).line == 3
        assert done.written_elements("x[0]").all()

    def test_one_array_twice_is_one_memory(self):
        text = kernel("x[0][0] = 1", "a[1] = x[1][0]", takes="x, a")
        out = np.zeros(4)
        launch(text, 1, 1, [(out, out), out])
        assert out.tolist() == [1, 1, 0, 0]

    def test_a_named_tuple(self):
        text = kernel("a[0] = p.x - ORIGIN.y", "a[1] = p.r", "q = p", "a[2] = q[1]", takes="a, p")
        out = np.zeros(3)
        code = read(text, names={"ORIGIN": Point(0, 7, 0.5)})
        launch(code, 1, 1, [out, Point(1, 2, 2.25)])
        assert out.tolist() == [-6, 2.25, 2]
        with pytest.raises(Refused, match=r"no-attribute \(type=type\.tuple \(n=3\), name=z\)"):
            launch(kernel("a[0] = p.z", takes="a, p"), 1, 1, [out, Point(1, 2, 3)])

    def test_spread_over_the_arguments_of_a_call(self):
        text = "def f(a, b, c):\n    return a * 100 + b * 10 + c\n"
        lines = ("t = 1, 2", "a[0] = f(*t, 3)", "a[1] = f(0, *t)", "a[2] = min(*(1, 2))")
        out = np.zeros(3)
        launch(text + kernel(*lines), 1, 1, [out])
        assert out.tolist() == [123, 12, 1]
        with pytest.raises(Refused, match=r"python\.star-call"):
            launch(kernel("a[0] = min(*a)"), 1, 1, [out])


class TestEnumerations:
    @pytest.mark.parametrize(
        ("left", "right"),
        [
            (Color.red, Color.red),
            (Color.red, Color.green),
            (Color.green, Color.blue),
            (Planet.EARTH, Planet.MARS),
            (Shape.circle, Other.two),
            (Shape.circle, Shape.square),
        ],
    )
    def test_compared_as_python_does(self, left, right):
        lines = ("a[0] = x == y", "a[1] = x != y", "a[2] = x is y", "a[3] = x is not y")
        out = np.zeros(4, np.bool_)
        launch(kernel(*lines, takes="a, x, y"), 1, 1, [out, left, right])
        assert out.tolist() == [left == right, left != right, left is right, left is not right]

    def test_whole_ones_are_numbers(self):
        text = kernel("a[0] = n - Shape.square if n > Shape.circle else 0", takes="a, n")
        out = np.zeros(1, np.int64)
        launch(read(text, names={"Shape": Shape}), 1, 1, [out, 10])
        assert out[0] == 15

    def test_members_by_name_and_their_values(self):
        text = kernel(
            "c = Color.red",
            "if cuda.threadIdx.x % 2:",
            "    c = Color['green']",
            "a[cuda.threadIdx.x] = c.value",
        )
        out = np.zeros(32)
        launch(read(text, names={"Color": Color}), 1, 32, [out])
        assert out.tolist() == [1.5, 2.5] * 16

    @pytest.mark.parametrize(
        ("line", "what"),
        [
            ("a[0] = Color.black", r"no-member \(holder=Color, name=black\)"),
            ("a[0] = Planet.MARS.value", r"python.enum-values \(name=Planet\)"),
            ("a[0] = Color.red + 1", r"python.not-a-number \(type=type.member \(name=Color\)\)"),
        ],
    )
    def test_what_they_do_not_have(self, line, what):
        code = read(kernel(line), names={"Color": Color, "Planet": Planet})
        with pytest.raises(Refused, match=what):
            launch(code, 1, 1, [np.zeros(1)])


def test_arrays_without_axes_are_written():
    out, given = np.zeros(()), np.array(5)
    done = launch(kernel("a[()] = b[()] + 2", takes="a, b"), 1, 1, [out, given])
    assert out == 7
    assert done.written_elements("a").all()


def test_members_of_a_module():
    mine = ModuleType("mine")
    mine.SIZE, mine.inner = 4, ModuleType("inner")
    mine.inner.function = read("def double(x):\n    return 2 * x\n")
    text = kernel("s = cuda.shared.array(mine.SIZE, 'int32')", "a[0] = mine.inner.function(s.size)")
    out = np.zeros(1)
    launch(read(text, names={"mine": mine}), 1, 1, [out])
    assert out[0] == 8
    with pytest.raises(Refused, match=r"no-member \(holder=inner, name=other\)"):
        launch(read(kernel("mine.inner.other()"), names={"mine": mine}), 1, 1, [out])


@pytest.mark.parametrize(
    "part", ["::-1", "5:1:-1", "-1::-3", ":2:-2", "1:5:-1", "99:-99:-4", "3::2"]
)
def test_slices_with_any_step(part):
    given = np.arange(10)
    out = np.full(12, -1)
    lines = (
        f"s = given[{part}]",
        "out[10] = s.size",
        "for i in range(s.size):",
        "    out[i] = s[i]",
    )
    run(kernel(*lines, takes="given, out"), [given, out], block=1)
    expected = given[slice(*(int(one) if one else None for one in part.split(":")))]
    assert out[10] == expected.size
    assert out[: expected.size].tolist() == expected.tolist()


@pytest.mark.parametrize("name", ["erf", "erfc", "gamma", "lgamma"])
def test_functions_of_whole_numbers_are_real(name):
    given, out = np.arange(1, 20), np.zeros(19)
    lines = ("t = cuda.threadIdx.x", f"out[t] = math.{name}(given[t])")
    run(kernel(*lines, takes="given, out"), [given, out], block=19)
    np.testing.assert_allclose(out, [getattr(math, name)(one) for one in range(1, 20)])


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (
            "a[0] = cuda.half2(1, 2).x",
            "cuda.half2 is not emulated; use an array, or a tuple",
        ),
    ],
)
def test_what_is_refused_says_what_to_use(line, what):
    with pytest.raises(Refused) as caught:
        run(kernel(line), [np.zeros(1)])
    assert english(caught.value) == what


def test_what_a_kernel_cannot_take():
    with pytest.raises(InvalidLaunch, match=r"launch\.argument-type \(type=dict\)"):
        run(kernel("pass"), [(np.zeros(1), {})])
