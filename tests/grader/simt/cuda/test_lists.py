"""What lists begin arrays and structs with: a C++ compiler says the same of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.errors import Refused
from tests.grader.simt.cuda.host_compiler import emulate, evaluate, in_kernel, stores

_TYPES = """
struct Pair { float a[2]; int n; };
struct Point { int x, y; };
struct Line { Point from, to; double width; };
struct Started { int a; int b = 7; Point p = {3, 4}; float c[2] = {5}; };
struct Small { int a; int b = 7; };
struct Around { Small s; int last; };
template <typename T> struct Box { T value = T(2); T rest; };
struct Made { int n; __device__ Made(int a, int b) : n(10 * a + b) {} };
struct Own { int n; __device__ Own& operator=(Point p) { n = p.x + p.y; return *this; }
  __device__ void operator+=(Point p) { n += p.x; }
  __device__ int operator[](Point p) const { return n + p.y; } };
__device__ Line line(int a) { return {{a, 1}, {a, 2}, 0.5}; }
__device__ Line flat(int a) { return {a, 1, a, 2, 0.5}; }
__device__ Point some(bool both, int a) { if (both) return {a, a}; return {}; }
__device__ Made made(int a) { return {a, 3}; }
__device__ int number(int a) { return {a}; }
__device__ int take(Point p, int n = 1) { return 100 * p.x + 10 * p.y + n; }
__device__ int take_made(const Made& m) { return -m.n; }
__device__ int given(Point p = {4, 5}) { return p.x + p.y; }
template <typename T> __device__ T first(T a, Point p) { return a + p.x; }
struct Late { int a; Line to = {{1, 2}, {3, 4}, 5}; Point by{6, 7}; };
"""
_CASES = {
    "float v[2][2] = {0};": "v[0][0] v[1][1]",
    "float v[2][3] = {1, 2.0, 3, 4};": "v[0][2] v[1][0] v[1][1]",
    "int v[2][2][2] = {{1, 2, 3}, 4, 5};": "v[0][0][1] v[0][1][0] v[1][0][0] v[1][0][1] v[1][1][1]",
    "float v[2][3] = {{1}, 2, 3, 4};": "v[0][0] v[0][1] v[1][0] v[1][2]",
    "int v[][2] = {1, 2, 3};": "sizeof(v) v[1][0] v[1][1]",
    "Pair v = {1, 2, 3};": "v.a[1] v.n",
    "Pair v[2] = {1, 2, 3, {4}, };": "v[0].n v[1].a[0] v[1].n",
    "Pair v[2] = {{{1, 2}, 3}, 4, 5, 6};": "v[0].n v[1].a[1] v[1].n",
    "Line v = {1, 2, 3};": "v.from.y v.to.x v.to.y v.width",
    "Line v = {{1}, 2, 3, 4};": "v.from.x v.from.y v.to.x v.to.y v.width",
    "Line v[] = {1, 2, 3, 4, 0.5, {{6}, {7, 8}, 9}};": "sizeof(v) v[0].width v[1].to.x v[1].width",
    "Started v = {1};": "v.a v.b v.p.x v.p.y v.c[0] v.c[1]",
    "Started v = {1, 2, 8};": "v.b v.p.x v.p.y v.c[0]",
    "Small v[2] = {{1}, 2};": "v[0].b v[1].a v[1].b",
    "Around v = {1, 2, 3};": "v.s.a v.s.b v.last",
    "Around v = {{1}, 3};": "v.s.a v.s.b v.last",
    "Around v = {};": "v.s.a v.s.b v.last",
    "Box<short> v = {};": "v.value v.rest",
}  # fmt: skip
_IN_FUNCTIONS = {
    "Point p = {1, 2}; Line v = {p, p, 3};": "v.from.y v.to.x v.width",
    "Point p = {1, 2}; Point v{p};": "v.x v.y",
    "Point p = {1, 2}; Point v[2] = {p, 3, 4};": "v[0].y v[1].x v[1].y",
    "Started v; v.a = 1;": "v.b v.p.y v.c[0] v.c[1]",
    "Small v[2];": "v[0].b v[1].b",
    "Around v;": "v.s.b",
    "Small v = Small();": "v.a v.b",
    "Around v = Around{Small{5}};": "v.s.a v.s.b v.last",
    "Box<float> v;": "v.value",
    "Line v = line(3), w = flat(4);": "v.from.x v.to.y v.width w.to.x w.to.y",
    "Point v = some(true, 2), w = some(false, 2);": "v.x v.y w.x",
    "Point v = {1, 2}; v = {v.y, v.x};": "v.x v.y",
    "Point v = {1, 2}; v = {5}; int n = 3; n = {v.x}; n = {};": "v.x v.y n",
    "Line v = {1, 2, 3, 4, 5}; v.to = {8, v.from.x}; v = {{v.to.y}, v.to};": "v.from.x v.to.x",
    "Point v[2]; v[1] = {1, 2}; v[0] = {v[1].y, v[1].x};": "v[0].x v[0].y",
    "Point v; Point* p = &v; int n = 0; *p = {n++, n++};": "v.x v.y n",
    "int a = 2; Made v = made(a), w = v; v = {a, 4};": "v.n w.n",
    "Own v{1}; v += {5, 6}; v = {v.n, 1};": "v.n v[{1,2}]",
    "int a = 2;": "take({a,3}) take({a,3},4) take({}) take({a}) first(a,{3,4}) given() given({1})",
    "int a = 2;  ": "take(Point({a,3})) number(a) take_made({a,1})",
    "int a = 2;   ": "Line{1,2,3,4,5}.to.y Line{{1},{2}}.to.x",
    "Late v = Late(); Late w = Late{1}; Late x;": "v.to.to.y v.by.y w.to.width x.by.x",
    "char v{127}; unsigned char w{255}; bool x{1}; float y{16777216}; float z = {0.1};": "v w x y",
    "int n = 300; char v{(char)n}; int w = 2.5; float x = 1e-50;": "v w x",
}


def _in_kernel(text: str, shown: str) -> str:
    return in_kernel(_TYPES, text, shown)


def _in_memory(space: str) -> Callable[[str, str], str]:
    def write(text: str, shown: str) -> str:
        kernel = f"__global__ void k(double* out) {{ {stores(shown)} }}"
        return f"{_TYPES}\n{space} {text}\n{kernel}\n"

    return write


@pytest.mark.parametrize(
    "write", [_in_kernel, _in_memory("__device__"), _in_memory("__constant__")],
    ids=["kernel", "device", "constant"],
)  # fmt: skip
def test_a_list_begins_what_it_begins_in_cpp(write, tmp_path, needs_program):
    wanted = evaluate(needs_program("g++"), _TYPES, _CASES, tmp_path)
    for (text, shown), values in zip(_CASES.items(), wanted, strict=True):
        assert emulate(write(text, shown), shown) == values, text


def test_members_without_a_value_begin_as_their_struct_says(tmp_path, needs_program):
    wanted = evaluate(needs_program("g++"), _TYPES, _IN_FUNCTIONS, tmp_path)
    for (text, shown), values in zip(_IN_FUNCTIONS.items(), wanted, strict=True):
        assert emulate(_in_kernel(text, shown), shown) == values, text


@pytest.mark.parametrize(
    "text",
    [
        "float v[2][2] = {1, 2, 3, 4, 5};",
        "int v[2] = {{1, 2}};",
        "Pair v = {1, 2, 3, 4};",
        "Pair v[2] = {1, 2, 3, {4, 5}, 6};",
        "int v{2.5};",
        "int v = {2.0f};",
        "float v{1e40};",
        "float v = {16777217};",
        "unsigned v{-1};",
        "char v = {300};",
        "bool v{2};",
        "Pair v = {1, 2, 2.5};",
        "int v[2] = {1, 1LL << 40};",
        "Pair v[] = {Pair{1, 2, 3.5}};",
    ],
)
def test_what_does_not_fit_is_refused(text):
    for source in (_in_kernel(text, "sizeof(v)"), _in_memory("__device__")(text, "(&v!=0)")):
        with pytest.raises(Refused):
            lower_kernel(read_cuda(source), "k")


def test_constructors_begin_each_element_of_an_array():
    source = """
