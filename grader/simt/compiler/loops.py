"""Compiles loops, whose threads may leave at different times; typed until no type changes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

import numpy as np

from grader.simt.checks.counters import Site
from grader.simt.compiler.assignments import compile_target
from grader.simt.compiler.environment import Env, copy_env, join_envs
from grader.simt.compiler.gathering import (
    GatheredFrame,
    LoopVariables,
    find_variables,
    is_sparse,
    may_gather,
)
from grader.simt.compiler.operations import as_tuple
from grader.simt.compiler.sequences import Element, as_series, common_type, range_bounds
from grader.simt.compiler.unit import StatementForms, Unit
from grader.simt.machine.chunk import Split
from grader.simt.machine.turns import settle
from grader.simt.machine.typed import (
    Evaluate,
    Execute,
    Frame,
    LoopMasks,
    PausedThreads,
    TypedValue,
    Value,
    as_type,
    is_value,
)
from grader.simt.masks import Mask, unite
from grader.simt.reading.liveness import may_spin
from grader.simt.reading.scopes import find_bound
from grader.simt.reading.types import (
    NamePath,
    Range,
    Scalar,
    Series,
    Text,
    Tuple,
    Type,
    number,
)

Store = Callable[[Frame, Mask, Value], None]


class _Loop(NamedTuple):
    """A loop that was compiled.

    Attributes:
        body, other: one iteration, and `else`.
        variables: where its warps may be gathered, those that are gathered and put back; None
            where they may not.
    """

    body: Execute
    other: Execute
    variables: LoopVariables | None


class _Counted(NamedTuple):
    """A loop over numbers: the next, the step, how many, from a number to the element, rounds."""

    value: Value
    step: Value
    count: Value
    element: Element
    number: int


_PATIENCE = 16
"""Iterations without a thread leaving a loop that may spin, before those that left continue."""


def _compile_loop(
    unit: Unit, node: ast.For | ast.While, make: Callable[[], Execute], *, forever: bool = False
) -> _Loop:
    """Compile the body of a loop; what it assigns is known at its head in the next pass.

    Its `else` is compiled with the types at the head, and with names that only the body assigns.
    Afterwards `env` is that after `else`, joined with where the loop was left.
    """
    before = unit.inference.heads.get(id(node))
    head = None if unit.env is None else join_envs(unit.env, before)
    around, unit.called, returns = unit.called, set(), len(unit.returns)
    unit.env = copy_env(head)
    unit.loops.breaks.append([])
    unit.loops.continues.append([])
    unit.loops.assigned.append(find_bound([node]))
    try:
        body = make()
    finally:
        unit.loops.assigned.pop()
        continued, broken = unit.loops.continues.pop(), unit.loops.breaks.pop()
    back = unit.env
    for env in continued:
        back = join_envs(back, env)
    unit.inference.note_head(node, head, join_envs(head, back))
    unit.env = None if forever or head is None else {**(back or {}), **head}
    other = unit.compile_block(node.orelse)
    for env in broken:  # they come past `else`
        unit.env = join_envs(unit.env, env)
    gathers = may_gather(unit, node, unit.returns[returns:])
    unit.called |= around
    return _Loop(body, other, find_variables(unit, node) if gathers else None)


def _compile_for_body(unit: Unit, node: ast.For, kind: Type) -> tuple[_Loop, Store]:
    """Compile a `for`, and what stores an element in its target."""
    stores: list[Store] = []

    def make() -> Execute:
        stores.append(compile_target(unit, node.target, kind, node))
        return unit.compile_block(node.body)

    return _compile_loop(unit, node, make), stores[-1]


def _compile_while(unit: Unit, node: ast.While) -> Execute:
    site, tests = unit.site(node), []

    def make() -> Execute:
        tests.append(unit.compile_test(node.test))
        return unit.compile_block(node.body)

    forever = isinstance(node.test, ast.Constant) and bool(node.test.value)
    loop = _compile_loop(unit, node, make, forever=forever)
    test, spins = tests[-1], may_spin(node)

    def run(frame: Frame, mask: Mask, split: Split) -> list[Mask]:
        """Return the threads that leave at the head; the others are in the frame's loop."""
        outside, going, rounds = list[Mask](), mask, 0
        while True:
            if loop.variables is not None and is_sparse(frame, going):
                few = GatheredFrame(frame, going, loop.variables)
                outside += map(few.scatter_mask, run(few.frame, few.mask, split))
                few.put_back()
                break
            split.rounds += 1
            inside, done = going.split(test(frame, going))
            if not forever:
                count_branch(site, going, inside, done)
            frame.chunk.spend(site)
            if done is not None:
                outside.append(done)
            left = None if inside is None else _run_iteration(loop.body, frame, inside)
            if left is None:
                break
            rounds = rounds + 1 if left.count == going.count else 0
            going = left
            if spins and rounds > _PATIENCE and _may_pause(unit, frame, mask, going):
                frame.paused = PausedThreads(going, partial(execute, mask=going))
                break
        return outside

    def execute(frame: Frame, mask: Mask) -> Mask | None:
        with _enter_loop(frame, mask, site) as (masks, split):
            outside = run(frame, mask, split)
        paused, frame.paused = frame.paused, None
        left = _finish(frame, mask, outside, masks, loop.other)
        frame.paused = paused
        return left

    return execute


