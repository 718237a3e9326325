"""Long launches on one core and on two, in turn: the ratio of their times by the clock.

As `quiz profile` runs them, with all diagnostics. The arrays must come out the same, and the
counters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np

from bench.data import Data
from bench.emulator import ADD, PRODUCT
from bench.figures import Figure, count_rounds, note, ratio, spread
from grader.simt import read
from grader.simt.launches.api import compile_for, launch
from grader.simt.memory.written import WrittenBytes

CORES = 2
AT_LEAST = 1.7
_PIXELS = 4096
_SIDE = 1024
_ELEMENTS = 100_000_000

MANDELBROT = """
def mandelbrot(out, most):
    x, y = cuda.grid(2)
    if x < out.shape[1] and y < out.shape[0]:
        cr = -2.0 + 3.0 * x / out.shape[1]
        ci = -1.5 + 3.0 * y / out.shape[0]
        zr = 0.0
        zi = 0.0
        k = 0
        while k < most and zr * zr + zi * zi < 4.0:
            t = zr * zr - zi * zi + cr
            zi = 2.0 * zr * zi + ci
            zr = t
            k += 1
        out[y, x] = k
"""


class _Case(NamedTuple):
    """A kernel with its launch; `make` makes its arguments, and the array that it fills."""

    source: str
    grid: int | tuple[int, int]
    block: int | tuple[int, int]
    make: Callable[[], tuple[list[Any], Any]]


class _Took(NamedTuple):
    seconds: float
    own: float
    result: Any


def _mandelbrot() -> tuple[list[Any], Any]:
    out = np.zeros((_PIXELS, _PIXELS), np.int32)
    return [out, 100], out


def _product() -> tuple[list[Any], Any]:
    a = (np.arange(_SIDE * _SIDE, dtype=np.float32) % 7).reshape(_SIDE, _SIDE)
    out = np.zeros_like(a)
    return [a, a.copy(), out], out


def _add() -> tuple[list[Any], Any]:
    out = np.zeros(_ELEMENTS)
    return [np.arange(_ELEMENTS, dtype=np.float64), np.ones(_ELEMENTS), out], out


CASES = {
    f"Mandelbrot, {_PIXELS}², 100 iterations": _Case(
        MANDELBROT, (_PIXELS // 16, _PIXELS // 16), (16, 16), _mandelbrot
    ),
    f"tiled GEMM, {_SIDE}³": _Case(PRODUCT, (_SIDE // 16, _SIDE // 16), (16, 16), _product),
    "vector add of 10⁸ doubles": _Case(ADD, -(-_ELEMENTS // 256), 256, _add),
}


def measure(_data: Data | None, repeat: int = 1) -> list[Figure]:
    """One ratio a kernel."""
    return [_measure(what, case, repeat) for what, case in CASES.items()]


def _measure(what: str, case: _Case, repeat: int) -> Figure:
    ones, twos, own = list[float](), list[float](), list[float]()
    for _ in count_rounds(repeat):
        note(f"  {what}")
        one, two = (_run(case, cores) for cores in (1, CORES))
        assert one.result == two.result, what
        ones.append(one.seconds)
        twos.append(two.seconds)
        own.append(two.own)
    detail = f"{_ms(ones)} : {_ms(twos)}, of which the first process was {_ms(own)} on a core"
    return Figure(
        "cores", f"{what}, one core : {CORES}", ratio(ones, twos), AT_LEAST, "×", detail,
        {"one": ones, "several": twos}, at_least=True,
    )  # fmt: skip


def _ms(seconds: Sequence[float]) -> str:
    return spread([1000 * each for each in seconds])


def _run(case: _Case, cores: int) -> _Took:
    arguments, out = case.make()
    compiled = compile_for(read(case.source), arguments)
    known = WrittenBytes(out.__array_interface__["data"][0], out.nbytes)
    began, used = perf_counter(), process_time()
    done = launch(
        compiled, case.grid, case.block, arguments, tell_harmless=True, as_device=True,
        written=[known], cores=cores,
    )  # fmt: skip
    took, own = perf_counter() - began, process_time() - used
    return _Took(took, own, (hash(out.tobytes()), done.operations, done.files, done.findings))
