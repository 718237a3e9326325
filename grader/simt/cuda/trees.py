"""What is below a node of a tree, and what its types say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any, get_args

from grader.simt.cuda import declared, syntax

_PLAIN = frozenset(("Place", "str", "bool", "int", "float", "frozenset[str]", "tuple[str, ...]"))
"""Types of fields that hold no node."""
_ONE = frozenset(("Condition", "Expression", "Name", "NamePart", "Statement", "Type"))
"""Types of fields that always hold one."""
_SEVERAL = re.compile(r"tuple\[\w+, \.\.\.\]( \| None)?")
"""Types of fields that hold nothing else."""


def children(node: syntax.Node) -> Sequence[syntax.Node]:
    """Return the nodes directly below `node`, in the order of its fields."""
    return _CHILDREN[type(node)](node)


def statements_in(node: syntax.Node) -> list[syntax.Node]:
    """Return the statements directly below a statement, and the sections of a `switch`."""
    if type(node) not in _HOLD_STATEMENTS:
        return []
    return [each for each in children(node) if type(each) in _STATEMENTS]


def walk(
    *roots: syntax.Node, parts: Callable[[syntax.Node], Sequence[syntax.Node]] = children
) -> list[syntax.Node]:
    """Return nodes with all that is below them, each before what is below it.

    Args:
        parts: what is directly below a node; `statements_in` leaves expressions and types out.
    """
    found, waiting = list[syntax.Node](), list(reversed(roots))
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting += reversed(parts(node))
    return found


_STATEMENTS = frozenset((*get_args(declared.Statement), syntax.Section))
_HOLD_STATEMENTS = frozenset(
    (
        syntax.Compound,
        syntax.If,
        syntax.For,
        syntax.RangeFor,
        syntax.While,
        syntax.DoWhile,
        syntax.Switch,
        syntax.Section,
    )
)


class _Children(dict[type[syntax.Node], Callable[[Any], Sequence[syntax.Node]]]):
    """By kind, what returns the nodes below one; `dataclasses` is asked once."""

    def __missing__(self, kind: type[syntax.Node]) -> Callable[[Any], Sequence[syntax.Node]]:
        found = {each.name: str(each.type) for each in fields(kind) if each.type not in _PLAIN}
        match tuple(found):
            case ():
                self[kind] = lambda _node: ()
            case (name,) if _SEVERAL.fullmatch(found[name]):
                self[kind] = lambda node: getattr(node, name) or ()
            case (_, _, *_) as names if _ONE.issuperset(found.values()):
                self[kind] = attrgetter(*names)
            case (name,):
                self[kind] = lambda node: _nodes_in((getattr(node, name),))
            case names:
                get = attrgetter(*names)
                self[kind] = lambda node: _nodes_in(get(node))
        return self[kind]


_CHILDREN = _Children()


def _nodes_in(values: Iterable[Any]) -> list[syntax.Node]:
    """Return the nodes among the values of fields, and in tuples."""
    found: list[syntax.Node] = []
    for value in values:
        if isinstance(value, tuple):
            found += [item for item in value if isinstance(item, syntax.Node)]
        elif isinstance(value, syntax.Node):
            found.append(value)
    return found


def is_const(node: syntax.Type) -> bool:
    """Return True for a type whose values cannot be changed; an array is what its elements are."""
    match node:
        case syntax.NamedType() | syntax.DecltypeType() | syntax.PointerType():
            return node.const
        case syntax.ArrayType(_, element):
            return is_const(element)
    return False


def is_volatile(node: syntax.Type) -> bool:
    """Return True for a type whose values may change at any time; also for a reference to one."""
    match node:
        case syntax.NamedType() | syntax.DecltypeType() | syntax.PointerType():
            return node.volatile
        case syntax.ArrayType(_, inner) | syntax.ReferenceType(_, inner):
            return is_volatile(inner)
    return False


def forget_targets(node: syntax.Type) -> syntax.Type:
    """Return a type of the same size that names nothing that it only leads to."""
    match node:
        case syntax.PointerType(place, target) | syntax.ReferenceType(place, target):
            nothing = syntax.NamedType(
                target.place, syntax.Name(target.place, (syntax.NamePart(target.place, "void"),))
            )
            return syntax.PointerType(place, nothing)
        case syntax.ArrayType(place, element, size):
            return syntax.ArrayType(place, forget_targets(element), size)
    return node


def type_name(node: syntax.Type | None) -> str | None:
    """Return the name of a type as it is written; None for any that has none, as pointers."""
    return node.name.spelled if isinstance(node, syntax.NamedType) else None


def pointed(node: syntax.Type) -> syntax.Type:
    """Return what a type of pointers leads to; the type itself if it is none."""
    while isinstance(node, syntax.PointerType):
        node = node.target
    return node


def is_auto(node: syntax.Type) -> bool:
    """Return True for `auto`, and for the group of any type that `thread_group` is."""
    return type_name(node) in ("auto", "cooperative_groups::thread_group")
