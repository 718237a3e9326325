"""Comparisons that are decided by the source: with lists that stand in it, and of text."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import Refused, launch
from tests.grader.simt.tools import kernel, module, python_function, run, types_here

TESTS = ["i in [3, 4]", "i not in [0, i + 1]", "i in (1, 5)", "7 - i in [i, 3]"]


@pytest.mark.parametrize("test", TESTS)
def test_in_looks_into_a_list_of_the_source(test):
    a = np.zeros(32)
    run(kernel("i = cuda.grid(1)", f"a[i] = {test}"), [a])
    assert a.tolist() == [eval(test, {"i": i}) for i in range(32)]


def test_an_element_that_is_looked_for_is_loaded_once():
    done = run(kernel("i = cuda.grid(1)", "if a[i] in [1, 2, 3]:", "    a[i] = 1"), [np.ones(32)])
    assert done.line(3)["global_load_requests"] == 1


@pytest.mark.parametrize(("mode", "expected"), [("fast", 1), ("exact", 2)])
@pytest.mark.parametrize("test", ['MODE == "fast"', '"exact" != MODE'])
def test_text_of_the_file_chooses(mode, expected, test):
    a = np.zeros(1)
    head = kernel(f"if {test}:", "    a[0] = 1", "else:", "    a[0] = 2")
    launch(f"MODE = {mode!r}\n{head}", 1, 1, [a])
    assert a[0] == expected


@pytest.mark.parametrize("test", ["3 or True", "True and 2", "not 0", "not (0 or 0.0)", "0 or 1"])
def test_a_test_of_literals_drops_the_other_branch(test):
    """As Python does before Numba sees it: the type is that of the branch that is left."""
    text = f"def f(a):\n    x = 7 if {test} else 2.5\n    return x // 2 * a\n"
    found = types_here(text.replace("return", "y ="), {"a": np.dtype(np.int64)})
    numba = module("numba")
    theirs = numba.njit(python_function(text))(numba.int64(1))
    assert found["x"] == "int64"
    assert theirs == 3
    assert isinstance(theirs, int)


def test_other_lists_are_refused():
    with pytest.raises(Refused, match=r"python\.no-lists"):
        launch(kernel("x = [1, 2]", "a[0] = 1 in x"), 1, 1, [np.zeros(1)])
