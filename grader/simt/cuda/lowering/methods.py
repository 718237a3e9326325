"""Lowers what structs of the source do: member functions, constructors, operators."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.facts import fact
from grader.simt.cuda import declared, syntax
from grader.simt.cuda.lowering.assigning import assign
from grader.simt.cuda.lowering.choosing import Invocation, Overload, choose, distance, nearest
from grader.simt.cuda.lowering.closures import find_call
from grader.simt.cuda.lowering.conversions import convert, load
from grader.simt.cuda.lowering.expressions import lower, lower_arguments, owner_of
from grader.simt.cuda.lowering.functions import call_constructor, invoke
from grader.simt.cuda.lowering.initializers import make_initial
from grader.simt.cuda.lowering.library.groups import call_group
from grader.simt.cuda.lowering.library.narrow import operate_pairs
from grader.simt.cuda.lowering.model.encoded import make_encoded, parts_in
from grader.simt.cuda.lowering.model.groups import GROUPS
from grader.simt.cuda.lowering.model.types import (
    DIM3,
    FP8,
    PAIRS,
    RAW,
    RAW_PAIRS,
    UINT3,
    CType,
    FunctionOf,
    StructSource,
    StructType,
    bindings_of,
    defaults_of,
    depends,
    find_base,
    functions_of,
    is_closure,
    is_defaulted,
    is_function_pointer,
    numbers_of,
)
from grader.simt.cuda.lowering.model.values import Aggregate, Braces, Designator, MemoryPlace, Value
from grader.simt.cuda.lowering.objects.bases import as_base, find_functions, qualified_this, to_base
from grader.simt.cuda.lowering.objects.lifetimes import check_unnamed
from grader.simt.cuda.lowering.operators import check_access, no_member
from grader.simt.cuda.lowering.templates.structs import fill_members, make_listed
from grader.simt.cuda.lowering.unit import CudaUnit, Functions, pick_definitions

_ASSIGN = "operator="


def call_method(unit: CudaUnit, node: syntax.Call, member: syntax.Member) -> Value:
    """Lower `object.name(arguments)`, or `pointer->name(arguments)`.

    Raises:
        Refused: the struct has no such function.
    """
    owner = owner_of(unit, member)
    if owner.type in GROUPS:
        return call_group(unit, node, member.name.identifier, owner)
    found = find_methods(owner.type, member.name.identifier)
    if not found and _is_virtual(owner.type, member.name.identifier):
        raise unit.refusal(node, fact("cpp.no-virtual"))  # a pure one
    if not found and member.name.identifier != _ASSIGN:
        if (
            isinstance(owner.type, StructType)
            and owner.type.member(member.name.identifier) is not None
        ):
            return call_object(unit, node)
        raise no_member(unit, member, owner.type)
    if found:
        check_access(unit, member, owner.type)
    given = lower_arguments(unit, node.arguments)
    itself = _assign_itself(unit, node, owner, member.name.identifier, given)
    if itself is not None:
        return itself
    if not found:
        raise no_member(unit, member, owner.type)
    return _call(unit, node, found, Invocation(found[0][0], member.name.arguments, given, owner))


def call_own_method(unit: CudaUnit, node: syntax.Call, name: syntax.Name) -> Value | None:
    """Lower a call, within a member function, of another one; None if it is not one."""
    owner = unit.scopes.find("this")
    part = name.parts[-1]
    plain = name.rooted and len(name.parts) == 1
    if plain or not isinstance(owner, (Aggregate, MemoryPlace)):
        return None
    this: Value | None = owner
    if len(name.parts) > 1:
        this = qualified_this(unit, name)
    found = [] if this is None else find_methods(this.type, part.identifier, alone=this is owner)
    if not found and this is not None and _is_virtual(this.type, part.identifier):
        raise unit.refusal(node, fact("cpp.no-virtual"))
    if this is None or not (found or part.identifier == _ASSIGN):
        return None
    given = lower_arguments(unit, node.arguments)
    itself = _assign_itself(unit, node, this, part.identifier, given)
    if itself is not None or not found:
        return itself
    return _call(unit, node, found, Invocation(found[0][0], part.arguments, given, this))


Method = tuple[Functions, tuple[int, ...]]
"""Functions of a name, and the places that lead to the base that has them."""


def find_methods(kind: object, name: str, *, alone: bool = False) -> list[Method]:
    """Return the functions of a name that a struct has, else its bases; also those that it uses.

    A name `alone` means none of a base that depends on the parameters of its template.
    """
    own = find_method(kind, name)
    if not isinstance(kind, StructType) or kind.closure or kind.source is None:
        return [] if own is None else [(own, ())]
    found: list[Method] = [] if own is None else [(own, ())]
    tree = kind.source.tree
    used = any(
        isinstance(each, declared.Using) and each.name.parts[-1].identifier == name
        for each in tree.types
    )
    for at, base in enumerate(kind.bases if own is None or used else ()):
        if used or not alone or not depends(tree.bases[at], tree):
            found += [(each, (at, *path)) for each, path in find_methods(base, name)]
    return found


def find_method(kind: object, name: str) -> Functions | None:
    """Return the functions of a name that a struct has; None if it has none."""
    if not isinstance(kind, StructType) or not isinstance(kind.source, StructSource):
        return None
    if kind.closure:
        return find_call(kind) if name == "operator()" else None
    bodies = pick_definitions(each for each in kind.source.tree.functions if each.name == name)
    return Functions(bodies) if bodies else None


def _call(unit: CudaUnit, node: syntax.Node, methods: Sequence[Method], asked: Invocation) -> Value:
    """Lower a call of one of a struct's methods of a name."""
    assert asked.this is not None  # a member function is called for a struct
    methods = _nearest(unit, methods, asked) if len(methods) > 1 else methods
    (found, path), this = methods[0], asked.this
    for at in path:
        this = as_base(this, (at,))
    asked = Invocation(found, asked.written, asked.given, this)
    chosen = choose(unit, node, asked, _source(this.type).bindings)
    if _is_virtual(this.type, chosen.source.name) and _has_derived(unit, this.type):
        raise unit.refusal(node, fact("cpp.no-virtual"))
    return invoke(unit, node, chosen, asked)


