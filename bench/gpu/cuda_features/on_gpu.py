"""Launches the programs that were built on the GPU of this machine, by the driver alone."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.gpu import nsight
from bench.gpu.cuda_features.building import file_of
from bench.gpu.cuda_features.programs import Program
from bench.gpu.ptx.driver import Device

Output = NDArray[Any]


def launch(
    programs: Sequence[Program], folder: Path, build: str, took: Callable[[Program, Output], None]
) -> str:
    """Launch each program of a build, and hand on its output; return the device's name."""
    device = Device()
    in_order = sorted(programs, key=lambda each: (each.family.waits, each.family.name, each.seed))
    for file, those in groupby(in_order, key=lambda each: file_of(each, build)):
        module = device.load((folder / file).read_bytes())
        for program in those:
            output = program.outputs()
            given = [*program.inputs(), output]
            device.launch(module, program.kernel, (program.blocks, program.threads), given)
            took(program, output)
    return device.name


def save(programs: Sequence[Program], folder: Path, build: str, out: Path) -> None:
    """Launch each program of a build, and write all outputs to `out`."""
    found: dict[str, Output] = {}

    def keep(program: Program, output: Output) -> None:
        found[program.kernel] = output
        found[f"{program.kernel} given"] = np.array(hash_inputs(program))

    try:
        device = launch(programs, folder, build, keep)
        found["device"] = np.array(device)
    finally:
        np.savez_compressed(out / f"{build}.npz", **found)
    print(f"{build}: {len(programs)} programs on {device}")


def hash_inputs(program: Program) -> str:
    """Return what tells whether two machines draw the same inputs."""
    return hashlib.sha256(b"".join(each.tobytes() for each in program.inputs())).hexdigest()


def print_each(programs: Sequence[Program], folder: Path, build: str) -> None:
    """Launch each program, and print which: what a profiler looks at."""

    def say(program: Program, _output: Output) -> None:
        print(f"launched {program.seed}", flush=True)

    launch(programs, folder, build, say)


def count(folder: Path, raw: Path) -> None:
    """Count the launches of the exact build with Nsight Compute, into `raw`."""
    command = ("-m", "bench.gpu.cuda_features", "launch", str(folder))
    nsight.profile(raw, (Device().name, json.dumps(sys.version_info[:2])), command)
