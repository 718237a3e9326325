"""Integers with what they would be if no unsigned operation wrapped, in 64 bits; see `Wraps`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import numpy as np

from grader.facts import fact
from grader.simt.checks.counters import Site
from grader.simt.checks.findings import UNSIGNED_WRAP
from grader.simt.intrinsics.overflow import check_overflow
from grader.simt.lockstep.merging import merge
from grader.simt.lockstep.scopes import Scope
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.conversion import convert
from grader.simt.machine.frame import Evaluate, Frame, Value
from grader.simt.machine.operators import BINARY, UNARY
from grader.simt.masks import Mask
from grader.simt.program import nodes
from grader.simt.program.nodes import Expression
from grader.simt.program.types import INT64, number
from grader.simt.program.wraps import is_followed

EvaluateBoth: TypeAlias = Callable[[Frame, Mask], tuple[Value, Value]]
"""Returns the value, and the exact one."""
_Build = Callable[[Expression, Scope], Evaluate]


def watch_index(node: Expression, place: Site, scope: Scope, build: _Build) -> Evaluate:
    """Return what evaluates an index, and warns of threads where it has wrapped.

    Args:
        place: of the operation that may wrap.
        build: returns what evaluates an expression.
    """
    both = exactly(node, scope, build)

    def evaluate(frame: Frame, mask: Mask) -> Value:
        value, exact = both(frame, mask)
        given = value.astype(np.int64)
        wrapped = given != exact
        lanes = mask.lanes
        wrapped = wrapped if lanes is None else wrapped & lanes
        if wrapped.any():
            first, used = (
                int(np.broadcast_to(each, wrapped.shape)[wrapped][0]) for each in (exact, given)
            )
            what = fact("finding.unsigned-wrap", value=first, index=used)
            here = ExecutionPoint(frame.chunk, mask, place)
            here.report("warning", wrapped, what, topic=UNSIGNED_WRAP)
        return value

    return evaluate


def set_exactly(
    operation: nodes.Set, store: Callable[[Frame, Mask, Value], None], scope: Scope, build: _Build
) -> Callable[[Frame, Mask], None]:
    """Return what gives a variable its value, and keeps the exact one beside it."""
    both, name = exactly(operation.value, scope, build), _key(operation.variable)

    def assign(frame: Frame, mask: Mask) -> None:
        value, exact = both(frame, mask)
        store(frame, mask, value)
        frame.values[name] = merge(mask, exact, frame.values.get(name))

    return assign


def exactly(node: Expression, scope: Scope, build: _Build) -> EvaluateBoth:
    """Return what evaluates an integer together with its exact value."""
    follow = partial(exactly, scope=scope, build=build)
    match node:
        case nodes.Read(_, variable):
            read, name = build(node, scope), _key(variable)

            def known(frame: Frame, mask: Mask) -> tuple[Value, Value]:
                value, exact = read(frame, mask), frame.values.get(name)
                return value, value.astype(np.int64) if exact is None else exact

            return known
        case nodes.Operate() if is_followed(node):
            return _operate(node, [follow(part) for part in node.operands], scope)
        case nodes.Convert(kind, operand) if is_followed(node):
            inner, dtype = follow(operand), number(kind)
            assert dtype is not None  # it is an integer

            def converted(frame: Frame, mask: Mask) -> tuple[Value, Value]:
                value, exact = inner(frame, mask)
                return convert(value, dtype), exact

            return converted
        case nodes.Observe(_, operand):
            return follow(operand)
        case nodes.Choose(_, test, yes, no):
            return _choose(build(test, scope), follow(yes), follow(no))
    evaluate = build(node, scope)

    def same(frame: Frame, mask: Mask) -> tuple[Value, Value]:
        value = evaluate(frame, mask)
        return value, value.astype(np.int64)

    return same


def _operate(node: nodes.Operate, operands: list[EvaluateBoth], scope: Scope) -> EvaluateBoth:
    operator, dtype = node.operator, number(node.type)
    assert dtype is not None  # it is an integer
    apply = (UNARY if len(operands) == 1 else BINARY)[operator]
    site = node.site if id(node) in scope.checked else None

    def evaluate(frame: Frame, mask: Mask) -> tuple[Value, Value]:
        given, exact = zip(*(each(frame, mask) for each in operands), strict=True)
        value = convert(apply(*given), dtype)
        if site is not None:
            check_overflow(operator, ExecutionPoint(frame.chunk, mask, site), value, *given)
        return value, convert(apply(*exact), INT64)

    return evaluate


def _choose(test: Evaluate, yes: EvaluateBoth, no: EvaluateBoth) -> EvaluateBoth:
    def evaluate(frame: Frame, mask: Mask) -> tuple[Value, Value]:
        here, there = mask.split(test(frame, mask))
        if here is None or there is None:
            return (yes if there is None else no)(frame, mask)
        pairs = zip(yes(frame, here), no(frame, there), strict=True)
        value, exact = (merge(here, *pair) for pair in pairs)
        return value, exact

    return evaluate


def _key(variable: str) -> tuple[str, str]:
    return "exact", variable
