"""The run that confirms a pass: sizes and values that no screen has shown.

What a verdict shows of the listed shapes is enough to write their results down as constants. So the
seed comes from the submission: the same text gets the same verdict, and another text other values.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import numpy as np

from grader.kernels.problem import Argument, Problem


def make_confirmation(problem: Problem, source: str) -> Problem:
    """Make the problem at one more shape, with inputs seeded by the submission, without limits."""
    digest = sha256(f"{problem.seed}\n{source}".encode("utf-8", "surrogatepass")).digest()
    seed = int.from_bytes(digest[:4], "big")
    generator = np.random.default_rng(seed)
    if problem.confirm:
        drawn = {
            name: int(generator.integers(least, most + 1))
            for name, (least, most) in problem.confirm.items()
        }
        shape = {**problem.shapes[0], **drawn}
    else:
        shape = dict(problem.shapes[int(generator.integers(len(problem.shapes)))])
    recipe = int(generator.integers(len(problem.shapes)))
    arguments = tuple(_fill_as(argument, recipe) for argument in problem.arguments)
    return replace(
        problem, arguments=arguments, shapes=(shape,), limits=(), seed=seed, confirm={}
    )  # fmt: skip


def _fill_as(argument: Argument, run: int) -> Argument:
    """Fill the argument as in one run of the problem."""
    filling, low, high = argument.recipe(run)
    return replace(argument, filling=filling, low=low, high=high)
