"""The `.cu` files beside kernel questions ran right on a GPU; the emulator runs them right, too."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bench.gpu.cuda.programs import programs
from grader.comparing import compare
from grader.gpu.correctness import DeviceCases
from grader.kernels.problem import evaluate_integer, evaluate_sizes
from grader.kernels.submission import read_submission
from grader.simt import launch
from quizapp.exercises.kernels import problem
from tests.sampling import every

PROGRAMS = {program.name: program for program in programs()}
SEED = 7
DEAR = (
    "scan-grid/solution.cu", "sort-bitonic/baseline.cu", "top-k/baseline.cu",
    "gemm-fp8-blockwise/solution.cu", "gemm-mma-ldmatrix/solution.cu", "gemm-w4a16/solution.cu",
)  # fmt: skip
"""What takes 1 s or so each."""


@pytest.mark.parametrize("name", every(4, PROGRAMS, str, dear=DEAR))
def test_a_solution_is_right_at_every_shape(name):
    program = PROGRAMS[name]
    asked = replace(problem(program.question), language="cuda")
    submission = read_submission(asked, program.source)
    cases = DeviceCases(asked, SEED, None)
    for run in range(len(cases)):
        case = cases.case(run)
        shape = case.shape
        given = [np.array(each) if isinstance(each, np.ndarray) else each for each in case.given]
        kernel, arguments, _ = submission.prepare(given, shape)
        grid = evaluate_sizes(asked.grid, shape, ("launch", "grid"))
        block = evaluate_sizes(asked.block, shape, ("launch", "block"))
        dynamic = evaluate_integer(asked.shared, shape, ("launch", "shared"))
        done = launch(kernel, grid, block, arguments, shared_bytes=dynamic, budget=10**12)
        assert done.finished
        assert done.faults == ()
        check(case, given)


def check(case, given) -> None:
    terms = evaluate_integer(case.problem.terms, case.shape, ("terms",))
    for place, right in zip(case.problem.outputs, case.right, strict=True):
        rounded = case.problem.arguments[place].rounded
        found = compare(given[place], right, terms, rounded=rounded)
        assert not len(found.wrong), (case.shape, found.wrong[0])
