"""References and pointers to local variables: what is written through one is seen by all."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda

CASES = {
    "a pointer to a reference parameter": (
        "__device__ void f(int &r) { int *p = &r; *p = 5; }",
        "int x = 1; f(x); a[0] = x;",
        [5],
    ),
    "a pointer to a reference": ("", "int x = 1; int &r = x; *&r = 7; a[0] = x; a[1] = r;", [7, 7]),
    "a pointer to a reference to a reference": (
        "",
        "int x = 1; int &r = x; int &s = r; int *p = &s; *p = 7; a[0] = x + r;",
        [14],
    ),
    "a pointer, two calls below": (
        """__device__ void g(int *p) { *p = 9; }
        __device__ void f(int &r) { g(&r); r += 1; }
        __device__ void e(int &r) { f(r); }""",
        "int x = 1; e(x); a[0] = x;",
        [10],
    ),
    "a pointer to a member that is returned": (
        "struct S { int x; };\n__device__ int *f(S &s) { return &s.x; }",
        "S s = {3}; *f(s) = 4; a[0] = s.x;",
        [4],
    ),
    "two references to one variable": (
        "__device__ void f(int &x, int &y) { x += 1; y += 10; }",
        "int x = 3; f(x, x); a[0] = x; int &r = x; f(x, r); a[1] = x;",
        [14, 25],
    ),
    "a const reference beside another": (
        "__device__ int f(const int &x, int &y) { y += 1; return x; }",
        "int x = 3; a[0] = f(x, x);",
        [4],
    ),
    "references to two variables": (
        "__device__ void swap(int &x, int &y) { int t = x; x = y; y = t; }",
        "int x = 1, y = 2; swap(x, y); a[0] = x; a[1] = y; swap(a[0], a[1]);",
        [1, 2],
    ),
}


def run(functions, body):
    source = f"{functions}\n__global__ void k(int *a) {{ {body} }}"
    kernel, _ = lower_kernel(read_cuda(source), "k")
    out = np.zeros(2, np.int32)
    return out, launch(kernel, (1,), (1,), [out])


@pytest.mark.parametrize("name", CASES)
def test_what_is_written_through_one_is_seen_by_all(name):
    functions, body, wanted = CASES[name]
    out, done = run(functions, body)
    assert done.faults == ()
    assert out.tolist()[: len(wanted)] == wanted


def test_what_nothing_else_refers_to_stays_a_register():
    functions = "__device__ void f(int &x, const int &y) { x += y; }"
    out, done = run(functions, "int x = 1, y = 2; f(x, y); int *p = &a[1]; *p = x; *&a[0] = y;")
    assert out.tolist() == [2, 3]
    assert "local_store_requests" not in {name for name, n in done.totals.items() if n}
