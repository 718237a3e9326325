"""Shows that a kernel question holds what it promises: the part of `quiz lint` that emulates.

Of a `kernel` the starter is accepted and fails, the solution passes, each wrong solution fails
where it says, and no cheat passes. Of a `spot` the emulator finds a fault in every draw.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grader.kernels import (
    CHEATS,
    Graded,
    InvalidProblem,
    Problem,
    Referee,
    RefereeFailed,
    ReferenceFailed,
    cheats,
    gate_keys,
)
from quizapp.domain.question import Kernel, Spot
from quizapp.exercises.errors import BadExercise
from quizapp.exercises.kernels import problem
from quizapp.exercises.spots import drawn_spot, question_problem, spot_cases, spotted

MOST_DRAWS = 64
"""Draws of a `spot` that are looked at."""


@dataclass(frozen=True, slots=True)
class Proof:
    """One submission that was graded: its name, and the key of the gate it failed at, or empty."""

    submission: str
    gate: str


def kernel_proofs(question: Kernel, referee: Referee) -> tuple[list[Proof], list[BadExercise]]:
    """Grade starter, solution, wrong solutions and cheats; and what of it does not hold."""
    try:
        asked = problem(question)
        return _proved(question, asked, referee)
    except BadExercise as error:
        return [], [error]
    except (InvalidProblem, ReferenceFailed, RefereeFailed) as error:
        return [], [_at_fault(error)]


def spot_fault(question: Spot, referee: Referee) -> BadExercise | None:
    """The first draw in which nothing can be found."""
    try:
        for case in spot_cases(question)[:MOST_DRAWS]:
            put = drawn_spot(question, case).question
            spotted(referee.grade(question_problem(put), put.code))
    except BadExercise as error:
        return error
    except (InvalidProblem, ReferenceFailed, RefereeFailed) as error:
        return _at_fault(error)
    return None


def _at_fault(error: InvalidProblem | ReferenceFailed | RefereeFailed) -> BadExercise:
    match error:
        case InvalidProblem():
            return BadExercise(error.path, error.what, error.todo)
        case ReferenceFailed():
            at = f":{error.line}" if error.line else ""
            return BadExercise(("reference",), f"reference.py{at}: {error.what}", "mend it")
    return BadExercise((), error.what, "simplify it, or give smaller shapes")


def _proved(
    question: Kernel, asked: Problem, referee: Referee
) -> tuple[list[Proof], list[BadExercise]]:
    proofs: list[Proof] = []
    faults: list[BadExercise] = []

    def graded(name: str, source: str) -> Graded:
        found = referee.grade(asked, source)
        proofs.append(Proof(name, found.verdict.failed_at))
        return found

    faults += _starter_faults(graded("starter", question.starter or ""))
    solution = graded("solution", question.solution or "")
    if not solution.passed:
        faults.append(
            BadExercise(("solution",), f"solution.py{_came(solution)}", "mend it, or the gate")
        )
    known = gate_keys(asked)
    for i, wrong in enumerate(question.wrong):
        found = graded(wrong.file, wrong.source or "")
        if not found.verdict.fails_at(wrong.fails):
            came = _came(found) if not found.passed else ": it passes"
            todo = f"it must fail at {wrong.fails} (gates: {', '.join(known)})"
            faults.append(BadExercise(("wrong", i, "fails"), f"wrong/{wrong.file}.py{came}", todo))
    if solution.passed:
        for cheat in cheats(asked, question.solution or ""):
            if graded(cheat.name, cheat.source).passed:
                todo = "compare more, use more blocks, or other inputs"
                faults.append(BadExercise((), f"the cheat `{cheat.name}` passes", todo))
    return proofs, faults


def _starter_faults(starter: Graded) -> Iterator[BadExercise]:
    failure = starter.verdict.failure
    if failure is None:
        yield BadExercise(("starter",), "the starter passes already", "leave something to be done")
    elif failure.name == "source":
        what = f"starter.py{_came(starter)}"
        yield BadExercise(("starter",), what, "it must be accepted, and fail at a later gate")


def _came(graded: Graded) -> str:
    """Where and why it fails."""
    failure = graded.verdict.failure
    if failure is None:
        return ""
    place = f":{failure.line}:{failure.column or 1}" if failure.line else ""
    more = f"; {failure.counterexample}" if failure.counterexample else ""
    return f"{place}: fails at `{failure.key}`: {failure.came}{more}"


__all__ = ["CHEATS", "Proof", "kernel_proofs", "spot_fault"]