def _may_pause(unit: Unit, frame: Frame, came: Mask, going: Mask) -> bool:
    """Return True if other threads can continue, none of them in a block that stays."""
    if unit.program.grid_sync is not None or going.count == frame.chunk.everyone.count:
        return False
    stay = going.full.any(axis=1)
    return bool((going.full == came.full)[stay].all())


def _compile_for(unit: Unit, node: ast.For) -> Execute:
    iterated = as_tuple(node.iter) if isinstance(node.iter, ast.List) else node.iter
    typed = unit.compile_expression(iterated)
    match typed.type:
        case Range(dtype):
            return _compile_for_range(unit, node, typed, dtype)
        case Tuple(items) if _is_unrolled(unit, node.iter) and all(map(_is_unrollable, items)):
            kinds = tuple(number(item) or item for item in items)
            return _compile_for_each(unit, node, kinds, typed.evaluate)
        case Tuple(items):
            kind = common_type(unit, node.iter, items)
            return _compile_for_each(unit, node, (kind,) * len(items), typed.evaluate)
        case _:
            return _compile_for_series(unit, node, as_series(unit, node.iter, typed))


def _compile_for_series(unit: Unit, node: ast.For, typed: TypedValue) -> Execute:
    assert isinstance(typed.type, Series)  # it was just made

    def rounds(frame: Frame, mask: Mask) -> tuple[Value, Value, Value, Element]:
        zero = np.zeros((1, 1), dtype=np.int64)
        return zero, zero + 1, *typed.evaluate(frame, mask)

    return _compile_counted(unit, node, typed.type.kind, rounds)


def _compile_for_range(unit: Unit, node: ast.For, typed: TypedValue, dtype: Scalar) -> Execute:
    def rounds(frame: Frame, mask: Mask) -> tuple[Value, Value, Value, Element]:
        return *range_bounds(typed, frame, mask), lambda _frame, _mask, value: value

    return _compile_counted(unit, node, dtype, rounds, gathers=True)


