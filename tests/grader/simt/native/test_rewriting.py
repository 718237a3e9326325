"""What a C++ compiler gets of a CUDA C++ source: its text, and the number of every line."""

from __future__ import annotations

import pytest

from grader.simt.native.rewriting import find_specifiers, rewrite


def rewritten(text: str) -> str:
    found = rewrite(text, "k.cu", find_specifiers([text]), lambda _: None)
    first, _, rest = found.partition("\n")
    assert first == '#line 1 "k.cu"'
    assert rest.count("\n") == text.count("\n")
    return rest


@pytest.mark.parametrize(
    ("launch", "expected"),
    [
        ("k<<<1, 2>>>(a);", "(::quiz::configure(1, 2), k(a));"),
        ("k<T, (N > 3)><<<g, b>>>();", "(::quiz::configure(g, b), k<T, (N > 3)>());"),
        ("own::k<<<f(1, 2), 3>>>(a);", "(::quiz::configure(f(1, 2), 3), own::k(a));"),
        ("::k<<<1, 2>>>(a);", "(::quiz::configure(1, 2), ::k(a));"),
        ("it->k[3]<<<1, 2>>>(a);", "(::quiz::configure(1, 2), it->k[3](a));"),
        ("(*k)<<<1, 2>>>(a);", "(::quiz::configure(1, 2), (*k)(a));"),
        ("k<<<n >> 3, 2>>>(a);", "(::quiz::configure(n >> 3, 2), k(a));"),
        ("if (n) k<<<1, 2>>>(a);", "if (n) (::quiz::configure(1, 2), k(a));"),
        ("k<<<1, 2>>>(f(x), b);", "(::quiz::configure(1, 2), k(f(x), b));"),
        ("k<<<1,\n // two\n2>>>(\na);", "(::quiz::configure(1 , 2), k\n\n(\na));"),
        ("k << <1, 2 >> >(a);", "(::quiz::configure(1, 2), k (a));"),
        ("k<<<1, n<2> > >>(a);", "(::quiz::configure(1, n<2>), k(a));"),
        ("int a = x << 2 > 3;", "int a = x << 2 > 3;"),
    ],
)
def test_a_launch_is_a_call(launch, expected):
    assert rewritten(f"void f() {{ {launch} }}\n") == f"void f() {{ {expected} }}\n"


def test_a_kernel_is_a_stub_that_names_itself():
    text = (
        "namespace n {\ntemplate <typename T, int N = 3>\n__launch_bounds__(32) __global__\n"
        "void k(const T *__restrict__ a, unsigned, float (&b)[2], int c = f(1, 2))"
        " {\n  a[0];\n}\n}\n"
    )
    found = rewritten(text)
    assert 'quiz::Kernel quiz_kernel("n::k", __FILE__, 4);' in found
    assert "quiz_kernel.template type<T>(); quiz_kernel.template value<N>();" in found
    assert "quiz_kernel.run(a, quiz_unnamed_1, " in found
    assert "unsigned quiz_unnamed_1," in found
    assert "a[0];" not in found


_BRANCHES = """#if A
__device__ int f()
#else
__device__ int f(int)
#endif
{
#if B
g();
#else // h()
h();
#endif
}"""
_NO_BRANCHES = "#if A\n\n#else\n\n#endif\n\n#if B\n\n#else\n\n#endif"
_BY_COMPILER = """#ifdef A
#define HD E
#define E __device__ __host__
#else
#define HD __device__
#endif
HD int f() { return 1; }"""


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("__device__ float f(int) { return g(); }\nint h() { return 1; }", "int h() { return 1; }"),
        ("struct S *h() { }\n__device__ int f(int) { return g(); }", "struct S *h() { }"),
        ("int h(int a = 1) { }\n__device__ int f(int) { return g(); }", "int h(int a = 1) { }"),
        ("#define D __device__ inline\nD int f(int) { g(); }", "#define D __device__ inline"),
        ("struct S {\n int x;\n __device__ S() : x{g()} { }\n};", "struct S {\n int x;\n \n};"),
        (
            "__device__ int f() { return 1; }\nint g() { return h<f>(); }",
            "__device__ int f() ;\nint g() { return h<f>(); }",
        ),
        (
            "__host__ __device__ int f() { return 1; }",
            "__host__ __device__ int f() { return 1; }",
        ),
        ('struct S {\n[[deprecated("g()")]] __device__ S() { }\n};', "struct S {\n\n};"),
        (_BRANCHES, _NO_BRANCHES),
        ("__device__ static int f()\n{ return g(); }", "__device__ static int f()\n;"),
        ("struct S {\n__device__ int f() { return g(); }\n};", "struct S {\n\n};"),
        (_BY_COMPILER, _BY_COMPILER),
    ],
)  # fmt: skip
def test_what_only_the_device_calls_goes(text, kept):
    assert rewritten(text).strip() == kept


def test_variables_of_the_device_are_registered_where_they_are_declared():
    found = rewritten(
        "#if 0\n#endif\n__constant__ float a[2] = {1, 2}, *b;\nextern __device__ int c;\n"
    )
    assert 'quiz_symbol_3_a(&a, sizeof(a), "a", false);' in found
    assert 'quiz_symbol_3_b(&b, sizeof(b), "b", false);' in found
    assert "(&c" not in found


def test_each_variable_of_a_template_is_registered_by_what_it_is_of():
    found = rewritten("namespace a { template <class T, int N> __constant__ T c[N]; }\n")
    assert "__constant__ T quiz_c[N];" in found
    assert "static auto &c = ::quiz::template_symbol(quiz_c<T, N>, " in found
    assert '"a::c", false, [](auto &quiz_given) {' in found


def test_a_variable_is_registered_by_its_full_name():
    text = (
        "namespace a { inline namespace v1 { __constant__ float c[2], *d; } }\n__device__ int c;\n"
    )
    found = rewritten(text)
    assert '(&c, sizeof(c), "a::c", false);' in found
    assert '(&d, sizeof(d), "a::d", false);' in found
    assert '(&c, sizeof(c), "c", false);' in found
