"""Lowers declarations of variables: registers, and memory for those that have an address."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.conversions import (
    alternative_of,
    check_copied,
    convert,
    dtype_of,
    load,
    member_of,
    named_member,
    number,
    pointer_type,
    rvalue,
    vector_of,
    whole,
)
from grader.simt.cuda.lowering.expressions import assign, lower, lower_given
from grader.simt.cuda.lowering.lists import add_braces, spell_text
from grader.simt.cuda.lowering.narrowing import check_narrowing
from grader.simt.cuda.lowering.pointed import require_pointed
from grader.simt.cuda.lowering.types import (
    ANONYMOUS,
    Arithmetic,
    ArrayOf,
    CType,
    Pointer,
    Struct,
    bindings_of,
    defaults_of,
    has_array,
    has_union,
    is_closure,
    is_defaulted,
    is_function_pointer,
    is_mutable_closure,
    parts_of,
    unnest,
)
from grader.simt.cuda.lowering.unit import Unit
from grader.simt.cuda.lowering.values import (
    Aggregate,
    Memory,
    Plain,
    Register,
    Value,
    is_returned,
)
from grader.simt.program.nodes import AddressOf, Read, Statement, Step
from grader.simt.program.nodes import Memory as DeclaredMemory
from grader.simt.program.types import INT64, UINT8, Array, Scalar, Space

_MOST_ELEMENTS = 2_000
"""Of an array that a list begins: each is an operation of its own."""


def declare(unit: Unit, node: syntax.Variable) -> None:
    """Lower a variable of a function.

    Raises:
        Refused: its type has no size, or its initializer does not fit.
    """
    if "__shared__" in node.specifiers:
        unit.scopes.declare(node.name, declare_shared(unit, node))
        return
    if isinstance(node.type, syntax.ReferenceType):
        _bind_reference(unit, node)
        return
    given = node.initializer
    kind, const = unit.module.declared_type(unit, node)
    if is_closure(kind):
        _declare_closure(unit, node)
        return
    if is_function_pointer(kind):
        _declare_pointed(unit, node, kind)
        return
    if const and _is_constant(unit, node, kind):
        return
    if isinstance(kind, ArrayOf) or node.name in unit.addressed or has_array(kind):
        place: Value = _local(unit, node, kind)
    else:
        place = make_variable(unit, node.name, kind)
    unit.scopes.declare(node.name, place)  # its initializer may name it
    unset = variables_of(place) if given is None and not isinstance(place, Memory) else []
    for variable in unset:
        unit.leave_unset(variable)
    if given is not None:
        initialize(unit, node, place, given)
    elif _refers(kind) and not unit.module.hooks.has_constructor(kind):
        raise unit.error(node, fact("cpp.reference-unbound", name=node.name))
    else:
        _begin(unit, node, place)
    unit.scopes.declare(node.name, freeze(place) if const else place)


def declare_bindings(unit: Unit, node: syntax.Bindings) -> None:
    """Declare names for the members of a struct, or for the elements of an array.

    Raises:
        Refused: there are more of them, or fewer.
    """
    place = lower(unit, node.initializer.values[0])
    refers = isinstance(node.type, syntax.ReferenceType)
    base = node.type.target if isinstance(node.type, syntax.ReferenceType) else node.type
    kind = place.type
    if not isinstance(kind, (ArrayOf, Struct)) or is_closure(kind) or has_union(kind):
        raise unit.refusal(node, fact("cpp.no-structured-bindings"))
    if refers and is_returned(place):
        raise unit.refusal(node, fact("cpp.returned-reference"))
    if not refers or not isinstance(place, (Memory, Aggregate)):
        place = _copy_bound(unit, node, place)
    elif isinstance(place, Memory):
        place = unit.hold_place(place)
    parts = parts_of(kind)
    if len(parts) != len(node.names):
        raise unit.error(node, fact("cpp.binding-count", n=len(parts), given=len(node.names)))
    for at, name in enumerate(node.names):
        part = member_of(place, at)
        unit.scopes.declare(name, freeze(part) if syntax.is_const(base) else part)


def _copy_bound(unit: Unit, node: syntax.Bindings, place: Value) -> Value:
    kind = place.type
    named = any(name in unit.addressed for name in node.names)
    if isinstance(kind, ArrayOf):
        raise unit.refusal(node, fact("cpp.no-structured-bindings"))
    made: Value
    if named or has_array(kind):
        made = declare_memory(unit, node, node.names[0], kind, "local")
    else:
        made = make_variable(unit, "+".join(node.names), kind)
    assign(unit, node, made, load(unit, node, place))
    return made


def _declare_pointed(unit: Unit, node: syntax.Variable, kind: CType) -> None:
    """Declare a pointer to a function that is known: its name means the function."""
    values = () if node.initializer is None else node.initializer.values
    if len(values) != 1:
        raise unit.refusal(node, fact("cpp.no-function-pointers"))
    unit.scopes.declare(node.name, require_pointed(unit, node, lower(unit, values[0]), kind))


def _declare_closure(unit: Unit, node: syntax.Variable) -> None:
    """Declare what a lambda made: a copy of it refers to the same places."""
    values = () if node.initializer is None else node.initializer.values
    value = lower(unit, values[0]) if len(values) == 1 else None
    copied = not isinstance(values[0], syntax.Lambda) if values else True
    if not isinstance(value, Aggregate) or (copied and is_mutable_closure(value.type)):
        raise unit.refusal(node, fact("cpp.lambda-escapes"))
    unit.scopes.declare(node.name, value)


def _begin(unit: Unit, node: syntax.Node, place: Value) -> None:
    """Emit what a variable begins with that is given no value: by constructors and by defaults."""
    match place.type:
        case ArrayOf(element, int(length)) if _begins(unit, element):
            if length > _MOST_ELEMENTS:
                raise unit.refusal(node, fact("cpp.large-list", most=_MOST_ELEMENTS))
            for at in range(length):
                _begin(unit, node, member_of(place, at))
        case Struct() as kind if _constructs(unit, kind, given=False):
            _construct(unit, node, place, ())
        case Struct(members=members) as kind if _begins(unit, kind):
            for at in range(len(members)):
                if not _begin_member(unit, node, place, at):
                    _begin(unit, node, member_of(place, at))


def _constructs(unit: Unit, kind: Struct, *, given: bool) -> bool:
    """Return True if a constructor of the source begins a struct, with values or without."""
    own: bool = unit.module.hooks.has_constructor(kind)
    return own and (given or not is_defaulted(kind))


def _construct(unit: Unit, node: syntax.Node, place: Value, given: Sequence[Value]) -> None:
    """Emit what arguments make of a struct; a constructor may do it where the struct is."""
    made = unit.module.hooks.make(unit, node, place.type, given, place)
    if made is not place:
        assign(unit, node, place, load(unit, node, made))


def crosses(unit: Unit, node: syntax.Variable) -> bool:
    """Return True for a variable that a jump over its declaration would leave without its value."""
    if node.specifiers & {"__shared__", "static"}:
        return False
    found = unit.scopes.find(node.name)
    return node.initializer is not None or _begins(unit, getattr(found, "type", None))


def _begins(unit: Unit, kind: CType | None) -> bool:
    """Return True for a type whose values begin with something without being given it."""
    match kind:
        case ArrayOf(element):
            return _begins(unit, element)
        case Struct(members=members):
            own = _constructs(unit, kind, given=False) or bool(defaults_of(kind))
            return own or any(_begins(unit, member.type) for member in members)
    return False


def _refers(kind: CType) -> bool:
    """Return True for a struct with a member that is a reference."""
    if not isinstance(kind, Struct) or kind.source is None:
        return False
    members = kind.source.tree.members
    return any(isinstance(each.type, syntax.ReferenceType) for each in members)


def _is_constant(unit: Unit, node: syntax.Variable, kind: CType) -> bool:
    """Declare a constant number whose value is known; return False for any other variable."""
    given = node.initializer
    if given is None:
        if isinstance(kind, (Arithmetic, Pointer)):
            raise unit.error(node, fact("cpp.const-without-value", name=node.name))
        return False
    if not isinstance(kind, Arithmetic):
        return False
    with unit.apart() as operations:
        value = rvalue(unit, node, make_initial(unit, node, kind, given))
    known = None if operations else unit.module.known(value.node)
    if known is None and "constexpr" in node.specifiers:
        raise unit.error(node, fact("cpp.not-constant"))
    if known is None or node.name in unit.addressed:
        return False
    unit.scopes.declare(node.name, number(kind, known))
    return True


def freeze(place: Value) -> Value:
    """Return a variable that nothing may change; what a lambda captured is its own matter."""
    match place:
        case Register(kind, variable):
            return Register(kind, variable, const=True)
        case Memory(kind, pointer):
            return Memory(kind, pointer, const=True)
        case Aggregate(kind, members) if not is_closure(kind):
            return Aggregate(kind, tuple(map(freeze, members)), const=True)
    return place


def make_variable(unit: Unit, name: str, kind: CType) -> Value:
    """Make a variable without an address: of a struct, one for each member."""
    if isinstance(kind, Struct):
        members = (
            make_variable(unit, f"{name}.{member.name}", member.type) for member in kind.members
        )
        return Aggregate(kind, tuple(members))
    if isinstance(kind, ArrayOf):  # within a parameter
        elements = (
            make_variable(unit, f"{name}[{at}]", part) for at, part in enumerate(parts_of(kind))
        )
        return Aggregate(kind, tuple(elements))
    variable = unit.variable(name)
    unit.types[variable] = dtype_of(kind)
    return Register(kind, variable)


def _local(unit: Unit, node: syntax.Variable | syntax.Parameter, kind: CType) -> Memory:
    """Make a variable in a thread's own memory."""
    _require_size(unit, node, kind)
    return declare_memory(unit, node, node.name, kind, "local")


