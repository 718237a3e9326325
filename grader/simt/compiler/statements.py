"""Compiles statements, for threads that may be at different places.

A statement gets the mask of the threads that reach it and returns the mask of those that reach the
next (None: no thread). At `break`, `continue` and `return` none of them goes on.
"""

from __future__ import annotations

import ast
from contextlib import suppress

import numpy as np

from grader.facts import fact
from grader.simt.compiler.environment import copy_env, join_envs
from grader.simt.compiler.loops import count_branch
from grader.simt.compiler.merging import merge_result
from grader.simt.compiler.operations import decide_test
from grader.simt.compiler.raising import check_values, compile_raise, read_error
from grader.simt.compiler.unit import StatementForms, Unit
from grader.simt.errors import NotTyped, Refused
from grader.simt.machine.chunk import Split
from grader.simt.machine.turns import rejoin, take_paused
from grader.simt.machine.typed import (
    Execute,
    Frame,
    TypedValue,
)
from grader.simt.masks import Mask, unite
from grader.simt.reading.types import Array, Nothing


def _compile_expression(unit: Unit, node: ast.Expr) -> Execute:
    unit.unused = node.value  # an atomic's result, if it is one
    evaluate = unit.compile_expression(node.value).evaluate

    def execute(frame: Frame, mask: Mask) -> Mask:
        evaluate(frame, mask)
        return mask

    return execute


def _compile_assert(unit: Unit, node: ast.Assert) -> Execute:
    """Compile an assert: without `debug=True`, as in Numba, its test is only evaluated."""
    test = unit.compile_test(node.test)
    if isinstance(node.msg, ast.JoinedStr):
        raise unit.typing_error(node.msg, fact("python.no-text"))
    if unit.function.debug:
        text = [node.msg.value] if isinstance(node.msg, ast.Constant) else []
        fail = compile_raise(unit.function, node, AssertionError, *text)
        test = check_values(test, np.logical_not, fail)

    def execute(frame: Frame, mask: Mask) -> Mask:
        test(frame, mask)
        return mask

    return execute


def _compile_raise(unit: Unit, node: ast.Raise) -> Execute:
    """Compile a raise: the thread exits; with `debug=True` the launch ends."""
    kind, args = read_error(unit.function, node)
    unit.env = None
    site = unit.site(node)
    if unit.function.debug:
        return compile_raise(unit.function, node, kind, *args)

    if unit.is_kernel:
        return lambda frame, mask: frame.chunk.returned.append((mask, site))
    unit.exits = True
    return lambda frame, mask: frame.chunk.end(mask, site)


def _compile_global(unit: Unit, node: ast.Global) -> Execute:
    """Compile `global`, without which a name that is only read is global too."""
    written = sorted(unit.reassigned & {*node.names})
    if written:
        raise unit.typing_error(node, fact("python.no-global", name=written[0]))
    return lambda _frame, mask: mask


def _compile_if(unit: Unit, node: ast.If) -> Execute:
    holds = decide_test(unit, node.test)
    if holds is not None:
        return unit.compile_block(node.body if holds else node.orelse)
    test, site = unit.compile_test(node.test), unit.site(node)
    before = copy_env(unit.env)
    body = unit.compile_block(node.body)
    after, unit.env = unit.env, before
    other = unit.compile_block(node.orelse)
    unit.env = join_envs(after, unit.env)

    def execute(frame: Frame, mask: Mask) -> Mask | None:
        yes, no = mask.split(test(frame, mask))
        count_branch(site, mask, yes, no)
        if no is None:
            return body(frame, mask)
        if yes is None:
            return other(frame, mask)
        splits = frame.chunk.splits
        splits.append(Split(mask, site))
        left = body(frame, yes)
        paused = take_paused(frame)
        right = other(frame, no)
        splits.pop()
        if left is yes and right is no:
            return mask
        paused += take_paused(frame)
        return rejoin(frame, mask, unite(mask, left, right), paused)

    return execute


def _compile_result(unit: Unit, node: ast.expr | None) -> TypedValue:
    """Compile what is returned. `return a if test else b` is two returns, to a recursion's type."""
    if node is None:
        return TypedValue(Nothing())
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


def _compile_return(unit: Unit, node: ast.Return) -> Execute:
    typed = _compile_result(unit, node.value)
    if isinstance(typed.type, Array) and not unit.closed and not _is_parameter(unit, node.value):
        raise unit.typing_error(node, fact("python.returns-array", function=unit.function.name))
    unit.returns.append(typed.type)
    unit.env = None
    site, evaluate, is_kernel = unit.site(node), typed.evaluate, unit.is_kernel

    def execute(frame: Frame, mask: Mask) -> None:
        value = evaluate(frame, mask)
        if value is not None:
            merge_result(frame, mask, value)
        elif is_kernel:
            frame.chunk.returned.append((mask, site))

    return execute


FORMS: StatementForms = {
    ast.Expr: _compile_expression,
    ast.If: _compile_if,
    ast.Return: _compile_return,
    ast.Assert: _compile_assert,
    ast.Raise: _compile_raise,
    ast.Global: _compile_global,
}
