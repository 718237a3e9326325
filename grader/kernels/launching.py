"""Launches a submission once; ends it after so many times the operations of the solution.

How long operations take depends on the machine and on what else it does, so no verdict follows
from time. What the solution takes is found only once a submission has taken `ALWAYS_ALLOWED`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.kernels.inputs import ArgumentValue, make_arguments
from grader.kernels.problem import OPERATIONS, Problem, evaluate_integer, evaluate_sizes
from grader.kernels.submission import Submission, read_submission
from grader.mistakes import Mistake
from grader.simt import CompiledKernel, InvalidLaunch, Launch, launch
from grader.simt.launches.kept_memory import KeptMemory

ALWAYS_ALLOWED = 500_000_000
"""Operations that every run may take: more than the solution does at any listed shape."""
_SOLUTION_FACTOR = 20
"""How many times the solution's operations a run may take; the slowest baseline takes 15 times."""


class SubmissionLaunch(NamedTuple):
    """A launch of a submission.

    Attributes:
        before, given: the problem's arguments before it and after it.
    """

    done: Launch
    kernel: CompiledKernel
    arguments: Sequence[Any]
    before: Sequence[ArgumentValue]
    given: Sequence[ArgumentValue]


def launch_submission(
    problem: Problem,
    submission: Submission,
    run: int,
    *,
    budget: int | None = None,
    given: Sequence[ArgumentValue] | None = None,
) -> SubmissionLaunch:
    """Launch it once.

    Args:
        run: the number of the shape.
        budget: operations; None for those of the problem.
        given: the arguments, whose arrays it changes; None for those that the problem makes.
    """
    given = given or make_arguments(problem, run)
    budget = budget or problem.operations
    if budget is not None or not problem.solution:
        return _launch_within(budget or OPERATIONS, problem, submission, run, given)
    launched = _launch_within(ALWAYS_ALLOWED, problem, submission, run, given)
    if all(finding.kind != "budget" for finding in launched.done.findings):
        return launched
    limit = _find_limit(problem, run, launched.before)
    if limit <= ALWAYS_ALLOWED:
        return launched
    KeptMemory(_list_arrays(given), _list_arrays(launched.before)).restore()
    return _launch_within(limit, problem, submission, run, given)


def _find_limit(problem: Problem, run: int, given: Sequence[ArgumentValue]) -> int:
    """Find how many operations a submission may take at a shape, for the same arguments."""
    try:
        solution = read_submission(problem, problem.solution)
        launched = _launch_within(OPERATIONS, problem, solution, run, _copy(given))
    except (Mistake, InvalidLaunch):
        return OPERATIONS
    return min(OPERATIONS, _SOLUTION_FACTOR * launched.done.operations)


def _launch_within(
    budget: int, problem: Problem, submission: Submission, run: int, given: Sequence[ArgumentValue]
) -> SubmissionLaunch:
    shape, before = problem.shapes[run], _copy(given)
    parameters = submission.parameters
    outputs = [
        parameters[i] for i, argument in enumerate(problem.arguments) if argument.role == "output"
    ]
    kernel, arguments, shared = submission.prepare(given, shape)
    if shared is None:
        shared = evaluate_integer(problem.shared, shape, ("launch", "shared"))
    with np.errstate(all="ignore"):
        done = launch(
            kernel,
            evaluate_sizes(problem.grid, shape, ("launch", "grid")),
            evaluate_sizes(problem.block, shape, ("launch", "block")),
            arguments,
            shared_bytes=shared,
            budget=budget,
            outputs=outputs,
            order=problem.order,
        )
    return SubmissionLaunch(done, kernel, arguments, before, given)


def _list_arrays(given: Sequence[ArgumentValue]) -> list[NDArray[Any]]:
    return [each for each in given if isinstance(each, np.ndarray)]


def _copy(given: Sequence[ArgumentValue]) -> list[ArgumentValue]:
    return [each.copy() if isinstance(each, np.ndarray) else each for each in given]
