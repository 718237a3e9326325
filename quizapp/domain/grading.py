"""Was the answer right? Exact for choices, within tolerance for numbers, by points for recalls.

Pure: what was expected and what was given in, a `Grade` out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from dataclasses import dataclass

from quizapp.domain.question import Choice, Number, Recall

_NUMBER = re.compile(
    r"""\s*
    (?P<number>[-+−]?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+|(?=\.\d))(?:\.\d*)?(?:[eE][-+]?\d+)?)
    (?:\s*(?P<operator>/|\^|\*\*)\s*(?P<second>\d+))?
    \s*(?P<unit>-?[^\W\d_].*?|%)?\s*""",
    re.VERBOSE,
)
_LARGEST_POWER = 256


@dataclass(frozen=True, slots=True)
class Grade:
    """The outcome: `score` is 0–1, and `correct` says whether it counts as right."""

    correct: bool
    score: float


@dataclass(frozen=True, slots=True)
class AcceptedRange:
    """The values a `number` question accepts, in its own unit, both bounds included."""

    low: float
    high: float

    @property
    def value(self) -> float:
        """The value to show as the answer."""
        return (self.low + self.high) / 2


class NotSubmitted(ValueError):
    """The answer cannot be graded as it is."""


class NotANumber(NotSubmitted):
    """What was typed is not a number."""


class UnknownUnit(NotSubmitted):
    """The question does not know the unit."""


def grade_choice(question: Choice, picked: Collection[int]) -> Grade:
    """Require all right options and no other; `picked` are positions in `question.options`."""
    right = {i for i, option in enumerate(question.options) if option.correct}
    chosen = set(picked)
    agreeing = sum((i in right) == (i in chosen) for i in range(len(question.options)))
    correct = chosen == right
    return Grade(correct, 1.0 if correct else agreeing / (len(question.options) + 1))


def grade_number(expected: AcceptedRange, given: float) -> Grade:
    """Require a value within the bounds; a relative slack of 1e-9 forgives decimal fractions."""
    slack = 1e-9 * max(abs(expected.low), abs(expected.high))
    correct = expected.low - slack <= given <= expected.high + slack
    return Grade(correct, float(correct))


def grade_recall(question: Recall, covered: Collection[int]) -> Grade:
    """Grade by the rubric weight covered; `covered` are positions in the rubric."""
    total = sum(point.weight for point in question.rubric)
    score = sum(question.rubric[i].weight for i in set(covered)) / total
    return Grade(correct=score >= 0.5, score=score)


def range_around(question: Number, value: float) -> AcceptedRange:
    """Return the bounds around the expected `value` (given in the question, or computed)."""
    if question.range is not None:
        return AcceptedRange(*question.range)
    tolerance = question.tolerance
    if isinstance(tolerance, str):
        width = abs(value) * float(tolerance.rstrip("% ")) / 100
    else:
        width = tolerance
    return AcceptedRange(value - width, value + width)


def read_number(question: Number, text: str) -> float:
    """Read a number as typed, in the question's unit.

    Takes `1,024`, `1e3`, `1/8`, `2^10`, and a unit the question knows; without a unit the
    question's own is meant.

    Raises:
        NotANumber: there is no number at the beginning.
        UnknownUnit: the unit is not among the question's.
    """
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise NotANumber(text)
    first = float(match["number"].replace(",", "").replace("−", "-"))
    try:
        value = _combine(first, match["operator"], match["second"])
    except (ArithmeticError, ValueError):
        raise NotANumber(text) from None
    value *= _factor(question, match["unit"])
    if not math.isfinite(value):
        raise NotANumber(text)
    return value


def _combine(value: float, operator: str | None, second: str | None) -> float:
    """Compute `value / second`, `value ^ second`, or `value` alone.

    Raises:
        ArithmeticError, ValueError: there is no such number, or it would take long to find.
    """
    if operator is None or second is None:
        return value
    if operator == "/":
        return value / int(second)
    if abs(value) > _LARGEST_POWER or int(second) > _LARGEST_POWER:
        raise OverflowError(second)
    return float(value ** int(second))


def _factor(question: Number, unit: str | None) -> float:
    """Return what one typed unit is worth in the question's; spaces and case do not matter."""
    if unit is None:
        return 1.0
    known = {_plain(question.unit or ""): 1.0}
    known |= {_plain(name): factor for name, factor in question.units.items()}
    try:
        return known[_plain(unit)]
    except KeyError:
        raise UnknownUnit(unit) from None


def _plain(unit: str) -> str:
    """Normalize a unit: without spaces, in one case, in the singular ("wavefronts", "1-way")."""
    bare = unit.replace(" ", "").lstrip("-").casefold()
    return bare[:-1] if bare.endswith("s") and "/" not in bare and len(bare) > 2 else bare
