"""Structs with functions: constructors, methods, operators, class templates; by closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.errors import Refused

VECTOR = """
struct V {
    float x, y;
    __device__ V(float a, float b) : x(a), y(b) {}
    __device__ V() : x(0), y(0) {}
    __device__ float dot(const V& o) const { return x * o.x + y * o.y; }
    __device__ V operator+(const V& o) const { return V(x + o.x, y + o.y); }
    __device__ V& operator+=(const V& o) { x += o.x; y += o.y; return *this; }
    __device__ void scale(float f) { x *= f; this->y *= f; twice(); }
    __device__ void twice() { x *= 2; y *= 2; }
};
__device__ V operator*(float f, V v) { return V(f * v.x, f * v.y); }
"""


def run(text: str, *arrays: np.ndarray) -> None:
    kernel, _ = lower_kernel(read_cuda(text), "k")
    assert launch(kernel, 1, 32, list(arrays)).faults == ()


def test_constructors_methods_and_operators():
    out, kept = np.zeros(32, np.float32), np.zeros((32, 2), np.float32)
    run(
        VECTOR
        + """
__global__ void k(float* out, V* kept) {
    V a(1.0f, threadIdx.x), b;
    b = V(2.0f, 3.0f);
    V c = a + 2.0f * b;
    c += a;
    c.scale(2.0f);
    kept[threadIdx.x] = c;
    out[threadIdx.x] = c.dot(a) + kept[threadIdx.x].dot(b);
}
""",
        out,
        kept,
    )
    for t in range(32):
        a, b = np.array([1, t]), np.array([2, 3])
        c = (2 * a + 2 * b) * 4
        assert kept[t].tolist() == c.tolist()
        assert out[t] == c @ a + c @ b


def test_a_method_changes_a_struct_in_memory():
    values = np.arange(64, dtype=np.float32).reshape(32, 2)
    expected = 6 * values
    run(VECTOR + "__global__ void k(V* v) { v[threadIdx.x].scale(3.0f); }", values)
    assert values.tolist() == expected.tolist()


def test_a_class_template_with_an_array_and_a_call_operator():
    out = np.zeros(32, np.float32)
    run(
        """
template <typename T, int N> struct Numbers {
    T d[N];
    __device__ T sum() const { T s = 0; for (int i = 0; i < N; ++i) s += d[i]; return s; }
};
struct Add { __device__ float operator()(float a, float b) const { return a + b; } };
template <typename Op> __device__ float apply(Op op, float a, float b) { return op(a, b); }
__global__ void k(float* out) {
    Numbers<float, 4> r;
    for (int i = 0; i < 4; ++i) r.d[i] = i * threadIdx.x;
    out[threadIdx.x] = apply(Add(), r.sum(), 1.0f);
}
""",
        out,
    )
    assert out.tolist() == [6 * t + 1 for t in range(32)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("__global__ void k(float* a) { a[0] = this->x; }", "cpp.no-this"),
        ("struct S { int a; };\n__global__ void k(int* a) { S s; a[0] = s.b; }", "cpp.no-member"),
        (
            "struct S { int a; };\n__global__ void k(int* a) { S s, t; s = s + t; }",
            "cpp.no-operator",
        ),
        ("__global__ void k(int* a) { a[0] = a[1](2); }", "cpp.not-a-function"),
        (
            "template <int N> struct S { int a[N]; };\n__global__ void k() { S<1, 2> s; }",
            "cpp.template-arguments",
        ),
    ],
)
def test_what_is_wrong_is_named(text, code):
    with pytest.raises(Refused) as raised:
        lower_kernel(read_cuda(text), "k")
    assert raised.value.what.code == code


def test_within_a_template_its_name_means_itself():
    out = np.zeros(32, np.float32)
    run(
        """
template <typename T> struct Pair {
    T a, b;
    __device__ Pair(T x, T y) : a(x), b(y) {}
    __device__ Pair operator-(const Pair& o) const { return Pair(a - o.a, b - o.b); }
};
__global__ void k(float* out) {
    Pair<float> p(threadIdx.x, 5), q(1, 2);
    Pair<float> r = p - q;
    out[threadIdx.x] = r.a * r.b;
}
""",
        out,
    )
    assert out.tolist() == [3 * (t - 1) for t in range(32)]


def test_what_a_return_changes_for_some_threads_only():
    out = np.zeros(32, np.int32)
    run(
        """
