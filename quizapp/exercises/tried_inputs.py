"""Inputs that a person would test a kernel with, and which of its known mistakes each one finds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from grader.facts import fact
from grader.kernels import Argument, InvalidProblem, Problem
from grader.kernels import check as check_problem
from quizapp.domain.interview_theme import InputsFields
from quizapp.domain.kernel import OfferedInput
from quizapp.domain.question import InputChoice, Kernel, Option
from quizapp.exercises import kernels
from quizapp.exercises.faults import BadExercise

_BOUNDED = ("uniform", "integers", "sorted", "peaks")
"""Values that `low` and `high` are written with."""

FindFailure = Callable[[Problem, str], str]
"""Return the gate that a submission fails; "" if it passes."""


@dataclass(frozen=True)
class TriedInputs:
    """What each of the offered inputs finds.

    Attributes:
        mistakes: their names.
        found: by input, the positions of those that it finds.
    """

    mistakes: tuple[str, ...]
    found: tuple[frozenset[int], ...]

    def find(self, picked: Collection[int]) -> frozenset[int]:
        """Return the mistakes that some inputs find together."""
        return frozenset().union(*(self.found[i] for i in picked))

    def score_inputs(self, picked: Collection[int]) -> float:
        """Return the share of what as many inputs can find; 1 if no others find more."""
        most = len(self.find(self.best(picked)))
        return len(self.find(picked)) / most if most and picked else 0.0

    def best(self, picked: Collection[int], count: int = 0) -> tuple[int, ...]:
        """Return inputs that find the most, with as many of those that were picked as possible."""
        every = combinations(range(len(self.found)), count or len(picked))
        return max(every, key=lambda some: (len(self.find(some)), len({*some} & {*picked})))


def build_choice(stage: InputsFields, kernel: Kernel, name: str) -> InputChoice:
    """Make the question of a stage.

    Args:
        stage: its fields.
        kernel: whose mistakes are run, in one language.
        name: of the stage.
    """
    return InputChoice(
        id=name, topic=kernel.topic, concept=kernel.concept, difficulty=kernel.difficulty,
        prompt=stage.prompt, explanation=stage.explanation, sources=kernel.sources,
        options=tuple(Option(describe_input(each)) for each in stage.offered), several=True,
        shuffle=False, kernel=kernel, offered=stage.offered, pick=stage.pick,
    )  # fmt: skip


def describe_input(given: OfferedInput) -> str:
    """Write an input as code: sizes, then what arrays hold."""
    parts = [f"{name} = {size}" for name, size in given.sizes.items()]
    for filling in dict.fromkeys(given.values.values()):
        names = ", ".join(name for name, value in given.values.items() if value == filling)
        bounds = f"({given.low}, {given.high})" if filling in _BOUNDED else ""
        parts.append(f"{names} = {filling}{bounds}")
    return f"`{'; '.join(parts)}`"


def input_problem(question: Kernel, given: OfferedInput) -> Problem:
    """Return the task of a kernel at one input; costs are not looked at.

    Raises:
        BadExercise: the kernel has no such size or array, or cannot be run so.
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
    filling = given.values[argument.name]
    return replace(argument, filling=filling, low=given.low, high=given.high)


def try_inputs(question: InputChoice, find_failure: FindFailure) -> TriedInputs:
    """Run each known mistake at each offered input.

    Raises:
        BadExercise: the kernel cannot be run at an input.
    """
    problems = [input_problem(question.kernel, given) for given in question.offered]
    found = tuple(frozenset(_find(problem, question, find_failure)) for problem in problems)
    return TriedInputs(tuple(each.file for each in question.mistakes), found)


def _find(problem: Problem, question: InputChoice, find_failure: FindFailure) -> Iterator[int]:
    for position, mistake in enumerate(question.mistakes):
        if find_failure(problem, mistake.source or ""):
            yield position
