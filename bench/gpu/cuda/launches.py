"""The launches that are counted: every `.cu` file at its question's first shape, and `exact.cu`.

Each runs in the emulator, or on a GPU as NVRTC compiles it for the quiz.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple, Protocol

import numpy as np

from bench.gpu.cuda import exact
from bench.gpu.cuda.programs import CONTENT, Program, programs
from bench.gpu.questions import emulate, first_case, launch_once
from grader.gpu.devices.device import Device, DeviceArray, DeviceKernel, DeviceLaunch
from grader.kernels import Problem
from grader.kernels.submission import read_submission
from grader.simt.cuda.libraries import find_library
from quizapp.exercises.kernels import problem

_SECONDS = 60.0
"""Limit of a launch that a profiler replays."""
RIGHT = "right"
_INCLUDED = re.compile(r"#include <(.+?)>")


class LaunchKey(NamedTuple):
    """What names a launch.

    Attributes:
        question: its id; empty for a kernel of `exact.cu`.
        shape: the question's first, or the name of the case.
    """

    question: str
    file: str
    kernel: str
    shape: str

    def __str__(self) -> str:
        """All of it, for a person."""
        return " ".join(part for part in self if part)


class CountedLaunch(Protocol):
    """One launch."""

    @property
    def key(self) -> LaunchKey:
        """What names it."""

    @property
    def sha256(self) -> str:
        """The hash of the text that is compiled."""

    def emulate(self) -> Mapping[str, int]:
        """Count it at source level."""

    def run(self, device: Device) -> str:
        """Launch it on a GPU; return `RIGHT`, or what is wrong with the result.

        Raises:
            DeviceError: it does not run.
        """


@dataclass(frozen=True, eq=False)
class QuestionLaunch:
    """A `.cu` file at the first shape of its question."""

    program: Program
    problem: Problem
    key: LaunchKey
    sha256: str

    def emulate(self) -> Mapping[str, int]:
        """Count it at source level."""
        return emulate(self.problem, self.program.source)

    def run(self, device: Device) -> str:
        """Launch it as a submission is launched."""
        submission = read_submission(self.problem, self.program.source)
        case = first_case(self.problem)
        kernel = device.compile_cuda(self.program.source, submission.entry)
        gate = launch_once(device, case, replace(kernel, takes=submission.takes))
        return RIGHT if gate is None else str(gate.reason)


@dataclass(frozen=True, eq=False)
class ExactLaunch:
    """A case of `exact.cu`."""

    case: exact.CudaCase
    key: LaunchKey
    sha256: str

    def emulate(self) -> Mapping[str, int]:
        """Count it at source level."""
        return self.case.emulated()[0].totals

    def run(self, device: Device) -> str:
        """Launch it; a kernel is compiled once."""
        case = self.case
        arguments: list[Any] = [
            device.to_device(one) if isinstance(one, np.ndarray) else one for one in case.arguments
        ]
        kernel = _exact_kernel(device, case.kernel)
        launch = DeviceLaunch(kernel, case.grid, case.block, tuple(arguments), case.shared)
        device.launch(launch, _SECONDS)
        fetched = device.from_device(arguments[case.written])
        for argument in arguments:
            if isinstance(argument, DeviceArray):
                device.free(argument)
        return case.wrong(fetched.values) or RIGHT


@cache
def _exact_kernel(device: Device, kernel: str) -> DeviceKernel:
    return device.compile_cuda(exact.SOURCE.read_text("utf-8"), kernel)


@cache
def counted_launches() -> tuple[CountedLaunch, ...]:
    """Return all of them, in the order in which they are launched."""
    return (*_of_questions(), *_exact())


def uses_library(program: Program) -> bool:
    """Return True if it includes a header of ours: the library's own makes other accesses."""
    return any(map(find_library, _INCLUDED.findall(program.source)))


def _of_questions() -> Iterator[CountedLaunch]:
    for program in programs(CONTENT):
        if uses_library(program):
            continue
        made = replace(problem(program.question), language="cuda")
        shape = " ".join(f"{name}={size}" for name, size in made.shapes[0].items())
        key = LaunchKey(program.question.id, program.path.name, made.kernel, shape)
        yield QuestionLaunch(program, made, key, program.sha256)


def _exact() -> Iterator[CountedLaunch]:
    sha256 = hashlib.sha256(exact.SOURCE.read_bytes()).hexdigest()
    for case in exact.exact_cases():
        key = LaunchKey("", exact.SOURCE.name, case.kernel, case.name)
        yield ExactLaunch(case, key, sha256)
