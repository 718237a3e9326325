"""A whole C function, several statements and `#define` mean what they mean to gcc."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from grader.layouts import Exercise, NotUnderstood, NoValue, Tile, along_columns, along_rows, grade
from tests.grader.layouts.test_c import LEAVES, OPERATORS, POINTS, compiled, ours
from tests.grader.layouts.tools import value
from tests.refusals import raises
from tests.sentences import english

TYPES = st.sampled_from(["int", "unsigned", "long long", "const int", "auto"])
VARIABLES = ("a", "b")
PIECES = st.one_of(LEAVES, st.sampled_from(VARIABLES))
VALUES = st.one_of(
    PIECES,
    st.tuples(PIECES, OPERATORS, PIECES).map(lambda parts: f"({' '.join(parts)})"),
    st.tuples(PIECES, PIECES, PIECES).map(lambda parts: "({} ? {} : {})".format(*parts)),
)
COMPOUND = ("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")
SIMPLE = st.one_of(
    st.tuples(st.sampled_from(VARIABLES), st.sampled_from(COMPOUND), VALUES).map(
        lambda parts: f"{parts[0]} {parts[1]} {parts[2]};"
    ),
    st.tuples(st.sampled_from(VARIABLES), st.sampled_from(("++", "--"))).map(
        lambda parts: f"{parts[0]}{parts[1]};"
    ),
    VALUES.map(lambda value: f"return (long long)({value});"),
    st.tuples(TYPES, st.sampled_from(VARIABLES), VALUES).map(
        lambda parts: f"{{ {parts[0]} c = {parts[2]}; {parts[1]} ^= c; }}"
    ),
)


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    several = st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"{{ {' '.join(parts)} }}")
    return st.one_of(
        several,
        st.tuples(VALUES, several).map(lambda parts: f"if ({parts[0]}) {parts[1]}"),
        st.tuples(VALUES, several, several).map(lambda parts: "if ({}) {} else {}".format(*parts)),
    )


STEPS = st.recursive(SIMPLE, _larger, max_leaves=6)
BODIES = st.tuples(st.lists(STEPS, min_size=1, max_size=5).map(" ".join), VALUES).map(
    lambda parts: f"int a = row; unsigned b = col; {parts[0]} return (long long)({parts[1]});"
)


@pytest.mark.parametrize(
    ("batches", "size"), [(1, 60), pytest.param(20, 100, marks=pytest.mark.long)]
)
def test_gcc_computes_the_same(batches, size, needs_program, tmp_path):
    gcc = needs_program("gcc")

    @settings(
        max_examples=batches,
        deadline=None,
        database=None,
        phases=[Phase.generate],  # shrinking would compile for minutes
        suppress_health_check=[HealthCheck.data_too_large, HealthCheck.too_slow],
    )
    @given(st.lists(BODIES, min_size=size, max_size=size))
    def same(bodies):
        # gcc's C has no `auto` of C++.
        printed = compiled(
            gcc, [body.replace("auto c", "__auto_type c") for body in bodies], tmp_path
        )
        for body, first in zip(bodies, range(0, len(printed), len(POINTS)), strict=True):
            assert (
                ours(f"long long index(int row, int col) {{ {body} }}")
                == (printed[first : first + len(POINTS)])
            ), body

    same()


WANTED = [[32 * r + (c ^ r) for c in range(32)] for r in range(32)]
WAYS = {
    "a function": "int index(int row, int col) { return row * 32 + (col ^ row); }",
    "with a qualifier": "__device__ __forceinline__ int swizzle(const int r, const int c)\n"
    "{\n    return r * 32 + (c ^ r);\n}\n",
    "in steps": "unsigned index(unsigned row, unsigned col) {\n"
    "    unsigned x = col ^ row; // the swizzle\n    return (row << 5) + x;\n}",
    "its body alone": "int x = col;\nx ^= row;\nreturn row * 32 + x;",
    "a macro": "#define PITCH 32\nrow * PITCH + (col ^ row)",
    "a macro with parameters": "#define XOR(a, b) ((a) ^ (b))\n#define AT(r, c) ((r) * 32 + (c))\n"
    "int index(int row, int col) { return AT(row, XOR(col, row)); }",
    "a constant beside it": "constexpr int PITCH = 32;\n"
    "int index(int row, int col) { return row * PITCH + (col ^ row); }",
    "branches": "int index(int row, int col) {\n"
    "  if (row & 1) { col ^= row; return row * 32 + col; }\n"
    "  else if (row == 0) return col;\n  return 32 * row + (row ^ col);\n}",
    "a lambda": "lambda row, col: row * 32 + (col ^ row)",
    "a lambda with a name": "index = lambda r, c: r * 32 + (c ^ r)",
}


@pytest.mark.parametrize("source", WAYS.values(), ids=WAYS)
def test_what_people_write_is_understood(source):
    tile = Tile(32, 32)
    accesses = along_rows("row store", "store", tile), along_columns("column load", "load", tile)
    found = grade(source, Exercise(tile, accesses))
    assert found.verdict.passed, found.verdict.failure
    assert found.language == ("Python" if "lambda" in source else "C")
    assert np.array_equal(found.slots, WANTED)


BOMB = "".join(f"#define M{i} {f'M{i + 1} ' * 10}\n" for i in range(5)) + "#define M5 row\nM0"
NESTED = "{" * 3000 + "}" * 3000
TWO = "int f(int a, int b) { return a; }\nint index(int row, int col) { return row; }"
TEMPLATE = "template <int W>\nint index(int row, int col) { return row * W + col; }"
LAMBDA = "auto f = [](int row, int col) { return row; };\nreturn f(row, col);"
AFTER = "int index(int row, int col) { return row; }\nint x = 1;"


@pytest.mark.parametrize(
    ("source", "what", "instead", "place"),
    [
        ("int index(int row) { return row; }", "takes 1 parameter", "int row, int col", (1, 5)),
        ("int index(int row, int col, int n) { return row; }", "takes 3", "int index", (1, 5)),
        ("int index(int row, int col) { int x = 1; }", "nothing is returned", "return", (1, 43)),
        ("int index(int row, int col) { return row }", "';' is missing", "", (1, 42)),
        ("int index(int row, int col) { return row;", "'}' is missing", "", (1, 42)),
        ("for (int i = 0; i < 3; i++) row += i;", "a loop", "Python", (1, 1)),
        ("while (row) row--;\nreturn row;", "a loop", "def index", (1, 1)),
        ("int x;\nreturn x;", "x has no value here", "int x =", (2, 8)),
        ("x = row;\nreturn x;", "x is not declared", "int x =", (1, 1)),
        ("const int x = 1;\nx = 2;\nreturn x;", "x is const", "const", (2, 1)),
        ("int x = 1, x = 2;\nreturn x;", "declared twice", "", (1, 12)),
        ("int x = y;\nreturn x;", "y is not defined", "", (1, 9)),
        (TEMPLATE, "template is not available", "plain function, int index(int row", (1, 1)),
        ("struct A { int x; };\nreturn 1;", "struct", "int index(int row, int col)", (1, 1)),
        ("switch (row) { }", "switch", "if and else", (1, 1)),
        (LAMBDA, "lambdas", "int index(int row, int col)", (1, 10)),
        ("[=](int r, int c) { return r; }", "lambdas", "int index", (1, 1)),
        ("__shared__ float tile[32][33];\nreturn col;", "arrays", "only the index", (1, 18)),
        ("extern __shared__ int s[];\nreturn col;", "arrays", "only the index", (1, 23)),
        ("__shared__ int x;\nreturn col;", "__shared__", "int x = …;", (1, 1)),
        ("int x = 1;\ntile[row][col] = x;", "an array", "only the index", (2, 1)),
        ("void f(int row, int col) { }", "void is not available", "int", (1, 1)),
        ("half x = 1;\nreturn x;", "half is not available", "int", (1, 1)),
        ("int f(row, col) { return row; }", "a type is missing", "write int", (1, 7)),
        ("float x = 1;\nreturn x;", "float is not available", "", (1, 7)),
        ("int x[4];\nreturn x;", "arrays", "", (1, 5)),
        ("int *x = 0;\nreturn 1;", "pointers", "", (1, 5)),
        ("return row, col + 1; // slot", "a comma in C", "one number", (1, 11)),
        ("#include <cstdio>\nrow", "#include cannot", "#define", (1, 1)),
        ("row +\n  #if 1\n col", "#if cannot", "#define", (2, 3)),
        ("#define F(x) x\nF(row, col)", "F takes 1 argument, not 2", "", (2, 1)),
        ("#define F(x) x\nF(row", "')' is missing", "", (2, 1)),
        ("#define F(1) x\nrow", "not names", "", (1, 1)),
        (BOMB, "too long", "", (7, 1)),
        ("#define A A\nA", "A is not defined", "", (2, 1)),
        ("#define PITCH 3x\nrow * PITCH", "not a number", "", (2, 7)),
        (TWO, "a second function", "#define", (2, 1)),
        (AFTER, "follows the function", "", (2, 1)),
        (NESTED, "nested too deeply", "", (1, 1)),
    ],
)  # fmt: skip
def test_what_cannot_be_read_says_where_and_what_instead(source, what, instead, place):
    with pytest.raises(NotUnderstood) as error:
        value(source)
    said = english(error.value)
    assert what in said
    assert instead in said.partition("; ")[2]
    assert (error.value.line, error.value.column) == place


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("int index(int row, int col) { if (row) return 1; }", "nothing is returned"),
        ("int x;\nif (row) x = 1;\nreturn x;", "x has no value here"),
        ("int x = 1 / row;\nreturn 2;", "division by zero"),
    ],
)
def test_an_element_without_a_value_is_named(source, what):
    with raises(NoValue, what):
        value(source, row=0)
    if "1 / row" not in source:
        assert value(source, row=3) == 1


def test_what_an_element_does_not_reach_cannot_be_wrong():
    source = "int x = 7;\nif (row) { x = 8 / row; if (x == 4) return 1 / (row - 1); }\nreturn x;"
    assert [value(source, row=row) for row in (0, 2, 8)] == [7, 1, 1]


def test_parameters_convert_what_they_are_given():
    assert value("unsigned index(unsigned r, unsigned c) { return (r - 1u) >> 31; }", row=0) == 1
