"""The Python that is interpreted means what Python means, element by element."""

from __future__ import annotations

import ast
import operator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.layouts import NotUnderstood, NotWhole, NoValue, TooMuchWork, evaluate, read
from grader.layouts.arithmetic import LARGEST, binary, divide_with_rest
from grader.layouts.errors import LaneFault
from tests.grader.layouts.tools import SHORT, body, value
from tests.refusals import raises
from tests.sentences import english


@pytest.mark.parametrize(
    ("expression", "row", "wanted"),
    [
        ("-7 // 2", 0, -4),
        ("-7 % 4", 0, 1),
        ("7 % -4", 0, -1),
        ("-row // 2", 3, -2),
        ("~row", 5, -6),
        ("+row", 5, 5),
        ("-row >> 1", 3, -2),
        ("2 ** row", 5, 32),
        ("(-1) ** (row + 10**9)", 1, -1),
        ("0 ** row", 0, 1),
        ("row == 3", 3, 1),
        ("(row > 2) + (row > 1)", 3, 2),
        ("1 < row < 5", 4, 1),
        ("1 < row < 3", 4, 0),
        ("row and 7", 0, 0),
        ("row and 7", 2, 7),
        ("row or 7", 0, 7),
        ("row or 7", 2, 2),
        ("not row", 0, 1),
        ("10 if row else 20", 0, 20),
        ("row and 8 // row", 0, 0),
        ("row == 0 or 8 // row > 2", 0, 1),
        ("8 // row if row else 9", 0, 9),
        ("min(row, 3, 5)", 4, 3),
        ("max(row, 3)", 4, 4),
        ("abs(-row)", 4, 4),
        ("divmod(-row, 3)", 4, (-2, 2)),
        ("int(-row / 2)", 3, -1),
        ("int(row > 2)", 3, 1),
        ("True + row", 3, 4),
        ("row << 3 | col", 3, 24),
        ("row & 1 ^ 3", 3, 2),
        ("row, col", 3, (3, 0)),
        ("(0, 2, 1)[row % 3]", 5, 1),
        ("(0, 2, 1)[-row]", 3, 0),
        ("((0, 4), (8, col))[row & 1][1 - col]", 1, 0),
        ("divmod(row, 3)[0] * 10 + divmod(row, 3)[1]", 5, 12),
    ],
)
def test_expressions(expression, row, wanted):
    assert value(body(f"return {expression}"), row) == wanted


@pytest.mark.parametrize(
    ("lines", "row", "wanted"),
    [
        (["x = 1", "x += row", "x *= 3", "x -= 1", "x //= 2", "x <<= 1", "return x"], 4, 14),
        (["x: int = row", "return x"], 4, 4),
        (["a = b = row", "a, b = b + 1, a", "return a * 10 + b"], 4, 54),
        (["q, r = divmod(row, 4)", "return q, r"], 7, (1, 3)),
        (["if row < 3:", "    return 1", "elif row < 5:", "    return 2", "return 3"], 4, 2),
        (["x = 0", "for i in range(row):", "    x += i", "return x"], 5, 10),
        (["x = 0", "for i in range(row, 0, -2):", "    x += i", "return x"], 5, 9),
        (["x = 0", "while x < row:", "    x += 2", "return x"], 5, 6),
        (["while True:", "    if row > 3: break", "    row += 1", "return row"], 1, 4),
        (["for i in range(9):", "    if i == row: return i * i"], 3, 9),
        (
            ["x = 0", "for i in range(9):", "    if i % 2: continue", "    x += i", "return x"],
            0,
            20,
        ),
        (["for i in range(0): pass", "return row"], 3, 3),
        (["'''words'''", "pass", "return row  # 'more'"], 3, 3),
        (["if row: return 1, 2", "else: return 3, 4"], 0, (3, 4)),
        (["if row: return", "return 5"], 0, 5),
        (["t = 5, row, 7", "x = t[1] + t[-1]", "t = (x, x), 2", "return t[0]"], 3, (10, 10)),
    ],
)
def test_statements(lines, row, wanted):
    assert value(body(*lines), row) == wanted


def test_few_elements_may_stay_in_a_loop_and_give_a_name_another_kind_of_value():
    """The machine merges no variable and gathers no warps: what a value is, it does not know."""
    source = body(
        "if row > 5000:",
        "    x = row, col",
        "    x = 3",
        "n = 0",
        "while n < row: n += 1 + (n > 40) * 400",
        "for k in range(row // 5500): n += k",
        "if row > 5000: return n + x",
        "return n",
    )
    rows = np.arange(6000)
    names = {"row": np.array(rows, np.int32), "col": np.array(rows % 7, np.int32)}
    (found,) = evaluate(read(source), names)

    def alone(row: int) -> int:
        n = 0
        while n < row:
            n += 1 + (n > 40) * 400
        return n + 3 * (row > 5000)

    assert found.tolist() == [alone(row) for row in range(6000)]