def declare_memory(unit: Unit, node: syntax.Node, name: str, kind: CType, space: Space) -> Memory:
    """Declare memory of a type: elements of its innermost numbers."""
    dtype, shape = layout_of(kind)
    declared = unit.module.program.declare(node, name, dtype, shape, space)
    return place_of(kind, DeclaredMemory(Array(dtype, len(shape), space), declared))


def layout_of(kind: CType) -> tuple[Scalar, tuple[int, ...]]:
    """Return what a type is made of in memory: numbers of a dtype, in a shape."""
    element, lengths = unnest(kind)
    shape = tuple(length or 0 for length in lengths)
    match element:
        case Arithmetic():
            return element.stored, shape or (1,)
        case Struct(vector=True, members=members):
            return vector_of(element).dtype, (*shape, len(members))
        case Pointer():
            return INT64, shape or (1,)
    return UINT8, (*shape, element.size)


def place_of(kind: CType, memory: DeclaredMemory) -> Memory:
    """Return the place of a variable in memory that is declared for it."""
    assert isinstance(memory.type, Array)  # of declared memory
    element, _ = unnest(kind)
    pointer = pointer_type(Pointer(element), memory.type.space)
    return Memory(kind, AddressOf(pointer, memory))


def declare_shared(
    unit: Unit, node: syntax.Variable, namespace: tuple[str, ...] | None = None
) -> Memory:
    """Declare a variable in shared memory, of a function or of the whole source.

    Args:
        unit: the function that uses it.
        node: the declaration.
        namespace: around the declaration; None for that around the function.

    Raises:
        Refused: it has an initializer, or its type no size.
    """
    kind = unit.module.type_of(unit, node.type)
    if node.initializer is not None:
        raise unit.error(node, fact("cpp.shared-initializer", name=node.name))
    if "extern" in node.specifiers:
        around = unit.namespace if namespace is None else namespace
        return _dynamic(unit, node, kind, around)
    _require_size(unit, node, kind)
    return declare_memory(unit, node, node.name, kind, "shared")


