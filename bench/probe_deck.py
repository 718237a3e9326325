"""Solutions of the deck as launches that can be run again, and once more from any text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from bench.gpu.cuda.programs import kernel_questions
from bench.probe_answers import Again
from grader.kernels.inputs import make_arguments
from grader.kernels.probing import replay_submission
from grader.kernels.problem import Problem
from grader.kernels.submission import read_submission
from grader.probes import LaunchChange
from grader.probes.replaying import Replay
from grader.simt import CompiledKernel
from quizapp.domain.languages import put_in
from quizapp.domain.question import CodeLanguage, Kernel
from quizapp.exercises.kernels import problem


@cache
def _questions() -> dict[str, Kernel]:
    return {question.id: question for question, _ in kernel_questions()}


def solution_of(name: str, language: CodeLanguage) -> tuple[Problem, str]:
    """The problem of a question of the deck, and its solution."""
    question = put_in(_questions()[name], language)
    assert isinstance(question, Kernel)
    return problem(question), question.solution or ""


def replay_of(asked: Problem, source: str) -> Replay:
    """A submission launched at the first shape."""
    return replay_submission(asked, source)


def again_from(asked: Problem, source: str, replay: Replay) -> Again:
    """The same launch, which reads every text anew."""
    given = make_arguments(asked, 0)
    names = [argument.name for argument in asked.arguments]
    own = read_submission(asked, source)
    takes = dict(zip(own.parameters, names, strict=True))
    first, values, _ = own.prepare(given, asked.shapes[0])
    named = dict(zip(first.function.parameters, values, strict=True))

    def read(
        text: str, changed: Mapping[str, Any], other: LaunchChange
    ) -> tuple[CompiledKernel, list[Any], int | None]:
        constants = {**asked.constants, **dict(other.constants)}
        problem = replace(asked, constants=constants, block=other.block or asked.block)
        arguments = [changed.get(each) for each in own.parameters]
        sizes = {
            asked.parameter_names[place]: int(changed[name])
            for place, name in enumerate(first.function.parameters)
            if name not in takes and not isinstance(changed[name], np.ndarray)
        }
        shape = {**asked.shapes[0], **sizes}
        kernel, fitting, shared = read_submission(problem, text).prepare(arguments, shape)
        return kernel, list(fitting), shared

    return Again(source, replay.grid, replay.block, replay.shared_bytes, named, read)
