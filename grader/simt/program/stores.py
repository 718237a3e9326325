"""Which parameters of a kernel point to what it may write: nothing races in the other arrays.

Every assignment of a pointer is followed, wherever it is, through the functions that are called. A
pointer that memory held, or that was made of a number, may point to anything.
"""

from __future__ import annotations

from collections.abc import Iterable

from grader.simt.program import nodes
from grader.simt.program.nodes import Expression
from grader.simt.program.types import Pointer, Tuple, Type
from grader.simt.program.walking import (
    operands,
    own_expressions,
    own_operations,
    walk_expression,
    walk_statements,
)

_Variable = tuple[int, str]
"""The id of a function, and a name in it; "" for its result."""
_ANYTHING: _Variable = (0, "")
_LOADS = nodes.ATOMIC_LOADS


def written_parameters(kernel: nodes.Function) -> frozenset[str] | None:
    """Return the parameters that may point to what a kernel writes; None if that is not known."""
    flow = _Flow()
    flow.follow(kernel)
    reached = flow.reached()
    if _ANYTHING in reached:
        return None
    return frozenset(name for name in kernel.parameters if (id(kernel), name) in reached)


class _Flow:
    """From each variable to those whose pointers it may hold."""

    def __init__(self) -> None:
        self._sources: dict[_Variable, set[_Variable]] = {}
        self._written: set[_Variable] = set()
        self._seen: set[int] = set()

    def follow(self, function: nodes.Function) -> None:
        """Note what a function does with pointers, and what those do that it calls."""
        if id(function) in self._seen:
            return
        self._seen.add(id(function))
        for statement in walk_statements(function.body):
            for operation in own_operations(statement):
                match operation:
                    case nodes.Set(variable, value):
                        self._assign(function, (id(function), variable), value)
                    case nodes.Store(place) | nodes.Update(place):
                        self._write(function, place)
            if isinstance(statement, nodes.Return) and statement.value is not None:
                self._assign(function, (id(function), ""), statement.value)
            for expression in own_expressions(statement):
                self._expressions(function, walk_expression(expression))

    def reached(self) -> set[_Variable]:
        """Return the variables that may hold what is written to."""
        found, left = set[_Variable](), list(self._written)
        while left:
            variable = left.pop()
            if variable not in found:
                found.add(variable)
                left += self._sources.get(variable, ())
        return found

    def _expressions(self, function: nodes.Function, expressions: Iterable[Expression]) -> None:
        for node in expressions:
            match node:
                case nodes.Keep(_, variable, operand):
                    self._assign(function, (id(function), variable), operand)
                case nodes.Perform(name=does, operands=given, alone=False) if does not in _LOADS:
                    for operand in given:
                        if _holds_pointers(operand.type):
                            self._written |= self._roots(function, operand)
                case nodes.Call(_, callee, given):
                    self.follow(callee)
                    for name, value in zip(callee.parameters, given, strict=True):
                        self._assign(function, (id(callee), name), value)

    def _assign(self, function: nodes.Function, variable: _Variable, value: Expression) -> None:
        if _holds_pointers(value.type):
            self._sources.setdefault(variable, set()).update(self._roots(function, value))

    def _write(self, function: nodes.Function, place: nodes.Place) -> None:
        if isinstance(place, nodes.Target):
            self._written |= self._roots(function, place.pointer)

    def _roots(self, function: nodes.Function, node: Expression) -> set[_Variable]:
        """Return the variables that the pointers of a value are from."""
        match node:
            case nodes.Read(_, variable):
                return {(id(function), variable)}
            case nodes.Call(_, callee):
                return {(id(callee), "")}
            case nodes.AddressOf() | nodes.Number() | nodes.Convert(operand=nodes.Number()):
                return set()
            case nodes.Load():
                return {_ANYTHING}
        parts = [part for part in operands(node) if _holds_pointers(part.type)]
        if not parts:
            return {_ANYTHING}
        return set[_Variable]().union(*(self._roots(function, part) for part in parts))


def _holds_pointers(kind: Type) -> bool:
    return isinstance(kind, Pointer) or (
        isinstance(kind, Tuple) and any(map(_holds_pointers, kind.items))
    )