__device__ int pick(int x, int& seen) { return x & 1 ? (seen = x, x) : 0; }
__global__ void k(int* out) {
    int seen = 100;
    int got = pick(threadIdx.x, seen);
    out[threadIdx.x] = got + seen;
}
""",
        out,
    )
    assert out.tolist() == [2 * t if t % 2 else 100 for t in range(32)]


def test_the_address_of_a_reference_is_that_of_its_variable():
    out = np.zeros(32, np.int32)
    run(
        """
__global__ void k(int* out) {
    int v = threadIdx.x;
    int &r = v;
    int *p = &r;
    *p += 2;
    out[threadIdx.x] = v + r;
}
""",
        out,
    )
    assert out.tolist() == [2 * (t + 2) for t in range(32)]


ORDER = """
struct Pair {
    int a, b;
    __device__ Pair(int x, int y) : a(x), b(y) {}
    __device__ Pair &operator+=(Pair &other) { a += other.a; other.b = 9; return *this; }
};
class Hidden {
    int x;
    __device__ int twice() const { return 2 * x; }
  public:
    __device__ Hidden(int v) : x(v) {}
    __device__ int get(const Hidden &other) const { return twice() + other.x; }
};
__global__ void k(int *out) {
    int i = 5;
    Pair p{i, i++}, q = Pair{i, i++};
    p += q;
    out[0] = p.a; out[1] = p.b; out[2] = q.a; out[3] = q.b; out[4] = i;
    out[5] = Hidden(3).get(Hidden(4));
    int *none = nullptr;
    out[6] = none == nullptr;
}
"""


def test_members_are_evaluated_in_order_and_references_are_places():
    out = np.zeros(7, np.int32)
    launch(lower_kernel(read_cuda(ORDER), "k")[0], 1, 1, [out])
    assert out.tolist() == [11, 5, 6, 9, 7, 10, 1]


def test_template_arguments_follow_from_those_of_a_struct():
    text = """
template <typename T, int N> struct Row { T x; };
template <typename T, int N> __device__ T sum(Row<T, N> a, const Row<T, N> &b) {
    return (a.x + b.x) * N;
}
__global__ void k(float *out) {
    Row<float, 3> a, b; a.x = 1; b.x = 0.5f;
    *out = sum(a, b);
}
"""
    out = np.zeros(1, np.float32)
    launch(lower_kernel(read_cuda(text), "k")[0], 1, 1, [out])
    assert out[0] == 4.5


PAIR = "struct P { float x, y; };\nstruct Q { P p; int n; };\n"


@pytest.mark.parametrize(
    ("copy", "requests"),
    [
        ("((float4*)out)[t] = ((const float4*)a)[t];", 1),
        ("((float2*)out)[t] = ((const float2*)a)[t];", 1),
        ("float4 v; v = ((const float4*)a)[t]; ((float4*)out)[t] = v;", 1),
        ("const float4& v = ((const float4*)a)[t]; ((float4*)out)[t] = v;", 1),
        ("*((float4*)out + t) = (t > 40, ((const float4*)a)[t]);", 1),
        ("((P*)out)[t] = ((const P*)a)[t];", 2),
        ("Q q; q.p = ((const P*)a)[t]; ((P*)out)[t] = q.p;", 2),
    ],
)
def test_an_assignment_loads_a_struct_once(copy, requests):
    """A vector by one access, another struct by one for each member."""
    a, out = np.arange(128, dtype=np.float32), np.zeros(128, np.float32)
    text = f"__global__ void k(const float* a, float* out) {{ int t = threadIdx.x; {copy} }}"
    kernel, _ = lower_kernel(read_cuda(PAIR + text), "k")
    totals = launch(kernel, 1, 32, [a, out]).totals
    assert (totals["global_load_requests"], totals["global_store_requests"]) == (requests,) * 2
    written = np.flatnonzero(out)
    assert written.size > 60
    assert np.array_equal(out[written], a[written])


ASSIGNED = """
struct P { float x, y; };
struct O {
    float x, y;
    __device__ O& operator=(const O& o) { x = 2 * o.x; y = o.y; return *this; }
    __device__ O& operator+=(const O& o) { x += o.x; y += o.y; return *this; }
};
struct C { float x, y; __device__ C(const P& p, int i) : x(p.x), y(i) {} };
"""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("int j = 0; ((float4*)out)[j++] = ((const float4*)a)[j];", [1, 2, 3, 4]),
        ("int j = 0; ((P*)out)[j++] = ((const P*)a)[j];", [1, 2, 0, 0]),
        ("P p[2] = {{1, 2}, {3, 4}}, *q = p; *q++ = *q; ((P*)out)[0] = p[0];", [1, 2, 0, 0]),
        ("int j = 0; ((O*)out)[j++] = ((const O*)a)[j];", [2, 2, 0, 0]),
        ("int j = 0; ((O*)out)[j++] += ((const O*)a)[j];", [1, 2, 0, 0]),
        ("int j = 0; C c{((const P*)a)[j], ++j}; out[0] = c.x; out[1] = c.y;", [1, 1, 0, 0]),
    ],
)
def test_what_is_assigned_is_located_before_the_target_changes_anything(text, wanted):
    """In C++17 the right side comes first, and what stands in braces from left to right."""
    a, out = np.arange(1, 9, dtype=np.float32), np.zeros(4, np.float32)
    kernel, _ = lower_kernel(
        read_cuda(f"{ASSIGNED}__global__ void k(const float* a, float* out) {{ {text} }}"), "k"
    )
    assert launch(kernel, 1, 1, [a, out]).findings == ()
    assert out.tolist() == wanted


def test_enumerations_are_types_of_their_own():
    """Overloads, conversions and values of enumerators are those of C++."""
    head = """
