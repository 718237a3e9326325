"""Pointers to functions that are known: a C++ compiler calls the same ones."""

from __future__ import annotations

import pytest

from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.errors import Refused
from tests.grader.simt.cuda.host_compiler import emulate, evaluate, in_kernel, read_cases

_BEFORE = """
__device__ float square(float x) { return x * x; }
__device__ float half_of(float x) { return x / 2; }
__device__ int twice(int x) { return 2 * x; }
__device__ double twice(double x) { return 2 * x; }
template <typename T> __device__ T plus_one(T x) { return x + 1; }
template <int N> __device__ int times(int x) { return N * x; }
using fn = float (*)(float);
typedef int (*int_fn)(int);
template <fn F> __device__ float by_template(float x) { return F(x) + F(1); }
template <fn F> struct Holder { __device__ float run(float x) { return F(x); } };
__device__ float by_pointer(float (*f)(float), float x) { return f(x) + (*f)(1); }
template <typename F> __device__ float by_type(F f, float x) { return f(x); }
template <typename T> __device__ T by_deduced(T (*f)(T), T x) { return f(x); }
__device__ float again(fn f, float x) { return by_pointer(f, x); }
__device__ void add_to(int& x, int k) { x += k; }
template <auto N> __device__ int number() { return N + sizeof(N); }
"""
_CASES = read_cases("""
float x = 3;
=> by_template<square>(x) by_template<&half_of>(x) by_pointer(square,x) by_pointer(&half_of,x)
again(square,x)

float x = 5; fn f = square; auto g = half_of; float (*h)(float) = &square; const fn k = half_of;
=> f(x) g(x) h(x) (*h)(x) k(x) by_type(f,x) by_type(half_of,x)

int_fn f = twice; int_fn g = plus_one; int_fn h = times<7>; int_fn m = plus_one<int>;
=> f(3) g(3) h(3) m(4) by_deduced(f,8) by_deduced<double>(twice,1.25)

float x = 2; float r = by_pointer([](float y) { return y + 10; }, x);
=> r Holder<square>().run(x) number<3>() number<'a'>() number<5ull>()

int s = 1; void (*add)(int&, int) = add_to; add(s, 4); add(s, 5);
=> s
""")


def test_a_known_function_is_called_as_in_cpp(tmp_path, needs_program):
    wanted = evaluate(needs_program("g++"), _BEFORE, _CASES, tmp_path)
    for (text, shown), values in zip(_CASES.items(), wanted, strict=True):
        assert emulate(in_kernel(_BEFORE, text, shown), shown) == values, text


@pytest.mark.parametrize(
    "text",
    [
        "struct S { int a; fn op; }; __global__ void k(S s) { s.op(2); }",
        "struct S { int a; float (*op)(float); }; __global__ void k(S s) { s.op(2); }",
        "__device__ fn table[] = {f, h}; __global__ void k(int i) { table[i](2); }",
        "__global__ void k(fn g) { g(2); }",
        "__global__ void k(int i) { fn g = i ? f : h; g(2); }",
        "__global__ void k(int i) { fn g = f; g = h; g(2); }",
        "__device__ fn get() { return f; } __global__ void k() { get()(2); }",
    ],
)
def test_one_that_follows_from_data_is_refused_by_name(text):
    before = "__device__ float f(float x); __device__ float h(float x);".replace(";", "{return x;}")
    with pytest.raises(Refused) as error:
        lower_kernel(read_cuda(f"{before} typedef float (*fn)(float); {text}"), "k")
    assert error.value.what.code == "cpp.no-function-pointers"


def test_a_pointer_in_a_struct_takes_its_room():
    source = """
struct S { int a; float (*op)(float); int b; };
__global__ void k(double* out) { S s[2]; out[0] = sizeof(S); out[1] = (char*)&s[1].b - (char*)s; }
"""
    assert emulate(source, "sizeof b") == [24, 40]
