"""What is launched: kernels with their grids and arguments, and the right results by NumPy.

All sizes are small, so that one profiled process holds them all. Needs neither Numba nor a GPU.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from grader.simt import Function, Launch, launch
from grader.simt.numba.reading.module import read_module

KERNELS = Path(__file__).with_name("kernels.py")
_EDGE = 256
_BLOCKS, _BLOCK = 64, 256
_N = _BLOCKS * _BLOCK
_BINS = 64


@dataclass(frozen=True, eq=False)
class Case:
    """One launch.

    Attributes:
        name: of the case; that of the kernel, unless this is launched in several ways.
        kernel: which function of `kernels`.
        arguments: arrays and numbers, which stay as they are.
        right: what the last array must hold afterwards.
        tolerance: relative, for sums in another order; 0 where the result is exact.
    """

    name: str
    kernel: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    arguments: tuple[Any, ...]
    right: np.ndarray = field(repr=False)
    tolerance: float = 0.0

    @property
    def written(self) -> int:
        """Which argument the kernel writes: its last array."""
        return max(at for at, one in enumerate(self.arguments) if isinstance(one, np.ndarray))

    def wrong(self, result: np.ndarray, right: np.ndarray | None = None) -> str:
        """How a result differs from the right one (or from another's); empty if it does not."""
        expected = self.right if right is None else right
        near = np.isclose(result, expected, rtol=self.tolerance, atol=self.tolerance)
        if near.all():
            return ""
        first = tuple(int(one) for one in np.argwhere(~near)[0])
        count = int((~near).sum())
        return f"{count} of {near.size} wrong, first {first}: {result[first]} for {expected[first]}"

    def emulated(self) -> tuple[Launch, np.ndarray]:
        """The launch in the emulator, and the array it leaves."""
        given = [one.copy() if isinstance(one, np.ndarray) else one for one in self.arguments]
        done = launch(functions()[self.kernel], self.grid, self.block, given)
        return done, given[self.written]


@cache
def functions() -> dict[str, Function]:
    """The kernels, read as a text."""
    return read_module(KERNELS.read_text(encoding="utf-8"))


@cache
def cases() -> tuple[Case, ...]:
    """All of them, in the order in which they are launched; the same numbers each time."""
    random = np.random.default_rng(0)
    return (
        *_transposes(random),
        *_copies(random),
        *_reductions(random),
        *_histograms(random),
        *_products(random),
        *_neighbours(random),
        *_rows(random),
        *_others(random),
    )


def _case(kernel: str, grid: Any, block: Any, *arguments: Any, right: Any, **options: Any) -> Case:
    name = options.pop("name", kernel)
    shape = [one if isinstance(one, tuple) else (one,) for one in (grid, block)]
    return Case(name, kernel, *shape, arguments, right, **options)


def _transposes(random: np.random.Generator) -> list[Case]:
    single = random.random((_EDGE, _EDGE), dtype=np.float32)
    double = random.random((_EDGE, _EDGE))
    half = random.random((32, 32)).astype(np.float16)
    taken = [
        *((f"transpose_{how}", single) for how in ("naive", "tiled", "padded", "swizzled")),
        *((f"transpose_{how}", double) for how in ("double", "double_padded")),
        *((f"half_columns{how}", half) for how in ("", "_padded")),
    ]
    return [
        _case(kernel, tuple(n // 32 for n in a.shape), (32, 32), a, np.zeros_like(a), right=a.T)
        for kernel, a in taken
    ]


def _copies(random: np.random.Generator) -> list[Case]:
    a = random.random(_N, dtype=np.float32)
    empty = np.zeros_like(a)
    cases = [_case("copy", _BLOCKS, _BLOCK, a, empty, right=a)]
    for stride in (2, 3, 32):
        wide = random.random(4096 * stride, dtype=np.float32)
        right = np.where(np.arange(wide.size) % stride == 0, wide, np.float32(0))
        given = (wide, np.zeros_like(wide), np.int64(stride))
        name = f"copy_stride_{stride}"
        cases.append(_case("copy_strided", 16, 256, *given, right=right, name=name))
    shifted = np.append(a[1:], np.float32(0))
    cases.append(_case("copy_misaligned", _BLOCKS, _BLOCK, a, empty, np.int64(1), right=shifted))
    x, y = random.random((2, _N - 101), dtype=np.float32)
    factor = np.float32(2.5)
    sums = factor * x + y
    cases.append(
        _case("saxpy", _BLOCKS, _BLOCK, factor, x, y, right=sums, tolerance=1e-6)  # FMA
    )
    return cases


def _reductions(random: np.random.Generator) -> list[Case]:
    a = random.random(_N, dtype=np.float32)
    parts = a.reshape(_BLOCKS, _BLOCK)
    sums, empty = parts.sum(axis=1), np.zeros(_BLOCKS, np.float32)
    ways = ("interleaved", "modulo", "sequential", "shuffle")
    scanned = parts.cumsum(axis=1).reshape(-1)
    return [
        *(
            _case(f"reduce_{way}", _BLOCKS, _BLOCK, a, empty, right=sums, tolerance=1e-5)
            for way in ways
        ),
        _case("scan_block", _BLOCKS, _BLOCK, a, np.zeros_like(a), right=scanned, tolerance=1e-5),
    ]


def _histograms(random: np.random.Generator) -> list[Case]:
    keys = random.integers(0, _BINS, _N, dtype=np.int32)
    weights = random.integers(2, 9, _N, dtype=np.int32)
    reals = weights.astype(np.float32)
    blocks = np.repeat(np.arange(_BLOCKS), _BLOCK)
    counts, sums = np.zeros((2, _BLOCKS, _BINS), np.int32)
    np.add.at(counts, (blocks, keys), 1)
    np.add.at(sums, (blocks, keys), weights)
    launched = _BLOCKS, _BLOCK
    empty, real = np.zeros_like(counts), np.zeros(counts.shape, np.float32)
    # A sector for each ticket: who gets which is open, and must not show in the count.
    right = np.zeros((*counts.shape, 32, 8), np.int32)
    right[..., 0] = np.arange(32) < counts[..., None]
    return [
        _case("histogram", *launched, keys, empty, right=counts),
        _case("histogram_weighted", *launched, keys, weights, empty, right=sums),
        _case("histogram_float", *launched, keys, reals, real, right=sums.astype(np.float32)),
        _case("tickets", *launched, keys, np.zeros_like(right), right=right),
    ]


def _products(random: np.random.Generator) -> list[Case]:
    a, b = random.random((2, 64, 64), dtype=np.float32)
    given = (a, b, np.zeros_like(a))
    return [
        _case(kernel, (4, 4), (16, 16), *given, right=a @ b, tolerance=1e-5)
        for kernel in ("gemm", "gemm_padded")
    ]


def _neighbours(random: np.random.Generator) -> list[Case]:
    radius = 3
    line = random.random(_N + 2 * radius, dtype=np.float32)
    windows = np.lib.stride_tricks.sliding_window_view(line, 2 * radius + 1).sum(axis=1)
    plane = random.random((66, 130), dtype=np.float32)
    centre = np.float32(4)
    beside = plane[1:-1, :-2] + plane[1:-1, 2:] + plane[:-2, 1:-1] + plane[2:, 1:-1]
    image = random.random((68, 132), dtype=np.float32)
    weights = random.random((5, 5), dtype=np.float32)
    around = np.lib.stride_tricks.sliding_window_view(image, (5, 5))
    folded = np.einsum("yxrc,rc->yx", around, weights)
    empty = np.zeros((64, 128), np.float32)
    return [
        _case(
            *("stencil_line", _BLOCKS, _BLOCK, line, np.zeros(_N, np.float32), np.int64(radius)),
            right=windows,
            tolerance=1e-5,
        ),
        _case(
            *("stencil_plane", (4, 4), (32, 16), plane, empty, centre),
            right=beside - centre * plane[1:-1, 1:-1],
            tolerance=1e-5,
        ),
        _case(
            *("convolution", (4, 4), (32, 16), image, weights, empty),
            right=folded,
            tolerance=1e-5,
        ),
    ]


def _rows(random: np.random.Generator) -> list[Case]:
    a = random.random((32, 300), dtype=np.float32)
    powers = np.exp(a - a.max(axis=1, keepdims=True))
    soft = powers / powers.sum(axis=1, keepdims=True)
    wide = random.random((512, 256), dtype=np.float32)
    x = random.random(256, dtype=np.float32)
    out = np.zeros(512, np.float32)
    keys = random.integers(-1000, 1000, _N, dtype=np.int32)
    ordered = np.sort(keys.reshape(_BLOCKS, _BLOCK), axis=1).reshape(-1)
    return [
        _case("softmax_rows", 32, 128, a, np.zeros_like(a), right=soft, tolerance=1e-5),
        _case("matrix_vector", 4, 128, wide, x, out, right=wide @ x, tolerance=1e-5),
        _case("bitonic_sort", _BLOCKS, _BLOCK, keys, np.zeros_like(keys), right=ordered),
    ]


def _others(random: np.random.Generator) -> list[Case]:
    a, b = random.random((2, _N), dtype=np.float32)
    order = random.permutation(_N).astype(np.int32)
    scattered = np.empty_like(a)
    scattered[order] = a
    points = random.random((1280, 4), dtype=np.float32)
    mirrored = points[:, 2].reshape(10, 128)[:, ::-1].reshape(-1)
    line, empty = np.zeros(1280, np.float32), np.zeros_like(a)
    few = b[:61]
    number = np.arange(_N)
    mixed = np.where(number % 3 == 0, np.append(0, few[:4].cumsum())[number % 5], a)
    return [
        _case("broadcast", 8, 256, few, np.zeros(2048, np.float32), right=_halve(few)),
        _case("members", 10, 128, points, line, np.int64(2), right=mirrored),
        _case("divergent", _BLOCKS, _BLOCK, a, few, empty, right=mixed, tolerance=1e-6),
        _case("gather", _BLOCKS, _BLOCK, a, order, empty, right=a[order]),
        _case("scatter", _BLOCKS, _BLOCK, a, order, empty, right=scattered),
    ]


def _halve(few: np.ndarray) -> np.ndarray:
    """What `broadcast` sums up: each warp begins one element later."""
    warps = np.zeros((8, 8), np.float32)
    for warp in range(8):
        for value in few[warp:]:
            warps[:, warp] = warps[:, warp] * np.float32(0.5) + value
    return np.repeat(warps.reshape(-1), 32)
