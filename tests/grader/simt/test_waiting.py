"""Loops that wait for what no thread can change: the launch ends, and both lines are named."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.memory.recorder import Moment, Recorder
from tests.grader.simt.tools import kernel

CUDA = """
__device__ int ready;
__device__ volatile int flag[2];
__device__ void await(int at) {{
    while (flag[at] == 0) {{ }} /*await*/
}}
__device__ void take(int *m) {{
    while (atomicCAS(m, 0, 1) != 0) {{ }}
}}
__device__ int raise(int *at, int v) {{
    int old = *at, assumed;
    do {{
        assumed = old;
        if (assumed >= v) break;
        old = atomicCAS(at, assumed, v);
    }} while (assumed != old);
    return old;
}}
__device__ int peek(volatile int *flag) {{ return *flag; }}
__global__ void k(int *m, int *a) {{
    int t = threadIdx.x, lane = t % 32;
    {}
}}
"""
SPIN, HELD = "/*spin*/", "/*held*/"
LOCK = "while (atomicCAS(m, 0, 1) != 0) { } /*spin*/\n"
STUCK = {
    LOCK + "*a += 1; /*held*/ atomicExch(m, 0);": "warp",
    "while (atomicExch(m, 1)) __nanosleep(20); /*spin*/\n __threadfence(); /*held*/": "warp",
    "int n = 0; while (atomicCAS(m, 0, 1)) ++n; /*spin*/\n a[t] = n; /*held*/": "warp",
    "int ns = 8; while (atomicCAS(m, 0, 1)) { /*spin*/\n __nanosleep(ns); if (ns < 64) ns *= 2; }\n"
    "a[0] = 1; /*held*/": "warp",
    "bool got = false; do { /*spin*/\n got = atomicCAS(m, 0, 1) == 0; } while (!got);\n"
    "*a += 1; /*held*/": "warp",
    "for (;;) { /*spin*/\n if (atomicCAS(m, 0, 1) == 0) break; }\n *a += 1; /*held*/": "warp",
    "do { } while (atomicExch(m, 1) == 1); /*spin*/\n *a += 1; /*held*/": "warp",
    "int mine = atomicAdd(m, 1); while (atomicAdd(m + 1, 0) != mine) { } /*spin*/\n"
    "atomicAdd(m + 1, 1); /*held*/": "warp",
    "while (atomicAdd(m, 0) == 0) { } /*spin*/\n a[t] = 1;": "",
    "if (t == 0)\n while (((volatile int *)m)[0] == 0) { } /*spin*/\n"
    "__syncthreads(); m[0] = 1; /*held*/": "warp",
    "volatile int *flag = m + 1; while (!*flag) __nanosleep(20); /*spin*/\n *flag = 1;": "",
    "while (ready == 0) { } /*spin*/\n ready = 1;": "",
    "while (flag[1] == 0) { } /*spin*/\n a[t] = 1;": "",
    "int seen; do { seen = *(volatile int *)&ready; } while (!seen); /*spin*/\n a[t] = 1;": "",
    "if (t == 0)\n while (flag[0] == 0) { } /*spin*/\n"
    "__syncthreads(); flag[0] = 1; /*held*/": "warp",
    "while (m[t % 2] == 0) { } /*spin*/\n a[t] = 1;": "",
    "volatile int *flag = m; while (true) { /*spin*/\n if (*flag) break; }": "",
    "while (!peek(m)) { } /*spin*/\n a[t] = 1;": "",
    "if (t < 32)\n while (*m == 0) { } /*spin*/\n__syncthreads(); a[t] = 1; /*held*/": "meeting",
    "__shared__ volatile int s; if (t == 0) s = 0; __syncthreads();\n"
    "while (s == 0) { } /*spin*/\n s = 1;": "",
}
FREE = (
    "int done = 0; while (!done) if (!atomicCAS(m, 0, 1)) { *a += 1; atomicExch(m, 0); done = 1; }",
    "for (int i = 0; i < 32; i++) if (lane == i && t < 32) { take(m); *a += 1; atomicExch(m, 0); }",
    "int n = 0; while (n < 600) { n += 1; atomicAdd(a, 0); } a[t] = n;",
    "if (t) m[0] = 1; else while (m[0] == 0) { }",
    "int n = 0; while (m[n / 4096] == 0 && n < 3000) n += 1; a[t] = n; m[1] = 1;",
    "int n = 0; while (flag[n / 4096] == 0 && n < 600) n += 1; a[t] = n;",
    "int n = 0; while (m[n / 4096] == 0 && n < 600) n += 1; a[t] = n;",
    "if (t) ready = 1; else while (ready == 0) { }",
    "a[t] = raise(m, t);",
    "if (lane == 0) {\n" + LOCK + "*a += 1; atomicExch(m, 0); }\n __syncthreads(); a[t] = 1;",
)


def run_cuda(body, blocks=1, threads=64):
    source = CUDA.format(body)
    compiled = lower_kernel(read_cuda(source), "k")[0]
    arrays = [np.zeros(2, np.int32), np.zeros(threads, np.int32)]
    done = launch(compiled, blocks, threads, arrays, budget=2_000_000_000)
    return done, source.splitlines()


def line_of(lines, mark):
    return next((at for at, line in enumerate(lines, 1) if mark in line), 0)


@pytest.mark.parametrize("body", STUCK)
def test_threads_that_spin_for_what_waits_for_them(body):
    done, lines = run_cuda(body)
    found = [each for each in done.findings if each.kind == "no-progress"]
    assert [(each.line, each.other_line) for each in found] == [
        (line_of(lines, SPIN), line_of(lines, HELD))
    ]
    assert found[0].what.code == ".".join(filter(None, ("finding.no-progress", STUCK[body])))
    assert not done.finished


@pytest.mark.parametrize("body", FREE)
def test_a_loop_that_gets_on_runs_to_its_end(body):
    assert run_cuda(body)[0].finished


@pytest.mark.parametrize("other", ["blockIdx.x - 1", "gridDim.x - 2 - blockIdx.x"])
def test_blocks_that_wait_for_the_flag_of_another_one(other):
    """Each for the next: no chain is too long. In the second, two blocks wait for each other."""
    body = (
        f"volatile int *flag = a; int other = {other};\n"
        "if (t == 0) { if (blockIdx.x) while (!flag[other]) { } /*spin*/\n flag[blockIdx.x] = 1; }"
    )
    done, lines = run_cuda(body, blocks=64)
    stuck = [each.line for each in done.findings if each.kind == "no-progress"]
    assert stuck == ([] if done.finished else [line_of(lines, SPIN)])
    assert done.finished == other.startswith("blockIdx")


@pytest.mark.parametrize(
    "body",
    [
        "if (blockIdx.x) await(0); else flag[0] = 1;",
        "if (!blockIdx.x) flag[0] = 1; else await(0);",
    ],
)
def test_a_block_waits_in_a_function_for_one_that_has_not_come_there(body):
    assert run_cuda(body, blocks=2)[0].finished


def test_a_recorder_looks_at_a_kernel_that_spins():
    source = CUDA.format(
        "if (t == 1) ready = 1; else while (ready == 0) { }\n int seen = t;\n a[t] = 1;"
    )
    line = line_of(source.splitlines(), "int seen")
    recorder = Recorder(Moment(line, (0, 0, 0), (3, 0, 0)))
    compiled = lower_kernel(read_cuda(source), "k", recorder=recorder)[0]
    launch(compiled, 1, 32, [np.zeros(2, np.int32), np.zeros(32, np.int32)])
    assert (recorder.occurrences, recorder.variables["seen"]) == (1, 3)


def test_a_flag_of_numba_that_nobody_sets():
    (found,) = launch(kernel("while a[0] == 0:", "    pass"), 1, 32, [np.zeros(2, np.int32)]).faults
    assert (found.kind, found.what.code) == ("no-progress", "finding.no-progress")


def test_a_lock_of_numba_that_lanes_of_a_warp_fight_for():
    lines = (
        "while cuda.atomic.cas(a, 0, 0, 1) != 0:",
        "    pass",
        "a[1] += 1",
    )
    (found,) = launch(kernel(*lines), 1, 32, [np.zeros(2, np.int32)]).faults
    assert (found.kind, found.other_line - found.line) == ("no-progress", 2)