def _dynamic(unit: Unit, node: syntax.Variable, kind: CType, namespace: tuple[str, ...]) -> Memory:
    """Declare dynamic shared memory, in which all such arrays begin at the same byte."""
    if not isinstance(kind, ArrayOf):
        raise unit.error(node, fact("cpp.extern-shared", name=node.name))
    check_dynamic(unit, node, kind, namespace)
    element = kind.element
    dtype = element.stored if isinstance(element, Arithmetic) else UINT8
    return place_of(kind, DeclaredMemory(Array(dtype, 1, "shared"), None))


def check_dynamic(
    unit: Unit, node: syntax.Variable, kind: ArrayOf, namespace: tuple[str, ...]
) -> None:
    """Check that all declarations of a dynamic shared array in a namespace agree on its type.

    Raises:
        Refused: another one has another type.
    """
    const = "const " if syntax.is_const(node.type) else ""
    written = f"{const}{kind.element.name}"
    name = "::".join((*namespace, node.name))
    other = unit.module.dynamic.setdefault(name, written)
    if other != written:
        what = fact("cpp.extern-shared-types", name=node.name, first=other, second=written)
        raise unit.error(node, what)


def _require_size(unit: Unit, node: syntax.Variable | syntax.Parameter, kind: CType) -> None:
    if kind.size <= 0:
        raise unit.error(node, fact("cpp.no-size", name=node.name))


