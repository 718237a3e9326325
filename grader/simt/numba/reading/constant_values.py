"""Constants at the top level of a text: computed from its tree as Python would, never executed.

What comes out equals what Python computes; what is not known here is refused with its place.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from grader.facts import Fact, fact
from grader.operators import BINARY, COMPARE
from grader.simt.errors import Refused
from grader.simt.numba.reading import exact
from grader.simt.numba.reading.folding import LARGEST
from grader.simt.numba.reading.paths import canonical, dtype_of, number_of
from grader.simt.program.types import DType, NamePath

_NO_CONSTANT = fact("simt.not-constant")
_MOST_DIGITS = 300
"""The most digits for `round`, which computes that power of ten."""


def _round_number(value: Any, *digits: int) -> Any:
    if any(abs(places) > _MOST_DIGITS for places in digits):
        raise exact.TooLarge
    return round(value, *digits)


def _power(left: Any, right: Any, *modulus: Any) -> Any:
    return pow(left, right, *modulus) if modulus else exact.binary(ast.Pow, left, right)


_FUNCTIONS = {
    **{
        function.__name__: function
        for function in (int, float, bool, min, max, abs, divmod, len, sum)
    },
    "round": _round_number,
    "pow": _power,
}
_MATH = {
    name: getattr(math, name)
    for name in (
        *("sqrt", "log", "log2", "log10", "log1p", "exp", "expm1", "pow", "hypot", "cbrt"),
        *("floor", "ceil", "trunc", "fabs", "fmod", "copysign", "gcd", "lcm", "isqrt"),
        *("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh"),
        *("degrees", "radians", "erf", "erfc", "gamma", "lgamma"),
    )
}


def constant_value(node: ast.expr, known: Mapping[str, Any]) -> Any:
    """Compute a constant: a number, a text, a tuple, a type, a member of a module.

    Raises:
        Refused: it is not a constant, has no value, or a number is beyond 64 bits.
    """
    try:
        with np.errstate(all="ignore"):
            value = _evaluate(node, known)
    except RecursionError:
        raise refusal(node, fact("simt.too-deep")) from None
    if any(isinstance(part, int) and abs(part) >= LARGEST for part in _parts(value)):
        raise refusal(node, fact("simt.beyond-64-bits"))
    return value


def refusal(node: ast.AST, what: Fact, instead: Fact | None = None) -> Refused:
    """Make an error at a node."""
    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1
    return Refused(what, line, column, instead)


def _parts(value: Any) -> list[Any]:
    if not isinstance(value, tuple):
        return [value]
    return [part for item in value for part in _parts(item)]


def _evaluate(node: ast.expr, known: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=bool() | int() | float() | str() as value):
            return value
        case ast.Name(id=name) if name in known:
            return known[name]
        case ast.Attribute():
            return _attribute(node, known)
        case ast.Call(keywords=[]):
            return _call(node, known)
        case ast.Tuple(elts=parts):
            return tuple(_evaluate(part, known) for part in parts)
        case ast.Subscript(value=base, slice=index):
            return _part(node, _evaluate(base, known), _number(index, known))
        case _:
            return _operate(node, known)


def _operate(node: ast.expr, known: Mapping[str, Any]) -> Any:
    """Compute an operation on constants."""
    match node:
        case ast.UnaryOp(op=op, operand=operand):
            return _compute(node, exact.unary, type(op), _number(operand, known))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
            operands = _number(left, known), _number(right, known)
            return _compute(node, exact.binary, type(op), *operands)
        case ast.Compare(ops=ops) if all(type(op) in COMPARE for op in ops):
            return _comparison(node, known)
        case ast.BoolOp(op=op, values=values):
            return _logical(values, known, until=isinstance(op, ast.And))
        case ast.IfExp(test=test, body=body, orelse=other):
            return _evaluate(body if _number(test, known) else other, known)
    raise refusal(node, _NO_CONSTANT)


def _number(node: ast.expr, known: Mapping[str, Any]) -> Any:
    value = _evaluate(node, known)
    if not isinstance(value, (int, float, np.generic)):
        raise refusal(node, fact("simt.not-a-number"))
    return value


def _compute(node: ast.expr, function: Any, *given: Any) -> Any:
    """Call a function whose result is a number, or a tuple of numbers."""
    try:
        value = function(*given)
    except exact.TooLarge:
        raise refusal(node, fact("simt.beyond-64-bits")) from None
    except (ArithmeticError, TypeError, ValueError):
        raise refusal(node, fact("simt.no-value")) from None
    if not all(isinstance(part, (int, float, np.generic)) for part in _parts(value)):
        raise refusal(node, fact("simt.not-real"))
    return value


def _comparison(node: ast.Compare, known: Mapping[str, Any]) -> Any:
    left, value = _number(node.left, known), True
    for op, comparator in zip(node.ops, node.comparators, strict=True):
        right = _number(comparator, known)
        value = _compute(node, exact.compared, type(op), left, right)
        if not value:
            break
        left = right
    return value


def _logical(values: list[ast.expr], known: Mapping[str, Any], *, until: bool) -> Any:
    """Compute `and` (up to the first false value) or `or`."""
    value: Any = until
    for operand in values:
        value = _number(operand, known)
        if bool(value) is not until:
            break
    return value


def _part(node: ast.expr, base: Any, index: Any) -> Any:
    if not isinstance(base, tuple):
        raise refusal(node, _NO_CONSTANT)
    try:
        return base[index]
    except (IndexError, TypeError):
        raise refusal(node, fact("simt.no-element")) from None


def _attribute(node: ast.Attribute, known: Mapping[str, Any]) -> Any:
    """Return a member of a module, or one of the limits of a type."""
    base = _evaluate(node.value, known)
    if isinstance(base, (np.iinfo, np.finfo)) and node.attr in ("min", "max", "eps", "tiny"):
        return getattr(base, node.attr)
    if not isinstance(base, NamePath):
        raise refusal(node, _NO_CONSTANT)
    path = NamePath(canonical(f"{base.name}.{node.attr}"))
    number = number_of(path)
    return (dtype_of(path) or path) if number is None else number


def _call(node: ast.Call, known: Mapping[str, Any]) -> Any:
    """Call a number type, a function of numbers, or the limits of a type."""
    found: Any
    match node.func:
        case ast.Name(id=name) if name in _FUNCTIONS and name not in known:
            found = _FUNCTIONS[name]
        case _:
            found = _evaluate(node.func, known)
    if (
        isinstance(found, NamePath)
        and found.name in ("np.iinfo", "np.finfo")
        and len(node.args) == 1
    ):
        return _limits(node, found.name, _type(_evaluate(node.args[0], known)))
    kind = _type(found)
    if kind is not None and len(node.args) == 1:
        return _cast(node, kind, _number(node.args[0], known))
    module, _, member = found.name.rpartition(".") if isinstance(found, NamePath) else ("", "", "")
    ours = any(found is allowed for allowed in _FUNCTIONS.values())
    function = found if ours else _MATH.get(member) if module == "math" else None
    if function is None:
        raise refusal(node, _NO_CONSTANT)
    given = [_evaluate(argument, known) for argument in node.args]
    for argument, value in zip(node.args, given, strict=True):
        if not all(isinstance(part, (int, float, np.generic)) for part in _parts(value)):
            raise refusal(argument, fact("simt.not-a-number"))
    return _compute(node, function, *given)


def _limits(node: ast.Call, name: str, kind: DType | None) -> Any:
    """Return `np.iinfo(…)` or `np.finfo(…)`, of which a member is used."""
    try:
        if kind is not None:
            return (np.iinfo if name == "np.iinfo" else np.finfo)(kind.dtype)
    except ValueError:
        pass
    raise refusal(node, fact("simt.no-limits", name=name))


def _type(value: Any) -> DType | None:
    """Return a type, also one that was imported by its name."""
    return (
        dtype_of(value)
        if isinstance(value, NamePath)
        else value
        if isinstance(value, DType)
        else None
    )


def _cast(node: ast.Call, kind: DType, value: Any) -> Any:
    try:
        return kind.dtype.type(value)
    except (OverflowError, ValueError):
        raise refusal(
            node, fact("simt.not-of-type", value=str(value), dtype=str(kind.dtype))
        ) from None
