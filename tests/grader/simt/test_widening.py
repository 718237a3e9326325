"""float64 arithmetic on float32 data is told once for each cause, at the line where that is."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import Finding
from tests.grader.simt.tools import kernel, run


def warnings(*lines: str, head: str = "") -> list[Finding]:
    a, b, o = (np.ones(64, np.float32) for _ in range(3))
    done = run(head + kernel("t = cuda.grid(1)", *lines, takes="a, b, o, x"), [a, b, o, 0.5])
    assert {(one.kind, one.topic) for one in done.findings} <= {("warning", "float64")}
    return list(done.findings)


def lines_of(*lines: str, head: str = "") -> list[int]:
    return [one.line for one in warnings(*lines, head=head)]


@pytest.mark.parametrize("start", ["0.0", "0", "-1.5"])
def test_an_accumulator_is_reported_where_it_starts(start):
    (one,) = warnings(
        f"s = {start}", "for k in range(4):", "    s += a[k] * b[k]", "    s = s + a[k]", "o[t] = s"
    )
    assert (one.line, one.other_line) == (3, 5)
    assert (one.what.code, one.what.fields["name"]) == ("finding.float64.variable", "s")
    assert one.what.fields["lines"].fields["lines"] == (5, 6)
    assert one.hint is None


def test_a_function_is_named_before_its_operands():
    (one,) = warnings("o[t] = max(a[t], x)")
    fields = {"function": "max", "dtype": "float64"}
    assert (one.what.code, one.what.fields) == ("finding.float64.call", fields)


CASES = {
    "a literal": (["o[t] = a[t] * 0.5"], [3]),
    "what a literal widens": (["y = a[t] * 0.5", "z = y + a[t]", "o[t] = z - b[t]"], [3]),
    "two literals": (["y = a[t] * 0.5", "o[t] = b[t] + 1.5"], [3, 4]),
    "one literal deep in an expression": (["o[t] = a[t] + (b[t] + (a[t] * 2.0))"], [3]),
    "two accumulators": (
        ["s, u = 0.0, 0.0", "for k in range(3):", "    s += a[k]", "    u += b[k]"],
        [3],
    ),
    "accumulators on their own lines": (
        ["s = 0.0", "u = 0.0", "for k in range(3):", "    s += a[k]", "    u += b[k]"],
        [3, 4],
    ),
    "an argument": (["y = a[t] * x", "o[t] = b[t] * x"], [3]),
    "a name of the file": (["y = a[t] * RATE", "o[t] = b[t] * RATE"], [4]),
    "an integer": (["o[t] = a[t] * t"], [3]),
    "two uses of an integer": (["o[t] = a[t] * t", "o[t] = b[t] - t"], [3, 4]),
    "a maximum": (["s = 0.0", "for k in range(3):", "    s = max(s, a[k])", "o[t] = s"], [3]),
    "a function of math": (["s = 0.5", "o[t] = math.hypot(a[t], s)"], [3]),
    "nothing": (["s = numba.float32(0)", "s += a[t] * b[t]", "o[t] = s"], []),
}


@pytest.mark.parametrize("name", CASES)
def test_one_warning_for_each_cause(name):
    lines, expected = CASES[name]
    head = "RATE = 1.01\n" if "RATE" in "".join(lines) else ""
    assert lines_of(*lines, head=head) == expected


def test_an_accumulator_of_a_device_function_is_its_own_cause():
    head = "def total(a):\n    s = 0.0\n    for x in a:\n        s += x\n    return s\n\n"
    (one,) = warnings("o[t] = total(a)", head=head)
    assert (one.line, one.other_line) == (2, 4)


def test_a_nest_of_loops_tells_the_cause_once():
    (one,) = warnings(
        "s = 0.0",
        "for i in range(2):",
        "    for j in range(2):",
        "        for k in range(2):",
        "            s += a[i + j + k]",
        "o[t] = s",
    )
    assert (one.line, one.count) == (3, 1)
