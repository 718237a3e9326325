"""Structs as values: what their constructors make, and the operators that the source defines."""

from __future__ import annotations

from collections.abc import Sequence

from grader.facts import fact
from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.lowering.conversions import convert, rvalue, whole
from grader.simt.cuda.lowering.model.layouts import lay_out, lay_out_union
from grader.simt.cuda.lowering.model.types import (
    BASE,
    MOST_PARTS,
    ArrayOf,
    CType,
    ReferenceTo,
    StructType,
    is_closure,
    parts_of,
    tree_of,
    unnest,
    with_bases,
)
from grader.simt.cuda.lowering.model.values import Aggregate, Braces, Value
from grader.simt.cuda.lowering.objects.references import refer_to
from grader.simt.cuda.lowering.objects.stored_closures import settle
from grader.simt.cuda.lowering.unit import AROUND_OWNER, OWNER, CudaUnit, TypeName


def fill_members(
    unit: CudaUnit, node: syntax.Node, kind: StructType, given: Sequence[Value | None]
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
        elif kind.name == "dim3":
            members.append(convert(unit, node, whole(1), member.type))
        else:
            members.append(_zero(unit, node, member.type))
    return Aggregate(kind, tuple(members))


def _zero(unit: CudaUnit, node: syntax.Node, kind: CType) -> Value:
    """Return what a part of a struct is that is given no value."""
    if isinstance(kind, ArrayOf):
        elements = (_zero(unit, node, element) for element in parts_of(kind))
        return Aggregate(kind, tuple(elements))
    if isinstance(kind, StructType):
        made: Value = unit.module.hooks.make(unit, node, kind, ())
        return made
    return convert(unit, node, whole(0), kind, cast=True)


def make_listed(unit: CudaUnit, given: Value, kind: CType) -> Value:
    """Return a value of a type if a list was given, which says no type; else what was given.

    Raises:
        Refused: the list does not fit.
    """
    if not isinstance(given, Braces):
        return given
    node = given.node
    listed = syntax.Initializer(node.place, "{}", node.values)
    made: Value = unit.module.hooks.initial(unit, node, kind, listed)
    return made


def _member(unit: CudaUnit, node: syntax.Node, given: Value, kind: CType) -> Value:
    given = make_listed(unit, given, kind)
    if is_closure(kind) and given.type is kind:
        return settle(unit, node, given)
    if isinstance(kind, ReferenceTo):
        return refer_to(unit, node, given, kind)
    if isinstance(kind, StructType):
        made: Value = unit.module.hooks.make(unit, node, kind, (given,))
        return made
    return convert(unit, node, rvalue(unit, node, given), kind)


def complete(unit: CudaUnit, made: StructType) -> None:
    """Lay out a struct, first without what its pointers point to: that may hold the struct."""
    assert made.source is not None  # it is of the source
    node, bindings = made.source.tree, made.source.bindings
    if OWNER in bindings:
        bindings[AROUND_OWNER] = bindings[OWNER]
    bindings[node.name] = bindings[OWNER] = TypeName(made)  # within it, its name means itself
    with unit.within((*node.scope, node.name)), unit.scopes.inner({**bindings}):
        alignment = 1 if node.alignment is None else unit.module.constant(unit, node.alignment)
        bases = _find_bases(unit, node)
        lay_out(made, bases, 1)  # whose types its members may name
        made.size = 0
        sized = [(each, _type_of(unit, trees.forget_targets(each.type))) for each in node.members]
        for each, kind in sized:
            inner, _ = unnest(kind)
            if isinstance(inner, StructType) and not inner.size:
                raise unit.error(each, fact("cpp.incomplete", type=inner.name))
        own = [(each.name, kind) for each, kind in sized]
        _lay_out(node, made, [*bases, *own], alignment)
        if made.parts > MOST_PARTS:
            raise unit.refusal(node, fact("cpp.large-struct", name=node.name, most=MOST_PARTS))
        members = [(each.name, _type_of(unit, each.type)) for each in node.members]
    _lay_out(node, made, [*bases, *members], alignment)


def _type_of(unit: CudaUnit, node: syntax.Type) -> CType:
    """Return the type of a member."""
    kind: CType = unit.module.type_of(unit, node)
    if not isinstance(node, syntax.ReferenceType):
        return kind
    return ReferenceTo(kind, unit.module.is_const(unit, node.target))


def _find_bases(unit: CudaUnit, node: declared.Struct) -> list[tuple[str, CType]]:
    """Return the bases of a struct, each as a member.

    Raises:
        Refused: one is no struct, or it has the same empty one twice, of which each has a place.
    """
    found = list[tuple[str, CType]]()
    for each in node.bases:
        kind = unit.module.type_of(unit, each.type)
        is_own = isinstance(kind, StructType) and kind.source is not None
        if not isinstance(kind, StructType) or not is_own or kind.alternatives or kind.closure:
            raise unit.refusal(each, fact("cpp.no-inheritance"))
        if not kind.size:
            raise unit.error(each, fact("cpp.incomplete", type=kind.name))
        found.append((f"{BASE}{len(found)}:{kind.name}", kind))
    structs = [kind for _, kind in found if isinstance(kind, StructType)]
    every = [base for kind in structs for base in with_bases(kind)]
    if len(set(map(id, every))) < len(every):
        raise unit.refusal(node, fact("cpp.no-inheritance"))
    virtual = [_is_virtual(each) for each in structs]
    if any(virtual[1:]) or (node.virtual and structs and not virtual[0]):
        raise unit.refusal(node, fact("cpp.no-virtual"))  # their pointers come first
    return found


def _lay_out(
    node: declared.Struct, made: StructType, members: Sequence[tuple[str, CType]], alignment: int
) -> None:
    if node.keyword == "union":
        lay_out_union(made, members, alignment)
    else:
        begins = bool(made.bases) and _is_virtual(made.bases[0])
        lay_out(made, members, alignment, virtual=node.virtual and not begins)


def _is_virtual(kind: StructType) -> bool:
    return any(tree_of(each).virtual for each in with_bases(kind))
