"""Shows that an exercise holds what it promises: the part of `quiz lint` that computes.

A `trace` has an answer for all that may be drawn, and so many that they are not learned by
heart. Of an `index` the starter fails, the solution passes, each wrong solution fails where it
says. Of kernels see `kernel_proofs`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from grader.facts import fact
from grader.kernels import Referee
from grader.layouts import gate_names, grade
from quizapp.domain.languages import languages_of, put_in
from quizapp.domain.question import AnyQuestion, Index, Kernel, Spot, Trace
from quizapp.exercises.failures import describe, describe_gate
from quizapp.exercises.faults import BadExercise, FieldFault
from quizapp.exercises.kernel_proofs import Proof, kernel_proofs, spot_fault
from quizapp.exercises.kernels import problem, spot_problem
from quizapp.exercises.layouts import exercise
from quizapp.exercises.spots import build_spot, spot_cases
from quizapp.exercises.traces import build_trace, cases

FEWEST_CASES = 8
FEWEST_ANSWERS = 3


def faults(
    question: AnyQuestion, referee: Referee, keep: Callable[[Proof], None] | None = None
) -> Iterator[FieldFault]:
    """List what does not hold of an exercise; nothing for other kinds.

    `keep`: is given what was graded to prove a kernel question.
    """
    match question:
        case Trace():
            yield from _trace_faults(question)
        case Index():
            yield from _index_faults(question)
        case Kernel():
            proofs, found = kernel_proofs(question, referee)
            if keep is not None:
                for proof in proofs:
                    keep(proof)
            yield from found
        case Spot():
            fault = spot_fault(question, referee)
            if fault is not None:
                yield fault
        case _:
            return


def first_fault(question: AnyQuestion) -> FieldFault | None:
    """Return what keeps it from being asked at all, as far as one case shows: quick."""
    try:
        if isinstance(question, Trace):
            build_trace(question, cases(question)[0])
        if isinstance(question, Index):
            exercise(question)
        for language in languages_of(question):
            asked = put_in(question, language)
            if isinstance(asked, Kernel):
                problem(asked)
            if isinstance(asked, Spot):
                spot_problem(build_spot(asked, spot_cases(asked)[0]).question)
    except BadExercise as error:
        return error.fault
    return None


def _trace_faults(question: Trace) -> Iterator[FieldFault]:
    answers = set()
    try:
        known = cases(question)
    except BadExercise as error:
        yield error.fault
        return
    for case in known:
        try:
            answers.add(build_trace(question, case).question.answer)
        except BadExercise as error:
            values = ", ".join(f"{name} = {value}" for name, value in case.items())
            what = fact("trace.with-values", values=values, what=error.fault.what)
            yield FieldFault(error.fault.path, what, error.fault.hint)
            return
    different = len({tuple(sorted(case.items())) for case in known})
    if different < FEWEST_CASES:
        yield FieldFault(("draw",), fact("draw.too-few", n=different, least=FEWEST_CASES))
    if len(answers) < FEWEST_ANSWERS:
        what = fact("draw.too-few-answers", n=len(answers), least=FEWEST_ANSWERS)
        yield FieldFault(("draw",), what)


def _index_faults(question: Index) -> Iterator[FieldFault]:
    try:
        asked = exercise(question)
    except BadExercise as error:
        yield error.fault
        return
    gates = gate_names(asked)
    starter = grade(question.starter, asked).verdict
    if starter.passed:
        yield FieldFault(("starter",), fact("proof.starter-passes"))
    elif starter.fails_at("source"):
        yield FieldFault(("starter",), fact("proof.starter-refused", reason=describe(starter)))
    solution = grade(question.solution, asked).verdict
    if not solution.passed:
        yield FieldFault(("solution",), fact("proof.solution", failure=describe_gate(solution)))
    for position, wrong in enumerate(question.wrong):
        path = ("wrong", position, "fails")
        if wrong.fails not in gates:
            yield FieldFault(path, fact("proof.no-gate", gate=wrong.fails, gates=tuple(gates)))
            continue
        verdict = grade(wrong.source, asked).verdict
        if not verdict.fails_at(wrong.fails):
            failure = describe_gate(verdict)
            yield FieldFault(path, fact("proof.wrong-layout", failure=failure, gate=wrong.fails))
