"""What may vary between reviews: all cases of a `draw`, and the names that one case gives."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from itertools import product
from math import prod

from grader.facts import fact
from quizapp.domain.exercise import Amount, Case, Cases
from quizapp.exercises.faults import BadExercise
from quizapp.exercises.formulas import Values, amount, fill

MOST_CASES = 4_096


def every_case(draw: Cases) -> list[Case]:
    """List all that may be drawn. Raises BadExercise: there are more than can be looked at."""
    if not isinstance(draw, dict):
        return [dict(case) for case in draw]
    many = prod(len(values) for values in draw.values())
    if many > MOST_CASES:
        raise BadExercise(("draw",), fact("draw.too-many", count=many, most=MOST_CASES))
    return [dict(zip(draw, values, strict=True)) for values in product(*draw.values())]


def first_case(draw: Cases) -> Case:
    """Return the first of what may be drawn, which stands for all of it where none is asked for."""
    if isinstance(draw, dict):
        return {name: values[0] for name, values in draw.items()}
    return dict(draw[0])


def draw_case(cases: list[Case], name: str, review: int) -> Case:
    """The case of a review, from 0: others each time, until all were drawn; `name` orders them."""
    random.Random(name).shuffle(cases)
    return cases[review % len(cases)]


def compute_values(case: Case, let: Mapping[str, Amount], reserved: Collection[str]) -> Values:
    """Return what was drawn, and what `let` computes from it, in order.

    Raises BadExercise: a name is taken, or an expression has no value.
    """
    for field, given in (("draw", case), ("let", let)):
        for name in given:
            if name in reserved or (field == "let" and name in case):
                raise BadExercise((field, name), fact("draw.name-taken", name=name))
    values = Values(
        {name: value for name, value in case.items() if isinstance(value, int)},
        {name: value for name, value in case.items() if isinstance(value, str)},
    )
    for name, expression in let.items():
        path = ("let", name)
        number = fill(expression, values, path) if isinstance(expression, str) else expression
        value = amount(number, values, path)
        values = values.with_numbers({name: value})
    return values
