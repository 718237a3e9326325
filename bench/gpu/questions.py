"""Launches a kernel question's first shape once: in the emulator, or on a GPU.

Both get the same inputs, so that their counts can be compared.
"""

from __future__ import annotations

from collections.abc import Mapping

from grader.gpu.correctness import DeviceCase, DeviceCases, StagedCase
from grader.gpu.devices.device import Device, DeviceKernel
from grader.kernels import Problem, evaluate_number, evaluate_sizes
from grader.kernels.submission import read_submission
from grader.simt import launch
from grader.verdict import Gate

SEED = 20_261_123
"""Of the inputs."""


def first_case(made: Problem) -> DeviceCase:
    """Draw the inputs of the first shape."""
    return DeviceCases(made, SEED, None).case(0)


def emulate(made: Problem, source: str) -> Mapping[str, int]:
    """Count a solution's launch at source level."""
    case = first_case(made)
    prepared = read_submission(made, source).prepare(case.given, case.shape)
    done = launch(
        prepared.kernel,
        evaluate_sizes(made.grid, case.shape, ("launch", "grid")),
        evaluate_sizes(made.block, case.shape, ("launch", "block")),
        prepared.arguments,
        shared_bytes=int(evaluate_number(made.shared, case.shape, ("launch", "shared"))),
    )
    return done.totals


def launch_once(device: Device, made: DeviceCase, kernel: DeviceKernel) -> Gate | None:
    """Launch a compiled solution; return why its outputs are not right, None if they are.

    Raises:
        DeviceError: the launch failed.
    """
    with StagedCase(device, made) as staged:
        return staged.run(kernel).gate
