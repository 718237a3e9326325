"""Lowers declarations of variables: registers, and memory for those that have an address."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from grader.facts import fact
from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.lowering.analysis import folding
from grader.simt.cuda.lowering.assigning import assign, copy_array
from grader.simt.cuda.lowering.conversions import (
    alternative_of,
    convert,
    load,
    member_of,
    named_member,
    number,
    pointer_type,
    rvalue,
)
from grader.simt.cuda.lowering.expressions import lower
from grader.simt.cuda.lowering.initializers import (
    MOST_ELEMENTS,
    begin_member,
    construct,
    constructs,
    initialize,
    make_initial,
)
from grader.simt.cuda.lowering.model.types import (
    ANONYMOUS,
    BASE,
    Arithmetic,
    ArrayOf,
    CType,
    PointerTo,
    StructType,
    defaults_of,
    depends,
    has_array,
    has_union,
    is_closure,
    is_function_pointer,
    parts_of,
    tree_of,
)
from grader.simt.cuda.lowering.model.values import (
    Aggregate,
    MemoryPlace,
    Plain,
    Register,
    Value,
    is_returned,
)
from grader.simt.cuda.lowering.objects.bases import as_base, to_base
from grader.simt.cuda.lowering.objects.lifetimes import begin_life
from grader.simt.cuda.lowering.objects.stored_closures import refuse_returned
from grader.simt.cuda.lowering.pointed import require_pointed
from grader.simt.cuda.lowering.storage import (
    declare_local,
    declare_memory,
    declare_shared,
    freeze,
    make_variable,
)
from grader.simt.cuda.lowering.unit import CudaUnit, TypeName
from grader.simt.cuda.places import IllFormed
from grader.simt.errors import Refused
from grader.simt.program import nodes
from grader.simt.program.nodes import Read


def declare(unit: CudaUnit, node: syntax.Variable) -> None:
    """Lower a variable of a function.

    Raises:
        Refused: its type has no size, or its initializer does not fit.
    """
    if "__shared__" in node.specifiers:
        made = declare_shared(unit, node)
        unit.scopes.declare(node.name, made)
        _require_default(unit, node, made)
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
        place: Value = declare_local(unit, node, kind)
    else:
        place = make_variable(unit, node.name, kind)
    unit.scopes.declare(node.name, place)  # its initializer may name it
    unset = variables_of(place) if given is None and not isinstance(place, MemoryPlace) else []
    for variable in unset:
        unit.leave_unset(variable)
    if given is not None:
        initialize(unit, node, place, given)
    elif _refers(kind) and not unit.module.hooks.has_constructor(kind):
        raise unit.error(node, fact("cpp.reference-unbound", name=node.name))
    else:
        _begin(unit, node, place)
    unit.scopes.declare(node.name, freeze(place) if const else place)
    begin_life(unit, node, place)


def declare_bindings(unit: CudaUnit, node: syntax.Bindings) -> None:
    """Declare names for the members of a struct, or for the elements of an array.

    Raises:
        Refused: there are more of them, or fewer.
    """
    place = lower(unit, node.initializer.values[0])
    refers = isinstance(node.type, syntax.ReferenceType)
    base = node.type.target if isinstance(node.type, syntax.ReferenceType) else node.type
    kind = place.type
    if not isinstance(kind, (ArrayOf, StructType)) or is_closure(kind) or has_union(kind):
        raise unit.refusal(node, fact("cpp.no-structured-bindings"))
    if refers and is_returned(place):
        raise refuse_returned(unit, node, place)
    if not refers or not isinstance(place, (MemoryPlace, Aggregate)):
        place = copy_of(unit, node, node.names, place)
    elif isinstance(place, MemoryPlace):
        place = unit.hold_place(place)
    place = freeze(place) if unit.module.is_const(unit, base) else place
    count = _tuple_size(unit, node, kind)
    n = len(parts_of(kind)) if count is None else count
    if n != len(node.names):
        raise unit.error(node, fact("cpp.binding-count", n=n, given=len(node.names)))
    for at, name in enumerate(node.names):
        part = member_of(place, at) if count is None else _get(unit, node, place, at)
        unit.scopes.declare(name, part)


_BOUND = "bound:"
"""A name that no source has."""


def _tuple_size(unit: CudaUnit, node: syntax.Node, kind: CType) -> int | None:
    """Return what `tuple_size` says of a type, in `std` or in the type's namespace; else None."""
    scopes = (tree_of(kind).scope, ("std",)) if isinstance(kind, StructType) else ()
    known = (scope for scope in scopes if "::".join((*scope, "tuple_size")) in unit.module.names)
    for scope in known:
        own = syntax.NamedType(node.place, _named(node, _BOUND))
        name = _named(node, *scope, "tuple_size", arguments=(own,))
        value = replace(name, parts=(*name.parts, *_named(node, "value").parts))
        try:
            with unit.scopes.inner({_BOUND: TypeName(kind)}):
                size: int = unit.module.constant(unit, value)
        except Refused:  # it has none
            continue
        return size
    return None


