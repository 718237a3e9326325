"""Functions, statements and `#define` mean what they mean to gcc; the rest of C++ is a kernel's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from grader.layouts import Exercise, NotUnderstood, NoValue, Tile, along_columns, along_rows, grade
from tests.grader.layouts.test_cpp import LEAVES, OPERATORS, POINTS, compiled, ours
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
    ("batches", "size"), [(1, 60), pytest.param(6, 100, marks=pytest.mark.long)]
)
def test_gcc_computes_the_same(batches, size, needs_program, tmp_path):
    gcc = needs_program("g++")

    @settings(
        max_examples=batches,
        deadline=None,
        database=None,
        phases=[Phase.generate],  # shrinking would compile for minutes
        suppress_health_check=[HealthCheck.data_too_large, HealthCheck.too_slow],
    )
    @given(st.lists(BODIES, min_size=size, max_size=size))
    def same(bodies):
        printed = compiled(gcc, bodies, tmp_path)
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
    "a helper function": "__device__ int swizzle(int r, int c) { return c ^ r; }\n"
    "__device__ int index(int row, int col) { return row * 32 + swizzle(row, col); }",
    "a helper below": "int index(int r, int c);\n"
    "int at(int r, int c) { return r * 32 + (c ^ r); }\n"
    "int index(int r, int c) { return at(r, c); }",
    "a template": "template <int PITCH, typename T>\n"
    "__device__ T at(T r, T c) { return r * PITCH + (c ^ r); }\n"
    "int index(int row, int col) { return at<32>(row, col); }",
    "a template by default": "template <int PITCH = 32>\nint index(int row, int col)"
    " { return row * PITCH + (col ^ row); }",
    "a struct": "template <int BITS, int BASE, int SHIFT>\nstruct Swizzle {\n"
    "  static constexpr int MASK = (1 << BITS) - 1 << BASE + SHIFT;\n"
    "  static __device__ int apply(int at) { return at ^ ((at & MASK) >> SHIFT); }\n};\n"
    "int index(int row, int col) { return Swizzle<5, 0, 5>::apply(row * 32 + col); }",
    "an object": "struct Layout { int pitch; __device__ int operator()(int r, int c) const"
    " { return r * pitch + (c ^ r); } };\nint index(int r, int c) { return Layout{32}(r, c); }",
    "int2": "int2 index(int row, int col) { return make_int2(row, col ^ row); }",
    "int2 of statements": "int x = col ^ row;\nreturn make_int2(row, x);",
    "auto": "constexpr auto index(unsigned row, unsigned col) { return row * 32 + (col ^ row); }",
    "a loop": "int x = col;\n#pragma unroll\nfor (int bit = 1; bit < 32; bit <<= 1)\n"
    "  x ^= row & bit;  // bit by bit\nreturn row * 32 + x;",
    "a table": "__constant__ int low[4] = {0, 1, 2, 3};\nint index(int row, int col)"
    " { return row * 32 + (col ^ ((row & ~3) | low[row & 3])); }",
    "a constexpr table": "constexpr int low[2][2] = {{0, 1}, {2, 3}};\nint index(int row, int col)"
    " { return row * 32 + (col ^ ((row & ~3) | low[row >> 1 & 1][row & 1])); }",
    "a table in a struct": "template <int N> struct T { static constexpr int low[2] = {0, N}; };\n"
    "int index(int row, int col) { return row * 32 + (col ^ row & ~3 ^ T<1>::low[row & 1]"
    " ^ T<2>::low[row >> 1 & 1]); }",
    "a constant struct": "constexpr int2 pitch = {32, 1};\n"
    "int index(int row, int col) { return row * pitch.x + (col ^ row) * pitch.y; }",
    "a constant in braces": "constexpr int pitch{32}; const int none{};\n"
    "int index(int row, int col) { return row * pitch + (col ^ row) + none; }",
    "a list": "int2 index(int row, int col) { return {row, col ^ row}; }",
    "a list of statements": "int x = col ^ row;\nreturn {row, x};",
    "several types": "if (row == 0) return col;\nreturn threadIdx.y * 32u + (col ^ row);",
    "switch": "switch (row) { case 0: return col; default: return row * 32 + (col ^ row); }",
    "namespaces and enums": "namespace mine { enum { PITCH = 32 }; }\n#include <cstdint>\n"
    "uint32_t index(uint32_t row, uint32_t col) { return row * mine::PITCH + (col ^ row); }",
    "a lambda": "lambda row, col: row * 32 + (col ^ row)",
    "a lambda with a name": "index = lambda r, c: r * 32 + (c ^ r)",
}


@pytest.mark.parametrize("source", WAYS.values(), ids=WAYS)
def test_what_people_write_is_understood(source):
    tile = Tile(32, 32)
    accesses = along_rows("row store", "store", tile), along_columns("column load", "load", tile)
    found = grade(source, Exercise(tile, accesses))
    assert found.verdict.passed, found.verdict.failure
    assert found.language == ("Python" if "lambda" in source else "C++")
    assert np.array_equal(found.slots, WANTED)


BOMB = "".join(f"#define M{i} {f'M{i + 1} ' * 10}\n" for i in range(5)) + "#define M5 row\nM0"
NESTED = "{" * 3000 + "}" * 3000
TWO = "int f(int a, int b) { return a; }\nint index(int row, int col) { return row; }"
TEMPLATE = "template <int W>\nint index(int row, int col) { return row * W + col; }"
SHUFFLE = "int index(int row, int col) { return __shfl_sync(~0u, row, 0); }"
GOTO = "int x = row;\ngoto end;\nend: return x;"
AFTER = "int index(int row, int col) { return row; }\nint x = 1;"


@pytest.mark.parametrize(
    ("source", "what", "instead", "place"),
    [
        ("int index(int row) { return row; }", "takes 1 parameter", "int row, int col", (1, 5)),
        ("int index(int row, int col, int n) { return row; }", "takes 3", "int index", (1, 5)),
        ("int index(int row, int col) { int x = 1; }", "nothing is returned", "", (1, 42)),
        ("int index(int row, int col) { return row }", "missing `;`", "", (1, 41)),
        ("int index(int row, int col) { return row;", "'{' was never closed", "", (1, 29)),
        ("for (int i = 0; i < 3; i++) row += i;", "nothing is returned", "", (1, 38)),
        (
            "while (row) row--;\nreturn row;",
            "the left side is a value, not a variable",
            "",
            (1, 16),
        ),
        (
            "x = row;\nreturn x;",
            "the name `x` is not declared here",
            "declare it before its use",
            (1, 1),
        ),
        (
            "const int x = 1;\nx = 2;\nreturn x;",
            "the left side is a value, not a variable",
            "",
            (2, 3),
        ),
        ("int x = 1, x = 2;\nreturn x;", "`x` is already declared here", "", (1, 12)),
        (
            "int x = y;\nreturn x;",
            "the name `y` is not declared here",
            "declare it before its use",
            (1, 9),
        ),
        (TEMPLATE, "no function `index` takes (int, int)", "", (2, 5)),
        ("switch (row) { }", "nothing is returned", "", (1, 17)),
        (GOTO, "`goto`", "use a loop with `break`", (2, 1)),
        ("[=](int r, int c) { return r; }", "`[` cannot be here", "", (1, 1)),
        ("__shared__ float tile[32][33];\nreturn col;", "__shared__ is not available", "", (1, 18)),
        ("extern __shared__ int s[];\nreturn col;", "__shared__ is not available", "", (1, 23)),
        ("__shared__ int x;\nreturn col;", "__shared__", "", (1, 16)),
        ('int x;\nasm("mov.u32 %0, %%laneid;" : "=r"(x));\nreturn x;', "asm", "", (2, 1)),
        ("int x = 1;\ntile[row][col] = x;", "nothing is returned", "", (2, 20)),
        ("void f(int row, int col) { }", "nothing is returned", "", (1, 28)),
        ("half x = 1;\nreturn x;", "`half` is declared in <cuda_fp16.h>", "add `#include", (1, 1)),
        (
            "int f(row, col) { return row; }",
            "unknown type `row`",
            "declare it in this file, or in",
            (1, 7),
        ),
        ("float x = 1;\nreturn x;", "a float where an integer is needed", "", (1, 1)),
        ("int x[4];\nreturn x;", "this is not an integer", "", (1, 1)),
        ("return row, col + 1; // slot", "a comma in C", "one number", (1, 11)),
        ("row +\n  #if 1\n col", "`#if` has no `#endif`", "", (2, 3)),
        ("#define F(x) x\nF(row, col)", "the macro `F` takes one argument, not 2", "", (2, 1)),
        ("#define F(x) x\nF(row", "the call of the macro `F` is not closed", "", (2, 1)),
        (
            "#define F(1) x\nrow",
            "the parameters of the macro `F` are not a list of names",
            "",
            (1, 11),
        ),
        (BOMB, "the source and its macros have more than 200,000 tokens", "", (7, 1)),
        (
            "#define A A\nA",
            "the name `A` is not declared here",
            "declare it before its use",
            (2, 1),
        ),
        ("#define PITCH 3x\nrow * PITCH", "not a number", "", (2, 7)),
        (
            "int index(int row, int col) { return __shfl_sync(~0u, row, 0); }",
            "shfl is not available",
            "",
            (1, 38),
        ),
        ("return blockIdx.x + row;", "blockIdx is not available", "", (1, 8)),
        (
            "__device__ int n;\nint index(int r, int c) { return n++; }",
            "__device__ is",
            "",
            (1, 16),
        ),
        ("__syncthreads();\nreturn row;", "syncthreads is not available", "", (1, 1)),
        ("int3 index(int r, int c) { return {r, c, 0}; }", "3 numbers", "row, col", (1, 6)),
        ("return make_int3(row, col, 0);", "3 numbers are returned", "row, col", (1, 8)),
        (
            "auto index(int r, int c) { if (r) return 1; return 2u; }",
            "returns int and",
            "write",
            (1, 45),
        ),
        (NESTED, "nested too deeply", "", (1, 49)),
    ],
)
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
        (
            "int f(int& x) { x++; if (x > 2) return 1; }\nint index(int r, int c) { return f(r); }",
            "nothing is returned",
        ),
        (
            "int x;\nif (row) x = 1;\nreturn x;",
            "x is read, but the thread has not given it a value",
        ),
        ("int x = 1 / row;\nreturn 2;", "divided by zero"),
        (
            "int four[] = {1, 2, 3, 1};\nreturn four[3 - row * 4 + (row ? 13 : 1)];",
            "index 4 is out",
        ),
    ],
)
def test_an_element_without_a_value_is_named(source, what):
    with raises(NoValue, what):
        value(source, row=0)
    if "if" in source:
        assert value(source, row=3) == 1


def test_what_an_element_does_not_reach_cannot_be_wrong():
    source = "int x = 7;\nif (row) { x = 8 / row; if (x == 4) return 1 / (row - 1); }\nreturn x;"
    assert [value(source, row=row) for row in (0, 2, 8)] == [7, 1, 1]


def test_parameters_convert_what_they_are_given():
    assert value("unsigned index(unsigned r, unsigned c) { return (r - 1u) >> 31; }", row=0) == 1