struct Counted { int n; __device__ Counted() : n(3) {} };
__global__ void k(double* out) { Counted v[2][2]; out[0] = v[1][1].n + v[0][0].n; }
"""
    assert emulate(source, "v") == [6]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("__device__ auto f() { return {1, 2}; }", "cpp.auto-list"),
        ("__device__ void f(Point& p) {} __device__ void g() { f({1, 2}); }", "cpp.no-overload"),
        ("__device__ void g(Point p) { p += {1, 2}; }", "cpp.no-operator"),
        ("__device__ void g(int n) { n += {1}; }", "cpp.not-a-value"),
        ("__device__ float g() { return fmaxf({1}, 2); }", "cpp.no-list-here"),
        ("__device__ Point g() { return {1, 2, 3}; }", "cpp.too-many-values"),
        ("__device__ Point g() { return {1, 2.5}; }", "cpp.narrowing"),
        ("template <class T> __device__ void f(T p) {} __device__ void g() { f({1}); }",
         "cpp.no-overload"),
    ],
)  # fmt: skip
def test_a_list_where_it_has_no_type_is_refused(text, code):
    calls = "auto v = f();" if "auto f" in text else "g();"
    calls = calls.replace("g()", "g(Point())") if "g(Point" in text else calls
    calls = calls.replace("g()", "g(1)") if "g(int" in text else calls
    with pytest.raises(Refused) as error:
        lower_kernel(read_cuda(f"{_TYPES}{text}\n__global__ void k() {{ {calls} }}"), "k")
    assert error.value.what.code == code
