"""Lowers lambdas: each is a struct of what it captures, which is passed along where it is called.

What is captured by reference stays the place that it is: one in memory is passed as a pointer, a
register by its value, which comes back if the lambda may change it. So a lambda must not outlive
the function that it is in, and nothing else that the call refers to may be the same register.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from grader.facts import fact
from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.lowering.analysis.changing import find_changed
from grader.simt.cuda.lowering.assigning import assign, copy_array
from grader.simt.cuda.lowering.conversions import load, peek, pointer_type
from grader.simt.cuda.lowering.declarations import declare_members, variables_of
from grader.simt.cuda.lowering.expressions import lower
from grader.simt.cuda.lowering.model.layouts import lay_out
from grader.simt.cuda.lowering.model.types import (
    ArrayOf,
    CType,
    PointerTo,
    StructSource,
    StructType,
    has_array,
    is_closure,
    is_mutable_closure,
)
from grader.simt.cuda.lowering.model.values import (
    Aggregate,
    MemoryPlace,
    Plain,
    Register,
    Value,
    variables_in,
)
from grader.simt.cuda.lowering.objects.stored_closures import (
    Exposed,
    MadeIn,
    open_closure,
    root_name,
)
from grader.simt.cuda.lowering.storage import declare_memory, freeze, make_variable
from grader.simt.cuda.lowering.unit import CudaUnit, Functions, Unavailable
from grader.simt.cuda.parser.rules import check_function
from grader.simt.program import nodes
from grader.simt.program.nodes import AddressOf, Expression, Read


class Passed(NamedTuple):
    """How an argument is passed.

    Attributes:
        type: of the parameter; of what a reference refers to.
        how: a reference to memory is passed as a pointer, one to registers is returned, too; a
            closure is what it captures, each in its own way.
        space: of a pointer, or of what it refers to.
        const: if the function cannot change what it refers to.
        parts: of a closure.
        function: that a pointer to a function points to.
        base: the places that lead to the base that is meant, of which the whole is passed.
    """

    type: CType
    how: str = "value"
    space: str = "generic"
    const: bool = False
    parts: tuple[Passed, ...] = ()
    function: Functions | None = None
    base: tuple[int, ...] = ()


Argument = tuple[Passed, list[Expression], Value]
"""How an argument is passed, its numbers, and the place that it refers to."""


# What a lambda makes


def make_closure(unit: CudaUnit, node: syntax.Lambda) -> Value:
    """Lower a lambda to a struct of what it captures.

    Raises:
        Refused: it captures what is not there, or it is not C++.
    """
    known = unit.closures.get(id(node))
    if known is None:
        check_function(node.function)
        known = tuple(_find_captures(unit, node)), None
    captures, kind = known
    held = [_capture(unit, node, each) for each in captures]
    if kind is None:
        kind = _make_kind(unit, node, captures, held)
        unit.closures[id(node)] = captures, kind
        find_changed(unit, node.function)  # while the names around it are known
        unit.module.origins[kind] = MadeIn(unit, _captured_registers(captures, held))
    _keep_around(unit, node, kind, captures)
    return Aggregate(kind, tuple(held))


def _captured_registers(
    captures: Sequence[syntax.Capture], held: Sequence[Value]
) -> frozenset[str]:
    """Return the variables without an address that are captured by reference."""
    pairs = zip(captures, held, strict=True)
    places = [place for each, place in pairs if each.reference and each.name != "this"]
    return frozenset(root_name(name) for each in places for name in variables_in(each))


def _find_captures(unit: CudaUnit, node: syntax.Lambda) -> Iterator[syntax.Capture]:
    """Yield what a lambda captures: what it names, and by its default what its body uses."""
    named = {each.name for each in node.captures}
    yield from node.captures
    if not node.default:
        return
    this = unit.scopes.find("this")
    if this is not None and "this" not in named:
        yield syntax.Capture(node.place, "this", reference=True)
    used = dict.fromkeys(
        each.parts[0].identifier
        for each in trees.walk(node.function)
        if isinstance(each, syntax.Name) and len(each.parts) == 1
    )
    for name in used:
        entity = unit.scopes.find(name)
        if name not in named and _is_automatic(entity) and entity is not unit.own.get(name):
            yield syntax.Capture(node.place, name, reference=node.default == "&")


def _is_automatic(entity: Any) -> bool:
    """Return True for a variable that a lambda has to capture."""
    match entity:
        case Register() | Aggregate():
            return True
        case Plain(node=node):
            return not isinstance(node, nodes.Number)
        case MemoryPlace(pointer=AddressOf(memory=memory)):
            return memory.type.space == "local"  # type: ignore[union-attr]
        case MemoryPlace():
            return True
    return False


def _capture(unit: CudaUnit, node: syntax.Lambda, given: syntax.Capture) -> Value:
    """Return what a closure holds: the place itself, or a copy."""
    place: Any = unit.scopes.find(given.name)
    if given.initializer is not None:
        place = lower(unit, given.initializer)
    elif not isinstance(place, (Register, Aggregate, MemoryPlace, Plain)):
        raise unit.error(given, fact("cpp.unknown-name", name=given.name))
    if is_closure(place.type):
        return copy_closure(unit, given, given.name, place)
    if given.reference:
        if isinstance(place, MemoryPlace):
            return unit.hold_place(place)
        if isinstance(place, Plain) and given.initializer is not None:
            raise unit.error(given, fact("cpp.reference-to-value"))
        names = unit.module.addressed.find(node.function)
        if given.name in names and not isinstance(place, Plain):
            raise Exposed(unit, frozenset({_root_of(place)}), given)
        return place  # type: ignore[no-any-return]
    return _copy(unit, given, place)


def copy_closure(unit: CudaUnit, node: syntax.Node, name: str, closure: Value) -> Value:
    """Return a copy of a closure: what it refers to is the same, what it holds may change."""
    opened = open_closure(unit, node, closure)
    if not is_mutable_closure(closure.type) and isinstance(closure, Aggregate):
        return opened
    kind = opened.type
    assert isinstance(kind, StructType)  # a closure
    held: list[Value] = []
    for member, value in zip(kind.members, opened.members, strict=True):
        if member.name in kind.references or is_closure(value.type):
            held.append(value)
            continue
        made = make_variable(unit, f"{name}.{member.name}", value.type)
        assign(unit, node, made, load(unit, node, value))
        held.append(made)
    return Aggregate(kind, tuple(held))


def _copy(unit: CudaUnit, given: syntax.Capture, place: Value) -> Value:
    """Return a copy of what is captured, which lives as long as the closure."""
    kind = place.type
    if isinstance(kind, ArrayOf) and given.initializer is not None:
        place = load(unit, given, place)  # `p = array` is a pointer
        kind = place.type
    if isinstance(kind, ArrayOf) or has_array(kind):
        memory = declare_memory(unit, given, given.name, kind, "local")
        if isinstance(kind, ArrayOf) and isinstance(place, MemoryPlace):
            copy_array(unit, given, memory, place)
        else:
            assign(unit, given, memory, load(unit, given, place))
        return memory
    value = peek(unit, place) if not isinstance(place, MemoryPlace) else load(unit, given, place)
    made = make_variable(unit, given.name, kind)
    if isinstance(made, Register) and isinstance(value, Plain):
        unit.types[made.variable] = value.node.type
        unit.set_variable(made.variable, value.node)
    else:
        assign(unit, given, made, value)
    return made


def _make_kind(
    unit: CudaUnit, node: syntax.Lambda, captures: Sequence[syntax.Capture], held: Sequence[Value]
) -> StructType:
    name = f"lambda:{node.place.line}:{node.place.column}"
    tree = declared.Struct(node.place, name, "struct", (), functions=(node.function,))
    kind = StructType("lambda", source=StructSource(tree, {}), closure=True)
    kind.references = frozenset(each.name for each in captures if each.reference)
    members = (
        (each.name, PointerTo(value.type) if each.reference else value.type)
        for each, value in zip(captures, held, strict=True)
    )
    lay_out(kind, members, 1)
    return kind


def _keep_around(
    unit: CudaUnit, node: syntax.Lambda, kind: StructType, captures: Iterable[syntax.Capture]
) -> None:
    """Let a lambda's body know the names around it that need no capture."""
    assert kind.source is not None  # as it was made
    captured = {each.name for each in captures}
    for name, entity in unit.scopes.visible().items():
        if name in captured or name == "this" or entity is unit.own.get(name):
            kind.source.bindings.pop(name, None)
        elif _is_automatic(entity):
            # Legal where it is not evaluated, as in `sizeof`, so it is no mistake for certain.
            reason = unit.refusal(node, fact("cpp.not-captured", name=name))
            kind.source.bindings[name] = Unavailable(reason)
        else:
            kind.source.bindings[name] = entity


