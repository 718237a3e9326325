"""NumPy's ufuncs in a kernel, typed by its own loops: of numbers, or of arrays into an array.

Each thread goes through all elements of such an array.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from grader.facts import fact
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.conversion import convert
from grader.simt.machine.frame import Value
from grader.simt.memory.choices import ArrayValue
from grader.simt.memory.extents import each_element, shape_of
from grader.simt.memory.reaching import reach
from grader.simt.numba.library.calling import Intrinsic, Table, arguments, describe_mismatch
from grader.simt.numba.typed import TypedNode, cast
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Apply, Expression, Perform
from grader.simt.program.types import FLOAT16, FLOAT32, Array, Nothing, Scalar, describe


@dataclass(frozen=True)
class Elements:
    """An array whose elements a ufunc takes, or gives.

    Attributes:
        ndim: its axes, which are the last ones of the result.
        computed: the dtype that the ufunc takes or gives.
    """

    dtype: Scalar
    ndim: int
    computed: Scalar


def write_elements(
    ufunc: np.ufunc,
    operands: Sequence[Elements | None],
    written: Elements,
    here: ExecutionPoint,
    out: ArrayValue,
    *given: Value,
) -> None:
    """Write what a ufunc gives into all elements of an array.

    Args:
        operands: for each operand what its array is; None for a number, which is used as it is.
    """
    shapes = [
        () if operand is None else shape_of(value, operand.ndim)
        for operand, value in zip(operands, given, strict=True)
    ]
    for index, there, cells in each_element(out, written.ndim, here):
        parts = [
            value if operand is None else _take(operand, value, shape, there, index)
            for operand, value, shape in zip(operands, given, shapes, strict=True)
        ]
        cells.store(convert(ufunc(*parts), written.dtype))


def _take(
    operand: Elements,
    array: ArrayValue,
    shape: tuple[Value, ...],
    here: ExecutionPoint,
    index: tuple[int, ...],
) -> Value:
    """Read an operand's element for an index of the result; one of a single element is repeated."""
    last = zip(index[len(index) - operand.ndim :], shape, strict=True)
    cells = reach(array, [np.minimum(i, size - 1) for i, size in last], here)
    found = np.zeros((1, 1), dtype=operand.dtype) if cells is None else cells.load()
    return convert(found, operand.computed)


_NAMES = (
    *("sin", "cos", "tan", "arcsin", "arccos", "arctan", "arctan2", "hypot", "sinh", "cosh"),
    *("tanh", "arcsinh", "arccosh", "arctanh", "deg2rad", "radians", "rad2deg", "degrees"),
    *("greater", "greater_equal", "less", "less_equal", "not_equal", "equal", "logical_and"),
    *("logical_or", "logical_xor", "logical_not", "maximum", "minimum", "fmax", "fmin"),
    *("bitwise_and", "bitwise_or", "bitwise_xor", "invert", "left_shift", "right_shift"),
    *("log", "log2", "log10"),
)
"""Those that Numba has on a device."""


def _loop(ufunc: np.ufunc, given: Sequence[Scalar]) -> list[Scalar]:
    """Return the types of converted operands and of the result; Numba has no loops for float16.

    Raises:
        TypeError: there is no such loop.
    """
    found = list(ufunc.resolve_dtypes((*given, None)))
    if FLOAT16 in found:
        wide = [FLOAT32 if index == FLOAT16 else index for index in found[: len(given)]]
        found = list(ufunc.resolve_dtypes((*wide, None)))
    return found


def _ufunc(name: str, scalar: Intrinsic | None) -> Intrinsic:
    """Make a ufunc; of numbers it is `scalar`, which follows Numba, where there is one."""
    ufunc: np.ufunc = getattr(np, name)
    called = f"np.{name}"

    def make(unit: Unit, node: ast.Call) -> Expression:
        named = (*(f"x{place}" for place in range(ufunc.nin)), "out")
        nodes = arguments(unit, node, called, ufunc.nin, ufunc.nin + 1, named=named)
        given = [unit.compile_expression(operand) for operand in nodes]
        whole = len(given) == ufunc.nin
        if (
            whole
            and scalar is not None
            and not any(isinstance(argument.type, Array) for argument in given)
        ):
            ready = [
                TypedNode(argument, place) for argument, place in zip(given, nodes, strict=True)
            ]
            return scalar(unit, ast.copy_location(ast.Call(node.func, [*ready], []), node))
        kinds = [
            _dtype(unit, place, argument) for argument, place in zip(given, nodes, strict=True)
        ]
        try:
            loop = _loop(ufunc, kinds[: ufunc.nin])
        except TypeError:
            raise unit.typing_error(node, describe_mismatch(called, *kinds)) from None
        if not whole:
            return _write_into(unit, node, ufunc, loop, given)
        if any(isinstance(argument.type, Array) for argument in given):
            raise unit.refusal(node, fact("simt.makes-array", name=called))
        operands = tuple(map(cast, given, loop))
        return Apply(loop[-1], name, ufunc, operands)

    return make


def _dtype(unit: Unit, node: ast.expr, typed: Expression) -> Scalar:
    return typed.type.dtype if isinstance(typed.type, Array) else unit.dtype(node, typed.type)


def _write_into(
    unit: Unit, node: ast.Call, ufunc: np.ufunc, loop: list[Scalar], given: list[Expression]
) -> Expression:
    """Make a ufunc that writes all elements of an array."""
    *operands, out = given
    kind = out.type
    if not isinstance(kind, Array) or not kind.writable:
        raise unit.typing_error(node, fact("simt.not-writable", type=describe(kind)))
    if loop[-1].kind == "c" and kind.dtype.kind != "c":
        raise unit.typing_error(
            node, fact("simt.no-conversion", dtype=loop[-1].name, wanted=kind.dtype.name)
        )
    unit.note_store([*node.args, *(keyword.value for keyword in node.keywords)][-1], kind)
    taken = [_operand(*pair) for pair in zip(operands, loop, strict=False)]
    written = Elements(kind.dtype, kind.ndim, loop[-1])
    run = partial(write_elements, ufunc, tuple(array for _, array in taken), written)
    values = (out, *(value for value, _ in taken))
    return Perform(Nothing(), ufunc.__name__, run, values, unit.site(node))


def _operand(typed: Expression, dtype: Scalar) -> tuple[Expression, Elements | None]:
    """Return an operand as a ufunc gets it: a number is converted, an array is described."""
    kind = typed.type
    if isinstance(kind, Array):
        return typed, Elements(kind.dtype, kind.ndim, dtype)
    return cast(typed, dtype), None


def with_arrays(table: Table) -> Table:
    """Return the ufuncs; with numbers as operands they fall back on a table's entries."""
    return {f"np.{name}": _ufunc(name, table.get(f"np.{name}")) for name in _NAMES}
