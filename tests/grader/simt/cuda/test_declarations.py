"""Declarations: types, variables, templates, structs, and what of a file is for the host."""

from __future__ import annotations

import pytest

from grader.simt.cuda.parser.parsing import parse
from grader.simt.cuda.places import IllFormed
from grader.simt.errors import Refused
from tests.grader.simt.cuda.printing import format_node, format_tree
from tests.grader.simt.cuda.tools import refusal_of, shown


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("unsigned long v;", "unsigned long v;"),
        ("long unsigned int long v;", "unsigned long long v;"),
        ("const int v = 1, *q = 0, w[3] = {1};", "const int v = 1, *q = 0, w[3] = {1};"),
        ("int const volatile v = 1;", "const volatile int v = 1;"),
        ("float* const __restrict__ q = p;", "float *const __restrict__ q = p;"),
        ("float (*q)[4];", "float (*q)[4];"),
        ("float (&r)[4] = w;", "float (&r)[4] = w;"),
        ("float *q[2][3];", "float *q[2][3];"),
        ("auto&& r = x;", "auto &&r = x;"),
        ("__shared__ float s[32][32 + 1];", "__shared__ float s[32][(32 + 1)];"),
        ("extern __shared__ __align__(16) char s[];", "__shared__ extern alignas(16) char s[];"),
        ("alignas(float4) float v[4];", "alignas(alignof(float4)) float v[4];"),
        ("float4 v(a, b, a, b), w{a};", "float4 v(a, b, a, b), w{a};"),
        ("float v[2][2] = {{1}, {2, 3,}};", "float v[2][2] = {{1}, {2, 3}};"),
        ("static constexpr int n2 = 1 << 4;", "constexpr static int n2 = (1 << 4);"),
        ("using U = unsigned; U v;", "using U = unsigned int; U v;"),
        ("typedef int A[4], *P; A v; P w;", "using A = int [4]; using P = int *; A v; P w;"),
        ("struct P2 { int x, y = 2; } v, *w;", "struct P2 { int x; int y = 2; }; P2 v, *w;"),
        ("enum { A, B = 3 }; x = A;", "enum { A, B = 3 }; (x = A);"),
        ('static_assert(sizeof(int) == 4, "four");', 'static_assert((sizeof(int) == 4), "four");'),
        ("for (int u = 0, w = 1; u < w; u++, w--);",
         "for (int u = 0, w = 1; (u < w); ((u++), (w--))) { ; }"),
        ("if (int v = x; v) y = v; else if (z) y = 2;",
         "if (int v = x; v) { (y = v); } else { if (z) { (y = 2); } }"),
        ("while (int v = x) y = v;", "while (int v = x) { (y = v); }"),
        ("do x--; while (x > 0);", "do { (x--); } while ((x > 0));"),
        ("switch (x) { case 1: case 2: y = 1; break; default: { y = 2; } }",
         "switch (x) { case 1: case 2: (y = 1); break; default: { (y = 2); } }"),
        ("if constexpr (sizeof(a) == 4) return;", "if constexpr ((sizeof(a) == 4)) { return; }"),
        ("[[maybe_unused]] int v = 1;", "int v = 1;"),
        ("auto v = [&](auto... w) { return (x + ... + w); };",
         "auto v = [&](auto ...w) { return (x + ... + w); };"),
        ("struct P2 { int x; }; struct Q2 : P2 { int y; }; Q2 v; x = v.P2::x;",
         "struct P2 { int x; }; struct Q2 : P2 { int y; }; Q2 v; (x = ((P2 &)v).x);"),
    ],
)  # fmt: skip
def test_a_statement_is_read_as_cpp_reads_it(text, meant):
    assert shown(text) == meant


