"""Python's own arithmetic on constants of the source, refused before a number grows too large.

What is given here equals what Python computes. Knows no tree beyond the operators.
"""

from __future__ import annotations

import ast
from typing import Any

from grader.operators import BINARY, COMPARE, UNARY

MOST_BITS = 4096
"""Of an integer, also in the middle of an expression: `9**9**9` would take hours."""


class TooLarge(ArithmeticError):
    """The result would have more bits than are allowed."""


def binary(op: type[ast.operator], left: Any, right: Any, bits: int = MOST_BITS) -> Any:
    """Compute `left op right`.

    Raises:
        KeyError: there is no such operator for numbers.
        TooLarge: an integer of more bits than that.
        ArithmeticError, TypeError, ValueError: as Python raises them.
    """
    if type(left) in _WHOLE and type(right) in _WHOLE and _bits(op, left, right) > bits:
        raise TooLarge
    return BINARY[op](left, right)


def unary(op: type[ast.unaryop], operand: Any) -> Any:
    """Compute `op operand`.

    Raises:
        TypeError: as Python raises it.
    """
    return UNARY[op](operand)


def compared(op: type[ast.cmpop], left: Any, right: Any) -> Any:
    """Compute `left op right`.

    Raises:
        KeyError: there is no such operator for numbers.
        OverflowError: a NumPy number cannot be compared with an integer that large.
    """
    return COMPARE[op](left, right)


_WHOLE = (int, bool)


def _bits(op: type[ast.operator], left: int, right: int) -> int:
    """Bound the result's bits from above where it may have many more than the operands."""
    if op is ast.Pow and right > 0 and abs(left) > 1:
        return left.bit_length() * right
    if op is ast.LShift and left:
        return left.bit_length() + right
    if op is ast.Mult:
        return left.bit_length() + right.bit_length()
    return 0
