"""Finds what makes arithmetic on float32 data float64, from the tree of a typed function.

One cause may widen many operations: a variable that starts as a float64, a literal, an argument.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from grader.facts import Fact, fact
from grader.simt.numba.reading.source import Function
from grader.simt.program.types import FLOAT32, FLOAT64, Scalar, Type, number


class WidenedOperation(NamedTuple):
    """An operation whose result is float64, though an operand is float32.

    Attributes:
        node: of the source: an operator, an augmented assignment, or a call.
        operator: as a message shows it.
        kinds: of the operands, as far as they are numbers.
    """

    node: ast.expr | ast.stmt
    operator: str
    kinds: tuple[Scalar | None, ...]


@dataclass(frozen=True)
class Cause:
    """What makes operations float64.

    Attributes:
        what: what is computed in float64, and why.
        first: the first of the operations.
    """

    node: ast.expr | ast.stmt
    what: Fact
    first: ast.expr | ast.stmt


class Widening:
    """The float64 arithmetic on float32 data that was found in a function so far."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._found: dict[tuple[Any, ...], WidenedOperation] = {}

    def note(
        self, node: ast.expr | ast.stmt, operator: str, result: Scalar, operands: tuple[Type, ...]
    ) -> None:
        """Note an operation; only one that widens float32 data is kept."""
        kinds = tuple(map(number, operands))
        if result == FLOAT64 and FLOAT32 in kinds:
            key = (*self._function.place(node), node.end_col_offset, operator)
            self._found[key] = WidenedOperation(node, operator, kinds)

    def causes(self) -> list[Cause]:
        """Find what makes the operations float64, once the function is compiled."""
        return _causes(self._function.node, list(self._found.values()), self._function.first)


def _causes(
    function: ast.FunctionDef, widened: Sequence[WidenedOperation], first_line: int
) -> list[Cause]:
    """Find what makes the operations float64: each cause with all of its operations."""
    origins = _WideningSources(
        function, {_place(operation.node): operation for operation in widened}
    )
    groups: dict[tuple[int, ...] | str, list[tuple[_WideningSource, WidenedOperation]]] = {}
    for operation in sorted(widened, key=lambda operation: _place(operation.node)):
        origin = origins.find(operation)
        groups.setdefault(origin.key, []).append((origin, operation))
    return [_cause(found, first_line) for found in groups.values()]


def _cause(found: Sequence[tuple[_WideningSource, WidenedOperation]], first_line: int) -> Cause:
    origin, first = found[0]
    lines = sorted({operation.node.lineno + first_line for _, operation in found})
    others = tuple(line for line in lines if line != origin.node.lineno + first_line)
    elsewhere = fact("float64.lines", n=len(others), lines=others)
    if origin.name and origin.kind is not None:
        what = fact(
            "finding.float64.variable",
            name=origin.name,
            kind=origin.kind,
            lines=elsewhere if others else fact("float64.this-line"),
        )
        return Cause(origin.node, what, first.node)
    other = next((k for k in first.kinds if k is not None and k != FLOAT32), FLOAT32)
    if first.operator.isidentifier():
        what = fact("finding.float64.call", function=first.operator, dtype=other.name)
    else:
        what = fact("finding.float64", operator=first.operator, dtype=other.name)
    if others:
        what = fact("finding.float64.also", cause=what, lines=elsewhere)
    return Cause(origin.node, what, first.node)


class _WideningSource(NamedTuple):
    """The origin of a float64; `name` of a variable that starts as one."""

    key: tuple[int, ...] | str
    node: ast.expr | ast.stmt
    name: str = ""
    kind: Fact | None = None


class _WideningSources:
    """Follows operands back to where they become float64."""

    def __init__(
        self, function: ast.FunctionDef, widened: Mapping[tuple[int, ...], WidenedOperation]
    ) -> None:
        self._widened = widened
        self._assigned: dict[str, list[tuple[ast.stmt, ast.expr]]] = {}
        self._accumulators: set[str] = set()
        for node in ast.walk(function):
            for name, value in _assignments(node):
                assert isinstance(node, ast.stmt)
                if _place(node) in widened or _reads(value, name):
                    self._accumulators.add(name)
                else:
                    self._assigned.setdefault(name, []).append((node, value))

    def find(
        self, operation: WidenedOperation, seen: frozenset[str] = frozenset()
    ) -> _WideningSource:
        """Return the cause of an operation: itself, if its operands lead no further."""
        own = _WideningSource(_place(operation.node), operation.node)
        operands = _operands(operation.node)
        if len(operands) != len(operation.kinds):
            return own
        others = [
            pair for pair in zip(operands, operation.kinds, strict=True) if pair[1] != FLOAT32
        ]
        others.sort(key=lambda pair: pair[1] != FLOAT64)
        if not others:
            return own
        operand, kind = others[0]
        return self._trace(operand, own, seen, whole=kind is not None and kind.kind in "iub")

    def _trace(
        self, node: ast.expr, use: _WideningSource, seen: frozenset[str], *, whole: bool
    ) -> _WideningSource:
        inner = self._widened.get(_place(node))
        if inner is not None and not isinstance(node, ast.Name):
            return self.find(inner, seen)
        if isinstance(node, ast.UnaryOp):
            return self._trace(node.operand, use, seen, whole=whole)
        if not isinstance(node, ast.Name):
            return use
        name = node.id
        if name in seen or (whole and name not in self._accumulators):
            return use
        starts = self._assigned.get(name, [])
        if not starts:
            return use if whole else _WideningSource(f"name {name}", use.node)
        for statement, value in starts:
            literal = _literal(value)
            if literal is not None:
                real = isinstance(literal, float)
                kind = fact("float64.float") if real else fact("float64.integer")
                return _WideningSource(_place(statement), statement, name, kind)
        return self._trace(starts[0][1], use, seen | {name}, whole=whole)


def _assignments(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield each name that a statement assigns, with its value."""
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _pairs(target, value)
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            yield name, value
        case ast.AugAssign(target=ast.Name(id=name) as target):
            yield name, target


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    match target, value:
        case ast.Name(id=name), _:
            yield name, value
        case ast.Tuple(elts=parts), ast.Tuple(elts=values) if len(parts) == len(values):
            for part, right in zip(parts, values, strict=True):
                yield from _pairs(part, right)


def _operands(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.BinOp(left=left, right=right):
            return [left, right]
        case ast.AugAssign(target=target, value=value):
            return [target, value]
        case ast.Call(args=[ast.Tuple(elts=parts)]):
            return parts
        case ast.Call(args=given):
            return given
    return []


def _literal(node: ast.expr) -> float | None:
    """Return the number of a literal; None for anything else."""
    match node:
        case ast.UnaryOp(operand=operand):
            return _literal(operand)
        case ast.Constant(value=int() | float() as value):
            return value
    return None


def _reads(node: ast.expr, name: str) -> bool:
    return any(isinstance(child, ast.Name) and child.id == name for child in ast.walk(node))


def _place(node: ast.expr | ast.stmt) -> tuple[int, ...]:
    return node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0
