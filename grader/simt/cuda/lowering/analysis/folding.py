"""Folds expressions of numbers: what is known before a launch."""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.simt.machine.conversion import convert, uniform
from grader.simt.machine.operators import BINARY, UNARY
from grader.simt.program import nodes
from grader.simt.program.types import Scalar, number


def fold(node: nodes.Expression) -> Any:
    """Return the number that an expression is, as Python's; None if it is not known."""
    vector = _vector(node)
    return None if vector is None else vector[0, 0].item()


def _vector(node: nodes.Expression) -> Any:
    with np.errstate(all="ignore"):
        return _fold(node, number(node.type))


def _fold(node: nodes.Expression, dtype: Scalar | None) -> Any:
    if dtype is None:
        return None
    match node:
        case nodes.Number(_, value):
            return uniform(value, dtype)
        case nodes.Convert(_, operand) | nodes.Observe(_, operand):
            found = _vector(operand)
            return None if found is None else convert(found, dtype)
        case nodes.Operate(_, operator, operands):
            parts = [_vector(operand) for operand in operands]
            if any(part is None for part in parts):
                return None
            apply = BINARY[operator] if len(parts) == 2 else UNARY[operator]
            return convert(apply(*parts), dtype)
        case nodes.Apply(_, _, function, operands):
            parts = [_vector(operand) for operand in operands]
            return None if any(part is None for part in parts) else convert(function(*parts), dtype)
        case nodes.Logical(_, operands, conjunction):
            return _decide(operands, conjunction=conjunction)
        case nodes.Choose(_, test, yes, no):
            holds = _vector(test)
            return None if holds is None else _vector(yes if holds.any() else no)
    return None


def _decide(operands: tuple[nodes.Expression, ...], *, conjunction: bool) -> Any:
    for operand in operands:
        found = _vector(operand)
        if found is None:
            return None
        if bool(found.any()) is not conjunction:
            return found
    return np.array([[conjunction]])