SOURCE = """
#include <vector>
#include <cstdio>
#define CHECK(call) do { if (call) exit(1); } while (0)
using namespace std;
template <typename T, int N = 4, bool B = (N > 3)>
struct __align__(16) Tile {
    T data[N];
    static constexpr int size = N;
    using value = T;
    enum Mode { A, B2 };
    __host__ __device__ Tile(T x) : count(x) { data[0] = x; }
    Tile() = default;
    __device__ T& operator[](int i) { return data[i + offset()]; }
    __device__ T operator()(int i) const { return data[i]; }
    __device__ operator bool() const { return count > 0; }
    template <typename U> __device__ U as(int i) const { return U(data[i]); }
    void print() { std::cout << data[0] << std::endl; }
private:
    __device__ int offset() const { return count; }
    int count;
};
namespace ops { namespace detail {
    __device__ __forceinline__ float add(float a, float b) { return a + b; }
} }
template <typename T> __device__ T twice(T x) { return x + x; }
template <> __device__ float twice<float>(float x) { return 2 * x; }
__device__ int declared(int x = 3);
__constant__ float weights[64];
__device__ unsigned counter = 0;
const int WIDTH = 1 << 5;
std::vector<int> host_values(10);
vector<float> more;
constexpr int half_of(int x) { return x / 2; }
struct Host { std::vector<int> v; virtual void f(); };
class Base : public Host { };
static void check(const char* what, ...) { throw 1; }
template <typename T> void launch(T* p) { kernel<T, 32><<<1, 2>>>(p); }
template <typename T, int N>
__global__ void __launch_bounds__(256, 2) kernel(T* __restrict__ out, const Tile<T, N>& tile) {
    __shared__ T s[half_of(WIDTH)];
    out[threadIdx.x] = ops::detail::add(tile(1), twice<T>(s[0])) + Tile<T>::size;
}
extern "C" {
__global__ void plain(float *x) { x[0] = weights[1]; }
}
template __global__ void kernel<float, 4>(float*, const Tile<float, 4>&);
int main(int argc, char** argv) {
    auto f = [&](int x) { return x + 1; };
    kernel<float, 32><<<dim3(1), 32, 0, 0>>>(nullptr);
    CHECK(cudaDeviceSynchronize());
    const char* text = R"(__global__ void in_a_string() { } )";
    return 0;
}
"""


@pytest.fixture(scope="module")
def unit():
    return parse(SOURCE, path="a.cu")


ONE = "template <class T> constexpr T one = T(1); template <> constexpr int one<int> = 2;"
"""A template of a variable that is specialized."""


def test_a_file_is_divided_into_what_is_for_the_device_and_the_rest(unit):
    assert [each.name for each in unit.kernels] == ["kernel", "plain"]
    names = [each.name for each in unit.functions]
    assert names == ["add", "twice", "twice", "declared", "half_of"]
    assert [each.name for each in unit.structs] == ["Tile"]
    assert [each.name for each in unit.variables] == ["weights", "counter", "WIDTH"]
    assert unit.host_functions >= {"main", "launch", "check", "host_values"}
    assert {name: why.what.code for name, why in unit.unavailable} == {
        "Host": "cpp.no-std", "Base": "cpp.unavailable", "more": "cpp.unknown-type",
    }  # fmt: skip
    assert not any(each.refusal for each in (*unit.kernels, *unit.functions))


def test_a_kernel_has_its_template_bounds_and_types(unit):
    kernel = unit.kernels[0]
    assert [each.name for each in kernel.template] == ["T", "N"]
    assert [format_node(each) for each in kernel.launch_bounds] == ["256", "2"]
    assert kernel.specifiers == {"__global__"}
    shown_parameters = [format_node(each.type) for each in kernel.parameters]
    assert shown_parameters == ["T *__restrict__", "const Tile<T, N> &"]
    assert kernel.place == (40, 43, "a.cu")


def test_a_struct_has_its_members(unit):
    (tile,) = unit.structs
    assert [each.name for each in tile.members] == ["data", "count"]
    assert [each.name for each in tile.constants] == ["size"]
    assert [each.name for each in tile.types] == ["value", "Mode"]
    functions = {each.name: each for each in tile.functions}
    assert list(functions) == [
        "Tile", "operator[]", "operator()", "operator bool", "as", "print", "offset",
    ]  # fmt: skip
    assert tile.functions[1].defaulted
    assert functions["print"].body is None
    assert functions["operator()"].const
    assert functions["as"].template is not None
    assert format_node(tile.functions[0].initializers[0].initializer.values[0]) == "x"
    assert format_node(tile.alignment) == "16"


def test_scopes_and_specializations_are_kept(unit):
    add, twice, special, declared, _ = unit.functions
    assert add.scope == ("ops", "detail")
    assert [format_node(each) for each in special.specialized] == ["float"]
    assert special.template == ()
    assert twice.specialized is None
    assert declared.body is None
    assert format_node(declared.parameters[0].default) == "3"


def test_what_is_printed_of_a_file_parses_to_the_same(unit):
    printed = format_tree(unit)
    assert format_tree(parse(printed)) == printed


GROUPS = "cpp.no-cooperative-group"


