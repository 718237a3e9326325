"""Structs that are made of others: from a struct to a base of it, and back.

A base is a member without a name. One that is in registers knows the struct that it was taken from,
so that a base whose template names that struct can be cast to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.conversions import named_member, offset, pointer_type
from grader.simt.cuda.lowering.model.types import (
    CType,
    PointerTo,
    StructType,
    find_base,
    offset_of,
    tree_of,
    with_bases,
)
from grader.simt.cuda.lowering.model.values import Aggregate, MemoryPlace, Value
from grader.simt.cuda.lowering.storage import freeze
from grader.simt.cuda.lowering.unit import CudaUnit, Functions, Template, TypeName
from grader.simt.program.nodes import Convert, Operation


def as_base(value: Value, path: tuple[int, ...]) -> Value:
    """Return the base of a struct that the places in `path` lead to."""
    found = named_member(value, path)
    assert found is not None  # no union has bases
    if isinstance(found, Aggregate) and isinstance(value, Aggregate) and value.const:
        return replace(found, const=True)
    return found


def to_base(value: Value, wanted: CType) -> Value:
    """Return what a struct is as one of its bases, if it is wanted so; else the struct."""
    if value.type is wanted or not isinstance(value, (Aggregate, MemoryPlace)):
        return value
    path = find_base(value.type, wanted)
    return value if path is None else as_base(value, path)


def names_whole(value: Value) -> bool:
    """Return True for a base in registers whose template names the struct that it was taken from.

    It may be cast to that, so it is passed with the rest of it.
    """
    if not isinstance(value, Aggregate) or value.whole is None:
        return False
    outer, _ = find_whole(value)
    source = value.type.source if isinstance(value.type, StructType) else None
    given = source.arguments if source else ()
    return any(isinstance(each, TypeName) and each.type is outer.type for each in given)


def find_whole(value: Aggregate) -> tuple[Aggregate, tuple[int, ...]]:
    """Return the struct that a base was taken from, and the places that lead back to the base."""
    path: tuple[int, ...] = ()
    while value.whole is not None:
        value, at = value.whole
        path = (at, *path)
    return value, path


def cast_reference(
    unit: CudaUnit, node: syntax.Cast, value: Value, kind: CType, *, const: bool
) -> Value | None:
    """Return the place that a cast to a reference means; None if its operand is converted.

    Raises:
        Refused: it is not known where the struct is that a base was taken from.
    """
    place: Value | None = to_base(value, kind)
    if place is not None and place.type != kind:
        place = _to_derived(unit, node, value, kind)
    if place is None and node.style == "reinterpret_cast" and isinstance(value, MemoryPlace):
        pointer = Convert(pointer_type(PointerTo(kind), value.space), value.pointer)
        place = MemoryPlace(kind, pointer, value.const)
    return freeze(place) if place is not None and const else place


def _to_derived(unit: CudaUnit, node: syntax.Node, value: Value, kind: CType) -> Value | None:
    """Return the struct that a base is a part of; None if it is no base of such a struct."""
    path = find_base(kind, value.type)
    if path is None:
        return None
    assert isinstance(kind, StructType)  # it has bases
    if isinstance(value, MemoryPlace):
        return replace(
            value, type=kind, pointer=offset(value.pointer, -offset_of(kind, path), kind)
        )
    while isinstance(value, Aggregate) and value.whole is not None and value.type is not kind:
        value = value.whole[0]
    if value.type is not kind:
        raise unit.refusal(node, fact("cpp.no-derived"))
    return value


def _behind(unit: CudaUnit, node: syntax.Expression, this: Value) -> Value | None:
    """Return the struct that `this`, or a cast of it, points to; None for any other expression."""
    match node:
        case syntax.This():
            return this
        case syntax.Cast(_, "static_cast" | "C", syntax.PointerType(_, target), operand):
            place = _behind(unit, operand, this)
            if place is None:
                return None
            return cast_reference(unit, node, place, unit.module.type_of(unit, target), const=False)
    return None


def struct_behind(unit: CudaUnit, node: syntax.Expression) -> Value | None:
    """Return the struct that `this` points to, or a cast of it; None for other expressions."""
    if not isinstance(node, (syntax.This, syntax.Cast)):
        return None
    if isinstance(node, syntax.Cast) and unit.scopes.find("this") is None:
        return None
    root: syntax.Expression = node
    while isinstance(root, syntax.Cast):
        root = root.operand
    return _behind(unit, node, this_of(unit, node)) if isinstance(root, syntax.This) else None


def this_of(unit: CudaUnit, node: syntax.Node) -> Value:
    """Return the struct whose function this is.

    Raises:
        Refused: it is no function of a struct.
    """
    this = unit.scopes.find("this")
    if not isinstance(this, (Aggregate, MemoryPlace)):
        raise unit.error(node, fact("cpp.no-this"))
    return this


def qualified_this(unit: CudaUnit, node: syntax.Name) -> Value | None:
    """Return `this` as the struct that a name says, itself or a base; None if that is none."""
    this = unit.scopes.find("this")
    if not isinstance(this, (Aggregate, MemoryPlace)) or len(node.parts) < 2:
        return None
    around = syntax.Name(node.place, node.parts[:-1], node.rooted)
    if not isinstance(unit.module.find(unit, around), (TypeName, Template)):
        return None
    kind = unit.module.type_of(unit, syntax.NamedType(node.place, around))
    found = to_base(this, kind)
    return found if found.type is kind else None


def qualified_member(unit: CudaUnit, node: syntax.Name) -> Value | None:
    """Return a member of `this` by its name with the struct's in front; None if it has none."""
    this = qualified_this(unit, node)
    if this is None or not isinstance(this.type, StructType):
        return None
    path = this.type.path(node.parts[-1].identifier)
    return named_member(this, path) if path else None


def find_functions(unit: CudaUnit, name: str, given: Sequence[Value]) -> list[Functions]:
    """Return functions of a name: of the source, and those that its arguments' structs bring.

    These are the friends that they define, and the functions of their namespaces.
    """
    kinds = [each.type for each in given if isinstance(each.type, StructType)]
    structs = [each for kind in kinds for each in with_bases(kind)]
    scopes = {("",), unit.namespace, *(tree_of(each).scope for each in structs)}
    full = {name, *("::".join((*scope, name)) for scope in scopes)}
    known = map(unit.module.names.get, sorted(full))
    found = [each for each in known if isinstance(each, Functions)]
    for each in dict.fromkeys(structs):
        friends = [own for own in tree_of(each).friends if own.name == name]
        if friends and each.source:
            found.append(Functions(tuple(friends), each.source.bindings))
    return found


def is_made_of(unit: CudaUnit, kind: CType, given: Value) -> bool:
    """Return True for a struct of another type than a value, which may begin it."""
    if not isinstance(kind, StructType) or given.type is kind:
        return False
    own: bool = unit.module.hooks.has_constructor(kind)
    return own or to_base(given, kind) is not given


def make_of(
    unit: CudaUnit, node: syntax.Node, value: Value, kind: CType, operations: list[Operation]
) -> Value:
    """Return what a struct of a type is made of a value; what that needs is added to operations."""
    with unit.apart() as more:
        made: Value = unit.module.hooks.make(unit, node, kind, (value,))
    operations.extend(more)
    return made
