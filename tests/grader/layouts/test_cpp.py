"""An index in C++ means what C++ means: types, wrapping, what is undefined."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from grader.layouts import (
    Exercise,
    NotUnderstood,
    NoValue,
    Tile,
    TooMuchWork,
    along_columns,
    along_rows,
    evaluate,
    grade,
    read,
)
from tests.grader.layouts.tools import body, value
from tests.refusals import raises
from tests.sentences import english

MIN = "(-2147483647 - 1)"


@pytest.mark.parametrize(
    ("expression", "row", "wanted"),
    [
        ("-7 / 2", 0, -3),
        ("-7 % 4", 0, -3),
        ("7 / -2", 0, -3),
        ("7 % -4", 0, 3),
        ("row / 2", 7, 3),
        ("-row >> 1", 3, -2),
        ("1 + 2 * 3 - 4", 0, 3),
        ("10 - 4 - 3", 0, 3),
        ("1 << 2 + 1", 0, 8),
        ("6 & 3 == 3", 0, 0),
        ("1 | 6 ^ 3 & 2", 0, 5),
        ("row ^ col & 1", 6, 6),
        ("2 < 3 == 1", 0, 1),
        ("3 > 2 > 1", 0, 0),
        ("!row + 1", 0, 2),
        ("!!row", 7, 1),
        ("~row", 0, -1),
        ("- - row", 3, 3),
        ("row ? 1 : col ? 2 : 3", 0, 3),
        ("row == 3 ? 1 : 2", 3, 1),
        ("row && col || 1", 1, 1),
        ("row || 1 / row", 1, 1),
        ("row && 1 / row", 0, 0),
        ("row ? 8 / row : 9", 0, 9),
        ("010 + 0x10 + 0b11", 0, 27),
        ("threadIdx.x - 1", 0, 4294967295),
        ("(int)(threadIdx.x - 1)", 0, -1),
        ("int(threadIdx.x - 1)", 0, -1),
        ("(threadIdx.x - 1) / 2", 0, 2147483647),
        ("threadIdx.x - 1 < 0", 0, 0),
        ("threadIdx.x > -1", 0, 0),
        ("row > -1", 0, 1),
        ("-1 / 2u", 0, 2147483647),
        ("-1 % 32u", 0, 31),
        ("(row - 1) % 32", 0, -1),
        ("1 ? -1 : 0u", 0, 4294967295),
        ("4294967295u + 2", 0, 1),
        ("4294967295 + 2", 0, 4294967297),
        ("0xffffffff + 1", 0, 0),
        ("2147483648 * 2", 0, 4294967296),
        ("(unsigned long long)row - 1 > 5", 0, 1),
        ("(unsigned)-1 + 1LL", 0, 4294967296),
        ("-9 >> 1u", 0, -5),
        ("1 << 31", 0, -2147483648),
        ("3u << 31", 0, 2147483648),
        ("1ull << 40", 0, 1 << 40),
        ("min(row, 3)", 5, 3),
        ("max(-1, 1u)", 0, 4294967295),
        ("abs(-row)", 5, 5),
        ("__brev(1) >> 27", 0, 16),
        ("__brev(0xfu)", 0, 0xF0000000),
        ("__popc(row * 3)", 5, 4),
        ("(size_t)row * 4", 5, 20),
        ("row\n  + col", 5, 5),
        ("threadIdx . x + 1", 0, 1),
        ("tile[row]", 5, 5),
        ("smem[row][col ^ row]", 5, (5, 5)),
        ("make_int2(row, col)", 5, (5, 0)),
        ("row and not col", 5, 1),
        ("sizeof(float4) * row", 5, 80),
        ("int(row / 2.0f)", 5, 2),
        ("__clz(row)", 5, 29),
    ],
)
def test_expressions(expression, row, wanted):
    assert value(expression, row) == wanted


@pytest.mark.parametrize(
    ("expression", "what"),
    [
        ("1 / row", "divided by zero"),
        ("1 % row", "divided by zero"),
        ("1u / threadIdx.x", "divided by zero"),
        ("1 << 32 + row", "a shift of int32 by 32"),
        ("1 >> row - 1", "a shift of int32 by -1"),
        ("1ll << 64", "a shift of int64 by 64"),
        ("2147483647 + 1 + row", "does not fit int32"),
        ("65536 * 65536", "does not fit int32"),
        (f"{MIN} / -1", "does not fit int32"),
        (f"{MIN} % -1", "does not fit int32"),
        (f"-{MIN}", "does not fit int32"),
        ("9223372036854775807 + 1", "does not fit int64"),
        ("4611686018427387904 * 2", "does not fit int64"),
        ("(-9223372036854775807 - 1) / -1", "does not fit int64"),
        ("2 + row << 31", "2 << 31 does not fit int32"),
        ("0ull - 1", "beyond any memory"),
    ],
)
def test_what_cpp_leaves_undefined_has_no_value(expression, what):
    with raises(NoValue, what):
        value(expression)


@pytest.mark.parametrize(
    ("source", "what", "instead", "place"),
    [
        ("row * 33 +", "ends too early", "", (1, 11)),
        ("", "is empty", "def index(row, col)", (1, 1)),
        ("(row", "missing `)`", "", (1, 5)),
        ("row col", "`col` cannot be here", "", (1, 5)),
        ("row ? 1", "missing `:`", "", (1, 8)),
        ("row // 2", "// begins a comment", "write /", (1, 5)),
        ("row /* rows */", "/* begins a comment", "leave", (1, 5)),
        ("row ** 2", "`int` is not a pointer to something that can be accessed", "", (1, 6)),
        ("row = 3", "the left side is a value, not a variable", "", (1, 5)),
        ("row += 3", "the left side is a value, not a variable", "", (1, 5)),
        ("row++", "the left side is a value, not a variable", "", (1, 4)),
        ("row; col", "missing `;`", "", (1, 9)),
        ("row, col, 0", "at most two numbers", "row, col", (1, 11)),
        ("True", "the name `True` is not declared here", "declare it before its use", (1, 1)),
        ("1.5 * row", "an integer", "", (1, 5)),
        ("1e3", "an integer", "", (1, 1)),
        ("08", "not a number in C", "", (1, 1)),
        ("12abc", "not a number in C", "", (1, 1)),
        ("99999999999999999999", "`99999999999999999999` does not fit into 64 bits", "", (1, 1)),
        ("rwo + 1", "the name `rwo` is not declared here", "did you mean 'row'?", (1, 1)),
        ("threadIdx.w", "the struct `uint3` has no member `w`", "", (1, 11)),
        ("threadIdx->x", "there is no such operator for uint3", "", (1, 12)),
        (
            "tile[row][col] + 1",
            "the name `tile` is not declared here",
            "declare it before its use",
            (1, 1),
        ),
        (
            "1 + tile[row][col]",
            "the name `tile` is not declared here",
            "declare it before its use",
            (1, 5),
        ),
        ("row[1] + 1", "`int` is not a pointer to something that can be accessed", "", (1, 4)),
        ("1 + row[1]", "`int` is not a pointer to something that can be accessed", "", (1, 8)),
        ("tile[row][col][0]", "two indices", "tile[i][j]", (1, 1)),
        ("[row, col]", "missing `{`", "", (1, 11)),
        (
            "tile[row][col] = row",
            "the name `tile` is not declared here",
            "declare it before its use",
            (1, 1),
        ),
        ("__shared__ float s[8];", "`float` cannot be here", "", (1, 12)),
        ("tile[row][col", "missing `]`", "", (1, 14)),
        ("pow(2, row)", "a float where an integer is needed", "", (1, 1)),
        (
            "system(1)",
            "the name `system` is not declared here",
            "declare it before its use",
            (1, 1),
        ),
        ("min(row)", "`min` takes 2 arguments and gets 1", "", (1, 1)),
        ("(float)row", "a float where an integer is needed", "", (1, 1)),
        ("row +\n  cool", "the name `cool` is not declared here", "did you mean 'col'?", (2, 3)),
        ("row # 2", "`#` cannot be here", "", (1, 5)),
        ("row ＋ 2", "`＋` (U+FF0B) is not `+`", "type `+`", (1, 5)),
    ],
)
def test_what_is_no_expression_says_where_and_what_instead(source, what, instead, place):
    with pytest.raises(NotUnderstood) as error:
        value(source)
    said = english(error.value)
    assert what in said
    assert instead in said.partition("; ")[2]
    assert (error.value.line, error.value.column) == place
    assert str(error.value).startswith(f"{place[0]}:{place[1]}: ")


@pytest.mark.parametrize(
    ("c", "python", "row"),
    [
        ("-row / 2", "-row // 2", 3),
        ("-row % 4", "-row % 4", 3),
        ("row ^ 2 == 2", "row ^ 2 == 2", 3),
    ],
)
def test_the_two_languages_differ(c, python, row):
    assert value(c, row) != value(body(f"return {python}"), row)


def test_constants_are_ints_unless_too_large():
    assert value("N * 2", N=7) == 14
    assert value("N * 2", N=2**31) == 2**32
    assert value("N - 8", N=7) == -1


def test_a_long_expression_is_refused_or_costs_a_bound():
    with pytest.raises((NotUnderstood, TooMuchWork)):
        value("+".join(["row"] * 2_000))


# A C++ compiler as the judge

POINTS = [(0, 0), (1, 2), (3, 31), (31, 3), (17, 5), (2, 0)]
OPERATORS = st.sampled_from([*"+-*/%&|^", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&&", "||"])
LEAVES = st.one_of(
    st.sampled_from(["row", "col", "threadIdx.x", "threadIdx.y"]),
    st.integers(0, 40).map(str),
    st.sampled_from(["0x7fffffff", "2147483648", "0xffffffffu", "1u", "7LL", "32", "31", "5ull"]),
)


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, OPERATORS, inner).map(" ".join),
        st.tuples(inner, OPERATORS, inner).map(lambda parts: f"({' '.join(parts)})"),
        st.tuples(inner, inner, inner).map(lambda parts: "({} ? {} : {})".format(*parts)),
        inner.map(lambda one: f"-({one})"),
        inner.map(lambda one: f"~({one})"),
        inner.map(lambda one: f"!({one})"),
        st.tuples(st.sampled_from(["int", "unsigned", "long long"]), inner).map(
            lambda parts: "({})({})".format(*parts)
        ),
    )


EXPRESSIONS = st.recursive(LEAVES, _larger, max_leaves=7)

LITERAL = re.compile(r"(?<![\w.])(?:0x[0-9a-f]+|\d+)[uUlL]*")
PROGRAM = """
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
struct three {{ unsigned x, y, z; }};
#define L(x) ({{ volatile __typeof__(x) kept = (x); kept; }})
#define NEGATED(x) L(-(x))
{functions}
static long long (*all[])(int, int, struct three) = {{ {names} }};
static int points[][2] = {{ {points} }};
int main(void) {{
    for (unsigned f = 0; f < sizeof all / sizeof *all; f++)
        for (unsigned p = 0; p < sizeof points / sizeof *points; p++) {{
            int row = points[p][0], col = points[p][1], status;
            fflush(stdout);
            pid_t child = fork();
            if (!child) {{
                printf("%lld\\n", all[f](row, col, (struct three){{ col, row, 0 }}));
                fflush(stdout);
                _exit(0);
            }}
            waitpid(child, &status, 0);
            if (!WIFEXITED(status)) puts("undefined");
        }}
}}
"""


def compiled(gcc: str, bodies: list[str], where: Path) -> list[str]:
    """What gcc's program prints for each function at each point; it traps on what is undefined.

    Literals and negations go
    through `L`: gcc folds constants, and drops a minus where only truth counts, without a trap.
    """
    kept = [LITERAL.sub(r"L(\g<0>)", body).replace("-(", "NEGATED(") for body in bodies]
    functions = "\n".join(
        f"static long long f{number}(int row, int col, struct three threadIdx) {{ {body} }}"
        for number, body in enumerate(kept)
    )
    source, program = where / "all.cpp", where / "all"
    source.write_text(
        PROGRAM.format(
            functions=functions,
            names=", ".join(f"f{number}" for number in range(len(bodies))),
            points=", ".join(f"{{{row}, {col}}}" for row, col in POINTS),
        )
    )
    sanitize = "-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero"
    flags = ["-std=gnu++17", "-O0", "-w", "-Wno-narrowing", sanitize]
    flags.append("-fsanitize-undefined-trap-on-error")
    subprocess.run([gcc, *flags, "-o", program, source], check=True, capture_output=True)
    run = subprocess.run([program], check=True, capture_output=True, text=True)
    return run.stdout.split("\n")[:-1]


def returning(expression: str) -> str:
    return f"return (long long)({expression});"


def ours(source: str) -> list[str]:
    found = []
    for row, col in POINTS:
        names = {
            "row": np.array([row], np.int32),
            "col": np.array([col], np.int32),
            "threadIdx.x": np.array([col], np.uint32),
            "threadIdx.y": np.array([row], np.uint32),
        }
        try:
            (index,) = evaluate(read(source, names=names), names)
            found.append(str(int(index[0])))
        except NoValue:
            found.append("undefined")
    return found


@pytest.mark.parametrize(
    ("batches", "size"), [(1, 40), pytest.param(12, 100, marks=pytest.mark.long)]
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
    @given(st.lists(EXPRESSIONS, min_size=size, max_size=size))
    def same(expressions):
        printed = compiled(gcc, [returning(one) for one in expressions], tmp_path)
        wanted = [
            printed[first : first + len(POINTS)] for first in range(0, len(printed), len(POINTS))
        ]
        assert len(wanted) == len(expressions)
        for expression, theirs in zip(expressions, wanted, strict=True):
            assert ours(returning(expression)) == theirs, expression

    same()


def test_all_elements_at_once_are_what_each_is_alone():
    expressions = [
        "row * 33 + (col ^ row / 2)",
        "col > row ? threadIdx.x - threadIdx.y : -row",
        "row && col % (row + 1) || threadIdx.y << 2",
        "min(row, threadIdx.x) + abs(col - row) * __popc(col)",
        "(row << 26 >> 25) + (unsigned)col * 0x1fffffffu",
    ]
    names = {
        "row": np.array([row for row, _ in POINTS], np.int32),
        "col": np.array([col for _, col in POINTS], np.int32),
        "threadIdx.x": np.array([col for _, col in POINTS], np.uint32),
        "threadIdx.y": np.array([row for row, _ in POINTS], np.uint32),
    }
    for expression in expressions:
        (found,) = evaluate(read(f"(long long)({expression})", names=names), names)
        assert [str(number) for number in found.tolist()] == ours(returning(expression))


@pytest.mark.parametrize(
    "source",
    [
        "row, col ^ row",
        "(row, col ^ row)",
        "return row, col ^ row;",
        "return (row, (col ^ row));",
        "row * 32 + (col ^ row);",
        "return row * 32\n    + (col ^ row)",
        "tile[row][col ^ row]",
        "(row), (col ^ row)",
    ],
)
def test_what_people_write_first_is_understood(source):
    tile = Tile(32, 32)
    accesses = along_rows("row store", "store", tile), along_columns("column load", "load", tile)
    found = grade(source, Exercise(tile, accesses))
    assert (found.language, found.verdict.passed) == ("C++", True)
    assert np.array_equal(found.slots, [[32 * r + (c ^ r) for c in range(32)] for r in range(32)])


def test_a_place_behind_a_return_is_that_of_the_source():
    found = grade(
        "return row +;", Exercise(Tile(4, 4), (along_rows("store", "store", Tile(4, 4)),))
    )
    assert (found.verdict.failure.line, found.verdict.failure.column) == (1, 13)
