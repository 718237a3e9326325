"""Runs programs on the GPU of this machine, and tells which give what the emulator gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.gpu.cuda_values import emulated
from bench.gpu.cuda_values.programs import BLOCKS, KERNEL, THREADS, Runnable, draw
from bench.gpu.cuda_values.variants import sha256
from bench.gpu.rows import save_rows

OPTIONS = ("--std=c++17", "--fmad=false")
"""A product and a sum stay two operations, as in the emulator."""
SAME = "same"


@dataclass(frozen=True, slots=True)
class Row:
    """One program.

    Attributes:
        sha256: of its text.
        found: `SAME`, the first difference, or why there is no comparison.
    """

    seed: int
    sha256: str
    device: str
    nvrtc: str
    found: str


class NotCompiled(Exception):
    """NVRTC rejects a program."""


class Gpu:
    """The GPU of this machine: CuPy launches what its NVRTC compiles."""

    def __init__(self) -> None:
        self._cupy: Any = import_module("cupy")
        self._nvrtc: Any = import_module("cupy_backends.cuda.libs.nvrtc")
        properties = self._cupy.cuda.runtime.getDeviceProperties(0)
        self.name: str = properties["name"].decode()
        self.nvrtc = ".".join(map(str, self._nvrtc.getVersion()))
        self._target = f"--gpu-architecture=sm_{properties['major']}{properties['minor']}"

    def run(self, program: Runnable, options: Sequence[str]) -> list[NDArray[Any]]:
        """Compile a program with these options of NVRTC, launch it, and return its outputs.

        Raises:
            NotCompiled: with what NVRTC says.
        """
        source = program.source.replace("__global__", 'extern "C" __global__')
        made = self._nvrtc.createProgram(source, "k.cu", (), ())
        try:
            self._nvrtc.compileProgram(made, (*options, self._target))
        except self._nvrtc.NVRTCError as error:
            raise NotCompiled(str(error)) from None
        module = self._cupy.cuda.function.Module()
        module.load(self._nvrtc.getCUBIN(made))
        outputs = program.outputs()
        arrays = [self._cupy.asarray(each) for each in (*program.inputs(), *outputs)]
        module.get_function(KERNEL)((BLOCKS,), (THREADS,), tuple(arrays))
        self._cupy.cuda.Device().synchronize()
        return [np.asarray(each.get()) for each in arrays[-len(outputs) :]]


def emulate_all(programs: Sequence[Runnable], processes: int) -> Iterator[list[NDArray[Any]]]:
    """Run programs in the emulator, side by side; yield their outputs in order."""
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        yield from pool.map(emulated.run, programs)


def compare(count: int, processes: int) -> Iterator[Row]:
    """Run the first programs on the GPU, and in the emulator on the CPU."""
    gpu = Gpu()
    programs = [draw(seed) for seed in range(count)]
    for program, wanted in zip(programs, emulate_all(programs, processes), strict=True):
        try:
            differences = emulated.differences(gpu.run(program, OPTIONS), wanted)
        except NotCompiled as error:
            found = f"not compiled: {error}"
        else:
            found = differences[0] if differences else SAME
        yield Row(program.seed, sha256(program.source), gpu.name, gpu.nvrtc, found)


def save(path: Path, rows: Sequence[Any]) -> None:
    """Write rows, dataclasses of one kind, as a CSV; none if there are none."""
    if rows:
        save_rows(path, type(rows[0]), rows)
