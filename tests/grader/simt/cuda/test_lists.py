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
    ],
)
def test_more_values_than_there_are_parts_are_refused(text):
    for source in (_in_kernel(text, "sizeof(v)"), _in_memory("__device__")(text, "(&v!=0)")):
        with pytest.raises(Refused):
            lower_kernel(read_cuda(source), "k")


def test_constructors_begin_each_element_of_an_array():
    source = """
struct Counted { int n; __device__ Counted() : n(3) {} };
__global__ void k(double* out) { Counted v[2][2]; out[0] = v[1][1].n + v[0][0].n; }
"""
    assert emulate(source, "v") == [6]
