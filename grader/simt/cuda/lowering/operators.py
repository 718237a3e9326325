"""Operators on values that were lowered: arithmetic, comparisons, pointers, members' owners."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from grader.facts import fact
from grader.simt.checks.counters import Site
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.analysis.folding import fold
from grader.simt.cuda.lowering.conversions import (
    as_int64,
    balanced,
    convert,
    dtype_of,
    integer,
    is_null,
    is_pure,
    load,
    move,
    number,
    promoted,
    rvalue,
)
from grader.simt.cuda.lowering.model.types import (
    BOOLEAN,
    DOUBLE,
    LONG,
    VOID,
    Arithmetic,
    ArrayOf,
    CType,
    PointerTo,
    StructType,
    VoidType,
    is_scoped,
)
from grader.simt.cuda.lowering.model.values import Aggregate, MemoryPlace, Plain, Value, VoidValue
from grader.simt.cuda.lowering.unit import OWNER, CudaUnit, TypeName
from grader.simt.errors import Refused
from grader.simt.intrinsics.overflow import check_axis, check_divisor
from grader.simt.program import nodes
from grader.simt.program.nodes import Convert, Do, Operate, Perform, Read, Set, When
from grader.simt.program.types import BOOL, INT64, UINT32
from grader.simt.program.types import Nothing as NothingType
from grader.simt.program.walking import walk_expression

_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


_BITS = ("&", "|", "^")


_SHIFTS = ("<<", ">>")


def own_operator(unit: CudaUnit, node: syntax.Node, operator: str, *values: Value) -> Value:
    """Apply an operator to structs, by a function of the source.

    Raises:
        Refused: the source has none for them.
    """
    found: Value | None = unit.module.hooks.operator(unit, node, operator, values)
    if found is None:
        names = tuple(value.type.name for value in values)
        raise unit.error(node, fact("cpp.no-operator", types=names))
    return found


def operate(unit: CudaUnit, node: syntax.Node, operator: str, left: Plain, right: Plain) -> Plain:
    """Apply an operator of numbers and pointers.

    Raises:
        Refused: C++ has none for these types.
    """
    if isinstance(left.type, PointerTo) or isinstance(right.type, PointerTo):
        return _operate_pointers(unit, node, operator, left, right)
    if operator in _SHIFTS:
        first, count = integer(unit, node, left), integer(unit, node, right)
        own = dtype_of(first.type)
        shifted = first.node, Convert(own, count.node)
        return Plain(first.type, Operate(own, operator, shifted, unit.site(node.place)))
    if operator in _COMPARISONS and left.type == right.type and is_scoped(left.type):
        return Plain(BOOLEAN, Operate(BOOL, operator, (left.node, right.node)))
    first, second, kind = balanced(unit, node, left, right)
    if operator in _COMPARISONS:
        compared = Operate(BOOL, operator, (first.node, second.node))
        if kind == DOUBLE:
            unit.widening.note_operation(node, operator, (left, right), compared)
        return Plain(BOOLEAN, compared)
    if kind.is_integer and operator in unit.module.divisions:
        return _divide(unit, node, unit.module.divisions[operator], first, second)
    if not kind.is_integer and operator in ("%", *_BITS):
        what = fact("cpp.no-operator", types=(left.type.name, right.type.name))
        raise unit.error(node, what)
    pair = first.node, second.node
    wraps = unit.site(node.place) if kind.dtype == UINT32 and operator in ("+", "-", "*") else None
    site = _overflows_at(unit, node, kind, operator)
    result = Operate(kind.dtype, operator, pair, site, wraps)
    if kind == DOUBLE:
        unit.widening.note_operation(node, operator, (left, right), result)
    return Plain(kind, result)


def _overflows_at(
    unit: CudaUnit, node: syntax.Node, kind: Arithmetic, operator: str
) -> Site | None:
    """Return where an operation reports an overflow; None if it has none, or wraps."""
    signed = kind.dtype.kind == "i" and operator in ("+", "-", "*", "neg", "div", "rem")
    return unit.site(node.place) if signed else None


def _divide(unit: CudaUnit, node: syntax.Node, operator: str, left: Plain, right: Plain) -> Plain:
    kind, divisor = left.type, right.node
    assert isinstance(kind, Arithmetic)  # balanced
    if not fold(divisor):
        site = unit.site(node.place)
        divisor = Perform(kind.dtype, "divisor", check_divisor, (divisor,), site, alone=True)
    place = _overflows_at(unit, node, kind, operator)
    return Plain(kind, Operate(kind.dtype, operator, (left.node, divisor), place))


def _operate_pointers(
    unit: CudaUnit, node: syntax.Node, operator: str, left: Plain, right: Plain
) -> Plain:
    match left.type, operator, right.type:
        case PointerTo(), "+" | "-", Arithmetic():
            return move(left, integer(unit, node, right), back=operator == "-")
        case Arithmetic(), "+", PointerTo():
            return move(right, integer(unit, node, left))
        case PointerTo(target), "-", PointerTo(other) if target == other:
            apart = Operate(INT64, "-", (left.node, right.node))
            size = nodes.Number(INT64, target.size)
            return Plain(LONG, Operate(INT64, "div", (apart, size)))
        case _ if operator in _COMPARISONS and _are_comparable(left, right):
            pair = (_address(left), _address(right))
            return Plain(BOOLEAN, Operate(BOOL, operator, pair))
    raise unit.error(node, fact("cpp.no-operator", types=(left.type.name, right.type.name)))


def _are_comparable(left: Plain, right: Plain) -> bool:
    """Return True for pointers to the same type or to void, and for a null pointer."""
    if isinstance(left.type, PointerTo) and isinstance(right.type, PointerTo):
        targets = (left.type.target, right.type.target)
        return targets[0] == targets[1] or any(isinstance(each, VoidType) for each in targets)
    return is_null(left) or is_null(right)


def _address(value: Plain) -> nodes.Expression:
    return Convert(INT64, value.node)


def choose_members(unit: CudaUnit, holds: nodes.Expression, yes: Any, no: Any) -> Value:
    """Choose between two structs of one type, number by number."""
    (first, left), (second, right) = yes, no
    pairs = list(zip(_leaves(left), _leaves(right), strict=True))
    names = [unit.temporary() for _ in pairs]
    set_left = [Set(name, part.node) for name, (part, _) in zip(names, pairs, strict=True)]
    set_right = [Set(name, part.node) for name, (_, part) in zip(names, pairs, strict=True)]
    unit.emit(When(holds, (*first, *set_left), (*second, *set_right)))
    chosen = iter(names)
    return _name_leaves(left, chosen)


def _leaves(value: Value) -> Iterator[Plain]:
    """Yield the numbers of a struct."""
    if isinstance(value, Aggregate):
        for member in value.members:
            yield from _leaves(member)
    else:
        assert isinstance(value, Plain)  # as it was loaded
        yield value


def _name_leaves(value: Value, names: Iterator[str]) -> Value:
    """Return a struct like another one, whose numbers are in variables."""
    if isinstance(value, Aggregate):
        return Aggregate(value.type, tuple(_name_leaves(each, names) for each in value.members))
    assert isinstance(value, Plain)  # as it was loaded
    return Plain(value.type, Read(value.node.type, next(names)))


def unify(unit: CudaUnit, node: syntax.Node, left: Plain, right: Plain) -> tuple[Plain, Plain]:
    """Convert the two values of a conditional to one type."""
    if isinstance(left.type, PointerTo):
        return left, convert(unit, node, right, left.type)
    if isinstance(right.type, PointerTo):
        return convert(unit, node, left, right.type), right
    first, second, _ = balanced(unit, node, left, right)
    return first, second


def drop(unit: CudaUnit, value: Value) -> None:
    """Emit what a value, or a place, is evaluated for, if that has effects of its own."""
    match value:
        case Plain(_, node) | MemoryPlace(_, node):
            effects = (nodes.Call, nodes.Perform)
            if any(isinstance(each, effects) for each in walk_expression(node)):
                unit.emit(nodes.Do(node))
        case Aggregate(_, members):
            for member in members:
                drop(unit, member)


def signed(unit: CudaUnit, node: syntax.Unary, given: Plain) -> Plain:
    """Apply `+`, `-` or `~` to a number; `+` gives a pointer, too."""
    if node.operator == "+" and isinstance(given.type, PointerTo):
        return given
    value = promoted(unit, node, given)
    kind = value.type
    assert isinstance(kind, Arithmetic)  # promoted
    if node.operator == "+":
        return value
    if node.operator == "~":
        value = integer(unit, node, value)
    elif isinstance(value.node, nodes.Number):
        return number(kind, -value.node.value)
    operator = "~" if node.operator == "~" else "neg"
    site = _overflows_at(unit, node, kind, operator)
    result = Operate(kind.dtype, operator, (value.node,), site)
    unit.widening.note_negation(value.node, result)
    return Plain(kind, result)


def dereference(unit: CudaUnit, node: syntax.Node, pointer: Plain) -> MemoryPlace:
    """Return the place that a pointer points to.

    Raises:
        Refused: it is no pointer, or one to void.
    """
    if not isinstance(pointer.type, PointerTo) or isinstance(pointer.type.target, VoidType):
        raise unit.error(node, fact("cpp.not-a-pointer", type=pointer.type.name))
    kind = pointer.type
    return MemoryPlace(kind.target, pointer.node, kind.const, volatile=kind.volatile)


def on_axis(unit: CudaUnit, node: syntax.Index, at: Plain, kind: ArrayOf) -> Plain:
    """Check an index of an array within an array: beyond it, the memory is another row's."""
    if kind.length is None or (
        isinstance(at.node, nodes.Number) and 0 <= at.node.value < kind.length
    ):
        return at
    held = at if is_pure(at.node) else unit.hold_plain(at)
    root: syntax.Expression = node
    while isinstance(root, (syntax.Index, syntax.Member)):
        root = root.object
    label = root.spelled if isinstance(root, syntax.Name) else kind.name
    check = partial(check_axis, kind.length, label)
    site = unit.site(node.place)
    unit.emit(
        Do(Perform(NothingType(), "on axis", check, (as_int64(held.node),), site, alone=True))
    )
    return held


