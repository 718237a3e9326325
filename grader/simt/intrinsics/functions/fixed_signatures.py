"""What a function of fixed types is: its types, and what computes it from vectors of those."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from numpy.typing import NDArray

from grader.simt.program.types import Scalar

Vector = NDArray[Any]
Function = Callable[..., Any]


class FixedSignature(NamedTuple):
    """A function: its results, its operands, and what computes it from vectors of those types.

    Several results are a tuple; they are converted to their types by whoever applies it.
    """

    results: tuple[Scalar, ...]
    operands: tuple[Scalar, ...]
    apply: Function
