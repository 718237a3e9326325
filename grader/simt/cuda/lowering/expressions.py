"""Lowers expressions: each to a value, or to a place that can be written.

What an expression changes is emitted before the value that it gives; a value that something
emitted later may change is kept in a temporary. C++17 says which operand comes first; where it does
not, the left one does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from grader.facts import fact
from grader.simt.checks.counters import Site
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering import positions
from grader.simt.cuda.lowering.casts import check_cast
from grader.simt.cuda.lowering.conversions import (
    as_int64,
    balanced,
    convert,
    dtype_of,
    element_of,
    find_conversion,
    from_stored,
    integer,
    is_null,
    is_pure,
    load,
    member_of,
    move,
    named_member,
    number,
    promoted,
    rvalue,
    to_stored,
    truth,
    vector_of,
    whole,
)
from grader.simt.cuda.lowering.folding import fold
from grader.simt.cuda.lowering.pointed import designate
from grader.simt.cuda.lowering.structs import make_listed
from grader.simt.cuda.lowering.types import (
    ARITHMETIC,
    BOOLEAN,
    CHAR,
    DOUBLE,
    LONG,
    NULLPTR,
    UNSIGNED_LONG,
    VOID,
    Arithmetic,
    ArrayOf,
    CType,
    Pointer,
    Struct,
    Void,
    is_closure,
    is_scoped,
)
from grader.simt.cuda.lowering.unit import OWNER, Functions, TypeName, Unavailable, Unit
from grader.simt.cuda.lowering.values import (
    Aggregate,
    Braces,
    Designator,
    Memory,
    Nothing,
    Plain,
    Register,
    Value,
    is_returned,
)
from grader.simt.cuda.names import POSITIONS
from grader.simt.errors import Refused
from grader.simt.intrinsics.axis import check_axis
from grader.simt.intrinsics.division import check_divisor
from grader.simt.program import nodes
from grader.simt.program.nodes import (
    Choose,
    Convert,
    Do,
    Logical,
    Number,
    Observe,
    Operate,
    Perform,
    Read,
    Set,
    Store,
    When,
    target,
)
from grader.simt.program.types import BOOL, INT64, UINT32
from grader.simt.program.types import Nothing as NothingType
from grader.simt.program.walking import walk_expression

Form = Callable[[Unit, Any], Value]
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_BITS = ("&", "|", "^")
_SHIFTS = ("<<", ">>")


def lower(unit: Unit, node: syntax.Expression) -> Value:
    """Lower any expression.

    Raises:
        Refused: it is not C++, or not emulated.
    """
    return _FORMS[type(node)](unit, node)


def plain(unit: Unit, node: syntax.Expression) -> Plain:
    """Lower an expression that is a number or a pointer."""
    return rvalue(unit, node, lower(unit, node))


def test(unit: Unit, node: syntax.Expression) -> nodes.Expression:
    """Lower an expression as a test."""
    return Observe(BOOL, truth(unit, node, lower(unit, node)).node)


def _integer(_unit: Unit, node: syntax.IntegerLiteral) -> Value:
    return number(ARITHMETIC[node.type], node.value)


def _float(_unit: Unit, node: syntax.FloatLiteral) -> Value:
    return number(ARITHMETIC[node.type], node.value)


def _character(_unit: Unit, node: syntax.CharacterLiteral) -> Value:
    return number(CHAR, node.value)


def _bool(_unit: Unit, node: syntax.BoolLiteral) -> Value:
    return number(BOOLEAN, node.value)


def _null(_unit: Unit, _node: syntax.NullPointer) -> Value:
    return number(NULLPTR, 0)


def _name(unit: Unit, node: syntax.Name) -> Value:
    entity = unit.module.find(unit, node)
    match entity:
        case Plain() | Register() | Memory() | Aggregate():
            return entity
        case Unavailable(reason):
            raise reason
        case Functions():
            return designate(unit, entity, node.parts[-1].arguments)
        case TypeName():
            raise unit.error(node, fact("cpp.not-a-value", name=node.spelled))
    special = positions.find(node.spelled)
    if special is not None:
        return special
    same = unit.module.are_same(unit, node)
    if same is None:
        raise unit.module.unknown(unit, node, POSITIONS)
    return number(BOOLEAN, same)


def operands(
    unit: Unit, first: syntax.Expression, second: syntax.Expression
) -> tuple[Plain, Plain]:
    """Lower two operands; the first keeps the value that it has before the second."""
    left = plain(unit, first)
    mark = len(unit.operations)
    right = plain(unit, second)
    return unit.keep_before(mark, left), right


def _binary(unit: Unit, node: syntax.Binary) -> Value:
    if node.operator in ("&&", "||"):
        return _logical(unit, node)
    first = _operand(unit, node.left, node.operator)
    left = None if isinstance(first.type, Struct) else rvalue(unit, node.left, first)
    mark = len(unit.operations)
    second = _operand(unit, node.right, node.operator)
    if left is None or isinstance(second.type, Struct):
        return own_operator(unit, node, node.operator, first, second)
    left, right = unit.keep_before(mark, left), rvalue(unit, node.right, second)
    return operate(unit, node, node.operator, left, right)


def _operand(unit: Unit, node: syntax.Expression, operator: str) -> Value:
    """Lower an operand; a struct without such an operator is what it converts to."""
    value = lower(unit, node)
    if find_conversion(value) is None:
        return value
    kind, name = value.type, f"operator{operator}"
    if unit.module.find_function(name) is not None:
        return value
    assert isinstance(kind, Struct)  # as all that has a conversion
    assert kind.source is not None
    own = any(each.name == name for each in kind.source.tree.functions)
    return value if own else rvalue(unit, node, value)


def own_operator(unit: Unit, node: syntax.Node, operator: str, *values: Value) -> Value:
    """Apply an operator to structs, by a function of the source.

    Raises:
        Refused: the source has none for them.
    """
    found: Value | None = unit.module.hooks.operator(unit, node, operator, values)
    if found is None:
        names = tuple(value.type.name for value in values)
        raise unit.error(node, fact("cpp.no-operator", types=names))
    return found


def operate(unit: Unit, node: syntax.Node, operator: str, left: Plain, right: Plain) -> Plain:
    """Apply an operator of numbers and pointers.

    Raises:
        Refused: C++ has none for these types.
    """
    if isinstance(left.type, Pointer) or isinstance(right.type, Pointer):
        return _operate_pointers(unit, node, operator, left, right)
    if operator in _SHIFTS:
        first, count = integer(unit, node, left), integer(unit, node, right)
        own = dtype_of(first.type)
        shifted = first.node, Convert(own, count.node)
        return Plain(first.type, Operate(own, operator, shifted, unit.site(node.place)))
    if left.type == right.type and is_scoped(left.type) and operator in _COMPARISONS:
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


def _overflows_at(unit: Unit, node: syntax.Node, kind: Arithmetic, operator: str) -> Site | None:
    """Return where an operation reports an overflow; None if it has none, or wraps."""
    signed = kind.dtype.kind == "i" and operator in ("+", "-", "*", "neg", "div", "rem")
    return unit.site(node.place) if signed else None


def _divide(unit: Unit, node: syntax.Node, operator: str, left: Plain, right: Plain) -> Plain:
    kind, divisor = left.type, right.node
    assert isinstance(kind, Arithmetic)  # balanced
    if not fold(divisor):
        site = unit.site(node.place)
        divisor = Perform(kind.dtype, "divisor", check_divisor, (divisor,), site, alone=True)
    place = _overflows_at(unit, node, kind, operator)
    return Plain(kind, Operate(kind.dtype, operator, (left.node, divisor), place))


def _operate_pointers(
    unit: Unit, node: syntax.Node, operator: str, left: Plain, right: Plain
) -> Plain:
    match left.type, operator, right.type:
        case Pointer(), "+" | "-", Arithmetic():
            return move(left, integer(unit, node, right), back=operator == "-")
        case Arithmetic(), "+", Pointer():
            return move(right, integer(unit, node, left))
        case Pointer(target), "-", Pointer(other) if target == other:
            apart = Operate(INT64, "-", (left.node, right.node))
            size = Number(INT64, target.size)
            return Plain(LONG, Operate(INT64, "div", (apart, size)))
        case _ if operator in _COMPARISONS and _are_comparable(left, right):
            pair = (_address(left), _address(right))
            return Plain(BOOLEAN, Operate(BOOL, operator, pair))
    raise unit.error(node, fact("cpp.no-operator", types=(left.type.name, right.type.name)))


def _are_comparable(left: Plain, right: Plain) -> bool:
    """Return True for pointers to the same type or to void, and for a null pointer."""
    if isinstance(left.type, Pointer) and isinstance(right.type, Pointer):
        targets = (left.type.target, right.type.target)
        return targets[0] == targets[1] or any(isinstance(each, Void) for each in targets)
    return is_null(left) or is_null(right)


def _address(value: Plain) -> nodes.Expression:
    return Convert(INT64, value.node)


def _logical(unit: Unit, node: syntax.Binary) -> Value:
    conjunction = node.operator == "&&"
    left = truth(unit, node.left, lower(unit, node.left))
    with unit.apart() as later:
        right = truth(unit, node.right, lower(unit, node.right))
    if not later:
        return Plain(BOOLEAN, Logical(BOOL, (left.node, right.node), conjunction))
    name = unit.temporary()
    unit.emit(Set(name, Observe(BOOL, left.node)))
    again = Read(BOOL, name)
    goes_on = again if conjunction else Operate(BOOL, "~", (again,))
    unit.emit(When(goes_on, (*later, Set(name, right.node)), ()))
    return Plain(BOOLEAN, again)


def _conditional(unit: Unit, node: syntax.Conditional) -> Value:
    holds = test(unit, node.test)
    with unit.apart() as first:
        yes = load(unit, node.yes, lower(unit, node.yes))
    with unit.apart() as second:
        no = load(unit, node.no, lower(unit, node.no))
    if isinstance(yes, Nothing) and isinstance(no, Nothing):
        unit.emit(When(holds, tuple(first), tuple(second)))
        return Nothing(VOID)
    if is_closure(yes.type) or is_closure(no.type):
        raise unit.refusal(node, fact("cpp.lambda-escapes"))
    if isinstance(yes, Aggregate) and isinstance(no, Aggregate):
        return _choose_members(unit, holds, (first, yes), (second, no))
    left, right = rvalue(unit, node.yes, yes), rvalue(unit, node.no, no)
    if left.type != right.type:
        left, right = _common(unit, node, left, right)
    kind = left.node.type
    if not first and not second:
        return Plain(left.type, Choose(kind, holds, left.node, right.node))
    name = unit.temporary()
    unit.emit(When(holds, (*first, Set(name, left.node)), (*second, Set(name, right.node))))
    return Plain(left.type, Read(kind, name))


def _choose_members(unit: Unit, holds: nodes.Expression, yes: Any, no: Any) -> Value:
    (first, left), (second, right) = yes, no
    names = [unit.temporary() for _ in left.members]
    set_left = [Set(name, part.node) for name, part in zip(names, left.members, strict=True)]
    set_right = [Set(name, part.node) for name, part in zip(names, right.members, strict=True)]
    unit.emit(When(holds, (*first, *set_left), (*second, *set_right)))
    members = (
        Plain(part.type, Read(part.node.type, name))
        for name, part in zip(names, left.members, strict=True)
    )
    return Aggregate(left.type, tuple(members))


def _common(unit: Unit, node: syntax.Node, left: Plain, right: Plain) -> tuple[Plain, Plain]:
    if isinstance(left.type, Pointer):
        return left, convert(unit, node, right, left.type)
    if isinstance(right.type, Pointer):
        return convert(unit, node, left, right.type), right
    first, second, _ = balanced(unit, node, left, right)
    return first, second


def _comma(unit: Unit, node: syntax.Comma) -> Value:
    lower_effects(unit, node.left)
    return lower(unit, node.right)


def lower_effects(unit: Unit, node: syntax.Expression) -> None:
    """Emit what an expression is evaluated for whose value is not used."""
    unit.unused = node
    value = lower(unit, node)
    changes = isinstance(node, (syntax.Assignment, syntax.Postfix)) or (
        isinstance(node, syntax.Unary) and node.operator in ("++", "--")
    )
    if not (changes and isinstance(value.type, (Arithmetic, Pointer))):  # else it was emitted
        drop(unit, value)


def drop(unit: Unit, value: Value) -> None:
    """Emit what a value, or a place, is evaluated for, if that has effects of its own."""
    match value:
        case Plain(_, node) | Memory(_, node):
            effects = (nodes.Call, nodes.Perform)
            if any(isinstance(each, effects) for each in walk_expression(node)):
                unit.emit(nodes.Do(node))
        case Aggregate(_, members):
            for member in members:
                drop(unit, member)


def _unary(unit: Unit, node: syntax.Unary) -> Value:
    match node.operator:
        case "&":
            return _address_of(unit, node)
        case "++" | "--":
            return _step(unit, node, node.operand, node.operator[0])
        case "*" if isinstance(node.operand, syntax.This):
            return this_of(unit, node)
    operand = _operand(unit, node.operand, node.operator)
    if isinstance(operand, Designator) and node.operator == "*":
        return operand
    if isinstance(operand.type, Struct):
        return own_operator(unit, node, node.operator, operand)
    if node.operator == "*":
        return dereference(unit, node, rvalue(unit, node, operand))
    if node.operator == "!":
        holds = truth(unit, node.operand, operand)
        return Plain(BOOLEAN, Operate(BOOL, "~", (holds.node,)))
    return signed(unit, node, rvalue(unit, node.operand, operand))


def signed(unit: Unit, node: syntax.Unary, given: Plain) -> Plain:
    """Apply `+`, `-` or `~` to a number; `+` gives a pointer, too."""
    if node.operator == "+" and isinstance(given.type, Pointer):
        return given
    value = promoted(unit, node, given)
    kind = value.type
    assert isinstance(kind, Arithmetic)  # promoted
    if node.operator == "+":
        return value
    if node.operator == "~":
        value = integer(unit, node, value)
    elif isinstance(value.node, Number):
        return number(kind, -value.node.value)
    operator = "~" if node.operator == "~" else "neg"
    site = _overflows_at(unit, node, kind, operator)
    result = Operate(kind.dtype, operator, (value.node,), site)
    unit.widening.note_negation(value.node, result)
    return Plain(kind, result)


def _address_of(unit: Unit, node: syntax.Unary) -> Value:
    place = lower(unit, node.operand)
    if isinstance(place, Designator):
        return place
    if isinstance(place, Memory):
        return Plain(Pointer(place.type, place.const), place.pointer)
    if is_returned(place):
        raise unit.refusal(node, fact("cpp.returned-reference"))
    raise unit.error(node, fact("cpp.no-address"))


def dereference(unit: Unit, node: syntax.Node, pointer: Plain) -> Memory:
    """Return the place that a pointer points to.

    Raises:
        Refused: it is no pointer, or one to void.
    """
    if not isinstance(pointer.type, Pointer) or isinstance(pointer.type.target, Void):
        raise unit.error(node, fact("cpp.not-a-pointer", type=pointer.type.name))
    return Memory(pointer.type.target, pointer.node, pointer.type.const)


def _index(unit: Unit, node: syntax.Index) -> Value:
    first = _operand(unit, node.object, "[]")
    if isinstance(first.type, Struct):
        return own_operator(unit, node, "[]", first, lower(unit, node.index))
    base = rvalue(unit, node.object, first)
    mark = len(unit.operations)
    at = plain(unit, node.index)
    base = unit.keep_before(mark, base)
    if isinstance(at.type, Pointer):
        base, at = at, base
    if not isinstance(base.type, Pointer):
        raise unit.error(node, fact("cpp.not-a-pointer", type=base.type.name))
    at = integer(unit, node, at)
    if isinstance(first.type, ArrayOf) and isinstance(node.object, (syntax.Index, syntax.Member)):
        at = _on_axis(unit, node, at, first.type)
    return dereference(unit, node, move(base, at))


def _on_axis(unit: Unit, node: syntax.Index, at: Plain, kind: ArrayOf) -> Plain:
    """Check an index of an array within an array: beyond it, the memory is another row's."""
    if kind.length is None or (isinstance(at.node, Number) and 0 <= at.node.value < kind.length):
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


