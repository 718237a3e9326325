"""Which specialization of a class template its arguments mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.lowering.templates.deducing import deduce
from grader.simt.cuda.lowering.templates.parameters import argument_of, binding_key
from grader.simt.cuda.lowering.unit import CudaUnit, Entity, TypeName
from grader.simt.errors import Refused


def _deduce_specialization(
    special: declared.Struct, entities: Sequence[Entity]
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
        isinstance(pattern, syntax.Type) and trees.is_const(pattern)
    )


def _count_open(special: declared.Struct) -> tuple[int, int]:
    """Return how much a specialization leaves open: bare parameters, and parameters in all."""
    names = {parameter.name for parameter in special.template or ()}
    bare = 0
    for pattern in special.specialized or ():
        name = pattern.name if isinstance(pattern, syntax.NamedType) else pattern
        bare += isinstance(name, syntax.Name) and name.spelled in names
    return bare, len(names)


def choose_specialization(
    unit: CudaUnit, known: Iterable[declared.Struct], entities: tuple[Entity, ...]
) -> tuple[declared.Struct, dict[str, Entity]] | None:
    """Return the one of a template's specializations that fixes most of its arguments."""
    matching = list[tuple[tuple[int, int], declared.Struct, dict[str, Entity]]]()
    for each in known:
        bindings = _match(unit, each, entities)
        if bindings is not None:
            matching.append((_count_open(each), each, bindings))
    return min(matching, key=lambda each: each[0])[1:] if matching else None


def _match(
    unit: CudaUnit, special: declared.Struct, entities: tuple[Entity, ...]
) -> dict[str, Entity] | None:
    """Return what the parameters of a specialization stand for; None if it does not fit."""
    patterns = special.specialized or ()
    bindings = _deduce_specialization(special, entities)
    if bindings is None or len(patterns) > len(entities):
        return None
    try:
        with unit.scopes.inner(bindings):
            own = [argument_of(unit, pattern) for pattern in patterns]
    except Refused:  # it is for a type that is not emulated
        return None
    pairs = zip(own, entities, strict=False)
    fits = all(binding_key(one) == binding_key(other) for one, other in pairs)
    return bindings if fits else None
