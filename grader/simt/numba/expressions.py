"""Expressions without parts of their own: literals, names, tuples."""

from __future__ import annotations

import ast
import builtins

from grader.did_you_mean import name_near
from grader.facts import fact
from grader.simt.numba.globals import compile_global
from grader.simt.numba.names import look_up
from grader.simt.numba.reading.folding import LARGEST
from grader.simt.numba.reading.paths import dtype_of
from grader.simt.numba.refused import explain_conflict
from grader.simt.numba.typed import TypedNode, constant, is_value, pack, unpack
from grader.simt.numba.unit import ExpressionForms, Unit
from grader.simt.program.nodes import Expression, Static
from grader.simt.program.types import (
    Conflict,
    Constant,
    NamePath,
    Nothing,
    Series,
    Text,
    Tuple,
    describe,
)


def _take_compiled(_unit: Unit, node: TypedNode) -> Expression:
    return node.typed


def _compile_tuple(unit: Unit, node: ast.Tuple) -> Expression:
    parts: list[Expression] = []
    for element in node.elts:
        parts += (
            spread(unit, element)
            if isinstance(element, ast.Starred)
            else [unit.compile_expression(element)]
        )
    return pack(parts)


def spread(unit: Unit, node: ast.Starred) -> list[Expression]:
    """Compile the items of `*t`."""
    typed = unit.compile_expression(node.value)
    if not isinstance(typed.type, Tuple):
        raise unit.typing_error(node, fact("python.star-call", type=describe(typed.type)))
    return unpack(typed, typed.type)


def _compile_literal(unit: Unit, node: ast.Constant) -> Expression:
    match node.value:
        case bool() | float() | complex():
            return constant(node.value)
        case int() as whole if abs(whole) < LARGEST:
            return constant(whole)
        case None:
            return Static(Nothing())
        case str() as text:
            return Static(Text(text))
        case _:
            raise unit.refusal(node, fact("python.literal"))


def _compile_name(unit: Unit, node: ast.Name) -> Expression:
    name = node.id
    if name in unit.assigned:
        return _compile_variable(unit, node)
    try:
        value = look_up(unit.function.names, name)
    except KeyError:
        known = sorted({*unit.assigned, *map(str, unit.function.names)})
        instead = name_near(name, known)
        if hasattr(builtins, name):
            what = fact("python.not-emulated", name=name)
            raise unit.refusal(node, what, fact("advice.no-builtin")) from None
        if dtype_of(NamePath(f"numba.{name}")) is not None:
            instead = fact("advice.import-numba", name=name)
        raise unit.typing_error(node, fact("python.unknown-name", name=name), instead) from None
    return compile_global(unit, node, value, name)


def _compile_variable(unit: Unit, node: ast.Name) -> Expression:
    name = node.id
    if unit.env is None:  # unreachable
        return constant(0)
    kind = unit.env.get(name)
    if kind is None or name not in unit.met:
        raise unit.refusal(node, fact("python.unassigned", name=name))
    if isinstance(kind, Conflict):
        first, second = describe(kind.first), describe(kind.second)
        what = fact("python.variable-types", name=name, first=first, second=second)
        raise unit.typing_error(node, explain_conflict(kind.first, kind.second, what))
    if isinstance(kind, Series) and name in unit.series:
        return unit.series.pop(name)  # the loop that takes its elements leaves none
    if not is_value(kind):
        return Static(kind)
    if isinstance(kind, Constant):
        return constant(kind.value)
    return unit.read_variable(node, kind)


FORMS: ExpressionForms = {
    ast.Constant: _compile_literal,
    ast.Name: _compile_name,
    ast.Tuple: _compile_tuple,
    TypedNode: _take_compiled,
}
