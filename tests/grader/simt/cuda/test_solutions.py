"""The `.cu` files beside kernel questions ran right on a GPU; the emulator runs them right, too."""

from __future__ import annotations

import numpy as np
import pytest

from bench.gpu.cuda.programs import programs
from grader.gpu.correctness import DeviceCases
from grader.kernels.comparing import compare
from grader.kernels.problem import evaluate_integer, evaluate_sizes
from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.errors import Refused
from quizapp.exercises.kernels import problem

PROGRAMS = {program.name: program for program in programs()}
SEED = 7
REFUSED: dict[str, str] = {
    "gemv-int8/solution.cu": "cpp.no-half2",
}
"""Files that use what is not emulated yet, and its name."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_solution_is_right_at_every_shape(name):
    program = PROGRAMS[name]
    source = read_cuda(program.source, path=program.name)
    if name in REFUSED:
        with pytest.raises(Refused) as raised:
            lower_kernel(source, program.question.kernel)
        what = raised.value.what
        assert what.fields.get("name", what.code) == REFUSED[name]
        return
    kernel, types = lower_kernel(source, program.question.kernel)
    cases = DeviceCases(problem(program.question), SEED, None)
    for run in range(len(cases)):
        case = cases.case(run)
        given = [np.array(each) if isinstance(each, np.ndarray) else each for each in case.given]
        sizes = [np.int32(case.shape[size]) for size in case.problem.shapes[0]]
        arguments = [
            each if isinstance(each, np.ndarray) else kind.dtype.type(each)
            for each, kind in zip((*given, *sizes), types, strict=True)
        ]
        asked, shape = case.problem, case.shape
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
