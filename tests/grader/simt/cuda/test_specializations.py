"""Specializations of templates, overloads beside CUDA's own functions, what structs declare and
convert to: as a C++ compiler has it.
"""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.errors import Refused
from tests.grader.simt.cuda.host_compiler import emulate, evaluate, in_kernel

_BEFORE = """
template <typename T> struct Traits { static const int v = 1; __device__ int f() { return 10; } };
template <> struct Traits<float> { static const int v = 2; __device__ int f() { return 20; } };
template <> struct Traits<double> { static const int v = 3; __device__ int f() { return 30; } };
template <typename T, int N> struct Sized { __device__ int f() { return N; } };
template <typename T> struct Sized<T, 4> { __device__ int f() { return sizeof(T); } };
template <typename T> struct Sized<T*, 5> { __device__ int f() { return 10 * sizeof(T); } };
template <> struct Sized<char, 4> { __device__ int f() { return 99; } };
template <typename A, typename B> struct Same { static const bool value = false; };
template <typename A> struct Same<A, A> { static const bool value = true; };
template <typename T> struct OnlySpecial;
template <> struct OnlySpecial<int> { static constexpr int v = 7; };
template <> struct OnlySpecial<float> { static constexpr int v = 8; };
template <typename T> struct Wide { typedef T type; };
template <> struct Wide<float> { typedef double type; };
template <typename T> __device__ int width() { return sizeof(typename Wide<T>::type); }
template <typename T> __device__ int element(Wide<T> w) { return sizeof(T); }
template <typename T> __device__ T one() { return T(1); }
template <> __device__ float one<float>() { return 5; }
template <typename T> __device__ int named(T x) { return 1; }
template <> __device__ int named(double x) { return 7; }
template <> __device__ int named<int>(int x) { return 8; }
template <int N> __device__ int pick() { return N; }
template <> __device__ int pick<3>() { return 30; }
template <typename T> __device__ int declared(T x);
template <> __device__ int declared(int x) { return x + 1; }
template <typename T> __device__ T sum(T x, T y);
template <> __device__ float sum(float x, float y) { return x + y; }
template <typename T> __device__ T sum(T x, T y, T z) { return x + y * z; }
struct Enums {
    enum { a = 3, b };
    enum Named { c = 7 };
    enum class Scoped { d = 9, e };
    __device__ int sum() { return b + c; }
};
template <int N> struct Counted { enum { n = N, next = n + 1 }; };
struct Meters { float x; __device__ operator float() const { return 2 * x; } };
struct Cells { float* p; __device__ operator float*() { return p; } };
struct Both {
    float* p;
    __device__ operator float*() { return p; }
    __device__ operator const float*() const { return p + 1; }
};
struct Flag { int bits; __device__ operator bool() const { return bits & 4; } };
"""
_CASES = {
    "float a = sum(1.0f, 2.0f), b = sum(1.0f, 2.0f, 3.0f);": "a b sum(2,3,4)",
    "Traits<int> a; Traits<float> b; Traits<double> c;": "a.f() b.f() c.f()",
    "Traits<Traits<int>> a;": "a.f() Traits<int>::v Traits<float>::v Traits<double>::v",
    "Sized<int,3> a; Sized<int,4> b; Sized<double*,5> c; Sized<int,5> d; Sized<char,4> e;":
        "a.f() b.f() c.f() d.f() e.f()",
    "constexpr bool s = Same<int, int>::value, t = Same<int, unsigned>::value;": "s t",
    "Wide<float> w; Wide<Wide<float>> x;": "element(w) width<float>() width<char>()",
    "int a = OnlySpecial<int>::v, b = OnlySpecial<float>::v;": "a b",
    "float x = 1;": "one<int>() one<float>() named(x) named(1.0) named(1) named<int>(x)",
    "int i = 4;": "pick<2>() pick<3>() declared(i)",
    "Enums e; Enums::Named n = Enums::c;": "Enums::a Enums::b Enums::c e.sum() n",
    "int s = (int)Enums::Scoped::e, t[Counted<4>::n] = {};": "s sizeof(t) Counted<4>::next",
    "Meters m = {3}; float f = m;": "f m+1 m*m -m 2.0f/m",
    "Flag a = {5}, b = {3}; int n = a ? 1 : 2, m = !b;": "n m (a&&!b) a+1",
    "float cells[3] = {1, 2, 3}; Cells c = {cells}; c[2] += 4;": "c[2] *c c[0]+1",
    "float own[3] = {1, 2, 3}; Both b = {own}; const Both c = {own}; float* w = b;":
        "*w b[2] c[1] *(b+1) *c",
    "int lo = lo = 3;": "lo",
}  # fmt: skip
_BESIDE = """
struct V { float x, y, z; };
__device__ int min(int a, int b, int c) { return min(min(a, b), c); }
__device__ float fabs(V v) { return fabs(v.x) + fabs(v.y) + fabs(v.z); }
__device__ float max(float a, float b) { return 100; }
template <typename T> __device__ T abs(T x, T y) { return abs(x) + abs(y); }
__device__ double2 make_double2(double s) { return make_double2(s, s + 1); }
"""


