"""Python's own functions, as far as a kernel has them: range, zip, len, abs, int and others."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.facts import fact
from grader.simt.compiler.operations import compile_operation
from grader.simt.compiler.sequences import as_series, enumerate_series, zip_series
from grader.simt.compiler.unit import Unit
from grader.simt.intrinsics.calling import (
    Intrinsic,
    Table,
    arguments,
    describe_mismatch,
    elementwise,
    is_number,
)
from grader.simt.machine.typed import Evaluate, Frame, TypedValue, Value, cast, constant, keep_value
from grader.simt.masks import Mask
from grader.simt.memory.extents import length_of
from grader.simt.reading.types import (
    BOOL,
    COMPLEX,
    FLOAT64,
    INT64,
    Array,
    Constant,
    Nothing,
    Range,
    Scalar,
    Text,
    Tuple,
    describe,
)
from grader.simt.reading.typing_rules import resolve

Vector = NDArray[Any]
_MOST_PRINTED = 32


def _range(unit: Unit, node: ast.Call) -> TypedValue:
    given = [unit.compile_number(argument) for argument in arguments(unit, node, "range", 1, 2, 3)]
    rule = "range" if len(given) == 1 else f"range {len(given)}"
    signature = resolve(rule, *(dtype for _, dtype in given))
    if signature is None or any(dtype.kind == "f" for _, dtype in given):
        what = describe_mismatch("range", *(dtype for _, dtype in given))
        raise unit.typing_error(node, what, fact("advice.integers"))
    dtype = signature.result
    parts = [cast(argument, dtype) for argument, _ in given]
    if len(parts) == 1:
        parts.insert(0, cast(constant(0), dtype))
    parts = [*parts, cast(constant(1), dtype)][:3]
    return TypedValue(Range(dtype), lambda frame, mask: tuple(part(frame, mask) for part in parts))


def _len(unit: Unit, node: ast.Call) -> TypedValue:
    (given,) = arguments(unit, node, "len", 1)
    typed = unit.compile_expression(given)
    match typed.type:
        case Array():
            return TypedValue(INT64, lambda frame, mask: length_of(typed.evaluate(frame, mask)))
        case Tuple(items):
            return constant(len(items))
        case other:
            raise unit.typing_error(node, fact("simt.no-length", type=describe(other)))


def _enumerate(unit: Unit, node: ast.Call) -> TypedValue:
    given = arguments(unit, node, "enumerate", 1, 2, named=("iterable", "start"))
    start = cast(unit.compile_number(given[1])[0] if given[1:] else constant(0), INT64)
    return enumerate_series(as_series(unit, given[0], unit.compile_expression(given[0])), start)


def _zip(unit: Unit, node: ast.Call) -> TypedValue:
    if not node.args or node.keywords:
        raise unit.refusal(node, fact("simt.zip"))
    return zip_series(
        [as_series(unit, argument, unit.compile_expression(argument)) for argument in node.args]
    )


def _literal_unroll(unit: Unit, node: ast.Call) -> TypedValue:
    """Return the tuple: `for` asks for the name, to type its body for each type of an item."""
    (given,) = arguments(unit, node, "literal_unroll", 1)
    typed = unit.compile_expression(given)
    if not isinstance(typed.type, Tuple):
        raise unit.typing_error(node, fact("simt.not-a-tuple", type=describe(typed.type)))
    return typed


def _int(unit: Unit, node: ast.Call) -> TypedValue:
    (given,) = arguments(unit, node, "int", 1)
    typed, dtype = _real(unit, given)
    if isinstance(typed.type, Constant):
        return typed
    wanted = dtype if dtype.kind in "iu" else INT64
    return TypedValue(wanted, cast(typed, wanted))


def _float(unit: Unit, node: ast.Call) -> TypedValue:
    (given,) = arguments(unit, node, "float", 1)
    typed, dtype = _real(unit, given)
    wanted = dtype if dtype.kind == "f" else FLOAT64
    return TypedValue(wanted, cast(typed, wanted))


def _real(unit: Unit, node: ast.expr) -> tuple[TypedValue, Scalar]:
    typed, dtype = unit.compile_number(node)
    if dtype.kind == "c":
        raise unit.typing_error(node, fact("simt.complex-as-real", dtype=dtype.name))
    return typed, dtype


def _bool(unit: Unit, node: ast.Call) -> TypedValue:
    (given,) = arguments(unit, node, "bool", 1)
    return TypedValue(BOOL, unit.compile_test(given))


def _round(unit: Unit, node: ast.Call) -> TypedValue:
    given = [unit.compile_number(argument) for argument in arguments(unit, node, "round", 1, 2)]
    kinds = [dtype for _, dtype in given]
    signature = resolve("round" if len(given) == 1 else "round 2", *kinds)
    if signature is None:
        raise unit.typing_error(node, describe_mismatch("round", *kinds))
    value = cast(given[0][0], signature.operands[0])
    if len(given) == 1:
        return TypedValue(
            INT64, cast(TypedValue(signature.operands[0], _round_value(value)), INT64)
        )
    digits = cast(given[1][0], INT64)

    def evaluate(frame: Frame, mask: Any) -> Value:
        number = value(frame, mask)
        scale = 10.0 ** digits(frame, mask).astype(np.float64)
        rounded = np.rint(number.astype(np.float64) * scale) / scale
        return np.where(np.isfinite(rounded), rounded, number).astype(number.dtype)

    return TypedValue(signature.result, evaluate)


def _round_value(value: Any) -> Any:
    return lambda frame, mask: np.rint(value(frame, mask))


def _pow(unit: Unit, node: ast.Call) -> TypedValue:
    left, right = (
        unit.compile_expression(argument) for argument in arguments(unit, node, "pow", 2)
    )
    return compile_operation(unit, node, "**", left, right)


def _operator(name: str, operator: str) -> Intrinsic:
    def make(unit: Unit, node: ast.Call) -> TypedValue:
        left, right = (
            unit.compile_expression(argument)
            for argument in arguments(unit, node, f"operator.{name}", 2)
        )
        return compile_operation(unit, node, operator, left, right)

    return make


def _divmod(unit: Unit, node: ast.Call) -> TypedValue:
    left, right = (
        unit.compile_expression(argument) for argument in arguments(unit, node, "divmod", 2)
    )
    (first, left), (second, right) = keep_value(left), keep_value(right)
    whole = compile_operation(unit, node, "//", first, second)
    rest = compile_operation(unit, node, "%", left, right)
    kind = Tuple((whole.type, rest.type))
    return TypedValue(
        kind, lambda frame, mask: (whole.evaluate(frame, mask), rest.evaluate(frame, mask))
    )


def _print(unit: Unit, node: ast.Call) -> TypedValue:
    """Print a line per thread, in the order of threads, which a device does not promise."""
    if node.keywords or len(node.args) > _MOST_PRINTED:
        raise unit.refusal(node, fact("simt.print-form", most=_MOST_PRINTED))
    given = [_compile_printed(unit, argument) for argument in node.args]

    def evaluate(frame: Frame, mask: Mask) -> None:
        values = [argument(frame, mask) for argument in given]
        tell = frame.chunk.launch.printed
        if tell is None:
            return
        columns = [np.broadcast_to(value, mask.full.shape)[mask.full].tolist() for value in values]
        for place in range(mask.count):
            tell(" ".join(_format_value(column[place]) for column in columns))

    return TypedValue(Nothing(), evaluate)


def _compile_printed(unit: Unit, node: ast.expr) -> Evaluate:
    typed = unit.compile_expression(node)
    if isinstance(typed.type, Text):
        text = np.array([[typed.type.value]])
        return lambda _frame, _mask: text
    if not is_number(typed.type) or typed.type in (BOOL, *COMPLEX):
        raise unit.refusal(node, fact("simt.print-type", type=describe(typed.type)))
    return typed.evaluate


def _format_value(value: float | str) -> str:
    """Format a value as `printf` does with %f, %lld or %s."""
    return f"{value:f}" if isinstance(value, float) else str(value)


def _absolute(value: Vector) -> Vector:
    result: Vector = np.abs(value)
    return result


_ABS: Intrinsic = elementwise("abs", "abs", _absolute)

_OPERATORS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "lshift": "<<",
    "rshift": ">>",
    "and_": "&",
    "or_": "|",
    "xor": "^",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "eq": "==",
    "ne": "!=",
}
"""By their names in module `operator`."""
_IN_PLACE = {f"i{name.rstrip('_')}": operator for name, operator in _OPERATORS.items()}

CALLS: Table = {
    **{
        f"operator.{name}": _operator(name, operator)
        for name, operator in {**_IN_PLACE, **_OPERATORS}.items()
    },
    "builtins.range": _range,
    "builtins.enumerate": _enumerate,
    "builtins.zip": _zip,
    "cuda.literal_unroll": _literal_unroll,
    "builtins.len": _len,
    "builtins.abs": _ABS,
    "np.abs": _ABS,
    "np.absolute": _ABS,
    "builtins.int": _int,
    "builtins.float": _float,
    "builtins.bool": _bool,
    "builtins.round": _round,
    "builtins.pow": _pow,
    "builtins.divmod": _divmod,
    "builtins.print": _print,
}
