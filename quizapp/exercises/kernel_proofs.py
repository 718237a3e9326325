"""Shows that a kernel question holds what it promises: the part of `quiz lint` that emulates.

Of a `kernel` the starter is accepted and fails, the solution passes, each wrong solution fails
where it says, no cheat passes, and what a GPU compares it with is right. Of a `spot` the emulator
finds a fault in every draw.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from grader.facts import fact
from grader.kernels import (
    InvalidProblem,
    KernelGrade,
    Problem,
    Referee,
    RefereeFailed,
    ReferenceFailed,
    evaluate_number,
    gate_keys,
    pose_serial,
    predict_serial,
    write_cheats,
)
from grader.verdict import names_gate
from quizapp.domain.languages import ENDINGS, dialect_of, languages_of, put_in
from quizapp.domain.question import CodeLanguage, Dialect, Kernel, Spot, WrongKernel
from quizapp.exercises.failures import describe, describe_gate, position_in
from quizapp.exercises.faults import BadExercise, CodePosition, FieldFault, FieldPath
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
        language: what it is written in.
        gate: the key of the gate it failed at; empty if it passed.
        fault: what is wrong with that; None if nothing is.
        source: of a solution or a mistake.
    """

    role: Role
    submission: str
    language: Dialect
    gate: str
    fault: FieldFault | None
    source: str = ""


def kernel_proofs(question: Kernel, referee: Referee) -> tuple[list[Proof], list[FieldFault]]:
    """Grade starter, solution, wrong solutions and cheats in each of the question's languages.

    Returns:
        What was graded, and what does not hold.
    """
    proofs: list[Proof] = []
    faults: list[FieldFault] = []
    for language in languages_of(question):
        put = put_in(question, language)
        found, broken = _prove_in_language(question, put, referee)
        proofs += (replace(proof, language=dialect_of(put)) for proof in found)
        faults += broken
    return proofs, faults


def _prove_in_language(
    question: Kernel, put: Kernel, referee: Referee
) -> tuple[list[Proof], list[FieldFault]]:
    proofs: list[Proof] = []
    broken: list[FieldFault] = []
    try:
        asked = problem(put)
        proofs.extend(_prove(question, put, asked, referee))  # proofs before an error stay
        broken = list(_gpu_faults(put, asked, referee))
    except BadExercise as error:
        broken = [error.fault]
    except (InvalidProblem, ReferenceFailed, RefereeFailed) as error:
        broken = [at_fault(error)]
    return proofs, [*(proof.fault for proof in proofs if proof.fault is not None), *broken]


def spot_fault(question: Spot, referee: Referee) -> FieldFault | None:
    """Return the first draw in which nothing can be found."""
    try:
        for language in languages_of(question):
            asked = put_in(question, language)
            for case in spot_cases(asked)[:MOST_DRAWS]:
                put = build_spot(asked, case).question
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


def _prove(question: Kernel, put: Kernel, asked: Problem, referee: Referee) -> Iterator[Proof]:
    """Grade the submissions of a question that is put in one of its languages."""
    language = put.language
    starter = referee.grade(asked, put.starter or "")
    yield _proof("starter", "starter", language, starter, _starter_fault(starter, language))
    solution = referee.grade(asked, put.solution or "")
    fault = _solution_fault(solution, language)
    yield replace(
        _proof("solution", "solution", language, solution, fault), source=put.solution or ""
    )
    for wrong in put.wrong:
        proof = _prove_wrong(wrong, claim_of(question, wrong, language), asked, referee)
        yield replace(proof, source=wrong.source or "")
    if solution.passed:
        predicted = predict_serial(asked, solution.runs)
        for cheat in write_cheats(asked, put.solution or ""):
            # One that does everything in one place gets the operations that its limit allows.
            posed = pose_serial(asked, cheat.name, solution.runs) or asked
            yield _cheat_proof(cheat.name, language, referee.find_failure(posed, cheat.source))
            predicted.pop(cheat.name, None)
        for name, gate in predicted.items():  # which cannot be written
            yield _cheat_proof(name, language, gate)


