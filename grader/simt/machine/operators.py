"""Applies an operator to vectors of the types that `typing_rules` chose. Knows no tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.simt.program.types import Scalar

Vector = NDArray[Any]
Binary = Callable[[Vector, Vector], Vector]


def _floor_divide(left: Vector, right: Vector) -> Vector:
    result: Vector = np.floor_divide(left, right)
    if left.dtype.kind == "f":  # a division by zero is IEEE's, as with Numba's error model
        return np.where(right == 0, left / right, result)
    if left.dtype.kind == "i":
        least = np.iinfo(left.dtype).min
        if (left == least).any():  # Numba's own answer to what has none
            result = np.where((left == least) & (right == -1), 0, result)
    return result


def _remainder(left: Vector, right: Vector) -> Vector:
    result: Vector = np.remainder(left, right)
    return result


def _divide_toward_zero(left: Vector, right: Vector) -> Vector:
    """Divide integers as C does; the least one by -1 gives itself."""
    result: Vector
    if left.dtype.kind != "i":
        result = left // right
        return result
    # As unsigned, since the least integer has no positive counterpart.
    unsigned = f"u{left.dtype.itemsize}"
    quotient = (np.abs(left).view(unsigned) // np.abs(right).view(unsigned)).view(left.dtype)
    result = np.where((left < 0) != (right < 0), -quotient, quotient)
    return result


def _rest_toward_zero(left: Vector, right: Vector) -> Vector:
    result: Vector = np.fmod(left, right)
    return result


def _shift_left(left: Vector, count: Vector) -> Vector:
    result: Vector = np.left_shift(left, count.astype(left.dtype))
    return result


def _shift_right(left: Vector, count: Vector) -> Vector:
    result: Vector = np.right_shift(left, count.astype(left.dtype))
    return result


def _power(left: Vector, right: Vector) -> Vector:
    """Raise to a power, by squaring where the exponent is an integer, as Numba does."""
    if right.dtype.kind in "fc":
        result: Vector = np.power(left, right)
        return result
    exponent = right.astype(np.int64)
    base, left_over = left, np.abs(exponent).view(np.uint64)
    shape = np.broadcast_shapes(left.shape, right.shape)
    product = np.ones(shape, dtype=left.dtype)
    while left_over.any():
        product = np.where(left_over & np.uint64(1) != 0, product * base, product)
        base = base * base
        left_over = left_over >> np.uint64(1)
    if (exponent >= 0).all():
        return product
    inverse = 1.0 / product
    if left.dtype.kind != "f":
        inverse = np.where(np.isfinite(inverse), inverse, 0)
    return np.where(exponent < 0, inverse.astype(left.dtype), product)


IN_PLACE: dict[str, np.ufunc] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "&": np.bitwise_and,
    "|": np.bitwise_or,
    "^": np.bitwise_xor,
}
"""Those that can write their result where an operand was."""
BINARY: dict[str, Binary] = {
    **IN_PLACE,
    "//": _floor_divide,
    "%": _remainder,
    "div": _divide_toward_zero,
    "rem": _rest_toward_zero,
    "**": _power,
    "<<": _shift_left,
    ">>": _shift_right,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
}
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
UNARY: dict[str, Callable[[Vector], Vector]] = {
    "neg": np.negative,
    "pos": np.positive,
    "~": np.invert,
}


def operand_types(
    operator: str, result: Scalar, operands: tuple[Scalar, ...]
) -> tuple[Scalar, ...]:
    """Return what operands are converted to before NumPy gets them."""
    if operator in COMPARISONS:
        return operands
    if operator in ("<<", ">>"):
        return result, operands[1]
    if operator == "**" and operands[0].kind == "f":
        return operands
    return tuple(result for _ in operands)