def _bind_reference(unit: Unit, node: syntax.Variable) -> None:
    """Bind a reference: it is another name for the same place."""
    assert isinstance(node.type, syntax.ReferenceType)  # the caller has looked
    if node.initializer is None or len(node.initializer.values) != 1:
        raise unit.error(node, fact("cpp.reference-unbound", name=node.name))
    given = node.initializer.values[0]
    target = node.type.target
    const = syntax.is_const(target)
    found = lower(unit, given)
    if node.type.rvalue and isinstance(found, Plain) and not is_returned(found):
        kept = make_variable(unit, node.name, _referred(unit, target) or found.type)
        assign(unit, node, kept, found)
        unit.scopes.declare(node.name, freeze(kept) if const else kept)
        return
    place = refer(unit, node, found, _referred(unit, target), const=const)
    if isinstance(place, Memory):
        place = unit.hold_place(place)
    elif isinstance(place, Plain):  # a temporary that lives as long as the reference
        place = unit.hold_plain(place)
    unit.scopes.declare(node.name, freeze(place) if const else place)


def _referred(unit: Unit, target: syntax.Type) -> CType | None:
    """Return what a reference refers to; None if that is left to its initializer."""
    return None if syntax.is_auto(target) else unit.module.type_of(unit, target)


def refer(unit: Unit, node: syntax.Node, place: Value, kind: CType | None, *, const: bool) -> Value:
    """Return what a reference is bound to: a place, or a value that it keeps if it is `const`.

    Args:
        unit: where it is.
        node: what is bound.
        place: what it is bound to.
        kind: what the reference refers to; None for `auto`.
        const: whether nothing can be changed through it.

    Raises:
        Refused: it would refer to a value, to another type, or to what is const.
    """
    if const:
        if kind is None or place.type == kind or isinstance(kind, (ArrayOf, Struct)):
            return place
        return convert(unit, node, rvalue(unit, node, place), kind)
    if is_returned(place):
        raise unit.refusal(node, fact("cpp.returned-reference"))
    if not isinstance(place, (Register, Memory, Aggregate)):
        raise unit.error(node, fact("cpp.reference-to-value"))
    if place.const:
        raise unit.error(node, fact("cpp.const"))
    if kind is not None and place.type != kind:
        raise unit.error(node, fact("cpp.no-conversion", type=place.type.name, wanted=kind.name))
    return place


