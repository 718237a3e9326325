"""What is nested deeply costs in proportion: counted in calls and in loads, never in time."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from grader.simt import Refused, launch
from grader.simt.numba.unit import Unit
from grader.simt.program.liveness import Liveness
from tests.grader.simt.tools import kernel, run

LEVELS = 15
BLOCKS = {
    "for": ["for i{0} in range(1):"],
    "for over a tuple": ["for i{0} in (1,):"],
    "accumulators": ["s{0} = 0", "for i{0} in range(1):", "    s{0} += 0.5"],
    "while": ["x{0} = 0", "while x{0} < 1:", "    x{0} += 1"],
    "spinning": ["while cuda.atomic.add(a, 0, 1) < 0:"],
    "branches after a loop that spins": [
        "while cuda.atomic.add(a, 0, 1) < 0:",
        "    pass",
        "if a[0]:",
    ],
    "continue": ["for i{0} in range(2):", "    if i{0}:", "        continue"],
    "types that conflict": ["v = a", "for i{0} in range(1):", "    v = 1"],
    "if": ["if a[0] >= 0:"],
    "else": ["for i{0} in range(1):", "    pass", "else:"],
}
EXPRESSIONS = {
    "ufunc of one": "np.sin({})",
    "ufunc of two": "np.maximum({}, 1)",
    "max of a tuple": "max(({}, a.size))",
    "parentheses": "(({}))",
    "comparison": "(0 < ({}) < 5)",
    "in": "(({}) in (1, 2))",
    "in a tuple of it": "(1 in (({}),))",
    "tuples": "((({}), a.size) == (a.size, 2))",
    "divmod": "divmod({}, 3)[0]",
    "divmod by it": "divmod(3, ({}) + 1)[1]",
    "ternary": "(1 if {} else 2)",
    "and": "(({}) and 1)",
    "test of literals": "({} if ((1 or 0) and not 0) else 2)",
    "function": "g({})",
    "part of a tuple": "(({}), 1)[0]",
    "round": "round({}, 1)",
    "complex": "abs(complex({}, 1))",
    "star": "g(*h({}))",
}


def nested(form: list[str], levels: int) -> str:
    lines = []
    for level in range(levels):
        lines += ["    " * level + line.format(level) for line in form]
    return kernel(*lines, "    " * levels + "a[1] = 1")


@pytest.fixture
def calls(monkeypatch):
    """How often statements, expressions and passes are gone through."""
    counted: Counter[str] = Counter()

    def count(owner, name):
        plain = getattr(owner, name)

        def counting(*given, **named):
            counted[f"{owner.__name__}.{name}"] += 1
            return plain(*given, **named)

        monkeypatch.setattr(owner, name, counting)

    count(Liveness, "_statement")
    count(Unit, "compile_statement")
    count(Unit, "compile_expression")
    return counted


@pytest.mark.parametrize("form", BLOCKS)
def test_blocks_within_blocks(form, calls):
    done = launch(nested(BLOCKS[form], LEVELS), 1, 1, [np.zeros(2)], budget=10**8)
    assert done.finished
    lines = LEVELS * len(BLOCKS[form])
    assert max(calls.values()) < 20 * LEVELS * lines


@pytest.mark.parametrize("form", EXPRESSIONS)
def test_expressions_within_expressions(form, calls):
    text = "a[0]"
    for _ in range(LEVELS):
        text = EXPRESSIONS[form].format(text)
    head = "def g(x):\n    return x\n\ndef h(x):\n    return (x,)\n\n"
    if form == "star":
        text, names = "a[0]", []
        for level in range(LEVELS):
            names.append(f"x{level} = h({text})")
            text = f"g(*x{level})"
        source = head + kernel(*names, f"a[1] = {text}")
    else:
        source = head + kernel(f"a[1] = {text}")
    done = run(source, [np.zeros(2)], block=1)
    assert done.totals["global_load_requests"] == 1
    assert max(calls.values()) < 20 * LEVELS


def test_a_part_of_a_comparison_is_loaded_once():
    done = run(kernel("if 0 <= a[cuda.grid(1)] < a[0] + 9 < 99:", "    a[1] = 1"), [np.zeros(32)])
    assert done.line(2)["global_load_requests"] == 2


@pytest.mark.parametrize(
    "text",
    [
        kernel("a[0] = a[0]" + " + a[0]" * 1500),
        kernel("a[0] = " + "-" * 500 + "a[0]"),
        kernel("a[0] = 1" + " + 1" * 1500),
        nested(["if a[0] >= 0:"], 90).replace("a[1] = 1", "a[1] = 1" + " + 1" * 950),
    ],
)
def test_what_is_nested_too_deeply_is_refused(text):
    with pytest.raises(Refused, match=r"python\.too-deep"):
        launch(text, 1, 1, [np.zeros(2)])


def test_a_long_chain_of_functions_is_not_called_a_recursion():
    chain = "def f0(x):\n    return x\n\n"
    chain += "".join(f"def f{n + 1}(x):\n    return f{n}(x) + f{n}(x)\n\n" for n in range(40))
    with pytest.raises(Refused, match=r"python\.call-depth \(most=30\)"):
        launch(chain + kernel("a[0] = f40(a[0])"), 1, 1, [np.zeros(1)])
