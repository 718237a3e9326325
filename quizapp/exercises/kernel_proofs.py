"""Shows that a kernel question holds what it promises: the part of `quiz lint` that emulates.

Of a `kernel` the starter is accepted and fails, the solution passes, each wrong solution fails
where it says, no cheat passes, and what a GPU compares it with is right. Of a `spot` the emulator
finds a fault in every draw.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from grader.facts import fact
from grader.kernels import (
    Cheat,
    InvalidProblem,
    KernelGrade,
    Problem,
    Referee,
    RefereeFailed,
    ReferenceFailed,
    evaluate_number,
    gate_keys,
    write_cheats,
)
from quizapp.domain.question import Kernel, Spot, WrongKernel
from quizapp.exercises.failures import describe, describe_gate, position_in
from quizapp.exercises.faults import BadExercise, CodePosition, FieldFault
from quizapp.exercises.kernels import problem, spot_problem
from quizapp.exercises.spots import build_spot, find_answer, spot_cases

MOST_DRAWS = 64
"""Draws of a `spot` that are looked at."""
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
        fault: what is wrong with that; None if nothing is.
    """

    role: Role
    submission: str
    gate: str
    fault: FieldFault | None


def kernel_proofs(question: Kernel, referee: Referee) -> tuple[list[Proof], list[FieldFault]]:
    """Grade starter, solution, wrong solutions and cheats; return them with what does not hold."""
    proofs: list[Proof] = []
    broken: list[FieldFault] = []
    try:
        asked = problem(question)
        proofs.extend(_prove(question, asked, referee))  # proofs before an error stay
        broken = list(_gpu_faults(question, asked, referee))
    except BadExercise as error:
        broken = [error.fault]
    except (InvalidProblem, ReferenceFailed, RefereeFailed) as error:
        broken = [at_fault(error)]
    return proofs, [*(proof.fault for proof in proofs if proof.fault is not None), *broken]


def spot_fault(question: Spot, referee: Referee) -> FieldFault | None:
    """Return the first draw in which nothing can be found."""
    try:
        for case in spot_cases(question)[:MOST_DRAWS]:
            put = build_spot(question, case).question
            find_answer(put, referee.grade(spot_problem(put), put.code))
    except BadExercise as error:
        return error.fault
    except (InvalidProblem, ReferenceFailed, RefereeFailed) as error:
        return at_fault(error)
    return None


def at_fault(error: InvalidProblem | ReferenceFailed | RefereeFailed) -> FieldFault:
    """Turn what keeps a question from being graded into a fault of it."""
    match error:
        case InvalidProblem():
            return FieldFault(error.path, error.what)
        case ReferenceFailed():
            at = CodePosition("reference.py", error.line)
            return FieldFault(("reference",), fact("proof.reference", reason=error.what), at=at)
    return FieldFault((), fact("proof.not-graded", reason=error.what))


def _prove(question: Kernel, asked: Problem, referee: Referee) -> Iterator[Proof]:
    starter = referee.grade(asked, question.starter or "")
    yield _proof("starter", "starter", starter, _starter_fault(starter))
    solution = referee.grade(asked, question.solution or "")
    yield _proof("solution", "solution", solution, _solution_fault(solution))
    for i, wrong in enumerate(question.wrong):
        found = referee.grade(asked, wrong.source or "")
        yield _proof("wrong", wrong.file, found, _wrong_fault(i, wrong, found, asked))
    if solution.passed:
        for cheat in write_cheats(asked, question.solution or ""):
            found = referee.grade(asked, cheat.source)
            yield _proof("cheat", cheat.name, found, _cheat_fault(cheat, found))


def _gpu_faults(question: Kernel, asked: Problem, referee: Referee) -> Iterator[FieldFault]:
    """Yield faults of the part for a GPU that need no GPU to find."""
    part = question.gpu
    if part is None:
        return
    verdict = referee.grade(asked, part.baseline or "").verdict
    if verdict.failure is not None and verdict.failure.name not in _OF_A_BASELINE:
        what = fact("proof.baseline", failure=describe_gate(verdict))
        yield FieldFault(("gpu", "baseline"), what, at=position_in("baseline.py", verdict))
    missing = [name for name in asked.shapes[0] if name not in part.shape]
    if missing:
        yield FieldFault(("gpu", "shape"), fact("proof.no-size", names=tuple(missing)))
    elif part.flops is not None and evaluate_number(part.flops, part.shape, ("gpu", "flops")) <= 0:
        yield FieldFault(("gpu", "flops"), fact("proof.no-operations"))


def _proof(role: Role, name: str, graded: KernelGrade, fault: FieldFault | None) -> Proof:
    return Proof(role, name, graded.verdict.failed_at, fault)


def _starter_fault(starter: KernelGrade) -> FieldFault | None:
    failure = starter.verdict.failure
    if failure is None:
        return FieldFault(("starter",), fact("proof.starter-passes"))
    if failure.name == "source":
        what = fact("proof.starter-refused", reason=describe(starter.verdict))
        return FieldFault(("starter",), what, at=position_in("starter.py", starter.verdict))
    return None


def _solution_fault(solution: KernelGrade) -> FieldFault | None:
    if solution.passed:
        return None
    what = fact("proof.solution", failure=describe_gate(solution.verdict))
    return FieldFault(("solution",), what, at=position_in("solution.py", solution.verdict))


def _wrong_fault(
    position: int, wrong: WrongKernel, found: KernelGrade, asked: Problem
) -> FieldFault | None:
    if found.verdict.fails_at(wrong.fails):
        return None
    # The claim that it fails there may be what is wrong, so the position is the claim's.
    what = fact(
        "proof.wrong-kernel",
        at=str(position_in(f"wrong/{wrong.file}.py", found.verdict)),
        failure=describe_gate(found.verdict),
        gate=wrong.fails,
        gates=tuple(gate_keys(asked)),
    )
    return FieldFault(("wrong", position, "fails"), what)


def _cheat_fault(cheat: Cheat, found: KernelGrade) -> FieldFault | None:
    return FieldFault((), fact("proof.cheat-passes", cheat=cheat.name)) if found.passed else None