def test_helpers_and_constants_stand_beside():
    source = "N = 4\nM = N * 2\ndef twice(x):\n    return x * N\n" + body("return twice(row) + M")
    assert value(source, 3) == 20
    table = "T = (3, 1), (0, 2)\nU = T[1]\n" + body("return T[row][1] * 10 + U[row]")
    assert value(table, 1) == 22
    late = body("return helper(row, col)") + "def helper(a, b): return a - b\n"
    assert value(late, 5, 2) == 3


def test_a_lone_function_has_any_name_and_any_parameters():
    assert value("def place(y: int, x: 'column') -> int:\n    return y * 10 + x", 3, 4) == 34


def test_recursion_ends_by_each_element():
    source = "def gcd(a, b):\n    return a if b == 0 else gcd(b, a % b)\n"
    names = {"row": np.array(range(40), np.int32), "col": np.array([12] * 40, np.int32)}
    (found,) = evaluate(read(source + body("return gcd(row, col)")), names)
    assert found.tolist() == [np.gcd(row, 12) for row in range(40)]


def test_a_local_name_hides_a_constant_of_the_caller():
    assert value(body("return N"), N=7) == 7
    assert value(body("N = row", "return N"), 3, N=7) == 3
    with raises(NoValue, "N has no value here"):
        value(body("x = N", "N = 1", "return x"), N=7)


@pytest.mark.parametrize(
    ("lines", "row", "what"),
    [
        (["return 1 // row"], 0, "division by zero"),
        (["return 1 % row"], 0, "division by zero"),
        (["return 1 / row"], 0, "division by zero"),
        (["row //= 0", "return 1"], 0, "division by zero"),
        (["return divmod(1, row)"], 0, "division by zero"),
        (["return 1 << -1 - row"], 0, "shift is negative"),
        (["return 1 >> -1 - row"], 0, "shift is negative"),
        (["return 9**9**9"], 0, "beyond 2"),
        (["return 1 << 62 + row"], 0, "beyond 2"),
        (["x = 3", "while True: x = x * x"], 0, "beyond 2"),
        (["return int(1e300)"], 0, "beyond 2"),
        (["return 2**60 / 3"], 0, "too large for a float"),
        (["x, y = row", "return x"], 0, "not 2 values"),
        (["for i in range(0, 9, row): pass", "return 1"], 0, "step of the range is 0"),
        (["return divmod(7, 2) + 1"], 0, "a pair where one number"),
        (["if row == 0: return"], 0, "returns nothing"),
        (["return None"], 0, "returns nothing"),
        (["for i in range(row): x = i", "return x"], 0, "x has no value"),
        (["return (1, 2)[row + 2]"], 0, "item 2 of a tuple of 2"),
        (["return (1, 2)[-3]"], 0, "item -3 of a tuple of 2"),
        (["return row[0]"], 0, "a number, which has no items"),
        (["return (1, 2)[row / 2]"], 0, "integer"),
        (["x, y = (1, 2), 3", "return x"], 0, "a pair where one number"),
        (["x = (row, 1), 2", "return (x, 1)[0]"], 0, "none that hold tuples"),
    ],
)
def test_an_element_without_a_value(lines, row, what):
    with raises(NoValue, what):
        value(body(*lines), row)


@pytest.mark.parametrize(
    "expression",
    [
        "row / 2",
        "row * 0.5",
        "row / 2 % 4",
        "2 ** -1",
        "max(row / 2, 1)",
        "row / 2 << 1",
        "~(row / 2)",
    ],
)
def test_floats_are_no_place(expression):
    with pytest.raises(NotWhole):
        value(body(f"return {expression}"), 3)


def test_a_float_here_and_a_whole_number_there():
    names = {"row": np.array([0, 1], np.int32), "col": np.array([0, 0], np.int32)}
    with pytest.raises(NotWhole):
        evaluate(read(body("return row / 2 if row else 0")), names)
    with raises(NoValue, "a pair on one path"):
        evaluate(read(body("if row: return 1, 2", "return 3")), names)


