"""What a `Form` is, and how instructions say their types, rounding and saturation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Self

import numpy as np

from grader.frozen import frozen
from grader.simt.intrinsics.functions import rounding
from grader.simt.intrinsics.functions.approximations import flush
from grader.simt.intrinsics.functions.rounding import Mode
from grader.simt.program.types import FLOAT16, FLOAT64
from grader.simt.ptx.values import DTYPES, Vector, from_bfloat, join_halves, split_halves, to_bfloat

Compute = Callable[..., Any]


@frozen(eq=False)
class Form:
    """What an instruction computes.

    Attributes:
        results: the type of each result; there are two of `p|q`, whose function gives a tuple.
        operands: the type of each operand.
        compute: from values of the operands' dtypes to one of the result's.
        reads_carry, sets_carry: true if the carry flag is its last operand, its last result.
    """

    results: tuple[str, ...]
    operands: tuple[str, ...]
    compute: Compute
    reads_carry: bool = False
    sets_carry: bool = False

    @classmethod
    def alike(cls, kind: str, operands: int, compute: Compute) -> Self:
        """Make the form of which all operands and the result are of one type."""
        return cls((kind,), (kind,) * operands, compute)


Make = Callable[[str, Sequence[str]], Form | None]
"""From the type that comes last, and all modifiers, to the form; None where there is none."""

MODES: dict[str, Mode] = {"rn": "rn", "rz": "rz", "rm": "rd", "rp": "ru", "rna": "rn"}
WHOLE = {"rni": np.rint, "rzi": np.trunc, "rmi": np.floor, "rpi": np.ceil}


def mode_of(modifiers: Sequence[str]) -> Mode:
    """Return how a result is rounded; to nearest, if nothing is said."""
    return next((MODES[each] for each in modifiers if each in MODES), "rn")


def type_of(modifiers: Sequence[str]) -> str:
    """Return the type that comes last; "" without one."""
    return modifiers[-1] if modifiers and modifiers[-1] in DTYPES else ""


def is_float(kind: str) -> bool:
    """Return True for a type of floats, packed ones too."""
    return kind.startswith(("f", "bf", "tf"))


def saturate(value: Vector) -> Any:
    """Limit floats to 0 to 1; NaN and -0 become 0."""
    return np.where(value > 0, np.minimum(value, 1), value.dtype.type(0))


def float_function(kind: str, function: Compute, modifiers: Sequence[str]) -> Compute:
    """Return a function of floats of a type, with `.ftz`, `.sat` and `.relu` as they are given."""
    whole = _with_steps(kind, function, modifiers)
    if kind == "bf16":
        return lambda *values: to_bfloat(whole(*map(_exact_bfloat, values)))
    if kind == "f16x2":
        return partial(_of_halves, whole)
    if kind == "bf16x2":
        return partial(_of_bfloats, whole)
    if kind == "f16":
        return lambda *values: without_nan_bits(whole(*values).astype(FLOAT16, copy=False))
    if whole is function and isinstance(function, np.ufunc):
        return function
    dtype = DTYPES[kind]
    return lambda *values: whole(*values).astype(dtype, copy=False)


def without_nan_bits(value: Vector) -> Any:
    """Return float16 whose NaN are all 0x7fff, as a device makes them."""
    bits = np.ascontiguousarray(value).view(np.uint16)
    return np.where(np.isnan(value), np.uint16(0x7FFF), bits).view(FLOAT16)


def _with_steps(kind: str, function: Compute, modifiers: Sequence[str]) -> Compute:
    steps: list[Compute] = []
    if "sat" in modifiers:
        steps.append(saturate)
    if "relu" in modifiers:
        steps.append(lambda value: np.where(value > 0, value, np.where(np.isnan(value), value, 0)))
    kinds = ("f32", "f16", "f16x2", *(("f64",) if "approx" in modifiers else ()))
    flushes = "ftz" in modifiers and kind in kinds
    if not steps and not flushes:
        return function

    def compute(*values: Vector) -> Any:
        found = function(*map(flush, values)) if flushes else function(*values)
        for step in steps:
            found = step(found)
        return flush(found) if flushes else found

    return compute


def _of_halves(function: Compute, *values: Vector) -> Any:
    halves = [split_halves(value).view(FLOAT16) for value in values]
    found = without_nan_bits(function(*halves).astype(FLOAT16, copy=False))
    return join_halves(found.view(np.uint16))


def _of_bfloats(function: Compute, *values: Vector) -> Any:
    halves = [_exact_bfloat(split_halves(value)) for value in values]
    return join_halves(to_bfloat(function(*halves)))


def _exact_bfloat(value: Vector) -> Any:
    return from_bfloat(value).astype(FLOAT64)


def rounded(kind: str, modifiers: Sequence[str], nearest: np.ufunc, exact: Any) -> Compute:
    """Return an operation of floats that rounds as the modifiers say."""
    mode = mode_of(modifiers)
    if mode == "rn" or kind not in ("f32", "f64"):
        return nearest
    return rounding.directed(nearest, exact, mode, DTYPES[kind].name)


def of_bits(operands: int, compute: Compute) -> Make:
    """Make an operation on values of any type, as bits."""
    return lambda kind, _modifiers: Form.alike(kind, operands, compute)


def of_integers(operands: int, compute: Compute) -> Make:
    """Make an operation on integers of one type."""
    return lambda kind, _modifiers: None if is_float(kind) else Form.alike(kind, operands, compute)