def _is_virtual(kind: CType, name: str) -> bool:
    """Return True for the name of a virtual function, which may be a base's."""
    found = functions_of(kind) if isinstance(kind, StructType) else ()
    return any("virtual" in each.specifiers for each in found if each.name == name)


def _has_derived(unit: CudaUnit, kind: CType) -> bool:
    """Return True for a struct that another one of the source may be made of."""
    name = _source(kind).tree.name
    bases = (each.type for struct in unit.module.tree.structs for each in struct.bases)
    named = (each.name for each in bases if isinstance(each, syntax.NamedType))
    return any(each.parts[-1].identifier == name for each in named)


def _nearest(unit: CudaUnit, methods: Sequence[Method], asked: Invocation) -> Sequence[Method]:
    """Return the methods of several structs in the order in which they take the arguments."""
    far = (99, False)
    return sorted(methods, key=lambda each: distance(unit, each[0], asked.given) or far)


def _source(kind: object) -> StructSource:
    assert isinstance(kind, StructType)  # it has functions
    assert kind.source is not None
    return kind.source


def construct(
    unit: CudaUnit,
    node: syntax.Node,
    kind: StructType,
    given: Sequence[Value],
    into: Value | None = None,
) -> Value:
    """Return a struct made of arguments: by a constructor, if the source gives it any.

    Args:
        into: where it is to be; it may be made elsewhere nevertheless.

    Raises:
        Refused: nothing makes one of these.
    """
    if len(given) == 1 and (given[0].type is kind or _is_sliced(kind, given[0])):
        return load(unit, node, to_base(given[0], kind))
    if into is None:
        check_unnamed(unit, node, kind)
    if (encoded := _convert_built_in(unit, node, kind, given)) is not None:
        return encoded
    found = find_method(kind, kind.source.tree.name) if kind.source else None
    if given and (inherited := _inherit(unit, node, kind, given, found)) is not None:
        return inherited
    if found is None and len(given) == 1:
        given = [make_listed(unit, given[0], kind)]
        if given[0].type is kind:
            return given[0]
    if found is None or (not given and is_defaulted(kind)):
        return fill_members(unit, node, kind, [*given, *_defaults(unit, node, kind, len(given))])
    asked = Invocation(found, None, list(given), into)
    chosen = choose(unit, node, asked, _source(kind).bindings)
    return call_constructor(unit, node, kind, chosen, asked)


