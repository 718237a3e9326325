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
    elementwise,
    is_number,
    no_overload,
)
from grader.simt.machine.typed import Evaluate, Frame, Typed, Value, cast, constant, keep_value
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


def _range(unit: Unit, node: ast.Call) -> Typed:
    given = [unit.number(one) for one in arguments(unit, node, "range", 1, 2, 3)]
    rule = "range" if len(given) == 1 else f"range {len(given)}"
    signature = resolve(rule, *(dtype for _, dtype in given))
    if signature is None or any(dtype.kind == "f" for _, dtype in given):
        what = no_overload("range", *(dtype for _, dtype in given))
        raise unit.not_typed(node, what, fact("advice.integers"))
    dtype = signature.result
    parts = [cast(one, dtype) for one, _ in given]
    if len(parts) == 1:
        parts.insert(0, cast(constant(0), dtype))
    parts = [*parts, cast(constant(1), dtype)][:3]
    return Typed(Range(dtype), lambda frame, mask: tuple(part(frame, mask) for part in parts))


def _len(unit: Unit, node: ast.Call) -> Typed:
    (given,) = arguments(unit, node, "len", 1)
    typed = unit.value(given)
    match typed.type:
        case Array():
            return Typed(INT64, lambda frame, mask: length_of(typed.evaluate(frame, mask)))
        case Tuple(items):
            return constant(len(items))
        case other:
            raise unit.not_typed(node, fact("simt.no-length", type=describe(other)))


def _enumerate(unit: Unit, node: ast.Call) -> Typed:
    given = arguments(unit, node, "enumerate", 1, 2, named=("iterable", "start"))
    start = cast(unit.number(given[1])[0] if given[1:] else constant(0), INT64)
    return enumerate_series(as_series(unit, given[0], unit.value(given[0])), start)


def _zip(unit: Unit, node: ast.Call) -> Typed:
    if not node.args or node.keywords:
        raise unit.refused(node, fact("simt.zip"))
    return zip_series([as_series(unit, one, unit.value(one)) for one in node.args])


def _int(unit: Unit, node: ast.Call) -> Typed:
    (given,) = arguments(unit, node, "int", 1)
    typed, dtype = _real(unit, given)
    if isinstance(typed.type, Constant):
        return typed
    wanted = dtype if dtype.kind in "iu" else INT64
    return Typed(wanted, cast(typed, wanted))


def _float(unit: Unit, node: ast.Call) -> Typed:
    (given,) = arguments(unit, node, "float", 1)
    typed, dtype = _real(unit, given)
    wanted = dtype if dtype.kind == "f" else FLOAT64
    return Typed(wanted, cast(typed, wanted))


def _real(unit: Unit, node: ast.expr) -> tuple[Typed, Scalar]:
    typed, dtype = unit.number(node)
    if dtype.kind == "c":
        raise unit.not_typed(node, fact("simt.complex-as-real", dtype=dtype.name))
    return typed, dtype


def _bool(unit: Unit, node: ast.Call) -> Typed:
    (given,) = arguments(unit, node, "bool", 1)
    return Typed(BOOL, unit.truth(given))


def _round(unit: Unit, node: ast.Call) -> Typed:
    given = [unit.number(one) for one in arguments(unit, node, "round", 1, 2)]
    kinds = [dtype for _, dtype in given]
    signature = resolve("round" if len(given) == 1 else "round 2", *kinds)
    if signature is None:
        raise unit.not_typed(node, no_overload("round", *kinds))
    value = cast(given[0][0], signature.operands[0])
    if len(given) == 1:
        return Typed(INT64, cast(Typed(signature.operands[0], _rounded(value)), INT64))
    digits = cast(given[1][0], INT64)

    def evaluate(frame: Frame, mask: Any) -> Value:
        number = value(frame, mask)
        scale = 10.0 ** digits(frame, mask).astype(np.float64)
        rounded = np.rint(number.astype(np.float64) * scale) / scale
        return np.where(np.isfinite(rounded), rounded, number).astype(number.dtype)

    return Typed(signature.result, evaluate)


def _rounded(value: Any) -> Any:
    return lambda frame, mask: np.rint(value(frame, mask))


def _pow(unit: Unit, node: ast.Call) -> Typed:
    left, right = (unit.value(one) for one in arguments(unit, node, "pow", 2))
    return compile_operation(unit, node, "**", left, right)


def _operator(name: str, operator: str) -> Intrinsic:
    def make(unit: Unit, node: ast.Call) -> Typed:
        left, right = (unit.value(one) for one in arguments(unit, node, f"operator.{name}", 2))
        return compile_operation(unit, node, operator, left, right)

    return make


def _divmod(unit: Unit, node: ast.Call) -> Typed:
    left, right = (unit.value(one) for one in arguments(unit, node, "divmod", 2))
    (first, left), (second, right) = keep_value(left), keep_value(right)
    whole = compile_operation(unit, node, "//", first, second)
    rest = compile_operation(unit, node, "%", left, right)
    kind = Tuple((whole.type, rest.type))
    return Typed(
        kind, lambda frame, mask: (whole.evaluate(frame, mask), rest.evaluate(frame, mask))
    )


def _print(unit: Unit, node: ast.Call) -> Typed:
    """Print a line per thread, in the order of threads, which a device does not promise."""
    if node.keywords or len(node.args) > _MOST_PRINTED:
        raise unit.refused(node, fact("simt.print-form", most=_MOST_PRINTED))
    given = [_printed(unit, one) for one in node.args]

    def evaluate(frame: Frame, mask: Mask) -> None:
        values = [one(frame, mask) for one in given]
        tell = frame.chunk.launch.printed
        if tell is None:
            return
        columns = [np.broadcast_to(one, mask.full.shape)[mask.full].tolist() for one in values]
        for place in range(mask.count):
            tell(" ".join(_shown(column[place]) for column in columns))

    return Typed(Nothing(), evaluate)


def _printed(unit: Unit, node: ast.expr) -> Evaluate:
    typed = unit.value(node)
    if isinstance(typed.type, Text):
        text = np.array([[typed.type.value]])
        return lambda _frame, _mask: text
    if not is_number(typed.type) or typed.type in (BOOL, *COMPLEX):
        raise unit.refused(node, fact("simt.print-type", type=describe(typed.type)))
    return typed.evaluate


def _shown(value: float | str) -> str:
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
