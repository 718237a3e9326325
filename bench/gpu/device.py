"""Launches every case through `numba.cuda`: on a GPU, or in the emulator under `quiz profile`."""

from __future__ import annotations

import shutil
import subprocess
import warnings
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numba import cuda

from bench.gpu import kernels
from bench.gpu.cases import Case, cases


def run(sass: Path | None = None) -> bool:
    """Launch each case once, in order, and say of each whether its result is right.

    Args:
        sass: the file to write the machine code of all kernels into; needs CUDA's nvdisasm.

    Returns:
        whether NumPy and the emulator have the same results.

    Raises:
        SystemExit: there is no GPU.
    """
    _see_that_there_is_one()
    warnings.filterwarnings("ignore", message="Grid size")  # small ones are meant here
    made = {case.kernel: cuda.jit(getattr(kernels, case.kernel)) for case in cases()}
    wrong = 0
    for case in cases():
        result = _launch(made[case.kernel], case)
        _done, emulated = case.emulated()
        said = {"NumPy": case.wrong(result), "the emulator": case.wrong(result, emulated)}
        told = "; ".join(f"against {whose}: {text}" for whose, text in said.items() if text)
        wrong += bool(told)
        print(f"{case.name:<24} {told or 'right'}")
    if sass is not None:
        texts = (f"## {name}\n{_machine_code(kernel)}\n" for name, kernel in made.items())
        sass.write_text("\n".join(texts), encoding="utf-8")
    return not wrong


def identity() -> tuple[str, str]:
    """The device's name, and the versions that made and ran the machine code.

    Raises:
        SystemExit: there is no GPU.
    """
    _see_that_there_is_one()
    device = cuda.get_current_device()
    name = device.name.decode() if isinstance(device.name, bytes) else device.name
    major, minor = cuda.runtime.get_version()
    return name, f"CUDA {major}.{minor}; driver {_driver()}; numba-cuda {version('numba-cuda')}"


def _see_that_there_is_one() -> None:
    if not cuda.is_available():
        raise SystemExit(f"numba.cuda finds no GPU: {cuda.cuda_error()}")


def _launch(kernel: Any, case: Case) -> np.ndarray:
    arguments = [
        cuda.to_device(one) if isinstance(one, np.ndarray) else one for one in case.arguments
    ]
    kernel[case.grid, case.block](*arguments)
    cuda.synchronize()
    return arguments[case.written].copy_to_host()


def _machine_code(kernel: Any) -> str:
    try:
        return "\n".join(kernel.inspect_sass().values())
    except (RuntimeError, subprocess.SubprocessError) as error:
        return f"not disassembled: {error}"


def _driver() -> str:
    program = shutil.which("nvidia-smi")
    if program is None:
        return "unknown"
    asked = [program, "--query-gpu=driver_version", "--format=csv,noheader"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    return (done.stdout.split() or ["unknown"])[0]
