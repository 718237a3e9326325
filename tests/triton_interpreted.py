"""Runs kernels by Triton's own interpreter: `python -m tests.triton_interpreted`.

Another meaning of the same source than its PTX in the emulator. The interpreter wants tensors; an
array here has as much of one as it asks for.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

from bench.gpu.triton import RightKernel, arguments_of, load, right_kernels, wrong_outputs
from grader.kernels import evaluate_sizes
from grader.kernels.inputs import make_arguments


class Tensor:
    """An array in memory of the host, which is also that of the device."""

    def __init__(self, array: Any) -> None:
        self.array = array
        self.dtype = f"torch.{array.dtype.name}"

    def data_ptr(self) -> int:
        """Return its address."""
        return int(self.array.ctypes.data)

    def __getattr__(self, name: str) -> Any:
        """Be its own storage, on every device."""
        if name in ("untyped_storage", "cpu"):
            return lambda: self
        if name == "new_empty":
            return lambda *_, **__: self
        if name in ("set_", "copy_", "storage_offset", "size", "stride"):
            return lambda *_: 0
        raise AttributeError(name)


def is_right(kernel: RightKernel, run: int) -> bool:
    """Run it at a shape, and compare its outputs with the reference."""
    problem = kernel.problem
    shape, given = problem.shapes[run], make_arguments(problem, run)
    tensors = [Tensor(each) if isinstance(each, np.ndarray) else each for each in given]
    grid = evaluate_sizes(problem.grid, shape, ())
    load(kernel.file, problem.kernel)[grid](*arguments_of(problem, shape, tensors))
    return not wrong_outputs(problem, run, [given[at] for at in problem.outputs])


def main() -> None:
    """Print each kernel that is wrong at a shape; of the file that is named, too."""
    os.environ["TRITON_INTERPRET"] = "1"  # Triton reads it when a kernel imports it
    kernels = list(right_kernels())
    for file in map(Path, sys.argv[1:]):
        own = next(each for each in kernels if each.question == file.parent.name)
        kernels.append(own._replace(name=f"{own.question}--{file.stem}", file=file))
    for kernel in kernels:
        if not all(is_right(kernel, run) for run in range(len(kernel.problem.shapes))):
            print(kernel.name)


if __name__ == "__main__":
    main()
