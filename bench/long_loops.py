"""The emulator on launches of long loops: pixels that leave early, and threads that go on alike.

Smaller pieces of what once was long: a Julia set of 1024×1024 with 300 iterations, a Mandelbrot set
of 15000×10000, and 131,072 threads that draw numbers from states in global memory, 1,000 steps
each. Processor time with all diagnostics, as a multiple of that of a fixed NumPy loop.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np

from bench.data import Data
from bench.figures import Figure, numpy_loop, ratio, spread, time_alternately
from grader.simt import launch, read
from grader.simt.launches.api import compile_for

JULIA = """
def escape(x, y, cx, cy, most):
    for k in range(most):
        x2, y2 = x * x, y * y
        if x2 + y2 > 4.0:
            return k
        y = 2.0 * x * y + cy
        x = x2 - y2 + cx
    return most

def julia(out, cx, cy, most):
    j, i = cuda.grid(2)
    if i < out.shape[0] and j < out.shape[1]:
        x = -1.5 + 3.0 * j / out.shape[1]
        y = -1.5 + 3.0 * i / out.shape[0]
        out[i, j] = escape(x, y, cx, cy, most)
"""
MANDELBROT = """
def escape(x, y, most):
    c = complex(x, y)
    z = 0.0j
    for k in range(most):
        z = z * z + c
        if z.real * z.real + z.imag * z.imag >= 4:
            return k
    return most

def mandelbrot(out, most):
    height, width = out.shape
    first_x, first_y = cuda.grid(2)
    step_x, step_y = cuda.gridsize(2)
    for x in range(first_x, width, step_x):
        for y in range(first_y, height, step_y):
            out[y, x] = escape(-2.0 + 3.0 * x / width, -1.0 + 2.0 * y / height, most)
"""
PI = """
def draw(states, i):
    s0, s1 = states[i, 0], states[i, 1]
    s1 ^= s0
    turned = (s0 << numba.uint64(24)) | (s0 >> numba.uint64(40))
    states[i, 0] = turned ^ s1 ^ (s1 << numba.uint64(16))
    states[i, 1] = (s1 << numba.uint64(37)) | (s1 >> numba.uint64(27))
    return numba.float32((s0 >> numba.uint64(11)) * (1.0 / 9007199254740992.0))

def pi(states, steps, out):
    i = cuda.grid(1)
    inside = 0
    for k in range(steps):
        x, y = draw(states, i), draw(states, i)
        if x * x + y * y <= 1.0:
            inside += 1
    out[i] = 4.0 * inside / steps
"""


@dataclass(frozen=True, eq=False)
class Case:
    """A kernel with its launch.

    Attributes:
        limit: times as long as the NumPy loop; a third of what it was before warps were gathered.
    """

    source: str
    grid: int | tuple[int, int]
    block: int | tuple[int, int]
    arguments: list[Any]
    limit: float


def cases() -> dict[str, Case]:
    """By what they do."""
    threads = 131_072
    states = np.random.default_rng(0).integers(0, 1 << 63, (threads, 2)).astype(np.uint64)
    julia = [np.zeros((512, 512), np.int32), -0.8, 0.156, 300]
    mandelbrot = [np.zeros((2500, 3750), np.uint8), 20]
    return {
        "Julia set, 512x512, 300 iterations": Case(JULIA, (16, 64), (32, 8), julia, 3.15),
        "Mandelbrot set, 3750x2500, 20 iterations": Case(
            MANDELBROT, (32, 16), (32, 8), mandelbrot, 8.6
        ),
        "131,072 threads, 50 steps on states in memory": Case(
            PI, threads // 256, 256, [states, 50, np.zeros(threads)], 7.4
        ),
    }


def measure(_data: Data, repeat: int = 3) -> list[Figure]:
    """Ratios of medians."""
    return [_compare(name, case, repeat) for name, case in cases().items()]


def _compare(name: str, case: Case, repeat: int) -> Figure:
    ready = compile_for(read(case.source), case.arguments)
    ours, loop = time_alternately(
        repeat,
        lambda: _time(lambda: launch(ready, case.grid, case.block, case.arguments)),
        lambda: _time(numpy_loop),
    )
    detail = f"emulator {spread(ours)}; NumPy loop {spread(loop)}"
    samples = {"quiz": ours, "NumPy loop": loop}
    return Figure("loops", name, ratio(ours, loop), case.limit, "×", detail, samples)


def _time(run: Callable[[], object]) -> float:
    """Milliseconds of processor time."""
    began = process_time()
    run()
    return 1000 * (process_time() - began)
