"""What lambdas capture and return: a C++ compiler says the same of them."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.errors import Refused
from tests.grader.simt.cuda.host_compiler import emulate, evaluate, in_kernel, read_cases

_BEFORE = """
template <typename F> __device__ float apply(F f, float x) { return f(x) + 1; }
template <typename F> __device__ void each(int n, const F& f) { for (int i = 0; i < n; ++i)
f(i); }
template <typename F> __device__ int both(F&& f, int& x) { x += 1; int a = f(); x += 10; return
a * 100 + f(); }
struct Acc { int n; __device__ int run(int k) { auto add = [&](int v) { n += v; return n; };
add(k); add(k); return n; }
__device__ int peek(int k) const { return [=]() { return n * k; }(); } };
struct P { int x, y; };
"""
_CASES = read_cases("""
float a = 2; auto f = [a](float x) { return a * x; }; a = 9;
=> f(3) apply(f,4)

float a = 2; auto f = [&](float x) { return a * x; }; a = 9;
=> f(3) apply(f,4)

int s = 0; each(5, [&](int i) { s += i * i; });
=> s

int s = 0; auto f = [&](int i) { s += i; }; f(3); f(4);
=> s

int x = 3; int r = both([&]() { return x; }, x);
=> r x

int x = 3; int r = both([x]() { return x; }, x);
=> r x

int c = 0; auto next = [c]() mutable { return ++c; }; int a = next(); int b = next();
=> a b c

auto add = [](auto a, auto b) { return a + b; };
=> add(1,2) add(1.5,2) add(1u,-2)

float v[4] = {1,2,3,4}; auto g = [&](int i) -> float& { return v[i]; }; g(2) = 7;
=> v[2] g(0)

int v = 5; auto f = [&v](int k) { v *= k; }; auto g = [&]() { f(2); v += 1; return v; }; int r =
g();
=> r v

int v = 5; auto r = [&v, k = v + 1](int a) { return v + k + a; }(10);
=> r

Acc a{3}; int r = a.run(4);
=> r a.n a.peek(2)

int n = 4; int r = 0; for (int i = 0; i < n; ++i) { auto f = [&]() { return i * n; }; r += f();
}
=> r

P p{1,2}; auto f = [&]() { p.x = 5; return p.x + p.y; }; int r = f();
=> r p.x

P p{1,2}; auto f = [p]() { return p.x + p.y; }; p.x = 9;
=> f() p.x

int a = 1; int* q = &a; auto f = [=]() { *q = 4; return 1; }; int r = f();
=> r a

int a = 1; auto f = [&]() { int* q = &a; *q += 4; }; f(); f();
=> a

auto f = [](int n) { if (n > 3) return 1.5; return 2.5; };
=> f(1) f(4)

const int k = 6; constexpr int m = 7; auto f = [] { return k + m; };
=> f()

int a = 1, b = 2; auto f = [=, &b](int x) { b += x; return a + b; }; int r = f(3); a = 50; int s
= f(1);
=> r s b

int x = 1; auto f = [&] { return x; }; auto g = f; x = 8;
=> g()

auto mx = [](const auto& a, const auto& b) { return a < b ? b : a; };
=> mx(3,4) mx(2.5f,1.5f)

int t = 0; auto f = [&](auto&& g) { g(1); g(2); return t; }; int r = f([&](int v) { t += v; });
=> r t

float acc = 0; auto fma_ = [&](float a, float b) { acc = acc + a * b; }; for (int i = 0; i < 4;
i++) fma_(i, i + 1);
=> acc
""")
_MORE = """
struct K { int a; __device__ bool operator==(const K& o) const { return a == o.a; } __device__
bool operator!=(const K& o) const { return !operator==(o); } };
struct Counter { int n = 0; float w[2] = {1, 2};
__device__ void add(int k) { auto f = [this](int v) { n += v; w[1] += v; }; f(k); f(1); }
__device__ int twice() const { auto f = [=] { return n; }; return f() + f(); }
template <typename F> __device__ void with(F f) { f(n); } };
struct Apply { int k; __device__ int operator()(int v) const { return v * k; } };
template <typename F> __device__ int nest(F f, int d) { return d == 0 ? f(0) : nest(f, d - 1) +
f(d); }
template <int N, typename F> __device__ void unrolled(F&& f) { if constexpr (N > 0) { unrolled<N
- 1>(f); f(N - 1); } }
template <typename F, typename G> __device__ int pair(F f, G g) { int a = f(2); int b = g(3);
return f(a) + g(b); }
template <typename T, typename F> __device__ T reduce(const T* p, int n, T init, F op) { T r =
init; for (int i = 0; i < n; ++i) r = op(r, p[i]); return r; }
__device__ int by_ref(int& r) { auto f = [&r](int k) { r += k; return r; }; f(1); r *= 2; return
f(2); }
template <typename T> __device__ T gen(T x) { auto f = [x](auto y) { using U = decltype(y);
return U(x) + y; }; return f(x) + f(1.5f); }
namespace ns { __device__ void bump(int& v) { v += 1000; } }
struct V2 { float x, y; };
__device__ V2 operator+(V2 a, V2 b) { return {a.x + b.x, a.y + b.y}; }
"""
_MORE_CASES = read_cases("""
int s = 0; unrolled<4>([&](int i) { s = s * 10 + i; });
=> s

