"""Runs the inputs that themes offer for testing a kernel; says where nothing is to be chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from grader import kernels as kernel_grader
from grader.facts import fact
from grader.kernels import InvalidProblem, Referee, RefereeFailed, ReferenceFailed
from quizapp.deck.installing.consent import HeldQuestions
from quizapp.deck.interview_themes import LocatedTheme
from quizapp.deck.problems import ContentProblem
from quizapp.deck.question_location import LocatedQuestion
from quizapp.domain.interview_theme import InputsFields, ThemeStage
from quizapp.domain.languages import languages_of, put_in
from quizapp.domain.question import AnyQuestion, CodeLanguage, Kernel
from quizapp.exercises import tried_inputs
from quizapp.exercises.faults import BadExercise, FieldFault

if TYPE_CHECKING:
    from quizapp.system.trust import Trust

_FAILED = (InvalidProblem, ReferenceFailed, RefereeFailed)


def input_problems(
    themes: Iterable[LocatedTheme], known: Iterable[LocatedQuestion], held: HeldQuestions,
    trust: Trust | None,
) -> Iterator[ContentProblem]:  # fmt: skip
    """Yield what does not hold of the stages with inputs whose kernels may be run.

    `themes`: with these stages or without. `held`: the questions that are not proven. `trust`:
    which Python may run; None for all.
    """
    may_run = {
        item.id: item.question
        for item in known
        if item.id not in held.questions
        and (trust is None or trust.allows(item.file, item.question))
    }
    asked = [
        (theme, i, stage, stage.inputs, question)
        for theme in themes
        for i, stage in enumerate(theme.theme.stages)
        if stage.inputs is not None and (question := may_run.get(stage.question)) is not None
    ]
    if not asked:
        return
    with kernel_grader.Referee() as referee:
        for theme, i, stage, inputs, question in asked:
            referee.author = stage.question.partition("/")[0]
            path = ("stages", i, "inputs")
            for fault in _find_faults(inputs, stage, question, referee):
                located = FieldFault((*path, *fault.path), fault.what)
                yield theme.source.problem(located, theme.theme.id)


def _find_faults(
    inputs: InputsFields, stage: ThemeStage, question: AnyQuestion, referee: Referee
) -> Iterator[FieldFault]:
    if not isinstance(question, Kernel):
        yield FieldFault(("question",), fact("theme.inputs-of-no-kernel", id=stage.question))
        return
    for position, given in enumerate(inputs.offered):
        try:
            tried_inputs.input_problem(question, given)
        except BadExercise as error:
            yield FieldFault(("offered", position, *error.fault.path), error.fault.what)
            return
    for language in languages_of(question):
        if found := [*_try(inputs, stage, question, language, referee)]:
            yield from found
            return


def _try(
    inputs: InputsFields, stage: ThemeStage, question: Kernel, language: CodeLanguage,
    referee: Referee,
) -> Iterator[FieldFault]:  # fmt: skip
    """Yield a fault if the solution fails at an input, or every choice finds as much."""
    put = put_in(question, language)
    assert isinstance(put, Kernel)
    choice = tried_inputs.build_choice(inputs, put, stage.name)
    try:
        for position, given in enumerate(inputs.offered):
            problem = tried_inputs.input_problem(put, given)
            gate = referee.find_failure(problem, put.solution or "")
            if gate:
                what = fact("theme.input-fails-solution", gate=gate, language=language)
                yield FieldFault(("offered", position), what)
                return
        tried = tried_inputs.try_inputs(choice, referee.find_failure, drawn=0)
    except _FAILED as error:
        yield FieldFault((), error.what)
        return
    every = combinations(range(len(tried.found)), inputs.pick)
    if len({len(tried.find(some)) for some in every}) == 1:
        yield FieldFault(("offered",), fact("theme.inputs-alike", n=inputs.pick))
