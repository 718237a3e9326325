"""Shows that an exercise holds what it promises: the part of `quiz lint` that computes.

A `trace` has an answer for all that may be drawn, and enough of them that nobody learns them by
heart. Of an `index` the starter fails, the solution passes, each wrong solution fails where it
says. Of kernels see `kernel_proofs`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from grader.kernels import Referee
from grader.layouts import gate_names, grade
from quizapp.domain.question import AnyQuestion, Index, Kernel, Spot, Trace
from quizapp.exercises.errors import BadExercise
from quizapp.exercises.kernel_proofs import Proof, kernel_proofs, spot_fault
from quizapp.exercises.kernels import looked_at, problem
from quizapp.exercises.layouts import exercise
from quizapp.exercises.spots import drawn_spot, spot_cases
from quizapp.exercises.traces import cases, drawn

FEWEST_CASES = 8
FEWEST_ANSWERS = 3


def faults(
    question: AnyQuestion, referee: Referee, keep: Callable[[Proof], None] | None = None
) -> Iterator[BadExercise]:
    """What of an exercise does not hold; nothing for other kinds.

    Args:
        question: of any kind.
        referee: grades kernels.
        keep: is given what was graded to prove a kernel question.
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


def first_fault(question: AnyQuestion) -> BadExercise | None:
    """What keeps it from being asked at all, as far as one case tells: quick."""
    try:
        if isinstance(question, Trace):
            drawn(question, cases(question)[0])
        if isinstance(question, Index):
            exercise(question)
        if isinstance(question, Kernel):
            problem(question)
        if isinstance(question, Spot):
            looked_at(drawn_spot(question, spot_cases(question)[0]).question)
    except BadExercise as error:
        return error
    return None


def _trace_faults(question: Trace) -> Iterator[BadExercise]:
    answers = set()
    try:
        known = cases(question)
    except BadExercise as error:
        yield error
        return
    for case in known:
        try:
            answers.add(drawn(question, case).question.answer)
        except BadExercise as error:
            shown = ", ".join(f"{name} = {value}" for name, value in case.items())
            yield BadExercise(error.path, f"with {shown}: {error.what}", error.todo)
            return
    different = len({tuple(sorted(case.items())) for case in known})
    if different < FEWEST_CASES:
        what = f"{different} different draws, where {FEWEST_CASES} are needed"
        yield BadExercise(("draw",), what, "add values")
    if len(answers) < FEWEST_ANSWERS:
        what = f"the draws have {len(answers)} different answers, where {FEWEST_ANSWERS} are needed"
        yield BadExercise(("draw",), what, "add values that change the answer")


def _index_faults(question: Index) -> Iterator[BadExercise]:
    try:
        asked = exercise(question)
    except BadExercise as error:
        yield error
        return
    gates = gate_names(asked)
    starter = grade(question.starter, asked).verdict
    if starter.passed:
        yield BadExercise(("starter",), "the starter passes already", "leave something to be done")
    elif starter.fails_at("parses"):
        failure = starter.failure
        what = f"the starter is not understood: {failure.came if failure else ''}"
        yield BadExercise(("starter",), what, "it must parse, and fail at a later gate")
    solution = grade(question.solution, asked).verdict
    if (failure := solution.failure) is not None:
        what = f"the solution fails at `{failure.key}`: {failure.came}; {failure.counterexample}"
        yield BadExercise(("solution",), what, "mend it, or the gate")
    for position, wrong in enumerate(question.wrong):
        path = ("wrong", position)
        if wrong.fails not in gates:
            known = ", ".join(gates)
            yield BadExercise(
                (*path, "fails"), f"there is no gate `{wrong.fails}`", f"gates: {known}"
            )
            continue
        verdict = grade(wrong.source, asked).verdict
        if not verdict.fails_at(wrong.fails):
            failure = verdict.failure
            came = f"it fails at `{failure.key}`: {failure.came}" if failure else "it passes"
            yield BadExercise(
                (*path, "fails"), came, f"change it so that it fails at {wrong.fails}"
            )
