"""Unions, lists, structured bindings, copied bytes, and what `std` has for types: as in C++."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.errors import Refused
from tests.grader.simt.cuda.host_compiler import emulate, evaluate, in_kernel, read_cases

_HEADERS = ("cfloat", "cstdint", "cstring", "type_traits", "utility")
_UNIONS = """
union Word { float f; unsigned u; short h[2]; unsigned char b[4]; };
union Wide { double d; int i[3]; bool flag; __device__ double get() const { return d + 1; } };
struct Tagged { int tag; union { float f; int i; }; struct { short lo, hi; }; short last; };
struct Quad { union { struct { float x, y; }; float v[2]; };
__device__ Quad(float a, float b) { x = a; y = b; } __device__ float sum() const { return v[0] +
v[1]; } };
struct Holds { Word w; int n = 7; };
struct Point { int x, y = 5, z; };
__device__ Word make(float f) { Word w; w.f = f; return w; }
__device__ unsigned bits(Word w) { return w.u; }
__device__ void change(Word& w) { w.b[3] = 0; }
template <typename T> union Both { T t; unsigned char c[sizeof(T)]; };
"""
_UNIONS_CASES = read_cases("""
Word w; w.f = 1.5f; Word v = w; v.h[1] = 3; w.u += 1;
=> w.f w.b[0] w.b[3] v.u v.f sizeof(Word) alignof(Word)

Wide w; w.i[2] = 1; w.d = 2.5; Wide v; v = w; w.i[1] = 0; w.flag = true;
=> v.d v.i[1] w.i[0] sizeof(Wide) v.get()

Word w = {2.5f}; Word x = make(3); Word y{.u = 7}; change(x);
=> bits(w) x.u y.f bits(make(1)) bits({4.0f})

Tagged t; t.tag = 1; t.i = 0x3f800000; t.lo = t.hi = 9; t.last = 4; Tagged s = t; s.f = 2;
=> t.f s.i s.hi s.last t.i sizeof(Tagged)

Quad q(1, 2); Quad r = q; r.v[0] = 8;
=> q.sum() r.x r.sum() q.v[1]

Holds h = {{1.0f}, 2}; Holds g; Holds e{}; g.w.u = 9; h.w.h[0] = 1;
=> h.w.u h.n g.n e.w.u e.n g.w.b[0]

Both<double> b; b.t = 1; Both<short> c; c.c[0] = 1; c.c[1] = 2;
=> b.c[7] b.c[6] c.t

Word a[3]; for (int i = 0; i < 3; ++i) a[i].f = i; Word* p = a + 1; p->u = 5;
=> a[1].u a[2].u p->b[0]

Point p = {.x = 1}; Point q{.x = 2, .z = 3}; Point r = {.y = 4}; Holds h = {.w = {.u = 3}, .n =
1};
=> p.x p.y p.z q.x q.y q.z r.x r.y h.w.u h.n
""")
_BYTES = """
struct Bits { int a; float b; short c[2]; };
struct Four { float x, y, z, w; };
template <class T> struct alignas(16) Packed { T payload[16 / sizeof(T)];
__device__ Packed(Four bits) { memcpy(&payload, &bits, sizeof(bits)); }
__device__ Four bits() const { Four f; memcpy(&f, payload, sizeof(f)); return f; } };
"""
_BYTES_CASES = read_cases("""
float f = 1.5f; unsigned u; memcpy(&u, &f, sizeof(u)); u += 1; float g; memcpy(&g, &u, 4);
=> u g

Bits b = {1, 2.5f, {3, 4}}; Bits c; memcpy(&c, &b, sizeof(Bits));
=> c.a c.b c.c[0] c.c[1]

Packed<short> p(Four{1, 2, 3, 4}); Four f = p.bits();
=> p.payload[0] p.payload[1] p.payload[7] f.x f.w

int v[6] = {1, 2, 3, 4, 5, 6}; memmove(v + 1, v, 5 * sizeof(int)); int w[3]; memset(w, 0xff,
sizeof(w)); memset(v, 0, 4);
=> v[0] v[1] v[5] w[0] w[2]

char c[7]; memset(c, 'x', 7); double d = 3; char e[8]; std::memcpy(e, &d, 8);
=> c[0] c[6] e[7] e[6] e[0]
""")
_BOUND = """
struct Point { int x; float y; };
struct Deep { Point p; int a[2]; };
__device__ Point make(int a) { return {a, a + 0.5f}; }
__device__ void bump(int& a) { a += 100; }
"""
_BOUND_CASES = read_cases("""
auto [a, b] = make(3); a += 1;
=> a b

Point p{1, 2}; auto& [a, b] = p; a = 7; b = 1.5f; auto [c, d] = p; c = 0; const auto& [e, f] =
p; bump(a);
=> p.x p.y c d e f a

int v[3] = {1, 2, 3}; auto& [a, b, c] = v; b = 9;
=> v[1] a c b

Deep z{{1, 2}, {3, 4}}; auto [p, a] = z; a[1] = 8; p.x = 5; auto&& [q, r] = z; q.x = 6;
=> p.x a[1] z.p.x z.a[1] r[0]

int v[4] = {1, 2, 3, 4}; int s = 0; for (int x : v) s += x; for (auto& x : v) x *= 2; for (const
auto& x : v) { if (x == 4) continue; s += 10 * x; if (x > 5) break; }
=> s v[0] v[3]