@pytest.mark.parametrize(
    ("before", "body", "parameters", "code"),
    [
        ("struct H { std::string s; };", "H h;", "int x", "cpp.unavailable"),
        ("struct H { std::string s; };", "", "H* h", "cpp.unavailable"),
        ("namespace cg = cooperative_groups;", "cg::multi_grid_group g;", "", GROUPS),
        ("using namespace cooperative_groups;", "auto g = this_multi_grid();", "", GROUPS),
        ("using namespace nvcuda;", "wmma::fragment<int> g;", "", "cpp.include-missing"),
        ("using B = cuda::barrier<cuda::thread_scope_block>;", "B b;", "", "cpp.unavailable"),
        ("", "", "__nv_fp4_e2m1* p", "cpp.no-fp4"),
        ("", "", "texture<float, 2> t", "cpp.no-texture-references"),
        ("", "", "curandState* s", "cpp.no-curand"),
        ("#include <cublas_v2.h>", "", "Missing* s", "cpp.unknown-type"),
        (ONE, "one<int>;", "", "cpp.unavailable"),
        ("struct F { int a : 3; };", "F f;", "", "cpp.unavailable"),
    ],
)  # fmt: skip
def test_what_a_kernel_cannot_use_is_refused_with_the_kernel_alone(before, body, parameters, code):
    text = f"{before}\n__global__ void k({parameters}) {{ {body} }}\n__global__ void ok() {{}}"
    refused, ok = parse(text).kernels
    assert refused.refusal.what.code == code
    assert refused.refusal.line == 2
    assert refused.body is None
    assert ok.refusal is None


@pytest.mark.parametrize(
    "text", ["Missing f();", "Missing x;", "__global__ void other(Missing* s) {}"]
)
def test_an_unknown_type_is_an_error_unless_a_header_may_declare_it(text):
    kernel = "__global__ void k() {}"
    with pytest.raises(Refused, match=r"cpp\.unknown-type"):
        parse(f"#include <stdio.h>\n{text}\n{kernel}")
    assert parse(f"#include <cublas_v2.h>\n{text}\n{kernel}").kernels


@pytest.mark.parametrize("text", ["TEST(a, b) { f(a); }", "CHECK(1);"])
def test_a_call_at_file_scope_may_be_a_macro_of_a_library(text):
    with pytest.raises(Refused, match=r"cpp\.no-result"):
        parse(f"#include <cstdio>\n{text}")
    parse(f"#include <gtest/gtest.h>\n{text}")


def test_a_refused_member_function_spares_its_struct():
    (struct,) = parse("struct S { int x; __device__ void f() { goto end; } };").structs
    assert struct.functions[0].refusal.what.code == "cpp.no-goto"


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("__global__ void k(int* p { }", "cpp.expected", 1, 26),
        ("__global__ void k(int* p) { p[0] = 1; ", "syntax.never-closed", 1, 27),
        ("__global__ void k(int* p) { } }", "syntax.unmatched", 1, 31),
        ("__global__ void k(int* p) {\n int x = 1\n int y;\n}", "cpp.missing", 2, 11),
        ("__device__ int x = ;", "cpp.unexpected", 1, 20),
        ("__global__ k(int* p) { }", "cpp.no-result", 1, 12),
        ("int main() { ( }", "syntax.mismatched", 1, 16),
        ("__global__ void k(int template) { }", "cpp.keyword-as-name", 1, 23),
    ],
)
def test_ill_formed_device_code_is_refused_whole(text, code, line, column):
    error = refusal_of(text)
    assert (error.what.code, error.line, error.column) == (code, line, column)


def test_host_code_is_not_understood():
    unit = parse("int f() { this is not C++ <<< }; auto g = [](auto x) { return x; };")
    assert unit.kernels == ()
    with pytest.raises(IllFormed):
        parse("__device__ int f() { this is not C++ }")


@pytest.mark.parametrize(
    "host",
    [
        "template <int N = 4> void h() { int x[N]; }",
        "template <typename T = float> void h(std::vector<T> x) { }",
        "template <typename T = float> std::vector<T> h();",
        "struct M { int a; M& operator=(const M&); }; M& M::operator=(const M&) { }",
        "struct M { int a; M& operator=(const M&) = default; };",
    ],
)
def test_a_kernel_behind_host_code_with_an_equals_sign_is_found(host):
    unit = parse(f"{host}\n__global__ void k(float* a) {{ }}\n__global__ void l(float* a) {{ }}\n")
    assert [kernel.name for kernel in unit.kernels] == ["k", "l"]


@pytest.mark.parametrize(
    "head", ["__global__ __maxnreg__(32) void", "__global__ void __maxnreg__(32)"]
)
def test_a_kernel_with_a_limit_on_registers_keeps_its_name(head):
    (kernel,) = parse(f"{head} k(float* a) {{ a[0] = 1; }}").kernels
    assert (kernel.name, kernel.refusal) == ("k", None)
