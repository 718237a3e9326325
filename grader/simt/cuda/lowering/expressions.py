"""Lowers expressions: each to a value, or to a place that can be written.

What an expression changes is emitted before the value that it gives; a value that something
emitted later may change is kept in a temporary. C++17 says which operand comes first; where it does
not, the left one does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.assigning import assign, refuse_bool, store_and_keep, update
from grader.simt.cuda.lowering.casts import check_cast
from grader.simt.cuda.lowering.conversions import (
    convert,
    find_conversion,
    integer,
    load,
    move,
    named_member,
    number,
    rvalue,
    truth,
    whole,
)
from grader.simt.cuda.lowering.model import positions
from grader.simt.cuda.lowering.model.types import (
    ARITHMETIC,
    BOOLEAN,
    CHAR,
    NULLPTR,
    UNSIGNED_LONG,
    VOID,
    Arithmetic,
    ArrayOf,
    CType,
    PointerTo,
    StructType,
    functions_of,
    is_closure,
)
from grader.simt.cuda.lowering.model.values import (
    Aggregate,
    Braces,
    Designator,
    MemoryPlace,
    Plain,
    Register,
    Value,
    VoidValue,
    is_returned,
)
from grader.simt.cuda.lowering.objects.bases import (
    cast_reference,
    find_functions,
    is_made_of,
    make_of,
    qualified_member,
    struct_behind,
    this_of,
    to_base,
)
from grader.simt.cuda.lowering.objects.references import follow
from grader.simt.cuda.lowering.objects.stored_closures import refuse_returned
from grader.simt.cuda.lowering.operators import (
    cast,
    check_access,
    choose_members,
    dereference,
    drop,
    no_member,
    on_axis,
    operate,
    own_operator,
    signed,
    unify,
)
from grader.simt.cuda.lowering.pointed import designate
from grader.simt.cuda.lowering.storage import place_text
from grader.simt.cuda.lowering.templates.parameters import class_of
from grader.simt.cuda.lowering.templates.structs import make_listed
from grader.simt.cuda.lowering.templates.type_traits import are_same
from grader.simt.cuda.lowering.unit import CudaUnit, Functions, TypeName, Unavailable
from grader.simt.cuda.names import POSITIONS
from grader.simt.program import nodes
from grader.simt.program.nodes import Choose, Logical, Observe, Operate, Read, Set, When
from grader.simt.program.types import BOOL

Form = Callable[[CudaUnit, Any], Value]
_Located = tuple[Value, Sequence[nodes.Operation]]


def lower(unit: CudaUnit, node: syntax.Expression) -> Value:
    """Lower any expression.

    Raises:
        Refused: it is not C++, or not emulated.
    """
    return _FORMS[type(node)](unit, node)


def plain(unit: CudaUnit, node: syntax.Expression) -> Plain:
    """Lower an expression that is a number or a pointer."""
    return rvalue(unit, node, lower(unit, node))


def test(unit: CudaUnit, node: syntax.Expression) -> nodes.Expression:
    """Lower an expression as a test."""
    return Observe(BOOL, truth(unit, node, lower(unit, node)).node)


def _number(_unit: CudaUnit, node: syntax.IntegerLiteral | syntax.FloatLiteral) -> Value:
    return number(ARITHMETIC[node.type], node.value)


def _character(_unit: CudaUnit, node: syntax.CharacterLiteral) -> Value:
    return number(CHAR, node.value)


def _bool(_unit: CudaUnit, node: syntax.BoolLiteral) -> Value:
    return number(BOOLEAN, node.value)


def _null(_unit: CudaUnit, _node: syntax.NullPointer) -> Value:
    return number(NULLPTR, 0)


def _name(unit: CudaUnit, node: syntax.Name) -> Value:
    entity = unit.module.find(unit, node)
    match entity:
        case Plain() | Register() | MemoryPlace() | Aggregate():
            return follow(unit, node, entity)
        case Unavailable(reason):
            raise reason
        case Functions():
            return designate(unit, entity, node.parts[-1].arguments)
        case TypeName():
            raise unit.error(node, fact("cpp.not-a-value", name=node.spelled))
    if (member := qualified_member(unit, node)) is not None:
        return member
    special = positions.find(node.spelled)
    if special is not None:
        return special
    same = are_same(unit, node)
    if same is None:
        raise unit.module.unknown(unit, node, POSITIONS)
    return number(BOOLEAN, same)


def operands(
    unit: CudaUnit, first: syntax.Expression, second: syntax.Expression
) -> tuple[Plain, Plain]:
    """Lower two operands; the first keeps the value that it has before the second."""
    left = plain(unit, first)
    mark = len(unit.operations)
    right = plain(unit, second)
    return unit.keep_before(mark, left), right


def _binary(unit: CudaUnit, node: syntax.Binary) -> Value:
    if node.operator in ("&&", "||"):
        return _logical(unit, node)
    first = _operand(unit, node.left, node.operator)
    left = None if isinstance(first.type, StructType) else rvalue(unit, node.left, first)
    mark = len(unit.operations)
    second = _operand(unit, node.right, node.operator)
    if left is None or isinstance(second.type, StructType):
        return own_operator(unit, node, node.operator, first, second)
    left, right = unit.keep_before(mark, left), rvalue(unit, node.right, second)
    return operate(unit, node, node.operator, left, right)


def _operand(unit: CudaUnit, node: syntax.Expression, operator: str) -> Value:
    """Lower an operand; a struct without such an operator is what it converts to."""
    value = lower(unit, node)
    kind, name = value.type, f"operator{operator}"
    if not isinstance(kind, StructType) or find_conversion(value) is None:
        return value
    if find_functions(unit, name, (value,)):
        return value
    assert kind.source is not None
    own = any(each.name == name for each in functions_of(kind))
    return value if own else rvalue(unit, node, value)


def _logical(unit: CudaUnit, node: syntax.Binary) -> Value:
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


def _conditional(unit: CudaUnit, node: syntax.Conditional) -> Value:
    holds = test(unit, node.test)
    with unit.apart() as first:
        yes = load(unit, node.yes, lower(unit, node.yes))
    with unit.apart() as second:
        no = load(unit, node.no, lower(unit, node.no))
    if isinstance(yes, VoidValue) and isinstance(no, VoidValue):
        unit.emit(When(holds, tuple(first), tuple(second)))
        return VoidValue(VOID)
    if is_closure(yes.type) or is_closure(no.type):
        raise unit.refusal(node, fact("cpp.lambda-escapes"))
    if find_conversion(yes) is None and is_made_of(unit, yes.type, no):
        no = make_of(unit, node.no, no, yes.type, second)
    elif find_conversion(no) is None and is_made_of(unit, no.type, yes):
        yes = make_of(unit, node.yes, yes, no.type, first)
    if isinstance(yes, Aggregate) and isinstance(no, Aggregate):
        return choose_members(unit, holds, (first, yes), (second, no))
    left, right = rvalue(unit, node.yes, yes), rvalue(unit, node.no, no)
    if left.type != right.type:
        left, right = unify(unit, node, left, right)
    kind = left.node.type
    if not first and not second:
        return Plain(left.type, Choose(kind, holds, left.node, right.node))
    name = unit.temporary()
    unit.emit(When(holds, (*first, Set(name, left.node)), (*second, Set(name, right.node))))
    return Plain(left.type, Read(kind, name))


def _comma(unit: CudaUnit, node: syntax.Comma) -> Value:
    lower_effects(unit, node.left)
    return lower(unit, node.right)


def lower_effects(unit: CudaUnit, node: syntax.Expression) -> None:
    """Emit what an expression is evaluated for whose value is not used."""
    unit.unused = node
    value = lower(unit, node)
    changes = isinstance(node, (syntax.Assignment, syntax.Postfix)) or (
        isinstance(node, syntax.Unary) and node.operator in ("++", "--")
    )
    if not (changes and isinstance(value.type, (Arithmetic, PointerTo))):  # else it was emitted
        drop(unit, value)


def _unary(unit: CudaUnit, node: syntax.Unary) -> Value:
    match node.operator:
        case "&":
            return _address_of(unit, node)
        case "++" | "--":
            return _step(unit, node, node.operand, node.operator[0])
        case "*" if (place := struct_behind(unit, node.operand)) is not None:
            return place
    operand = _operand(unit, node.operand, node.operator)
    if isinstance(operand, Designator) and node.operator == "*":
        return operand
    if isinstance(operand.type, StructType):
        return own_operator(unit, node, node.operator, operand)
    if node.operator == "*":
        return dereference(unit, node, rvalue(unit, node, operand))
    if node.operator == "!":
        holds = truth(unit, node.operand, operand)
        return Plain(BOOLEAN, Operate(BOOL, "~", (holds.node,)))
    return signed(unit, node, rvalue(unit, node.operand, operand))


def _address_of(unit: CudaUnit, node: syntax.Unary) -> Value:
    place = lower(unit, node.operand)
    if isinstance(place, Designator):
        return place
    if isinstance(place, MemoryPlace):
        return Plain(PointerTo(place.type, place.const, volatile=place.volatile), place.pointer)
    if is_returned(place):
        raise refuse_returned(unit, node, place)
    raise unit.error(node, fact("cpp.no-address"))


def _index(unit: CudaUnit, node: syntax.Index) -> Value:
    first = _operand(unit, node.object, "[]")
    if isinstance(first.type, StructType):
        return own_operator(unit, node, "[]", first, lower(unit, node.index))
    base = rvalue(unit, node.object, first)
    mark = len(unit.operations)
    at = plain(unit, node.index)
    base = unit.keep_before(mark, base)
    if isinstance(at.type, PointerTo):
        base, at = at, base
    if not isinstance(base.type, PointerTo):
        raise unit.error(node, fact("cpp.not-a-pointer", type=base.type.name))
    at = integer(unit, node, at)
    if isinstance(first.type, ArrayOf) and isinstance(node.object, (syntax.Index, syntax.Member)):
        at = on_axis(unit, node, at, first.type)
    return dereference(unit, node, move(base, at))


def _member(unit: CudaUnit, node: syntax.Member) -> Value:
    owner = owner_of(unit, node)
    kind = owner.type
    path = kind.path(node.name.identifier) if isinstance(kind, StructType) else ()
    if not path:
        shared = unit.module.find_member(unit, kind, node.name.identifier)
        if not isinstance(shared, (Plain, MemoryPlace)):
            raise no_member(unit, node, kind)
        check_access(unit, node, kind)
        return shared
    check_access(unit, node, kind)
    if isinstance(owner, MemoryPlace):
        owner = unit.hold_place(owner)
    found = named_member(owner, path)
    if found is None:
        raise unit.refusal(node, fact("cpp.no-union"))
    return follow(unit, node, found)


def owner_of(unit: CudaUnit, node: syntax.Member) -> Value:
    """Lower the object of `object.name`, or what the pointer of `pointer->name` points to."""
    if not node.arrow:
        return lower(unit, node.object)
    if (place := struct_behind(unit, node.object)) is not None:
        return place
    pointer = lower(unit, node.object)
    if isinstance(pointer.type, StructType):
        pointer = own_operator(unit, node, "->", pointer)
    return dereference(unit, node, rvalue(unit, node, pointer))


def _assignment(unit: CudaUnit, node: syntax.Assignment) -> Value:
    value = lower(unit, node.value)
    if isinstance(node.target, syntax.Conditional) and not isinstance(value.type, StructType):
        return _assign_chosen(unit, node, node.target, rvalue(unit, node.value, value))
    with unit.apart() as located:
        place = lower(unit, node.target)
    if isinstance(value, Braces):
        value = _list_for(unit, node, place.type, value)
    if isinstance(place.type, StructType):
        return _assign_struct(unit, node, (place, located), value)
    given = load(unit, node.value, value)
    mark = len(unit.operations)
    unit.operations.extend(located)
    if isinstance(given, Plain):
        given = unit.keep_before(mark, given)
    if node.operator != "=":
        return update(unit, node, place, node.operator[:-1], rvalue(unit, node.value, given))
    if unit.unused is not node and isinstance(place, MemoryPlace):
        return store_and_keep(unit, node, place, rvalue(unit, node.value, given))
    assign(unit, node, place, given)
    return place


def _list_for(unit: CudaUnit, node: syntax.Assignment, kind: CType, given: Braces) -> Value:
    """Return what a list that is assigned makes; operators of the source say what they take."""
    is_own = isinstance(kind, StructType) and (
        node.operator != "=" or unit.module.hooks.has_assignment(kind)
    )
    if is_own:
        return given
    if node.operator != "=":
        raise unit.error(given.node, fact("cpp.not-a-value", name="{…}"))
    return make_listed(unit, given, kind)


def _assign_chosen(
    unit: CudaUnit, node: syntax.Assignment, chosen: syntax.Conditional, given: Plain
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
    return VoidValue(VOID)


def _assign_apart(
    unit: CudaUnit, node: syntax.Assignment, target_node: syntax.Expression, value: Plain
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
    unit: CudaUnit, node: syntax.Assignment, located_target: _Located, value: Value
) -> Value:
    """Assign to a struct: an operator of the source may refer to the value, any other loads it.

    The target is a place and what locates it, which comes after the value.
    """
    place, located = located_target
    kind = place.type
    assert isinstance(kind, StructType)  # the caller has looked
    refers = node.operator != "=" or unit.module.hooks.has_assignment(kind, value.type)
    given = value if refers else to_base(load(unit, node.value, value), kind)
    mark = len(unit.operations)
    unit.operations.extend(located)
    given = _keep(unit, mark, given)
    if refers:
        return own_operator(unit, node, node.operator, place, given)
    if given.type is not kind:
        what = fact("cpp.no-conversion", type=given.type.name, wanted=kind.name)
        if not unit.module.hooks.has_constructor(kind):
            raise unit.error(node, what)
        given = unit.module.hooks.make(unit, node, kind, (given,))
    assign(unit, node, place, given)
    return place


def _step(unit: CudaUnit, node: syntax.Node, operand: syntax.Expression, operator: str) -> Value:
    place = lower(unit, operand)
    if isinstance(place.type, StructType):
        return own_operator(unit, node, operator * 2, place)
    refuse_bool(unit, node, place)
    return update(unit, node, place, operator, whole(1))


def _postfix(unit: CudaUnit, node: syntax.Postfix) -> Value:
    place = lower(unit, node.operand)
    if isinstance(place.type, StructType):
        return own_operator(unit, node, node.operator, place, whole(0))
    refuse_bool(unit, node, place)
    if isinstance(place, MemoryPlace):
        place = unit.hold_place(place)
    before = rvalue(unit, node, place)
    name = unit.temporary()
    unit.emit(Set(name, before.node))
    old = Plain(before.type, Read(before.node.type, name))
    if isinstance(place, MemoryPlace):
        new = operate(unit, node, node.operator[0], old, whole(1))
        assign(unit, node, place, new)
    else:
        update(unit, node, place, node.operator[0], whole(1))
    return old


def _cast(unit: CudaUnit, node: syntax.Cast) -> Value:
    kind = unit.module.type_of(unit, node.type)
    value = lower(unit, node.operand)
    if isinstance(node.type, syntax.ReferenceType):
        const = unit.module.is_const(unit, node.type.target)
        place = cast_reference(unit, node, value, kind, const=const)
        if place is not None:
            return place
    check_cast(unit, node, value.type, kind)
    return cast(unit, node, value, kind)


def _construction(unit: CudaUnit, node: syntax.Construction) -> Value:
    kind = class_of(unit, node.type, node.arguments)
    if node.braces:
        return make_listed(unit, Braces(syntax.BraceList(node.place, node.arguments)), kind)
    given = lower_given(unit, kind, node.arguments, braces=False)
    if isinstance(kind, StructType):
        value: Value = unit.module.hooks.make(unit, node, kind, given)
        return value
    if not given:
        return convert(unit, node, whole(0), kind, cast=True)
    if len(given) > 1:
        what = fact("cpp.argument-count", function=kind.name, n=1, given=len(given))
        raise unit.error(node, what)
    return cast(unit, node, given[0], kind)


def lower_arguments(unit: CudaUnit, arguments: Sequence[syntax.Expression]) -> list[Value]:
    """Lower arguments from left to right; each keeps the value that it has before the next.

    A variable is a place that a reference may refer to, so it keeps none.
    """
    return _lower_in_order(unit, arguments, lower)


def lower_list(unit: CudaUnit, values: Sequence[syntax.Expression]) -> list[Value]:
    """Lower what stands in braces: each is converted before the next is evaluated."""
    return _lower_in_order(unit, values, lambda unit, node: load(unit, node, lower(unit, node)))


def lower_given(
    unit: CudaUnit, kind: CType, given: Sequence[syntax.Expression], *, braces: bool
) -> list[Value]:
    """Lower what something of a type is made of, in order.

    In braces each is evaluated before the next, unless a constructor may refer to a variable.
    """
    source = kind.source.tree if isinstance(kind, StructType) and kind.source else None
    refers = source is not None and any(
        isinstance(parameter.type, syntax.ReferenceType)
        for each in source.functions
        if each.name == source.name
        for parameter in each.parameters
    )
    return (lower_list if braces and not refers else lower_arguments)(unit, given)


def _lower_in_order(
    unit: CudaUnit, nodes_given: Sequence[syntax.Expression], lower_one: Form
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


def _keep(unit: CudaUnit, mark: int, value: Value) -> Value:
    """Return a value as it was when `mark` operations were emitted."""
    if isinstance(value, Aggregate):
        return replace(value, members=tuple(_keep(unit, mark, each) for each in value.members))
    if isinstance(value, MemoryPlace):
        pointer = unit.keep_before(mark, Plain(PointerTo(value.type), value.pointer))
        return replace(value, pointer=pointer.node)
    return unit.keep_before(mark, value) if isinstance(value, Plain) else value


def _call(unit: CudaUnit, node: syntax.Call) -> Value:
    value: Value = unit.module.hooks.call(unit, node)
    return value


def _size_of(unit: CudaUnit, node: syntax.SizeOf) -> Value:
    if isinstance(node.operand, syntax.Type):
        kind = unit.module.type_of(unit, node.operand)
    else:
        with unit.unevaluated():
            kind = lower(unit, node.operand).type
    return number(UNSIGNED_LONG, kind.alignment if node.alignment else kind.size)


def _braces(_unit: CudaUnit, node: syntax.BraceList) -> Value:
    return Braces(node)


def _lambda(unit: CudaUnit, node: syntax.Lambda) -> Value:
    made: Value = unit.module.hooks.closure(unit, node)
    return made


def _designated(unit: CudaUnit, node: syntax.Designated) -> Value:
    raise unit.refusal(node, fact("cpp.no-designators"))


def _this(unit: CudaUnit, node: syntax.This) -> Value:
    this = this_of(unit, node)
    if not isinstance(this, MemoryPlace):
        raise unit.refusal(node, fact("cpp.no-this-pointer"))
    return Plain(PointerTo(this.type, this.const), this.pointer)


def _string(_unit: CudaUnit, node: syntax.StringLiteral) -> Value:
    return place_text(node)


_FORMS: dict[type[Any], Form] = {
    syntax.IntegerLiteral: _number,
    syntax.FloatLiteral: _number,
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
