"""The arrays and numbers that a kernel is launched with: drawn from a seed, the same each time.

Outputs hold what no kernel would compute, so that an element nobody wrote is seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.kernels.problem import Argument, InvalidProblem, Path, Problem, number, sizes

Given = NDArray[Any] | int | float | np.generic
SENTINEL = -1_234_567
"""In outputs of whole numbers; others hold NaN."""
_SMALL_SENTINEL = 91


def made(problem: Problem, run: int) -> list[Given]:
    """What the kernel takes in its `run`-th run.

    Raises:
        InvalidProblem: something of it cannot be made.
    """
    shape = problem.shapes[run]
    generator = np.random.default_rng([problem.seed, run])
    return [
        _one(argument, shape, generator, ("arguments", i))
        for i, argument in enumerate(problem.arguments)
    ]


def _one(
    argument: Argument, shape: Mapping[str, int], generator: np.random.Generator, path: Path
) -> Given:
    if argument.value is not None:
        return _scalar(argument, shape, path)
    dtype = _dtype(argument.dtype or "float32", path)
    extent = sizes(argument.shape, shape, (*path, "shape"))
    if argument.role == "output":
        return np.full(extent, sentinel(dtype), dtype)
    low = number(argument.low, shape, (*path, "low"))
    high = number(argument.high, shape, (*path, "high"))
    return _filled(argument, extent, (low, high), generator).astype(dtype)


def sentinel(dtype: np.dtype[Any]) -> Any:
    """What stands in an output before the kernel runs."""
    if dtype.kind == "f":
        return np.nan
    if dtype.kind == "b":
        return True
    fits = np.iinfo(dtype).min <= SENTINEL
    return SENTINEL if fits else _SMALL_SENTINEL


def _scalar(argument: Argument, shape: Mapping[str, int], path: Path) -> Given:
    assert argument.value is not None  # noqa: S101 - asked before
    value = number(argument.value, shape, (*path, "value"))
    if argument.dtype:
        return _dtype(argument.dtype, path).type(value)  # type: ignore[no-any-return]
    return int(value) if value == int(value) and not isinstance(argument.value, float) else value


def _dtype(name: str, path: Path) -> np.dtype[Any]:
    try:
        dtype = np.dtype(name)
    except TypeError:
        dtype = np.dtype("O")
    if dtype.kind not in "biuf":
        todo = "float16, float32, float64, int8 … int64, uint8 … uint64, bool"
        raise InvalidProblem((*path, "dtype"), f"there is no type {name}", todo)
    return dtype


def _filled(
    argument: Argument,
    extent: tuple[int, ...],
    bounds: tuple[float, float],
    generator: np.random.Generator,
) -> NDArray[Any]:
    count = int(np.prod(extent))
    low, high = bounds
    match argument.filling:
        case "normal":
            return generator.standard_normal(extent)
        case "uniform":
            return generator.uniform(low, high, extent)
        case "integers":
            return generator.integers(int(low), max(int(high), int(low) + 1), extent)
        case "ramp":
            return np.arange(count).reshape(extent)
        case "permutation":
            return generator.permutation(count).reshape(extent)
        case "sorted":
            return np.sort(generator.integers(int(low), max(int(high), int(low) + 1), extent))
        case "offsets":
            inner = np.sort(generator.integers(int(low), int(high) + 1, max(count - 2, 0)))
            ends = np.concatenate([[int(low)], inner, [int(high)]])
            return ends[-count:].reshape(extent)
        case "zeros":
            return np.zeros(extent)
        case "ones":
            return np.ones(extent)