enum Plain { A, B = 5, C };
enum class Scoped : unsigned char { P = 3, Q, R = P + 4 };
enum Wide { LOW = 1, HIGH = 0x80000000 };
struct Job { enum Kind { READ, WRITE }; using Size = short; Kind kind; Size sizes[2]; };
__device__ int overloaded(int) { return 1; }
__device__ int overloaded(Plain) { return 2; }
__device__ int chosen(Scoped s) {
    switch (s) { case Scoped::P: return 10; case Scoped::R: return 30; default: return 20; }
}
"""
    body = """
    enum { FOUR = 4, FIVE };
    Job job = {Job::WRITE, {7, 8}};
    out[0] = overloaded(C) * 10 + overloaded(B + 0);
    out[1] = chosen(Scoped::Q) + chosen(Scoped(3)) + chosen(static_cast<Scoped>(7));
    out[2] = (int)Scoped::R + sizeof(Scoped);
    out[3] = (HIGH >> 31) + LOW;
    out[4] = job.kind + job.sizes[1] + FIVE;
    out[5] = Plain(6) == C;
"""
    out = np.zeros(6, np.int32)
    source = f"{head}__global__ void k(int *out) {{{body}}}"
    kernel, _ = lower_kernel(read_cuda(source), "k")
    launch(kernel, 1, 1, [out])
    assert out.tolist() == [21, 60, 8, 2, 14, 1]


_SLICED = """
struct Base { unsigned key = 1; };
struct Derived : Base { int tags[2]; };
union Wide { unsigned long long whole; unsigned half[2]; short parts[4]; };
__global__ void k(unsigned* out) {
    Derived derived;
    derived.key = out[0];
    Base base{5}, *kept = &base;
    base = derived;
    Wide wide;
    wide.whole = 3;
    wide.parts[out[0] & 3] ^= 5;
    out[1] = kept->key + wide.half[0];
}
"""


def test_a_base_takes_its_part_and_a_union_is_read_narrower_than_it_was_written():
    kernel, _ = lower_kernel(read_cuda(_SLICED), "k")
    out = np.array([4, 0], np.uint32)
    assert launch(kernel, 1, 1, [out]).findings == ()
    assert out.tolist() == [4, 10]


OUTSIDE = """
namespace n {
struct S {
    float a;
    __device__ S(float x, float y = 2);
    __device__ float get() const;
    __device__ float& get();
    static __device__ float twice(float);
    __device__ float operator+(const S& o) const;
    __device__ void put(int);
    __device__ void put(float);
    __device__ ~S();
    struct In { int v; __device__ int up(); };
};
__device__ S::S(float x, float y) : a(x * y) {}
float S::get() const { return a; }
__device__ float& S::get() { return a; }
__device__ float S::twice(float v) { return v * 2; }
__device__ S::~S() { a = 0; }
}
__device__ float n::S::operator+(const S& o) const { return a + o.a; }
__device__ void n::S::put(int x) { a = x; }
__device__ void n::S::put(float x) { a = x * 100; }
__device__ int n::S::In::up() { return ++v; }
template <class T, int N> struct V {
    T d[N];
    __device__ void set(T v);
    template <class U> __device__ U sum(U s) const;
    __device__ T& operator[](int i);
};
template <class U, int M> __device__ void V<U, M>::set(U v) {
    for (int i = 0; i < M; ++i) d[i] = v + i;
}
template <class T, int N> template <class R> __device__ R V<T, N>::sum(R s) const {
    for (int i = 0; i < N; ++i) s += d[i];
    return s;
}
template <class T, int N> __device__ T& V<T, N>::operator[](int i) { return d[i]; }
template <class T> struct B { T v; __device__ int id(); };
template <> struct B<int> { int v; __device__ int id(); };
template <class T> __device__ int B<T>::id() { return 1; }
__device__ int B<int>::id() { return 2; }
__global__ void k(float* out) {
    n::S s(3);
    out[0] = s.a;
    s.get() = 5;
    out[1] = s + s - n::S::twice(2.5f);
    s.put(2.0f);
    out[2] = s.a;
    n::S::In in{4};
    out[3] = in.up();
    V<int, 3> v;
    v.set(4);
    v[1] = 9;
    out[4] = v.sum(0.5f);
    out[5] = B<float>{}.id() * 10 + B<int>{}.id();
}
"""


def test_functions_that_are_defined_outside_of_their_struct():
    out = np.zeros(6, np.float32)
    kernel, _ = lower_kernel(read_cuda(OUTSIDE), "k")
    assert launch(kernel, 1, 1, [out]).faults == ()
    assert out.tolist() == [6, 5, 200, 5, 19.5, 12]


def test_the_assignment_that_a_struct_has_by_itself_can_be_called():
    source = """
