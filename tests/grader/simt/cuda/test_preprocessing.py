"""Tokens and the preprocessor: macros, conditions, includes, and where a token is."""

from __future__ import annotations

import pytest

from grader.simt.cuda.parser.parsing import parse
from grader.simt.cuda.parser.preprocessing import Preprocessor
from grader.simt.cuda.places import IllFormed
from grader.simt.cuda.tokens import Token
from grader.simt.errors import Refused
from tests.grader.simt.cuda.tools import files, shown


def tokens(text: str, **defines: str) -> list[Token]:
    return Preprocessor(defines).run(text, "")[:-1]


def words(text: str, **defines: str) -> str:
    return " ".join(token.text for token in tokens(text, **defines))


def places(text: str) -> list[tuple[str, int, int]]:
    return [(token.text, *token.place[:2]) for token in tokens(text)]


def error_of(text: str, **options: object) -> tuple[str, int, int]:
    with pytest.raises(Refused) as caught:
        parse(text, **options)  # type: ignore[arg-type]
    error = caught.value
    return error.what.code, error.line, error.column


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        ("#define N 32\nN N1", "32 N1"),
        ("#define A B\n#define B A\nA B", "A B"),
        ("#define f(x) ((x) * 2)\nf(1 + f(2)) f", "( ( 1 + ( ( 2 ) * 2 ) ) * 2 ) f"),
        ("#define f(x, y) x y\nf((1, 2), [3)", "( 1 , 2 ) [ 3"),
        ("#define f() 1\nf() f ()", "1 1"),
        ("#define f (x)\nf(1)", "( x ) ( 1 )"),
        ("#define cat(a, b) a##b\ncat(x, 1) cat(<, <) cat(, y)", "x1 << y"),
        ("#define xcat(a, b) cat(a, b)\n#define cat(a, b) a##b\n#define N 3\nxcat(x, N)", "x3"),
        ('#define str(a) #a\nstr( a  "b\\n" + 1 )', '"a \\"b\\\\n\\" + 1"'),
        ("#define v(...) g(__VA_ARGS__)\nv(1, 2) v()", "g ( 1 , 2 ) g ( )"),
        ("#define v(f, ...) g(f, ##__VA_ARGS__)\nv(1) v(1, 2)", "g ( 1 ) g ( 1 , 2 )"),
        ("#define v(f, rest...) f rest\nv(1, 2, 3)", "1 2 , 3"),
        ("#define N 1\n#undef N\nN", "N"),
        ("#define f(x) x\n#define g f\ng(2)", "2"),
        ("#define f(x) x f\nf(1)(2)", "1 f ( 2 )"),
        ("#define LONG a \\\n  b\nLONG c", "a b c"),
        ("f\\\noo /* a\nb */ bar // c \\\n d\nx", "foo bar x"),
        ("__LINE__\n\n__LINE__", "1 3"),
    ],
)
def test_a_macro_expands(text, expanded):
    assert words(text) == expanded


def test_a_token_of_a_macro_is_where_the_macro_is_used():
    text = "#define MAX(a, b) ((a) > (b) ? (a) : (b))\n\nint x =\n  MAX(y, z);\n"
    found = places(text)
    assert found[3:7] == [("(", 4, 3), ("(", 4, 3), ("y", 4, 7), (")", 4, 3)]
    assert found[-1] == (";", 4, 12)


def test_lines_are_counted_through_splices_crlf_comments_and_a_byte_order_mark():
    assert places("\ufeffa\r\n b\\\r\nc d\n/*\n\n*/ e\rf") == [
        ("a", 1, 1), ("bc", 2, 2), ("d", 3, 3), ("e", 6, 4), ("f", 7, 1),
    ]  # fmt: skip


def test_raw_strings_and_quotes_in_comments_are_no_trouble():
    text = 'a R"x(" // )" \n)x" b // don\'t\nc /* it\'s "open */ d'
    assert [token.text for token in tokens(text)][::2] == ["a", "b", "d"]
    assert places(text)[2:] == [("b", 2, 5), ("c", 3, 1), ("d", 3, 20)]


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("1", True), ("0", False), ("defined(X)", False), ("defined __CUDACC__", True),
        ("__CUDA_ARCH__ >= 900 && !defined(Y)", True), ("UNKNOWN", False), ("UNKNOWN(3) + 1", True),
        ("__cplusplus >= 201703L", True), ("1 ? 0 : 1", False), ("(2 + 3 * 4) == 14", True),
        ("-1 < 0", True), ("7 / 2 * 2 == 6 && -7 % 3 == -1", True), ("1 << 3 | 1", True),
        ("0 && 1 / 0", False), ("'A' == 65", True), ("true && !false", True), ("~0 == -1", True),
        ("__has_include(<x.h>)", False),
    ],
)  # fmt: skip
def test_a_condition_chooses(condition, holds):
    text = f"#if {condition}\nyes\n#else\nno\n#endif"
    assert words(text) == ("yes" if holds else "no")


def test_conditions_nest_and_only_one_branch_is_taken():
    text = (
        "#ifdef A\n1\n#if 1\n2\n#else\n3\n#endif\n#elif B > 1\n4\n#elif 1\n5\n#else\n6\n#endif\n"
        "#ifndef A\n7\n#endif"
    )
    assert words(text) == "5 7"
    assert words(text, B="2") == "4 7"
    assert words(text, A="") == "1 2"


