"""What the parameters of a template stand for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grader.facts import fact
from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.lowering.conversions import number, whole
from grader.simt.cuda.lowering.model.types import (
    KEYWORDS,
    Arithmetic,
    CType,
    PointerTo,
    is_function_pointer,
)
from grader.simt.cuda.lowering.model.values import OwnNumber
from grader.simt.cuda.lowering.pointed import designate_argument, require_pointed
from grader.simt.cuda.lowering.templates.packs import PackOf
from grader.simt.cuda.lowering.unit import CudaUnit, Entity, Functions, Template, TypeName
from grader.simt.program import nodes


def bind_argument(
    unit: CudaUnit,
    parameter: declared.TemplateParameter,
    argument: syntax.TemplateArgument,
    before: Mapping[str, Any] | None = None,
) -> Any:
    """Return what a template's parameter stands for: a type, or a number.

    `before` has the parameters before it, which its own type may name, but not the argument.
    """
    if parameter.template:
        found = find_template(unit, argument)
        if found is None:
            raise unit.refusal(argument, fact("cpp.no-template-templates"))
        return found
    if parameter.type is None:
        kind = unit.module.type_of(unit, argument)
        return TypeName(kind, unit.module.is_const(unit, argument))
    if trees.is_auto(parameter.type):
        return unit.module.constant_of(unit, argument)
    with unit.scopes.inner(before):
        kind = unit.module.type_of(unit, parameter.type)
    if is_function_pointer(kind):
        return require_pointed(unit, argument, designate_argument(unit, argument), kind)
    if not isinstance(kind, Arithmetic):
        raise unit.refusal(argument, fact("cpp.no-pointer-argument"))
    return number(kind, unit.module.constant(unit, argument))


def find_template(unit: CudaUnit, argument: syntax.Node) -> Template | None:
    """Return the class template that a name means; None for any other type, or a value."""
    if not isinstance(argument, syntax.NamedType) or argument.name.spelled in KEYWORDS:
        return None
    if argument.name.parts[-1].arguments is not None:
        return None
    found = unit.module.find(unit, argument.name)
    is_class = isinstance(found, Template) and not isinstance(found.source, syntax.Variable)
    return found if is_class else None


def deduced_type(unit: CudaUnit, node: syntax.Variable, kind: CType) -> CType:
    """Return the type of a variable that is declared with `auto`, or with `const auto*`.

    Raises:
        Refused: it would be a pointer to what is none.
    """
    written, given, const = node.type, kind, list[bool]()
    while isinstance(written, syntax.PointerType):
        if not isinstance(given, PointerTo):
            raise unit.error(node, fact("cpp.not-a-pointer", type=given.name))
        written, given = written.target, given.target
        const.append(trees.is_const(written))
    return _with_const(kind, const)


def _with_const(kind: CType, const: Sequence[bool]) -> CType:
    if not const or not isinstance(kind, PointerTo):
        return kind
    return PointerTo(_with_const(kind.target, const[1:]), kind.const or const[0])


def binding_key(entity: Any) -> Any:
    """Return what tells apart what a template's parameter stands for."""
    if isinstance(entity, TypeName):
        return (entity.type, "const") if entity.const else entity.type
    if isinstance(entity, PackOf):
        return tuple(map(binding_key, entity.entities))
    if isinstance(entity, Template):
        return id(entity.source)
    number = getattr(entity, "node", None)
    if isinstance(entity, OwnNumber) and isinstance(number, nodes.Number):
        return entity.type, number.value
    return number.value if isinstance(number, nodes.Number) else id(entity)


def describe_binding(entity: Any) -> str:
    """Return what a template's parameter stands for, as `describe_argument` has the argument."""
    if isinstance(entity, Functions):
        return entity.overloads[0].name
    if isinstance(entity, Template):
        return entity.source.name
    if isinstance(entity, PackOf):
        return ", ".join(map(describe_binding, entity.entities))
    return str(entity.type.name if isinstance(entity, TypeName) else entity.node.value)


def describe_argument(argument: syntax.TemplateArgument) -> str:
    """Return a template's argument that a compiler has written: a type, or a whole number."""
    match argument:
        case syntax.NamedType(_, name):
            return name.parts[-1].identifier
        case syntax.PointerType(_, target):
            return f"{'const ' if trees.is_const(target) else ''}{describe_argument(target)}*"
        case syntax.Unary(_, sign, syntax.IntegerLiteral(_, value)):
            return f"{sign}{value}"
        case syntax.IntegerLiteral(_, value):
            return str(value)
    return ""


def bind_template(
    unit: CudaUnit, name: syntax.Name, source: declared.Struct | declared.Alias | syntax.Variable
) -> dict[str, Entity]:
    """Return what the parameters of a template stand for, in order."""
    written, parameters = name.parts[-1].arguments or (), source.template or ()
    if name.parts[-1].arguments is None and not all(each.default for each in parameters):
        raise unit.refusal(name, fact("cpp.no-deduced-class", name=source.name))
    bindings: dict[str, Any] = {}
    taken = 0
    for at, parameter in enumerate(parameters):
        own = parameter.name or f"{at}"
        if parameter.pack:
            rest, taken = written[taken:], len(written)
            bound = tuple(bind_argument(unit, parameter, each, bindings) for each in rest)
            bindings[own] = PackOf(bound)
        elif taken < len(written):
            bindings[own] = bind_argument(unit, parameter, written[taken], bindings)
            taken += 1
        elif parameter.default is None:
            raise unit.error(name, fact("cpp.template-arguments", name=source.name))
        else:
            with unit.scopes.inner(bindings):
                bindings[own] = bind_argument(unit, parameter, parameter.default)
    if taken < len(written):
        raise unit.error(name, fact("cpp.template-arguments", name=source.name))
    return bindings


def class_of(unit: CudaUnit, written: syntax.Type, values: Sequence[syntax.Expression]) -> CType:
    """Return the type of what values begin; of a class template alone they tell its arguments."""
    found = find_template(unit, written)
    if found is not None and isinstance(found.source, declared.Struct):
        deduced: CType = unit.module.hooks.deduce(unit, written, found, values)
        return deduced
    kind: CType = unit.module.type_of(unit, written)
    return kind


def argument_of(unit: CudaUnit, argument: syntax.TemplateArgument) -> Entity:
    """Return what an argument of a class template is."""
    if (template := find_template(unit, argument)) is not None:
        return template
    if isinstance(argument, syntax.Type):
        kind = unit.module.type_of(unit, argument)
        return TypeName(kind, unit.module.is_const(unit, argument))
    return whole(unit.module.constant(unit, argument))
