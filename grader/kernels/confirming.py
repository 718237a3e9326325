"""The runs that confirm a pass: sizes, values and an order of blocks that no screen has shown.

What a verdict shows of the listed shapes is enough to write their results down as constants. So the
seed comes from the submission: the same text gets the same verdict, and another text other values.
Where submissions are compared, `Problem.hidden` gives all of them the same values instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256

import numpy as np

from grader.kernels.fillings import CONSTANT
from grader.kernels.problem import Argument, Problem


def list_confirmations(problem: Problem, source: str) -> Iterator[Problem]:
    """Yield the problem at more shapes, one by one."""
    return (make_confirmation(problem, source, i) for i in range(max(len(problem.confirm), 1)))


def make_confirmation(problem: Problem, source: str, number: int = 0) -> Problem:
    """Make the problem at one more shape, the `number`-th; its seed is hidden from submissions."""
    drawn_from = source if problem.hidden is None else str(problem.hidden)
    digest = sha256(f"{problem.seed}\n{drawn_from}".encode("utf-8", "surrogatepass")).digest()
    seed = int.from_bytes(digest[:4], "big") + number
    generator = np.random.default_rng(seed)
    if problem.confirm:
        drawn = {
            name: int(generator.integers(least, most + 1))
            for name, (least, most) in problem.confirm[number].items()
        }
        shape = {**problem.shapes[0], **drawn}
    else:
        shape = dict(problem.shapes[int(generator.integers(len(problem.shapes)))])
    recipe = int(generator.choice(_list_recipes(problem)))
    arguments = tuple(_fill_as(argument, recipe) for argument in problem.arguments)
    return replace(problem, arguments=arguments, shapes=(shape,), seed=seed, confirm=(), order=seed)


def _list_recipes(problem: Problem) -> list[int]:
    """List the runs whose values say most: those without constant arrays, if there are any."""
    runs = range(len(problem.shapes))
    lists = [each.filling for each in problem.arguments if isinstance(each.filling, tuple)]
    return [run for run in runs if not any(each[run] in CONSTANT for each in lists)] or [*runs]


def _fill_as(argument: Argument, run: int) -> Argument:
    """Fill the argument as in one run of the problem."""
    filling, low, high = argument.recipe(run)
    return replace(argument, filling=filling, low=low, high=high)
