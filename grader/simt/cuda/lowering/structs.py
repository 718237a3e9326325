"""Structs as values: what their constructors make, and the operators that the source defines."""

from __future__ import annotations

from collections.abc import Sequence

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.conversions import convert, rvalue, whole
from grader.simt.cuda.lowering.types import CType, Struct
from grader.simt.cuda.lowering.unit import Unit
from grader.simt.cuda.lowering.values import Aggregate, Value


def fill_members(
    unit: Unit, node: syntax.Node, kind: Struct, given: Sequence[Value | None]
) -> Value:
    """Return a struct whose members are given in order; the rest are zero, or 1 of a `dim3`.

    A member for which None is given is zero, too.

    Raises:
        Refused: there are more values than members.
    """
    if len(given) > len(kind.members):
        raise unit.error(node, fact("cpp.too-many-values"))
    members: list[Value] = []
    for at, member in enumerate(kind.members):
        value = given[at] if at < len(given) else None
        if value is not None:
            members.append(_member(unit, node, value, member.type))
        elif isinstance(member.type, Struct):
            members.append(unit.module.hooks.make(unit, node, member.type, ()))
        else:
            rest = whole(1 if kind.name == "dim3" else 0)
            members.append(convert(unit, node, rest, member.type, cast=True))
    return Aggregate(kind, tuple(members))


def _member(unit: Unit, node: syntax.Node, given: Value, kind: CType) -> Value:
    if isinstance(kind, Struct):
        made: Value = unit.module.hooks.make(unit, node, kind, (given,))
        return made
    return convert(unit, node, rvalue(unit, node, given), kind)
