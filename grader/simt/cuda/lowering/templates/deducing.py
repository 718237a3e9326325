"""Binds the parameters of templates: to what is written, and to what the arguments tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from grader.simt.cuda import declared, syntax
from grader.simt.cuda.declared import qualified_name
from grader.simt.cuda.lowering.conversions import number
from grader.simt.cuda.lowering.model.groups import TILE, TILES
from grader.simt.cuda.lowering.model.types import (
    ArrayOf,
    CType,
    FunctionOf,
    PointerTo,
    StructSource,
    StructType,
    decay,
)
from grader.simt.cuda.lowering.templates.constants import INTEGRAL_CONSTANT
from grader.simt.cuda.lowering.templates.parameters import bind_argument, binding_key
from grader.simt.cuda.lowering.unit import CudaUnit, TypeName


def bind(
    unit: CudaUnit,
    source: declared.Function,
    written: tuple[syntax.TemplateArgument, ...] | None,
    given: Sequence[CType | None],
) -> dict[str, Any] | None:
    """Bind a template's parameters: to what is written, else to what the arguments tell.

    Returns:
        None if something is left open, or the function is no template.
    """
    if source.template is None:
        return {} if written is None else None
    bindings = _bind_written(unit, source.template, written or ())
    if bindings is None or not _deduce_all(unit, source, given, bindings):
        return None
    for parameter in source.template:
        if parameter.name not in bindings:
            if parameter.default is None:
                return None
            with unit.scopes.inner(bindings):
                bindings[parameter.name] = bind_argument(unit, parameter, parameter.default)
    return bindings


def _bind_written(
    unit: CudaUnit,
    parameters: tuple[declared.TemplateParameter, ...],
    written: tuple[syntax.TemplateArgument, ...],
) -> dict[str, Any] | None:
    """Bind a template's first parameters to what is written; None if that does not fit them."""
    pairs = list(zip(parameters, written, strict=False))
    fit = all((own.type is None) == isinstance(argument, syntax.Type) for own, argument in pairs)
    if not fit or len(written) > len(parameters):
        return None
    return {own.name: bind_argument(unit, own, argument) for own, argument in pairs}


def _deduce_all(
    unit: CudaUnit,
    source: declared.Function,
    given: Sequence[CType | None],
    bindings: dict[str, Any],
) -> bool:
    """Bind what is still open to what the arguments tell; return False if two tell otherwise.

    A list, whose type is None, tells nothing.
    """
    types = {each.name: each.type for each in source.template or () if each.name not in bindings}
    for own, kind in zip(source.parameters, given, strict=False):
        if kind is None:
            continue
        deduced: dict[str, Any] = {}
        written = own.type.target if isinstance(own.type, syntax.ReferenceType) else own.type
        whole = written is not own.type and isinstance(written, syntax.ArrayType)
        deduce(written, kind if whole else decay(kind), set(types), deduced)
        for name, found in deduced.items():
            entity, typed = found, types[name]
            if isinstance(found, int) and typed is not None:  # the length of an array
                entity = number(unit.module.type_of(unit, typed), found)
            if binding_key(bindings.setdefault(name, entity)) != binding_key(entity):
                return False
    return True


def deduce(written: syntax.Type, kind: CType, names: set[str], bindings: dict[str, Any]) -> None:
    """Bind the names of a parameter's type to what an argument's type has in their places."""
    match written, kind:
        case syntax.NamedType(_, name), _ if name.parts[-1].identifier in names:
            bindings.setdefault(name.parts[-1].identifier, TypeName(kind))
        case syntax.NamedType(_, name), StructType():
            _deduce_struct(name, kind, names, bindings)
        case syntax.FunctionType(_, result, parameters), FunctionOf():
            deduce(result, kind.result, names, bindings)
            for own, given in zip(parameters, kind.parameters, strict=False):
                deduce(own, given, names, bindings)
        case syntax.ReferenceType(_, target), _:
            deduce(target, kind, names, bindings)
        case _, PointerTo(inner):
            _deduce_pointed(written, inner, names, bindings)
        case syntax.ArrayType(_, element, size), ArrayOf(inner, length):
            deduce(element, inner, names, bindings)
            if isinstance(size, syntax.Name) and size.spelled in names:
                bindings.setdefault(size.spelled, length)


def _deduce_struct(
    name: syntax.Name, kind: StructType, names: set[str], bindings: dict[str, Any]
) -> None:
    last, source = name.parts[-1], kind.source
    if last.identifier == "bool_constant" and source and source.tree.name == INTEGRAL_CONSTANT:
        (value,) = last.arguments or (None,)
        if isinstance(value, syntax.Name) and value.spelled in names:
            bindings.setdefault(value.spelled, source.arguments[1])
    elif source is not None and last.identifier == source.tree.name:
        _deduce_arguments(last.arguments or (), source, names, bindings)
    elif kind in TILES and last.identifier == TILE:
        size = (last.arguments or (None,))[0]
        if isinstance(size, syntax.Name):
            bindings.setdefault(size.spelled, TILES[kind])


def _deduce_pointed(
    written: syntax.Type, inner: CType, names: set[str], bindings: dict[str, Any]
) -> None:
    match written:
        case syntax.PointerType(_, target) | syntax.ArrayType(_, target):
            deduce(target, inner, names, bindings)


def _deduce_arguments(
    written: tuple[syntax.TemplateArgument, ...],
    source: StructSource,
    names: set[str],
    bindings: dict[str, Any],
) -> None:
    """Bind the names among a class template's arguments to what it is specialized for."""
    for entity, argument in zip(source.arguments, written, strict=False):
        if isinstance(entity, TypeName) and isinstance(argument, syntax.Type):
            deduce(argument, entity.type, names, bindings)
        elif isinstance(argument, syntax.Name) and argument.spelled in names:
            bindings.setdefault(argument.spelled, entity)


def find_specialization(
    unit: CudaUnit,
    template: declared.Function,
    bindings: Mapping[str, Any],
    functions: Iterable[declared.Function],
) -> declared.Function | None:
    """Return the full specialization of a template for what is bound; None if it has none."""
    wanted = {each.name: binding_key(bindings[each.name]) for each in template.template or ()}
    for each in functions if wanted else ():
        if each.template == () and qualified_name(each) == qualified_name(template):
            given = [decay(unit.module.type_of(unit, own.type)) for own in each.parameters]
            bound = bind(unit, template, each.specialized or (), given)
            if bound and {name: binding_key(own) for name, own in bound.items()} == wanted:
                return each
    return None
