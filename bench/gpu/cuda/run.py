"""Runs one `.cu` file on the GPU of this machine: right at every shape, and how fast.

Each file has a process of its own (`__main__`), so that a fault of one ends no other. Inputs are
drawn and outputs compared side by side; on the GPU one process works at a time.
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from bench.gpu.cuda.programs import SOLUTION, Program
from bench.gpu.cuda.recorded import Row
from bench.gpu.questions import SEED
from grader.comparing import compare
from grader.gpu.correctness import DeviceCase, DeviceCases, StagedCase
from grader.gpu.devices import nvrtc
from grader.gpu.devices.device import DeviceArray, DeviceLaunch
from grader.gpu.devices.numba_device import NumbaDevice, open_device
from grader.kernels.problem import evaluate_integer
from grader.kernels.submission import read_submission
from quizapp.exercises.kernels import benchmark, problem

_ROUNDS = 30
_LAUNCH_SECONDS = 10.0


class Wrong(Exception):
    """The outputs are not the reference's."""


def run(program: Program, lock: Path) -> Row:
    """Check a program at every shape of its question, and time it at the large one.

    Raises:
        Wrong: an output is not right.
        NotCompiled: NVRTC rejects it.
        DeviceError: a launch failed.
    """
    question = program.question
    timed = benchmark(question)
    cases = DeviceCases(problem(question), SEED, timed.shape if timed else None)
    made = [cases.case(run) for run in range(len(cases))]
    with _alone(lock):
        device = open_device()
    image = nvrtc.compile_cubin(program.source, program.name, device.facts.capability)
    (loaded,) = device.load_ptx(image.code, [question.kernel])
    in_cuda = replace(problem(question), language="cuda")
    kernel = replace(loaded, takes=read_submission(in_cuda, program.source).takes)
    times: list[float] = []
    for case in made:
        with _alone(lock), StagedCase(device, case) as staged:
            launch = staged.launch(kernel)
            for array in launch.refilled:
                device.refill(array)
            device.launch(launch, _LAUNCH_SECONDS)
            fetched = [device.from_device(one) for one in staged.arguments
                       if isinstance(one, DeviceArray)]  # fmt: skip
            if timed and case is made[-1]:
                times = _time(device, program, staged, launch, made[0])
        _compare(case, fetched)
    shown = [f"{1e3 * seconds:.4f}" for seconds in times]
    shown += [""] * (3 - len(shown))  # in CUDA C++ alone, nothing of Numba's was timed
    options = " ".join((*nvrtc.OPTIONS, nvrtc.architecture(device.facts.capability)))
    return Row(
        question.id, program.path.name, program.sha256, device.facts.name, nvrtc.version(),
        options, str(len(made)), *shown, str(kernel.registers), str(kernel.shared),
    )  # fmt: skip


def _time(
    device: NumbaDevice, program: Program, staged: StagedCase, launch: DeviceLaunch,
    first: DeviceCase,
) -> list[float]:  # fmt: skip
    """Return median seconds of the CUDA kernel, the Numba solution and the Numba baseline."""
    question = program.question
    texts = [question.solution or "", (question.gpu.baseline if question.gpu else "") or ""]
    launches = [launch] + [
        staged.launch(device.compile(text, question.kernel, first.given)) for text in texts if text
    ]
    device.time_launches(launches * 3, _LAUNCH_SECONDS)
    taken: list[list[float]] = [[] for _ in launches]
    for turn in range(_ROUNDS):
        order = range(len(launches)) if turn % 2 else range(len(launches) - 1, -1, -1)
        for i in order:
            taken[i] += device.time_launches([launches[i]], _LAUNCH_SECONDS)
    return [median(one) for one in taken]


def _compare(case: DeviceCase, fetched: list[Any]) -> None:
    """Compare all arrays by the tolerance that submissions are graded by.

    Raises:
        Wrong: with the first wrong element.
    """
    arrays = [i for i, value in enumerate(case.given) if isinstance(value, np.ndarray)]
    wanted = dict(zip(case.problem.outputs, case.right, strict=True))
    terms = evaluate_integer(case.problem.terms, case.shape, ("terms",))
    for i, got in zip(arrays, fetched, strict=True):
        name = case.problem.arguments[i].name
        if not got.guarded:
            raise Wrong(f"{dict(case.shape)}: written beyond {name}")
        expected = wanted.get(i, case.given[i])
        found = compare(
            got.values,
            expected,
            terms if i in wanted else 0,
            rounded=case.problem.arguments[i].rounded,
        )
        if len(found.wrong):
            at = tuple(int(one) for one in found.wrong[0])
            raise Wrong(
                f"{dict(case.shape)}: {len(found.wrong)} of {got.values.size} wrong, first"
                f" {name}{list(at)}: {got.values[at]} instead of {expected[at]}"
            )


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Wait until no other process uses the GPU."""
    with lock.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


__all__ = ["SOLUTION", "Wrong", "run"]