def find_call(kind: StructType) -> Functions:
    """Return the function that a call of a closure means."""
    assert kind.source is not None  # as of all closures
    return Functions(kind.source.tree.functions, kind.source.bindings)


# How it is passed


def pass_closure(unit: CudaUnit, node: syntax.Node, closure: Value, *, copied: bool) -> Argument:
    """Return how a closure is passed to its own function, or to another one.

    Args:
        copied: whether what it captures by value is not to be changed: a copy is passed.

    Raises:
        Refused: it is not known where what it captures is.
    """
    closure = open_closure(unit, node, closure)
    kind = closure.type
    assert isinstance(kind, StructType)  # a closure
    assert kind.source is not None  # as of all closures
    (function,) = kind.source.tree.functions
    changed = find_changed(unit, function)
    parts, numbers = list[Passed](), list[Expression]()
    for member, held in zip(kind.members, closure.members, strict=True):
        reference = member.name in kind.references
        kept = reference or not (function.const or copied)
        changes = kept and (member.name in changed or isinstance(held.type, StructType))
        part, own = _pass_part(unit, node, held, changes=changes)
        parts.append(part)
        numbers += own
    return Passed(kind, "closure", parts=tuple(parts)), numbers, closure


def _pass_part(
    unit: CudaUnit, node: syntax.Node, held: Value, *, changes: bool
) -> tuple[Passed, list[Expression]]:
    if is_closure(held.type):
        part, numbers, _ = pass_closure(unit, node, held, copied=False)
        return part, numbers
    if isinstance(held, MemoryPlace):
        return Passed(held.type, "memory", held.space, held.const), [held.pointer]
    value = peek(unit, held)
    is_place = isinstance(held, (Register, Aggregate)) and not held.const
    numbers = list(_numbers(value))
    space = getattr(numbers[0].type, "space", "generic") if len(numbers) == 1 else "generic"
    const = not isinstance(held, Plain) and getattr(held, "const", False)
    return Passed(held.type, "register" if changes and is_place else "value", space, const), numbers


