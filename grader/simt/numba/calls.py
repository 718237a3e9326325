"""Compiles calls: of intrinsics, of types, and of device functions."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from grader.facts import fact
from grader.simt.numba.attributes import compile_path
from grader.simt.numba.environment import join_all
from grader.simt.numba.expressions import spread
from grader.simt.numba.functions import compile_function
from grader.simt.numba.methods import find_method
from grader.simt.numba.operations import cast_narrow
from grader.simt.numba.reading.source import ExplicitSignature, Function
from grader.simt.numba.reading.typing_rules import EXACT, UNSAFE, rank, rating
from grader.simt.numba.refused_names import instead_of
from grader.simt.numba.typed import TypedNode, cast, pack
from grader.simt.numba.unit import ExpressionForms, Unit
from grader.simt.program import nodes
from grader.simt.program.nodes import Expression
from grader.simt.program.types import (
    Array,
    Closure,
    DeviceFunction,
    DType,
    NamedTupleClass,
    NamePath,
    RecordType,
    Scalar,
    Tuple,
    describe,
    number,
)

_DEEPEST = 30


def _compile_call(unit: Unit, node: ast.Call) -> Expression:
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        return _compile_call(unit, _spread_tuples(unit, node))
    method = find_method(unit, node)
    if method is not None:
        return method
    callee = unit.compile_expression(node.func)
    match callee.type:
        case NamePath(name) if name in unit.forms.calls:
            return unit.forms.calls[name](unit, node)
        case NamePath(name) if (instead := instead_of(name)) is not None:
            raise unit.refusal(node, fact("python.not-emulated", name=name), instead)
        case NamePath(name):
            compile_path(unit, node, name)  # refuses what it does not know by its name
            raise unit.refusal(node, fact("python.cannot-call", type=name))
        case DType(dtype):
            return _compile_conversion(unit, node, dtype)
        case DeviceFunction(function):
            written = _order_arguments(unit, node, function)
            given = [unit.compile_expression(argument) for argument in written]
            return _compile_function_call(unit, node, function, given, written)
        case NamedTupleClass(made):
            return _compile_named_tuple(unit, node, made)
        case Closure() as closure:
            return _compile_closure_call(unit, node, closure)
        case other:
            raise unit.refusal(node, fact("python.cannot-call", type=describe(other)))


def _compile_named_tuple(unit: Unit, node: ast.Call, made: type[Any]) -> Expression:
    names = made._fields
    given = dict(zip(names, node.args, strict=False))
    given |= {keyword.arg or "": keyword.value for keyword in node.keywords}
    if given.keys() != {*names} or len(node.args) + len(node.keywords) != len(names):
        count = len(node.args) + len(node.keywords)
        what = fact("python.argument-count", function=made.__name__, n=len(names), given=count)
        raise unit.typing_error(node, what)
    typed = pack([unit.compile_expression(given[name]) for name in names])
    assert isinstance(typed.type, Tuple)  # just packed
    return nodes.Pack(Tuple(typed.type.items, names), typed.parts)


def _compile_closure_call(unit: Unit, node: ast.Call, closure: Closure) -> Expression:
    """Compile a call of a function that is defined in this one, or around it."""
    function = closure.function
    if node.keywords:
        raise unit.typing_error(node, fact("python.inner-keywords", function=function.name))
    if function.node.args.vararg is not None:
        raise unit.typing_error(node, fact("python.star-parameters"))
    lost = closure.scope not in unit.scopes or (
        closure.scope is not unit.scopes[-1] and unit.reassigned & {*closure.captured}
    )
    if closure.captured and lost:
        names = closure.captured
        raise unit.typing_error(
            node, fact("python.closure-escapes", function=function.name, names=names)
        )
    captured: list[ast.expr] = [
        ast.copy_location(ast.Name(name, ast.Load()), node) for name in closure.captured
    ]
    written = [*_order_arguments(unit, node, function), *captured]
    given = [unit.compile_expression(argument) for argument in written]
    return _compile_function_call(unit, node, closure.full, given, written)


def _spread_tuples(unit: Unit, node: ast.Call) -> ast.Call:
    """Replace each argument `*t` of a call by the items of the tuple."""
    given: list[ast.expr] = []
    for argument in node.args:
        if not isinstance(argument, ast.Starred):
            given.append(argument)
            continue
        given += [TypedNode(part, argument) for part in spread(unit, argument)]
    return ast.copy_location(ast.Call(node.func, given, node.keywords), node)


def _order_arguments(unit: Unit, node: ast.Call, function: Any) -> list[ast.expr]:
    """Order the arguments of a call by position."""
    given, rest = list(node.args), function.node.args.vararg
    named = {keyword.arg or "": keyword.value for keyword in node.keywords}
    defaults = dict(
        zip(reversed(function.parameters), reversed(function.node.args.defaults), strict=False)
    )
    if rest is not None:
        own = len(function.parameters) - 1
        more = ast.copy_location(ast.Tuple(given[own:], ast.Load()), node)
        named = {**named, rest.arg: more}
        given = given[:own]
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


def _compile_conversion(unit: Unit, node: ast.Call, dtype: Scalar) -> Expression:
    if len(node.args) != 1 or node.keywords:
        raise unit.refusal(node, fact("python.conversion", type=dtype.name))
    typed, _ = unit.compile_number(node.args[0])
    return cast_narrow(unit, node, typed, dtype)


def _compile_function_call(
    unit: Unit,
    node: ast.Call,
    function: Function,
    given: list[Expression],
    written: Sequence[ast.expr],
) -> Expression:
    """Compile a call of a device function: its threads are those that call it."""
    if len(unit.program.under_way) > _DEEPEST:
        raise unit.refusal(node, fact("python.call-depth", most=_DEEPEST))
    explicit = _choose_signature(unit, node, function, given)
    if explicit is not None:
        given = [_convert_to(*pair) for pair in zip(given, explicit.operands, strict=True)]
    types = tuple(operand.type for operand in given)  # constants stay: they may be shapes
    if function is unit.function or function in unit.program.under_way:
        result = _compile_own_call(unit, node, function, given, explicit)
        for argument, kind in zip(written, types, strict=True):
            if isinstance(kind, Array):
                unit.note_store(argument, kind)  # whether it is written to is not known yet
        return result if explicit is None else _convert_to(result, explicit.result)
    unit.program.under_way.append(function)
    try:
        callee = compile_function(unit.program, unit.forms, function, types)
    finally:
        unit.program.under_way.pop()
    for name, argument in zip(function.parameters, written, strict=True):
        kind = types[function.parameters.index(name)]
        if name in callee.stored and isinstance(kind, (Array, RecordType)):
            unit.note_store(argument, kind)
    lowered = callee.lowered
    unit.exits |= lowered.exits
    result = nodes.Call(lowered.result, lowered, tuple(given))
    return result if explicit is None else _convert_to(result, explicit.result)


def _compile_own_call(
    unit: Unit,
    node: ast.Call,
    function: Function,
    given: Sequence[Expression],
    explicit: ExplicitSignature | None,
) -> Expression:
    """Compile a call of the function that is being compiled, with the same types as now.

    Raises:
        NotTyped: Numba finds no type, or links no function, for any other.
    """
    types = tuple(operand.type for operand in given)
    if unit.is_kernel or function is not unit.function or types != unit.types:
        raise unit.typing_error(node, fact("python.recursion", function=function.name))
    unit.inference.recursive = True
    known = join_all(unit.returns) or unit.inference.result
    result = known if explicit is None or explicit.result is None else explicit.result
    if result is None:
        raise unit.typing_error(node, fact("python.recursion-result", function=function.name))
    unit.exits = True
    return nodes.Call(result, unit.lowered, tuple(given), unit.site(node))


def _choose_signature(
    unit: Unit, node: ast.Call, function: Function, given: Sequence[Expression]
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


def _convert_to(typed: Expression, wanted: Scalar | None) -> Expression:
    """Convert a number to the signature's type; leave anything else as it is."""
    if wanted is None or number(typed.type) is None:
        return typed
    return cast(typed, wanted)


FORMS: ExpressionForms = {ast.Call: _compile_call}
