"""Runs the mutants of a question's solutions: one that passes shows that an input is missing.

Part of `quiz lint --mutants`. Some are excused by the question, in a sentence. A mutant that is no
program is not counted; one whose grading ended without a verdict is not killed by that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from grader.facts import fact
from grader.kernels import Mutant, Problem, Referee, RefereeFailed, write_mutants
from quizapp.domain.kernel import Excuse
from quizapp.domain.languages import languages_of, put_in
from quizapp.domain.question import Dialect, Kernel
from quizapp.exercises.faults import CodePosition, FieldFault
from quizapp.exercises.kernel_proofs import code_path, file_of
from quizapp.exercises.kernels import problem
from quizapp.exercises.known_results import Known, remember

MOST_EXCUSED = 0.05
"""Share of all mutants that may be excused."""
FEW = 500
"""Mutants of a run, such as that of one question, that is too small to judge a share by."""
NO_PROGRAM = "source"
"""The gate of a mutant that cannot be emulated: a compiler would refuse most of them."""

State = Literal["killed", "excused", "survived", "crashed"]


@dataclass(frozen=True, slots=True)
class MutantResult:
    """One mutant that was graded.

    Attributes:
        gate: the key of the gate that it failed at, or why there is no verdict.
    """

    language: Dialect
    mutant: Mutant
    state: State
    gate: str


def run_mutants(
    question: Kernel, referee: Referee, known: Known, told: Callable[[int, int], None]
) -> Iterator[MutantResult]:
    """Grade each mutant of the solutions.

    `known`: results of earlier runs; those of this one are added. `told`: called with how many of
    how many were graded.

    Raises:
        BadExercise: the question itself is at fault.
        InvalidProblem, ReferenceFailed: the same, found by running it.
    """
    listed = [
        (asked, mutant)
        for put in (put_in(question, language) for language in languages_of(question))
        for asked in (problem(put),)
        for mutant in write_mutants(asked, put.solution or "")
    ]
    for number, (asked, mutant) in enumerate(listed):
        told(number, len(listed))
        result = _run(asked, mutant, referee, known)
        if result is not None:
            excused = _excuse(result, question) is not None
            yield replace(result, state="excused") if excused else result


def mutant_faults(question: Kernel, results: Sequence[MutantResult]) -> Iterator[FieldFault]:
    """Yield survivors, mutants without a verdict, and excuses of nothing."""
    for result in results:
        if result.state in ("survived", "crashed"):
            yield _fault(result)
    used = {id(_excuse(result, question)) for result in results}
    for position, excuse in enumerate(question.excused):
        if id(excuse) not in used:
            what = fact("proof.excuse-unused", rule=excuse.rule, line=excuse.line)
            yield FieldFault(("excused", position), what)


def too_many_excused(results: Sequence[MutantResult]) -> FieldFault | None:
    """Return the fault of a deck in which more than a few mutants are excused."""
    excused = sum(result.state == "excused" for result in results)
    if len(results) < FEW or excused <= MOST_EXCUSED * len(results):
        return None
    what = fact("proof.many-excused", count=excused, total=len(results))
    return FieldFault(("excused",), what)


def _run(asked: Problem, mutant: Mutant, referee: Referee, known: Known) -> MutantResult | None:
    """Grade a mutant unless its result is known; None if it is no program."""
    try:
        gate = remember(referee.find_failure, known)(asked, mutant.source)
    except RefereeFailed as error:
        return MutantResult(asked.language, mutant, "crashed", error.what.code)
    if gate == NO_PROGRAM:
        return None
    return MutantResult(asked.language, mutant, "killed" if gate else "survived", gate)


def excuse_of(mutant: Mutant, question: Kernel) -> Excuse | None:
    """Return the excuse of a mutant that may pass: of its rule, with the line that it changes."""
    lines = [line.removeprefix("-").strip() for line in mutant.diff if line[:1] == "-"]
    for excuse in question.excused:
        if excuse.rule == mutant.rule and excuse.line.strip() in lines:
            return excuse
    return None


def _excuse(result: MutantResult, question: Kernel) -> Excuse | None:
    """Return the excuse of a mutant that passes."""
    passes = not result.gate and result.state != "crashed"
    return excuse_of(result.mutant, question) if passes else None


def _fault(result: MutantResult) -> FieldFault:
    mutant, language = result.mutant, result.language
    diff = "; ".join(line for line in mutant.diff if not line.startswith("@"))
    if result.state == "crashed":
        what = fact("proof.mutant-crashes", rule=mutant.rule, diff=diff, why=result.gate)
    else:
        what = fact("proof.mutant-passes", rule=mutant.rule, diff=diff)
    at = CodePosition(file_of("solution", language), mutant.line)
    return FieldFault(code_path("solution", language), what, at=at)