def _numbers(value: Value) -> Iterator[Expression]:
    if isinstance(value, Aggregate):
        for member in value.members:
            yield from _numbers(member)
    else:
        assert isinstance(value, Plain)  # peeked at
        yield value.node


def places_in(passed: Passed, place: Value) -> Iterator[Value]:
    """Yield the places that a function gives back what it was passed of them, in order."""
    if passed.how == "register":
        yield place
    elif passed.how == "closure":
        assert isinstance(place, Aggregate)  # as it was passed
        for part, member in zip(passed.parts, place.members, strict=True):
            yield from places_in(part, member)


def check_apart(unit: CudaUnit, node: syntax.Node, every: Sequence[Argument]) -> None:
    """Check that no register that a call changes is referred to twice.

    Args:
        every: the arguments; those that are neither references nor closures have no place.

    Raises:
        Exposed: one is, so it has to be in memory.
    """
    changed, seen, twice = set[str](), set[str](), set[str]()
    for passed, _, place in every:
        for each in places_in(passed, place):
            changed.update(variables_in(each))
        own = set(variables_in(place))
        twice |= seen & own
        seen |= own
        if passed.how == "closure":
            twice |= _repeated(place)
    if both := twice & changed:
        raise Exposed(unit, frozenset(map(root_name, both)), node)


def _repeated(place: Value) -> set[str]:
    seen, twice = set[str](), set[str]()
    for member in place.members if isinstance(place, Aggregate) else ():
        own = set(variables_in(member))
        twice |= seen & own
        if is_closure(member.type):
            twice |= _repeated(member)
        seen |= own
    return twice


def _root_of(place: Value) -> str:
    return root_name(next(variables_in(place)))


def declare_closure(
    unit: CudaUnit, name: str, passed: Passed, function: declared.Function | None
) -> tuple[list[str], list[str]]:
    """Declare a closure that a function is passed; in its own `function`, what it captures.

    Returns:
        The program's variables that hold it, and those of them that are returned.
    """
    closure, names, outputs = _receive(unit, passed)
    if function is None:
        unit.scopes.declare(name, closure)
        return names, outputs
    kind = closure.type
    assert isinstance(kind, StructType)  # as it was passed
    pairs = list(zip(kind.members, closure.members, strict=True))
    for member, value in pairs:
        if member.name == "this":
            unit.scopes.declare("this", value)
            declare_members(unit)
    for member, value in pairs:
        if member.name == "this":
            continue
        fixed = function.const and member.name not in kind.references
        if member.name in unit.addressed and not isinstance(value, MemoryPlace):
            place = _in_memory(unit, function, member.name, value)
        else:
            place = value
        unit.scopes.declare(member.name, freeze(place) if fixed else place)
    return names, outputs


def _in_memory(unit: CudaUnit, function: declared.Function, name: str, value: Value) -> Value:
    """Return a copy in memory of what was captured, since its address is taken."""
    if not function.const or is_closure(value.type):
        raise unit.refusal(function, fact("cpp.no-address"))
    memory = declare_memory(unit, function.body or function, name, value.type, "local")
    assign(unit, function, memory, peek(unit, value))
    return memory


def _receive(unit: CudaUnit, passed: Passed) -> tuple[Aggregate, list[str], list[str]]:
    kind = passed.type
    assert isinstance(kind, StructType)  # a closure
    held, names, outputs = list[Value](), list[str](), list[str]()
    for member, part in zip(kind.members, passed.parts, strict=True):
        value, own, returned = _receive_part(unit, member.name, part)
        held.append(value)
        names += own
        outputs += returned
    return Aggregate(kind, tuple(held)), names, outputs


def _receive_part(unit: CudaUnit, name: str, part: Passed) -> tuple[Value, list[str], list[str]]:
    if part.how == "closure":
        return _receive(unit, part)
    if part.how == "memory":
        variable = unit.variable(name)
        unit.types[variable] = kind = pointer_type(PointerTo(part.type), part.space)  # type: ignore[arg-type]
        return MemoryPlace(part.type, Read(kind, variable), part.const), [variable], []
    value = make_variable(unit, name, part.type)
    if isinstance(value, Register) and isinstance(part.type, PointerTo):
        unit.types[value.variable] = pointer_type(part.type, part.space)  # type: ignore[arg-type]
    own = variables_of(value)
    returned = own if part.how == "register" else []
    return (freeze(value) if part.const else value), own, returned
