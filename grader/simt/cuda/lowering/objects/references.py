"""Members that are references: each holds where that is which it refers to, which is in memory."""

from __future__ import annotations

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.conversions import rvalue
from grader.simt.cuda.lowering.model.types import ReferenceTo
from grader.simt.cuda.lowering.model.values import MemoryPlace, Plain, Value, variables_in
from grader.simt.cuda.lowering.objects.bases import to_base
from grader.simt.cuda.lowering.objects.stored_closures import Exposed, root_name
from grader.simt.cuda.lowering.unit import CudaUnit


def follow(unit: CudaUnit, node: syntax.Node, value: Value) -> Value:
    """Return what a member refers to; of any other value itself."""
    kind = value.type
    if not isinstance(kind, ReferenceTo):
        return value
    pointer = rvalue(unit, node, value)
    return MemoryPlace(kind.target, unit.hold(pointer.node), kind.const)


def refer_to(unit: CudaUnit, node: syntax.Node, value: Value, kind: ReferenceTo) -> Plain:
    """Return what a member holds that refers to a place.

    Raises:
        Refused: it is no place, has another type, or is const.
        Exposed: it is in a register; the function is lowered again with it in memory.
    """
    if isinstance(value.type, ReferenceTo):
        return rvalue(unit, node, value)
    place = to_base(value, kind.target)
    names = frozenset(map(root_name, variables_in(place)))
    if place.type == kind.target and names - unit.addressed:
        raise Exposed(unit, names, node)
    if not isinstance(place, MemoryPlace):
        what = fact("cpp.no-address") if names else fact("cpp.reference-to-value")
        raise unit.refusal(node, what)
    if place.type != kind.target:
        what = fact("cpp.no-conversion", type=place.type.name, wanted=kind.target.name)
        raise unit.error(node, what)
    if place.const and not kind.const:
        raise unit.error(node, fact("cpp.const"))
    return Plain(kind, unit.hold(place.pointer))
