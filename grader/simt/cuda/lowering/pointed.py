"""Pointers to functions whose function is known where they are lowered: each is its function.

So a pointer in a variable, a parameter, or a template's parameter can be called; one that follows
from data cannot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from grader.facts import fact
from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.lowering.model.types import CType, FunctionOf, PointerTo, VoidType, is_closure
from grader.simt.cuda.lowering.model.values import Aggregate, Designator, Value
from grader.simt.cuda.lowering.unit import CudaUnit, Functions, TypeName


def designate(
    unit: CudaUnit, functions: Functions, written: tuple[syntax.TemplateArgument, ...] | None = None
) -> Designator:
    """Return functions of a name as a value, with the template arguments behind the name."""
    kind: CType = VoidType("function")
    overloads = functions.overloads
    if len(overloads) == 1 and overloads[0].template is None:
        signature = _signature(unit, overloads[0], functions)
        kind = kind if signature is None else PointerTo(signature)
    return Designator(kind, functions, written)


def designate_argument(unit: CudaUnit, argument: syntax.Node) -> Designator:
    """Return the functions that a template's argument names.

    Raises:
        Refused: it names none.
    """
    node = argument
    while isinstance(node, syntax.Unary) and node.operator == "&":
        node = node.operand
    entity = unit.module.find(unit, node) if isinstance(node, syntax.Name) else None
    if not isinstance(entity, Functions):
        raise unit.refusal(argument, fact("cpp.no-function-pointers"))
    assert isinstance(node, syntax.Name)  # it names functions
    return designate(unit, entity, node.parts[-1].arguments)


def _signature(
    unit: CudaUnit, source: declared.Function, functions: Functions
) -> FunctionOf | None:
    """Return the type of a function; None if that follows from its body.

    A reference has the type of what it refers to, as in the type of a pointer.
    """
    if source.result is None or trees.is_auto(source.result):
        return None
    with unit.scopes.inner(functions.around):
        kinds = (unit.module.parameter_type(unit, each.type) for each in source.parameters)
        return FunctionOf(unit.module.type_of(unit, source.result), tuple(kinds))


def find_pointed(unit: CudaUnit, value: Value, wanted: CType) -> Functions | None:
    """Return the function that a value means where a pointer to a function is wanted.

    Returns:
        None if it means none of this type.
    """
    if not isinstance(wanted, PointerTo) or not isinstance(wanted.target, FunctionOf):
        return None
    match value:
        case Designator(_, functions, written):
            pass
        case Aggregate(kind, ()) if is_closure(kind):
            assert kind.source is not None  # type: ignore[union-attr]
            functions = Functions(kind.source.tree.functions, kind.source.bindings)  # type: ignore[union-attr]
            written = None
        case _:
            return None
    for source in functions.overloads:
        found = _match(unit, source, functions, wanted.target, written)
        if found is not None:
            return found
    return None


def _match(
    unit: CudaUnit,
    source: declared.Function,
    functions: Functions,
    wanted: FunctionOf,
    written: tuple[syntax.TemplateArgument, ...] | None,
) -> Functions | None:
    if source.template is None:
        own = _signature(unit, source, functions)
        if own is not None and own != wanted:
            return None
        return _only(unit, source, functions, {})
    if source.template == () or len(source.parameters) != len(wanted.parameters):
        return None
    bindings = unit.module.hooks.bind(unit, source, written, wanted.parameters)
    if bindings is None:
        return None
    around = {**functions.around, **bindings}
    plain = replace(source, template=None)
    own = _signature(unit, plain, Functions((plain,), around))
    return None if own is not None and own != wanted else _only(unit, source, functions, bindings)


def _only(
    unit: CudaUnit, source: declared.Function, functions: Functions, bindings: Mapping[str, Any]
) -> Functions:
    """Return a function for its template's arguments: one object for each."""
    known = unit.module.pointed
    bound = tuple(sorted((name, _key(entity)) for name, entity in bindings.items()))
    key = id(source), id(functions.around), bound
    if key not in known:
        plain = source if source.template is None else replace(source, template=None)
        made = Functions((plain,), {**functions.around, **bindings})
        known[key] = made, functions  # whose `id` is in the key
    found: Functions = known[key][0]
    return found


def _key(entity: Any) -> int:
    return id(entity.type) if isinstance(entity, TypeName) else hash(entity.node.value)


def require_pointed(unit: CudaUnit, node: syntax.Node, value: Value, wanted: CType) -> Functions:
    """Return the function that a value means.

    Raises:
        Refused: it is not known, or of another type.
    """
    found = find_pointed(unit, value, wanted)
    if found is not None:
        return found
    if isinstance(value, Designator):
        what = fact("cpp.no-conversion", type=value.type.name, wanted=wanted.name)
        raise unit.error(node, what)
    raise unit.refusal(node, fact("cpp.no-function-pointers"))
