"""Sums and products on a GPU that contracts them to multiply-adds, against the emulator.

The emulator rounds after each operation, so their bits differ. Both must lie within the bound that
follows from float64 values (`rounding`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.gpu.cuda_values.multiply_adds import BoundedFloats, Program, draw
from bench.gpu.cuda_values.variants import sha256

OPTIONS = ("--std=c++17",)
"""NVRTC contracts unless it is told not to."""


@dataclass(frozen=True, slots=True)
class Row:
    """One program.

    Attributes:
        sha256: of its text.
        outputs: how many numbers it writes.
        same: how many of them have the same bits on the GPU and in the emulator.
        gpu: the GPU's largest distance from the float64 value, over the bound.
        emulator: the same of the emulator.
    """

    seed: int
    sha256: str
    device: str
    nvrtc: str
    outputs: int
    same: int
    gpu: float
    emulator: float

    @property
    def is_within(self) -> bool:
        """True if both keep to the bound."""
        return max(self.gpu, self.emulator) <= 1


def compare(count: int, processes: int) -> Iterator[Row]:
    """Run the first programs on the GPU, and in the emulator on the CPU."""
    from bench.gpu.cuda_values import on_gpu  # noqa: PLC0415 - tests of `measure` need no GPU

    gpu = on_gpu.Gpu()
    programs = [draw(seed) for seed in range(count)]
    emulated = on_gpu.emulate_all(programs, processes)
    for program, (wanted,) in zip(programs, emulated, strict=True):
        (found,) = gpu.run(program, OPTIONS)
        yield measure(program, found, wanted, (gpu.name, gpu.nvrtc))


def measure(
    program: Program, gpu: NDArray[np.float32], emulated: NDArray[np.float32],
    machine: tuple[str, str],
) -> Row:  # fmt: skip
    """Compare what a GPU and the emulator give with each other, and with the bound."""
    same = int((gpu.view(np.int32) == emulated.view(np.int32)).sum())
    ratios = worst(program, gpu), worst(program, emulated)
    return Row(program.seed, sha256(program.source), *machine, gpu.size, same, *ratios)


def worst(program: Program, output: NDArray[np.float32]) -> float:
    """Return the largest distance of an output from its float64 value, over the bound."""
    table = output.reshape(-1, len(program.variables))
    bounded = program.evaluate(BoundedFloats())
    return round(float(max(b.ratios(table[:, i]).max() for i, b in enumerate(bounded))), 4)


def summarize(rows: Sequence[Row]) -> str:
    """Say how many outputs are bit-identical, and how close the others come to the bound."""
    same, outputs = sum(row.same for row in rows), sum(row.outputs for row in rows)
    whole = sum(row.same == row.outputs for row in rows)
    within = sum(row.is_within for row in rows)
    gpu, emulator = (max((getattr(row, of) for row in rows), default=0) for of in _RATIOS)
    return (
        f"{same} of {outputs} outputs are bit-identical, all of {whole} of {len(rows)} kernels;"
        f" {within} kernels are within the bound, of which the GPU reaches {gpu:.4f},"
        f" the emulator {emulator:.4f}"
    )


_RATIOS = ("gpu", "emulator")


def load_row(row: dict[str, Any]) -> Row:
    """Read a row of the CSV."""
    numbers = {name: int(row[name]) for name in ("seed", "outputs", "same")}
    return Row(**{**row, **numbers, **{name: float(row[name]) for name in _RATIOS}})
