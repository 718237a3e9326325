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
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from grader.banks import KINDS, LANES, Access, InvalidAccess, bank, cost
from grader.did_you_mean import suggest
from grader.facts import Fact, FactError, fact
from grader.operators import BINARY, COMPARE, UNARY
from grader.serving import (
    BadAmount,
    bubble_share,
    kv_bytes,
    mean_tpot,
    mean_ttft,
    ridge_batch,
    zero_bytes,
)

_LONGEST = 2_000
_LARGEST = 2**48
_STEEPEST = 48
_MOST_KEPT = 1_024
_ACTIVE = fact("formula.active")


class NotComputable(FactError, ValueError):
    """The expression is outside the language, or has no value. `column` is 1-based."""

    def __init__(self, what: Fact, column: int = 1, instead: Fact | None = None) -> None:
        super().__init__(what)
        self.instead = instead
        self.column = column


def compute(expression: str, names: Mapping[str, int] | None = None) -> float:
    """Compute the value of `expression`, in which each of `names` stands for a number.

    Raises:
        NotComputable: with the column at which the expression leaves the language.
    """
    if len(expression) > _LONGEST:
        raise NotComputable(fact("formula.too-long", most=_LONGEST))
    tree = _parse(expression.strip())
    try:
        value = _value(tree.body, names or {})
    except RecursionError:
        raise NotComputable(fact("source.nested-too-deeply")) from None
    if isinstance(value, np.ndarray):
        raise NotComputable(fact("formula.value-per-lane"))
    if isinstance(value, str) or not math.isfinite(value):
        raise NotComputable(fact("formula.not-a-number"))
    return float(value)


