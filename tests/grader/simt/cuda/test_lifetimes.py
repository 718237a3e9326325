"""Destructors, and members that are references, in kernels; by closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.errors import Refused

GUARD = """
struct Guard {
    float& n; int by;
    __device__ Guard(float& c, int d) : n(c), by(d) { n += by; }
    __device__ ~Guard() { n = n * 2 - by; }
};
"""


LOOP = """
for (int i = 0; i < 4; ++i) {
    Guard g(out[i % 2], 1);
    if (i == 1) continue;
    if (i == 2) break;
    out[2] += 1;
}
"""


def run(body: str, before: str = GUARD) -> list[float]:
    """Return the first three numbers that a kernel's body leaves in `out`."""
    out = np.zeros(3, np.float32)
    kernel, _ = lower_kernel(read_cuda(f"{before}__global__ void k(float* out) {{ {body} }}"), "k")
    assert launch(kernel, 1, 1, [out]).faults == ()
    return [float(each) for each in out]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("float c = 0; { Guard g(c, 1); Guard h(c, 2); out[0] = c; } out[1] = c;", [3, 7, 0]),
        ("Guard g(out[0], 1); if (out[0] > 0) return; out[1] = 5;", [1, 0, 0]),
        (LOOP, [3, 1, 1]),
        ("struct Two { Guard a, b; }; { Two t{{out[0], 1}, {out[0], 2}}; out[1] = 1; }", [7, 1, 0]),
        ("{ Guard g[2] = {{out[0], 1}, {out[0], 2}}; }", [7, 0, 0]),
    ],
)
def test_a_destructor_runs_on_every_way_out(body: str, expected: list[float]):
    assert run(body) == expected


def test_what_is_returned_is_evaluated_before_destructors():
    before = GUARD + "__device__ float f(float& c) { Guard g(c, 3); return c; }\n"
    assert run("out[0] = f(out[1]);", before) == [3, 3, 0]


def test_members_and_bases_are_destroyed_behind_their_struct():
    before = GUARD + (
        "struct Whole : Guard { Guard in; __device__ Whole(float& c) : Guard(c, 1), in(c, 2) {}"
        " __device__ ~Whole() { n += 10; } };\n"
    )
    assert run("Whole w(out[0]);", before) == [((3 + 10) * 2 - 2) * 2 - 1, 0, 0]


@pytest.mark.parametrize(
    "body",
    ["Guard(*out, 1);", "f(g);", "if (Guard h(*out, 1); true) *out = 1;", "auto h = m(*out);"],
)
def test_a_value_that_is_no_variable_of_a_block_is_refused(body: str):
    before = GUARD + (
        "__device__ void f(Guard) {}\n__device__ Guard m(float& c) { Guard g(c, 1); return g; }\n"
    )
    with pytest.raises(Refused) as caught:
        run(f"Guard g(out[0], 2); {body}", before)
    assert caught.value.what.code == "cpp.no-destructors"


def test_a_member_that_is_a_reference_is_the_variable_itself():
    before = """
struct Sum { float& to; const float& from; __device__ void add() const { to += from; } };
template <typename T> struct Ref { T& r; __device__ Ref(T& x) : r(x) {} };
struct Held { Ref<float> in; __device__ Held(float& x) : in(x) {} };
__device__ void twice(Held h) { h.in.r *= 2; }
"""
    body = """
float a = 1, b = 2, d = 3, e[2] = {1, 2};
Sum s{a, b};
s.add(); b = 5; s.add();
Sum c = s;
c.to += 1;
Held h(d);
twice(h);
Ref r(e[1]);
r.r = 7;
out[0] = a; out[1] = d; out[2] = e[1];
"""
    assert run(body, before) == [9, 6, 7]
