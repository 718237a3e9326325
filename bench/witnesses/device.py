"""Launches each question's solution once, at its first shape: what ncu counts. Needs a GPU."""

from __future__ import annotations

from importlib.metadata import version

from bench.gpu.questions import first_case, launch_once
from bench.witnesses.rows import questions
from grader.gpu.devices.numba_device import open_device
from quizapp.exercises.kernels import problem


def run() -> bool:
    """Launch all, and print one line each; True if every result is right."""
    device = open_device()
    right = True
    for question in questions():
        made = problem(question)
        case = first_case(made)
        kernel = device.compile(question.solution, made.kernel, case.given)
        gate = launch_once(device, case, kernel)
        taken = (kernel.registers, kernel.shared, kernel.local)
        print(question.id, *taken, gate or "right", flush=True)
        right = right and gate is None
    return right


def identity() -> tuple[str, str, str]:
    """The device, and the versions that the counts are from."""
    facts = open_device().facts
    driver = f"CUDA {facts.runtime}; driver {facts.driver}"
    return facts.name, driver, f"numba-cuda {version('numba-cuda')}"
