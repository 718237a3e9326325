"""Runs programs on the GPU of this machine, and tells which give what the emulator gives."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, fields
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from bench.gpu.cuda_values import emulated
from bench.gpu.cuda_values.programs import BLOCKS, KERNEL, THREADS, Program, draw
from bench.gpu.cuda_values.variants import sha256

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


def compare(count: int, processes: int) -> Iterator[Row]:
    """Run the first programs on the GPU, and in the emulator on the CPU."""
    cupy: Any = import_module("cupy")
    nvrtc: Any = import_module("cupy_backends.cuda.libs.nvrtc")
    properties = cupy.cuda.runtime.getDeviceProperties(0)
    device, version = properties["name"].decode(), ".".join(map(str, nvrtc.getVersion()))
    target = f"--gpu-architecture=sm_{properties['major']}{properties['minor']}"
    programs = [draw(seed) for seed in range(count)]
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        emulating = [pool.submit(emulated.run, program) for program in programs]
        for program, wanted in zip(programs, emulating, strict=True):
            try:
                given = _run(cupy, _compile(nvrtc, program, target), program)
            except nvrtc.NVRTCError as error:
                found = f"not compiled: {error}"
            else:
                differences = emulated.differences(given, wanted.result())
                found = differences[0] if differences else SAME
            yield Row(program.seed, sha256(program.source), device, version, found)


def _compile(nvrtc: Any, program: Program, target: str) -> bytes:
    source = program.source.replace("__global__", 'extern "C" __global__')
    made = nvrtc.createProgram(source, "k.cu", (), ())
    nvrtc.compileProgram(made, (*OPTIONS, target))
    image: bytes = nvrtc.getCUBIN(made)
    return image


def _run(cupy: Any, image: bytes, program: Program) -> list[np.ndarray]:
    """Launch the kernel; return its two outputs."""
    module = cupy.cuda.function.Module()
    module.load(image)
    arrays = [cupy.asarray(each) for each in (*program.inputs(), *program.outputs())]
    module.get_function(KERNEL)((BLOCKS,), (THREADS,), tuple(arrays))
    cupy.cuda.Device().synchronize()
    return [np.asarray(each.get()) for each in arrays[-2:]]


def save(path: Path, rows: Sequence[Row]) -> None:
    """Write rows as a CSV."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [each.name for each in fields(Row)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(each) for each in rows)