def initialize(unit: Unit, node: syntax.Node, place: Value, given: syntax.Initializer) -> None:
    """Emit what a variable begins with.

    Raises:
        Refused: it does not fit.
    """
    values = given.values
    if len(values) == 1 and isinstance(values[0], syntax.BraceList):
        _fill(unit, node, place, values[0].values)
        return
    if given.form == "{}" or (not values and given.form == "()"):
        _fill(unit, node, place, values)
        return
    kind = place.type
    if isinstance(kind, ArrayOf) and spell_text(kind, values) is not values:
        _fill(unit, node, place, values)
        return
    if isinstance(kind, Struct):
        arguments = lower_given(unit, kind, values, braces=False)
        _construct(unit, node, place, arguments)
        return
    if len(values) != 1:
        raise unit.error(node, fact("cpp.too-many-values"))
    assign(unit, node, place, load(unit, node, lower(unit, values[0])))


def make_initial(unit: Unit, node: syntax.Node, kind: CType, given: syntax.Initializer) -> Value:
    """Return a value without a name that an initializer begins.

    Raises:
        Refused: it does not fit.
    """
    values = given.values
    if isinstance(kind, (ArrayOf, Struct)):
        check_copied(unit, node, kind)
        if has_union(kind):
            place: Value = declare_memory(unit, given, "list", kind, "local")
        else:
            place = make_variable(unit, "%list", kind)
        initialize(unit, node, place, given)
        return load(unit, node, place)
    listed = given.form == "{}"
    if len(values) == 1 and isinstance(values[0], syntax.BraceList):
        listed, values = True, values[0].values
    if len(values) > 1:
        raise unit.error(node, fact("cpp.too-many-values"))
    if not values:
        return convert(unit, node, whole(0), kind)
    if listed:
        return _listed(unit, values[0], kind)
    return convert(unit, node, rvalue(unit, node, lower(unit, values[0])), kind)


def _listed(unit: Unit, value: syntax.Expression, kind: CType) -> Plain:
    """Lower a number or a pointer in a list, which must not lose digits.

    Raises:
        Refused: it does.
    """
    given = rvalue(unit, value, lower(unit, value))
    check_narrowing(unit, value, given, kind)
    return convert(unit, value, given, kind)


def _fill(
    unit: Unit, node: syntax.Node, place: Value, values: tuple[syntax.Expression, ...]
) -> None:
    """Emit what a list of values begins an array, a struct, or a number with; the rest is zero."""
    kind = place.type
    if isinstance(kind, Struct) and _constructs(unit, kind, given=bool(values)):
        if any(isinstance(each, syntax.Designated) for each in values):
            raise unit.refusal(node, fact("cpp.no-designators"))
        arguments = lower_given(unit, kind, values, braces=True)
        _construct(unit, node, place, arguments)
    elif isinstance(kind, Struct) and len(values) == 1 and is_whole(unit, kind, values[0]):
        assign(unit, node, place, load(unit, node, lower(unit, values[0])))
    elif isinstance(kind, (ArrayOf, Struct)):
        _fill_parts(unit, node, place, add_braces(kind, values, partial(is_whole, unit)))
    elif len(values) > 1:
        raise unit.error(node, fact("cpp.too-many-values"))
    else:
        _fill_one(unit, node, place, values)


def _fill_parts(
    unit: Unit, node: syntax.Node, place: Value, values: tuple[syntax.Expression, ...]
) -> None:
    """Emit what each part of an array or a struct begins with."""
    kind = place.type
    assert isinstance(kind, (ArrayOf, Struct))  # the caller has looked
    if isinstance(kind, Struct) and kind.alternatives and values:
        _fill_union(unit, node, place, values)
        return
    parts = parts_of(kind)
    if isinstance(kind, Struct) and any(isinstance(each, syntax.Designated) for each in values):
        _fill_designated(unit, node, place, values)
        return
    if len(values) > len(parts):
        raise unit.error(node, fact("cpp.too-many-values"))
    if len(parts) > _MOST_ELEMENTS:
        raise unit.refusal(node, fact("cpp.large-list", most=_MOST_ELEMENTS))
    for at in range(len(parts)):
        given = values[at : at + 1]
        if given or not _begin_member(unit, node, place, at):
            _fill_one(unit, node, member_of(place, at), given)


