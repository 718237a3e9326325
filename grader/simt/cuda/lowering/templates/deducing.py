"""Binds the parameters of templates: to what is written, and to what the arguments tell."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from grader.facts import fact
from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.declared import qualified_name
from grader.simt.cuda.lowering.conversions import number
from grader.simt.cuda.lowering.model.groups import TILE, TILES
from grader.simt.cuda.lowering.model.types import (
    ArrayOf,
    CType,
    FunctionOf,
    PointerTo,
    StructType,
    decay,
)
from grader.simt.cuda.lowering.templates.constants import INTEGRAL_CONSTANT
from grader.simt.cuda.lowering.templates.packs import PackOf, unpack
from grader.simt.cuda.lowering.templates.parameters import bind_argument, binding_key
from grader.simt.cuda.lowering.unit import CudaUnit, Template, TypeName
from grader.simt.cuda.places import not_emulated


def without_aliases(unit: CudaUnit, node: syntax.Type) -> syntax.Type:
    """Return a type with what each alias template in it stands for: `index_sequence<I...>`."""
    names = (each.name for each in trees.walk(node) if isinstance(each, syntax.NamedType))
    if all(name.parts[-1].arguments is None for name in names):
        return node
    made: syntax.Type = _write(unit, node, {})
    return made


def _write(unit: CudaUnit, value: Any, given: Mapping[str, Any]) -> Any:
    """Return a node, or a list of them, with what is given for names and no alias template."""
    match value:
        case tuple():
            made = tuple(_write(unit, each, given) for each in value)
            return value if all(map(operator.is_, made, value)) else made
        case syntax.NamedType(name=syntax.Name(parts=(syntax.NamePart(identifier=name),))) if (
            name in given
        ):
            known = given[name]
            return replace(known, const=True) if value.const and known != value else known
        case syntax.Name(parts=(syntax.NamePart(identifier=name),)) if name in given:
            return given[name]
        case syntax.Node():
            changed = {
                each.name: made
                for each in fields(value)
                if (made := _write(unit, old := getattr(value, each.name), given)) is not old
            }
            value = replace(value, **changed) if changed else value
    if isinstance(value, syntax.NamedType) and value.name.parts[-1].arguments is not None:
        return _of_alias(unit, value)
    return value


def _of_alias(unit: CudaUnit, node: syntax.NamedType) -> syntax.Type:
    """Return what a template stands for if it is of an alias; else the type itself."""
    found = unit.module.find(unit, node.name)
    if not isinstance(found, Template) or not isinstance(found.source, declared.Alias):
        return node
    source, written = found.source, node.name.parts[-1].arguments or ()
    given = dict[str, Any]()
    for at, own in enumerate(source.template or ()):
        argument = written[at] if at < len(written) else own.default
        given[own.name] = PackOf(written[at:]) if own.pack else argument
    alias, given = unpack(unit.module, source, given)
    with unit.within(source.scope):
        made: syntax.Type = _write(unit, alias.type, given)
    return made


def bind(
    unit: CudaUnit,
    source: declared.Function,
    written: tuple[syntax.TemplateArgument, ...] | None,
    given: Sequence[CType | None],
    const: Sequence[bool] = (),
) -> dict[str, Any] | None:
    """Bind a template's parameters: to what is written, else to what the arguments tell.

    Args:
        written: its arguments behind its name; None if there are no `<>`.
        given: the types of the call's arguments.
        const: which of these cannot be changed, as far as references may refer to them.

    Returns:
        None if something is left open, or the function is no template.
    """
    if source.template is None:
        return {} if written is None else None
    bindings = _bind_written(unit, source.template, written or ())
    if bindings is None or not _deduce_all(unit, source, given, bindings, const):
        return None
    for parameter in source.template:
        if parameter.name not in bindings:
            if parameter.pack:
                bindings[parameter.name] = PackOf(())
                continue
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
    packs = [each for each in parameters if each.pack]
    several = [packs[0]] * (len(written) - len(parameters) + 1) if packs else []
    each_own = [own for each in parameters for own in (several if each.pack else [each])]
    pairs = list(zip(each_own or several, written, strict=False))
    fit = all((own.type is None) == isinstance(argument, syntax.Type) for own, argument in pairs)
    if not fit or len(written) > len(pairs):
        return None
    bindings: dict[str, Any] = {}
    for own, argument in pairs:
        bound = bind_argument(unit, own, argument, bindings)
        if own.pack:
            bound = _longer(bindings.get(own.name), bound)
        bindings[own.name] = bound
    return bindings


def _longer(pack: PackOf | None, entity: Any) -> PackOf:
    return PackOf((*(pack.entities if pack else ()), entity))


def _deduce_all(
    unit: CudaUnit,
    source: declared.Function,
    given: Sequence[CType | None],
    bindings: dict[str, Any],
    const: Sequence[bool],
) -> bool:
    """Bind what is still open to what the arguments tell; return False if two tell otherwise.

    A list, whose type is None, tells nothing.
    """
    types = {
        each.name: each.type
        for each in source.template or ()
        if each.name not in bindings or each.pack
    }
    fixed = [*const, *(False for _ in given[len(const) :])]
    for own, kind, is_const in zip(source.parameters, given, fixed, strict=False):
        if own.pack:
            break
        if kind is None:
            continue
        deduced: dict[str, Any] = {}
        refers = isinstance(own.type, syntax.ReferenceType)
        written = own.type.target if isinstance(own.type, syntax.ReferenceType) else own.type
        with unit.within(source.scope):
            written = without_aliases(unit, written)
        whole = refers and isinstance(written, syntax.ArrayType)
        if isinstance(kind, ArrayOf) and not whole:
            kind = PointerTo(kind.element, is_const)  # noqa: PLW2901 - as an argument
        deduce(written, kind, set(types), deduced, const=is_const and refers)
        for name, found in deduced.items():
            entity, typed = found, types[name]
            if isinstance(found, int) and typed is not None:  # the length of an array
                entity = number(unit.module.type_of(unit, typed), found)
            if binding_key(bindings.setdefault(name, entity)) != binding_key(entity):
                return False
    if source.parameters and source.parameters[-1].pack:
        first = len(source.parameters) - 1
        return _deduce_rest(source, given[first:], set(types), bindings, fixed[first:])
    return True


def _deduce_rest(
    source: declared.Function,
    given: Sequence[CType | None],
    names: set[str],
    bindings: dict[str, Any],
    const: Sequence[bool],
) -> bool:
    """Bind packs to what the arguments behind all other parameters tell."""
    own = source.parameters[-1].type
    pattern = own.target if isinstance(own, syntax.ReferenceType) else own
    packs = {each.name for each in source.template or () if each.pack}
    named = {each.spelled for each in trees.walk(pattern) if isinstance(each, syntax.Name)}
    fixed = {name: bindings[name].entities for name in packs & named if name in bindings}
    found: dict[str, list[Any]] = {name: list(each) for name, each in fixed.items()}
    for at, kind in enumerate(given):
        deduced: dict[str, Any] = {}
        if kind is None:
            return False
        kind = decay(kind, const=const[at])  # noqa: PLW2901 - as an argument
        deduce(pattern, kind, names, deduced, const=const[at] and pattern is not own)
        for name, entity in deduced.items():
            if name in packs:
                if at >= len(fixed.get(name, ())):
                    found.setdefault(name, []).append(entity)
            elif binding_key(bindings.setdefault(name, entity)) != binding_key(entity):
                return False
    if any(len(each) != len(given) for each in found.values()):
        return False
    bindings.update({name: PackOf(tuple(each)) for name, each in found.items()})
    return True


def deduce(
    written: syntax.Type,
    kind: CType,
    names: set[str],
    bindings: dict[str, Any],
    *,
    const: bool = False,
) -> None:
    """Bind the names of a parameter's type to what an argument's type has in their places.

    `const` if what has that type cannot be changed.
    """
    match written, kind:
        case syntax.NamedType(_, name), _ if _names_type(name, names):
            own = TypeName(kind, const and not written.const)
            bindings.setdefault(name.parts[-1].identifier, own)
        case syntax.NamedType(_, name), StructType():
            _deduce_struct(name, kind, names, bindings)
        case syntax.FunctionType(_, result, parameters), FunctionOf():
            deduce(result, kind.result, names, bindings)
            entities = [TypeName(each) for each in kind.parameters]
            deduce_arguments(parameters, entities, names, bindings)
        case syntax.ReferenceType(_, target), _:
            deduce(target, kind, names, bindings)
        case _, PointerTo(inner):
            _deduce_pointed(written, inner, names, bindings, const=kind.const)
        case syntax.ArrayType(_, element, size), ArrayOf(inner, length):
            deduce(element, inner, names, bindings, const=const)
            if isinstance(size, syntax.Name) and size.spelled in names:
                bindings.setdefault(size.spelled, length)


def _names_type(name: syntax.Name, names: set[str]) -> bool:
    return name.parts[-1].identifier in names and name.parts[-1].arguments is None


def _deduce_struct(
    name: syntax.Name, kind: StructType, names: set[str], bindings: dict[str, Any]
) -> None:
    last, source = name.parts[-1], kind.source
    if last.identifier == "bool_constant" and source and source.tree.name == INTEGRAL_CONSTANT:
        (value,) = last.arguments or (None,)
        if isinstance(value, syntax.Name) and value.spelled in names:
            bindings.setdefault(value.spelled, source.arguments[1])
    elif source is not None and last.identifier in names:
        if source.tree.specialized is not None or any(map(_is_pack, source.tree.template or ())):
            raise not_emulated(fact("cpp.no-template-templates"), name.place)
        bindings.setdefault(last.identifier, Template(source.tree))
        deduce_arguments(last.arguments or (), source.arguments, names, bindings)
    elif source is not None and last.identifier == source.tree.name:
        deduce_arguments(last.arguments or (), source.arguments, names, bindings)
    elif kind in TILES and last.identifier == TILE:
        size = (last.arguments or (None,))[0]
        if isinstance(size, syntax.Name):
            bindings.setdefault(size.spelled, TILES[kind])
    else:
        for base in kind.bases:
            _deduce_struct(name, base, names, bindings)


def _deduce_pointed(
    written: syntax.Type, inner: CType, names: set[str], bindings: dict[str, Any], *, const: bool
) -> None:
    match written:
        case syntax.PointerType(_, target) | syntax.ArrayType(_, target):
            deduce(target, inner, names, bindings, const=const)


def deduce_arguments(
    written: Sequence[syntax.TemplateArgument],
    entities: Sequence[Any],
    names: set[str],
    bindings: dict[str, Any],
) -> None:
    """Bind the names among a class template's arguments to what it is specialized for."""
    for at, argument in enumerate(written):
        if isinstance(argument, syntax.Expansion):
            found: dict[str, list[Any]] = {}
            named = (each for each in trees.walk(argument) if isinstance(each, syntax.Name))
            empty = {each.spelled: list[Any]() for each in named if each.spelled in names}
            for entity in entities[at:]:
                own: dict[str, Any] = {}
                _deduce_argument(argument.pattern, entity, names, own)
                for name, one in own.items():
                    found.setdefault(name, []).append(one)
            for name, several in {**empty, **found}.items():
                bindings.setdefault(name, PackOf(tuple(several)))
        elif at < len(entities):
            _deduce_argument(argument, entities[at], names, bindings)


