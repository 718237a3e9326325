"""The deck's kernels in CUDA C++ beside their Numba twins, on the emulator, all diagnostics on.

Processor time of one launch at the question's largest shape, in turn within one run; compiled
before. The limit is that of the median ratio.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from statistics import median
from time import process_time

import numpy as np

from bench.data import Data
from bench.figures import Figure, time_alternately
from bench.gpu.cuda.programs import SOLUTION, Program, programs
from grader.gpu.correctness import DeviceCases
from grader.kernels.problem import evaluate_integer, evaluate_sizes
from grader.kernels.submission import read_submission
from grader.simt import launch, read
from grader.simt.errors import Refused
from grader.simt.launches.api import compile_for
from quizapp.exercises.kernels import problem

MOST = 1.2
"""Of the C++ kernel's time to its twin's."""
_SEED = 7


def measure(_data: Data, repeat: int = 5) -> list[Figure]:
    """The median over all kernels, and the kernel that is slowest beside its twin."""
    ratios: dict[str, float] = {}
    for name, theirs, ours in _twins():
        numba, cuda = time_alternately(repeat, partial(_seconds, theirs), partial(_seconds, ours))
        ratios[name] = median(cuda) / median(numba)
    worst = max(ratios, key=lambda name: ratios[name])
    each = ", ".join(f"{name} {ratio:.2f}" for name, ratio in sorted(ratios.items()))
    return [
        Figure(
            "languages", f"{len(ratios)} kernels in C++ beside Numba, median",
            median(ratios.values()), MOST, "×", each,
        ),
        Figure("languages", f"the slowest, {worst}", ratios[worst], None, "×", ""),
    ]  # fmt: skip


def _seconds(run: Callable[[], object]) -> float:
    begun = process_time()
    run()
    return process_time() - begun


def _twins() -> Iterator[tuple[str, Callable[[], object], Callable[[], object]]]:
    """Yield each question that has both: its name, and a launch of each."""
    for program in programs():
        if program.path.name == SOLUTION and program.question.solution:
            try:
                yield program.path.parent.name, *_launches(program)
            except Refused:
                continue


def _launches(program: Program) -> tuple[Callable[[], object], Callable[[], object]]:
    question = program.question
    asked = problem(question)
    cases = DeviceCases(asked, _SEED, None)
    made = [cases.case(run) for run in range(len(cases))]
    case = max(made, key=lambda case: sum(np.size(given) for given in case.given))
    grid = evaluate_sizes(asked.grid, case.shape, ("launch", "grid"))
    block = evaluate_sizes(asked.block, case.shape, ("launch", "block"))
    shared = evaluate_integer(asked.shared, case.shape, ("launch", "shared"))
    given = [np.array(each) if isinstance(each, np.ndarray) else each for each in case.given]
    submission = read_submission(replace(asked, language="cuda"), program.source)
    kernel, own, _ = submission.prepare(given, case.shape)
    twin = compile_for(read(question.solution or "", question.kernel), given)
    return (
        lambda: launch(twin, grid, block, given, shared_bytes=shared),
        lambda: launch(kernel, grid, block, own, shared_bytes=shared),
    )