def test_the_architecture_can_be_chosen():
    assert words("__CUDA_ARCH__") == "900"
    assert words("__CUDA_ARCH__", __CUDA_ARCH__="800") == "800"


def test_what_headers_define_is_there():
    assert words("INT_MAX M_PI FLT_MAX")[:10] == "2147483647"
    assert shown("a = INFINITY;") == "(a = __int_as_float(2139095040));"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("\n#if 1\n", ("cpp.if-without-end", 2, 1)),
        ("#endif\n", ("cpp.without-if", 1, 1)),
        ("#if 1\n#else\n#else\n#endif", ("cpp.after-else", 3, 1)),
        ("#if 1 +\n#endif", ("cpp.bad-condition", 1, 1)),
        ("#if (1\n#endif", ("cpp.bad-condition", 1, 1)),
        ("#if 1.5\n#endif", ("cpp.bad-condition", 1, 5)),
        ("#define\n", ("cpp.macro-without-name", 1, 1)),
        ("#define f(1) 2\n", ("cpp.macro-parameters", 1, 11)),
        ("#define f(x, x) 2\n", ("cpp.macro-parameters", 1, 9)),
        ("#define f(x) x\nint y = f(1, 2);", ("cpp.macro-arguments", 2, 9)),
        ("#define f(x) x\nint y = f(1;", ("cpp.macro-call-without-end", 2, 9)),
        ("#define f(x) x##+\nint y = f(a);", ("cpp.bad-paste", 2, 9)),
        ("#incude <cmath>", ("cpp.unknown-directive", 1, 1)),
        ("#include cmath", ("cpp.bad-include", 1, 1)),
        ("#include <nowhere.h>", ("cpp.unknown-include", 1, 1)),
        ('\n#include "nowhere.h"', ("cpp.include-not-found", 2, 1)),
        ("#error sm_90 only", ("cpp.error", 1, 1)),
        ("int x; /* open", ("cpp.comment-without-end", 1, 8)),
        ("int x;\n \0", ("cpp.not-text", 2, 2)),
        ("#if 1\n#include <nowhere.h>\n#endif", ("cpp.unknown-include", 2, 1)),
    ],
)
def test_a_directive_that_is_wrong_is_refused_where_it_is(text, error):
    assert error_of(text) == error


def test_what_a_branch_leaves_out_is_not_read():
    assert words("#if 0\n#include <nowhere.h>\n#error no\ndon't @ `\n#endif\nx") == "x"


def test_an_include_is_read_once_and_its_places_name_it():
    texts = {
        "a.cuh": '#pragma once\n#include "b.cuh"\n__device__ int twice(int x) { return N * x; }',
        "b.cuh": "#pragma once\n#define N 2\n",
    }
    text = '#include "a.cuh"\n#include "b.cuh"\n#include "a.cuh"\n__global__ void k(int* p) {}'
    unit = parse(text, path="k.cu", read=files(texts))
    (twice,), (kernel,) = unit.functions, unit.kernels
    assert (twice.name, twice.place) == ("twice", (3, 16, "a.cuh"))
    assert kernel.place == (4, 17, "k.cu")


def test_a_file_that_includes_itself_is_refused():
    error = error_of('#include "a.cuh"', read=files({"a.cuh": '#include "a.cuh"'}))
    assert error == ("cpp.too-many-includes", 1, 1)


def test_known_headers_add_nothing():
    names = (
        "concepts",
        "cuda_runtime.h",
        "helper_cuda.h",
        "cudnn.h",
        "cuda/ptx",
        "vector",
        "cmath",
    )
    text = "".join(f"#include <{name}>\n" for name in names)
    assert words(text + '#include "cuda_fp16.h"\nx') == "x"


def test_an_error_in_a_directive_is_ill_formed_and_an_unknown_header_is_not():
    with pytest.raises(IllFormed):
        parse("#endif")
    advised = {}
    for header in ("cuda_runtme.h", "my_lib.h"):  # the latter is nobody's raylib.h
        with pytest.raises(Refused) as caught:
            parse(f"#include <{header}>")
        assert not isinstance(caught.value, IllFormed)
        advised[header] = caught.value.instead.fields.get("name")
    assert advised == {"cuda_runtme.h": "cuda_runtime.h", "my_lib.h": None}


def test_a_header_that_only_a_compiler_can_read_must_be_there():
    text = "#include <cute/tensor.hpp>\n__global__ void k(int* p) {}"
    assert error_of(text, read=files({})) == ("cpp.include-not-found", 1, 1)
    assert parse(text, read=files({"cute/tensor.hpp": "not read"})).kernels


def test_unroll_stays_with_its_loop():
    (loop, other) = (
        parse(
            "#define N 4\n__global__ void k(int n) {\n#pragma unroll N\nfor (;;) n++;\n"
            "#pragma omp parallel\nn = 1;\n}"
        )
        .kernels[0]
        .body.statements
    )
    assert loop.unroll.count.value == 4
    assert type(other).__name__ == "ExpressionStatement"
    assert shown("#pragma unroll\nwhile (x) x--;") == "#pragma unroll while (x) { (x--); }"
