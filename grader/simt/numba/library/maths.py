"""`math` and the functions of NumPy that a kernel can call: typed as Numba types them."""

from __future__ import annotations

import ast

import numpy as np

from grader.facts import fact
from grader.simt.intrinsics.functions import maths
from grader.simt.numba.library.calling import (
    Intrinsic,
    Table,
    arguments,
    describe_mismatch,
    elementwise,
)
from grader.simt.numba.reading.typing_rules import resolve
from grader.simt.numba.typed import cast, unpack
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Apply, Expression
from grader.simt.program.types import BOOL, INT32, Scalar, Tuple, join_types, number

_OF_BFLOAT16 = frozenset(
    ("ceil", "cos", "exp", "exp2", "floor", "log", "log10", "sin", "sqrt", "tanh", "trunc")
)
"""Those that give a bfloat16 for one; all others give a float32."""
_NUMPY = {
    **{name: name for name in ("ceil", "cos", "cosh", "degrees", "exp", "exp2", "expm1", "fabs")},
    **{name: name for name in ("floor", "log", "log10", "log1p", "log2", "radians", "sin", "sinh")},
    **{name: name for name in ("sqrt", "tan", "tanh", "trunc")},
    "arccos": "acos",
    "arcsin": "asin",
    "arctan": "atan",
    "arccosh": "acosh",
    "arcsinh": "asinh",
    "arctanh": "atanh",
}


def _frexp(unit: Unit, node: ast.Call) -> Expression:
    operand, dtype = _real(unit, node, "math.frexp")
    return Apply(Tuple((dtype, INT32)), "frexp", np.frexp, (operand,))


def _modf(unit: Unit, node: ast.Call) -> Expression:
    operand, dtype = _real(unit, node, "math.modf")
    return Apply(Tuple((dtype, dtype)), "modf", np.modf, (operand,))


def _real(unit: Unit, node: ast.Call, name: str) -> tuple[Expression, Scalar]:
    (given,) = arguments(unit, node, name, 1)
    typed, dtype = unit.compile_number(given)
    signature = resolve("real", dtype)
    if signature is None:
        raise unit.typing_error(node, describe_mismatch(name, dtype))
    return cast(typed, signature.result), signature.result


def _scaling(name: str, function: np.ufunc, exponent: Scalar | None) -> Intrinsic:
    """Make `pow` or `ldexp`; an exponent without a type of its own has that of the result."""

    def make(unit: Unit, node: ast.Call) -> Expression:
        left, right = map(unit.compile_number, arguments(unit, node, f"math.{name}", 2))
        signature = resolve(f"math.{name}", left[1], right[1])
        if signature is None:
            raise unit.typing_error(node, describe_mismatch(f"math.{name}", left[1], right[1]))
        result = signature.result
        operands = cast(left[0], result), cast(right[0], exponent or result)
        return Apply(result, name, function, operands)

    return make


def _extreme(name: str, whole: np.ufunc, real: np.ufunc) -> Intrinsic:
    """Make `min` or `max`, of the type that holds all operands."""
    shown = name.rpartition(".")[2]

    def make(unit: Unit, node: ast.Call) -> Expression:
        given = [unit.compile_expression(argument) for argument in node.args]
        if len(given) == 1 and isinstance(given[0].type, Tuple):
            given = unpack(given[0], given[0].type)
        if not given or node.keywords:
            raise unit.refusal(node, fact("simt.arguments-two", name=name))
        kind = number(given[0].type) or given[0].type
        for argument in given[1:]:
            kind = join_types(kind, number(argument.type) or argument.type)
        dtype = unit.dtype(node, kind)
        some_bool = dtype != BOOL and any(number(argument.type) == BOOL for argument in given)
        if (dtype.kind == "c" or some_bool) and not name.startswith("np."):
            raise unit.typing_error(node, describe_mismatch(name, dtype))
        unit.widening.note(node, name, dtype, tuple(argument.type for argument in given))
        apply = real if dtype.kind in "fc" else whole
        first, *others = (cast(argument, dtype) for argument in given)
        for other in others:
            first = Apply(dtype, shown, apply, (first, other))
        return first

    return make


def _rule(name: str) -> str:
    """Return how a function of one number is typed."""
    return "math of one or bfloat16" if name in _OF_BFLOAT16 else "math of one"


_MIN = _extreme("min", np.minimum, np.fmin)
_MAX = _extreme("max", np.maximum, np.fmax)

CALLS: Table = {
    **{
        f"math.{name}": elementwise(f"math.{name}", _rule(name), f) for name, f in maths.ONE.items()
    },
    **{
        f"np.{name}": elementwise(f"np.{name}", "math of one", maths.ONE[own])
        for name, own in _NUMPY.items()
    },
    **{
        f"math.{name}": elementwise(f"math.{name}", "math of two", f, 2)
        for name, f in maths.TWO.items()
    },
    "np.hypot": elementwise("np.hypot", "math of two", np.hypot, 2),
    "np.arctan2": elementwise("np.arctan2", "math of two", np.arctan2, 2),
    **{
        f"math.{name}": elementwise(f"math.{name}", "math of two reals", f, 2)
        for name, f in maths.TWO_REALS.items()
    },
    **{
        f"{module}.{name}": elementwise(f"{module}.{name}", "math test", f)
        for module in ("math", "np")
        for name, f in maths.TESTS.items()
    },
    "math.pow": _scaling("pow", np.power, None),
    "math.ldexp": _scaling("ldexp", np.ldexp, INT32),
    "math.frexp": _frexp,
    "math.modf": _modf,
    "builtins.min": _MIN,
    "builtins.max": _MAX,
    "np.minimum": _extreme("np.minimum", np.minimum, np.minimum),
    "np.maximum": _extreme("np.maximum", np.maximum, np.maximum),
    "np.fmin": _extreme("np.fmin", np.fmin, np.fmin),
    "np.fmax": _extreme("np.fmax", np.fmax, np.fmax),
}
