"""Compiles statements other than assignments and loops."""

from __future__ import annotations

import ast
from contextlib import suppress

import numpy as np

from grader.facts import fact
from grader.simt.errors import NotTyped, Refused
from grader.simt.numba.environment import copy_env, join_envs
from grader.simt.numba.operations import decide_test
from grader.simt.numba.raising import compile_raise, raise_where, read_error
from grader.simt.numba.unit import StatementForms, Unit
from grader.simt.program import nodes
from grader.simt.program.nodes import Do, Exit, Expression, Nested, Perform, Static
from grader.simt.program.types import BOOL, Array, Nothing


def _compile_expression(unit: Unit, node: ast.Expr) -> nodes.Statement:
    unit.unused = node.value  # an atomic's result, if it is one
    return nodes.Step(unit.site(node), (Do(unit.compile_expression(node.value)),))


def _compile_assert(unit: Unit, node: ast.Assert) -> nodes.Statement:
    """Compile an assert: without `debug=True`, as in Numba, its test is only evaluated."""
    test, site = unit.compile_test(node.test), unit.site(node)
    if isinstance(node.msg, ast.JoinedStr):
        raise unit.typing_error(node.msg, fact("python.no-text"))
    if unit.function.debug:
        text = [node.msg.value] if isinstance(node.msg, ast.Constant) else []
        fail = compile_raise(unit.function, node, AssertionError, *text)
        test = Perform(BOOL, "assert", raise_where(np.logical_not, fail), (test,), site)
    return nodes.Step(site, (Do(test),))


def _compile_raise(unit: Unit, node: ast.Raise) -> nodes.Statement:
    """Compile a raise: the thread exits; with `debug=True` the launch ends."""
    kind, args = read_error(unit.function, node)
    unit.env = None
    site = unit.site(node)
    if unit.function.debug:
        fail = compile_raise(unit.function, node, kind, *args)
        return nodes.Step(site, (Do(Perform(Nothing(), "raise", fail, (), site)),))
    unit.exits |= not unit.is_kernel
    return Exit(site)


def _compile_global(unit: Unit, node: ast.Global) -> nodes.Statement:
    """Compile `global`, without which a name that is only read is global too."""
    written = sorted(unit.reassigned & {*node.names})
    if written:
        raise unit.typing_error(node, fact("python.no-global", name=written[0]))
    return nodes.Step(unit.site(node), ())


def _compile_if(unit: Unit, node: ast.If) -> nodes.Statement:
    site, holds = unit.site(node), decide_test(unit, node.test)
    if holds is not None:
        return Nested(site, unit.compile_block(node.body if holds else node.orelse))
    test = unit.compile_test(node.test)
    before = copy_env(unit.env)
    body = unit.compile_block(node.body)
    after, unit.env = unit.env, before
    other = unit.compile_block(node.orelse)
    unit.env = join_envs(after, unit.env)
    return nodes.If(site, test, body, other)


def _compile_result(unit: Unit, node: ast.expr | None) -> Expression:
    """Compile what is returned. `return a if test else b` is two returns, to a recursion's type."""
    if node is None:
        return Static(Nothing())
    if not isinstance(node, ast.IfExp):
        return unit.compile_expression(node)
    try:
        return unit.compile_expression(node)
    except NotTyped:
        for branch in (node.body, node.orelse):
            with suppress(Refused):
                unit.returns.append(unit.compile_expression(branch).type)
        raise


def _is_parameter(unit: Unit, node: ast.expr | None) -> bool:
    """Return True for a parameter that keeps its value: the arrays that a function can return."""
    names = {*unit.function.parameters} - unit.reassigned
    return isinstance(node, ast.Name) and node.id in names


def _compile_return(unit: Unit, node: ast.Return) -> nodes.Statement:
    typed = _compile_result(unit, node.value)
    if isinstance(typed.type, Array) and not unit.closed and not _is_parameter(unit, node.value):
        raise unit.typing_error(node, fact("python.returns-array", function=unit.function.name))
    unit.returns.append(typed.type)
    unit.env = None
    return nodes.Return(unit.site(node), typed)


FORMS: StatementForms = {
    ast.Expr: _compile_expression,
    ast.If: _compile_if,
    ast.Return: _compile_return,
    ast.Assert: _compile_assert,
    ast.Raise: _compile_raise,
    ast.Global: _compile_global,
}