def _fill_union(
    unit: Unit, node: syntax.Node, place: Value, values: tuple[syntax.Expression, ...]
) -> None:
    """Emit what a union begins with: its first member, or the one that is named."""
    kind = place.type
    assert isinstance(kind, Struct)  # the caller has looked
    if len(values) > 1:
        raise unit.error(node, fact("cpp.too-many-values"))
    ((at, value),) = designate_members(unit, kind, values)
    if not isinstance(place, Memory):
        raise unit.refusal(node, fact("cpp.no-union"))
    _fill_one(unit, node, alternative_of(place, at), (value,))


def designate_members(
    unit: Unit, kind: Struct, values: Sequence[syntax.Expression]
) -> list[tuple[int, syntax.Expression]]:
    """Return the places of the members that values begin, by their names or in order.

    Raises:
        Refused: a name is none of a member, or is there twice.
    """
    found = list[tuple[int, syntax.Expression]]()
    for value in values:
        if not isinstance(value, syntax.Designated):
            if any(isinstance(each, syntax.Designated) for each in values):
                raise unit.refusal(value, fact("cpp.no-designators"))
            found.append((len(found), value))
            continue
        at = kind.member(value.name)
        if at is None:
            raise unit.error(value, fact("cpp.no-member", type=kind.name, name=value.name))
        if any(at == other for other, _ in found):
            raise unit.error(value, fact("cpp.declared-twice", name=value.name))
        found.append((at, value.value))
    return found


def _fill_designated(
    unit: Unit, node: syntax.Node, place: Value, values: tuple[syntax.Expression, ...]
) -> None:
    """Emit what a list begins that names its members, in the order of the members."""
    kind = place.type
    assert isinstance(kind, Struct)  # the caller has looked
    given = dict(designate_members(unit, kind, values))
    if sorted(given) != list(given):  # C++ has no such order, and C evaluates in that of the list
        raise unit.refusal(node, fact("cpp.no-designators"))
    for at in range(len(kind.members)):
        own = (given[at],) if at in given else ()
        if own or not _begin_member(unit, node, place, at):
            _fill_one(unit, node, member_of(place, at), own)


def _begin_member(unit: Unit, node: syntax.Node, place: Value, at: int) -> bool:
    """Emit what a member begins with by default; False if its struct does not say."""
    kind = place.type
    if not isinstance(kind, Struct):
        return False
    default = defaults_of(kind).get(kind.members[at].name)
    if default is None:
        return False
    with unit.scopes.inner(bindings_of(kind)):
        initialize(unit, node, member_of(place, at), default)
    return True


def is_whole(unit: Unit, kind: CType, value: syntax.Expression) -> bool:
    """Return True if a value without braces begins all of an array or a struct."""
    if not isinstance(kind, Struct) or isinstance(value, (syntax.BraceList, syntax.Designated)):
        return False
    if unit.module.hooks.has_constructor(kind):
        return True
    with unit.apart():
        return lower(unit, value).type == kind


def _fill_one(
    unit: Unit, node: syntax.Node, place: Value, values: tuple[syntax.Expression, ...]
) -> None:
    if not values and isinstance(place.type, (ArrayOf, Struct)):
        _fill(unit, node, place, ())
    elif not values:
        assign(unit, node, place, whole(0))
    elif not isinstance(place.type, (ArrayOf, Struct)) and not isinstance(
        values[0], syntax.BraceList
    ):
        assign(unit, node, place, _listed(unit, values[0], place.type))
    else:
        initialize(unit, node, place, syntax.Initializer(node.place, "=", values))


