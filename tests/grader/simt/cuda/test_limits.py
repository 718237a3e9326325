"""Sources that would take a parser's stack, memory or time: refused in one line."""

from __future__ import annotations

import re
from random import Random

import pytest

from grader.simt.cuda.parser.parsing import parse
from grader.simt.cuda.syntax import HIGHEST
from grader.simt.cuda.tokens import read_lines
from grader.simt.cuda.trees import children
from grader.simt.errors import Refused
from tests.grader.simt.cuda.printing import format_tree
from tests.grader.simt.cuda.test_declarations import SOURCE
from tests.grader.simt.cuda.tools import refusal_of

DOUBLING = "".join(f"#define A{i + 1} A{i} A{i}\n" for i in range(40))
LEVELS = "x || x && x | x ^ x & x == x < x << x + x * "
DEEP = "source.nested-too-deeply"


def kernel(body: str, before: str = "") -> str:
    return f"{before}__global__ void f(int x, int* p) {{\n{body}\n}}"


@pytest.mark.parametrize(
    "text",
    [
        kernel("x = " + "(" * 900 + "x" + ")" * 900 + ";"),
        kernel("x = " + "- " * 900 + "x;"),
        kernel("x = " + "(int)" * 900 + "x;"),
        kernel("x = " + "x + " * 900 + "x;"),
        kernel("x" + ", x" * 900 + ";"),
        kernel("x = p" + "[0]" * 900 + ";"),
        kernel("x = " + "p[" * 900 + "0" + "]" * 900 + ";"),
        kernel("x = " + "x ? x : " * 900 + "x;"),
        kernel("x = " * 900 + "x;"),
        kernel("{" * 900 + "}" * 900),
        kernel("if (x) " * 900 + ";"),
        kernel("if (x); else " * 900 + ";"),
        kernel("int " + "*" * 900 + "y;"),
        kernel("int y" + "[1]" * 900 + ";"),
        kernel("int " + "(*" * 900 + "y" + ")" * 900 + ";"),
        kernel("int y[] = " + "{" * 900 + "1" + "}" * 900 + ";"),
        kernel("v<" * 900 + "int" + ">" * 900 + " y;", "template <class T> struct v {};\n"),
        kernel("x = " + "(" * 5 + "x" + (" + x" * 90 + ")") * 5 + ";"),
        kernel(
            "x = " + "x || x && x | x ^ x & x == x < x << x + x * (" * 20 + "x" + ")" * 20 + ";"
        ),
        "namespace a {" * 900 + "}" * 900,
        "namespace " + "a::" * 900 + "a {}",
        "#if 1\n" * 900 + "#endif\n" * 900,
    ],
    ids=lambda text: text.replace("__global__ void f(int x, int* p)", "")[:24],
)
def test_what_is_nested_too_deeply_is_refused(text):
    assert refusal_of(text).what.code == DEEP


WORDS = (*"(){}[]<>;,:*&=.#~", "::", "template", "struct", "operator", "case", ">>", "...", "using",
         "enum", "for", "if", "sizeof", "typedef", "typename", "alignas", "namespace")  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_damaged_sources_are_parsed_or_refused(seed):
    """Whatever is missing, doubled or foreign in a source: no other error than a refusal."""
    random = Random(seed)
    whole = [
        token for line in read_lines(SOURCE) for token in (*(t.text for t in line.tokens), "\n")
    ]
    lines = list[int]()
    for _ in range(60):
        words = list(whole)
        for _ in range(random.randint(1, 4)):
            at, foreign = random.randrange(len(words)), random.choice(WORDS)
            words[at : at + random.randint(0, 1)] = [foreign] * random.randint(0, 1)
        try:
            format_tree(parse(" ".join(words)))
        except Refused as error:
            lines.append(error.line)
    assert lines
    assert min(lines) >= 1


def test_a_typedef_may_end_too_early():
    with pytest.raises(Refused, match=r"cpp\.ends-too-early"):
        parse("typedef")


def test_what_people_write_is_not_too_deep():
    chain = kernel("x = " + "x + " * 150 + "x;")
    nest = kernel("for (;;) { if (x) { " * 10 + "x = ((((((x))))));" + "} }" * 10)
    otherwise = kernel("if (x) x = 1; else " * 25 + "x = 2;")
    for text in (chain, nest, otherwise):
        assert parse(text).kernels[0].refusal is None


def test_a_tree_is_no_higher_than_it_says():
    (function,) = parse(kernel("x = " + "x + " * (HIGHEST - 10) + "x;")).kernels
    level, height = [function], 0
    while level := [child for node in level for child in children(node)]:
        height += 1
    assert HIGHEST - 10 < height <= HIGHEST


@pytest.mark.parametrize(
    "text",
    [
        "struct A { A(int) {} };",
        "struct A { int a[2] = {1}; };",
        "template <class T> struct P {}; __device__ P<P<P<P<int>>>> p(P<P<int>> a);",
        "__device__ int f() { for (;;) if (int a = sizeof(int)) return a; }",
        "__device__ int f(int a = 1, const int *const *b = 0);",
        "enum E { A = 1 }; using T = decltype(A);",
    ],
)
def test_a_declaration_of_few_tokens_is_low(text):
    """Which is why those are not gone through; each token makes no more than four levels."""
    for declaration in parse(text).declarations:
        level, height = [declaration], 0
        while level := [child for node in level for child in children(node)]:
            height += 1
        assert height <= 4 * len(re.findall(r"\w+|[^\w\s]", text))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("int a;\n" * 1_000_000, "cpp.source-too-long"),
        ("x" * 5_000_000, "cpp.source-too-long"),
        ("a;" * 1_000_000, "cpp.too-many-tokens"),
        ("a b\n" * 90_000 + "a b c d\n" * 9_000, "cpp.too-many-tokens"),
        (DOUBLING + "A40", "cpp.too-many-tokens"),
        ("#define D(a) a a\n" + "D(" * 30 + "x" + ")" * 30, "cpp.too-many-tokens"),
        ("#define D(a) a\n" + "D(" * 900 + "x" + ")" * 900, "cpp.macro-too-deep"),
        ("#define S(x) #x\n#define T(x) S(x)\n" + "T(" * 25 + '"' + ")" * 25, "cpp.macro-too-long"),
        (
            "#define C(a, b) a##b\n#define D(a) C(a, a)\n" + "D(" * 25 + "x" + ")" * 25,
            "cpp.macro-too-long",
        ),
        ("#define V(...) __VA_ARGS__, __VA_ARGS__\n" + "V(" * 30 + ")" * 30, "cpp.too-many-tokens"),
    ],
    ids=[
        "lines",
        "characters",
        "line",
        "tokens",
        "doubling",
        "calls",
        "deep",
        "strings",
        "pasted",
        "variadic",
    ],
)
def test_what_is_too_large_is_refused(text, code):
    assert refusal_of(text).what.code == code


@pytest.mark.parametrize(
    "text",
    [
        kernel('printf("' + "a" * 500_000 + '");'),
        kernel("x = " + "9" * 500_000 + ";"),
        "'" * 100_000,
        'R"abc(' * 50_000,
        "a<" * 50_000,
        "template<" * 20_000,
        "struct a<b " * 20_000,
        "/" * 500_000,
    ],
    ids=["string", "number", "quotes", "raw", "angles", "templates", "heads", "slashes"],
)
def test_what_would_be_searched_again_and_again_is_not(text):
    try:
        unit = parse(text)
    except Refused as error:
        unit = error  # type: ignore[assignment]
    assert unit
