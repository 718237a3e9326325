"""What of a text is executed: nothing that could do anything."""

from __future__ import annotations

import math

import pytest

from grader.gpu.devices.loading import load
from grader.simt import Refused

DONE: list[str] = []
KERNEL = "def kernel(a):\n    a[0] = 1\n"


def jit(function, **options):
    function.options = options
    return function


def loaded(source: str, *, gated: bool = True):
    DONE.clear()
    return load(source, "kernel", {"math": math, "DONE": DONE}, jit, gated=gated)


@pytest.mark.parametrize(
    "source",
    [
        f"@DONE.append\n{KERNEL}",
        f"@(lambda f: DONE.append('x'))\n{KERNEL}",
        "def kernel(a: DONE.append('x')):\n    a[0] = 1\n",
        "def kernel(a) -> DONE.append('x'):\n    a[0] = 1\n",
        f"if __name__ == '__main__':\n    DONE.append('x')\n{KERNEL}",
        f"@cuda.jit(DONE.append('x'))\n{KERNEL}",
        f"@cuda.jit(fastmath=DONE.append('x'))\n{KERNEL}",
    ],
)
def test_what_stands_around_a_function_is_not_executed(source):
    given = [0]
    loaded(source)(given)
    assert (DONE, given) == ([], [1])


@pytest.mark.parametrize(
    "source",
    [
        f"DONE.append('x')\n{KERNEL}",
        f"x = DONE.append('x')\n{KERNEL}",
        f"import os\n{KERNEL}",
        f"from os import system\n{KERNEL}",
        f"{KERNEL}\ndef other(x=DONE.append('x')): pass\n",
        f"{KERNEL}\ndef other(*, x=DONE.append('x')): pass\n",
        f"class A:\n    DONE.append('x')\n{KERNEL}",
        f"for i in (DONE.append('x'),): pass\n{KERNEL}",
        f"x = [DONE.append('x')]\n{KERNEL}",
        "x = 1\n",
    ],
)
def test_what_would_do_something_is_refused(source):
    with pytest.raises(Refused):
        loaded(source)
    assert DONE == []


def test_constants_helpers_and_the_compilers_options_are_kept():
    source = (
        "import math\nN = 4\nROOT = math.sqrt(N)\n"
        "@cuda.jit(device=True, inline='always')\ndef twice(x, by=2):\n    return x * by\n"
        "def plain(x):\n    return x + N\n"
        "@cuda.jit('void(int32[:])', fastmath=True, max_registers=64, cache=True)\n"
        "def kernel(a):\n    a[0] = twice(plain(ROOT))\n"
    )
    kernel, given = loaded(source), [0]
    kernel(given)
    assert given == [12.0]
    assert kernel.options == {"fastmath": True, "max_registers": 64}
    helpers = kernel.__globals__
    assert helpers["twice"].options == {"inline": "always", "device": True}
    assert helpers["plain"].options == {"device": True}


def test_ungated_a_text_is_executed_as_it_stands():
    given = [0]
    loaded(f"DONE.append('x')\n{KERNEL}", gated=False)(given)
    assert (DONE, given) == (["x"], [1])
    with pytest.raises(Refused, match=r"python\.no-function \(name=kernel\)"):
        loaded("x = 1\n", gated=False)
