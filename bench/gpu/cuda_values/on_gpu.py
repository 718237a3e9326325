"""Runs programs on the GPU of this machine, and tells which give what the emulator gives."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, fields
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from bench.gpu.cuda import nvrtc
from bench.gpu.cuda_values import emulated
from bench.gpu.cuda_values.programs import BLOCKS, KERNEL, THREADS, Program, draw
from bench.gpu.cuda_values.variants import sha256
from grader.gpu.device import DeviceArray, DeviceError, DeviceLaunch
from grader.gpu.numba_device import NumbaDevice, open_device

OPTIONS = ("--fmad=false",)
"""A product and a sum stay two operations, as in the emulator."""
SAME = "same"
_SECONDS = 10.0


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


def compare(count: int, processes: int) -> Iterator[Row]:
    """Run the first programs on the GPU, and in the emulator on the CPU.

    Raises:
        DeviceError: there is no GPU, or a launch left it useless.
    """
    programs = [draw(seed) for seed in range(count)]
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        emulating = [pool.submit(emulated.run, program) for program in programs]
        device = open_device()
        for program, wanted in zip(programs, emulating, strict=True):
            try:
                differences = emulated.differences(_run(device, program), wanted.result())
                found = differences[0] if differences else SAME
            except nvrtc.NotCompiled as error:
                found = f"not compiled: {str(error)[:200]}"
            except DeviceError as error:
                if error.poisoned:
                    raise
                found = str(error)[:200]
            yield Row(
                program.seed, sha256(program.source), device.facts.name, nvrtc.version(), found
            )


def _run(device: NumbaDevice, program: Program) -> list[np.ndarray]:
    source = program.source.replace("__global__", 'extern "C" __global__')
    image = nvrtc.compile_cubin(source, "k.cu", device.facts.capability, *OPTIONS)
    (kernel,) = device.load_ptx(image, [KERNEL])
    arrays = [device.to_device(each) for each in (*program.inputs(), *program.outputs())]
    try:
        launch = DeviceLaunch(kernel, (BLOCKS, 1, 1), (THREADS, 1, 1), tuple(arrays), 0, ())
        device.launch(launch, _SECONDS)
        return [_fetch(device, each) for each in arrays[-2:]]
    finally:
        for each in arrays:
            device.free(each)


def _fetch(device: NumbaDevice, array: DeviceArray) -> np.ndarray:
    fetched = device.from_device(array)
    if not fetched.guarded:
        raise ValueError("written beyond an output")
    return np.asarray(fetched.values)


def save(path: Path, rows: Sequence[Row]) -> None:
    """Write rows as a CSV."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [each.name for each in fields(Row)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(each) for each in rows)
