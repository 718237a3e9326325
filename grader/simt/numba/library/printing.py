"""`print` in a kernel."""

from __future__ import annotations

import ast
from functools import partial

from grader.facts import fact
from grader.simt.intrinsics.printing import Layout, print_lines
from grader.simt.numba.library.calling import Table
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Expression, Perform
from grader.simt.program.types import (
    COMPLEX,
    Member,
    NamePath,
    Nothing,
    Text,
    Tuple,
    Type,
    describe,
    is_number,
)

_MOST = 32
_TRIPLES = tuple(f"cuda.{name}" for name in ("threadIdx", "blockIdx", "blockDim", "gridDim"))


def _print(unit: Unit, node: ast.Call) -> Expression:
    if node.keywords:
        raise unit.typing_error(node, fact("simt.print-keywords"))
    if len(node.args) > _MOST:
        raise unit.refusal(node, fact("simt.print-count", most=_MOST))
    given, layouts = [], []
    for argument in node.args:
        typed = _compile_printed(unit, argument)
        given.append(typed)
        layouts.append(_layout(unit, argument, typed.type))
    run = partial(print_lines, tuple(layouts))
    return Perform(Nothing(), "print", run, tuple(given), unit.site(node), alone=True)


def _compile_printed(unit: Unit, node: ast.expr) -> Expression:
    typed = unit.compile_expression(node)
    if not isinstance(typed.type, NamePath) or typed.type.name not in _TRIPLES:
        return typed
    axes: list[ast.expr] = [ast.Attribute(node, axis, ast.Load()) for axis in "xyz"]
    whole = ast.fix_missing_locations(ast.copy_location(ast.Tuple(axes, ast.Load()), node))
    return unit.compile_expression(whole)


def _layout(unit: Unit, node: ast.expr, kind: Type) -> Layout:
    """Return how a value of a type is printed.

    Raises:
        NotTyped: it cannot be printed.
    """
    if isinstance(kind, Tuple) and kind.items:
        return tuple(_layout(unit, node, part) for part in kind.items)
    if isinstance(kind, Text):
        return kind.value
    if not is_number(kind) or isinstance(kind, Member) or kind in COMPLEX:
        raise unit.typing_error(node, fact("simt.print-type", type=describe(kind)))
    return None


CALLS: Table = {"builtins.print": _print}