@lru_cache(_MOST_KEPT)
def _parse(expression: str) -> ast.Expression:
    """Parse an expression; a kernel's sizes are the same few for each of its shapes."""
    try:
        return ast.parse(expression, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        column = getattr(error, "offset", 1) or 1
        raise NotComputable(fact("formula.not-an-expression"), column) from None


def _value(node: ast.expr, names: Mapping[str, int]) -> Any:
    """Compute a number, a (32,) array with one value per lane, or an access kind as text.

    Lanes hold Python's own numbers: 64-bit numbers would wrap around silently.
    """
    match node:
        case ast.Constant(value=bool()) | ast.Constant(value=None):
            raise NotComputable(fact("formula.only-numbers"), node.col_offset + 1)
        case ast.Constant(value=int() | float() as value):
            return _check_bounds(value, node)
        case ast.Constant(value=str() as text) if text in KINDS:
            return text
        case ast.Name(id="lane"):
            return np.arange(LANES).astype(object)
        case ast.Name(id=name) if name in names:
            return _check_bounds(names[name], node)
        case ast.UnaryOp(op=ast.UAdd() | ast.USub() as op, operand=operand):
            return _apply(node, UNARY[type(op)], _number(operand, names))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
            return _binary(node, op, _number(left, names), _number(right, names))
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARE:
            return _apply(node, COMPARE[type(op)], _number(left, names), _number(right, names))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _CALLS:
            return _call(node, name, [_value(argument, names) for argument in arguments])
        case _:
            raise _unknown(node, names)


def _unknown(node: ast.expr, names: Mapping[str, int]) -> NotComputable:
    """Make the error for a part that the language does not have: usually a typing error."""
    known: list[str] = [*_CALLS]
    if not isinstance(node, ast.Call):
        known = ["lane", *names, *known]
    word = node.func if isinstance(node, ast.Call) else node
    listed, column = fact("formula.known", names=tuple(known)), node.col_offset + 1
    if isinstance(word, ast.Name) and word.id not in known:
        what = fact("formula.unknown-name", name=word.id)
        return NotComputable(what, column, suggest(word.id, known, listed))
    return NotComputable(fact("formula.unknown-form"), column, listed)


def _number(node: ast.expr, names: Mapping[str, int]) -> Any:
    value = _value(node, names)
    if isinstance(value, str) or getattr(value, "dtype", None) == np.bool_:
        raise NotComputable(fact("formula.number-needed"), node.col_offset + 1)
    return value


def _binary(node: ast.expr, op: ast.operator, left: Any, right: Any) -> Any:
    """Compute one operation; refuse it if it could take long, or give a very large number."""
    steep = isinstance(op, ast.Pow | ast.LShift)
    if steep and (np.max(np.abs(right)) > _STEEPEST or np.max(np.abs(left)) > _LARGEST**0.5):
        raise NotComputable(fact("formula.power-too-large"), node.col_offset + 1)
    return _check_bounds(_apply(node, BINARY[type(op)], left, right), node)


def _apply(node: ast.expr, operation: Callable[..., Any], *values: Any) -> Any:
    try:
        return operation(*values)
    except ZeroDivisionError:
        raise NotComputable(fact("source.division-by-zero"), node.col_offset + 1) from None
    except (TypeError, ValueError, OverflowError):
        raise NotComputable(fact("formula.no-result"), node.col_offset + 1) from None


def _check_bounds(value: Any, node: ast.expr) -> Any:
    """Return the value, unless some of it is too large, imaginary or not a number."""
    parts = value if isinstance(value, np.ndarray) else [value]
    if not all(isinstance(part, int | float) and abs(part) <= _LARGEST for part in parts):
        raise NotComputable(fact("formula.number-too-large"), node.col_offset + 1)
    return value


def _call(node: ast.expr, name: str, arguments: list[Any]) -> Any:
    """Compute a grader call; an error shows the call as the language writes it."""
    call = _CALLS[name]
    if not call.least <= len(arguments) <= call.most:
        raise NotComputable(fact("formula.usage", usage=call.usage), node.col_offset + 1)
    try:
        return call.function(*arguments)
    except (InvalidAccess, BadAmount) as error:
        reason = error.what
    except (TypeError, ValueError, OverflowError):
        reason = fact("formula.number-per-argument")
    what = fact("formula.bad-call", usage=call.usage, reason=reason)
    raise NotComputable(what, node.col_offset + 1)


def _access(kind: Any, width: Any, index: Any, active: Any = 1) -> Access:
    """Make the access of one warp to elements of `width` bytes, element `index` by lane."""
    if kind not in KINDS:
        raise InvalidAccess(fact("formula.kind", kinds=KINDS))
    if not isinstance(width, int):
        raise InvalidAccess(fact("formula.width"))
    elements = _lanes(index, fact("formula.index"))
    mask = _lanes(active, _ACTIVE)
    if not set(mask) <= {0, 1}:
        raise InvalidAccess(_ACTIVE)
    addresses = np.array([element * width for element in elements], dtype=np.int64)
    return Access(kind, width, addresses, np.array(mask, dtype=np.bool_))


def _lanes(value: Any, otherwise: Fact) -> list[int]:
    """List one integer per lane; `otherwise` is wrong if there is none."""
    lanes = list(value) if isinstance(value, np.ndarray) else [value] * LANES
    if not all(isinstance(lane, int | np.bool_) for lane in lanes):
        raise InvalidAccess(otherwise)
    return [int(lane) for lane in lanes]


def _bank(width: Any, index: Any) -> int:
    if not isinstance(width, int) or not isinstance(index, int):
        raise InvalidAccess(fact("formula.integers"))
    return bank(width, index)


@dataclass(frozen=True)
class _GraderFunction:
    """A function of the language; it takes `least` to `most` arguments."""

    function: Callable[..., float]
    usage: str
    least: int
    most: int


def _of_access(name: str) -> _GraderFunction:
    """Make the function that gives one attribute of an access's cost."""

    def attribute(*given: Any) -> int:
        found = cost(_access(*given))
        if found.wavefronts_at_most != found.wavefronts:
            raise InvalidAccess(fact("formula.bounds-only"))
        value: int = getattr(found, name)
        return value

    return _GraderFunction(attribute, f"{name}(kind, width, index[, active])", 3, 4)


_MANY = 16
_QUEUE = "(requests, gap, prompt, output, budget, step, token)"
_CALLS: dict[str, _GraderFunction] = {
    "wavefronts": _of_access("wavefronts"),
    "conflicts": _of_access("conflicts"),
    "groups": _of_access("groups"),
    "ideal": _of_access("ideal"),
    "ways": _of_access("ways"),
    "bank": _GraderFunction(_bank, "bank(width, index)", 2, 2),
    "gcd": _GraderFunction(math.gcd, "gcd(a, b, …)", 2, _MANY),
    "min": _GraderFunction(min, "min(a, b, …)", 2, _MANY),
    "max": _GraderFunction(max, "max(a, b, …)", 2, _MANY),
    "floor": _GraderFunction(math.floor, "floor(a)", 1, 1),
    "ceil": _GraderFunction(math.ceil, "ceil(a)", 1, 1),
    "kv_bytes": _GraderFunction(kv_bytes, "kv_bytes(layers, kv_heads, head_dim, element)", 4, 4),
    "ridge_batch": _GraderFunction(
        ridge_batch, "ridge_batch(flops, bandwidth, weight_bytes)", 3, 3
    ),
    "zero_bytes": _GraderFunction(zero_bytes, "zero_bytes(stage, gpus)", 2, 2),
    "bubble_share": _GraderFunction(
        bubble_share, "bubble_share(stages, micro_batches[, chunks])", 2, 3
    ),
    "mean_ttft": _GraderFunction(mean_ttft, f"mean_ttft{_QUEUE}", 7, 7),
    "mean_tpot": _GraderFunction(mean_tpot, f"mean_tpot{_QUEUE}", 7, 7),
}