def _member(unit: Unit, node: syntax.Member) -> Value:
    owner = owner_of(unit, node)
    kind = owner.type
    path = kind.path(node.name.identifier) if isinstance(kind, Struct) else ()
    if not path:
        shared = unit.module.find_member(unit, kind, node.name.identifier)
        if not isinstance(shared, (Plain, Memory)):
            raise no_member(unit, node, kind)
        check_access(unit, node, kind)
        return shared
    check_access(unit, node, kind)
    if isinstance(owner, Memory):
        owner = unit.hold_place(owner)
    found = named_member(owner, path)
    if found is None:
        raise unit.refusal(node, fact("cpp.no-union"))
    return found


def no_member(unit: Unit, node: syntax.Member, kind: CType) -> Refused:
    """Make the error for a member that a type does not have."""
    name = node.name.identifier
    if not isinstance(kind, Struct):
        return unit.error(node, fact("cpp.not-a-struct", type=kind.name, name=name))
    return unit.error(node, fact("cpp.no-member", type=kind.name, name=name))


def check_access(unit: Unit, node: syntax.Member, kind: CType) -> None:
    """Check that a member may be used here.

    Raises:
        Refused: it is private, and this is no function of its struct.
    """
    name = node.name.identifier
    if isinstance(kind, Struct) and kind.source and name in kind.source.tree.private:
        around = unit.scopes.find(OWNER)
        own = around.type if isinstance(around, TypeName) else None
        if not isinstance(own, Struct) or not own.source or own.source.tree is not kind.source.tree:
            raise unit.error(node, fact("cpp.private", type=kind.name, name=name))


