"""The arrays and numbers that a kernel is launched with: drawn from a seed, the same each time.

Outputs hold what no kernel would compute, so that an unwritten element is noticed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.facts import fact
from grader.kernels.fillings import ArraySpec, fill
from grader.kernels.problem import (
    Argument,
    FieldPath,
    InvalidProblem,
    Problem,
    evaluate_number,
    evaluate_sizes,
)

ArgumentValue = NDArray[Any] | int | float | np.generic
SENTINEL = -1_234_567
"""Fills integer outputs; others hold NaN."""
_SMALL_SENTINEL = 91


def make_arguments(problem: Problem, run: int) -> list[ArgumentValue]:
    """Make the arguments of the kernel's `run`-th run.

    Raises:
        InvalidProblem: something of it cannot be made.
    """
    shape = problem.shapes[run]
    generator = np.random.default_rng([problem.seed, run])
    return [
        _make_argument(argument, shape, generator, run, ("arguments", i))
        for i, argument in enumerate(problem.arguments)
    ]


def _make_argument(
    argument: Argument, shape: Mapping[str, int], generator: np.random.Generator, run: int,
    path: FieldPath,
) -> ArgumentValue:  # fmt: skip
    if argument.value is not None:
        return _scalar(argument, shape, path)
    dtype = _dtype(argument.dtype or "float32", path)
    extent = evaluate_sizes(argument.shape, shape, (*path, "shape"))
    if argument.role == "output":
        return np.full(extent, sentinel(dtype), dtype)
    recipe = argument.recipe(run)
    low = evaluate_number(recipe.low, shape, (*path, "low"))
    high = evaluate_number(recipe.high, shape, (*path, "high"))
    return fill(recipe.filling, ArraySpec(extent, dtype, low, high, generator))


def argument_types(problem: Problem) -> tuple[tuple[str, int], ...]:
    """Name the type of each argument's elements as NumPy does, and its axes; 0 for a number.

    Raises:
        InvalidProblem: a number cannot be computed.
    """
    return tuple(
        _type_of(argument, problem.shapes[0], ("arguments", i))
        for i, argument in enumerate(problem.arguments)
    )


def _type_of(argument: Argument, shape: Mapping[str, int], path: FieldPath) -> tuple[str, int]:
    if argument.value is None:
        return argument.dtype or "float32", len(argument.shape)
    return np.asarray(_scalar(argument, shape, path)).dtype.name, 0


def sentinel(dtype: np.dtype[Any]) -> Any:
    """Return the value that fills an output before the kernel runs."""
    if dtype.kind == "f":
        return np.nan
    if dtype.kind == "b":
        return True
    fits = np.iinfo(dtype).min <= SENTINEL
    return SENTINEL if fits else _SMALL_SENTINEL


def _scalar(argument: Argument, shape: Mapping[str, int], path: FieldPath) -> ArgumentValue:
    assert argument.value is not None
    value = evaluate_number(argument.value, shape, (*path, "value"))
    if argument.dtype:
        return _dtype(argument.dtype, path).type(value)  # type: ignore[no-any-return]
    return int(value) if value == int(value) and not isinstance(argument.value, float) else value


def _dtype(name: str, path: FieldPath) -> np.dtype[Any]:
    try:
        dtype = np.dtype(name)
    except TypeError:
        dtype = np.dtype("O")
    if dtype.kind not in "biuf":
        raise InvalidProblem((*path, "dtype"), fact("problem.no-type", name=name))
    return dtype
