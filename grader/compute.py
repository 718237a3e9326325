"""Computes the expected value of a question from an expression over grader calls.

The expression is interpreted from a whitelisted syntax tree, never executed, with a bound on its
size and on the numbers in it. Knows nothing of questions or screens.

    wavefronts("load", 4, 33 * lane + 5)        conflicts("store", 8, 2 * lane)
    wavefronts("load", 4, 32 * lane, lane < 16) bank(4, 33 * 7 + 5)         32 * 4 * 1.53
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from grader.banks import KINDS, LANES, Access, InvalidAccess, bank, cost

_LONGEST = 2_000
_LARGEST = 2**48

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


class NotComputable(ValueError):
    """The expression is outside the language, or has no value. `column` is 1-based."""

    def __init__(self, what: str, column: int = 1) -> None:
        super().__init__(what)
        self.column = column


def compute(expression: str) -> float:
    """The value of `expression`.

    Raises:
        NotComputable: with the column at which the expression leaves the language.
    """
    if len(expression) > _LONGEST:
        raise NotComputable(f"longer than {_LONGEST} characters")
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NotComputable(
            f"not an expression: {error}", getattr(error, "offset", 1) or 1
        ) from None
    try:
        value = _value(tree.body)
    except RecursionError:
        raise NotComputable("nested too deeply") from None
    if isinstance(value, np.ndarray):
        raise NotComputable("one value a lane, where one number is needed")
    if isinstance(value, str) or not math.isfinite(value):
        raise NotComputable("not a number")
    return float(value)


def _value(node: ast.expr) -> Any:
    """A number, a (32,) array with one value a lane, or an access kind as text."""
    match node:
        case ast.Constant(value=bool()) | ast.Constant(value=None):
            raise NotComputable("only numbers can be written here", node.col_offset + 1)
        case ast.Constant(value=int() | float() as value):
            return _bounded(value, node)
        case ast.Constant(value=str() as text) if text in KINDS:
            return text
        case ast.Name(id="lane"):
            return np.arange(LANES)
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            return _UNARY[type(op)](_number(operand))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _binary(node, op, _number(left), _number(right))
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARE:
            return _COMPARE[type(op)](_number(left), _number(right))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _CALLS:
            return _call(node, name, [_value(argument) for argument in arguments])
        case _:
            known = ", ".join(["lane", *_CALLS])
            raise NotComputable(f"not part of the language; known: {known}", node.col_offset + 1)


def _number(node: ast.expr) -> Any:
    value = _value(node)
    if isinstance(value, str):
        raise NotComputable("a number is needed here", node.col_offset + 1)
    return value


def _binary(node: ast.expr, op: ast.operator, left: Any, right: Any) -> Any:
    """One operation, refused where it could take long or large."""
    steep = isinstance(op, ast.Pow | ast.LShift)
    if steep and (np.max(np.abs(right)) > 48 or np.max(np.abs(left)) > _LARGEST**0.5):  # noqa: PLR2004
        raise NotComputable("too large a power", node.col_offset + 1)
    try:
        with np.errstate(divide="raise", invalid="raise"):
            return _bounded(_BINARY[type(op)](left, right), node)
    except (ZeroDivisionError, FloatingPointError):
        raise NotComputable("division by zero", node.col_offset + 1) from None
    except (TypeError, ValueError, OverflowError) as error:
        raise NotComputable(str(error), node.col_offset + 1) from None


def _bounded(value: Any, node: ast.expr) -> Any:
    if isinstance(value, complex) or np.max(np.abs(value)) > _LARGEST:
        raise NotComputable("too large a number", node.col_offset + 1)
    return value


def _call(node: ast.expr, name: str, arguments: list[Any]) -> Any:
    try:
        return _CALLS[name](*arguments)
    except (TypeError, ValueError) as error:
        raise NotComputable(f"{name}: {error}", node.col_offset + 1) from None


def _access(kind: Any, width: Any, index: Any, active: Any = True) -> Access:  # noqa: FBT002
    """The access of one warp to elements of `width` bytes, element `index` by lane."""
    if kind not in KINDS:
        raise InvalidAccess(f"the first argument is one of: {', '.join(KINDS)}")
    if not isinstance(width, int):
        raise InvalidAccess("the width is a whole number of bytes")
    elements = np.broadcast_to(np.asarray(index), (LANES,))
    if elements.dtype.kind not in "iu":
        raise InvalidAccess("the index must be whole numbers (use // for division)")
    mask = np.broadcast_to(np.asarray(active, dtype=np.bool_), (LANES,))
    return Access(kind, width, elements.astype(np.int64) * width, mask)


def _wavefronts(*arguments: Any) -> int:
    return cost(_access(*arguments)).wavefronts


def _conflicts(*arguments: Any) -> int:
    return cost(_access(*arguments)).conflicts


def _groups(*arguments: Any) -> int:
    return cost(_access(*arguments)).groups


_CALLS: dict[str, Callable[..., Any]] = {
    "wavefronts": _wavefronts,
    "conflicts": _conflicts,
    "groups": _groups,
    "bank": bank,
    "gcd": math.gcd,
    "min": min,
    "max": max,
    "floor": math.floor,
    "ceil": math.ceil,
}