def owner_of(unit: Unit, node: syntax.Member) -> Value:
    """Lower the object of `object.name`, or what the pointer of `pointer->name` points to."""
    if not node.arrow:
        return lower(unit, node.object)
    if isinstance(node.object, syntax.This):
        return this_of(unit, node)
    pointer = lower(unit, node.object)
    if isinstance(pointer.type, Struct):
        pointer = own_operator(unit, node, "->", pointer)
    return dereference(unit, node, rvalue(unit, node, pointer))


def this_of(unit: Unit, node: syntax.Node) -> Value:
    """Return the struct whose function this is.

    Raises:
        Refused: it is no function of a struct.
    """
    this = unit.scopes.find("this")
    if not isinstance(this, (Aggregate, Memory)):
        raise unit.error(node, fact("cpp.no-this"))
    return this


def assign(unit: Unit, node: syntax.Node, place: Value, value: Value) -> None:
    """Emit what gives a place a value, converted to its type.

    Raises:
        Refused: it is no place, or const, or C++ has no such conversion.
    """
    match place:
        case Register(const=True) | Memory(const=True) | Aggregate(const=True):
            raise unit.error(node, fact("cpp.const"))
        case Register(kind, variable):
            given = convert(unit, node, rvalue(unit, node, value), kind)
            unit.set_variable(variable, given.node)
        case Memory(Struct() | ArrayOf()) if isinstance(value, Aggregate):
            assign_struct(unit, node, place, value)
        case Memory(Struct()):
            assign_struct(unit, node, place, load(unit, node, value))
        case Memory(kind, pointer):
            given = convert(unit, node, rvalue(unit, node, value), kind)
            place_of = target(element_of(kind), pointer, unit.site(node.place))
            unit.emit(Store(place_of, to_stored(kind, given.node)))
        case Aggregate():
            assign_struct(unit, node, place, load(unit, node, value))
        case _:
            raise _not_a_place(unit, node, place)


