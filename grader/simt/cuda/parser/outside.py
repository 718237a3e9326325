"""Gives member functions that are defined outside of their structs their bodies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from grader.simt.cuda import declared, syntax
from grader.simt.cuda.declared import Declaration
from grader.simt.cuda.parser.rules import shape_of


def join_members(declarations: Sequence[Declaration]) -> tuple[Declaration, ...]:
    """Return declarations whose structs have the functions that were defined outside of them."""
    outside = [
        each
        for each in declarations
        if isinstance(each, declared.Function) and each.owner is not None
    ]
    if not outside:
        return tuple(declarations)
    rest = (each for each in declarations if not any(each is other for other in outside))
    return tuple(
        _joined(each, outside) if isinstance(each, declared.Struct) else each for each in rest
    )


def _joined(struct: declared.Struct, outside: Sequence[declared.Function]) -> declared.Struct:
    own = [each for each in outside if _is_of(each, struct)]
    types = tuple(
        _joined(each, outside) if isinstance(each, declared.Struct) else each
        for each in struct.types
    )
    functions = tuple(_defined(struct, each, own) for each in struct.functions)
    return replace(struct, functions=functions, types=types)


def _is_of(function: declared.Function, struct: declared.Struct) -> bool:
    """Return True for a function whose owner is a struct; a specialization has its own."""
    assert function.owner is not None  # the caller has looked
    path = (*struct.scope, struct.name)
    named = tuple(part.identifier for part in function.owner.parts)
    whole = any(
        (*function.scope[:around], *named) == path for around in range(len(function.scope) + 1)
    )
    written = function.owner.parts[-1].arguments
    return whole and (
        struct.specialized is None or shape_of(written) == shape_of(struct.specialized)
    )


def _defined(
    struct: declared.Struct, member: declared.Function, own: Sequence[declared.Function]
) -> declared.Function:
    """Return a member with its body, if that is among the functions outside."""
    if member.body is not None or member.refusal is not None or member.deleted or member.defaulted:
        return member
    alike = [
        _as_inside(struct, each)
        for each in own
        if (each.name, each.const, len(each.parameters))
        == (member.name, member.const, len(member.parameters))
    ]
    exact = [each for each in alike if _takes(struct, each) == _takes(struct, member)]
    if not exact and len(alike) != 1:
        return member
    found = (exact or alike)[0]
    if not {"__device__", "constexpr"} & (found.specifiers | member.specifiers):
        return member
    parameters = tuple(
        replace(each, default=inside.default)
        for each, inside in zip(found.parameters, member.parameters, strict=True)
    )
    return replace(
        found, parameters=parameters, owner=None, scope=member.scope,
        specifiers=found.specifiers | member.specifiers,
    )  # fmt: skip


def _takes(struct: declared.Struct, function: declared.Function) -> Any:
    """Return the types of a function's parameters; the struct's own name needs no arguments."""
    kinds = [_bare(each.type, struct.name) for each in function.parameters]
    return [shape_of(kind, outermost=True) for kind in kinds]


def _as_inside(struct: declared.Struct, function: declared.Function) -> declared.Function:
    """Return a function with the names that its struct's template has, which is around it."""
    around = struct.template or ()
    own = (function.template or ())[: len(around)]
    rest = (function.template or ())[len(around) :]
    names = {
        theirs.name: inside.name
        for theirs, inside in zip(own, around, strict=False)
        if theirs.name != inside.name
    }
    made: declared.Function = _renamed(function, names) if names else function
    return replace(made, template=rest or None)


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, tuple):
        return tuple(_renamed(each, names) for each in value)
    if isinstance(value, syntax.NamePart) and value.identifier in names:
        value = replace(value, identifier=names[value.identifier])
    if not isinstance(value, syntax.Node):
        return value
    parts = {each.name: getattr(value, each.name) for each in fields(value)}
    changed = {name: _renamed(part, names) for name, part in parts.items() if name != "place"}
    return replace(value, **{name: part for name, part in changed.items() if part != parts[name]})


def _bare(value: Any, name: str) -> Any:
    if isinstance(value, tuple):
        return tuple(_bare(each, name) for each in value)
    if isinstance(value, syntax.NamePart) and value.identifier == name:
        return replace(value, arguments=None)
    if not isinstance(value, syntax.Node):
        return value
    parts = {each.name: getattr(value, each.name) for each in fields(value)}
    changed = {key: _bare(part, name) for key, part in parts.items() if key != "place"}
    return replace(value, **changed)
