"""Computes the expected value of a question from an expression over grader calls.

The expression is interpreted from a whitelisted syntax tree, never executed, with a bound on its
size and on the numbers in it. Knows nothing of questions or screens.

Names may be given for numbers, as the drawn parameters of a question.

    wavefronts("load", 4, 33 * lane + 5)        conflicts("store", 8, 2 * lane)
    wavefronts("load", 4, 32 * lane, lane < 16) bank(4, 33 * 7 + 5)         32 * 4 * 1.53
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.banks import KINDS, LANES, Access, InvalidAccess, bank, cost

_LONGEST = 2_000
_LARGEST = 2**48
_STEEPEST = 48

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


def compute(expression: str, names: Mapping[str, int] | None = None) -> float:
    """The value of `expression`, in which each of `names` stands for a number.

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
        value = _value(tree.body, names or {})
    except RecursionError:
        raise NotComputable("nested too deeply") from None
    if isinstance(value, np.ndarray):
        raise NotComputable("one value a lane, where one number is needed")
    if isinstance(value, str) or not math.isfinite(value):
        raise NotComputable("not a number")
    return float(value)


def _value(node: ast.expr, names: Mapping[str, int]) -> Any:
    """A number, a (32,) array with one value a lane, or an access kind as text.

    Lanes hold Python's own numbers: 64-bit ones would wrap around without a word.
    """
    match node:
        case ast.Constant(value=bool()) | ast.Constant(value=None):
            raise NotComputable("only numbers can be written here", node.col_offset + 1)
        case ast.Constant(value=int() | float() as value):
            return _bounded(value, node)
        case ast.Constant(value=str() as text) if text in KINDS:
            return text
        case ast.Name(id="lane"):
            return np.arange(LANES).astype(object)
        case ast.Name(id=name) if name in names:
            return _bounded(names[name], node)
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            return _applied(node, _UNARY[type(op)], _number(operand, names))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _binary(node, op, _number(left, names), _number(right, names))
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARE:
            return _applied(node, _COMPARE[type(op)], _number(left, names), _number(right, names))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _CALLS:
            return _call(node, name, [_value(argument, names) for argument in arguments])
        case _:
            known = ", ".join(["lane", *names, *_CALLS])
            raise NotComputable(f"not part of the language; known: {known}", node.col_offset + 1)


def _number(node: ast.expr, names: Mapping[str, int]) -> Any:
    value = _value(node, names)
    if isinstance(value, str) or getattr(value, "dtype", None) == np.bool_:
        raise NotComputable("a number is needed here", node.col_offset + 1)
    return value


def _binary(node: ast.expr, op: ast.operator, left: Any, right: Any) -> Any:
    """One operation, refused where it could take long or large."""
    steep = isinstance(op, ast.Pow | ast.LShift)
    if steep and (np.max(np.abs(right)) > _STEEPEST or np.max(np.abs(left)) > _LARGEST**0.5):
        raise NotComputable("too large a power", node.col_offset + 1)
    return _bounded(_applied(node, _BINARY[type(op)], left, right), node)


def _applied(node: ast.expr, operation: Callable[..., Any], *values: Any) -> Any:
    try:
        return operation(*values)
    except ZeroDivisionError:
        raise NotComputable("division by zero", node.col_offset + 1) from None
    except (TypeError, ValueError, OverflowError) as error:
        raise NotComputable(str(error), node.col_offset + 1) from None


def _bounded(value: Any, node: ast.expr) -> Any:
    """The value, unless some of it is too large, imaginary or no number."""
    parts = value if isinstance(value, np.ndarray) else [value]
    if not all(isinstance(part, int | float) and abs(part) <= _LARGEST for part in parts):
        raise NotComputable("too large a number", node.col_offset + 1)
    return value


def _call(node: ast.expr, name: str, arguments: list[Any]) -> Any:
    """The value of a grader call; what is wrong with it is said in the language's own words."""
    call = _CALLS[name]
    if not call.least <= len(arguments) <= call.most:
        raise NotComputable(f"it is called as {call.usage}", node.col_offset + 1)
    try:
        return call.function(*arguments)
    except (TypeError, ValueError, OverflowError) as error:
        reason = error if isinstance(error, InvalidAccess) else "one number each is needed"
        raise NotComputable(f"{call.usage}: {reason}", node.col_offset + 1) from None


def _access(kind: Any, width: Any, index: Any, active: Any = 1) -> Access:
    """The access of one warp to elements of `width` bytes, element `index` by lane."""
    if kind not in KINDS:
        raise InvalidAccess(f"the kind is one of: {', '.join(KINDS)}")
    if not isinstance(width, int):
        raise InvalidAccess("the width is a whole number of bytes")
    elements = _lanes(index, "the index must be whole numbers (use // for division)")
    mask = _lanes(active, "active lanes are told by a comparison, or by 0 and 1")
    if not set(mask) <= {0, 1}:
        raise InvalidAccess("active lanes are told by a comparison, or by 0 and 1")
    addresses = np.array([element * width for element in elements], dtype=np.int64)
    return Access(kind, width, addresses, np.array(mask, dtype=np.bool_))


def _lanes(value: Any, otherwise: str) -> list[int]:
    """One whole number a lane."""
    lanes = list(value) if isinstance(value, np.ndarray) else [value] * LANES
    if not all(isinstance(lane, int | np.bool_) for lane in lanes):
        raise InvalidAccess(otherwise)
    return [int(lane) for lane in lanes]


def _bank(width: Any, index: Any) -> int:
    if not isinstance(width, int) or not isinstance(index, int):
        raise InvalidAccess("both are whole numbers")
    return bank(width, index)


@dataclass(frozen=True)
class _Call:
    """What a name in the language stands for; it takes `least` to `most` arguments."""

    function: Callable[..., float]
    usage: str
    least: int
    most: int


def _of_access(name: str) -> _Call:
    """A call that says one thing of an access's cost: the attribute of that name."""

    def said(*given: Any) -> int:
        found = cost(_access(*given))
        if found.wavefronts_at_most != found.wavefronts:
            raise InvalidAccess("only bounds are known of it, and an answer must be exact")
        value: int = getattr(found, name)
        return value

    return _Call(said, f"{name}(kind, width, index[, active])", 3, 4)


_MANY = 16
_CALLS: dict[str, _Call] = {
    "wavefronts": _of_access("wavefronts"),
    "conflicts": _of_access("conflicts"),
    "groups": _of_access("groups"),
    "ideal": _of_access("ideal"),
    "ways": _of_access("ways"),
    "bank": _Call(_bank, "bank(width, index)", 2, 2),
    "gcd": _Call(math.gcd, "gcd(a, b, …)", 2, _MANY),
    "min": _Call(min, "min(a, b, …)", 2, _MANY),
    "max": _Call(max, "max(a, b, …)", 2, _MANY),
    "floor": _Call(math.floor, "floor(a)", 1, 1),
    "ceil": _Call(math.ceil, "ceil(a)", 1, 1),
}
