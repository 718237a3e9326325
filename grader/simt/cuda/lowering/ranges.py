"""`for (x : range)`: over an array a loop over indices, over a struct one over its iterators."""

from __future__ import annotations

from dataclasses import replace

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.declarations import copy_of
from grader.simt.cuda.lowering.expressions import lower
from grader.simt.cuda.lowering.model.types import ArrayOf, StructType, functions_of
from grader.simt.cuda.lowering.model.values import Aggregate, MemoryPlace
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.cuda.places import Place

_RANGE, _AT, _END = "range:", "at:", "end:"
"""Names that no source has."""


def loop_over(unit: CudaUnit, node: syntax.RangeFor) -> syntax.For:
    """Find the range, and return the loop that the statement stands for."""
    place, over = node.place, lower(unit, node.range)
    if isinstance(over, MemoryPlace):
        unit.scopes.declare(_RANGE, unit.hold_place(over))
    elif isinstance(over, Aggregate) and isinstance(node.range, syntax.Name):  # a variable
        unit.scopes.declare(_RANGE, over)
    elif isinstance(over, Aggregate):  # what a call returned: it lives as long as the loop
        unit.scopes.declare(_RANGE, copy_of(unit, node, (_RANGE,), over))
    else:
        raise unit.refusal(node, fact("cpp.no-range-for"))
    at, end = _name(place, _AT), _name(place, _END)
    if isinstance(over.type, ArrayOf):
        first = _variable(place, _AT, "int", syntax.IntegerLiteral(place, 0, "int"))
        length = syntax.IntegerLiteral(place, over.type.length or 0, "int")
        element = syntax.Index(place, _name(place, _RANGE), at)
        return _loop(node, (first,), syntax.Binary(place, "<", at, length), element)
    kind = over.type
    if not isinstance(kind, StructType) or not {"begin", "end"} <= _functions_of(kind):
        raise unit.refusal(node, fact("cpp.no-range-for"))
    begun = (
        _variable(place, _AT, "auto", _call(place, "begin")),
        _variable(place, _END, "auto", _call(place, "end")),
    )
    return _loop(node, begun, syntax.Binary(place, "!=", at, end), syntax.Unary(place, "*", at))


def _functions_of(kind: StructType) -> set[str]:
    return set() if kind.source is None else {each.name for each in functions_of(kind)}


def _loop(
    node: syntax.RangeFor,
    begun: tuple[syntax.Variable, ...],
    condition: syntax.Expression,
    element: syntax.Expression,
) -> syntax.For:
    place, variable = node.place, node.variable
    declared = replace(variable, initializer=syntax.Initializer(place, "=", (element,)))
    body = (syntax.DeclarationStatement(variable.place, (declared,)), node.body)
    return syntax.For(
        place,
        syntax.DeclarationStatement(place, begun),
        condition,
        syntax.Unary(place, "++", _name(place, _AT)),
        syntax.Compound(place, body, place),
        node.unroll,
    )


def _variable(place: Place, name: str, kind: str, value: syntax.Expression) -> syntax.Variable:
    own = syntax.NamedType(place, _name(place, kind))
    return syntax.Variable(place, name, own, syntax.Initializer(place, "=", (value,)))


def _name(place: Place, name: str) -> syntax.Name:
    return syntax.Name(place, (syntax.NamePart(place, name),))


def _call(place: Place, name: str) -> syntax.Call:
    member = syntax.Member(place, _name(place, _RANGE), syntax.NamePart(place, name))
    return syntax.Call(place, member, ())
