"""A kernel of a script as a text of its own: the same lines, and all that it names."""

from __future__ import annotations

import math
from dataclasses import asdict
from types import SimpleNamespace

import numpy as np
import pytest

from grader.facts import fact
from grader.gpu.devices.loading import load
from grader.simt.host.standalone import KernelTexts, Unsaid, standalone
from grader.simt.numba.reading.source import of_function

FACTOR = 3
TABLE = np.arange(4)
cuda = SimpleNamespace(jit=lambda function: function, __simt_path__="cuda")


def twice(x):
    return x + x


def scale(a, out):
    for i in range(out.size):
        out[i] = FACTOR * twice(a[i]) + math.floor(np.float32(1.5))


def looks_up(out):
    out[0] = TABLE[1]


def factory(n):
    def inner(out):
        out[0] = n

    return inner


def loaded(text: str, kernel: str):
    """Executed as the process that compiles does."""
    return load(text, kernel, {"np": np, "math": math}, lambda f, **_: f, gated=True)


def launched(times: int) -> dict:
    """A launch as plain data, in which line 7 is executed so often."""
    place = {"kernel": "scale", "file": "a.py", "line": 6, "block": [32, 1, 1]}
    other = {"line": 7, "file": "b.py", "instructions": 99}
    return {**place, "lines": [{"line": 7, "instructions": times}, other]}


def described(function, arguments):
    texts = KernelTexts()
    texts.add(of_function(function), arguments, 0, launched(1))
    return texts.plain[0]


def test_it_does_the_same_and_stands_in_the_same_lines():
    text = standalone(of_function(scale))
    again = loaded(text, "scale")
    assert again.__code__.co_firstlineno == scale.__code__.co_firstlineno
    a, out = np.arange(3), np.zeros(3)
    again(a, out)
    assert out.tolist() == [1, 7, 13]


def test_what_a_closure_holds_is_written_as_a_number():
    out = [0]
    loaded(standalone(of_function(factory(7))), "inner")(out)
    assert out == [7]


def test_what_cannot_be_written_makes_no_text():
    with pytest.raises(Unsaid) as error:
        standalone(of_function(looks_up))
    assert error.value.what == fact("compile.name", name="TABLE")
    found = described(looks_up, [np.zeros(1)])
    assert (found["text"], found["why"]) == ("", asdict(error.value.what))


@pytest.mark.parametrize(
    ("argument", "types"),
    [
        (np.zeros((2, 2), np.float32), ("float32", 2)), (np.int8(1), ("int8", 0)),
        (3, ("int64", 0)), (2.5, ("float64", 0)), (True, ("bool", 0)),
    ],
)  # fmt: skip
def test_the_types_of_arguments(argument, types):
    found = described(factory(1), [argument])
    assert found["text"]
    assert found["arguments"] == [types]


@pytest.mark.parametrize("argument", [(1, 2), None, np.zeros(1, "M8[s]"), "text"])
def test_an_argument_of_another_type(argument):
    found = described(factory(1), [argument])
    assert found["text"] == ""
    assert found["why"] == asdict(fact("compile.argument", name="out"))


@pytest.mark.parametrize(
    ("path", "written"),
    [
        ("numba.types.float32", "from numba import float32 as kind"),
        ("numba.types.bool", "from numba import boolean as kind"),
        ("numba.int64", "from numba import int64 as kind"),
        ("numba.types", "from numba import types as kind"),
        ("np.float32", "from numpy import float32 as kind"),
    ],
)
def test_a_type_is_imported_however_the_script_imports_it(path, written):
    def typed(out):
        out[0] = kind(1)

    kind = SimpleNamespace(__simt_path__=path)
    assert written in standalone(of_function(typed)).splitlines()


def test_launches_of_one_kernel_add_up():
    texts = KernelTexts()
    for n in (1, 2):
        texts.add(of_function(scale), [np.zeros(4), np.zeros(4)], 0, launched(n))
    texts.add(of_function(scale), [np.zeros(4, np.float32), np.zeros(4)], 0, launched(5))
    assert [found["executed"] for found in texts.plain] == [{"7": 3}, {"7": 5}]
