"""What an alias template stands for where its arguments are still to be deduced."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.lowering.templates.packs import PackOf, unpack
from grader.simt.cuda.lowering.unit import CudaUnit, Template


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