def _get(unit: CudaUnit, node: syntax.Node, place: Value, at: int) -> Value:
    """Return what `get<at>` has of a value."""
    index = syntax.IntegerLiteral(node.place, at, "unsigned long")
    called = syntax.Call(
        node.place, _named(node, "get", arguments=(index,)), (_named(node, _BOUND),)
    )
    with unit.scopes.inner({_BOUND: place}):
        return lower(unit, called)


def _named(
    node: syntax.Node, *parts: str, arguments: tuple[syntax.TemplateArgument, ...] | None = None
) -> syntax.Name:
    *around, last = parts
    made = [syntax.NamePart(node.place, each) for each in around]
    return syntax.Name(node.place, (*made, syntax.NamePart(node.place, last, arguments)))


def copy_of(unit: CudaUnit, node: syntax.Node, names: Sequence[str], value: Value) -> Value:
    """Declare a copy of a struct or an array, with room in memory only if it must have an address.

    Args:
        names: what the copy or its parts are called in the source.
    """
    kind = value.type
    if isinstance(kind, ArrayOf) and isinstance(value, MemoryPlace):
        copied = declare_memory(unit, node, names[0], kind, "local")
        copy_array(unit, node, copied, value)
        return copied
    made: Value
    if has_array(kind) or any(name in unit.addressed for name in names):
        made = declare_memory(unit, node, names[0], kind, "local")
    else:
        made = make_variable(unit, "+".join(names), kind)
    assign(unit, node, made, load(unit, node, value))
    return made


def _declare_pointed(unit: CudaUnit, node: syntax.Variable, kind: CType) -> None:
    """Declare a pointer to a function that is known: its name means the function."""
    values = () if node.initializer is None else node.initializer.values
    if len(values) != 1:
        raise unit.refusal(node, fact("cpp.no-function-pointers"))
    unit.scopes.declare(node.name, require_pointed(unit, node, lower(unit, values[0]), kind))


def _declare_closure(unit: CudaUnit, node: syntax.Variable) -> None:
    """Declare what a lambda made: a copy of it refers to the same places."""
    values = () if node.initializer is None else node.initializer.values
    if len(values) != 1:
        raise unit.refusal(node, fact("cpp.lambda-escapes"))
    value = lower(unit, values[0])
    if not isinstance(values[0], syntax.Lambda):
        value = unit.module.hooks.copy_closure(unit, node, node.name, value)
    unit.scopes.declare(node.name, value)


def _require_default(unit: CudaUnit, node: syntax.Variable, place: Value) -> None:
    """Refuse a variable in shared memory that no constructor can begin; none is called.

    Raises:
        IllFormed: its type has no constructor without arguments.
    """
    if "extern" in node.specifiers:
        return
    while isinstance(place.type, ArrayOf):
        place = member_of(place, 0)
    try:
        with unit.unevaluated():
            _begin(unit, node, place)
    except IllFormed:
        raise
    except Refused:  # what a constructor does that is never called
        return


