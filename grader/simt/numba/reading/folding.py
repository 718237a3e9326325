"""What the tree of an expression alone shows: the value of literals. Knows no types."""

from __future__ import annotations

import ast
from typing import Any

from grader.operators import BINARY
from grader.simt.numba.reading import exact

LARGEST = 1 << 64
"""Literals are below it."""
_MOST_BITS = 128
"""The most bits of an integer that Python folds; the device computes a larger one."""


def decide(test: ast.expr) -> bool | None:
    """Evaluate a test of literals, of which Python drops the other branch; None if undecided."""
    match test:
        case ast.BoolOp(op=op, values=values):
            return _decide_all(values, conjunction=isinstance(op, ast.And))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            holds = decide(operand)
            return None if holds is None else not holds
    try:
        return bool(literal_value(test))
    except (ValueError, ArithmeticError, TypeError):
        return None


def _decide_all(operands: list[ast.expr], *, conjunction: bool) -> bool | None:
    """Evaluate `and` or `or` as far as its operands are decided."""
    holds: bool | None = conjunction
    for operand in operands:
        holds = decide(operand)
        if holds is not conjunction:
            return holds
    return holds


def drop_decided(operands: list[ast.expr], *, conjunction: bool) -> list[ast.expr]:
    """Return the operands of `and` or `or` without the literals that decide nothing."""
    left = []
    for operand in operands[:-1]:
        holds = decide(operand)
        if holds is None or holds is not conjunction:
            left.append(operand)
        if holds is not None and holds is not conjunction:
            return left
    return [*left, operands[-1]]


def literal_value(node: ast.expr) -> Any:
    """Return the value of an expression of literals.

    Raises:
        ValueError, ArithmeticError, TypeError: it is not, or Python leaves it as it is.
    """
    match node:
        case ast.Constant(value=bool() | int() | float() as value):
            return value
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert() as op, operand=operand):
            return exact.unary(type(op), literal_value(operand))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
            first, second = literal_value(left), literal_value(right)
            value = exact.binary(type(op), first, second, _MOST_BITS)
            if isinstance(value, (int, float)):
                return value
    raise ValueError