def _deduce_argument(
    written: syntax.TemplateArgument, entity: Any, names: set[str], bindings: dict[str, Any]
) -> None:
    if isinstance(entity, Template) and isinstance(written, syntax.NamedType):
        if _names_type(written.name, names):
            bindings.setdefault(written.name.spelled, entity)
    elif isinstance(entity, TypeName) and isinstance(written, syntax.Type):
        deduce(written, entity.type, names, bindings, const=entity.const)
    elif isinstance(written, syntax.Name) and written.spelled in names:
        bindings.setdefault(written.spelled, entity)


def _bind_result(
    unit: CudaUnit, template: declared.Function, special: declared.Function
) -> dict[str, Any] | None:
    """Bind a template's parameters to what the result of a specialization tells; None if not."""
    if template.result is None or special.result is None or trees.is_auto(special.result):
        return None
    names, found = {each.name for each in template.template or ()}, dict[str, Any]()
    deduce(template.result, unit.module.type_of(unit, special.result), names, found)
    return found if set(found) == names else None


def _is_pack(parameter: declared.TemplateParameter) -> bool:
    return parameter.pack


def find_specialization(
    unit: CudaUnit,
    template: declared.Function,
    bindings: Mapping[str, Any],
    functions: Iterable[declared.Function],
) -> declared.Function | None:
    """Return the full specialization of a template for what is bound; None if it has none."""
    wanted = {each.name: binding_key(bindings[each.name]) for each in template.template or ()}
    count, packed = len(template.parameters), any(each.pack for each in template.parameters)
    for each in functions if wanted else ():
        if not packed and len(each.parameters) != count:
            continue  # of another template of this name
        if each.template == () and qualified_name(each) == qualified_name(template):
            given = [unit.module.parameter_type(unit, own.type) for own in each.parameters]
            bound = bind(unit, template, each.specialized or (), given)
            bound = bound or _bind_result(unit, template, each)
            if bound and {name: binding_key(own) for name, own in bound.items()} == wanted:
                return each
    return None
