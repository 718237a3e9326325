"""Compiles calls: of intrinsics, of types, and of device functions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from grader.facts import fact
from grader.simt.compiler.attributes import conjugate
from grader.simt.compiler.functions import compile_function
from grader.simt.compiler.operations import cast_narrow
from grader.simt.compiler.program import CompiledFunction
from grader.simt.compiler.refused_names import instead_of
from grader.simt.compiler.unit import ExpressionForms, Unit
from grader.simt.machine.typed import Frame, TypedValue, Value, as_type, cast
from grader.simt.masks import Mask
from grader.simt.reading.source import ExplicitSignature, Function
from grader.simt.reading.types import (
    Array,
    DeviceFunction,
    DType,
    NamePath,
    Record,
    Scalar,
    Tuple,
    describe,
    number,
)
from grader.simt.reading.typing_rules import EXACT, UNSAFE, rank, rating

_DEEPEST = 30


def _compile_call(unit: Unit, node: ast.Call) -> TypedValue:
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        return _compile_call(unit, _spread_tuples(unit, node))
    if isinstance(node.func, ast.Attribute) and node.func.attr == "conjugate":
        return conjugate(unit.compile_number(node.func.value)[0])
    callee = unit.compile_expression(node.func)
    match callee.type:
        case NamePath(name) if name in unit.forms.calls:
            return unit.forms.calls[name](unit, node)
        case NamePath(name) if (instead := instead_of(name)) is not None:
            raise unit.refusal(node, fact("python.not-emulated", name=name), instead)
        case NamePath(name):
            raise unit.refusal(node, fact("python.cannot-call", type=name))
        case DType(dtype):
            return _compile_conversion(unit, node, dtype)
        case DeviceFunction(function):
            given = [
                unit.compile_expression(argument)
                for argument in _order_arguments(unit, node, function)
            ]
            return _compile_function_call(unit, node, function, given)
        case other:
            raise unit.refusal(node, fact("python.cannot-call", type=describe(other)))


def _spread_tuples(unit: Unit, node: ast.Call) -> ast.Call:
    """Replace each argument `*t` of a call by the items of the tuple."""
    given: list[ast.expr] = []
    for argument in node.args:
        if not isinstance(argument, ast.Starred):
            given.append(argument)
            continue
        kind = unit.compile_expression(argument.value).type
        if not isinstance(argument.value, ast.Name) or not isinstance(kind, Tuple):
            raise unit.refusal(argument, fact("python.star-call"))
        for place in range(len(kind.items)):
            part = ast.Subscript(argument.value, ast.Constant(place), ast.Load())
            given.append(ast.fix_missing_locations(ast.copy_location(part, argument)))
    return ast.copy_location(ast.Call(node.func, given, node.keywords), node)


def _order_arguments(unit: Unit, node: ast.Call, function: Any) -> list[ast.expr]:
    """Order the arguments of a call by position."""
    given = list(node.args)
    named = {keyword.arg or "": keyword.value for keyword in node.keywords}
    defaults = dict(
        zip(reversed(function.parameters), reversed(function.node.args.defaults), strict=False)
    )
    for name in function.parameters[len(given) :]:
        if name not in named and name not in defaults:
            raise unit.refusal(
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
        raise unit.refusal(node, what)
    return given


def _compile_conversion(unit: Unit, node: ast.Call, dtype: Scalar) -> TypedValue:
    if len(node.args) != 1 or node.keywords:
        raise unit.refusal(node, fact("python.conversion", type=dtype.name))
    typed, _ = unit.compile_number(node.args[0])
    return TypedValue(dtype, cast_narrow(unit, node, typed, dtype))


def _compile_function_call(
    unit: Unit, node: ast.Call, function: Function, given: list[TypedValue]
) -> TypedValue:
    """Compile a call of a device function: its threads are those that call it."""
    if function in unit.program.under_way:
        raise unit.refusal(node, fact("python.recursion", function=function.name))
    if len(unit.program.under_way) > _DEEPEST:
        raise unit.refusal(node, fact("python.call-depth", most=_DEEPEST))
    explicit = _choose_signature(unit, node, function, given)
    if explicit is not None:
        given = [_convert_to(*pair) for pair in zip(given, explicit.operands, strict=True)]
    types = tuple(operand.type for operand in given)  # constants stay: they may be shapes
    unit.program.under_way.append(function)
    try:
        callee = compile_function(unit.program, unit.forms, function, types)
    finally:
        unit.program.under_way.pop()
    for name, argument in zip(
        function.parameters, _order_arguments(unit, node, function), strict=True
    ):
        kind = types[function.parameters.index(name)]
        if name in callee.stored and isinstance(kind, (Array, Record)):
            unit.note_store(argument, kind)
    result = TypedValue(callee.result, _run_call(function, callee, given))
    return result if explicit is None else _convert_to(result, explicit.result)


def _choose_signature(
    unit: Unit, node: ast.Call, function: Function, given: Sequence[TypedValue]
) -> ExplicitSignature | None:
    """Choose, among the explicit signatures of a device function, the one for these arguments."""
    rated = []
    for place, signature in enumerate(function.signatures):
        pairs = zip(given, signature.operands, strict=False)
        ranks = [_rank(number(typed.type), wanted) for typed, wanted in pairs]
        if len(given) == len(signature.operands) and max(ranks, default=EXACT) <= UNSAFE:
            rated.append((rating(ranks), place))
    if rated:
        return function.signatures[min(rated)[1]]
    if function.signatures:
        types = tuple(describe(argument.type) for argument in given)
        raise unit.typing_error(
            node, fact("python.no-signature", function=function.name, types=types)
        )
    return None


def _rank(given: Scalar | None, wanted: Scalar | None) -> int:
    return EXACT if given is None or wanted is None else rank(given, wanted)


def _convert_to(typed: TypedValue, wanted: Scalar | None) -> TypedValue:
    """Convert a number to the signature's type; leave anything else as it is."""
    if wanted is None or number(typed.type) is None:
        return typed
    return TypedValue(wanted, cast(typed, wanted))


def _run_call(
    function: Function, callee: CompiledFunction, given: Sequence[TypedValue]
) -> Callable[[Frame, Mask], Value]:
    arguments = list(zip(function.parameters, given, strict=True))
    result, body = callee.result, callee.body

    def call(frame: Frame, mask: Mask) -> Value:
        values = {name: argument.evaluate(frame, mask) for name, argument in arguments}
        inner = Frame(frame.chunk, values)
        body(inner, mask)
        return as_type(inner.result, result)

    return call


FORMS: ExpressionForms = {ast.Call: _compile_call}
