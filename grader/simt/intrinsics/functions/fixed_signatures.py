"""What a function of fixed types is: its types, and what computes it from vectors of those."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.simt.program.types import Scalar

Vector = NDArray[Any]
Function = Callable[..., Any]
COMPARISONS: dict[str, np.ufunc] = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
    "ge": np.greater_equal,
}  # fmt: skip
"""As CUDA C++ and PTX abbreviate them."""


class FixedSignature(NamedTuple):
    """A function: its results, its operands, and what computes it from vectors of those types.

    Several results are a tuple; they are converted to their types by whoever applies it.
    """

    results: tuple[Scalar, ...]
    operands: tuple[Scalar, ...]
    apply: Function


def widened(function: Function) -> Function:
    """Compute a function in float64, which holds sums and products of narrow floats exactly."""

    def apply(*values: Vector) -> Any:
        return function(*(value.astype(np.float64) for value in values))

    return apply