def no_member(unit: CudaUnit, node: syntax.Member, kind: CType) -> Refused:
    """Make the error for a member that a type does not have."""
    name = node.name.identifier
    if not isinstance(kind, StructType):
        return unit.error(node, fact("cpp.not-a-struct", type=kind.name, name=name))
    return unit.error(node, fact("cpp.no-member", type=kind.name, name=name))


def check_access(unit: CudaUnit, node: syntax.Member, kind: CType) -> None:
    """Check that a member may be used here.

    Raises:
        Refused: it is private, and this is no function of its struct.
    """
    name = node.name.identifier
    if isinstance(kind, StructType) and kind.source and name in kind.source.tree.private:
        around = unit.scopes.find(OWNER)
        own = around.type if isinstance(around, TypeName) else None
        if (
            not isinstance(own, StructType)
            or not own.source
            or own.source.tree is not kind.source.tree
        ):
            raise unit.error(node, fact("cpp.private", type=kind.name, name=name))


def cast(unit: CudaUnit, node: syntax.Node, value: Value, kind: CType) -> Value:
    """Convert a value to a type that the source names."""
    if isinstance(kind, VoidType):
        drop(unit, value)
        return VoidValue(VOID)
    if value.type == kind:
        loaded = load(unit, node, value)
        return Plain(kind, loaded.node) if isinstance(loaded, Plain) else loaded
    if isinstance(kind, StructType):
        made: Value = unit.module.hooks.make(unit, node, kind, (value,))
        return made
    return convert(unit, node, rvalue(unit, node, value), kind, cast=True)
