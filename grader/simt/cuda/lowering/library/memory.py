"""Loads and stores with a cache hint, counted as any others, and the makers of vectors."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.assigning import assign
from grader.simt.cuda.lowering.conversions import load, rvalue
from grader.simt.cuda.lowering.library.overloads import Handler, no_overload, require
from grader.simt.cuda.lowering.model.types import VECTORS, VOID, Arithmetic, CType, StructType
from grader.simt.cuda.lowering.model.values import MemoryPlace, Value, VoidValue
from grader.simt.cuda.lowering.operators import dereference
from grader.simt.cuda.lowering.templates.structs import fill_members
from grader.simt.cuda.lowering.unit import CudaUnit


def _place(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> MemoryPlace:
    place = dereference(unit, node, rvalue(unit, node, given[0]))
    if not _has_hints(place.type):
        raise no_overload(unit, node, given)
    return place


def _has_hints(kind: CType) -> bool:
    """Return True for numbers, and for vectors but those of three."""
    return isinstance(kind, Arithmetic) or (isinstance(kind, StructType) and kind.vector)


def _load(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
    require(unit, node, given, 1)
    return load(unit, node, _place(unit, node, given))


def _store(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
    require(unit, node, given, 2)
    assign(unit, node, _place(unit, node, given), given[1])
    return VoidValue(VOID)


def _make(kind: StructType, unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
    require(unit, node, given, len(kind.members))
    return fill_members(unit, node, kind, given)


HANDLERS: dict[str, Handler] = {
    **{f"__ld{hint}": _load for hint in ("g", "cg", "ca", "cs", "lu", "cv")},
    **{f"__st{hint}": _store for hint in ("wb", "cg", "cs", "wt")},
    **{f"make_{name}": partial(_make, kind) for name, kind in VECTORS.items()},
}
