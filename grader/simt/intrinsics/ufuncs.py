"""NumPy's ufuncs in a kernel, typed by NumPy's own loops: of numbers, or of arrays into an array.

Each thread goes through all elements of the arrays, as what Numba compiles does.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import numpy as np

from grader.facts import fact
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.conversion import convert
from grader.simt.machine.frame import Evaluate, Frame, Value
from grader.simt.memory.extents import each_element, shape_of
from grader.simt.memory.reaching import reach
from grader.simt.numba.library.calling import Intrinsic, Table, arguments, describe_mismatch
from grader.simt.numba.typed import TypedNode, TypedValue, cast
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Expression
from grader.simt.program.types import FLOAT16, FLOAT32, Array, Nothing, Scalar, describe, number

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
        operands = [cast(argument, dtype) for argument, dtype in zip(given, loop, strict=False)]
        return TypedValue(
            loop[-1], lambda frame, mask: ufunc(*(operand(frame, mask) for operand in operands))
        )

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
    site = unit.site(node)
    elements = [_element(operand, dtype) for operand, dtype in zip(operands, loop, strict=False)]

    def evaluate(frame: Frame, mask: Any) -> None:
        array = out.evaluate(frame, mask)
        begun = [element(frame, mask) for element in elements]
        for index, here, cells in each_element(
            array, kind.ndim, ExecutionPoint(frame.chunk, mask, site)
        ):
            result = ufunc(*(element(here, index) for element in begun))
            cells.store(convert(result, kind.dtype))

    return TypedValue(Nothing(), evaluate)


def _element(typed: Expression, dtype: Scalar) -> Evaluate:
    """Make what returns, in a loop, an operand's element for an index of the result."""
    if number(typed.type) is not None:
        value = cast(typed, dtype)

        def take_scalar(frame: Frame, mask: Any) -> Value:
            found = value(frame, mask)
            return lambda _here, _index: found

        return take_scalar
    assert isinstance(typed.type, Array)
    own, ndim = typed.type.dtype, typed.type.ndim

    def begin_array(frame: Frame, mask: Any) -> Value:
        array = typed.evaluate(frame, mask)
        shape = shape_of(array, ndim)

        def take_element(here: ExecutionPoint, index: tuple[int, ...]) -> Value:
            last = zip(index[len(index) - ndim :], shape, strict=True)
            cells = reach(array, [np.minimum(i, size - 1) for i, size in last], here)
            found = np.zeros((1, 1), dtype=own) if cells is None else cells.load()
            return convert(found, dtype)

        return take_element

    return begin_array


def with_arrays(table: Table) -> Table:
    """Return the ufuncs; with numbers as operands they fall back on a table's entries."""
    return {f"np.{name}": _ufunc(name, table.get(f"np.{name}")) for name in _NAMES}
