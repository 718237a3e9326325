"""The kernels of tests/data/ptx/clusters: what they are given, and give; `nvcc` compiled them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

FOLDER = Path(__file__).parents[3] / "tests" / "data" / "ptx" / "clusters"
_TILES = 5
Array = NDArray[Any]


class ClusterKernel(NamedTuple):
    """A kernel of the same name: an array that it is given, one that it stores, then numbers.

    Attributes:
        grid: blocks along each axis.
        threads: of a block.
        given: None if it takes none.
        cluster: blocks of a cluster, where the launch says so.
    """

    grid: tuple[int, int]
    threads: int
    given: Array | None
    stored: Array
    numbers: tuple[int, ...] = ()
    cluster: int | None = None


def _make() -> dict[str, ClusterKernel]:
    random = np.random.default_rng(32)

    def floats(count: int) -> Array:
        return random.integers(-64, 64, count).astype(np.float32)  # sums of these are exact

    def zeros(count: int, dtype: Any = np.float32) -> Array:
        return np.zeros(count, dtype)

    numbers = random.integers(0, 1 << 16, 3000).astype(np.uint32)
    return {
        "ranks": ClusterKernel((4, 6), 64, None, zeros(24 * 12, np.uint32)),
        "histogram": ClusterKernel((8, 1), 96, numbers, zeros(256, np.uint32), (3000,)),
        "stencil": ClusterKernel((8, 1), 128, floats(1024), zeros(1024)),
        "reduce": ClusterKernel((8, 1), 256, floats(8000), zeros(8), (1000,), 4),
        "handoff": ClusterKernel((4, 1), 128, floats(2 * _TILES * 64), zeros(256), (_TILES,)),
        "multicast": ClusterKernel((8, 1), 256, floats(2 * _TILES * 256), zeros(2048), (_TILES,)),
        "stores": ClusterKernel((8, 1), 128, numbers[:2048].view(np.int32), zeros(2080, np.int32)),
        "flag": ClusterKernel((4, 1), 32, floats(128), zeros(128)),
    }


KERNELS = _make()
REFUSED = {
    "a grid of no whole clusters": ("reduce", (8, 1), 3),
    "a cluster of more than eight": ("reduce", (32, 1), 16),
    "another size than the kernel's": ("stencil", (8, 1), 2),
    "a grid that the kernel's size does not divide": ("stencil", (6, 1), None),
}
"""Launches that cannot be: kernel, grid, and the cluster that the launch asks for."""


def read(name: str) -> str:
    """Return the PTX of one."""
    return (FOLDER / f"{name}.ptx").read_text()


def compute(name: str) -> Array:
    """Compute what one stores."""
    given = KERNELS[name].given
    if given is None:
        return _ranks()
    match name:
        case "histogram":
            return np.bincount(given % 256, minlength=256).astype(np.uint32)
        case "stencil":
            rows = np.pad(given.reshape(2, 512), ((0, 0), (1, 1)))
            return (rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]).ravel()
        case "reduce":
            return given.reshape(8, 1000).sum(axis=1)
        case "handoff":
            tiles = given.reshape(2, 1, _TILES, 64)[..., ::-1] * np.float32([[1], [2]])[:, :, None]
            return (tiles * np.arange(1, _TILES + 1, dtype=np.float32)[:, None]).sum(axis=2).ravel()
        case "multicast":
            sums = given.reshape(2, _TILES, 256) * np.arange(1, _TILES + 1)[:, None]
            whole = sums.sum(axis=1).astype(np.float32)
            return np.stack([np.roll(whole, -17 * rank, axis=1) for rank in range(4)], 1).ravel()
        case "flag":
            swapped = given.reshape(2, 2, 32)[:, ::-1] * 2
            return (swapped + np.float32([[1], [0]])).ravel()
    return _stores(given)


def _ranks() -> Array:
    found = np.zeros((6, 4, 12), np.uint32)
    for y in range(6):
        for x in range(4):
            found[y, x] = (
                x % 2, y % 2, 0, 2, 2, x // 2, y // 2, 2, 3, x % 2 + 2 * (y % 2), 4, 1,
            )  # fmt: skip
    return found.ravel()


def _stores(given: Array) -> Array:
    pairs = given.reshape(2, 4, 128, 2)
    got = np.roll(pairs, 1, axis=1).reshape(2, 4, 256).copy()
    got[..., ::2] += 1
    copied = np.roll(got, -1, axis=1)
    sums = np.roll(pairs.sum(axis=3), 1, axis=1).reshape(2, 4, 32, 4).sum(axis=2)
    return np.concatenate([copied, sums], axis=2).astype(np.int32).ravel()
