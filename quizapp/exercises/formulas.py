"""Expressions in a question: `{{pitch % 32}}` in its prose, and amounts of drawn values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from grader.compute import NotComputable, compute
from grader.facts import Fact, fact
from quizapp.domain.question import FollowUp, Prose, QuestionId, Translated
from quizapp.exercises.faults import BadExercise, FieldPath

FIELD = re.compile(r"\{\{(.+?)\}\}")


@dataclass(frozen=True, slots=True)
class Values:
    """What names stand for: numbers, which can be computed with, and texts, which cannot."""

    numbers: Mapping[str, int]
    texts: Mapping[str, str]

    def with_numbers(self, numbers: Mapping[str, int]) -> Values:
        """Return the same with further numbers."""
        return Values({**self.numbers, **numbers}, self.texts)


def fill(text: str, values: Values, path: FieldPath) -> str:
    """Replace every `{{expression}}` of the text with its value.

    Raises BadExercise: one of them has none.
    """

    def value(found: re.Match[str]) -> str:
        expression = found[1].strip()
        if expression in values.texts:
            return values.texts[expression]
        number = evaluate(expression, values, path)
        return format(number, ".0f" if number == int(number) else ".12g")

    return FIELD.sub(value, text)


def fill_prose(prose: Prose, values: Values, path: FieldPath) -> Prose:
    """Fill prose in every language. Raises BadExercise: an expression has no value."""
    if isinstance(prose, str):
        return fill(prose, values, path)
    zh = None if prose.zh is None else fill(prose.zh, values, (*path, "zh"))
    return Translated(en=fill(prose.en, values, (*path, "en")), zh=zh)


def fill_follow_up(
    follow: FollowUp | QuestionId, values: Values, path: FieldPath
) -> FollowUp | QuestionId:
    """Fill what an interviewer may ask next, and its answer; an id stays.

    Raises BadExercise: an expression has no value.
    """
    if isinstance(follow, str):
        return follow
    answer = follow.answer and fill_prose(follow.answer, values, (*path, "answer"))
    return FollowUp(fill_prose(follow.prompt, values, (*path, "prompt")), answer)


def amount(given: int | str, values: Values, path: FieldPath) -> int:
    """Evaluate an expression to an integer that is not negative. Raises BadExercise: it is none."""
    value = given if isinstance(given, int) else evaluate(given, values, path)
    if value != int(value) or value < 0:
        raise BadExercise(
            path, fact("formula.not-an-amount", formula=str(given), value=f"{value:g}")
        )
    return int(value)


def evaluate(expression: str, values: Values, path: FieldPath) -> float:
    """Evaluate an expression. Raises BadExercise: it has none."""
    try:
        return compute(expression, values.numbers)
    except NotComputable as error:
        raise BadExercise(path, explain_failure(expression, error), suggestion(error)) from None


def explain_failure(expression: str, error: NotComputable) -> Fact:
    """Say why an expression has no value."""
    return fact("formula.uncomputable", formula=expression, column=error.column, reason=error.what)


def suggestion(error: NotComputable) -> Fact | None:
    """Suggest the name that was probably meant; None where the general advice serves better."""
    near = error.instead
    return near if near is not None and near.code == "suggest.name" else None
