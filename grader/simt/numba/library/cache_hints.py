"""Loads and stores with a cache hint: `cuda.ldca(a, i)` is `a[i]`, `cuda.stwt(a, i, x)` writes it.

Counted and checked as `a[i]` is: sectors do not depend on the hint, and caches are not modeled.
"""

from __future__ import annotations

import ast

from grader.facts import fact
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.memory.choices import ArrayValue
from grader.simt.memory.reaching import reach
from grader.simt.numba.indexing import compile_place
from grader.simt.numba.library.calling import Intrinsic, Table, arguments, describe_mismatch
from grader.simt.numba.operations import cast_narrow
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Element, Expression, Perform
from grader.simt.program.types import Array, Nothing, describe


def store(here: ExecutionPoint, value: Value, array: ArrayValue, *indices: Value) -> None:
    """Write a value to an element, which is given by an integer for each axis."""
    cells = reach(array, indices, here)
    if cells is not None:
        cells.store(value)


_LOADS = ("ldca", "ldcg", "ldcs", "ldlu", "ldcv")
_STORES = ("stcg", "stcs", "stwb", "stwt")
_KINDS = "iuf"
"""Numba has them for integers and floats."""


def _make_load(name: str) -> Intrinsic:
    called = f"cuda.{name}"

    def make(unit: Unit, node: ast.Call) -> Expression:
        array, index = arguments(unit, node, called, 2)
        return unit.compile_expression(_subscript(unit, node, called, array, index))

    return make


def _make_store(name: str) -> Intrinsic:
    called = f"cuda.{name}"

    def make(unit: Unit, node: ast.Call) -> Expression:
        array, index, given = arguments(unit, node, called, 3)
        place = compile_place(unit, _subscript(unit, node, called, array, index))
        assert isinstance(place, Element)  # of numbers
        value = cast_narrow(unit, given, unit.compile_number(given)[0], place.dtype)
        operands = (value, place.array, *place.indices)
        return Perform(Nothing(), name, store, operands, place.site)

    return make


def _subscript(
    unit: Unit, node: ast.Call, name: str, array: ast.expr, index: ast.expr
) -> ast.Subscript:
    """Return `array[index]`, at the place of the call.

    Raises:
        NotTyped: it is not an array of numbers.
        Refused: it is not in global memory, where alone these instructions are defined.
    """
    kind = unit.compile_expression(array).type
    if not isinstance(kind, Array):
        raise unit.typing_error(node, fact("simt.not-an-array", name=name, type=describe(kind)))
    if kind.dtype.kind not in _KINDS:
        raise unit.typing_error(node, describe_mismatch(name, kind.dtype))
    if kind.space != "global":
        raise unit.refusal(node, fact("simt.cache-hint-space", name=name))
    return ast.copy_location(ast.Subscript(array, index, ast.Load()), node)


CALLS: Table = {
    **{f"cuda.{name}": _make_load(name) for name in _LOADS},
    **{f"cuda.{name}": _make_store(name) for name in _STORES},
}
