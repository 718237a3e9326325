"""Launches of tiny grids, as a script under `quiz profile` makes them: warm, with all diagnostics.

Processor time of one launch through the stand-in for `numba.cuda`, and how many of them a fixed
NumPy loop of the same run takes. Projects whose tests make thousands of launches wait for this.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bench.data import Data
from bench.figures import Figure, numpy_loop, processor_time
from grader.simt.host.library import cuda_module
from grader.simt.host.session import ScriptSession

LAUNCHES = 100
MOST_MS = 1.0
"""For a launch of one warp."""


def measure(_data: Data, repeat: int = 15) -> list[Figure]:
    """Medians, each of a number of launches."""
    figures = []
    loop = numpy_loop()
    for what, limit, run in _cases():
        took = processor_time("tiny", what, None, run, repeat)
        each = took.measured / LAUNCHES
        figures += [
            Figure("tiny", f"{what}, one launch", each, limit, "ms", took.detail, took.samples),
            Figure(
                "tiny", f"{what}, how many in a NumPy loop", loop / each, None, "×", took.detail
            ),
        ]
    return figures


def _cases() -> list[tuple[str, float | None, Callable[[], None]]]:
    session = ScriptSession()
    cuda = cuda_module(session)

    @cuda.jit  # type: ignore[untyped-decorator]
    def double(a, out):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < out.size:
            out[i] = a[i] + a[i]

    @cuda.jit  # type: ignore[untyped-decorator]
    def total(a, out):  # type: ignore[no-untyped-def]
        s = cuda.shared.array(64, cuda.float32)
        t = cuda.threadIdx.x
        s[t] = a[t]
        cuda.syncthreads()
        n = 32
        while n > 0:
            if t < n:
                s[t] += s[t + n]
            cuda.syncthreads()
            n //= 2
        if t == 0:
            out[0] = s[0]

    a = cuda.to_device(np.ones(64, np.float32))
    out = cuda.device_array(64, np.float32)

    def repeated(kernel: Callable[..., None]) -> Callable[[], None]:
        def run() -> None:
            for _ in range(LAUNCHES):
                kernel(a, out)
            session.launches.clear()

        return run

    return [
        ("a guarded sum, one warp", MOST_MS, repeated(double[1, 32])),
        ("a tree reduction, two warps", None, repeated(total[1, 64])),
    ]
