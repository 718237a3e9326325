"""Assigns to places: numbers, pointers, structs, and what changes them by an operator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.conversions import (
    convert,
    dtype_of,
    element_of,
    from_stored,
    load,
    member_of,
    point_to,
    rvalue,
    to_stored,
    wide_vector,
)
from grader.simt.cuda.lowering.model import strong
from grader.simt.cuda.lowering.model.types import (
    BOOLEAN,
    Arithmetic,
    ArrayOf,
    PointerTo,
    StructType,
    is_closure,
)
from grader.simt.cuda.lowering.model.values import (
    Aggregate,
    Designator,
    MemoryPlace,
    Plain,
    Register,
    Value,
    is_returned,
)
from grader.simt.cuda.lowering.objects.bases import to_base
from grader.simt.cuda.lowering.objects.stored_closures import refuse_returned, settle
from grader.simt.cuda.lowering.operators import operate
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.errors import Refused
from grader.simt.program import nodes
from grader.simt.program.nodes import Read, target
from grader.simt.program.types import VectorType


def assign(unit: CudaUnit, node: syntax.Node, place: Value, value: Value) -> None:
    """Emit what gives a place a value, converted to its type.

    Raises:
        Refused: it is no place, or const, or C++ has no such conversion.
    """
    match place:
        case Register(const=True) | MemoryPlace(const=True) | Aggregate(const=True):
            raise unit.error(node, fact("cpp.const"))
        case Register(kind, variable):
            given = convert(unit, node, rvalue(unit, node, value), kind)
            unit.set_variable(variable, given.node)
        case MemoryPlace(StructType() | ArrayOf()) if isinstance(value, Aggregate):
            assign_struct(unit, node, place, value)
        case MemoryPlace(StructType()):
            assign_struct(unit, node, place, load(unit, node, value))
        case MemoryPlace(kind, pointer):
            given = convert(unit, node, rvalue(unit, node, value), kind)
            stored = to_stored(kind, given.node)
            if place.volatile and isinstance(kind, Arithmetic) and kind.is_integer:
                site = unit.site(node.place)
                unit.emit(strong.store(unit.module.program, site, kind.stored, pointer, stored))
                return
            place_of = target(element_of(kind), pointer, unit.site(node.place))
            unit.emit(nodes.Store(place_of, stored))
        case Aggregate():
            assign_struct(unit, node, place, load(unit, node, value))
        case _:
            raise _not_a_place(unit, node, place)


def _not_a_place(unit: CudaUnit, node: syntax.Node, value: Value) -> Refused:
    if is_returned(value):
        return refuse_returned(unit, node, value)
    if isinstance(value, Designator):
        return unit.refusal(node, fact("cpp.no-function-pointers"))
    return unit.error(node, fact("cpp.not-a-place"))


def assign_struct(unit: CudaUnit, node: syntax.Node, place: Value, value: Value) -> None:
    """Emit what copies a struct."""
    value = settle(unit, node, value) if is_closure(value.type) else to_base(value, place.type)
    if place.type != value.type or not isinstance(value, Aggregate):
        what = fact("cpp.no-conversion", type=value.type.name, wanted=place.type.name)
        raise unit.error(node, what)
    kind = value.type
    wide = wide_vector(kind) if isinstance(kind, StructType) else None
    if isinstance(place, MemoryPlace) and wide is not None:
        _store_wide(unit, node, place, value, wide)
        return
    held = [unit.hold_value(part) for part in value.members]
    if isinstance(place, MemoryPlace):
        place = unit.hold_place(place)
    for at, part in enumerate(held):
        assign(unit, node, member_of(place, at), part)


def _store_wide(
    unit: CudaUnit, node: syntax.Node, place: MemoryPlace, value: Aggregate, wide: VectorType
) -> None:
    """Emit what stores a struct by as few accesses as its alignment allows."""
    step, held = wide.dtype.itemsize * wide.size, value.members
    if place.type.size > step:
        held = tuple(unit.hold_value(part) for part in held)
        place = unit.hold_place(place)
    parts = [to_stored(each.type, each.node) for each in _numbers(unit, node, held)]
    for at in range(0, len(parts), wide.size):
        pointer = point_to(place.pointer, at * wide.dtype.itemsize, wide)
        packed = nodes.Pack(wide, tuple(parts[at : at + wide.size]))
        unit.emit(nodes.Store(target(wide, pointer, unit.site(node.place)), packed))


def _numbers(unit: CudaUnit, node: syntax.Node, held: Sequence[Value]) -> Iterator[Plain]:
    for each in held:
        if isinstance(each, Aggregate):
            yield from _numbers(unit, node, each.members)
        else:
            yield rvalue(unit, node, each)


MOST_COPIED = 256
"""Elements of an array that is copied: each is an operation of its own."""


def copy_array(unit: CudaUnit, node: syntax.Node, made: MemoryPlace, place: MemoryPlace) -> None:
    """Emit what copies an array, as lambdas and bindings do.

    Raises:
        Refused: it is too large.
    """
    kind = place.type
    assert isinstance(kind, ArrayOf)  # the caller has looked
    if (kind.length or 0) > MOST_COPIED:
        raise unit.refusal(node, fact("cpp.large-copy", type=kind.name, most=MOST_COPIED))
    place = unit.hold_place(place)
    for at in range(kind.length or 0):
        own, given = member_of(made, at), member_of(place, at)
        if isinstance(own.type, ArrayOf):
            assert isinstance(own, MemoryPlace)  # as the array is
            assert isinstance(given, MemoryPlace)
            copy_array(unit, node, own, given)
        else:
            assign(unit, node, own, load(unit, node, given))


def store_and_keep(
    unit: CudaUnit, node: syntax.Node, place: MemoryPlace, given: Plain
) -> MemoryPlace:
    """Store a value that is used further: as in a compiler, from where it is, without a load."""
    place = unit.hold_place(place)
    kept = unit.hold_plain(convert(unit, node, given, place.type))
    assign(unit, node, place, kept)
    return replace(place, stored=kept.node)


def update(unit: CudaUnit, node: syntax.Node, place: Value, operator: str, right: Plain) -> Value:
    """Emit what applies an operator to a place; it is located once."""
    match place:
        case Register(const=True) | MemoryPlace(const=True):
            raise unit.error(node, fact("cpp.const"))
        case Register(kind, variable):
            old = Plain(kind, unit.read_variable(node, variable))
            new = convert(unit, node, operate(unit, node, operator, old, right), kind)
            unit.set_variable(variable, new.node)
            return place
        case MemoryPlace(kind) if isinstance(kind, (Arithmetic, PointerTo)) and (
            unit.unused is not node or place.volatile
        ):
            place = unit.hold_place(place)
            before = rvalue(unit, node, place)
            new = convert(unit, node, operate(unit, node, operator, before, right), kind)
            return store_and_keep(unit, node, place, new)
        case MemoryPlace(kind, pointer) if isinstance(kind, (Arithmetic, PointerTo)):
            name, held = unit.temporary(), unit.hold(pointer)
            stored = kind.stored if isinstance(kind, Arithmetic) else dtype_of(kind)
            old = Plain(kind, from_stored(kind, Read(stored, name)))
            new = convert(unit, node, operate(unit, node, operator, old, right), kind)
            place_of = target(element_of(kind), held, unit.site(node.place))
            unit.emit(nodes.Update(place_of, name, to_stored(kind, new.node)))
            return MemoryPlace(kind, held)
    raise _not_a_place(unit, node, place)


def refuse_bool(unit: CudaUnit, node: syntax.Node, place: Value) -> None:
    """Refuse `++` and `--` of a bool, which C++17 has no more."""
    if place.type == BOOLEAN:
        raise unit.error(node, fact("cpp.no-operator", types=(BOOLEAN.name,)))
