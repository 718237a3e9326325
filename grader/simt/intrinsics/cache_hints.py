"""Loads and stores with a cache hint: `cuda.ldca(a, i)` is `a[i]`, `cuda.stwt(a, i, x)` writes it.

Counted and checked as `a[i]` is: sectors do not depend on the hint, and caches are not modeled.
"""

from __future__ import annotations

import ast

from grader.facts import fact
from grader.simt.compiler.indexing import Place, compile_place, compile_store
from grader.simt.compiler.operations import cast_narrow
from grader.simt.compiler.unit import Unit
from grader.simt.intrinsics.calling import Intrinsic, Table, arguments, describe_mismatch
from grader.simt.machine.typed import TypedValue
from grader.simt.reading.types import Array, Nothing, describe

_LOADS = ("ldca", "ldcg", "ldcs", "ldlu", "ldcv")
_STORES = ("stcg", "stcs", "stwb", "stwt")
_KINDS = "iuf"
"""Numba has them for integers and floats."""


def _make_load(name: str) -> Intrinsic:
    def make(unit: Unit, node: ast.Call) -> TypedValue:
        array, index = arguments(unit, node, name, 2)
        return unit.compile_expression(_subscript(unit, node, name, array, index))

    return make


def _make_store(name: str) -> Intrinsic:
    def make(unit: Unit, node: ast.Call) -> TypedValue:
        array, index, given = arguments(unit, node, name, 3)
        place = compile_place(unit, _subscript(unit, node, name, array, index))
        assert isinstance(place, Place)  # of numbers
        value = cast_narrow(unit, given, unit.compile_number(given)[0], place.dtype)
        return TypedValue(Nothing(), compile_store(place, value))

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
    **{f"cuda.{name}": _make_load(f"cuda.{name}") for name in _LOADS},
    **{f"cuda.{name}": _make_store(f"cuda.{name}") for name in _STORES},
}
