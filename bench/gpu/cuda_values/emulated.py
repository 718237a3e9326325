"""Runs programs in the emulator, and compares outputs bit by bit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bench.gpu.cuda_values.programs import BLOCKS, KERNEL, THREADS, Runnable
from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda

_BUDGET = 10**12


def run(program: Runnable) -> list[np.ndarray]:
    """Run a program; return its outputs.

    Raises:
        Refused: the front end does not take it.
        ValueError: the emulator blames it, though nothing in it is undefined.
    """
    kernel, _ = lower_kernel(read_cuda(program.source), KERNEL)
    outputs = program.outputs()
    arguments = [*program.inputs(), *outputs]
    done = launch(kernel, (BLOCKS,), (THREADS,), arguments, budget=_BUDGET)
    if done.faults:
        raise ValueError(f"seed {program.seed}: {done.faults[0]}")
    return outputs


def differences(wanted: Sequence[np.ndarray], found: Sequence[np.ndarray]) -> list[str]:
    """Return where bits differ; a NaN equals any other, since C++ leaves its bits open."""
    return [
        f"{'integer' if one.dtype.kind == 'i' else 'real'} {at}: {one[at]}, not {other[at]}"
        for one, other in zip(found, wanted, strict=True)
        for at in np.flatnonzero(
            (one.view(np.int64) != other.view(np.int64)) & ~_both_nan(one, other)
        )
    ]


def _both_nan(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    nan: np.ndarray = np.isnan(one) & np.isnan(other)
    return nan
