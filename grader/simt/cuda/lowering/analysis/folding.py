"""Folds expressions of numbers: what is known before a launch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from grader.simt.lockstep.independent import make_chunk, run_function
from grader.simt.machine.chunk import OutOfBudget
from grader.simt.machine.conversion import convert, uniform
from grader.simt.machine.operators import BINARY, UNARY
from grader.simt.program import nodes
from grader.simt.program.types import Pointer, Scalar, number
from grader.simt.program.walking import walk_block

MOST_OPERATIONS = 200_000
"""Of a call whose result has to be constant."""


def fold(node: nodes.Expression) -> Any:
    """Return the number that an expression is, as Python's; None if it is not known."""
    vector = _vector(node)
    return None if vector is None else vector[0, 0].item()


def evaluate(node: nodes.Expression, before: Sequence[nodes.Operation] = ()) -> Any:
    """Return what `fold` does, also of calls: C++ asks for a constant here.

    What is emitted `before` may only locate what calls are given and do not look at.
    """
    located = (isinstance(each, nodes.Set) and _is_address(each.value) for each in before)
    return fold(_call_all(node)) if all(located) else None


def _is_address(node: nodes.Expression) -> bool:
    return isinstance(node.type, Pointer) and isinstance(node, (nodes.AddressOf, nodes.Convert))


def _reads(function: nodes.Function) -> bool:
    """Return True for a function that looks at memory, or may."""
    every = walk_block(function.body)
    return any(isinstance(each, (nodes.Load, nodes.Call, nodes.Perform)) for each in every)


def _call_all(node: nodes.Expression) -> nodes.Expression:
    """Return an expression with the numbers that calls of constants return."""
    if isinstance(node, nodes.Call):
        given = [
            0 if isinstance(each.type, Pointer) and not _reads(node.function)
            else fold(_call_all(each))
            for each in node.arguments
        ]  # fmt: skip
        known = None if None in given else _run(node.function, given)
        return node if known is None else nodes.Number(node.type, known)
    changed: dict[str, Any] = {}
    for each in fields(node):
        value = getattr(node, each.name)
        if isinstance(value, nodes.Expression):
            changed[each.name] = _call_all(value)
        elif isinstance(value, tuple) and value and isinstance(value[0], nodes.Expression):
            changed[each.name] = tuple(map(_call_all, value))
    return replace(node, **changed) if changed else node


def _run(function: nodes.Function, given: Sequence[Any]) -> Any:
    """Return what a function returns for numbers; None if that takes too long, or is no number."""
    kinds = [kind for each in function.types if (kind := number(each)) is not None]
    if number(function.result) is None or len(kinds) < len(given):
        return None
    pairs = zip(function.parameters, kinds, given, strict=True)
    arguments = {name: uniform(value, kind) for name, kind, value in pairs}
    try:
        found: Any = run_function(function, make_chunk(1, MOST_OPERATIONS), arguments)
    except OutOfBudget:
        return None
    return found[0, 0].item()


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
