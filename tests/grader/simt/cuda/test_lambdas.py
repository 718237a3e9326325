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


def test_a_lambda_does_what_it_does_in_cpp(tmp_path, needs_program):
    wanted = evaluate(needs_program("g++"), _BEFORE, _CASES, tmp_path)
    for (text, shown), values in zip(_CASES.items(), wanted, strict=True):
        assert emulate(in_kernel(_BEFORE, text, shown), shown) == values, text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("auto f = [] { return a; }; f();", "cpp.not-captured"),
        ("int v[2]; auto f = [=] { return v[0]; }; f();", "cpp.lambda-array"),
        ("auto f = [=]<class T>(T x) { return x; };", "cpp.no-lambda-templates"),
        ("auto f = [a] { a = 2; }; f();", "cpp.const"),
        ("auto f = [&] { break; };", "cpp.leaves-nothing"),
        ("auto f = [c = a]() mutable { return c++; }; auto g = f;", "cpp.lambda-escapes"),
        ("auto f = [&] { return a; }; auto g = a ? f : f; g();", "cpp.lambda-escapes"),
        ("auto f = [a]() { return [a] { return a; }; }; f();", "cpp.lambda-escapes"),
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
