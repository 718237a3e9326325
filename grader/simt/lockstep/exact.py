"""Integers with what they would be if no unsigned operation wrapped, in 64 bits; see `Wraps`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from grader.facts import fact
from grader.simt.checks.counters import Site
from grader.simt.checks.findings import UNSIGNED_WRAP
from grader.simt.lockstep.merging import merge
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
_Build = Callable[[Expression], Evaluate]


def watch_index(node: Expression, place: Site, build: _Build) -> Evaluate:
    """Return what evaluates an index, and warns of threads where it has wrapped.

    Args:
        node: the index.
        place: of the operation that may wrap.
        build: returns what evaluates an expression.
    """
    both = exactly(node, build)

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
    operation: nodes.Set, store: Callable[[Frame, Mask, Value], None], build: _Build
) -> Callable[[Frame, Mask], None]:
    """Return what gives a variable its value, and keeps the exact one beside it."""
    both, name = exactly(operation.value, build), _key(operation.variable)

    def assign(frame: Frame, mask: Mask) -> None:
        value, exact = both(frame, mask)
        store(frame, mask, value)
        frame.values[name] = merge(mask, exact, frame.values.get(name))

    return assign


def exactly(node: Expression, build: _Build) -> EvaluateBoth:
    """Return what evaluates an integer together with its exact value."""
    match node:
        case nodes.Read(_, variable):
            read, name = build(node), _key(variable)

            def known(frame: Frame, mask: Mask) -> tuple[Value, Value]:
                value, exact = read(frame, mask), frame.values.get(name)
                return value, value.astype(np.int64) if exact is None else exact

            return known
        case nodes.Operate() if is_followed(node):
            return _operate(node, [exactly(part, build) for part in node.operands])
        case nodes.Convert(kind, operand) if is_followed(node):
            inner, dtype = exactly(operand, build), number(kind)
            assert dtype is not None  # it is an integer

            def converted(frame: Frame, mask: Mask) -> tuple[Value, Value]:
                value, exact = inner(frame, mask)
                return convert(value, dtype), exact

            return converted
        case nodes.Observe(_, operand):
            return exactly(operand, build)
        case nodes.Choose(_, test, yes, no):
            return _choose(build(test), exactly(yes, build), exactly(no, build))
    evaluate = build(node)

    def same(frame: Frame, mask: Mask) -> tuple[Value, Value]:
        value = evaluate(frame, mask)
        return value, value.astype(np.int64)

    return same


def _operate(node: nodes.Operate, operands: list[EvaluateBoth]) -> EvaluateBoth:
    apply = (UNARY if len(operands) == 1 else BINARY)[node.operator]
    dtype = number(node.type)
    assert dtype is not None  # it is an integer

    def evaluate(frame: Frame, mask: Mask) -> tuple[Value, Value]:
        values, exact = zip(*(each(frame, mask) for each in operands), strict=True)
        return convert(apply(*values), dtype), convert(apply(*exact), INT64)

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
