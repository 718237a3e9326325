"""Functions that are defined in a function: `def` and `lambda`.

As in Numba, whose compiler inlines them, they read the variables around them when they are called.
Those are passed as further arguments. A function that reads any cannot be called elsewhere.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from grader.facts import fact
from grader.simt.numba.reading.scopes import find_free
from grader.simt.numba.reading.source import Function, lambda_definition
from grader.simt.numba.unit import ExpressionForms, StatementForms, Unit
from grader.simt.program import nodes
from grader.simt.program.nodes import Expression, Static
from grader.simt.program.types import Closure


def _compile_definition(unit: Unit, node: ast.FunctionDef) -> nodes.Statement:
    if node.decorator_list:
        raise unit.refusal(node, fact("python.inner-decorator"))
    closure = _closure(unit, node, node)
    unit.met.add(node.name)
    if unit.env is not None:
        unit.env[node.name] = closure
    return nodes.Step(unit.site(node), ())


def _compile_lambda(unit: Unit, node: ast.Lambda) -> Expression:
    if id(node) in unit.closures:
        return Static(unit.closures[id(node)])
    return Static(_closure(unit, node, lambda_definition(node)))


def _closure(
    unit: Unit, node: ast.FunctionDef | ast.Lambda, definition: ast.FunctionDef
) -> Closure:
    """Return the type of a function that is defined here; the same one in every pass."""
    if id(node) in unit.closures:
        return unit.closures[id(node)]
    captured = _captured(unit, node)
    plain = replace(unit.function, node=definition, qualified="", signatures=())
    closure = Closure(plain, _with_parameters(plain, captured), captured, unit.scopes[-1])
    unit.closures[id(node)] = closure
    unit.program.scopes[id(closure.full)] = unit.scopes
    return closure


def _captured(unit: Unit, node: ast.FunctionDef | ast.Lambda) -> tuple[str, ...]:
    """Return the variables that a function reads, also by calling others that read them."""
    captured = set(find_free(node) & unit.assigned)
    for name in tuple(captured):
        kind = (unit.env or {}).get(name)
        if isinstance(kind, Closure):
            captured |= {*kind.captured}
    return tuple(sorted(captured))


def _with_parameters(function: Function, names: tuple[str, ...]) -> Function:
    """Return the function with further parameters, and without defaults."""
    node, args = function.node, function.node.args
    more = [ast.copy_location(ast.arg(name), node) for name in names]
    own = [*args.posonlyargs, *args.args, *more]
    every = ast.arguments([], own, args.vararg, args.kwonlyargs, args.kw_defaults, args.kwarg, [])
    changed = ast.FunctionDef(node.name, every, node.body, [])
    return replace(function, node=ast.copy_location(changed, node))


EXPRESSIONS: ExpressionForms = {ast.Lambda: _compile_lambda}
STATEMENTS: StatementForms = {ast.FunctionDef: _compile_definition}
