"""Races that cannot be seen, against every order in which threads may run."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.launches.api import compile_for
from grader.simt.ptx.kernel import find_kernel, list_fields, lower_ptx
from grader.simt.ptx.reading import read_ptx

THREADS, CELLS = 3, 2
STEPS = st.one_of(
    st.tuples(st.just("store"), st.integers(0, 2), st.integers(0, 1), st.integers(0, 2)),
    st.tuples(st.just("load"), st.integers(0, 2), st.integers(0, 1), st.just(0)),
)
PHASES = st.lists(st.lists(STEPS, min_size=1, max_size=5), min_size=1, max_size=2)
RACES = ("race", "global-race")


def kernel_of(phases):
    lines = ["def kernel(a, read):", "    t = cuda.threadIdx.x"]
    number = 0
    for phase in phases:
        for kind, thread, cell, value in phase:
            lines.append(f"    if t == {thread}:")
            if kind == "store":
                lines.append(f"        a[{cell}] = {value}")
            else:
                lines.append(f"        read[{number}] = a[{cell}]")
            number += 1
        lines.append("    cuda.syncthreads()")
    return "\n".join(lines)


def outcomes(phases):
    """What may be read, and left, over all orders: memory and reads, phase by phase."""
    states = {((0,) * CELLS, ())}
    for phase in phases:
        by_thread = [[step for step in phase if step[1] == thread] for thread in range(THREADS)]
        states = {
            (after, (*reads, *sorted(more)))
            for memory, reads in states
            for after, more in interleave(by_thread, memory)
        }
    return states


def interleave(steps, memory):
    found, seen = set(), set()
    waiting = [((0,) * THREADS, memory, frozenset())]
    while waiting:
        state = waiting.pop()
        if state in seen:
            continue
        seen.add(state)
        at, cells, reads = state
        if all(at[thread] == len(steps[thread]) for thread in range(THREADS)):
            found.add((cells, reads))
        for thread in range(THREADS):
            if at[thread] < len(steps[thread]):
                kind, _, cell, value = steps[thread][at[thread]]
                on = (*at[:thread], at[thread] + 1, *at[thread + 1 :])
                if kind == "store":
                    waiting.append((on, (*cells[:cell], value, *cells[cell + 1 :]), reads))
                else:
                    waiting.append((on, cells, reads | {(thread, at[thread], cells[cell])}))
    return found


def findings_of(source, *arguments, block=THREADS, grid=1):
    return launch(source, grid, block, [*arguments], tell_harmless=True).findings


def races_in(findings):
    return [finding for finding in findings if finding.kind in RACES]


@given(PHASES)
def test_a_race_is_a_fault_exactly_if_some_order_can_be_told_from_another(phases):
    found = findings_of(kernel_of(phases), np.zeros(CELLS), np.zeros(16))
    assert bool(races_in(found)) == (len(outcomes(phases)) > 1)


def body(*lines):
    return "def kernel(a, out):\n    i = cuda.grid(1)\n" + "".join(f"    {x}\n" for x in lines)


CASES = {
    "all write the same, and read it": (["a[0] = 1", "out[i] = a[0]"], False),
    "one writes what was not there": (["if i == 3:", "    a[0] = 1", "out[i] = a[0]"], True),
    "one writes what was there": (["if i == 3:", "    a[0] = 0", "out[i] = a[0]"], False),
    "each writes its own before": (["a[0] = i", "a[0] = 7", "out[i] = a[0]"], True),
    "only its own writer reads": (
        ["if i == 0:", "    a[0] = 5", "a[0] = 7", "if i == 0:", "    out[i] = a[0]"],
        False,
    ),
    "each leaves another": (["a[0] = i"], True),
    "an atomic": (["cuda.atomic.add(a, 0, 0)", "out[i] = a[0]"], True),
}


@pytest.mark.parametrize("name", CASES)
def test_many_threads(name):
    lines, seen = CASES[name]
    found = findings_of(body(*lines), np.zeros(128), np.zeros(128), grid=2, block=64)
    assert bool(races_in(found)) == seen
    assert seen or [finding.topic for finding in found] == ["harmless race"] * len(found) != []


def test_of_each_block_s_own_memory_every_block_counts():
    lines = ["s = cuda.shared.array(64, numba.int32)", "s[0] = {}", "out[i] = s[0]"]
    for value, seen in (("3", False), ("cuda.blockIdx.x", False), ("i // 96", True)):
        source = body(*lines).format(value)
        found = findings_of(source, np.zeros(1), np.zeros(128), grid=2, block=64)
        assert bool(races_in(found)) == seen, value


def test_results_and_counts_are_those_of_the_first_run():
    a, out = np.zeros(1), np.zeros(64)
    lines = ["cuda.atomic.add(out, 63, 1)", "a[0] = 1", "if i < 63:", "    out[i] = a[0]"]
    told = launch(body(*lines), 1, 64, [a, out], tell_harmless=True)
    assert (out[0], out[63]) == (1, 64)
    b, other = np.zeros(1), np.zeros(64)
    plain = launch(body(*lines), 1, 64, [b, other])
    assert told.files == plain.files
    assert [finding.kind for finding in plain.findings] == ["global-race"]
    assert [finding.kind for finding in told.findings] == ["warning"]
    assert told.origin("out", 63) == plain.origin("out", 63)


def test_elements_that_fit_no_word_stay_faults():
    lines = ["a[0] = 1j", "out[i] = a[0].imag"]
    found = findings_of(body(*lines), np.zeros(1, complex), np.zeros(64), block=64)
    assert len(races_in(found)) == 1


def test_a_launch_whose_races_are_known_is_decided_without_another_run():
    kernel = compile_for(body("a[0] = 1", "out[i] = a[0]"), [np.zeros(1), np.zeros(64)])
    first, second = (
        launch(kernel, 1, 64, [np.zeros(1), np.zeros(64)], tell_harmless=True) for _ in range(2)
    )
    assert kernel.program.racing.keys() == {("global", "a")}
    assert first.findings == second.findings
    seen = launch(kernel, 1, 64, [np.ones(1), np.zeros(64)], tell_harmless=True)
    assert {finding.topic for finding in seen.findings} == {"harmless race"}


SHARED = "s = cuda.shared.array(64, numba.float32)"
LEGAL = {
    "all set a flag": ["a[0] = 1", "out[i] = a[0]"],
    "some set a flag that is set": ["if i % 3 == 0:", "    a[0] = 1", "a[0] = 1", "out[i] = a[0]"],
    "a flag under a test of data": [
        "a[0] = 1", "if b[i] > 0:", "    a[0] = 1", "out[i] = a[0]",
    ],
    "a flag of a block": [SHARED, "s[0] = 1", "out[i] = s[0]"],
    "a level": ["level = numba.float32(n + 1)", "a[0] = level", "out[i] = a[0]"],
    "zeros over zeros": ["a[i % 4] = 0", "out[i] = a[(i + 1) % 4]"],
    "a number of the block": [SHARED, "s[1] = cuda.blockDim.x * 2", "out[i] = s[1]"],
    "all store one element of the input": [SHARED, "s[0] = b[0]", "out[i] = s[0]"],
    "all store one element, by a variable": [
        SHARED, "first = b[n - 1]", "s[0] = first", "s[0] = first", "out[i] = s[0]",
    ],
    "what a first pass has stored": [
        SHARED, "for k in range(2):", "    s[i] = b[i]", "    cuda.syncthreads()",
        "    out[i] += s[63 - i]",
    ],
    "equal data that nobody reads before the barrier": [
        SHARED, "s[i % 8] = b[i]", "cuda.syncthreads()", "out[i] = s[i % 8]",
    ],
}  # fmt: skip
"""Races of equal values, whatever the data are; b holds ones, n is 64."""
EQUAL = {
    "a second pass stores too early": [
        SHARED, "for k in range(2):", "    s[i] = b[(i + k) % 64]", "    cuda.syncthreads()",
        "    out[i] += s[63 - i]",
    ],
    "a second pass reads too early": [
        SHARED, "s[i] = b[i]", "cuda.syncthreads()", "out[i] = s[i]", "cuda.syncthreads()",
        "s[i] = 2 * b[i] - b[63 - i]", "out[i] += s[63 - i]",
    ],
    "data over equal data in global memory": ["a[i] = b[i] - 1", "out[i] = a[63 - i]"],
    "a tile of zeros": [
        SHARED, "s[i] = 0", "cuda.syncthreads()", "s[i] = b[i] - 1", "out[i] = s[(i + 32) % 64]",
    ],
    "a sum in place": [
        SHARED, "s[i] = b[i] - 1", "cuda.syncthreads()", "if i < 32:", "    s[i] += s[i + 32]",
        "if i < 16:", "    s[i] += s[i + 16]", "    s[i] += s[40]", "out[i] = s[(i + 33) % 64]",
    ],
    "a variable in between": [
        SHARED, "v = b[i]", "w = v * 0 + v", "s[i] = 1", "cuda.syncthreads()", "s[i] = w",
        "out[i] = s[63 - i]",
    ],
    "a selected value": [
        SHARED, "s[i] = 1", "cuda.syncthreads()", "s[i] = b[i] if i < 40 else 1",
        "out[i] = s[63 - i]",
    ],
    "a shuffled value": [
        SHARED, "s[i] = 1", "cuda.syncthreads()", "v = cuda.shfl_down_sync(0xffffffff, b[i], 1)",
        "s[i] = v", "out[i] = s[63 - i]",
    ],
    "a maximum": [
        SHARED, "s[i] = b[i]", "cuda.syncthreads()", "for k in range(2):",
        "    s[i] = max(s[i], b[(i + k) % 64])", "out[i] = s[63 - i]",
    ],
    "a stencil in place": ["a[i] = a[(i + 1) % 64] + b[i] - 1", "out[i] = a[i]"],
    "a tree of maxima, of numbers that fall": [
        SHARED, "s[i] = b[i] * (n - i)", "cuda.syncthreads()", "h = 32", "while h > 0:",
        "    if i < h:", "        s[i] = max(s[i], s[i + h])", "    h //= 2", "out[i] = s[i]",
    ],
    "a scan": [
        SHARED, "s[i] = b[i]", "cuda.syncthreads()", "h = 1", "while h < 64:",
        "    v = s[i - h] if i >= h else numba.float32(0)", "    s[i] += v",
        "    cuda.syncthreads()", "    h *= 2", "out[i] = s[i]",
    ],
    "a test of data": [
        SHARED, "s[i] = 1", "cuda.syncthreads()", "s[i] = 1 if b[i] > 0 else 0",
        "out[i] = s[63 - i]",
    ],
}  # fmt: skip
"""Barriers that are missing, where the data happen to be equal; a holds zeros."""
EQUALS = np.ones(64, np.float32), np.zeros(64, np.float32), np.ones(64, np.int32)


@pytest.mark.parametrize("name", LEGAL)
def test_equal_values_are_harmless_where_no_data_could_make_them_differ(name):
    assert races_in(_with(EQUALS[0], LEGAL[name])) == []


@pytest.mark.parametrize("name", EQUAL)
def test_a_missing_barrier_is_a_fault_though_the_data_are_equal(name):
    for b in EQUALS:
        assert races_in(_with(b, EQUAL[name])), b.dtype


def _with(b, lines):
    source, given = body(*lines).replace("(a, out)", "(a, out, b, n)"), b.copy()
    found = findings_of(source, *np.zeros((2, 64), np.float32), given, 64, block=64)
    assert given.tolist() == b.tolist()
    return found


def graph_of(absent, dtype=np.float32, *, falls=False, own=0):
    """Lengths of edges; where some fall below zero, those of each cycle add up to more."""
    random = np.random.default_rng(3)
    lengths = random.integers(1, 20, (SIZE, SIZE))
    if falls:
        heights = random.integers(0, 20, SIZE)
        lengths += heights[:, None] - heights
    d = np.where(random.random((SIZE, SIZE)) < 0.3, lengths, absent).astype(dtype)
    np.fill_diagonal(d, own)
    return d


SIZE, FAR = 16, 2**30 - 1
BITS = np.random.default_rng(4).random((SIZE, SIZE)) < 0.2
SHORTEST = "min(d[i, j], d[i, k] + d[k, j])"
RELAXED = {
    "shortest paths": (SHORTEST, graph_of(np.inf)),
    "shortest paths, some edges below zero": (SHORTEST, graph_of(1e9, falls=True)),
    "shortest paths in integers": (SHORTEST, graph_of(FAR, np.int32, falls=True)),
    "longest paths": ("max(d[i, j], d[i, k] + d[k, j])", -graph_of(np.inf, falls=True)),
    "surest paths": (
        "max(d[i, j], d[i, k] * d[k, j])", graph_of(0, own=32) / np.float32(32),
    ),
    "what can be reached": ("d[i, j] | d[i, k] & d[k, j]", BITS),
    "what can be reached, in integers": ("d[i, j] or d[i, k] and d[k, j]", BITS.astype(np.int32)),
}  # fmt: skip
"""As every course has them: threads of row k and column k store what stood there."""


@pytest.mark.parametrize("name", RELAXED)
def test_stores_that_leave_what_stood_there_are_harmless_by_what_the_data_are(name):
    update, d = RELAXED[name]
    lines, found = ["def kernel(d, k):", "i, j = cuda.grid(2)", f"d[i, j] = {update}"], set()
    left, plain = d.copy(), d.copy()
    kernel = compile_for("\n    ".join(lines), [d, 0])
    for k in range(SIZE):
        done = launch(kernel, 2, (SIZE // 2, SIZE), [left, k], tell_harmless=True)
        found |= {finding.topic for finding in done.findings}
        launch(kernel, 2, (SIZE // 2, SIZE), [plain, k])
    assert found == {"harmless race"}
    assert left.tolist() == plain.tolist() != d.tolist()


CUDA = """
__device__ float table[128];
__global__ void tile(int *d) {
    __shared__ int s[8][8];
    int i = threadIdx.y, j = threadIdx.x;
    s[i][j] = d[i * 8 + j];
    __syncthreads();
    for (int k = 0; k < 8; k++) {
        s[i][j] = min(s[i][j], s[i][k] + s[k][j]);
        __syncthreads();
    }
    d[i * 8 + j] = s[i][j];
}
__global__ void tables(float *out) {
    __shared__ float s[64];
    int i = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 128; k += 64) {
        s[i] = table[k + i];
        __syncthreads();
        out[i] += s[63 - i];
    }
}
"""
PTX = """
.version 8.0 .target sm_80 .address_size 64
.visible .entry tiles(.param .u64 a, .param .u64 out) {
    .shared .align 4 .b8 s[256];
    .reg .u32 %r<4>; .reg .u64 %d<4>; .reg .f32 %f<3>;
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, s;
    mad.lo.u32 %r2, %r0, 4, %r1;
    mad.lo.u32 %r3, %r0, -4, %r1;
    ld.param.u64 %d0, [a];
    ld.param.u64 %d1, [out];
    mad.wide.u32 %d2, %r0, 4, %d0;
    mad.wide.u32 %d3, %r0, 4, %d1;
    ld.global.f32 %f0, [%d2];
    st.shared.f32 [%r2], %f0;
    bar.sync 0;
    ld.shared.f32 %f1, [%r3+252];
    st.global.f32 [%d3], %f1;
    ld.global.f32 %f2, [%d2+256];
    st.shared.f32 [%r2], %f2;
    ret;
}
"""


@pytest.mark.parametrize(
    ("name", "array", "topic"),
    [
        ("tile", graph_of(FAR, np.int32, falls=True)[:8, :8].copy(), "harmless race"),
        ("tables", np.zeros(64, np.float32), "write-read"),
    ],
)
def test_that_holds_for_tiles_and_variables_of_the_device(name, array, topic):
    ready, _ = lower_kernel(read_cuda(CUDA), name)
    found = launch(ready, 1, (8, 8), [array], tell_harmless=True).findings
    assert {finding.topic for finding in found} == {topic}


def test_that_holds_for_what_is_compiled_and_knows_bytes_only():
    module = read_ptx(PTX)
    kernel = find_kernel(module, "tiles")
    ready = lower_ptx(module, kernel, list_fields(kernel))
    for fill in (0, 1):
        given = np.full(128, fill, np.float32).view(np.uint8), np.zeros(64, np.float32)
        assert races_in(launch(ready, 1, 64, given, tell_harmless=True).findings)