def _not_a_place(unit: Unit, node: syntax.Node, value: Value) -> Refused:
    if is_returned(value):
        return unit.refusal(node, fact("cpp.returned-reference"))
    if isinstance(value, Designator):
        return unit.refusal(node, fact("cpp.no-function-pointers"))
    return unit.error(node, fact("cpp.not-a-place"))


def assign_struct(unit: Unit, node: syntax.Node, place: Value, value: Value) -> None:
    """Emit what copies a struct."""
    if place.type != value.type or not isinstance(value, Aggregate):
        what = fact("cpp.no-conversion", type=value.type.name, wanted=place.type.name)
        raise unit.error(node, what)
    kind = value.type
    if isinstance(place, Memory) and isinstance(kind, Struct) and kind.vector:
        parts = (rvalue(unit, node, part) for part in value.members)
        from_parts = tuple(to_stored(part.type, part.node) for part in parts)
        vector = vector_of(kind)
        place_of = target(vector, place.pointer, unit.site(node.place))
        unit.emit(Store(place_of, nodes.Pack(vector, from_parts)))
        return
    held = [_hold(unit, part) for part in value.members]
    if isinstance(place, Memory):
        place = unit.hold_place(place)
    for at, part in enumerate(held):
        assign(unit, node, member_of(place, at), part)


