"""Python's own functions, as far as a kernel has them: range, zip, len, abs, int and others."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from grader.facts import fact
from grader.simt.intrinsics.functions.maths import round_to_digits
from grader.simt.memory.extents import length_of
from grader.simt.numba.indexing import compile_slice
from grader.simt.numba.library.calling import (
    Intrinsic,
    Table,
    arguments,
    describe_mismatch,
    elementwise,
)
from grader.simt.numba.methods import sum_of
from grader.simt.numba.operations import compile_operation
from grader.simt.numba.reading.typing_rules import resolve
from grader.simt.numba.sequences import as_series, enumerate_series, range_bounds, zip_series
from grader.simt.numba.typed import TypedNode, cast, constant, item, keep_value, pack, unpack
from grader.simt.numba.unit import Unit
from grader.simt.program import nodes
from grader.simt.program.nodes import Apply, Expression, Static
from grader.simt.program.types import (
    BFLOAT16,
    BOOL,
    FLOAT64,
    INT64,
    Array,
    Constant,
    DType,
    NamePath,
    Namespace,
    Range,
    Scalar,
    Text,
    Tuple,
    Type,
    describe,
    number,
)


def _range(unit: Unit, node: ast.Call) -> Expression:
    given = [unit.compile_number(argument) for argument in arguments(unit, node, "range", 1, 2, 3)]
    rule = "range" if len(given) == 1 else f"range {len(given)}"
    signature = resolve(rule, *(dtype for _, dtype in given))
    if signature is None:
        what = describe_mismatch("range", *(dtype for _, dtype in given))
        raise unit.typing_error(node, what, fact("advice.integers"))
    dtype = signature.result
    parts = [cast(argument, dtype) for argument, _ in given]
    if len(parts) == 1:
        parts.insert(0, cast(constant(0), dtype))
    parts = [*parts, cast(constant(1), dtype)][:3]
    return nodes.Pack(Range(dtype), tuple(parts))


def _tuple(unit: Unit, node: ast.Call) -> Expression:
    (given,) = arguments(unit, node, "tuple", 1)
    typed = unit.compile_expression(given)
    if not isinstance(typed.type, Tuple):
        raise unit.typing_error(node, fact("simt.tuple-needed", type=describe(typed.type)))
    return typed


def _sum(unit: Unit, node: ast.Call) -> Expression:
    """Sum a tuple, from its first item on, or an array."""
    (given,) = arguments(unit, node, "sum", 1)
    typed = unit.compile_expression(given)
    if isinstance(typed.type, Array):
        return sum_of(unit, node, typed)
    if not isinstance(typed.type, Tuple) or not typed.type.items:
        raise unit.refusal(node, fact("simt.tuple-needed", type=describe(typed.type)))
    total: Expression = constant(0)
    for part in unpack(typed, typed.type):
        total = compile_operation(unit, node, "+", total, part)
    return total


def _array_sum(unit: Unit, node: ast.Call) -> Expression:
    return sum_of(unit, node, _compile_array(unit, node, "sum"))


def _array_attribute(name: str) -> Intrinsic:
    """Make `np.shape` or `np.size`, which are attributes too."""

    def make(unit: Unit, node: ast.Call) -> Expression:
        typed = _compile_array(unit, node, name)
        part = ast.Attribute(TypedNode(typed, node.args[0]), name, ast.Load())
        return unit.compile_expression(ast.copy_location(part, node))

    return make


def _compile_array(unit: Unit, node: ast.Call, name: str) -> Expression:
    """Compile the only argument, an array."""
    (given,) = arguments(unit, node, f"np.{name}", 1)
    typed = unit.compile_expression(given)
    if not isinstance(typed.type, Array):
        what = fact("simt.not-an-array", name=f"np.{name}", type=describe(typed.type))
        raise unit.typing_error(node, what)
    return typed


def _limits(name: str, limits: Callable[[Scalar], Any]) -> Intrinsic:
    """Make `np.iinfo` or `np.finfo`, whose members are constants."""

    def make(unit: Unit, node: ast.Call) -> Expression:
        (given,) = arguments(unit, node, name, 1)
        kind = unit.compile_expression(given).type
        dtype = kind.dtype if isinstance(kind, DType) else number(kind)
        try:
            return Static(Namespace(limits(dtype or BOOL)))
        except ValueError:
            raise unit.typing_error(node, fact("simt.no-limits", name=name)) from None

    return make


def _type(unit: Unit, node: ast.Call) -> Expression:
    (given,) = arguments(unit, node, "type", 1)
    return Static(DType(unit.compile_number(given)[1]))


def _isinstance(unit: Unit, node: ast.Call) -> Expression:
    """Decide by the type: `int`, `float`, `bool`, `complex`, `tuple`, `str`, or a tuple of them."""
    given, wanted = arguments(unit, node, "isinstance", 2)
    kind, classes = unit.compile_expression(given).type, unit.compile_expression(wanted).type
    several = classes.items if isinstance(classes, Tuple) else (classes,)
    names = [one.name for one in several if isinstance(one, NamePath)]
    if len(names) < len(several) or not {*names} <= _INSTANCES.keys():
        raise unit.refusal(node, fact("simt.isinstance"))
    return constant(any(_INSTANCES[name](kind) for name in names))


def _is_kind(kinds: str) -> Callable[[Type], bool]:
    def test(kind: Type) -> bool:
        dtype = number(kind)
        return dtype is not None and dtype.kind in kinds

    return test


_INSTANCES: dict[str, Callable[[Type], bool]] = {
    "builtins.int": _is_kind("iu"),
    "builtins.float": _is_kind("f"),
    "builtins.bool": _is_kind("b"),
    "builtins.complex": _is_kind("c"),
    "builtins.tuple": lambda kind: isinstance(kind, Tuple),
}


def _slice(unit: Unit, node: ast.Call) -> Expression:
    given = arguments(unit, node, "slice", 1, 2, 3)
    start = [None] if len(given) == 1 else []
    return compile_slice(unit, [*start, *given, None, None][:3])


def _len(unit: Unit, node: ast.Call) -> Expression:
    (given,) = arguments(unit, node, "len", 1)
    typed = unit.compile_expression(given)
    match typed.type:
        case Array():
            return Apply(INT64, "length", length_of, (typed,))
        case Tuple(items):
            return constant(len(items), INT64)  # not known to Numba's types
        case Text(value):
            return constant(len(value))
        case Range():
            return item(range_bounds(typed, INT64), 2)
        case other:
            raise unit.typing_error(node, fact("simt.no-length", type=describe(other)))


def _enumerate(unit: Unit, node: ast.Call) -> Expression:
    given = arguments(unit, node, "enumerate", 1, 2, named=("iterable", "start"))
    start = cast(unit.compile_number(given[1])[0] if given[1:] else constant(0), INT64)
    return enumerate_series(as_series(unit, given[0], unit.compile_expression(given[0])), start)


def _zip(unit: Unit, node: ast.Call) -> Expression:
    if not node.args or node.keywords:
        raise unit.refusal(node, fact("simt.zip"))
    return zip_series(
        [as_series(unit, argument, unit.compile_expression(argument)) for argument in node.args]
    )


def _literal_unroll(unit: Unit, node: ast.Call) -> Expression:
    """Return the tuple: `for` asks for the name, to type its body for each type of an item."""
    (given,) = arguments(unit, node, "literal_unroll", 1)
    typed = unit.compile_expression(given)
    if not isinstance(typed.type, Tuple):
        raise unit.typing_error(node, fact("simt.not-a-tuple", type=describe(typed.type)))
    return typed


def _int(unit: Unit, node: ast.Call) -> Expression:
    (given,) = arguments(unit, node, "int", 1)
    typed, dtype = _real(unit, given)
    if isinstance(typed.type, Constant):
        return typed
    wanted = dtype if dtype.kind in "iu" else INT64
    return cast(typed, wanted)


def _float(unit: Unit, node: ast.Call) -> Expression:
    (given,) = arguments(unit, node, "float", 1)
    literal = unit.compile_expression(given).type
    if isinstance(literal, Text):
        try:
            return constant(float(literal.value))
        except ValueError:
            raise unit.typing_error(node, fact("simt.not-a-number")) from None
    typed, dtype = _real(unit, given)
    wanted = dtype if dtype.kind == "f" else FLOAT64
    return cast(typed, wanted)


def _real(unit: Unit, node: ast.expr) -> tuple[Expression, Scalar]:
    typed, dtype = unit.compile_number(node)
    if dtype.kind == "c":
        raise unit.typing_error(node, fact("simt.complex-as-real", dtype=dtype.name))
    if dtype == BFLOAT16:
        advice = fact("advice.write", code="float32(x)")
        raise unit.typing_error(node, describe_mismatch("int, float", dtype), advice)
    return typed, dtype


def _bool(unit: Unit, node: ast.Call) -> Expression:
    (given,) = arguments(unit, node, "bool", 1)
    return unit.compile_test(given)


def _round(unit: Unit, node: ast.Call) -> Expression:
    given = [unit.compile_number(argument) for argument in arguments(unit, node, "round", 1, 2)]
    kinds = [dtype for _, dtype in given]
    signature = resolve("round" if len(given) == 1 else "round 2", *kinds)
    if signature is None:
        raise unit.typing_error(node, describe_mismatch("round", *kinds))
    value = cast(given[0][0], signature.operands[0])
    if len(given) == 1:
        return cast(Apply(value.type, "rint", np.rint, (value,)), INT64)
    digits = cast(given[1][0], INT64)
    return Apply(signature.result, "round", round_to_digits, (value, digits))


def _pow(unit: Unit, node: ast.Call) -> Expression:
    left, right = (
        unit.compile_expression(argument) for argument in arguments(unit, node, "pow", 2)
    )
    return compile_operation(unit, node, "**", left, right)


def _operator(name: str, operator: str) -> Intrinsic:
    def make(unit: Unit, node: ast.Call) -> Expression:
        left, right = (
            unit.compile_expression(argument)
            for argument in arguments(unit, node, f"operator.{name}", 2)
        )
        return compile_operation(unit, node, operator, left, right)

    return make


def _divmod(unit: Unit, node: ast.Call) -> Expression:
    left, right = (
        unit.compile_expression(argument) for argument in arguments(unit, node, "divmod", 2)
    )
    (first, left), (second, right) = keep_value(left), keep_value(right)
    whole = compile_operation(unit, node, "//", first, second)
    rest = compile_operation(unit, node, "%", left, right)
    return pack([whole, rest])


_ABS: Intrinsic = elementwise("abs", "abs", np.abs)

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
    "builtins.slice": _slice,
    "builtins.tuple": _tuple,
    "builtins.sum": _sum,
    "builtins.type": _type,
    "builtins.isinstance": _isinstance,
    "np.iinfo": _limits("np.iinfo", np.iinfo),
    "np.finfo": _limits("np.finfo", np.finfo),
    "np.sum": _array_sum,
    "np.size": _array_attribute("size"),
    "np.shape": _array_attribute("shape"),
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
}
