"""Sources that would take long are refused with a place, and none ends in an error of Python."""

from __future__ import annotations

import pytest

from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.errors import Refused

LEVELS = "".join(
    f"template <int N> __device__ int f{at}(int x)"
    f" {{ return f{at + 1}<N * 2>(x) + f{at + 1}<N * 2 + 1>(x); }}\n"
    for at in range(20, -1, -1)
)
DOUBLED = "struct T0 { int x; };\n" + "".join(
    f"struct T{at + 1} {{ T{at} a, b; }};\n" for at in range(40)
)
PAIRS = "template <class A, class B> struct P { A a; B b; };\nusing T0 = P<int, int>;\n" + "".join(
    f"using T{at + 1} = P<T{at}, T{at}>;\n" for at in range(30)
)
BOMBS = {
    "structs of two structs": (DOUBLED, "T40 t; *o = 1;", "cpp.large-struct"),
    "templates of two templates": (PAIRS, "*o = sizeof(T30);", "cpp.large-struct"),
    "templates without an end": (
        "template <int N> struct F { static constexpr int v = F<N + 1>::v; };",
        "*o = F<0>::v;", "cpp.template-depth",
    ),
    "an alias without an end": (
        "template <int N> struct S { using T = typename S<N + 1>::T; };",
        "S<0>::T x = 0; *o = x;", "cpp.template-depth",
    ),
    "a constant of itself": ("constexpr int a = a + 1;", "*o = a;", "cpp.template-depth"),
    "functions without an end": (
        "template <int N> __device__ int f(int x) { return f<N + 1>(x) + f<N + 2>(x); }",
        "*o = f<0>(1);", "python.call-depth",
    ),
    "functions that double": (
        f"template <int N> __device__ int f21(int x) {{ return N; }}\n{LEVELS}",
        "*o = f0<1>(1);", "cpp.too-many-instances",
    ),
    "a copy of much": (
        "struct T { float w[100000]; };", "T a; T b = a; *o = b.w[1];", "cpp.large-copy",
    ),
    "a list of much": ("", "int a[100000] = {1}; *o = a[0];", "cpp.large-list"),
}  # fmt: skip


@pytest.mark.parametrize(("before", "body", "code"), BOMBS.values(), ids=BOMBS)
def test_it_is_refused(before, body, code):
    source = read_cuda(f"{before}\n__global__ void k(int *o) {{ {body} }}")
    with pytest.raises(Refused) as refused:
        lower_kernel(source, "k")
    assert refused.value.what.code == code
    assert refused.value.line > 0


def test_a_default_of_a_template_may_follow_from_another():
    text = "template <int N = 3, int M = N * 2> __global__ void k(int *o) { *o = M; }"
    kernel, _ = lower_kernel(read_cuda(text), "k")
    assert kernel.function.name == "k<3, 6>"