def _hold(unit: Unit, value: Value) -> Value:
    if isinstance(value, Aggregate):
        return Aggregate(value.type, tuple(_hold(unit, part) for part in value.members))
    return unit.hold_plain(value) if isinstance(value, Plain) else value


def _assignment(unit: Unit, node: syntax.Assignment) -> Value:
    value = lower(unit, node.value)
    if isinstance(node.target, syntax.Conditional) and not isinstance(value.type, Struct):
        return _assign_chosen(unit, node, node.target, rvalue(unit, node.value, value))
    with unit.apart() as located:
        place = lower(unit, node.target)
    if isinstance(value, Braces):
        value = _list_for(unit, node, place.type, value)
    if isinstance(place.type, Struct):
        return _assign_struct(unit, node, (place, located), value)
    given = load(unit, node.value, value)
    mark = len(unit.operations)
    unit.operations.extend(located)
    if isinstance(given, Plain):
        given = unit.keep_before(mark, given)
    if node.operator != "=":
        return update(unit, node, place, node.operator[:-1], rvalue(unit, node.value, given))
    if unit.unused is not node and isinstance(place, Memory):
        return _store_and_keep(unit, node, place, rvalue(unit, node.value, given))
    assign(unit, node, place, given)
    return place


def _list_for(unit: Unit, node: syntax.Assignment, kind: CType, given: Braces) -> Value:
    """Return what a list that is assigned makes; operators of the source say what they take."""
    is_own = isinstance(kind, Struct) and (
        node.operator != "=" or unit.module.hooks.has_assignment(kind)
    )
    if is_own:
        return given
    if node.operator != "=":
        raise unit.error(given.node, fact("cpp.not-a-value", name="{…}"))
    return make_listed(unit, given, kind)