def test_specializations_and_members_are_those_of_cpp(tmp_path, needs_program):
    wanted = evaluate(needs_program("g++"), _BEFORE, _CASES, tmp_path)
    for (text, shown), values in zip(_CASES.items(), wanted, strict=True):
        assert emulate(in_kernel(_BEFORE, text, shown), shown) == values, text


@pytest.mark.parametrize(
    ("shown", "values"),
    [
        ("min(3,2,1) min(5,6) min(5u,6u)", [1, 5, 5]),
        ("fabs(v) fabs(-2.0f) fabs(-3.5)", [6, 2, 3.5]),
        ("max(1.0f,2.0f) max(1,2) max(1.0,2.0)", [100, 2, 2]),
        ("abs(-1,-2) abs(-4)", [3, 4]),
        ("make_double2(4).y make_double2(1,2).x", [5, 1]),
    ],
)
def test_a_source_may_overload_functions_of_cuda(shown, values):
    assert emulate(in_kernel(_BESIDE, "V v = {-1, 2, -3};", shown), shown) == values


def test_a_function_of_a_namespace_hides_those_of_cuda():
    before = "namespace own { __device__ int min(int a) { return -a; } }"
    source = f"""{before}
namespace own {{ __global__ void k(double* out) {{ out[0] = min(1, 2); }} }}
"""
    with pytest.raises(Refused) as caught:
        lower_kernel(read_cuda(source), "k")
    assert caught.value.what.code == "cpp.no-overload"


TEMPLATES = """
template <typename T> struct Twice { T v; __device__ T up() const { return v + v; } };
template <typename T, int N = 2> struct Times { T v; __device__ T up() const { return v * N; } };
template <typename T> struct Special { T v; };
template <> struct Special<int> { int v; __device__ int up() const { return 9; } };
template <template <typename> class C, typename T> __device__ T of(const C<T>& c) {
    C<T> other{4};
    return c.up() + other.up();
}
template <template <typename> class C = Twice> struct Held { C<float> c; };
template <> struct Held<Special> { int c = 5; };
template <template <typename, int> class C> __device__ int sized() { return C<int, 3>{2}.up(); }
"""


def test_templates_take_templates():
    source = f"""{TEMPLATES}
__global__ void k(double* out) {{
    Held<> h{{{{1.5f}}}};
    out[0] = of(Twice<int>{{1}}) + of<Twice, float>({{0.5f}});
    out[1] = h.c.up() * 10 + Held<Special>().c;
    out[2] = sized<Times>();
}}
"""
    lowered, _ = lower_kernel(read_cuda(source), "k")
    out = np.zeros(3)
    assert launch(lowered, 1, 1, [out]).findings == ()
    assert out.tolist() == [19, 35, 6]


def test_the_template_of_a_specialization_is_not_deduced():
    source = f"{TEMPLATES} __global__ void k(double* out) {{ out[0] = of(Special<int>{{1}}); }}"
    with pytest.raises(Refused) as caught:
        lower_kernel(read_cuda(source), "k")
    assert caught.value.what.code == "cpp.no-template-templates"


