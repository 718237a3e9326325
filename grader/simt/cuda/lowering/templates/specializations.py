"""Which specialization of a class template its arguments mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.simt.cuda import declared, syntax
from grader.simt.cuda.lowering.templates.deducing import deduce_arguments
from grader.simt.cuda.lowering.templates.packs import elements_of, unpack_arguments
from grader.simt.cuda.lowering.templates.parameters import argument_of, binding_key
from grader.simt.cuda.lowering.unit import CudaUnit, Entity, Template, TypeName
from grader.simt.errors import Refused

MOST_ARGUMENTS = 1_000
"""More than a template is given."""


def _deduce_specialization(
    special: declared.Struct, entities: Sequence[Entity]
) -> dict[str, Entity] | None:
    """Return what the parameters of a specialization stand for, by the template's arguments.

    Returns:
        None if one is left open, or would stand for two; that the rest fits remains to be checked.
    """
    names = {parameter.name for parameter in special.template or ()}
    bindings: dict[str, Entity] = {}
    patterns = special.specialized or ()
    for at, pattern in enumerate(patterns):
        found: dict[str, Entity] = {}
        several = isinstance(pattern, syntax.Expansion)
        if isinstance(pattern, syntax.ReferenceType) or (at >= len(entities) and not several):
            return None
        of_type = not several and isinstance(entities[at], (TypeName, Template))
        if not several and of_type != isinstance(pattern, syntax.Type):
            return None
        given = entities[at:] if several else entities[at : at + 1]
        deduce_arguments((pattern,), given, names, found)
        for name, one in found.items():
            if binding_key(bindings.setdefault(name, one)) != binding_key(one):
                return None
    return bindings if set(bindings) == names else None


def _count_open(special: declared.Struct) -> tuple[int, int, int]:
    """Return how much a specialization leaves open: packs, bare parameters, and parameters in all.

    Of two with packs, that with more arguments beside them leaves less open.
    """
    names = {parameter.name for parameter in special.template or ()}
    patterns = special.specialized or ()
    bare = 0
    for pattern in patterns:
        name = pattern.name if isinstance(pattern, syntax.NamedType) else pattern
        bare += isinstance(name, syntax.Name) and name.spelled in names
    packs = any(isinstance(each, syntax.Expansion) for each in patterns)
    return MOST_ARGUMENTS - len(patterns) if packs else 0, bare, len(names)


def choose_specialization(
    unit: CudaUnit,
    template: declared.Struct,
    known: Sequence[declared.Struct],
    entities: tuple[Entity, ...],
) -> tuple[declared.Struct, dict[str, Entity]] | None:
    """Return the one of a template's specializations that fixes most of its arguments.

    One may leave out what the template has by default, unless that takes any number of arguments.
    """
    variadic = any(own.pack for each in (template, *known) for own in each.template or ())
    matching = list[tuple[tuple[int, int, int], declared.Struct, dict[str, Entity]]]()
    for each in known:
        bindings = _match(unit, each, entities)
        if bindings is not None and not (variadic and _count(each, bindings) != len(entities)):
            matching.append((_count_open(each), each, bindings))
    return min(matching, key=lambda each: each[0])[1:] if matching else None


def _count(special: declared.Struct, bindings: Mapping[str, Entity]) -> int:
    """Return how many arguments a specialization is for."""
    return len(unpack_arguments(special.specialized or (), bindings))


def _match(
    unit: CudaUnit, special: declared.Struct, entities: tuple[Entity, ...]
) -> dict[str, Entity] | None:
    """Return what the parameters of a specialization stand for; None if it does not fit."""
    patterns = special.specialized or ()
    bindings = _deduce_specialization(special, entities)
    if bindings is None:
        return None
    patterns = unpack_arguments(patterns, bindings)
    if len(patterns) > len(entities):
        return None
    try:
        known = {**bindings, **elements_of(bindings)}
        with unit.within(special.scope), unit.scopes.inner(known):
            own = [argument_of(unit, pattern) for pattern in patterns]
    except Refused:  # it is for a type that is not emulated
        return None
    pairs = zip(own, entities, strict=False)
    fits = all(binding_key(one) == binding_key(other) for one, other in pairs)
    return bindings if fits else None
