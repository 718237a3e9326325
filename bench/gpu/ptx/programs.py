"""Runs every `.cu` file of the kernel questions from its source and from its PTX, side by side."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from statistics import median, quantiles
from typing import Any, NamedTuple

import numpy as np

from bench.gpu.cuda.programs import Program, programs
from bench.gpu.questions import SEED
from grader.comparing import compare
from grader.gpu.correctness import DeviceCase, DeviceCases
from grader.gpu.devices.nvrtc import compile_ptx
from grader.kernels.cuda_submission import CudaSubmission, read_cuda_submission
from grader.kernels.problem import Problem, evaluate_integer, evaluate_sizes
from grader.simt import CompiledKernel
from grader.simt.launches.launching import launch
from grader.simt.launches.reports import Launch
from grader.simt.ptx.kernel import list_fields, lower_ptx
from grader.simt.ptx.reading import read_ptx
from quizapp.exercises.kernels import problem

_CAPABILITY = "9.0"


class Compared(NamedTuple):
    """A program, run both ways.

    Attributes:
        right: True if its outputs are right from the PTX.
        findings: how many the PTX has beyond those of the source.
        seconds: of processor time, from the source and from the PTX.
    """

    name: str
    right: bool
    findings: int
    seconds: tuple[float, float]


def compare_programs() -> Iterator[Compared]:
    """Yield all programs, each with all shapes of its question; needs NVRTC."""
    for program in programs():
        yield _compare(program)


def _compare(program: Program) -> Compared:
    asked = replace(problem(program.question), language="cuda")
    submission = read_cuda_submission(asked, program.source)
    compiled = _compile(program, submission)
    cases = DeviceCases(asked, SEED, None)
    right, findings, seconds = True, 0, [0.0, 0.0]
    for number in range(len(cases)):
        case = cases.case(number)
        found = []
        for at, kernel in enumerate((None, compiled)):
            given: list[Any] = [
                each.copy() if isinstance(each, np.ndarray) else each for each in case.given
            ]
            prepared = submission.prepare(given, case.shape)
            begun = time.process_time()
            done = _launch(asked, case, kernel or prepared.kernel, prepared.arguments)
            seconds[at] += time.process_time() - begun
            found.append((given, done))
        right = right and _is_right(asked, case, found[1][0]) and found[1][1].finished
        findings += max(0, len(found[1][1].findings) - len(found[0][1].findings))
    return Compared(program.name, right, findings, (seconds[0], seconds[1]))


def _compile(program: Program, submission: CudaSubmission) -> CompiledKernel:
    image = compile_ptx(program.source, "<kernel>", _CAPABILITY, submission.entry)
    module = read_ptx(image.code.decode())
    kernel = module.functions[image.entry]
    names = [each.name for each in submission.declared.parameters]
    lines = tuple(program.source.split("\n"))
    return lower_ptx(module, kernel, list_fields(kernel, names), sources={"": lines})


def _launch(asked: Problem, case: DeviceCase, kernel: CompiledKernel, arguments: Any) -> Launch:
    shape = case.shape
    return launch(
        kernel,
        evaluate_sizes(asked.grid, shape, ("launch", "grid")),
        evaluate_sizes(asked.block, shape, ("launch", "block")),
        arguments,
        shared_bytes=evaluate_integer(asked.shared, shape, ("launch", "shared")),
        order=asked.order,
    )


def _is_right(asked: Problem, case: DeviceCase, after: list[Any]) -> bool:
    terms = evaluate_integer(asked.terms, case.shape, ("terms",))
    pairs = zip(asked.outputs, case.right, strict=True)
    return not any(
        len(compare(after[at], wanted, terms, rounded=asked.arguments[at].rounded).wrong)
        for at, wanted in pairs
    )


def print_comparison() -> None:
    """Print each program, and what all come to."""
    every = []
    for each in compare_programs():
        every.append(each)
        source, ptx = each.seconds
        said = "right" if each.right else "WRONG"
        print(
            f"{each.name}: {said}, {each.findings} more findings, {ptx / source:.1f} x", flush=True
        )
    ratios = [each.seconds[1] / each.seconds[0] for each in every]
    right = sum(each.right for each in every)
    blamed = sum(each.findings > 0 for each in every)
    most = quantiles(ratios, n=10)[-1]
    print(f"{right} of {len(every)} are right from their PTX, {blamed} blamed")
    print(
        f"times of the source front end: median {median(ratios):.1f}, nine of ten up to {most:.1f}"
    )
