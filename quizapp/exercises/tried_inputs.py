"""Inputs that a person would test a kernel with, and which of its mistakes each one finds.

Mistakes are the known ones, and changes of the right kernel. What most of the offered inputs find
says little of an input, and is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, zip_longest
from statistics import fmean

from grader.facts import Fact, fact
from grader.kernels import Argument, InvalidProblem, Mutant, Problem, RefereeFailed, write_mutants
from grader.kernels import check as check_problem
from quizapp.domain.grading import score_above
from quizapp.domain.interview_theme import InputsFields
from quizapp.domain.kernel import OfferedInput, TypedInput
from quizapp.domain.question import InputChoice, Kernel, Option, WrongKernel
from quizapp.domain.typed.inputs import describe_input
from quizapp.exercises import kernels, mutants
from quizapp.exercises.faults import BadExercise
from quizapp.exercises.known_results import FindFailure

MOST_DRAWN = 8
"""Changes of the right kernel that count."""
_MOST_HARD = 3
"""Of those, the ones that no offered input finds, but the tests of the kernel do."""
_MOST_TRIED = 30
"""Changes that are run to find those."""
_BYTE = re.compile(r"\bint8\b|\bchar\b")
"""In a change: a number is narrowed to 8 bits, which nobody does by mistake."""

Progress = Callable[[int, int], None]
"""Called with how many runs of how many are done."""
Flaw = WrongKernel | Mutant
"""A known mistake, or a change of the right kernel."""


@dataclass(frozen=True)
class TriedInputs:
    """What each of the offered inputs finds.

    Attributes:
        flaws: that some of them may find.
        found: by input, the positions of those that it finds.
        easy: how many more most inputs find.
        typed: how many inputs, the last ones, the person added.
    """

    flaws: tuple[Flaw, ...]
    found: tuple[frozenset[int], ...]
    easy: int = 0
    typed: int = 0

    def find(self, picked: Collection[int]) -> frozenset[int]:
        """Return the flaws that some inputs find together."""
        return frozenset().union(*(self.found[i] for i in picked))

    def score_inputs(self, picked: Collection[int]) -> float:
        """Return 0 for what as many drawn inputs find on average, 1 for what the best find."""
        most = len(self.find(self.best_listed(len(picked))))
        return score_above(len(self.find(picked)), self.find_by_chance(len(picked)), most)

    def find_by_chance(self, count: int) -> float:
        """Return how many flaws drawn inputs of the list find on average."""
        every = combinations(range(len(self.found) - self.typed), count)
        return fmean(len(self.find(some)) for some in every)

    def best_listed(self, count: int) -> tuple[int, ...]:
        """Return inputs of the list, without those that were typed, that find the most."""
        every = combinations(range(len(self.found) - self.typed), count)
        return max(every, key=lambda some: len(self.find(some)), default=())

    def best(self, picked: Collection[int], count: int = 0) -> tuple[int, ...]:
        """Return inputs that find the most, with as many of those that were picked as possible."""
        every = combinations(range(len(self.found)), count or len(picked))
        return max(every, key=lambda some: (len(self.find(some)), len({*some} & {*picked})))


def build_choice(stage: InputsFields, kernel: Kernel, name: str) -> InputChoice:
    """Make the question of a stage. `kernel`: whose mistakes are run, in one language."""
    return InputChoice(
        id=name, topic=kernel.topic, concept=kernel.concept, difficulty=kernel.difficulty,
        prompt=stage.prompt, explanation=stage.explanation, sources=kernel.sources,
        options=tuple(Option(describe_input(each)) for each in stage.offered), several=True,
        shuffle=False, kernel=kernel, offered=stage.offered, pick=stage.pick,
    )  # fmt: skip


def input_problem(question: Kernel, given: OfferedInput) -> Problem:
    """Return the task of a kernel at one input; costs are not looked at.

    Raises BadExercise: the kernel has no such size or array, or cannot be run so.
    """
    made = kernels.problem(question)
    own = tuple(argument.name for argument in made.arguments if argument.value is None)
    _check_names(given.sizes, tuple(made.shapes[0]), "sizes")
    _check_names(given.values, own, "values")
    arguments = tuple(_fill(argument, given) for argument in made.arguments)
    shape = {**made.shapes[0], **given.sizes}
    changed = replace(
        made, arguments=arguments, shapes=(shape,), limits=(), confirm=(), bounded={}
    )  # fmt: skip
    try:
        check_problem(changed)
    except InvalidProblem as error:
        raise BadExercise(error.path, error.what) from None
    return changed


def _check_names(given: Collection[str], known: tuple[str, ...], field: str) -> None:
    for name in given:
        if name not in known:
            raise BadExercise((field, name), fact("theme.no-such-name", name=name, names=known))


def _fill(argument: Argument, given: OfferedInput) -> Argument:
    if argument.name not in given.values:
        recipe = argument.recipe(0)
        return replace(argument, filling=recipe.filling, low=recipe.low, high=recipe.high)
    low, high = given.low, given.high
    if isinstance(given, TypedInput):
        low, high = given.bounds[argument.name]
    return replace(argument, filling=given.values[argument.name], low=low, high=high)


def refuse_input(
    question: InputChoice, given: OfferedInput, find_failure: FindFailure
) -> Fact | None:
    """Return why an input says nothing of a kernel: the right one cannot be run at it, or fails.

    None if it is one to test with.
    """
    try:
        gate = find_failure(input_problem(question.kernel, given), question.kernel.solution or "")
    except BadExercise as error:
        return error.fault.what
    if gate.startswith("runs"):
        return fact("input.too-large")
    return fact("input.undefined") if gate else None


def try_inputs(
    question: InputChoice,
    find_failure: FindFailure,
    progress: Progress = lambda _done, _of: None,
    *,
    drawn: int = MOST_DRAWN,
) -> TriedInputs:
    """Run each known mistake, and changes of the right kernel, at each offered input.

    `find_failure`: runs a kernel. `drawn`: how many changes of the right kernel count.

    Raises BadExercise: the kernel cannot be run at an input.
    """
    problems = [input_problem(question.kernel, given) for given in question.offered]
    own = len(problems) - len(question.typed)
    listed: list[Flaw] = [*question.mistakes]
    listed += _draw_mutants(question.kernel)[: _MOST_TRIED if drawn else 0]
    flaws: list[Flaw] = []
    found: list[list[bool]] = []
    easy = hard = 0
    for position, flaw in enumerate(listed):
        progress(position, len(listed))
        at = _run(flaw, problems[:own], find_failure)
        if at is None or 2 * sum(at) > own:
            easy += at is not None
            continue
        if isinstance(flaw, Mutant) and not any(at):
            # What only costs more is found by no input that a person could type.
            whole = [replace(kernels.problem(question.kernel), limits=())]
            if hard == _MOST_HARD or not any(_run(flaw, whole, find_failure) or ()):
                continue
            hard += 1
        flaws.append(flaw)
        found.append([*at, *(_run(flaw, problems[own:], find_failure) or ())])
        if sum(isinstance(each, Mutant) for each in flaws) == drawn > 0:
            break
    by_input = [frozenset(i for i, at in enumerate(found) if at[j]) for j in range(len(problems))]
    return TriedInputs(tuple(flaws), tuple(by_input), easy, len(problems) - own)


def _run(flaw: Flaw, problems: Sequence[Problem], find_failure: FindFailure) -> list[bool] | None:
    """Return at which inputs a mistake shows; None of a change that is no program, or ends it."""
    at = []
    for problem in problems:
        try:
            gate = find_failure(problem, flaw.source or "")
        except RefereeFailed as error:
            if error.cancelled or not isinstance(flaw, Mutant):
                raise
            return None
        if gate == mutants.NO_PROGRAM and isinstance(flaw, Mutant):
            return None
        at.append(bool(gate))
    return at


def _draw_mutants(kernel: Kernel) -> list[Mutant]:
    """Order the mutants of the solution: one of each rule, then another of each, and so on.

    Those of a rule change different lines first. Those that may pass are left out,
    and those that narrow to 8 bits.
    """
    by_rule: dict[str, list[Mutant]] = {}
    for mutant in write_mutants(kernels.problem(kernel), kernel.solution or ""):
        to_byte = mutant.rule == "narrow" and any(_BYTE.search(each.new) for each in mutant.changes)
        if not to_byte and mutants.excuse_of(mutant, kernel) is None:
            by_rule.setdefault(mutant.rule, []).append(mutant)
    columns = zip_longest(*(_spread(each) for each in by_rule.values()))
    return [mutant for column in columns for mutant in column if mutant is not None]


def _spread(several: Sequence[Mutant]) -> Iterator[Mutant]:
    """Yield the first mutant of each line, then the second of each."""
    lines: dict[int, list[Mutant]] = {}
    for mutant in several:
        lines.setdefault(mutant.line, []).append(mutant)
    for column in zip_longest(*lines.values()):
        yield from (mutant for mutant in column if mutant is not None)
