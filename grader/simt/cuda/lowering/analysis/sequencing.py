"""Finds changes of a variable that C++17 does not order with another use of it.

Ordered are: both sides of an assignment (the right one first), of `<<`, `>>`, `&&`, `||` and `,`,
an array and its index, a test and what it chooses, and the values of a list in braces. Operands of
other operators are not, nor are the arguments of a call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.lowering.analysis.addressed import Nodes
from grader.simt.cuda.places import Place

_CHANGING = (syntax.Assignment, syntax.Postfix, syntax.Unary)
_KINDS = frozenset(_CHANGING)
_ORDERED = ("<<", ">>", "&&", "||")


@dataclass(eq=False)
class _Uses:
    """The variables that an expression reads and changes, by name."""

    read: set[str] = field(default_factory=set)
    changed: dict[str, Place] = field(default_factory=dict)

    def add(self, other: _Uses) -> None:
        self.read |= other.read
        self.changed |= other.changed


def find_unsequenced(function: declared.Function, nodes: Nodes) -> Mapping[Place, str]:
    """Return each place of a function where a variable changes in no order with another use."""
    found: dict[Place, str] = {}
    if function.body is None or _KINDS.isdisjoint(nodes):
        return found
    if _change_within(nodes):
        _look(function.body, found)
    return found


def _change_within(nodes: Nodes) -> bool:
    """Return True if a part of an expression changes a variable.

    A change that is all of a statement, or of what a loop does after each round, is ordered.
    """
    changing = [each for kind in _CHANGING for each in nodes.get(kind, ()) if _changes(each)]
    if not changing:
        return False
    whole = [each.expression for each in nodes.get(syntax.ExpressionStatement, ())]
    whole += [each.step for each in nodes.get(syntax.For, ())]
    return len(changing) > sum(map(_changes, whole))


def _changes(node: syntax.Node | None) -> bool:
    """Return True for what changes a variable; without one there is nothing to order."""
    if isinstance(node, syntax.Unary):
        return node.operator in ("++", "--")
    return isinstance(node, _CHANGING)


def _look(node: syntax.Node, found: dict[Place, str]) -> _Uses:
    """Return what a node reads and changes; add what is not ordered in it."""
    match node:
        case syntax.Name():
            return _Uses({node.spelled})
        case syntax.SizeOf() | syntax.Lambda():  # what is in a lambda happens where it is called
            return _Uses()
        case syntax.Unary(_, "++" | "--", operand) | syntax.Postfix(_, _, operand):
            return _change(node.place, operand, _look(operand, found))
        case syntax.Assignment(_, _, target, value):
            uses = _look(value, found)
            uses.add(_look(target, found))
            return _change(node.place, target, uses)
        case syntax.Binary(_, operator, left, right) if operator not in _ORDERED:
            return _unordered([left, right], found)
        case syntax.Call(_, function, arguments):
            uses = _look(function, found)
            uses.add(_unordered(arguments, found))
            return uses
        case syntax.Construction(_, _, parts, False) | syntax.Initializer(_, "()", parts):
            return _unordered(parts, found)
    uses = _Uses()
    for child in trees.children(node):
        uses.add(_look(child, found))
    return uses


def _change(place: Place, target: syntax.Expression, uses: _Uses) -> _Uses:
    if isinstance(target, syntax.Name):
        uses.changed[target.spelled] = place
    return uses


def _unordered(parts: Sequence[syntax.Expression], found: dict[Place, str]) -> _Uses:
    every = _Uses()
    for part in parts:
        uses = _look(part, found)
        for one, other in ((uses, every), (every, uses)):
            for name, place in one.changed.items():
                if name in other.changed or name in other.read:
                    found.setdefault(place, name)
        every.add(uses)
    return every