def _is_sliced(kind: StructType, given: Value) -> bool:
    """Return True for a struct of which a base is copied."""
    return find_base(given.type, kind) is not None


def _inherit(
    unit: CudaUnit,
    node: syntax.Node,
    kind: StructType,
    given: Sequence[Value],
    own: Functions | None,
) -> Value | None:
    """Make a struct by a constructor that it has from a base; None if it has none for this."""
    used = {
        each.name.parts[-1].identifier
        for each in (kind.source.tree.types if kind.source else ())
        if isinstance(each, declared.Using)
    }
    for at, base in enumerate(kind.bases):
        name = _source(base).tree.name
        constructors = find_method(base, name) if name in used else None
        if constructors is None or distance(unit, constructors, list(given)) is None:
            continue
        if own is not None and distance(unit, own, list(given)) is not None:
            continue
        rest = list(_defaults(unit, node, kind, 0))
        rest[at] = construct(unit, node, base, given)
        return fill_members(unit, node, kind, rest)
    return None


def _convert_built_in(
    unit: CudaUnit, node: syntax.Node, kind: StructType, given: Sequence[Value]
) -> Value | None:
    """Make a struct of CUDA's that another converts to, or numbers by their bits; None if none."""
    encoded = kind in FP8 or kind in RAW or kind in RAW_PAIRS
    if not (encoded or kind.vector or kind in (DIM3, UINT3)):
        return None
    loaded = [load(unit, node, each) for each in given if not isinstance(each, Braces)]
    if loaded and encoded:
        made = make_encoded(kind, loaded)
        if made is None:
            names = ", ".join(each.type.name for each in given)
            raise unit.error(node, fact("cpp.no-conversion", type=names, wanted=kind.name))
        return made
    if len(loaded) == 1 and {loaded[0].type, kind} == {DIM3, UINT3}:
        assert isinstance(loaded[0], Aggregate)  # of three numbers
        return Aggregate(kind, loaded[0].members)
    if len(loaded) == 1 and kind.vector and isinstance(loaded[0], Aggregate):
        parts = parts_in(loaded[0])
        if len(parts) == len(kind.members):
            pairs = zip(parts, numbers_of(kind), strict=True)
            return Aggregate(kind, tuple(convert(unit, node, part, to) for part, to in pairs))
    return None


def _defaults(
    unit: CudaUnit, node: syntax.Node, kind: StructType, given: int
) -> Iterator[Value | None]:
    """Yield what the members behind those that are given begin with; None for zero."""
    defaults = defaults_of(kind)
    for member in kind.members[given:]:
        initializer = defaults.get(member.name)
        if initializer is None:
            yield None
            continue
        with unit.scopes.inner(bindings_of(kind)):
            yield make_initial(unit, node, member.type, initializer)


