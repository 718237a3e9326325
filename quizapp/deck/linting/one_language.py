"""Finds mistakes of a kernel that are in one language alone though the question is in both.

Whoever makes one in the other language would not be told. Each is in both, or says why not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from grader.facts import fact
from quizapp.deck.problems import ContentProblem
from quizapp.deck.question_location import LocatedQuestion
from quizapp.domain.languages import languages_of
from quizapp.domain.question import CODE_LANGUAGES, Kernel
from quizapp.exercises.faults import FieldFault


def one_language_problems(found: Iterable[LocatedQuestion]) -> Iterator[ContentProblem]:
    """Yield a problem for each mistake that is in one language and does not say why."""
    for item in found:
        if isinstance(item.question, Kernel) and languages_of(item.question) == CODE_LANGUAGES:
            for fault in _faults(item.question):
                yield item.source.problem(fault, item.id)


def _faults(question: Kernel) -> Iterator[FieldFault]:
    for i, wrong in enumerate(question.wrong):
        in_cuda = wrong.cuda is not None and wrong.cuda.source is not None
        if in_cuda != (wrong.source is not None) and wrong.one_language is None:
            missing = f"wrong/{wrong.file}{'.py' if in_cuda else '.cu'}"
            yield FieldFault(("wrong", i, "file"), fact("deck.mistake-lacks", file=missing))
