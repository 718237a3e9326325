"""What can be told of an expression from its tree alone: a literal's value, and if it does no harm.

Knows no types.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

LARGEST = 1 << 64
"""Literals are below it."""


def harmless(node: ast.expr) -> bool:
    """Whether evaluating it for too many threads does no harm and is not counted."""
    return not any(isinstance(one, (ast.Subscript, ast.Call)) for one in ast.walk(node))


def decided(test: ast.expr) -> bool | None:
    """Whether a test that is made of literals holds: Python drops the other branch. None: open."""
    try:
        return bool(literal_value(test))
    except (ValueError, ArithmeticError, TypeError):
        return None


def come_to(operands: list[ast.expr], *, conjunction: bool) -> list[ast.expr]:
    """The operands of `and` or `or` that literals leave: those that decide nothing are dropped."""
    left = []
    for operand in operands[:-1]:
        holds = decided(operand)
        if holds is None or holds is not conjunction:
            left.append(operand)
        if holds is not None and holds is not conjunction:
            return left
    return [*left, operands[-1]]


_FOLDABLE: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
    ast.LShift: lambda a, b: a << b if b < 128 else _too_large(),  # noqa: PLR2004
    ast.RShift: lambda a, b: a >> b,
    ast.BitAnd: lambda a, b: a & b,
    ast.BitOr: lambda a, b: a | b,
    ast.BitXor: lambda a, b: a ^ b,
    ast.Pow: lambda a, b: a**b if abs(b) < 128 and abs(a) < 2**64 else _too_large(),  # noqa: PLR2004
}


def _too_large() -> int:
    raise ValueError


def literal_value(node: ast.expr) -> Any:
    """Of an expression that is made of literals.

    Raises:
        ValueError: it is not.
    """
    match node:
        case ast.Constant(value=bool() | int() | float() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -literal_value(operand)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return +literal_value(operand)
        case ast.UnaryOp(op=ast.Invert(), operand=operand):
            return ~literal_value(operand)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _FOLDABLE:
            value = _FOLDABLE[type(op)](literal_value(left), literal_value(right))
            if isinstance(value, (int, float)):
                return value
    raise ValueError
