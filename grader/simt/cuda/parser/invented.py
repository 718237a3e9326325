"""Makes templates of functions whose parameters are `auto` or `thread_group`, of any type."""

from __future__ import annotations

from dataclasses import replace

from grader.simt.cuda import declared, syntax
from grader.simt.cuda.declared import TemplateParameter
from grader.simt.cuda.syntax import NamedType, NamePart, PointerType, ReferenceType, Type
from grader.simt.cuda.trees import is_auto

_AUTO = "auto:"
"""Begins the name of the type of such a parameter; no source has such a name."""


def invent_types(
    parameters: tuple[declared.Parameter, ...],
) -> tuple[tuple[TemplateParameter, ...], tuple[declared.Parameter, ...]]:
    """Return the template that `auto` parameters stand for, and the parameters with its types."""
    template, made = list[TemplateParameter](), list[declared.Parameter]()
    for at, each in enumerate(parameters):
        name = f"{_AUTO}{at}"
        kind = _with_name(each.type, name)
        if kind is not each.type:
            template.append(TemplateParameter(each.place, name, None, pack=each.pack))
        made.append(replace(each, type=kind))
    return tuple(template), tuple(made)


def _with_name(kind: Type, name: str) -> Type:
    """Return a type in which a name stands for `auto`; the type itself if there is none in it."""
    match kind:
        case NamedType(place) if is_auto(kind):
            return replace(kind, name=syntax.Name(place, (NamePart(place, name),)))
        case PointerType(_, target) | ReferenceType(_, target):
            inner = _with_name(target, name)
            return kind if inner is target else replace(kind, target=inner)
        case syntax.ArrayType(_, element):
            inner = _with_name(element, name)
            return kind if inner is element else replace(kind, element=inner)
    return kind