struct B {
  int x, y;
  __device__ B& operator=(int v) { x = v; return *this; }
};
struct C { int c; };
struct D : B, C {
  int z;
  __device__ D& operator=(const D& o) {
    B::operator=(o);
    C::operator=(o);
    z = o.z + 1;
    return *this;
  }
};
__global__ void k(int* out) {
  B b, c;
  c.x = 1, c.y = 2;
  b = c;
  b.operator=(7);
  D d, e;
  e.c = 3, e.z = 4;
  e.B::operator=(b);
  d = e;
  C f;
  f.operator=(d).c += 10;
  d.C::operator=(f);
  int all[] = {b.x, b.y, d.x, d.y, d.c, d.z, f.c};
  for (int i = 0; i < 7; i++) out[i] = all[i];
}
"""
    lowered, _ = lower_kernel(read_cuda(source), "k")
    out = np.zeros(7, np.int32)
    assert launch(lowered, 1, 1, [out]).findings == ()
    assert out.tolist() == [7, 2, 7, 2, 13, 5, 13]


def test_an_assignment_that_is_deleted_is_not_called():
    source = (
        "struct B { int x; B& operator=(const B&) = delete; };\n"
        "__global__ void k(int* out) { B b, c; c.x = 1; b.operator=(c); out[0] = b.x; }\n"
    )
    with pytest.raises(Refused):
        lower_kernel(read_cuda(source), "k")


@pytest.mark.parametrize(
    ("fields", "sectors"),
    [
        ("struct alignas(16) V { half h[8]; }", 16),
        ("struct __align__(16) V { float a, b, c, d; }", 16),
        ("struct alignas(8) P { float a, b; }; struct alignas(16) V { P p[2]; }", 16),
        ("struct alignas(16) V { int a[8]; }", 64),
        ("struct V { float a, b, c, d; }", 64),
    ],
)
def test_a_struct_is_copied_by_accesses_as_wide_as_its_alignment(fields: str, sectors: int) -> None:
    """Of 16 bytes: a warp's are 512 without a gap. By fours: each touches all its sectors."""
    text = (
        f"#include <cuda_fp16.h>\n{fields};\n__global__ void k(const char* in, char* out) {{"
        " int i = threadIdx.x; V v = reinterpret_cast<const V*>(in)[i];"
        " reinterpret_cast<V*>(out)[i] = v; }"
    )
    given = np.random.default_rng(5).integers(-99, 99, 1024).astype(np.int8)
    out = np.zeros_like(given)
    kernel, _ = lower_kernel(read_cuda(text), "k")
    done = launch(kernel, 1, 32, [given, out])
    assert done.faults == ()
    size = 1024 if "int a[8]" in fields else 512
    assert out[:size].tobytes() == given[:size].tobytes()
    assert done.totals["global_load_sectors"] == done.totals["global_store_sectors"] == sectors