def _prove_wrong(wrong: WrongKernel, claim: FieldPath, asked: Problem, referee: Referee) -> Proof:
    """Look for its gate at the smallest shapes first; what fails at another one is graded."""
    source, language = wrong.source or "", asked.language
    gate = referee.find_failure(asked, source)
    if names_gate(wrong.fails, gate):
        return Proof("wrong", wrong.file, language, gate, None)
    found = referee.grade(asked, source)
    holds = found.verdict.fails_at(wrong.fails)
    fault = None if holds else _wrong_fault(claim, wrong, found, asked)
    return _proof("wrong", wrong.file, language, found, fault)


def claim_of(question: Kernel, wrong: WrongKernel, language: CodeLanguage) -> FieldPath:
    """Return where a question of the deck says at which gate a mistake fails."""
    position = next(i for i, known in enumerate(question.wrong) if known.file == wrong.file)
    cuda = question.wrong[position].cuda
    own = language == "cuda" and cuda is not None and cuda.fails is not None
    return ("wrong", position, "cuda", "fails") if own else ("wrong", position, "fails")


def code_path(name: str, language: Dialect) -> FieldPath:
    """Return the field of a question that a code file fills."""
    return ("cuda", name) if language == "cuda" else (name,)


def file_of(name: str, language: Dialect) -> str:
    """Return the code file of a language."""
    return name + ENDINGS["cuda" if language == "cuda" else "python"]


def _gpu_faults(question: Kernel, asked: Problem, referee: Referee) -> Iterator[FieldFault]:
    """Yield faults of the part for a GPU that need no GPU to find."""
    part, language = question.gpu, question.language
    if part is None:
        return
    if part.baseline is not None:
        listed = replace(asked, confirm=(), deterministic=False)  # it is nobody's submission
        verdict = referee.grade(listed, part.baseline).verdict
        if verdict.failure is not None and verdict.failure.name not in _OF_A_BASELINE:
            what = fact("proof.baseline", failure=describe_gate(verdict))
            path = ("cuda", "baseline") if language == "cuda" else ("gpu", "baseline")
            at = position_in(file_of("baseline", language), verdict)
            yield FieldFault(path, what, at=at)
    missing = [name for name in asked.shapes[0] if name not in part.shape]
    if missing:
        yield FieldFault(("gpu", "shape"), fact("proof.no-size", names=tuple(missing)))
    elif part.flops is not None and evaluate_number(part.flops, part.shape, ("gpu", "flops")) <= 0:
        yield FieldFault(("gpu", "flops"), fact("proof.no-operations"))


def _proof(
    role: Role, name: str, language: Dialect, graded: KernelGrade, fault: FieldFault | None
) -> Proof:
    return Proof(role, name, language, graded.verdict.failed_at, fault)


def _starter_fault(starter: KernelGrade, language: CodeLanguage) -> FieldFault | None:
    failure, path = starter.verdict.failure, code_path("starter", language)
    if failure is None:
        return FieldFault(path, fact("proof.starter-passes"))
    if failure.name == "source":
        what = fact("proof.starter-refused", reason=describe(starter.verdict))
        at = position_in(file_of("starter", language), starter.verdict)
        return FieldFault(path, what, at=at)
    return None


def _solution_fault(solution: KernelGrade, language: CodeLanguage) -> FieldFault | None:
    if solution.passed:
        return None
    what = fact("proof.solution", failure=describe_gate(solution.verdict))
    at = position_in(file_of("solution", language), solution.verdict)
    return FieldFault(code_path("solution", language), what, at=at)


def _wrong_fault(
    claim: FieldPath, wrong: WrongKernel, found: KernelGrade, asked: Problem
) -> FieldFault:
    # The claim that it fails there may be what is wrong, so the position is the claim's.
    what = fact(
        "proof.wrong-kernel",
        at=str(position_in(file_of(f"wrong/{wrong.file}", asked.language), found.verdict)),
        failure=describe_gate(found.verdict),
        gate=wrong.fails,
        gates=tuple(gate_keys(asked)),
    )
    return FieldFault(claim, what)


def _cheat_proof(name: str, language: CodeLanguage, gate: str) -> Proof:
    fault = None if gate else FieldFault((), fact("proof.cheat-passes", cheat=name))
    return Proof("cheat", name, language, gate, fault)
