"""Structs as values: what their constructors make, and the operators that the source defines."""

from __future__ import annotations

from collections.abc import Sequence

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.conversions import convert, rvalue, whole
from grader.simt.cuda.lowering.types import CType, Struct
from grader.simt.cuda.lowering.unit import Unit
from grader.simt.cuda.lowering.values import Aggregate, Value


def fill_members(unit: Unit, node: syntax.Node, kind: Struct, given: Sequence[Value]) -> Value:
    """Return a struct whose members are given in order; the rest are zero, or 1 of a `dim3`.

    Raises:
        Refused: there are more values than members.
    """
    if len(given) > len(kind.members):
        raise unit.error(node, fact("cpp.too-many-values"))
    return _fill(unit, node, kind, given, 1 if kind.name == "dim3" else 0)


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
        made: Value = unit.module.hooks.make(unit, node, kind, (given,))
        return made
    return convert(unit, node, rvalue(unit, node, given), kind)
