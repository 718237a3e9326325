"""Structs as values: what their constructors make, and the operators that the source defines."""

from __future__ import annotations

from collections.abc import Sequence

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.conversions import convert, load, rvalue, whole
from grader.simt.cuda.lowering.types import CType, Struct
from grader.simt.cuda.lowering.unit import Unit
from grader.simt.cuda.lowering.values import Aggregate, Value


def has_constructor(kind: Struct) -> bool:
    """Return True if the source gives a struct a constructor."""
    source = kind.source
    return isinstance(source, syntax.Struct) and any(
        each.name == source.name and each.result is None for each in source.functions
    )


def construct(unit: Unit, node: syntax.Node, kind: Struct, given: Sequence[Value]) -> Value:
    """Return a struct made of arguments.

    Raises:
        Refused: nothing makes one of these.
    """
    if len(given) == 1 and given[0].type == kind:
        return load(unit, node, given[0])
    if has_constructor(kind):
        raise unit.refusal(node, fact("cpp.no-constructor", name=kind.name))
    if kind.name == "dim3":
        return _fill(unit, node, kind, given, 1)
    if len(given) > len(kind.members):
        raise unit.error(node, fact("cpp.too-many-values"))
    return _fill(unit, node, kind, given, 0)


def _fill(
    unit: Unit, node: syntax.Node, kind: Struct, given: Sequence[Value], rest: int
) -> Aggregate:
    members: list[Value] = []
    for at, member in enumerate(kind.members):
        if at < len(given):
            members.append(_member(unit, node, given[at], member.type))
        elif isinstance(member.type, Struct):
            members.append(_fill(unit, node, member.type, (), 0))
        else:
            members.append(convert(unit, node, whole(rest), member.type, cast=True))
    return Aggregate(kind, tuple(members))


def _member(unit: Unit, node: syntax.Node, given: Value, kind: CType) -> Value:
    if isinstance(kind, Struct):
        return construct(unit, node, kind, (given,))
    return convert(unit, node, rvalue(unit, node, given), kind)


def find_operator(
    unit: Unit, node: syntax.Node, operator: str, operands: Sequence[syntax.Expression]
) -> Value | None:
    """Return what an operator of the source's own gives; None if it has none for these operands."""
    if unit.module.defines_operator(operator):
        raise unit.refusal(node, fact("cpp.no-own-operators", name=operator, n=len(operands)))
    return None
