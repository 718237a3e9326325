"""Calls of the library that start a process of their own and end it again."""

from __future__ import annotations

from contextlib import closing

from grader.gpu import Calibration, Gpu
from grader.kernels import KernelGrade, Problem, Referee


def grade_kernel(problem: Problem, source: str) -> KernelGrade:
    """Grade a submitted kernel: source, right values, no finding, counted limits.

    The kernel is interpreted. The problem's reference runs as Python, in a confined process.

    Args:
        problem: arguments, shapes, launch, limits and reference.
        source: Python with one kernel.

    Raises:
        InvalidProblem: the problem itself cannot be.
        ReferenceFailed: its reference raised, or returned what does not fit.
        RefereeFailed: the process could not answer.
    """
    with closing(Referee()) as referee:
        return referee.grade(problem, source, advise=True)


def calibrate(host: str | None = None) -> Calibration:
    """Time recorded and new accesses on a GPU, and compare the bank model with its clock.

    Args:
        host: reached by ssh, as in `user@host`; None for this machine.

    Raises:
        GpuFailed: there is no GPU, or it could not answer.
    """
    with closing(Gpu(host)) as gpu:
        return gpu.calibrate()