def _begin(unit: CudaUnit, node: syntax.Node, place: Value) -> None:
    """Emit what a variable begins with that is given no value: by constructors and by defaults."""
    match place.type:
        case ArrayOf(element, int(length)) if _begins(unit, element):
            if length > MOST_ELEMENTS:
                raise unit.refusal(node, fact("cpp.large-list", most=MOST_ELEMENTS))
            for at in range(length):
                _begin(unit, node, member_of(place, at))
        case StructType() as kind if constructs(unit, kind, given=False):
            construct(unit, node, place, ())
        case StructType(members=members) as kind if _begins(unit, kind):
            for at in range(len(members)):
                if not begin_member(unit, node, place, at):
                    _begin(unit, node, member_of(place, at))


def crosses(unit: CudaUnit, node: syntax.Variable) -> bool:
    """Return True for a variable that a jump over its declaration would leave without its value."""
    if node.specifiers & {"__shared__", "static"}:
        return False
    found = unit.scopes.find(node.name)
    return node.initializer is not None or _begins(unit, getattr(found, "type", None))


def _begins(unit: CudaUnit, kind: CType | None) -> bool:
    """Return True for a type whose values begin with something without being given it."""
    match kind:
        case ArrayOf(element):
            return _begins(unit, element)
        case StructType(members=members):
            own = constructs(unit, kind, given=False) or bool(defaults_of(kind))
            return own or any(_begins(unit, member.type) for member in members)
    return False


def _refers(kind: CType) -> bool:
    """Return True for a struct with a member that is a reference."""
    if not isinstance(kind, StructType) or kind.source is None:
        return False
    members = kind.source.tree.members
    return any(isinstance(each.type, syntax.ReferenceType) for each in members)


def _is_constant(unit: CudaUnit, node: syntax.Variable, kind: CType) -> bool:
    """Declare a constant number whose value is known; return False for any other variable."""
    given = node.initializer
    if given is None:
        if isinstance(kind, (Arithmetic, PointerTo)):
            raise unit.error(node, fact("cpp.const-without-value", name=node.name))
        return False
    if not isinstance(kind, Arithmetic):
        return False
    with unit.apart() as operations:
        value = rvalue(unit, node, make_initial(unit, node, kind, given))
    constant = "constexpr" in node.specifiers
    if constant:
        known = folding.evaluate(value.node, operations)
    else:
        known = None if operations else folding.fold(value.node)
    if known is None and constant:
        raise unit.error(node, fact("cpp.not-constant"))
    if known is None or node.name in unit.addressed:
        return False
    unit.scopes.declare(node.name, number(kind, known))
    return True


def _bind_reference(unit: CudaUnit, node: syntax.Variable) -> None:
    """Bind a reference: it is another name for the same place."""
    assert isinstance(node.type, syntax.ReferenceType)  # the caller has looked
    if node.initializer is None or len(node.initializer.values) != 1:
        raise unit.error(node, fact("cpp.reference-unbound", name=node.name))
    given = node.initializer.values[0]
    target = node.type.target
    found = lower(unit, given)
    known = isinstance(found, Plain) and isinstance(given, syntax.Name)  # a constant
    fixed = trees.is_auto(target) and (known or getattr(found, "const", False))
    const = fixed or unit.module.is_const(unit, target)
    if node.type.rvalue and isinstance(found, Plain) and not is_returned(found):
        kept = make_variable(unit, node.name, _referred(unit, target) or found.type)
        assign(unit, node, kept, found)
        unit.scopes.declare(node.name, freeze(kept) if const else kept)
        return
    place = refer(unit, node, found, _referred(unit, target), const=const)
    if isinstance(place, MemoryPlace):
        place = unit.hold_place(place)
    elif isinstance(place, Plain):  # a temporary that lives as long as the reference
        place = unit.hold_plain(place)
    unit.scopes.declare(node.name, freeze(place) if const else place)