def _store_and_keep(unit: Unit, node: syntax.Node, place: Memory, given: Plain) -> Memory:
    """Store a value that is used further: as in a compiler, from where it is, without a load."""
    place = unit.hold_place(place)
    kept = unit.hold_plain(convert(unit, node, given, place.type))
    assign(unit, node, place, kept)
    return replace(place, stored=kept.node)


def _assign_chosen(
    unit: Unit, node: syntax.Assignment, chosen: syntax.Conditional, given: Plain
) -> Value:
    """Assign to the place that a test chooses: `(test ? a : b) = value;`."""
    if unit.unused is not node:
        raise unit.refusal(node, fact("cpp.choice-as-place"))
    value = unit.hold_plain(given)
    holds = test(unit, chosen.test)
    first, yes = _assign_apart(unit, node, chosen.yes, value)
    second, no = _assign_apart(unit, node, chosen.no, value)
    if yes != no:
        raise unit.error(node, fact("cpp.not-a-place"))
    unit.emit(When(holds, first, second))
    return Nothing(VOID)


def _assign_apart(
    unit: Unit, node: syntax.Assignment, target_node: syntax.Expression, value: Plain
) -> tuple[tuple[nodes.Operation, ...], CType]:
    """Return what assigns a value to a target, and the target's type."""
    with unit.apart() as operations:
        place = lower(unit, target_node)
        if node.operator == "=":
            assign(unit, node, place, value)
        else:
            update(unit, node, place, node.operator[:-1], value)
    return tuple(operations), place.type


def _assign_struct(
    unit: Unit,
    node: syntax.Assignment,
    located_target: tuple[Value, Sequence[nodes.Operation]],
    value: Value,
) -> Value:
    """Assign to a struct: an operator of the source may refer to the value, any other loads it.

    The target is a place and what locates it, which comes after the value.
    """
    place, located = located_target
    kind = place.type
    assert isinstance(kind, Struct)  # the caller has looked
    refers = node.operator != "=" or unit.module.hooks.has_assignment(kind)
    given = value if refers else load(unit, node.value, value)
    mark = len(unit.operations)
    unit.operations.extend(located)
    given = _keep(unit, mark, given)
    if refers:
        return own_operator(unit, node, node.operator, place, given)
    if given.type is not kind and not unit.module.hooks.has_constructor(kind):
        what = fact("cpp.no-conversion", type=given.type.name, wanted=kind.name)
        raise unit.error(node, what)
    if given.type is not kind:
        given = unit.module.hooks.make(unit, node, kind, (given,))
    assign(unit, node, place, given)
    return place