@pytest.mark.parametrize(
    ("source", "what", "instead", "place"),
    [
        ("import os", "imports", "arithmetic", (1, 1)),
        ("from os import path", "imports", "arithmetic", (1, 1)),
        (body("import os", "return 1"), "imports", "arithmetic", (2, 5)),
        (body("return row.real"), "attributes", "", (2, 12)),
        (body("return __import__('os')"), "__import__ cannot be called", "available", (2, 12)),
        (body("print(row)", "return 1"), "print cannot be called", "available", (2, 5)),
        (body("return tile[row][col]"), "indexing", "row * pitch + col", (2, 12)),
        (body("return [row]"), "lists", "", (2, 12)),
        (body("return [i for i in range(3)]"), "lists", "", (2, 12)),
        (body("return (lambda x: x)(row)"), "lambda", "def index", (2, 13)),
        ("lambda row: row", "index takes 1 parameter", "def index", (1, 1)),
        ("class A: pass", "class is not", "def index", (1, 1)),
        (body("return 'text'"), "text", "numbers", (2, 12)),
        (body("return f'{row}'"), "text", "numbers", (2, 12)),
        (body("return 1j"), "not an integer", "", (2, 12)),
        (body("return None if row else 1"), "None", "element", (2, 12)),
        (body("return (row := 3)"), ":=", "own line", (2, 13)),
        (body("try: return 1", "except: pass"), "try", "if", (2, 5)),
        (body("with row: pass"), "with", "if", (2, 5)),
        (body("raise row"), "raise", "return", (2, 5)),
        (body("assert row"), "assert", "leave it out", (2, 5)),
        (body("del row"), "del", "leave it out", (2, 5)),
        (body("global row"), "global", "argument", (2, 5)),
        (body("yield row"), "yield", "return", (2, 5)),
        (body("return row @ col"), "@", "", (2, 12)),
        (body("return row in (1, 2)"), "in is", "==", (2, 12)),
        (body("return row is col"), "is compares", "==", (2, 12)),
        (body("for i in (1, 2): pass"), "run over a range", "range(n)", (2, 14)),
        (body("for i, j in range(3): pass"), "counts with one name", "range(n)", (2, 9)),
        (body("for i in range(3): pass", "else: pass"), "no else", "flag", (3, 11)),
        (body("for i in range(1, 2, 3, 4): pass"), "1 to 3 arguments", "", (2, 14)),
        (body("return range(3)"), "only in a for", "", (2, 12)),
        (body("break"), "outside a loop", "return", (2, 5)),
        (body("def f(): return 1", "return f()"), "inside a function", "next to", (2, 5)),
        (body("row"), "no effect", "return", (2, 5)),
        (body("row.x = 3"), "only names", "name = value", (2, 5)),
        (body("row[0] += 3"), "only names", "name = value", (2, 5)),
        (body("[a, b] = 1, 2"), "only names", "name = value", (2, 5)),
        (body("x: int", "return 1"), "assigns nothing", "name = value", (2, 5)),
        (body("return min(row)"), "min takes 2 to 16 arguments, not 1", "", (2, 12)),
        (body("return max(row, key=col)"), "cannot be named", "max(a, …)", (2, 12)),
        (body("return min(*row)"), "takes 2 to 16", "", (2, 12)),
        (body("return min(*row, 1)"), "* is", "", (2, 16)),
        (body("return abs"), "abs is a function", "call it", (2, 12)),
        (body("min = 3", "return min"), "min is a function", "another name", (2, 5)),
        (body("return (row, (col, 1))"), "not a pair", "row, col", (2, 12)),
        (body("return ()"), "not a pair", "row, col", (2, 12)),
        (body("return rwo"), "rwo is not defined", "did you mean 'row'?", (2, 12)),
        (body("# über", "return 'ü' + ü"), "text", "", (3, 12)),
        (body("ü = 1; return 2 + ö"), "ö is not defined", "", (2, 23)),
        ("def index(row): return 1", "takes 1 parameter", "def index(row, col)", (1, 1)),
        ("def index(row, *col): return 1", "without *", "", (1, 1)),
        ("def index(row, col=3): return 1", "defaults", "", (1, 1)),
        ("@cache\ndef index(row, col): return 1", "decorators", "", (1, 2)),
        ("def a(x): return 1\ndef b(x): return 2", "none of the functions", "", (1, 1)),
        ("def f(x): return 1\ndef f(x): return 2", "already defined", "", (2, 1)),
        ("def min(row, col): return 1", "already defined", "", (1, 1)),
        ("for i in range(3): pass", "outside a function", "", (1, 1)),
        ("x = f(1)\ndef f(a): return 1", "constant cannot call", "", (1, 5)),
        ("def index(row, col):\nreturn 1", "expected an indented", "", (2, 1)),
        ("def index(row, col): return (1", "never closed", "", (1, 29)),
        ("async def index(row, col): return 1", "async", "", (1, 1)),
    ],
)
def test_what_is_not_available_says_where_and_what_instead(source, what, instead, place):
    with pytest.raises(NotUnderstood) as error:
        read(source)
    said = english(error.value)
    assert what in said
    assert instead in said.partition("; ")[2]
    assert (error.value.line, error.value.column) == place


