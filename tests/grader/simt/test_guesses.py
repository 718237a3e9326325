"""Loads that only guess what a compare-and-swap checks: CUDA's way to make atomics is no race."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from tests.grader.simt.tools import kernel, run

THREADS, BLOCKS = 64, 3
_LOOP = "do { seen = old; old = atomicCAS(p, seen, seen + 1); } while (old != seen);"
CHECKED = {
    "the guide's loop": f"int old = *p, seen; {_LOOP}",
    "a load in the loop": "int old; do { old = p[0]; } while (atomicCAS(p, old, old + 1) != old);",
    "a loop left by break": """
        while (true) { int old = *p; if (atomicCAS(p, old, old + 1) == old) break; }""",
    "an element": """
        int i = threadIdx.x % 4, old = p[i], seen;
        do { seen = old; old = atomicCAS(&p[i], seen, seen + 1); } while (old != seen);""",
    "a float's bits": """
        float* f = (float*)p; int* bits = (int*)f; float old = *f, seen;
        do {
            seen = old;
            old = __int_as_float(atomicCAS(bits, __float_as_int(seen), __float_as_int(seen + 1)));
        } while (__float_as_int(old) != __float_as_int(seen));""",
    "a test before": f"int old = *p, seen; if (old < 100000) {_LOOP}",
}
UNCHECKED = {
    "no loop": "int old = *p; atomicCAS(p, old, old + 1);",
    "another place": f"int old = p[1], seen; {_LOOP} atomicAdd(p + 1, 1);",
    "a store": f"int old = *p, seen; {_LOOP} *p = threadIdx.x;",
    "another load": f"int old = *p, seen; {_LOOP} p[8 + threadIdx.x] = p[0];",
    "a constant": "int old = *p; while (atomicCAS(p, 0, 1) > 1) p[8 + threadIdx.x] = old;",
}


def _run(body: str) -> tuple[list[int], set[str]]:
    text = f"__global__ void k(int* p) {{ {body} }}"
    lowered, _ = lower_kernel(read_cuda(text), "k")
    p = np.zeros(8 + THREADS, np.int32)
    done = launch(lowered, BLOCKS, THREADS, [p])
    return p.tolist(), {finding.kind for finding in done.faults}


@pytest.mark.parametrize("body", CHECKED.values(), ids=CHECKED)
def test_a_load_that_a_compare_and_swap_checks_is_no_race(body):
    p, kinds = _run(body)
    assert kinds == set()
    counted = np.array(p[:4], np.int32)
    floats = float(counted.view(np.float32)[0])
    assert floats == BLOCKS * THREADS or counted.sum() == BLOCKS * THREADS


@pytest.mark.parametrize("body", UNCHECKED.values(), ids=UNCHECKED)
def test_any_other_load_beside_an_atomic_is_a_race(body):
    assert "global-race" in _run(body)[1]


def test_a_numba_kernel_may_guess_too():
    text = kernel(
        "old = p[0]",
        "while True:",
        "    seen = old",
        "    old = cuda.atomic.cas(p, 0, seen, seen + 1)",
        "    if old == seen:",
        "        break",
        takes="p",
    )
    p = np.zeros(4, np.int32)
    done = run(text, [p], grid=BLOCKS, block=THREADS)
    assert (p[0], done.faults) == (BLOCKS * THREADS, ())