def update(unit: Unit, node: syntax.Node, place: Value, operator: str, right: Plain) -> Value:
    """Emit what applies an operator to a place; it is located once."""
    match place:
        case Register(const=True) | Memory(const=True):
            raise unit.error(node, fact("cpp.const"))
        case Register(kind, variable):
            old = Plain(kind, unit.read_variable(node, variable))
            new = convert(unit, node, operate(unit, node, operator, old, right), kind)
            unit.set_variable(variable, new.node)
            return place
        case Memory(kind) if isinstance(kind, (Arithmetic, Pointer)) and unit.unused is not node:
            place = unit.hold_place(place)
            before = rvalue(unit, node, place)
            new = convert(unit, node, operate(unit, node, operator, before, right), kind)
            return _store_and_keep(unit, node, place, new)
        case Memory(kind, pointer) if isinstance(kind, (Arithmetic, Pointer)):
            name, held = unit.temporary(), unit.hold(pointer)
            stored = kind.stored if isinstance(kind, Arithmetic) else dtype_of(kind)
            old = Plain(kind, from_stored(kind, Read(stored, name)))
            new = convert(unit, node, operate(unit, node, operator, old, right), kind)
            place_of = target(element_of(kind), held, unit.site(node.place))
            unit.emit(nodes.Update(place_of, name, to_stored(kind, new.node)))
            return Memory(kind, held)
    raise _not_a_place(unit, node, place)


def _step(unit: Unit, node: syntax.Node, operand: syntax.Expression, operator: str) -> Value:
    place = lower(unit, operand)
    if isinstance(place.type, Struct):
        return own_operator(unit, node, operator * 2, place)
    _refuse_bool(unit, node, place)
    return update(unit, node, place, operator, whole(1))


def _refuse_bool(unit: Unit, node: syntax.Node, place: Value) -> None:
    """Refuse `++` and `--` of a bool, which C++17 has no more."""
    if place.type == BOOLEAN:
        raise unit.error(node, fact("cpp.no-operator", types=(BOOLEAN.name,)))


def _postfix(unit: Unit, node: syntax.Postfix) -> Value:
    place = lower(unit, node.operand)
    if isinstance(place.type, Struct):
        return own_operator(unit, node, node.operator, place, whole(0))
    _refuse_bool(unit, node, place)
    if isinstance(place, Memory):
        place = unit.hold_place(place)
    before = rvalue(unit, node, place)
    name = unit.temporary()
    unit.emit(Set(name, before.node))
    old = Plain(before.type, Read(before.node.type, name))
    if isinstance(place, Memory):
        new = operate(unit, node, node.operator[0], old, whole(1))
        assign(unit, node, place, new)
    else:
        update(unit, node, place, node.operator[0], whole(1))
    return old


def _cast(unit: Unit, node: syntax.Cast) -> Value:
    kind = unit.module.type_of(unit, node.type)
    value = lower(unit, node.operand)
    check_cast(unit, node, value.type, kind)
    return cast(unit, node, value, kind)


def cast(unit: Unit, node: syntax.Node, value: Value, kind: CType) -> Value:
    """Convert a value to a type that the source names."""
    if isinstance(kind, Void):
        drop(unit, value)
        return Nothing(VOID)
    if value.type == kind:
        return load(unit, node, value)
    if isinstance(kind, Struct):
        made: Value = unit.module.hooks.make(unit, node, kind, (value,))
        return made
    return convert(unit, node, rvalue(unit, node, value), kind, cast=True)


def _construction(unit: Unit, node: syntax.Construction) -> Value:
    kind = unit.module.type_of(unit, node.type)
    if node.braces:
        return make_listed(unit, Braces(syntax.BraceList(node.place, node.arguments)), kind)
    given = lower_given(unit, kind, node.arguments, braces=False)
    if isinstance(kind, Struct):
        value: Value = unit.module.hooks.make(unit, node, kind, given)
        return value
    if not given:
        return convert(unit, node, whole(0), kind, cast=True)
    if len(given) > 1:
        raise unit.error(
            node, fact("cpp.argument-count", function=kind.name, n=1, given=len(given))
        )
    return cast(unit, node, given[0], kind)