DEDUCED = """
#include <cuda/atomic>
template <typename T, typename U> struct Pair {
    T a; U b;
    __device__ Pair(T x, U y) : a(x), b(y) {}
    __device__ double both() const { return a + 10.0 * b; }
};
template <typename T, int N> struct Row { T x[N]; };
template <typename T, typename... U> Row(T, U...) -> Row<T, 1 + sizeof...(U)>;
template <typename T> struct Box { T x; };
template <typename T> __device__ Box(T) -> Box<T>;
Box(char) -> Box<double>;
template <typename F> struct Call {
    F f;
    __device__ Call(F g) : f(g) {}
    __device__ double operator()(double x) const { return f(x); }
};
__global__ void k(double* out, int* n) {
    Pair p{1.5f, 2}, q(p);
    auto r = Pair(3, 0.25);
    const Row row{1.0f, 2.0f, 3.0f};
    Box whole{7}, part{'0'};
    Call twice([](double x) { return x * 2; });
    out[0] = q.both() + r.both();
    out[1] = row.x[2] * 100 + sizeof(row);
    out[2] = whole.x / 2 + part.x / 32;
    out[3] = twice(4);
    cuda::atomic_ref counter(*n);
    counter.fetch_add(3);
}
"""


def test_arguments_of_class_templates_are_deduced():
    lowered, _ = lower_kernel(read_cuda(DEDUCED), "k")
    out, n = np.zeros(4), np.array([1], np.int32)
    assert launch(lowered, 1, 1, [out, n]).findings == ()
    assert out.tolist() == [21.5 + 5.5, 312, 4.5, 8]
    assert n[0] == 4


def test_a_quotient_of_constants_is_a_constant():
    source = """
    constexpr int A = 4, B = 2;
    __global__ void __launch_bounds__((A * A) / (B * B), 1) k(double* out) {
        int x[(A * A) / (B * B)], y[A % (B + 1)];
        out[0] = sizeof(x) / sizeof(int) * 10 + sizeof(y) / sizeof(int);
    }
    """
    lowered, _ = lower_kernel(read_cuda(source), "k")
    out = np.zeros(1)
    assert launch(lowered, 1, 1, [out]).findings == ()
    assert out.tolist() == [41]


TRAITS = """
template <typename T> __device__ int kind(T) {
    if constexpr (std::is_integral_v<T>) return std::is_signed<T>::value ? 1 : 2;
    else if constexpr (std::is_floating_point<T>::value) return 3;
    else return std::is_pointer_v<T> ? 4 : 5;
}
template <typename T>
__device__ typename std::enable_if<std::is_integral<T>::value, int>::type half(T x) {
    return x / 2;
}
template <typename T>
__device__ std::enable_if_t<!std::is_integral_v<T>, float> half(T x) { return x * 0.5f; }
template <typename T, typename = void> struct Size { static constexpr int v = 1; };
template <typename T> struct Size<T, std::enable_if_t<(sizeof(T) > 4)>> {
    static constexpr int v = 8;
};
template <typename T> __device__ T as(float x);
template <> __device__ int as(float x) { return int(x) + 100; }
__global__ void k(double* out) {
    out[0] = kind(1) + 10 * kind(2u) + 100 * kind(1.0f) + 1000 * kind(out) + 10000 * kind(dim3());
    out[1] = half(3) + half(3.0f);
    out[2] = Size<float>::v * 10 + Size<double>::v;
    std::conditional_t<std::is_const_v<const int>, std::decay_t<const int>, float> x = 2.5f;
    std::remove_pointer_t<float*> y = 0.5f;
    std::make_unsigned_t<int> z = -1;
    out[3] = ++x + y + (z > 0u) + as<int>(1.5f);
}
"""


def test_traits_of_types():
    lowered, _ = lower_kernel(read_cuda(TRAITS), "k")
    out = np.zeros(4)
    assert launch(lowered, 1, 1, [out]).findings == ()
    assert out.tolist() == [54321, 2.5, 18, 3 + 0.5 + 1 + 101]


def test_names_may_have_a_dollar_sign():
    source = (
        "#define $two 2\n__global__ void k(double* out) { int $a = $two, b$ = $a; out[0] = b$; }"
    )
    lowered, _ = lower_kernel(read_cuda(source), "k")
    out = np.zeros(1)
    assert launch(lowered, 1, 1, [out]).findings == ()
    assert out.tolist() == [2]
