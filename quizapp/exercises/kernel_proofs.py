"""Shows that a kernel question holds what it promises: the part of `quiz lint` that emulates.

Of a `kernel` the starter is accepted and fails, the solution passes, each wrong solution fails
where it says, no cheat passes, and what a GPU compares it with is right. Of a `spot` the emulator
finds a fault in every draw.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from grader.kernels import (
    Cheat,
    Graded,
    InvalidProblem,
    Problem,
    Referee,
    RefereeFailed,
    ReferenceFailed,
    cheats,
    gate_keys,
)
from grader.kernels.problem import number
from grader.verdict import Verdict
from quizapp.domain.question import Kernel, Spot, WrongKernel
from quizapp.exercises.errors import BadExercise
from quizapp.exercises.kernels import looked_at, problem
from quizapp.exercises.spots import drawn_spot, spot_cases, spotted

MOST_DRAWS = 64
"""Draws of a `spot` that are looked at."""
AGAINST_CHEATS = "compare more, use more blocks, or other inputs"
"""What to do about a cheat that passes."""

_OF_A_BASELINE = ("counts",)
"""Gates that a baseline need not pass: it may be what the question wants better."""

Role = Literal["starter", "solution", "wrong", "cheat"]


@dataclass(frozen=True, slots=True)
class Proof:
    """One submission that was graded.

    Attributes:
        role: what it shows by failing, or by passing.
        submission: its name: a file's stem, or a cheat's.
        gate: the key of the gate it failed at; empty if it passed.
        fault: what is wrong with that; None if it is as it should be.
    """

    role: Role
    submission: str
    gate: str
    fault: BadExercise | None


def kernel_proofs(question: Kernel, referee: Referee) -> tuple[list[Proof], list[BadExercise]]:
    """Grade starter, solution, wrong solutions and cheats; and what of it does not hold."""
    proofs: list[Proof] = []
    broken: list[BadExercise] = []
    try:
        asked = problem(question)
        for proof in _proved(question, asked, referee):
            proofs.append(proof)  # noqa: PERF402 - those before an error count too
        broken = list(_gpu_faults(question, asked, referee))
    except BadExercise as error:
        broken = [error]
    except (InvalidProblem, ReferenceFailed, RefereeFailed) as error:
        broken = [at_fault(error)]
    return proofs, [*(proof.fault for proof in proofs if proof.fault is not None), *broken]


def spot_fault(question: Spot, referee: Referee) -> BadExercise | None:
    """The first draw in which nothing can be found."""
    try:
        for case in spot_cases(question)[:MOST_DRAWS]:
            put = drawn_spot(question, case).question
            spotted(referee.grade(looked_at(put), put.code))
    except BadExercise as error:
        return error
    except (InvalidProblem, ReferenceFailed, RefereeFailed) as error:
        return at_fault(error)
    return None


def at_fault(error: InvalidProblem | ReferenceFailed | RefereeFailed) -> BadExercise:
    """What keeps a question from being graded, as a fault of it."""
    match error:
        case InvalidProblem():
            return BadExercise(error.path, error.what, error.todo)
        case ReferenceFailed():
            at = f":{error.line}" if error.line else ""
            return BadExercise(("reference",), f"reference.py{at}: {error.what}", "mend it")
    return BadExercise((), error.what, "simplify it, or give smaller shapes")


def _proved(question: Kernel, asked: Problem, referee: Referee) -> Iterator[Proof]:
    starter = referee.grade(asked, question.starter or "")
    yield _proof("starter", "starter", starter, _starter_fault(starter))
    solution = referee.grade(asked, question.solution or "")
    yield _proof("solution", "solution", solution, _solution_fault(solution))
    for i, wrong in enumerate(question.wrong):
        found = referee.grade(asked, wrong.source or "")
        yield _proof("wrong", wrong.file, found, _wrong_fault(i, wrong, found, asked))
    if solution.passed:
        for cheat in cheats(asked, question.solution or ""):
            found = referee.grade(asked, cheat.source)
            yield _proof("cheat", cheat.name, found, _cheat_fault(cheat, found))


def _gpu_faults(question: Kernel, asked: Problem, referee: Referee) -> Iterator[BadExercise]:
    """What of the part for a GPU nobody needs a GPU to see."""
    part = question.gpu
    if part is None:
        return
    verdict = referee.grade(asked, part.baseline or "").verdict
    if verdict.failure is not None and verdict.failure.name not in _OF_A_BASELINE:
        todo = "mend it: it is what a submission is measured against"
        yield BadExercise(("gpu", "baseline"), f"baseline.py{how_it_fails(verdict)}", todo)
    missing = [name for name in asked.shapes[0] if name not in part.shape]
    if missing:
        todo = f"add `{missing[0]}:`, as in `shapes`"
        yield BadExercise(("gpu", "shape"), f"no size for {', '.join(missing)}", todo)
    elif part.flops is not None and number(part.flops, part.shape, ("gpu", "flops")) <= 0:
        todo = "count those of one run, or leave it out"
        yield BadExercise(("gpu", "flops"), "no operations", todo)


def _proof(role: Role, name: str, graded: Graded, fault: BadExercise | None) -> Proof:
    return Proof(role, name, graded.verdict.failed_at, fault)


def _starter_fault(starter: Graded) -> BadExercise | None:
    failure = starter.verdict.failure
    if failure is None:
        todo = "leave something to be done"
        return BadExercise(("starter",), "the starter passes already", todo)
    if failure.name == "source":
        what = f"starter.py{how_it_fails(starter.verdict)}"
        return BadExercise(("starter",), what, "it must be accepted, and fail at a later gate")
    return None


def _solution_fault(solution: Graded) -> BadExercise | None:
    if solution.passed:
        return None
    what = f"solution.py{how_it_fails(solution.verdict)}"
    return BadExercise(("solution",), what, "mend it, or the gate")


def _wrong_fault(
    position: int, wrong: WrongKernel, found: Graded, asked: Problem
) -> BadExercise | None:
    if found.verdict.fails_at(wrong.fails):
        return None
    came = how_it_fails(found.verdict) if not found.passed else ": it passes"
    todo = f"it must fail at {wrong.fails} (gates: {', '.join(gate_keys(asked))})"
    return BadExercise(("wrong", position, "fails"), f"wrong/{wrong.file}.py{came}", todo)


def _cheat_fault(cheat: Cheat, found: Graded) -> BadExercise | None:
    if not found.passed:
        return None
    return BadExercise((), f"the cheat `{cheat.name}` passes", AGAINST_CHEATS)


def how_it_fails(verdict: Verdict) -> str:
    """Where and why it fails."""
    failure = verdict.failure
    if failure is None:
        return ""
    place = f":{failure.line}:{failure.column or 1}" if failure.line else ""
    more = f"; {failure.counterexample}" if failure.counterexample else ""
    return f"{place}: fails at `{failure.key}`: {failure.came}{more}"