float m[2][3] = {{1, 2, 3}, {4, 5, 6}}; float s = 0; for (auto& row : m) for (float x : row) s
+= x;
=> s
""")
_CONSTANTS = """
__device__ int tag(std::true_type) { return 1; }
__device__ int tag(std::false_type) { return 2; }
template <bool B> __device__ int ded(std::bool_constant<B>) { return B ? 5 : 6; }
template <typename T, T v> __device__ int ded2(std::integral_constant<T, v>) { return v +
sizeof(T); }
template <int N> struct Is4 { static constexpr bool value = N == 4; };
__device__ void one(int& a) { a = 1; }
__device__ void two(int& a) { a = 2; }
"""
_CONSTANTS_CASES = read_cases("""
constexpr int n = 4; std::bool_constant<n == 4> c; std::integral_constant<int, 7> s;
=> tag(c) tag(std::bool_constant<false>{}) c.value s.value s()+1 s+2
std::bool_constant<true>::value ded(c) ded2(s) ded(std::false_type{})

int a = 0, b = 0; a == 0 ? one(a) : two(a); b > 0 ? one(b) : two(b);
=> a b
""")
_MOVED = """
struct P { int x, y; };
template <typename T> __device__ int take(T&& v) { v += 1; return v; }
template <typename T> __device__ int look(T&& v) { return v * 2; }
template <typename F, typename T> __device__ auto call(F&& f, T&& v) { return
std::forward<F>(f)(std::forward<T>(v)); }
template <typename T> __device__ int sum(T&& p) { return p.x + p.y; }
__device__ P make() { return {3, 4}; }
"""
_MOVED_CASES = read_cases("""
int a = 1; const int c = 5; int b = take(a); int d = take(7);
=> a b d look(a) look(c) look(9) look(a+1)

int k = 2; int r = call([&](int v) { k += v; return k; }, 3); P p = std::move(make()); P q =
std::move(p);
=> r k q.x sum(q) sum(make()) sum(P{1,2})

int&& x = 4; x += 1; auto&& y = 2.5f; y *= 2; int z = 1; auto&& w = z; w = 9; const int& u = 3;
=> x y z u

int unused = 0;
=> UINT32_C(4000000000) __FLT_MAX__ INT64_C(5)*1000000000000
""")
_TEXTS = """
struct Named { char name[4]; int n; };
"""
_TEXTS_CASES = read_cases(r"""
const unsigned char a[] = "AZ\xff"; char b[5] = "hi"; char c[] = {"xy"}; signed char d[3] =
"\xff"; int i = 1;
=> a[0] a[i] a[2] a[3] sizeof(a) b[i] b[4] c[i] sizeof(c) d[0]

Named n = {"abc", 3}; Named m[2] = {{"a", 1}, {"bc", 2}}; const char t[2][3] = {"ab", "c"}; int
i = 1;
=> n.name[i] n.n m[i].name[i] m[i].n t[i][0] t[0][i]
""")


@pytest.mark.parametrize(
    ("before", "cases"),
    [
        (_UNIONS, _UNIONS_CASES),
        (_BYTES, _BYTES_CASES),
        (_BOUND, _BOUND_CASES),
        (_CONSTANTS, _CONSTANTS_CASES),
        (_MOVED, _MOVED_CASES),
        (_TEXTS, _TEXTS_CASES),
    ],
    ids=["unions", "bytes", "bindings", "constants", "moved", "texts"],
)
def test_it_does_what_it_does_in_cpp(before, cases, tmp_path, needs_program):
    headers = "".join(f"#include <{each}>\n" for each in _HEADERS)
    wanted = evaluate(needs_program("g++"), headers + before, cases, tmp_path)
    for (text, shown), values in zip(cases.items(), wanted, strict=True):
        assert emulate(in_kernel(headers + before, text, shown), shown) == values, text


def test_unions_are_in_shared_constant_and_global_memory_and_among_arguments():
    source = """
union Word { float f; unsigned u; };
__constant__ Word fixed = {2.0f};
__device__ Word named = {.u = 5};
__global__ void k(double* out, Word given) {
  __shared__ union { float f[32]; unsigned u[32]; } s;
  s.f[threadIdx.x] = given.f;
  __syncthreads();
  out[threadIdx.x] = s.u[31 - threadIdx.x] + fixed.u + named.u;
}
"""
    lowered, (_, kind) = lower_kernel(read_cuda(source), "k")
    assert (kind.size, kind.alignment) == (4, 4)
    out = np.zeros(32)
    assert launch(lowered, 1, 32, [out, np.uint32(0x3F800000)]).findings == ()
    assert out.tolist() == [float(0x3F800000 + 0x40000000 + 5)] * 32


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("int m = make().u;", "cpp.no-union"),
        ("P p = {.y = 1, .x = 2};", "cpp.no-designators"),
        ("P p = {.x = 1, 2};", "cpp.no-designators"),
        ("P p = {.p.x = 1};", "cpp.no-designators"),
        ("P p = {.z = 1};", "cpp.no-member"),
        ("U u = {1, 2};", "cpp.too-many-values"),
        ("auto [a] = P{1, 2};", "cpp.binding-count"),
        ("for (auto i : {1, 2.5}) {}", "cpp.no-range-for"),
        ("for (int i : P{1, 2}) {}", "cpp.no-range-for"),
        ("int v[2], w[2]; memcpy(v, w, n);", "cpp.no-byte-copies"),
        ("union { int a; float b; }; a = 1;", "cpp.no-anonymous-members"),
    ],
)
def test_what_is_not_emulated_of_it_says_so(text, code):
    before = (
        "struct P { int x, y; }; union U { float f; int u; }; __device__ U make() { return {1}; }"
    )
    with pytest.raises(Refused) as error:
        lower_kernel(read_cuda(f"{before}\n__global__ void k(int n) {{ {text} }}"), "k")
    assert error.value.what.code == code
    assert error.value.line == 2
    assert error.value.column > 0
