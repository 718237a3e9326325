"""Compiles calls: of intrinsics, of types, and of device functions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from grader.facts import fact
from grader.simt.compiler.attributes import conjugate
from grader.simt.compiler.functions import compile_function
from grader.simt.compiler.operations import narrow
from grader.simt.compiler.program import CompiledFunction
from grader.simt.compiler.unit import ExpressionForms, Unit
from grader.simt.machine.typed import Frame, Typed, Value, as_type, cast
from grader.simt.masks import Mask
from grader.simt.reading.source import Explicit, Function
from grader.simt.reading.types import (
    Array,
    DeviceFunction,
    DType,
    Path,
    Scalar,
    Tuple,
    describe,
    number,
)
from grader.simt.reading.typing_rules import EXACT, UNSAFE, rank, rating

_DEEPEST = 30


def _compile_call(unit: Unit, node: ast.Call) -> Typed:
    if any(isinstance(one, ast.Starred) for one in node.args):
        return _compile_call(unit, _spread_tuples(unit, node))
    if isinstance(node.func, ast.Attribute) and node.func.attr == "conjugate":
        return conjugate(unit.number(node.func.value)[0])
    callee = unit.value(node.func)
    match callee.type:
        case Path(name) if name in unit.forms.calls:
            return unit.forms.calls[name](unit, node)
        case Path(name):
            raise unit.refused(node, fact("python.cannot-call", type=name))
        case DType(dtype):
            return _compile_conversion(unit, node, dtype)
        case DeviceFunction(function):
            given = [unit.value(one) for one in _order_arguments(unit, node, function)]
            return _compile_function_call(unit, node, function, given)
        case other:
            raise unit.refused(node, fact("python.cannot-call", type=describe(other)))


def _spread_tuples(unit: Unit, node: ast.Call) -> ast.Call:
    """Replace each argument `*t` of a call by the items of the tuple."""
    given: list[ast.expr] = []
    for one in node.args:
        if not isinstance(one, ast.Starred):
            given.append(one)
            continue
        kind = unit.value(one.value).type
        if not isinstance(one.value, ast.Name) or not isinstance(kind, Tuple):
            raise unit.refused(one, fact("python.star-call"))
        for place in range(len(kind.items)):
            part = ast.Subscript(one.value, ast.Constant(place), ast.Load())
            given.append(ast.fix_missing_locations(ast.copy_location(part, one)))
    return ast.copy_location(ast.Call(node.func, given, node.keywords), node)


def _order_arguments(unit: Unit, node: ast.Call, function: Any) -> list[ast.expr]:
    """Order the arguments of a call by position."""
    given = list(node.args)
    named = {one.arg or "": one.value for one in node.keywords}
    defaults = dict(
        zip(reversed(function.parameters), reversed(function.node.args.defaults), strict=False)
    )
    for name in function.parameters[len(given) :]:
        if name not in named and name not in defaults:
            raise unit.refused(
                node, fact("python.missing-argument", function=function.name, name=name)
            )
        given.append(named.pop(name) if name in named else defaults[name])
    if named or len(given) > len(function.parameters):
        what = fact(
            "python.argument-count",
            function=function.name,
            n=len(function.parameters),
            given=len(node.args) + len(node.keywords),
        )
        raise unit.refused(node, what)
    return given


def _compile_conversion(unit: Unit, node: ast.Call, dtype: Scalar) -> Typed:
    if len(node.args) != 1 or node.keywords:
        raise unit.refused(node, fact("python.conversion", type=dtype.name))
    typed, _ = unit.number(node.args[0])
    return Typed(dtype, narrow(unit, node, typed, dtype))


def _compile_function_call(
    unit: Unit, node: ast.Call, function: Function, given: list[Typed]
) -> Typed:
    """Compile a call of a device function: its threads are those that call it."""
    if function in unit.program.under_way:
        raise unit.refused(node, fact("python.recursion", function=function.name))
    if len(unit.program.under_way) > _DEEPEST:
        raise unit.refused(node, fact("python.call-depth", most=_DEEPEST))
    explicit = _choose_signature(unit, node, function, given)
    if explicit is not None:
        given = [_convert_to(*pair) for pair in zip(given, explicit.operands, strict=True)]
    types = tuple(one.type for one in given)  # constants stay: they may be shapes
    unit.program.under_way.append(function)
    try:
        callee = compile_function(unit.program, unit.forms, function, types)
    finally:
        unit.program.under_way.pop()
    for name, argument in zip(
        function.parameters, _order_arguments(unit, node, function), strict=True
    ):
        kind = types[function.parameters.index(name)]
        if name in callee.stored and isinstance(kind, Array):
            unit.note_stored(argument, kind)
    result = Typed(callee.result, _run_call(function, callee, given))
    return result if explicit is None else _convert_to(result, explicit.result)


def _choose_signature(
    unit: Unit, node: ast.Call, function: Function, given: Sequence[Typed]
) -> Explicit | None:
    """Choose, among the explicit signatures of a device function, the one for these arguments."""
    rated = []
    for place, one in enumerate(function.signatures):
        pairs = zip(given, one.operands, strict=False)
        ranks = [_rank(number(typed.type), wanted) for typed, wanted in pairs]
        if len(given) == len(one.operands) and max(ranks, default=EXACT) <= UNSAFE:
            rated.append((rating(ranks), place))
    if rated:
        return function.signatures[min(rated)[1]]
    if function.signatures:
        types = tuple(describe(one.type) for one in given)
        raise unit.not_typed(node, fact("python.no-signature", function=function.name, types=types))
    return None


def _rank(given: Scalar | None, wanted: Scalar | None) -> int:
    return EXACT if given is None or wanted is None else rank(given, wanted)


def _convert_to(typed: Typed, wanted: Scalar | None) -> Typed:
    """Convert a number to the signature's type; leave anything else as it is."""
    if wanted is None or number(typed.type) is None:
        return typed
    return Typed(wanted, cast(typed, wanted))


def _run_call(
    function: Function, callee: CompiledFunction, given: Sequence[Typed]
) -> Callable[[Frame, Mask], Value]:
    arguments = list(zip(function.parameters, given, strict=True))
    result, body = callee.result, callee.body

    def call(frame: Frame, mask: Mask) -> Value:
        values = {name: one.evaluate(frame, mask) for name, one in arguments}
        inner = Frame(frame.chunk, values)
        body(inner, mask)
        return as_type(inner.result, result)

    return call


FORMS: ExpressionForms = {ast.Call: _compile_call}
