"""Lambdas that are stored: in structs, in variables of their own, or as results.

One that is stored holds copies of what it captures by value, and pointers to what it captures by
reference, which has to live in memory from the beginning: its function is lowered again.
"""

from __future__ import annotations

from grader.facts import fact
from grader.frozen import frozen
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.conversions import load, member_of, peek, rvalue
from grader.simt.cuda.lowering.model.types import MemberOf, PointerTo, StructType, is_closure
from grader.simt.cuda.lowering.model.values import (
    Aggregate,
    MemoryPlace,
    Plain,
    Value,
    returned_names,
)
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.errors import Refused


class Exposed(Exception):
    """Variables of a function have to live in memory: two references would be one register."""

    def __init__(self, unit: CudaUnit, names: frozenset[str], node: syntax.Node) -> None:
        super().__init__(names)
        self.unit = unit
        self.names = names
        self.node = node


def root_name(variable: str) -> str:
    """Return the source's name of a variable, of which a member or an element may be a part."""
    return variable.partition("'")[0].partition(".")[0].partition("[")[0]


def refuse_returned(unit: CudaUnit, node: syntax.Node, value: Value) -> Refused:
    """Make the error for the place of what a function returned a reference to.

    Raises:
        Exposed: the function can be lowered again with all that it may be in memory.
    """
    names = returned_names(value)
    if names - unit.addressed:
        raise Exposed(unit, names, node)
    return unit.refusal(node, fact("cpp.returned-reference"))


@frozen(eq=False)
class MadeIn:
    """Where a lambda is made, and the variables without an address that it refers to."""

    unit: CudaUnit
    names: frozenset[str]


def settle(unit: CudaUnit, node: syntax.Node, closure: Value) -> Aggregate:
    """Return what is stored of a closure: numbers, and pointers to what it refers to.

    Raises:
        Exposed: it refers to registers, which have to be in memory.
    """
    kind = closure.type
    assert isinstance(kind, StructType)  # a closure
    opened = open_closure(unit, node, closure)
    held: list[Value] = []
    for member, value in zip(kind.members, opened.members, strict=True):
        if is_closure(value.type):
            held.append(settle(unit, node, value))
        elif member.name not in kind.references:
            held.append(
                peek(unit, value) if isinstance(value, Aggregate) else load(unit, node, value)
            )
        elif isinstance(value, MemoryPlace):
            held.append(Plain(PointerTo(value.type), unit.hold(value.pointer)))
        else:
            origin: MadeIn = unit.module.origins[kind]
            if not origin.names:
                raise unit.refusal(node, fact("cpp.lambda-escapes"))
            raise Exposed(origin.unit, origin.names, node)
    return Aggregate(kind, tuple(held))


def open_closure(unit: CudaUnit, node: syntax.Node, closure: Value) -> Aggregate:
    """Return a closure whose captures are places again: one that was stored has pointers."""
    kind = closure.type
    if not isinstance(kind, StructType) or not isinstance(closure, (Aggregate, MemoryPlace)):
        raise unit.refusal(node, fact("cpp.lambda-escapes"))
    if isinstance(closure, MemoryPlace):
        closure = unit.hold_place(closure)
        places = tuple(member_of(closure, at) for at in range(len(kind.members)))
    else:
        places = closure.members
    pairs = zip(kind.members, places, strict=True)
    return Aggregate(kind, tuple(_open(unit, node, kind, *pair) for pair in pairs))


def _open(
    unit: CudaUnit, node: syntax.Node, kind: StructType, member: MemberOf, held: Value
) -> Value:
    if member.name not in kind.references or held.type != member.type:
        return held
    pointer = rvalue(unit, node, held)
    assert isinstance(pointer.type, PointerTo)  # as it was stored
    return MemoryPlace(pointer.type.target, unit.hold(pointer.node))