def apply_operator(
    unit: CudaUnit, node: syntax.Node, operator: str, values: Sequence[Value]
) -> Value | None:
    """Apply an operator that the source defines for a struct; None if it defines none."""
    name = f"operator{operator}"
    own = find_methods(values[0].type, name)
    free = nearest(unit, find_functions(unit, name, values), list(values))
    if own and (free is None or not _fits_better(unit, free, own, values)):
        return _call(unit, node, own, Invocation(own[0][0], None, list(values[1:]), values[0]))
    if values[0].type in PAIRS and (free is None or distance(unit, free, list(values)) is None):
        return operate_pairs(unit, node, operator, values)
    if free is None:
        return None
    asked = Invocation(free, None, list(values))
    return invoke(unit, node, choose(unit, node, asked, dict(free.around)), asked)


def _fits_better(
    unit: CudaUnit, free: Functions, own: Sequence[Method], values: Sequence[Value]
) -> bool:
    """Return True if a function takes operands that no method takes, or takes them better."""
    given = list(values)
    outside = distance(unit, free, given)
    inside = [distance(unit, each, given[1:]) for each, _ in own]
    known = [each for each in inside if each is not None]
    return outside is not None and (not known or outside < min(known))


def call_object(unit: CudaUnit, node: syntax.Call) -> Value:
    """Lower a call of a struct by its `operator()`.

    Raises:
        Refused: what is called is no function.
    """
    owner = lower(unit, node.function)
    given = lower_arguments(unit, node.arguments)
    if isinstance(owner, Designator):
        asked = Invocation(owner.functions, owner.written, given)
        return invoke(unit, node, choose(unit, node, asked, dict(asked.candidates.around)), asked)
    if is_function_pointer(owner.type) or isinstance(owner.type, FunctionOf):
        raise unit.refusal(node, fact("cpp.no-function-pointers"))
    made = apply_operator(unit, node, "()", [owner, *given])
    if made is None:
        raise unit.error(node, fact("cpp.not-a-function"))
    return made


def has_constructor(kind: StructType) -> bool:
    """Return True if the source gives a struct a constructor that device code can call."""
    return kind.source is not None and find_method(kind, kind.source.tree.name) is not None


def has_assignment(kind: StructType, given: CType | None = None) -> bool:
    """Return True if the source gives a struct an `operator=`, for a value of some type.

    Beside one for other types, a struct is copied by one that it has by itself.
    """
    if find_method(kind, _ASSIGN) is None:
        return False
    copies = given is not None and find_base(given, kind) is not None
    return not copies or any(
        each.name == _ASSIGN and _takes_itself(each, _source(kind).tree.name)
        for each in _source(kind).tree.functions
    )


def _takes_itself(function: declared.Function, name: str) -> bool:
    """Return True for an `operator=` that copies, or moves, its struct, or is a template."""
    taken = function.parameters[0].type
    taken = taken.target if isinstance(taken, syntax.ReferenceType) else taken
    named = isinstance(taken, syntax.NamedType) and taken.name.parts[-1].identifier == name
    return named or function.template is not None


def _assign_itself(
    unit: CudaUnit, node: syntax.Node, place: Value, name: str, given: Sequence[Value]
) -> Value | None:
    """Lower a call of the `operator=` that a struct has by itself; None for any other call."""
    kind = place.type
    if name != _ASSIGN or not isinstance(kind, StructType) or len(given) != 1:
        return None
    if has_assignment(kind, given[0].type) or is_closure(kind) or _deletes(kind):
        return None
    value = construct(unit, node, kind, (make_listed(unit, given[0], kind),))
    assign(unit, node, place, value)
    return place


def _deletes(kind: StructType) -> bool:
    """Return True for a struct that is not to be assigned."""
    functions = kind.source.tree.functions if kind.source else ()
    return any(each.name == _ASSIGN and each.deleted for each in functions)


def destroy(unit: CudaUnit, node: syntax.Node, destructor: declared.Function, place: Value) -> None:
    """Emit a call of a destructor for what is in a place."""
    asked = Invocation(Functions((destructor,)), None, [], place)
    invoke(unit, node, Overload(destructor, dict(_source(place.type).bindings)), asked)
