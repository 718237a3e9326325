"""The pipelines of tests/data/ptx/pipelines: what they are given, and give; on a GPU, too."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

FOLDER = Path(__file__).parents[3] / "tests" / "data" / "ptx" / "pipelines"
_TILES, _ROUNDS = 7, 5


class Pipeline(NamedTuple):
    """A kernel of the same name: arrays of floats given and stored, then numbers.

    Attributes:
        sizes: blocks, and threads of each.
        given, stored: elements.
    """

    sizes: tuple[int, int]
    given: int
    stored: int
    numbers: tuple[int, ...]


PIPELINES = {
    "ring": Pipeline((2, 128), 2 * _TILES * 256, 2 * 96, (_TILES,)),
    "outs": Pipeline((2, 256), 1024, 1024, ()),
    "named": Pipeline((1, 128), 128 * _ROUNDS, 128 * _ROUNDS, (_ROUNDS,)),
    "barrier_loop": Pipeline((1, 128), 128 * _ROUNDS, 128, (_ROUNDS,)),
}


def read(name: str) -> str:
    """Return the PTX of one."""
    return (FOLDER / f"{name}.ptx").read_text()


def compute(name: str, given: NDArray[Any]) -> NDArray[Any]:
    """Compute what one stores, in its order of additions."""
    if name == "outs":
        return (given.reshape(2, 2, 256) * np.float32([2, 3])[None, :, None]).ravel()
    if name == "named":
        return given.reshape(-1, 64)[:, ::-1].ravel()
    if name == "barrier_loop":
        sums = np.zeros(128, np.float32)
        for row in given.reshape(_ROUNDS, 128):
            sums += np.roll(row, -1)
        return sums
    sums = np.zeros((2, 96), np.float32)
    for tile in given.reshape(2, _TILES, 256).swapaxes(0, 1):
        for first in range(0, 256, 96):
            part = tile[:, first : first + 96]
            sums[:, : part.shape[1]] += part
    return sums.ravel()


def print_on_gpu() -> None:
    """Run each on a GPU, and say whether it stores what is computed here."""
    from bench.gpu.ptx.driver import Device  # noqa: PLC0415 - it needs the driver

    device, random = Device(), np.random.default_rng(11)
    for name, pipeline in PIPELINES.items():
        given, found = random.random(pipeline.given, np.float32), np.zeros(pipeline.stored, "f4")
        module = device.load(read(name))
        device.launch(module, name, pipeline.sizes, (given, found), *pipeline.numbers)
        differing = int((found.view("u4") != compute(name, given).view("u4")).sum())
        print(f"{name}: {found.size} floats, {differing} differ, on {device.name}")


if __name__ == "__main__":
    print_on_gpu()
