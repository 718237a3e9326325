"""Constants are what Python computes: thousands of expressions against its own `eval`."""

from __future__ import annotations

import ast
import math
import random
import warnings
from typing import Any

import numpy as np
import pytest

from grader.simt import Refused, launch, read
from grader.simt.numba.reading.constant_values import constant_value
from grader.simt.numba.reading.folding import literal_value
from grader.simt.program.types import NamePath
from tests.grader.simt.tools import kernel

NAMES = {"N": 7, "RATE": 1.01, "ON": True, "PAIR": (3, -2.5), "H": np.float32(0.1), "BIG": 1 << 63}
MODULES = {"math": math, "np": np}
KNOWN: dict[str, Any] = {**NAMES, "math": NamePath("math"), "np": NamePath("np")}
LITERALS = [
    *("0", "1", "2", "3", "7", "64", "100", "255", "0x7fffffff", "18446744073709551615"),
    *("1.01", "0.5", "1e300", "2.5", "1e-9", "True", "False"),
]
LEAVES = [
    *("N", "RATE", "ON", "H", "BIG", "PAIR[0]", "PAIR[-1]", "math.pi", "math.inf", "np.e"),
    *("np.float32(1.1)", "np.int32(-5)", "np.uint8(200)", "np.iinfo(np.int16).max", "math.nan"),
    *("np.float64(3)", "np.finfo(np.float32).eps", "(4, 5, 6)[N % 3]"),
]
BINARY = ["+", "-", "*", "/", "//", "%", "&", "|", "^"]
FORMS = [
    *(f"({{}} {op} {{}})" for op in BINARY),
    *(f"({{}} {op} {{}})" for op in BINARY[:6]),
    *(
        "({} ** 2)",
        "({} ** 100)",
        "({} ** -3)",
        "({} ** 0.5)",
        "({} << 3)",
        "({} >> 2)",
        "(2 ** ({} % 9))",
    ),
    *("({} << 40)", "(1 << {} % 70)", "(-{})", "(+{})", "(~{})", "(not {})"),
]
MORE = [
    *("({} < {})", "({} <= {} != {})", "({} and {})", "({} or {})", "({} if {} else {})"),
    *("min({}, {})", "max({}, {}, 3)", "abs({})", "round({})", "round({}, 2)", "int({})"),
    *("float({})", "bool({})", "pow({}, 3)", "divmod({}, 7)[1]", "sum(({}, {}))", "len(({}, {}))"),
    *("math.sqrt({})", "math.floor({})", "math.log2({})", "math.gcd({}, 12)", "math.hypot({}, 3)"),
    *("np.float32({})", "np.int64({})", "np.float64({})", "({}, {})[0]", "({}, ({}, 1))[1][0]"),
]


def expression(chance: random.Random, leaves: list[str], forms: list[str], depth: int) -> str:
    if depth == 0 or chance.random() < 0.2:
        return chance.choice(leaves)
    form = chance.choice(forms)
    parts = [expression(chance, leaves, forms, depth - 1) for _ in range(form.count("{}"))]
    return form.format(*parts)


def by_python(text: str) -> Any:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return eval(text, {**NAMES, **MODULES})


def is_large(value: Any) -> bool:
    return isinstance(value, int) and abs(value) >= 1 << 64


def may_be_refused(tree: ast.expr) -> bool:
    """Python fails too, it is no real number, or some integer in it is beyond 64 bits."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.expr) or isinstance(node, (ast.Tuple, ast.Attribute, ast.Name)):
            continue
        try:
            value = by_python(ast.unparse(node))
        except (ArithmeticError, TypeError, ValueError):
            return True
        if is_large(value) or isinstance(value, complex):
            return True
    return False


def same(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        return False
    return bool(one == other) or bool(np.isnan(one) and np.isnan(other))


def short(text: str) -> bool:
    """Whether Python can work it out in no time."""
    return text.count("**") < 3 and text.count("** 100") < 2


@pytest.mark.parametrize("count", [1500, pytest.param(8000, marks=pytest.mark.long)])
def test_constants_at_the_top_are_what_python_computes(count):
    chance = random.Random(count)
    worked_out = 0
    for _ in range(count):
        text = expression(chance, [*LITERALS, *LEAVES], [*FORMS, *MORE], 3)
        if not short(text):
            continue
        tree = ast.parse(text, mode="eval").body
        try:
            value = constant_value(tree, KNOWN)
        except Refused:
            assert may_be_refused(tree), text
            continue
        worked_out += 1
        assert same(value, by_python(text)), text
    assert worked_out > count / 3


@pytest.mark.parametrize("count", [1500, pytest.param(8000, marks=pytest.mark.long)])
def test_literals_in_a_kernel_are_folded_as_python_folds_them(count):
    chance = random.Random(count)
    folded = 0
    for _ in range(count):
        text = expression(chance, LITERALS, FORMS, 3)
        if not short(text):
            continue
        tree = ast.parse(text, mode="eval").body
        try:
            value = literal_value(tree)
        except (ValueError, ArithmeticError, TypeError):
            assert " not " in f" {text}".replace("(", " ") or may_be_refused(tree), text
            continue
        folded += 1
        assert same(value, by_python(text)), text
    assert folded > count / 3


@pytest.mark.parametrize(
    "bomb",
    [
        *("9**9**9", "2**(2**40)", "1 << (1 << 40)", "9**9**9 % 7", "(1 << 4000) ** 4000"),
        *("pow(7, 7**7**7)", "round(1, -10**9)", "round(10**100, -10**9)", "(9,) * 10**12"),
        *("10**10**10 if True else 1", "-" * 150 + "1", "1 + " * 5000 + "1"),
    ],
)
def test_bombs_are_refused_at_once(bomb):
    out = np.zeros(1)
    text = f"A = {bomb}\n" + kernel("a[0] = A")
    if bomb.startswith("-"):
        launch(text, 1, 1, [out])
        assert out[0] == 1
        return
    with pytest.raises(Refused) as refused:
        launch(text, 1, 1, [out])
    assert refused.value.line == 1


@pytest.mark.parametrize("literal", ["9**9**9", "1 << 99999999999", "7 ** 7 ** 7 ** 7"])
def test_a_bomb_in_a_kernel_is_not_folded(literal):
    launch(kernel(f"a[0] = {literal} > 0"), 1, 1, [np.zeros(1)])


def test_what_numpy_cannot_compare_is_refused():
    with pytest.raises(OverflowError):
        by_python("np.bool_(1) < (BIG * 4)")
    with pytest.raises(Refused, match=r"simt\.no-value"):
        constant_value(ast.parse("(1 < np.float32(2)) < (BIG * 4)", mode="eval").body, KNOWN)


def test_a_function_that_was_given_is_not_called():
    with pytest.raises(Refused, match=r"simt\.not-constant"):
        read("A = f(1)\n" + kernel("a[0] = A"), names={"f": pytest.fail})
