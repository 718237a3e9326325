"""The C that is interpreted means what C means: types, wrapping, what is undefined."""

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
from grader.layouts.c.types import INT, UNSIGNED, c_value
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
    ],
)
def test_expressions(expression, row, wanted):
    assert value(expression, row) == wanted


@pytest.mark.parametrize(
    ("expression", "what"),
    [
        ("1 / row", "division by zero"),
        ("1 % row", "division by zero"),
        ("1u / threadIdx.x", "division by zero"),
        ("1 << 32 + row", "a shift by a negative number or by 32"),
        ("1 >> row - 1", "a shift by a negative number"),
        ("1ll << 64", "by 64 or more"),
        ("2147483647 + 1 + row", "overflow of int"),
        ("65536 * 65536", "overflow of int"),
        (f"{MIN} / -1", "overflow of int"),
        (f"{MIN} % -1", "overflow of int"),
        (f"-{MIN}", "overflow of int"),
        (f"abs{MIN}", "overflow of int"),
        ("9223372036854775807 + 1", "overflow of long long"),
        ("4611686018427387904 * 2", "overflow of long long"),
        ("(-9223372036854775807 - 1) / -1", "overflow of long long"),
        ("0ull - 1", "beyond any memory"),
    ],
)
def test_what_c_leaves_undefined_has_no_value(expression, what):
    with raises(NoValue, what):
        value(expression)


@pytest.mark.parametrize(
    ("source", "what", "instead", "place"),
    [
        ("row * 33 +", "ends too early", "", (1, 11)),
        ("", "is empty", "def index(row, col)", (1, 1)),
        ("(row", "')' is missing", "", (1, 5)),
        ("row col", "'col' does not fit", "", (1, 5)),
        ("row ? 1", "':' is missing", "", (1, 8)),
        ("row // 2", "// begins a comment", "write /", (1, 5)),
        ("row /* rows */", "/* begins a comment", "leave", (1, 5)),
        ("row ** 2", "no power", "<<", (1, 6)),
        ("row = 3", "cannot assign", "def index", (1, 5)),
        ("row += 3", "cannot assign", "def index", (1, 5)),
        ("row++", "cannot assign", "def index", (1, 4)),
        ("row; col", "this value is not used", "return", (1, 1)),
        ("row, col, 0", "at most two numbers", "row, col", (1, 9)),
        ("row and col", "'and' does not fit", "&&", (1, 5)),
        ("not row", "not is not defined", "write !", (1, 1)),
        ("True", "True is not defined", "write 1", (1, 1)),
        ("1.5 * row", "an integer", "point", (1, 1)),
        ("1e3", "an integer", "point", (1, 1)),
        ("08", "not a number in C", "", (1, 1)),
        ("12abc", "not a number in C", "", (1, 1)),
        ("99999999999999999999", "beyond 64 bits", "", (1, 1)),
        ("'a'", "text", "", (1, 1)),
        ("rwo + 1", "rwo is not defined", "did you mean 'row'?", (1, 1)),
        ("threadIdx.w", "threadIdx.w is not defined", "threadIdx.x", (1, 1)),
        ("threadIdx->x", "threadIdx->x is not defined", "threadIdx.x", (1, 1)),
        ("tile[row][col] + 1", "value of an array element", "tile[i][j]", (1, 16)),
        ("1 + tile[row][col]", "value of an array element", "tile[i][j]", (1, 9)),
        ("row[1] + 1", "value of an array element", "tile[i][j]", (1, 8)),
        ("1 + row[1]", "value of an array element", "tile[i][j]", (1, 8)),
        ("tile[row][col][0]", "two indices", "tile[i][j]", (1, 1)),
        ("[row, col]", "'[' does not fit", "row, col", (1, 1)),
        ("tile[row][col] = row", "stores nothing", "tile[i][j]", (1, 16)),
        ("__shared__ float s[8];", "__shared__ is not defined", "only the index", (1, 1)),
        ("tile[row][col", "']' is missing", "", (1, 14)),
        ("pow(2, row)", "pow cannot be called", "<<", (1, 1)),
        ("system(1)", "system cannot be called", "available: min", (1, 1)),
        ("min(row)", "min takes 2 arguments, not 1", "", (1, 1)),
        ("(char)row", "char is not available", "int", (1, 6)),
        ("(float)row", "float is not available", "int", (1, 7)),
        ("sizeof(int)", "sizeof cannot be called", "bytes", (1, 1)),
        ("row +\n  cool", "cool is not defined", "did you mean 'col'?", (2, 3)),
        ("row # 2", "'#' does not fit", "", (1, 5)),
        ("row ＋ 2", "is not available", "", (1, 5)),
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


# A C compiler as the judge

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

    A left shift that drops bits is let pass, as since C++20 and in nvcc. Literals and negations go
    through `L`: gcc folds constants, and drops a minus where only truth counts, without a trap.
    """
    kept = [LITERAL.sub(r"L(\g<0>)", body).replace("-(", "NEGATED(") for body in bodies]
    functions = "\n".join(
        f"static long long f{number}(int row, int col, struct three threadIdx) {{ {body} }}"
        for number, body in enumerate(kept)
    )
    source, program = where / "all.c", where / "all"
    source.write_text(
        PROGRAM.format(
            functions=functions,
            names=", ".join(f"f{number}" for number in range(len(bodies))),
            points=", ".join(f"{{{row}, {col}}}" for row, col in POINTS),
        )
    )
    sanitize = "-fsanitize=signed-integer-overflow,shift-exponent,integer-divide-by-zero"
    flags = ["-std=gnu2x", "-O0", "-w", sanitize, "-fsanitize-undefined-trap-on-error"]
    subprocess.run([gcc, *flags, "-o", program, source], check=True, capture_output=True)
    run = subprocess.run([program], check=True, capture_output=True, text=True)
    return run.stdout.split("\n")[:-1]


def returning(expression: str) -> str:
    return f"return (long long)({expression});"


def ours(source: str) -> list[str]:
    found = []
    for row, col in POINTS:
        names = {
            "row": c_value(INT, row),
            "col": c_value(INT, col),
            "threadIdx.x": c_value(UNSIGNED, col),
            "threadIdx.y": c_value(UNSIGNED, row),
        }
        try:
            (index,) = evaluate(read(source, names=names), names)
            found.append(str(int(index[0])))
        except NoValue:
            found.append("undefined")
    return found


@pytest.mark.parametrize(
    ("batches", "size"), [(1, 40), pytest.param(60, 100, marks=pytest.mark.long)]
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
        "(row << 28 >> 27) + (unsigned)col * 0x1fffffffu",
    ]
    names = {
        "row": c_value(INT, [row for row, _ in POINTS]),
        "col": c_value(INT, [col for _, col in POINTS]),
        "threadIdx.x": c_value(UNSIGNED, [col for _, col in POINTS]),
        "threadIdx.y": c_value(UNSIGNED, [row for row, _ in POINTS]),
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
    assert (found.language, found.verdict.passed) == ("C", True)
    assert np.array_equal(found.slots, [[32 * r + (c ^ r) for c in range(32)] for r in range(32)])


def test_a_place_behind_a_return_is_that_of_the_source():
    found = grade(
        "return row +;", Exercise(Tile(4, 4), (along_rows("store", "store", Tile(4, 4)),))
    )
    assert (found.verdict.failure.line, found.verdict.failure.column) == (1, 13)