def _referred(unit: CudaUnit, target: syntax.Type) -> CType | None:
    """Return what a reference refers to; None if that is left to its initializer."""
    return None if trees.is_auto(trees.pointed(target)) else unit.module.type_of(unit, target)


def refer(
    unit: CudaUnit, node: syntax.Node, place: Value, kind: CType | None, *, const: bool
) -> Value:
    """Return what a reference is bound to: a place, or a value that it keeps if it is `const`.

    Args:
        kind: what the reference refers to; None for `auto`.
        const: whether nothing can be changed through it.

    Raises:
        Refused: it would refer to a value, to another type, or to what is const.
    """
    place = place if kind is None else to_base(place, kind)
    if const:
        if isinstance(kind, StructType) and place.type != kind:
            made: Value = unit.module.hooks.make(unit, node, kind, (place,))
            return made
        if kind is None or place.type == kind or isinstance(kind, ArrayOf):
            return place
        return convert(unit, node, rvalue(unit, node, place), kind)
    if is_returned(place):
        raise refuse_returned(unit, node, place)
    if not isinstance(place, (Register, MemoryPlace, Aggregate)):
        raise unit.error(node, fact("cpp.reference-to-value"))
    if place.const:
        raise unit.error(node, fact("cpp.const"))
    if kind is not None and place.type != kind:
        raise unit.error(node, fact("cpp.no-conversion", type=place.type.name, wanted=kind.name))
    return place


def declare_parameter(
    unit: CudaUnit, node: declared.Parameter, kind: CType, passed: Any
) -> list[str]:
    """Declare a parameter; return the program's variables that hold it."""
    if passed.how == "function":
        unit.scopes.declare(node.name, passed.function)
        return []
    if passed.how == "memory":
        variable = unit.variable(node.name or "_")
        pointer = pointer_type(PointerTo(kind), passed.space)
        unit.types[variable] = pointer
        const = passed.const or _never_changed(unit, node)
        volatile = trees.is_volatile(node.type)
        place = MemoryPlace(kind, Read(pointer, variable), const, volatile=volatile)
        unit.scopes.declare(node.name, place)
        return [variable]
    value = make_variable(unit, node.name or "_", kind)
    if isinstance(value, Register) and isinstance(kind, PointerTo):
        unit.types[value.variable] = pointer_type(kind, passed.space)
    if node.name in unit.addressed or has_array(kind):
        if passed.how == "register":  # a member of a struct that is returned, for example
            raise unit.refusal(node, fact("cpp.no-address"))
        memory = declare_local(unit, node, kind)
        assign(unit, node, memory, load(unit, node, value))
        unit.scopes.declare(node.name, freeze(memory) if _never_changed(unit, node) else memory)
    else:
        unit.scopes.declare(node.name, freeze(value) if _never_changed(unit, node) else value)
    return variables_of(value)


def _never_changed(unit: CudaUnit, node: declared.Parameter) -> bool:
    """Return True for a parameter that is const, or a reference to what is."""
    kind = node.type
    whole = kind.target if isinstance(kind, syntax.ReferenceType) else kind
    fixed: bool = unit.module.is_const(unit, whole)
    return fixed


def variables_of(value: Value) -> list[str]:
    """Return the program's variables that hold what has no address."""
    if isinstance(value, Aggregate):
        return [name for member in value.members for name in variables_of(member)]
    assert isinstance(value, Register)  # just made
    return [value.variable]


def declare_this(unit: CudaUnit, source: declared.Function, kind: CType, passed: Any) -> list[str]:
    """Declare `this` and the members of its struct; return the variables that hold it."""
    named = syntax.NamedType(source.place, syntax.Name(source.place, ()), source.const)
    parameter = declared.Parameter(source.place, "this", named)
    own = declare_parameter(unit, parameter, kind, passed)
    if passed.base:
        whole: Any = unit.scopes.find("this")
        unit.scopes.declare("this", as_base(whole, passed.base))
    declare_members(unit)
    return own


