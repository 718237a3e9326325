"""Python's own functions, as far as a kernel has them: range, zip, len, abs, int and others."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.simt.extents import length_of
from grader.simt.intrinsics.calling import (
    Intrinsic,
    Maker,
    Table,
    arguments,
    elementwise,
    is_number,
)
from grader.simt.intrinsics.sequences import enumerated, series, zipped
from grader.simt.masks import Mask
from grader.simt.typed import Evaluate, Frame, Typed, Value, cast, constant
from grader.simt.types import (
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
    described,
)
from grader.simt.typing_rules import resolve

Vector = NDArray[Any]
_MOST_PRINTED = 32


def _range(maker: Maker, node: ast.Call) -> Typed:
    given = [maker.number(one) for one in arguments(maker, node, "range", 1, 2, 3)]
    rule = "range" if len(given) == 1 else f"range {len(given)}"
    signature = resolve(rule, *(dtype for _, dtype in given))
    if signature is None or any(dtype.kind == "f" for _, dtype in given):
        kinds = ", ".join(dtype.name for _, dtype in given)
        raise maker.not_typed(node, f"no range for {kinds}", "use whole numbers")
    dtype = signature.result
    parts = [cast(one, dtype) for one, _ in given]
    if len(parts) == 1:
        parts.insert(0, cast(constant(0), dtype))
    parts = [*parts, cast(constant(1), dtype)][:3]
    return Typed(Range(dtype), lambda frame, mask: tuple(part(frame, mask) for part in parts))


def _len(maker: Maker, node: ast.Call) -> Typed:
    (given,) = arguments(maker, node, "len", 1)
    typed = maker.value(given)
    match typed.type:
        case Array():
            return Typed(INT64, lambda frame, mask: length_of(typed.evaluate(frame, mask)))
        case Tuple(items):
            return constant(len(items))
        case other:
            raise maker.not_typed(node, f"{described(other)} has no length")


def _enumerate(maker: Maker, node: ast.Call) -> Typed:
    given = arguments(maker, node, "enumerate", 1, 2, named=("iterable", "start"))
    start = cast(maker.number(given[1])[0] if given[1:] else constant(0), INT64)
    return enumerated(series(maker, given[0], maker.value(given[0])), start)


def _zip(maker: Maker, node: ast.Call) -> Typed:
    if not node.args or node.keywords:
        raise maker.refused(node, "zip takes one or more arrays, tuples or ranges")
    return zipped([series(maker, one, maker.value(one)) for one in node.args])


def _int(maker: Maker, node: ast.Call) -> Typed:
    (given,) = arguments(maker, node, "int", 1)
    typed, dtype = _real(maker, given)
    if isinstance(typed.type, Constant):
        return typed
    wanted = dtype if dtype.kind in "iu" else INT64
    return Typed(wanted, cast(typed, wanted))


def _float(maker: Maker, node: ast.Call) -> Typed:
    (given,) = arguments(maker, node, "float", 1)
    typed, dtype = _real(maker, given)
    wanted = dtype if dtype.kind == "f" else FLOAT64
    return Typed(wanted, cast(typed, wanted))


def _real(maker: Maker, node: ast.expr) -> tuple[Typed, Scalar]:
    typed, dtype = maker.number(node)
    if dtype.kind == "c":
        raise maker.not_typed(node, f"{dtype.name} as a real number", "take .real of it")
    return typed, dtype


def _bool(maker: Maker, node: ast.Call) -> Typed:
    (given,) = arguments(maker, node, "bool", 1)
    return Typed(BOOL, maker.truth(given))


def _round(maker: Maker, node: ast.Call) -> Typed:
    given = [maker.number(one) for one in arguments(maker, node, "round", 1, 2)]
    kinds = [dtype for _, dtype in given]
    signature = resolve("round" if len(given) == 1 else "round 2", *kinds)
    if signature is None:
        raise maker.not_typed(node, f"no round for {kinds[0].name}")
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


def _pow(maker: Maker, node: ast.Call) -> Typed:
    left, right = (maker.value(one) for one in arguments(maker, node, "pow", 2))
    return maker.operation(node, "**", left, right)


def _operator(name: str, operator: str) -> Intrinsic:
    def make(maker: Maker, node: ast.Call) -> Typed:
        left, right = (maker.value(one) for one in arguments(maker, node, f"operator.{name}", 2))
        return maker.operation(node, operator, left, right)

    return make


def _divmod(maker: Maker, node: ast.Call) -> Typed:
    left, right = (maker.value(one) for one in arguments(maker, node, "divmod", 2))
    whole = maker.operation(node, "//", left, right)
    rest = maker.operation(node, "%", left, right)
    kind = Tuple((whole.type, rest.type))
    return Typed(
        kind, lambda frame, mask: (whole.evaluate(frame, mask), rest.evaluate(frame, mask))
    )


def _print(maker: Maker, node: ast.Call) -> Typed:
    """A line a thread, in the order of threads, which a device does not promise."""
    if node.keywords or len(node.args) > _MOST_PRINTED:
        what = f"print takes at most {_MOST_PRINTED} values in a kernel, and no sep, end or file"
        raise maker.refused(node, what)
    given = [_printed(maker, one) for one in node.args]

    def evaluate(frame: Frame, mask: Mask) -> None:
        values = [one(frame, mask) for one in given]
        tell = frame.chunk.launch.printed
        if tell is None:
            return
        columns = [np.broadcast_to(one, mask.full.shape)[mask.full].tolist() for one in values]
        for place in range(mask.count):
            tell(" ".join(_shown(column[place]) for column in columns))

    return Typed(Nothing(), evaluate)


def _printed(maker: Maker, node: ast.expr) -> Evaluate:
    typed = maker.value(node)
    if isinstance(typed.type, Text):
        text = np.array([[typed.type.value]])
        return lambda _frame, _mask: text
    if not is_number(typed.type) or typed.type in (BOOL, *COMPLEX):
        what = f"{described(typed.type)} cannot be printed"
        raise maker.refused(node, what, "print numbers, and text between quotes")
    return typed.evaluate


def _shown(value: float | str) -> str:
    """As `printf` shows it with %f, %lld or %s."""
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
"""What module `operator` calls them."""
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