def lower_arguments(unit: Unit, arguments: Sequence[syntax.Expression]) -> list[Value]:
    """Lower arguments from left to right; each keeps the value that it has before the next.

    A variable is a place that a reference may refer to, so it keeps none.
    """
    return _lower_in_order(unit, arguments, lower)


def lower_list(unit: Unit, values: Sequence[syntax.Expression]) -> list[Value]:
    """Lower what stands in braces: each is converted before the next is evaluated."""
    return _lower_in_order(unit, values, lambda unit, node: load(unit, node, lower(unit, node)))


def lower_given(
    unit: Unit, kind: CType, given: Sequence[syntax.Expression], *, braces: bool
) -> list[Value]:
    """Lower what something of a type is made of, in order.

    In braces each is evaluated before the next, unless a constructor may refer to a variable.
    """
    source = kind.source.tree if isinstance(kind, Struct) and kind.source else None
    refers = source is not None and any(
        isinstance(parameter.type, syntax.ReferenceType)
        for each in source.functions
        if each.name == source.name
        for parameter in each.parameters
    )
    return (lower_list if braces and not refers else lower_arguments)(unit, given)


def _lower_in_order(
    unit: Unit, nodes_given: Sequence[syntax.Expression], lower_one: Form
) -> list[Value]:
    values: list[tuple[int, Value]] = []
    for node in nodes_given:
        value = lower_one(unit, node)
        values.append((len(unit.operations), value))
    end = len(unit.operations)
    if all(mark == end for mark, _ in values):
        return [value for _, value in values]
    # From the end, so that earlier marks stay true.
    return [_keep(unit, mark, value) for mark, value in reversed(values)][::-1]


def _keep(unit: Unit, mark: int, value: Value) -> Value:
    """Return a value as it was when `mark` operations were emitted."""
    if isinstance(value, Aggregate):
        return replace(value, members=tuple(_keep(unit, mark, each) for each in value.members))
    if isinstance(value, Memory):
        pointer = unit.keep_before(mark, Plain(Pointer(value.type), value.pointer))
        return replace(value, pointer=pointer.node)
    return unit.keep_before(mark, value) if isinstance(value, Plain) else value


def _call(unit: Unit, node: syntax.Call) -> Value:
    value: Value = unit.module.hooks.call(unit, node)
    return value


def _size_of(unit: Unit, node: syntax.SizeOf) -> Value:
    if isinstance(node.operand, syntax.Type):
        kind = unit.module.type_of(unit, node.operand)
    else:
        with unit.unevaluated():
            kind = lower(unit, node.operand).type
    return number(UNSIGNED_LONG, kind.alignment if node.alignment else kind.size)


def _braces(_unit: Unit, node: syntax.BraceList) -> Value:
    return Braces(node)


def _lambda(unit: Unit, node: syntax.Lambda) -> Value:
    made: Value = unit.module.hooks.closure(unit, node)
    return made


def _designated(unit: Unit, node: syntax.Designated) -> Value:
    raise unit.refusal(node, fact("cpp.no-designators"))


def _this(unit: Unit, node: syntax.This) -> Value:
    this = this_of(unit, node)
    if not isinstance(this, Memory):
        raise unit.refusal(node, fact("cpp.no-this-pointer"))
    return Plain(Pointer(this.type, this.const), this.pointer)


def _string(unit: Unit, node: syntax.StringLiteral) -> Value:
    raise unit.refusal(node, fact("cpp.no-string-here"))


_FORMS: dict[type[Any], Form] = {
    syntax.IntegerLiteral: _integer,
    syntax.FloatLiteral: _float,
    syntax.CharacterLiteral: _character,
    syntax.StringLiteral: _string,
    syntax.BoolLiteral: _bool,
    syntax.NullPointer: _null,
    syntax.This: _this,
    syntax.Name: _name,
    syntax.Unary: _unary,
    syntax.Postfix: _postfix,
    syntax.Binary: _binary,
    syntax.Assignment: _assignment,
    syntax.Conditional: _conditional,
    syntax.Comma: _comma,
    syntax.Cast: _cast,
    syntax.Construction: _construction,
    syntax.Member: _member,
    syntax.Index: _index,
    syntax.Call: _call,
    syntax.SizeOf: _size_of,
    syntax.BraceList: _braces,
    syntax.Lambda: _lambda,
    syntax.Designated: _designated,
}