def declare_members(unit: CudaUnit) -> None:
    """Declare the members of the struct that `this` is, by their names."""
    this = unit.scopes.find("this")
    assert isinstance(this, (Aggregate, MemoryPlace))  # a struct
    assert isinstance(this.type, StructType)
    for name, place in _named_places(this):
        unit.own[name] = place
        unit.scopes.declare(name, place)


def _named_places(this: Value) -> Iterator[tuple[str, Value]]:
    """Yield the members of a struct by name, and those of its anonymous members."""
    kind = this.type
    assert isinstance(kind, StructType)  # the caller has looked
    for at, member in enumerate(kind.named):
        place = named_member(this, (at,))
        if place is None:
            continue
        if member.name.startswith(BASE):
            yield from _base_places(kind, at, place)
        elif member.name.startswith(ANONYMOUS):
            yield from _named_places(place)
        else:
            yield member.name, place


def _base_places(kind: StructType, at: int, base: Value) -> Iterator[tuple[str, Value]]:
    """Yield the members of a base that a name alone means."""
    tree = kind.source.tree if kind.source else None
    assert tree is not None  # it has bases
    used = {
        each.name.parts[-1].identifier for each in tree.types if isinstance(each, declared.Using)
    }
    dependent = depends(tree.bases[at], tree)
    for name, place in _named_places(base):
        if not dependent or name in used:
            yield name, place


def lower_initializers(unit: CudaUnit, source: declared.Function) -> list[nodes.Statement]:
    """Lower what a constructor begins with: a value for each member that has one."""
    this = unit.scopes.find("this")
    assert isinstance(this, (Aggregate, MemoryPlace))  # a struct
    assert isinstance(this.type, StructType)  # as all that has a constructor
    tree = this.type.source
    assert tree is not None  # it has constructors
    given = _name_initializers(unit, source, this.type)
    defaults = {each.name: each.initializer for each in tree.tree.members}
    with unit.apart() as operations:
        if (delegated := given.get(_ITSELF)) is not None:
            initialize(unit, source, this, delegated)
            return [nodes.Step(unit.site(source.place), tuple(operations))]
        for at, member in enumerate(this.type.named):
            values = given.get(member.name) or defaults.get(member.name)
            if this.type.alternatives:
                if values is not None and isinstance(this, MemoryPlace):
                    initialize(unit, source, alternative_of(this, at), values)
            elif values is not None:
                initialize(unit, source, member_of(this, at), values)
            elif isinstance(member.type, StructType) or isinstance(this, MemoryPlace):
                _begin(unit, source, member_of(this, at))
            else:
                initialize(unit, source, member_of(this, at), _zero(source))
    return [nodes.Step(unit.site(source.place), tuple(operations))] if operations else []


_ITSELF = "this"
"""Stands for the struct itself, among what a constructor begins."""


def _name_initializers(
    unit: CudaUnit, source: declared.Function, kind: StructType
) -> dict[str, syntax.Initializer]:
    """Return what a constructor begins, by the names of members; of a base, that of its member.

    Raises:
        Refused: there is no such member.
    """
    found: dict[str, syntax.Initializer] = {}
    bases = {each.type: each.name for each in kind.members if each.name.startswith(BASE)}
    for each in source.initializers:
        name = each.name.parts[-1].identifier
        if kind.member(name) is None:
            named = unit.module.type_of(unit, syntax.NamedType(each.place, each.name))
            name = _ITSELF if named is kind else bases.get(named, "")
        if not name:
            what = fact("cpp.no-member", type=kind.name, name=each.name.spelled)
            raise unit.error(each, what)
        found[name] = each.initializer
    return found


def _zero(node: syntax.Node) -> syntax.Initializer:
    """Return the initializer of a number that a constructor leaves as it is."""
    return syntax.Initializer(node.place, "{}", ())
