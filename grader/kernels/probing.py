"""Probes of a submission: run at the first shape of its problem, and again with changes."""

from __future__ import annotations

from grader.kernels.inputs import make_arguments
from grader.kernels.problem import Problem, counters_of, evaluate_integer, evaluate_sizes
from grader.kernels.submission import read_submission
from grader.mistakes import Mistake
from grader.probes import KernelProbes
from grader.probes.making import make_probes
from grader.probes.replaying import CannotReplay, Replay, hold_arguments
from grader.simt import InvalidLaunch


def replay_submission(problem: Problem, source: str) -> Replay:
    """Return the launch of a submission at the first shape.

    Raises:
        CannotReplay: it cannot be run again.
        Mistake, InvalidLaunch: it is no kernel that can be launched.
    """
    shape = problem.shapes[0]
    given = make_arguments(problem, 0)
    kernel, arguments, shared = read_submission(problem, source).prepare(given, shape)
    if shared is None:
        shared = evaluate_integer(problem.shared, shape, ("launch", "shared"))
    return Replay(
        kernel,
        evaluate_sizes(problem.grid, shape, ("launch", "grid")),
        evaluate_sizes(problem.block, shape, ("launch", "block")),
        shared,
        hold_arguments(arguments),
    )


def probe_submission(problem: Problem, source: str) -> KernelProbes | None:
    """Make the probes of a submission; None if it cannot be run again."""
    try:
        printed = [counters_of(limit.counter) for limit in problem.limits]
        return make_probes(replay_submission(problem, source), printed=printed)
    except (CannotReplay, Mistake, InvalidLaunch, MemoryError):
        return None
