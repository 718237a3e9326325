"""Functions that return references: what is changed through one lives in memory."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.errors import Refused

SOURCE = """
struct V {{
    float x;
    __device__ V &add(float f) {{ x += f; return *this; }}
    __device__ V &operator+=(float f) {{ x += f; return *this; }}
    __device__ V copy() const {{ V other = *this; return other; }}
    __device__ float get() const {{ return x; }}
}};
struct A {{
    float x[2];
    __device__ float &operator[](int i) {{ return x[i]; }}
    __device__ float &last() {{ return (*this)[1]; }}
}};
__device__ float &at(float *a, int i) {{ return a[i]; }}
__device__ V &same(V &v) {{ return v; }}
__device__ V &pick(V &a, V &b, bool c) {{ return c ? a : b; }}
__device__ void put(V &v) {{ v.x = 9; }}
__device__ const float &larger(const float &a, const float &b) {{ return a < b ? b : a; }}
__global__ void k(float *o) {{
    V v;
    v.x = 1;
    {}
    o[0] = v.x;
}}
"""
LINE = SOURCE.count("\n", 0, SOURCE.index("    {}\n")) + 1
RIGHT = {
    "v.add(1); v += 2;": 4,
    "v = v.add(1);": 2,
    "V w = v.add(1); w.add(5);": 2,
    "v.copy().add(3);": 1,
    "float y = v.add(1).get(); v.x = 10 * y;": 20,
    "const V &r = v.add(1); v.x = r.get() + 5;": 7,
    "v.x = at(o, 1) + same(v).x;": 8,
    "v.x = larger(v.x, at(o, 1));": 7,
    "at(o, 1) = 1; at(o, 1) += 1; at(o, 1)++; ++at(o, 1); v.x = o[1];": 4,
    "float &r = at(o, 1); r = 1; at(o, 1) *= 3; v.x = r;": 3,
    "atomicAdd(&at(o, 1), 1.0f); v.x = o[1];": 8,
    "A a; a[0] = 4; a[1] = a[0] + 1; a[1]++; a.last() += a[0]; v.x = a[1];": 10,
    "V *m = (V *)(o + 1); m->add(1).add(2); same(*m) += 4; put(m[0].add(1)); v.x = o[1];": 9,
    "v.add(1).add(2);": 4,
    "(v += 1) += 2;": 4,
    "same(v).add(1);": 2,
    "put(same(v));": 9,
    "V &r = v.add(1); r.add(1);": 3,
    "same(v).x = 2;": 2,
    "V w; pick(v, w, o[1] > 0).x = 2; pick(v, w, o[1] < 0).x = 5;": 2,
}
REFUSED = ("__shared__ V w; pick(v, w, o[1] > 0).x = 2;",)


@pytest.mark.parametrize("text", RIGHT)
def test_the_value_of_a_returned_reference_is_right(text):
    ready, _ = lower_kernel(read_cuda(SOURCE.format(text)), "k")
    o = np.array([0, 7], np.float32)
    assert launch(ready, 1, 1, [o]).findings == ()
    assert o[0] == RIGHT[text]


@pytest.mark.parametrize("text", REFUSED)
def test_a_change_through_a_returned_reference_is_refused_and_not_lost(text):
    """What nvcc takes is never said to be no C++, and a copy is not changed in its place."""
    with pytest.raises(Refused) as caught:
        lower_kernel(read_cuda(SOURCE.format(text)), "k")
    assert type(caught.value) is Refused
    assert caught.value.what.code == "cpp.returned-reference"
    assert caught.value.line == LINE


def test_a_function_that_ends_without_its_result_has_changed_its_argument():
    """What it returns is undefined in C++, and 0 here; the argument is not."""
    functions = "__device__ {} f(int &x) {{ x += 1; {} }}\n__global__ void k(float *o) {{ {} }}"
    kernel = "int x = threadIdx.x; auto y = f(x); o[threadIdx.x] = x + 100 * y{};"
    for result, member, body, wanted in (
        ("int", "", "", [1, 2, 3, 4]),
        ("int", "", "if (x > 2) return 1;", [1, 2, 103, 104]),
        ("float2", ".y", "", [1, 2, 3, 4]),
    ):
        out = np.zeros(4, np.float32)
        text = functions.format(result, body, kernel.format(member))
        launch(lower_kernel(read_cuda(text), "k")[0], 1, 4, [out])
        assert out.tolist() == wanted, (result, body)