def test_every_element_goes_its_own_way():
    source = body(
        "x = 0",
        "for i in range(row):",
        "    if i == col: continue",
        "    if i > 5: break",
        "    x += i",
        "while x % 7:",
        "    x += col or 1",
        "    if x > 40: return -1",
        "return x",
    )
    assert_same(source)


GRID = [(row, col) for row in range(6) for col in range(6)]


def assert_same(source: str) -> None:
    """All elements of the grid, ours at once and Python's one by one."""
    scope: dict[str, object] = {}
    exec(compile(source, "<generated>", "exec"), scope)  # generated here, by this test
    index = scope["index"]
    assert callable(index)
    wanted: list[object] = []
    for row, col in GRID:
        try:
            wanted.append(index(row, col))
        except (ArithmeticError, ValueError, UnboundLocalError):
            wanted.append(None)
    names = {
        "row": np.array([r for r, _ in GRID], np.int32),
        "col": np.array([c for _, c in GRID], np.int32),
    }
    try:
        found = evaluate(read(source), names)
    except NoValue as error:
        found, missing = (), error.element
    if not found:
        assert wanted[missing] is None, GRID[missing]
        assert [alone(source, *element) for element in GRID] == wanted
        return
    assert None not in wanted
    if len(found) == 1:
        assert found[0].tolist() == [int(number) for number in wanted], source
    else:
        assert list(zip(*(part.tolist() for part in found), strict=True)) == wanted


def alone(source: str, row: int, col: int) -> object:
    """Ours, of one element; None where it has no value."""
    try:
        return value(source, row, col)
    except NoValue:
        return None


NAMES = st.sampled_from(["row", "col", "a", "b"])
TARGETS = st.sampled_from(["a", "b", "c"])
LEAVES = st.one_of(NAMES, st.integers(-4, 40).map(str))


def _operations(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    two = st.tuples(inner, inner)
    return st.one_of(
        two.flatmap(
            lambda pair: st.sampled_from(
                ["+", "-", "//", "%", "&", "|", "^", "<", "<=", "==", "!=", ">", ">=", "and", "or"]
            ).map(lambda op: f"({pair[0]} {op} {pair[1]})")
        ),
        two.map(lambda pair: f"({pair[0]} * {pair[1]} % 101)"),
        two.map(lambda pair: f"({pair[0]} << ({pair[1]}) % 4)"),
        two.map(lambda pair: f"({pair[0]} >> {pair[1]})"),
        two.map(lambda pair: f"(({pair[0]}) % 7) ** (({pair[1]}) % 3)"),
        two.map(lambda pair: f"int(({pair[0]}) / ({pair[1]}))"),
        two.map(lambda pair: f"({pair[0]} < {pair[1]} < row)"),
        two.map(lambda pair: f"min({pair[0]}, {pair[1]})"),
        two.map(lambda pair: f"max({pair[0]}, {pair[1]}, col)"),
        two.map(lambda pair: f"({pair[0]} if {pair[1]} else a)"),
        inner.map(lambda one: f"(-{one})"),
        inner.map(lambda one: f"(~{one})"),
        inner.map(lambda one: f"(not {one})"),
        inner.map(lambda one: f"abs({one})"),
        two.map(lambda pair: f"({pair[0]}, row, {pair[1]})[({pair[1]}) % 4 - 2]"),
        inner.map(lambda one: f"helper({one}, row)"),
    )


EXPRESSIONS = st.recursive(LEAVES, _operations, max_leaves=8)


@st.composite
def statements(draw) -> list[str]:
    """One without a block of its own."""
    first, target = draw(EXPRESSIONS), draw(TARGETS)
    kind = draw(st.sampled_from(["set", "add", "pair", "return"]))
    if kind == "set":
        return [f"{target} = {first}"]
    if kind == "add":
        return [f"{target} {draw(st.sampled_from(['+', '-', '^', '|', '//', '%']))}= {first}"]
    if kind == "pair":
        return [f"a, {target} = divmod({first}, {draw(EXPRESSIONS)})"]
    return [f"if {first}:", f"    return {draw(EXPRESSIONS)}"]


@st.composite
def compounds(draw, depth: int, loops: int) -> list[str]:
    """One with a block; loops are bounded by a counter of their own."""
    kind = draw(st.sampled_from(["if", "else", "for", "while"]))
    first, target = draw(EXPRESSIONS), draw(TARGETS)
    inner = indented(draw(blocks(depth + 1, loops + (kind in ("for", "while")))))
    if kind == "if":
        return [f"if {first}:", *inner]
    if kind == "else":
        return [f"if {first}:", *inner, "else:", *indented(draw(blocks(depth + 1, loops)))]
    if kind == "for":
        bounds = draw(st.sampled_from(["{}", "row, {}", "7, {}", "row, {}, 2", "7, {}, -1"]))
        return [f"for {target} in range({bounds.format(f'({first}) % 5')}):", *inner]
    count = f"n{depth}"
    return [f"{count} = 0", f"while {count} < ({first}) % 5:", f"    {count} += 1", *inner]


@st.composite
def blocks(draw, depth: int = 0, loops: int = 0) -> list[str]:
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(["plain", "compound", "jump"]))
        if kind == "compound" and depth < 2:
            lines += draw(compounds(depth, loops))
        elif kind == "jump" and loops:
            jump = draw(st.sampled_from(["break", "continue"]))
            lines += [f"if {draw(EXPRESSIONS)}:", f"    {jump}"]
        else:
            lines += draw(statements())
    return lines


def indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


HELPER = "def helper(x, y):\n    if x > y: return x - y\n    return (y + 1) * x % 31\n"


@pytest.mark.filterwarnings("ignore:Bitwise inversion")  # of a boolean, in the programs themselves
@pytest.mark.parametrize("cases", SHORT)
def test_programs_mean_what_python_says(cases):
    @settings(max_examples=cases, deadline=None)
    @given(blocks(), EXPRESSIONS)
    def same(lines, last):
        assert_same(HELPER + body("a = 3", "b = col", *lines, f"return {last}"))

    same()


OPERATIONS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.Pow: operator.pow,
}
NUMBERS = st.one_of(
    st.integers(-LARGEST, LARGEST),
    st.integers(-70, 70),
    st.integers(-(2**32), 2**32),
    st.sampled_from([LARGEST, -LARGEST, 2**61, -(2**61), 2**31, 3037000499, 3037000500]),
)


def exact(op: type[ast.operator], left: int, right: int) -> int | None:
    """Python's result; None where there is none within 62 bits."""
    if op in (ast.LShift, ast.Pow) and right > 64 and left not in (-1, 0, 1):
        return None
    if op is ast.LShift and right > 64:
        return 0 if left == 0 else None
    try:
        found = OPERATIONS[op](left, right)
    except (ArithmeticError, ValueError):
        return None
    return found if isinstance(found, int) and abs(found) <= LARGEST else None


@pytest.mark.parametrize("cases", SHORT)
@pytest.mark.parametrize("op", OPERATIONS)
def test_arithmetic_is_exact_or_refused(op, cases):
    @settings(max_examples=cases, deadline=None)
    @given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=5))
    def same(pairs):
        left, right = (np.array(side, dtype=np.int64) for side in zip(*pairs, strict=True))
        wanted = [exact(op, *pair) for pair in pairs]
        everyone = np.ones(len(pairs), dtype=np.bool_)
        with np.errstate(all="ignore"):
            try:
                found, faulty = binary(op, left, right, everyone), None
            except LaneFault as fault:
                faulty = np.flatnonzero(fault.lanes)
        if faulty is not None:
            assert [wanted[lane] for lane in faulty] == [None] * len(faulty)
            return
        # -LARGEST - 1 is what ~LARGEST and & | ^ give: it stays within 64 bits.
        assert all(a == b or abs(a) > LARGEST for a, b in zip(found.tolist(), wanted, strict=True))

    same()


def test_lanes_that_take_no_part_never_fault():
    left, right = np.array([7, 7]), np.array([2, 0])
    active = np.array([True, False])
    with np.errstate(all="ignore"):
        quotient, rest = divide_with_rest(left, right, active)
    assert (quotient[0], rest[0]) == (3, 1)


@pytest.mark.parametrize(
    "lines",
    [
        ["while True: pass"],
        ["while 1: row = row ^ 1"],
        ["for i in range(10**18): pass", "return 1"],
        ["for i in range(10**6):", "    for j in range(10**6): row = j", "return row"],
        ["return index(row, col)"],
        ["return index(row + 1, col) + index(row + 2, col)"],
    ],
)
def test_what_does_not_end_is_ended(lines):
    with pytest.raises(TooMuchWork) as error:
        value(body(*lines))
    assert "; " in english(error.value)