int a = 1, b = 2; int r = pair([&](int v) { a += v; return a + b; }, [&](int v) { b += v; return
a * b; });
=> r a b

float v[4] = {3, 9, 2, 4}; float m = reduce(v, 4, 0.0f, [](float a, float b) { return a > b ? a
: b; }); int iv[3] = {1, 2, 3}; int calls = 0; int sum = reduce(iv, 3, 10, [&calls](int a, int
b) { ++calls; return a + b; });
=> m sum calls

int x = 5; int r = by_ref(x); int y = 7; auto g = [&]() { return by_ref(y); }; int q = g();
=> x r y q

V2 p{1, 2}; V2 q{3, 4}; auto add = [&](V2 o) { p = p + o; return p; }; V2 r = add(q); auto scale
= [=](float k) { return V2{p.x * k, q.y * k}; }; p.x = 100;
=> r.x p.x p.y scale(2).x scale(2).y gen(2) gen(2.5)

int n = 3; int res = 0; auto outer = [&](int k) { auto inner = [&](int j) { res += j * n; if (j
> 1) return; n += 1; }; for (int i = 0; i < k; ++i) inner(i); return res; }; int r = outer(3);
int r2 = outer(1);
=> r r2 n res

int a[2][2] = {{1, 2}, {3, 4}}; auto at = [&a](int i, int j) -> int& { return a[i][j]; }; at(1,
0) = 9; at(0, 1) += at(1, 0); int* p = &at(1, 1); *p = 6;
=> a[1][0] a[0][1] a[1][1]

int i = 0; auto next = [&i] { return i++; }; int u = next(); int w = next() * 10; w += i; bool z
= i > 1 && next() == 2; bool k = false && next();
=> u w z k i

int lim = 4; int found = -1; auto scan = [&](auto pred) { for (int j = 0; j < lim; ++j) { if
(!pred(j)) continue; found = j; break; } return found; }; int r = scan([=](int j) { return j * j
> lim; });
=> r found

unsigned state = 7; auto rnd = [state]() mutable { state = state * 1664525u + 1013904223u;
return state; }; unsigned a = rnd(), b = rnd();
=> a b state

double d = 1; switch (int k = [&] { d += 1; return 2; }(); k) { case 2: d *= 10; break; default:
d = 0; }
=> d

int x = 1; auto outer = [&] { auto inc = [](int& v) { v += 5; }; inc(x); }; outer(); auto sq =
[&] { auto max = [](int& v, int k) { v *= k; return v; }; return max(x, 2); }; int y = sq();
ns::bump(x); auto viaspace = [&] { using ns::bump; bump(x); ns::bump(x); }; viaspace();
=> x y

int t = 0; for (int i = 0; i < 3; ++i) for (int j = 0; j < i; ++j) [&] { t += i * 10 + j; }();
=> t

Counter c; c.add(3); int got = 0; c.with([&](int v) { got = v; c.n = 50; });
=> c.n c.w[1] got c.twice()

Apply ap{3}; int t = 1; auto f = [&](int v) { return ap(v) + t; }; ap.k = 4; t = 2;
=> f(5) nest(f,3)

K a{1}, b{1}, c{2};
=> a!=b a!=c
""")


@pytest.mark.parametrize(
    ("before", "cases"), [(_BEFORE, _CASES), (_MORE, _MORE_CASES)], ids=["captures", "calls"]
)
def test_a_lambda_does_what_it_does_in_cpp(before, cases, tmp_path, needs_program):
    wanted = evaluate(needs_program("g++"), before, cases, tmp_path)
    for (text, shown), values in zip(cases.items(), wanted, strict=True):
        assert emulate(in_kernel(before, text, shown), shown) == values, text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("auto f = [] { return a; }; f();", "cpp.not-captured"),
        ("auto f = [=]<class T>(T x) { return x; };", "cpp.no-lambda-templates"),
        ("auto f = [a] { a = 2; }; f();", "cpp.const"),
        ("auto f = [&] { break; };", "cpp.leaves-nothing"),
        ("auto f = [&] { return a; }; auto g = a ? f : f; g();", "cpp.lambda-escapes"),
    ],
)
def test_what_is_not_emulated_of_a_lambda_says_so(text, code):
    with pytest.raises(Refused) as error:
        lower_kernel(read_cuda(f"__global__ void k(int a) {{ {text} }}"), "k")
    assert error.value.what.code == code
    assert error.value.line == 1
    assert error.value.column > 0


def test_a_lambda_uses_shared_memory_and_barriers_as_a_function_does():
    source = """
template <typename F> __device__ void in_turn(int n, F f) { for (int i = 0; i < n; ++i) f(i); }
__global__ void k(double* out) {
  __shared__ int s[32];
  const int tid = threadIdx.x;
  auto put = [&](int v) { s[tid] = v; __syncthreads(); };
  put(tid);
  int sum = 0;
  in_turn(32, [&](int i) { sum += s[i]; });
  out[tid] = sum;
}
"""
    lowered, _ = lower_kernel(read_cuda(source), "k")
    out = np.zeros(32)
    assert launch(lowered, 1, 32, [out]).findings == ()
    assert out.tolist() == [496.0] * 32