def _compile_counted(
    unit: Unit,
    node: ast.For,
    kind: Type,
    rounds: Callable[[Frame, Mask], tuple[Value, Value, Value, Element]],
    *,
    gathers: bool = False,
) -> Execute:
    """Compile a loop whose iterations are counted before it begins.

    `rounds` gives the first number, the step, how many, and from a number to the element;
    `gathers` tells that an element depends on nothing but the number.
    """
    site = unit.site(node)
    loop, store = _compile_for_body(unit, node, kind)
    variables = loop.variables if gathers else None

    def run(frame: Frame, mask: Mask, split: Split, state: _Counted) -> list[Mask]:
        """Return the threads that leave at the head; the others are in the frame's loop."""
        outside = list[Mask]()
        going: Mask | None = mask
        value, step, count, element, number = state
        while going is not None:
            if variables is not None and is_sparse(frame, going):
                few = GatheredFrame(frame, going, variables)
                value, step, count = map(few.gather, (value, step, count))
                rest = _Counted(value, step, count, element, number)
                outside += map(few.scatter_mask, run(few.frame, few.mask, split, rest))
                few.put_back()
                break
            split.rounds += 1
            inside, done = going.split(count > number)
            count_branch(site, going, inside, done)
            frame.chunk.spend(site)
            if done is not None:
                outside.append(done)
            if inside is None:
                break
            store(frame, inside, element(frame, inside, value))
            going = _run_iteration(loop.body, frame, inside)
            number, value = number + 1, frame.chunk.patterns.advance(value, step)
        return outside

    def execute(frame: Frame, mask: Mask) -> Mask | None:
        state = _Counted(*rounds(frame, mask), 0)
        with _enter_loop(frame, mask, site) as (masks, split):
            outside = run(frame, mask, split, state)
        return _finish(frame, mask, outside, masks, loop.other)

    return execute


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
    unit: Unit, node: ast.For, items: tuple[Type, ...], values: Evaluate
) -> Execute:
    """Compile a loop over a tuple; its body once for each type of an item, as Numba does."""
    site = unit.site(node)
    versions: dict[Type, tuple[Store, Execute]] = {}

    def make() -> Execute:
        begun, after = unit.env, None
        for kind in dict.fromkeys(items):
            unit.env = copy_env(begun)
            store = compile_target(unit, node.target, kind, node)
            versions[kind] = store, unit.compile_block(node.body)
            after = join_envs(after, unit.env)
        unit.env = after if items else begun
        return lambda _frame, mask: mask

    loop = _compile_loop(unit, node, make)

    def execute(frame: Frame, mask: Mask) -> Mask | None:
        outside = list[Mask]()
        going: Mask | None = mask
        with _enter_loop(frame, mask, site) as (masks, split):
            for kind, value in zip(items, values(frame, mask), strict=True):
                if going is None:
                    break
                split.rounds += 1
                count_branch(site, going, going, None)
                store, body = versions[kind]
                store(frame, going, as_type(value, kind))
                going = _run_iteration(body, frame, going)
        if going is not None:
            outside.append(going)
        return _finish(frame, mask, outside, masks, loop.other)

    return execute


def _compile_break(unit: Unit, _node: ast.Break) -> Execute:
    return _compile_leaving(unit, unit.loops.breaks, lambda loop: loop.broken)


def _compile_continue(unit: Unit, _node: ast.Continue) -> Execute:
    return _compile_leaving(unit, unit.loops.continues, lambda loop: loop.continued)


def _compile_leaving(
    unit: Unit, envs: list[list[Env]], masks: Callable[[LoopMasks], list[Mask]]
) -> Execute:
    envs[-1].append(copy_env(unit.env))
    unit.env = None

    def execute(frame: Frame, mask: Mask) -> None:
        masks(frame.loops[-1]).append(mask)

    return execute


def count_branch(site: Site, mask: Mask, yes: Mask | None, no: Mask | None) -> None:
    """Count a branch of the warps of a mask, and how many of them diverge."""
    counts = site.counts
    counts["branches"] += mask.warps
    if yes is not None and no is not None:
        both = yes.by_warp & no.by_warp
        counts["divergent_branches"] += int(np.count_nonzero(both)) * (mask.blocks // len(both))


@contextmanager
def _enter_loop(frame: Frame, mask: Mask, site: Site) -> Iterator[tuple[LoopMasks, Split]]:
    """Enter a loop. An error leaves its `Split` on the stack: the budget names the loop by it."""
    loop, split = LoopMasks(), Split(mask, site)
    frame.loops.append(loop)
    frame.chunk.splits.append(split)
    yield loop, split
    frame.chunk.splits.pop()
    frame.loops.pop()


def _run_iteration(body: Execute, frame: Frame, mask: Mask) -> Mask | None:
    """Run one iteration; return the threads that reach the next."""
    loop = frame.loops[-1]
    left = settle(frame, mask, body(frame, mask))
    if not loop.continued:
        return left
    going = unite(mask, left, *loop.continued)
    loop.continued.clear()
    return going


def _finish(
    frame: Frame, mask: Mask, outside: list[Mask], loop: LoopMasks, other: Execute
) -> Mask | None:
    """Return the threads that leave a loop; `else` runs for those that did not break."""
    done = unite(mask, *outside)
    if done is not None:
        done = settle(frame, done, other(frame, done))
    return unite(mask, done, *loop.broken)


FORMS: StatementForms = {
    ast.For: _compile_for,
    ast.While: _compile_while,
    ast.Break: _compile_break,
    ast.Continue: _compile_continue,
}
