"""Memory: cache hints, makers of vectors, and address spaces: what a pointer points into.

Loads and stores with a hint are counted as any others. An address in shared memory has 32 bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.assigning import assign
from grader.simt.cuda.lowering.conversions import as_int64, convert, load, pointer_type, rvalue
from grader.simt.cuda.lowering.library.overloads import Handler, no_overload, require
from grader.simt.cuda.lowering.model.types import (
    UNSIGNED,
    UNSIGNED_LONG,
    VECTORS,
    VOID,
    Arithmetic,
    CType,
    PointerTo,
    StructType,
)
from grader.simt.cuda.lowering.model.values import MemoryPlace, Plain, Value, VoidValue
from grader.simt.cuda.lowering.operators import dereference
from grader.simt.cuda.lowering.templates.structs import fill_members
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.memory.allocations import from_shared_window, to_shared_window
from grader.simt.program.nodes import Apply, Convert, Expression, Perform
from grader.simt.program.types import BOOL, INT64, UINT32, UINT64
from grader.simt.ptx.instructions.memory import find_space


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


_GENERIC = PointerTo(VOID)


def _pointer(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Expression:
    require(unit, node, given, 1)
    value = rvalue(unit, node, given[0])
    if not isinstance(value.type, PointerTo):
        what = fact("cpp.no-conversion", type=value.type.name, wanted="const void*")
        raise unit.error(node, what)
    return Convert(INT64, value.node)


def _is_in(space: str, unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
    run = partial(find_space, space)
    pointer, site = _pointer(unit, node, given), unit.site(node.place)
    found = Perform(BOOL, "is in space", run, (pointer,), site, alone=True)
    return unit.hold_plain(Plain(UNSIGNED, Convert(UINT32, found)))


def _to_number(space: str, unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
    address = _pointer(unit, node, given)
    if space == "shared":
        address = Apply(INT64, "shared", to_shared_window, (address,))
    return Plain(UNSIGNED_LONG, Convert(UINT64, address))


def _to_pointer(space: str, unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
    require(unit, node, given, 1)
    address = as_int64(convert(unit, node, rvalue(unit, node, given[0]), UNSIGNED_LONG).node)
    if space == "shared":
        address = Apply(INT64, "generic", from_shared_window, (address,))
    return Plain(_GENERIC, Convert(pointer_type(_GENERIC, "generic"), address))


HANDLERS: dict[str, Handler] = {
    **{f"__ld{hint}": _load for hint in ("g", "cg", "ca", "cs", "lu", "cv")},
    **{f"__st{hint}": _store for hint in ("wb", "cg", "cs", "wt")},
    **{f"make_{name}": partial(_make, kind) for name, kind in VECTORS.items()},
    **{
        f"__is{space.capitalize()}": partial(_is_in, space)
        for space in ("global", "shared", "constant", "local")
    },
    **{f"__cvta_generic_to_{space}": partial(_to_number, space) for space in ("shared", "global")},
    **{f"__cvta_{space}_to_generic": partial(_to_pointer, space) for space in ("shared", "global")},
}
