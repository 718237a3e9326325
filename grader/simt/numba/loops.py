"""Compiles loops, whose threads may leave at different times; typed until no type changes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.numba.assignments import compile_target
from grader.simt.numba.environment import Env, copy_env, join_envs
from grader.simt.numba.operations import as_tuple
from grader.simt.numba.sequences import as_series, common_type, range_bounds
from grader.simt.numba.typed import Iteration, constant, hold, is_value, item, temporary
from grader.simt.numba.unit import StatementForms, Unit
from grader.simt.program import nodes
from grader.simt.program.nodes import (
    Apply,
    Convert,
    Expression,
    Loop,
    Operation,
    Perform,
    Read,
    Set,
    Static,
    Unrolled,
)
from grader.simt.program.types import (
    BOOL,
    INT64,
    NamePath,
    Range,
    Scalar,
    Text,
    Tuple,
    Type,
    number,
)


def _compile_loop(
    unit: Unit, node: ast.For | ast.While, make: Callable[[], nodes.Block], *, forever: bool = False
) -> tuple[nodes.Block, nodes.Block]:
    """Compile the body of a loop, and its `else`.

    What the body assigns is known at its head in the next pass. The `else` is compiled with the
    types at the head, and with names that only the body assigns. Afterwards `env` is that after
    `else`, joined with where the loop was left.
    """
    before = unit.inference.heads.get(id(node))
    head = None if unit.env is None else join_envs(unit.env, before)
    unit.env = copy_env(head)
    unit.loops.breaks.append([])
    unit.loops.continues.append([])
    try:
        body = make()
    finally:
        continued, broken = unit.loops.continues.pop(), unit.loops.breaks.pop()
    back = unit.env
    for env in continued:
        back = join_envs(back, env)
    unit.inference.note_head(node, head, join_envs(head, back))
    unit.env = None if forever or head is None else {**(back or {}), **head}
    other = unit.compile_block(node.orelse)
    for env in broken:  # they come past `else`
        unit.env = join_envs(unit.env, env)
    return body, other


def _compile_while(unit: Unit, node: ast.While) -> nodes.Statement:
    site, tests = unit.site(node), list[Expression]()

    def make() -> nodes.Block:
        tests.append(unit.compile_test(node.test))
        return unit.compile_block(node.body)

    forever = isinstance(node.test, ast.Constant) and bool(node.test.value)
    body, other = _compile_loop(unit, node, make, forever=forever)
    test = None if forever else tests[-1]
    return Loop(site, (), test, (), body, (), other)


def _compile_for(unit: Unit, node: ast.For) -> nodes.Statement:
    iterated = as_tuple(node.iter) if isinstance(node.iter, ast.List) else node.iter
    typed = unit.compile_expression(iterated)
    match typed.type:
        case Range(dtype):
            return _compile_for_range(unit, node, typed, dtype)
        case Tuple(items) if _is_unrolled(unit, node.iter) and all(map(_is_unrollable, items)):
            return _compile_for_each(
                unit, node, tuple(number(item) or item for item in items), typed
            )
        case Tuple(items):
            kind = common_type(unit, node.iter, items)
            return _compile_for_each(unit, node, (kind,) * len(items), typed)
        case _:
            return _compile_for_series(unit, node, as_series(unit, node.iter, typed))


def _compile_for_series(unit: Unit, node: ast.For, series: Iteration) -> nodes.Statement:
    """Compile a loop over a series, whose rounds are numbered."""
    counts, count = hold(series.count)
    begin = [*series.begin, *counts]
    at = Read(INT64, temporary())
    return _compile_counted(unit, node, _Rounds(begin, at, count, series.element(at), ()))


def _compile_for_range(
    unit: Unit, node: ast.For, typed: Expression, dtype: Scalar
) -> nodes.Statement:
    """Compile a loop over numbers: the next one only moves what is known of the one before."""
    whole, bounds = hold(range_bounds(typed, dtype))
    value, step, count = (Read(kind, temporary()) for kind in (dtype, dtype, INT64))
    at, site = Read(INT64, temporary()), unit.site(node)
    begin = [
        *whole,
        *(
            Set(part.variable, item(bounds, place))
            for place, part in enumerate((value, step, count))
        ),
    ]
    advance = Set(
        value.variable, Perform(dtype, "advance", _advance, (value, step), site, alone=True)
    )
    return _compile_counted(unit, node, _Rounds(begin, at, count, value, (advance,)))


def _advance(here: ExecutionPoint, value: Value, step: Value) -> Value:
    return here.chunk.patterns.advance(value, step)


class _Rounds(NamedTuple):
    """The rounds of a loop that are counted before it begins.

    Attributes:
        at: the number of a round, from 0.
    """

    begin: list[Operation]
    at: Read
    size: Expression
    element: Expression
    step: tuple[Operation, ...]


def _compile_counted(unit: Unit, node: ast.For, rounds: _Rounds) -> nodes.Statement:
    """Compile a loop whose rounds are counted before it begins."""
    enter: list[tuple[Operation, ...]] = []

    def make() -> nodes.Block:
        enter.append(tuple(compile_target(unit, node.target, rounds.element)))
        return unit.compile_block(node.body)

    site, at = unit.site(node), rounds.at
    body, other = _compile_loop(unit, node, make)
    begin = (*rounds.begin, Set(at.variable, constant(0, INT64)))
    test = Apply(BOOL, ">", np.greater, (rounds.size, at))
    step = (*rounds.step, Set(at.variable, Apply(INT64, "next", _next, (at,))))
    return Loop(site, begin, test, enter[-1], body, step, other, counted=True)


def _next(at: Value) -> Value:
    return at + 1


def _is_unrolled(unit: Unit, node: ast.expr) -> bool:
    """Return True for `literal_unroll(…)` by that name, over whose items a body is typed for each.

    Numba unrolls nothing for `cuda.literal_unroll(…)`.
    """
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return False
    return unit.compile_expression(node.func).type == NamePath("cuda.literal_unroll")


def _is_unrollable(kind: Type) -> bool:
    return is_value(kind) or isinstance(kind, Text)


def _compile_for_each(
    unit: Unit, node: ast.For, kinds: tuple[Type, ...], typed: Expression
) -> nodes.Statement:
    """Compile a loop over a tuple; its body once for each type of an item, as Numba does."""
    begin, whole = hold(typed)
    assert isinstance(typed.type, Tuple)  # the caller has looked
    current = temporary()
    versions: dict[Type, tuple[list[Operation], nodes.Block]] = {}

    def make() -> nodes.Block:
        begun, after = unit.env, None
        for kind in dict.fromkeys(kinds):
            unit.env = copy_env(begun)
            element = Read(kind, current) if is_value(kind) else Static(kind)
            store = compile_target(unit, node.target, element)
            versions[kind] = store, unit.compile_block(node.body)
            after = join_envs(after, unit.env)
        unit.env = after if kinds else begun
        return ()

    _, other = _compile_loop(unit, node, make)
    rounds = []
    for place, kind in enumerate(kinds):
        store, body = versions[kind]
        part = item(whole, place)
        given = part if part.type == kind else Convert(kind, part)
        rounds.append(((Set(current, given), *store), body))
    return Unrolled(unit.site(node), tuple(begin), tuple(rounds), other)


def _compile_break(unit: Unit, node: ast.Break) -> nodes.Statement:
    _leave(unit, unit.loops.breaks)
    return nodes.Break(unit.site(node))


def _compile_continue(unit: Unit, node: ast.Continue) -> nodes.Statement:
    _leave(unit, unit.loops.continues)
    return nodes.Continue(unit.site(node))


def _leave(unit: Unit, envs: list[list[Env]]) -> None:
    envs[-1].append(copy_env(unit.env))
    unit.env = None


FORMS: StatementForms = {
    ast.For: _compile_for,
    ast.While: _compile_while,
    ast.Break: _compile_break,
    ast.Continue: _compile_continue,
}
