"""Which specialization of a class template its arguments mean."""

from __future__ import annotations

from collections.abc import Sequence

from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.deducing import deduce
from grader.simt.cuda.lowering.templates import binding_key
from grader.simt.cuda.lowering.unit import Entity, TypeName


def deduce_specialization(
    special: syntax.Struct, entities: Sequence[Entity]
) -> dict[str, Entity] | None:
    """Return what the parameters of a specialization stand for, by the template's arguments.

    Returns:
        None if one is left open, or would stand for two; that the rest fits remains to be checked.
    """
    names = {parameter.name for parameter in special.template or ()}
    bindings: dict[str, Entity] = {}
    for pattern, entity in zip(special.specialized or (), entities, strict=False):
        found: dict[str, Entity] = {}
        if _differs(pattern):
            return None
        if isinstance(entity, TypeName) and isinstance(pattern, syntax.Type):
            deduce(pattern, entity.type, names, found)
        elif isinstance(entity, TypeName) or isinstance(pattern, syntax.Type):
            return None
        elif isinstance(pattern, syntax.Name) and pattern.spelled in names:
            found[pattern.spelled] = entity
        for name, one in found.items():
            if binding_key(bindings.setdefault(name, one)) != binding_key(one):
                return None
    return bindings if set(bindings) == names else None


def _differs(pattern: syntax.TemplateArgument) -> bool:
    """Return True for a reference and for what is const: types of values are neither."""
    return isinstance(pattern, syntax.ReferenceType) or (
        isinstance(pattern, syntax.Type) and syntax.is_const(pattern)
    )


def count_open(special: syntax.Struct) -> tuple[int, int]:
    """Return how much a specialization leaves open: bare parameters, and parameters in all."""
    names = {parameter.name for parameter in special.template or ()}
    bare = 0
    for pattern in special.specialized or ():
        name = pattern.name if isinstance(pattern, syntax.NamedType) else pattern
        bare += isinstance(name, syntax.Name) and name.spelled in names
    return bare, len(names)
