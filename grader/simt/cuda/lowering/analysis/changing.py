"""Which names a lambda may change, as far as its text tells: rather too many than too few."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.lowering.unit import CudaUnit

_CHANGING = ("++", "--", "&")


def find_changed(unit: CudaUnit, function: declared.Function) -> frozenset[str]:
    """Return the names that a lambda's function may change.

    The first call must be from the function that the lambda is in, whose names it knows.
    """
    known = unit.module.changed
    if id(function) not in known:
        known[id(function)] = frozenset(_changed(unit, function))
    found: frozenset[str] = known[id(function)]
    return found


def _changed(unit: CudaUnit, function: declared.Function) -> Iterator[str]:
    own = frozenset(_declared(function))
    overloaded = any(each.startswith("operator") for each in unit.module.function_names)
    for node in trees.walk(function):
        if isinstance(node, syntax.Capture):
            yield node.name
        parts = _places(node)
        if isinstance(node, syntax.Call) and not _takes_values(unit, node.function, own):
            parts = (node.function, *node.arguments)
        elif overloaded:
            parts = (*parts, *_operands(node))
        for part in parts:
            yield from _roots(part)


def _places(node: syntax.Node) -> Sequence[syntax.Expression]:
    """Return what a node may change without a function of the source."""
    match node:
        case syntax.Assignment(_, _, target, _):
            return (target,)
        case syntax.Unary(_, operator, operand) if operator in _CHANGING:
            return (operand,)
        case syntax.Postfix(_, _, operand):
            return (operand,)
        case syntax.Construction(_, _, given) | syntax.Initializer(_, _, given):
            return given
        case syntax.RangeFor(_, _, over):
            return (over,)
        case syntax.Asm(_, _, outputs):
            return [each.expression for each in outputs]
    return ()


def _operands(node: syntax.Node) -> Sequence[syntax.Expression]:
    """Return what an operator of the source may change."""
    match node:
        case syntax.Binary(_, _, left, right):
            return (left, right)
        case syntax.Index(_, _, index):
            return (index,)
    return ()


def _takes_values(unit: CudaUnit, called: syntax.Expression, own: Container[str]) -> bool:
    """Return True for a function of CUDA's that nothing else is called like: it takes values."""
    if not isinstance(called, syntax.Name) or len(called.parts) > 1:
        return False
    name = called.spelled
    if name in own or name == "swap" or unit.scopes.find(name) is not None:
        return False
    return name not in unit.module.function_names and bool(unit.module.hooks.built_in(name))


def _declared(function: declared.Function) -> Iterator[str]:
    """Yield the names that a function declares anywhere in it."""
    for node in trees.walk(function):
        match node:
            case syntax.Variable(name=name) | declared.Parameter(name=name):
                yield name
            case syntax.Capture(name=name) | declared.Struct(name=name) | declared.Alias(name=name):
                yield name
            case syntax.Bindings(names=names):
                yield from names


def _roots(node: syntax.Expression) -> Iterator[str]:
    """Yield the names that a place may be a part of."""
    while True:
        match node:
            case syntax.Member(_, inner) | syntax.Index(_, inner) | syntax.Cast(_, _, _, inner):
                node = inner
            case syntax.Conditional(_, _, yes, no):
                yield from _roots(yes)
                node = no
            case syntax.Unary(_, _, inner) | syntax.Comma(_, _, inner):
                node = inner
            case syntax.Assignment(_, _, inner):
                node = inner
            case syntax.Name():
                yield node.parts[-1].identifier
                return
            case syntax.This():
                yield "this"
                return
            case _:
                return
