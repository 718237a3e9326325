"""`for (x : range)`: over an array a loop over indices, over a struct one over its iterators."""

from __future__ import annotations

from dataclasses import replace

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.declarations import copy_of, declare
from grader.simt.cuda.lowering.expressions import lower
from grader.simt.cuda.lowering.model.types import ArrayOf, StructType, functions_of
from grader.simt.cuda.lowering.model.values import Aggregate, MemoryPlace, decayed_type
from grader.simt.cuda.lowering.unit import CudaUnit, TypeName
from grader.simt.cuda.places import Place

_RANGE, _AT, _END, _ELEMENT, _LIST = "range:", "at:", "end:", "element:", "list:"
"""Names that no source has."""


def loop_over(unit: CudaUnit, node: syntax.RangeFor) -> syntax.For:
    """Find the range, and return the loop that the statement stands for."""
    place = node.place
    if isinstance(node.range, syntax.BraceList):
        node = _listed(unit, node, node.range)
    over = lower(unit, node.range)
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


def _listed(unit: CudaUnit, node: syntax.RangeFor, given: syntax.BraceList) -> syntax.RangeFor:
    """Declare an array of what a list has, all of one type; return the loop over it."""
    with unit.unevaluated():
        kinds = [decayed_type(lower(unit, each)) for each in given.values]
    if not kinds or any(each != kinds[0] for each in kinds):
        raise unit.refusal(node, fact("cpp.no-range-for"))
    place, listed = node.place, _name(node.place, _LIST)
    unit.scopes.declare(_ELEMENT, TypeName(kinds[0]))
    element = syntax.NamedType(place, _name(place, _ELEMENT), const=True)
    value = syntax.Initializer(place, "{}", given.values)
    declare(unit, syntax.Variable(place, _LIST, syntax.ArrayType(place, element, None), value))
    return replace(node, range=listed)


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
