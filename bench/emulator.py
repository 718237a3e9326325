"""The emulator on the kernels that everybody knows: one core, warm, with all diagnostics.

Processor time of `launch`; the endless loop is what a kernel that is graded may cost at most. Once,
the same beside Numba's simulator.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.data import ROOT, Data
from bench.figures import Figure, note, processor_time
from bench.terminal import NeverCame
from grader.kernels import OPERATIONS
from grader.simt import launch, read
from grader.simt.launches.api import compile_for

N = 1 << 20
TRANSPOSITION = "transpose, 256x256, 32x32 blocks"
SIMULATOR_AT_LEAST = 1000.0
"""Times as long as the emulator, for the transposition."""

ADD = """
def add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]
"""
TRANSPOSE = """
def transpose(a, out):
    tile = cuda.shared.array((32, 32), numba.float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    tile[ty, tx] = a[cuda.blockIdx.y * 32 + ty, cuda.blockIdx.x * 32 + tx]
    cuda.syncthreads()
    out[cuda.blockIdx.x * 32 + ty, cuda.blockIdx.y * 32 + tx] = tile[tx, ty]
"""
PRODUCT = """
TILE = 16

def product(a, b, c):
    left = cuda.shared.array((TILE, TILE), numba.float32)
    right = cuda.shared.array((TILE, TILE), numba.float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = numba.float32(0)
    for tile in range(a.shape[1] // TILE):
        left[ty, tx] = a[y, tile * TILE + tx]
        right[ty, tx] = b[tile * TILE + ty, x]
        cuda.syncthreads()
        for k in range(TILE):
            total += left[ty, k] * right[k, tx]
        cuda.syncthreads()
    c[y, x] = total
"""
TOTAL = """
def total(a, out):
    s = cuda.shared.array(256, numba.float32)
    t = cuda.threadIdx.x
    s[t] = a[cuda.grid(1)]
    cuda.syncthreads()
    d = 128
    while d > 0:
        if t < d:
            s[t] += s[t + d]
        cuda.syncthreads()
        d //= 2
    if t == 0:
        out[cuda.blockIdx.x] = s[0]
"""
ENDLESS = """
def endless(a):
    i = cuda.grid(1)
    while True:
        a[i] = a[i] + 1
"""


@dataclass(frozen=True, eq=False)
class Case:
    """A kernel with its launch: the last of `arguments` must become `right`."""

    source: str
    grid: int | tuple[int, int]
    block: int | tuple[int, int]
    arguments: list[Any]
    right: Any
    limit_ms: float


def cases() -> dict[str, Case]:
    """By what they do; fresh arrays, the same numbers each time."""
    random = np.random.default_rng(0)
    a, b = random.random((2, N), dtype=np.float32)
    square, other = a[:65536].reshape(256, 256), b[:65536].reshape(256, 256)
    empty, sums = np.zeros_like(square), np.zeros(N // 256, np.float32)
    rows = a.reshape(-1, 256).sum(axis=1)
    return {
        "vector add, 2^20": Case(ADD, N // 256, 256, [a, b, np.zeros_like(a)], a + b, 60),
        TRANSPOSITION: Case(TRANSPOSE, (8, 8), (32, 32), [square, empty], square.T, 15),
        "tiled 16x16 GEMM, 256^3": Case(
            PRODUCT,
            (16, 16),
            (16, 16),
            [square, other, np.zeros_like(square)],
            square @ other,
            1000,
        ),
        "tree reduction, 2^20": Case(TOTAL, N // 256, 256, [a, sums], rows, 700),
    }


def measure(_data: Data, repeat: int = 15) -> list[Figure]:
    """Medians; of the simulator one run."""
    figures = [
        processor_time("emulator", name, case.limit_ms, _run(case), repeat)
        for name, case in cases().items()
    ]
    ours = next(figure for figure in figures if figure.what == TRANSPOSITION)
    figures.append(_simulator_to(ours))
    array = np.zeros(N)
    endless = compile_for(read(ENDLESS), [array])
    for threads in (32, N):

        def run(blocks: int = max(1, threads // 256), block: int = min(threads, 256)) -> None:
            launch(endless, blocks, block, [array], budget=OPERATIONS)

        figures.append(
            processor_time("emulator", f"an endless loop of {threads:,} threads", 4000, run, 3)
        )
    return figures


def _run(case: Case) -> Callable[[], None]:
    ready = compile_for(read(case.source), case.arguments)

    def run() -> None:
        launch(ready, case.grid, case.block, case.arguments)

    return run


def _simulator_to(ours: Figure) -> Figure:
    """How many times as long Numba's simulator takes for one launch, in processor time.

    Raises:
        NeverCame: Numba is not there, or without its simulator, or its result is wrong.
    """
    note("  Numba's simulator, some 20 s")
    command = [sys.executable, "-m", "bench.simulator", ours.what]
    simulating = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run(
        command, cwd=ROOT, env=simulating, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise NeverCame(f"Numba's simulator did not run:\n{done.stderr}")
    theirs = float(done.stdout)
    return Figure(
        "emulator",
        f"Numba's simulator to the emulator: {ours.what}",
        theirs / ours.measured,
        SIMULATOR_AT_LEAST,
        "×",
        f"Numba's simulator, once: {theirs:,.0f} ms; quiz {ours.detail}",
        {**ours.samples, "simulator": [theirs]},
        at_least=True,
    )
