"""Variables that a thread reads before it has given them a value."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.program.nodes import Perform
from grader.simt.program.walking import walk_block

READ, DISCARDED = "uninitialised-read", "warning"
SOURCE = """
struct Pair {{ int a; float b; }};
__device__ void give(int &x) {{ x = 3; }}
__device__ int leader(int x) {{
    int r; if (threadIdx.x == 0) r = x; return __shfl_sync(~0u, r, 0);
}}
__global__ void k(float *o) {{
    int t = threadIdx.x;
    {}
}}
"""
FAULTY = {
    "int x; if (t < 3) x = 1; o[t] = x;": ("x", 29),
    "Pair p; p.a = 1; o[t] = p.a + p.b;": ("p.b", 32),
    "float4 v; v.x = 1; o[t] = v.x + v.w;": ("v.w", 32),
    "int x; for (int i = 0; i < 4; i++) x += i; o[t] = x;": ("x", 32),
    "int x; switch (t & 1) { case 0: x = 1; break; case 3: x = 2; } o[t] = x;": ("x", 16),
    "for (int i = 0; i < 2; i++) { int x; if (i == 0) x = 1; o[t] = x; }": ("x", 32),
    "float *p; if (t < 4) p = o; p[t] = 1;": ("p", 28),
    "int x, y = 1; if (t > 1) y = x; o[t] = y;": ("x", 30),
}
CLEAN = {
    "int x; if (t < 3) x = 1; else x = 2; o[t] = x;": False,
    "int x; do { x = 1; } while (x != 1); o[t] = x;": False,
    "int x; give(x); o[t] = x;": False,
    "int x; for (;;) { x = t; if (t < 40) break; } o[t] = x;": False,
    "int x; switch (t & 1) { case 0: x = 1; break; default: x = 2; } o[t] = x;": True,
    "int x; for (int i = 0; i < 4; i++) { if (i > 0) o[t] += x; x = i; }": True,
    "int x; if (t < 9) x = t; if (t < 9) o[t] = x;": True,
    "Pair p; p.a = 1; Pair q = p; o[t] = q.a;": False,
    "o[t] = leader(t);": False,
    "int x; (void)x; o[t] = sizeof(x);": False,
}


def lowered(body):
    return lower_kernel(read_cuda(SOURCE.format(body)), "k")[0]


def run(body):
    return launch(lowered(body), 1, 32, [np.zeros(32, np.float32)]).findings


@pytest.mark.parametrize("body", FAULTY)
def test_a_read_without_a_value_is_found_at_its_line(body):
    first = run(body)[0]
    assert (first.kind, first.line) == (READ, 9)
    assert (first.what.fields["name"], first.count) == FAULTY[body]


@pytest.mark.parametrize("body", CLEAN)
def test_a_variable_that_has_a_value_is_checked_only_where_paths_do_not_say_so(body):
    assert run(body) == ()
    nodes = walk_block(lowered(body).compiled.lowered.body)
    checked = any(isinstance(node, Perform) and node.name == "assigned" for node in nodes)
    assert checked == CLEAN[body]


def test_a_value_that_is_discarded_is_a_warning():
    body = "float x; if (t < 7) x = 2; float y = x * 2; if (t < 7) o[t] = y;"
    assert [(each.kind, each.count) for each in run(body)] == [(DISCARDED, 25)]


@pytest.mark.parametrize(
    ("change", "kinds"),
    [
        ("atomicExch(&hit, 5u);", []),
        ("o[0] = atomicExch(&hit, 5u);", [READ]),
        ("atomicAdd(&hit, 5u);", [READ]),
        ("atomicCAS(&hit, 0u, 5u);", [READ]),
    ],
)
def test_an_exchange_whose_result_is_not_used_reads_nothing(change, kinds):
    """It gives shared memory its first value, as a store does."""
    body = f"__shared__ unsigned hit; if (t == 0) {{ {change} }} __syncthreads(); o[t] = hit;"
    done = launch(lowered(body), 1, 32, [np.zeros(32, np.float32)])
    assert [finding.kind for finding in done.findings] == kinds
