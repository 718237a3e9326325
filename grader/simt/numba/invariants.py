"""Arithmetic that a loop does not change is computed once, not in every iteration.

An expression of numbers and of variables that the innermost loop around it does not set is kept
with the vectors it was computed from, and computed anew once one of these is another vector. An
index that is the same vector again need not be described again either.
"""

from __future__ import annotations

import ast

from grader.simt.numba.environment import Env, LoopEnvironments
from grader.simt.numba.reading.liveness import Names
from grader.simt.program.nodes import Expression, Remember
from grader.simt.program.types import number

_OPERATORS = (
    *(ast.Add, ast.Sub, ast.Mult, ast.Div),
    *(ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift),
)
"""Those that report nothing and depend on no mask."""


def find_operands(node: ast.BinOp, loops: LoopEnvironments, env: Env) -> Names | None:
    """Return the variables of arithmetic that a loop around it leaves as it is; else None.

    Args:
        node: the arithmetic.
        loops: the loops around it.
        env: types of the variables there.
    """
    if not loops.assigned or not _is_plain(node):
        return None
    names = {child.id for child in ast.walk(node) if isinstance(child, ast.Name)}
    variables = frozenset(names & (env or {}).keys())
    if not variables or variables & loops.assigned[-1]:
        return None
    kinds = (number((env or {})[name]) for name in variables)
    return None if any(kind is None for kind in kinds) else variables


def _is_plain(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, _OPERATORS) and _is_plain(node.left) and _is_plain(node.right)
    return isinstance(node, (ast.Name, ast.Constant))


def remember(typed: Expression, names: Names) -> Expression:
    """Return an expression of some variables that keeps its last value for as long as they last."""
    if typed.type != number(typed.type):
        return typed  # a constant
    return Remember(typed.type, tuple(names), typed)