def declare_parameter(unit: Unit, node: syntax.Parameter, kind: CType, passed: Any) -> list[str]:
    """Declare a parameter; return the program's variables that hold it."""
    if passed.how == "function":
        unit.scopes.declare(node.name, passed.function)
        return []
    if passed.how == "memory":
        variable = unit.variable(node.name or "_")
        pointer = pointer_type(Pointer(kind), passed.space)
        unit.types[variable] = pointer
        const = passed.const or _never_changed(node)
        place = Memory(kind, Read(pointer, variable), const)
        unit.scopes.declare(node.name, place)
        return [variable]
    value = make_variable(unit, node.name or "_", kind)
    if isinstance(value, Register) and isinstance(kind, Pointer):
        unit.types[value.variable] = pointer_type(kind, passed.space)
    if node.name in unit.addressed or has_array(kind):
        if passed.how == "register":  # a member of a struct that is returned, for example
            raise unit.refusal(node, fact("cpp.no-address"))
        memory = _local(unit, node, kind)
        assign(unit, node, memory, load(unit, node, value))
        unit.scopes.declare(node.name, freeze(memory) if _never_changed(node) else memory)
    else:
        unit.scopes.declare(node.name, freeze(value) if _never_changed(node) else value)
    return variables_of(value)


def _never_changed(node: syntax.Parameter) -> bool:
    """Return True for a parameter that is const, or a reference to what is."""
    kind = node.type
    return syntax.is_const(kind.target if isinstance(kind, syntax.ReferenceType) else kind)


def variables_of(value: Value) -> list[str]:
    """Return the program's variables that hold what has no address."""
    if isinstance(value, Aggregate):
        return [name for member in value.members for name in variables_of(member)]
    assert isinstance(value, Register)  # just made
    return [value.variable]


def declare_this(unit: Unit, source: syntax.Function, kind: CType, passed: Any) -> list[str]:
    """Declare `this` and the members of its struct; return the variables that hold it."""
    named = syntax.NamedType(source.place, syntax.Name(source.place, ()), source.const)
    parameter = syntax.Parameter(source.place, "this", named)
    own = declare_parameter(unit, parameter, kind, passed)
    declare_members(unit)
    return own


def declare_members(unit: Unit) -> None:
    """Declare the members of the struct that `this` is, by their names."""
    this = unit.scopes.find("this")
    assert isinstance(this, (Aggregate, Memory))  # a struct
    assert isinstance(this.type, Struct)
    for name, place in _named_places(this):
        unit.own[name] = place
        unit.scopes.declare(name, place)


def _named_places(this: Value) -> Iterator[tuple[str, Value]]:
    """Yield the members of a struct by name, and those of its anonymous members."""
    kind = this.type
    assert isinstance(kind, Struct)  # the caller has looked
    for at, member in enumerate(kind.named):
        place = named_member(this, (at,))
        if place is None:
            continue
        if member.name.startswith(ANONYMOUS):
            yield from _named_places(place)
        else:
            yield member.name, place


def lower_initializers(unit: Unit, source: syntax.Function) -> list[Statement]:
    """Lower what a constructor begins with: a value for each member that has one."""
    this = unit.scopes.find("this")
    assert isinstance(this, (Aggregate, Memory))  # a struct
    assert isinstance(this.type, Struct)  # as all that has a constructor
    tree = this.type.source
    assert tree is not None  # it has constructors
    given = {each.name: each.initializer for each in source.initializers}
    defaults = {each.name: each.initializer for each in tree.tree.members}
    with unit.apart() as operations:
        for at, member in enumerate(this.type.named):
            values = given.get(member.name) or defaults.get(member.name)
            if this.type.alternatives:
                if values is not None and isinstance(this, Memory):
                    initialize(unit, source, alternative_of(this, at), values)
            elif values is not None:
                initialize(unit, source, member_of(this, at), values)
            elif isinstance(member.type, Struct) or isinstance(this, Memory):
                _begin(unit, source, member_of(this, at))
            else:
                initialize(unit, source, member_of(this, at), _zero(source))
    return [Step(unit.site(source.place), tuple(operations))] if operations else []


def _zero(node: syntax.Node) -> syntax.Initializer:
    """Return the initializer of a number that a constructor leaves as it is."""
    return syntax.Initializer(node.place, "{}", ())
