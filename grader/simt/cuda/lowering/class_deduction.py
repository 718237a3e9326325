"""Deduces the arguments of a class template from what begins an object: by constructors and guides.

Each constructor is a guide of its own, whose result names the template's parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.facts import fact
from grader.simt.cuda import declared, syntax
from grader.simt.cuda.declared import qualified_name
from grader.simt.cuda.lowering.choosing import Invocation, choose
from grader.simt.cuda.lowering.expressions import lower
from grader.simt.cuda.lowering.model.types import CType, StructType, tree_of
from grader.simt.cuda.lowering.unit import CudaUnit, Functions, Template
from grader.simt.errors import Refused


def deduce_class(
    unit: CudaUnit,
    written: syntax.NamedType,
    template: Template,
    values: Sequence[syntax.Expression],
) -> CType:
    """Return a class template for what begins an object of it.

    Raises:
        Refused: nothing tells its arguments.
    """
    source = template.source
    assert isinstance(source, declared.Struct)  # the caller has looked
    if len(values) == 1 and isinstance(values[0], syntax.BraceList):
        values = values[0].values
    with unit.unevaluated():
        given = [lower(unit, each) for each in values]
    alone = given[0].type if len(given) == 1 else None
    if isinstance(alone, StructType) and tree_of(alone).place == source.place:
        return alone
    guides = unit.module.guides.get(qualified_name(source), ())
    own = (each for each in source.functions if each.name == source.name)
    constructors = [_as_guide(written, source, each) for each in own if not each.deleted]
    refused = unit.refusal(written, fact("cpp.no-deduced-class", name=source.name))
    if not values and all(each.default for each in source.template or ()):
        named: CType = unit.module.type_of(unit, _named(written, ()))
        return named
    if not guides and not constructors:
        raise refused
    around = dict(template.around or {})
    asked = Invocation(Functions((*guides, *constructors), around), None, given)
    try:
        chosen = choose(unit, written, asked, around)
    except Refused:
        raise refused from None
    assert chosen.source.result is not None  # of a guide
    guided = any(each.place == chosen.source.place for each in guides)
    scope = chosen.source.scope if guided else unit.namespace
    with unit.within(scope), unit.scopes.inner(chosen.bindings):
        found: CType = unit.module.type_of(unit, chosen.source.result)
    return found


def _as_guide(
    written: syntax.NamedType, source: declared.Struct, constructor: declared.Function
) -> declared.Function:
    """Return a constructor as a function that returns what it makes."""
    parameters = source.template or ()
    result = _named(written, tuple(_argument(each) for each in parameters))
    both = (*parameters, *(constructor.template or ()))
    return replace(constructor, result=result, template=both, initializers=())


def _named(
    written: syntax.NamedType, arguments: tuple[syntax.TemplateArgument, ...]
) -> syntax.NamedType:
    last = replace(written.name.parts[-1], arguments=arguments)
    name = replace(written.name, parts=(*written.name.parts[:-1], last))
    return syntax.NamedType(written.place, name)


def _argument(parameter: declared.TemplateParameter) -> syntax.TemplateArgument:
    """Return the argument that names a parameter itself."""
    place = parameter.place
    name = syntax.Name(place, (syntax.NamePart(place, parameter.name),))
    found = syntax.NamedType(place, name) if parameter.type is None else name
    return syntax.Expansion(place, found) if parameter.pack else found
