"""`cuda.atomic`: Numba's names of the operations, and the types that each takes."""

from __future__ import annotations

import ast
from functools import partial

from grader.facts import fact
from grader.simt.intrinsics.atomic import CHANGES, Atomic, change_element
from grader.simt.numba.indexing import compile_subscripts
from grader.simt.numba.library.calling import Intrinsic, Table, arguments, describe_mismatch
from grader.simt.numba.operations import cast_narrow
from grader.simt.numba.typed import cast, constant, pack, unpack
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Expression, Perform
from grader.simt.program.types import (
    FLOAT32,
    FLOAT64,
    INT32,
    INT64,
    UINT32,
    UINT64,
    Array,
    Constant,
    Scalar,
    Tuple,
    Type,
    describe,
    number,
)

_WHOLE = (INT32, UINT32, INT64, UINT64)
_ALL = (*_WHOLE, FLOAT32, FLOAT64)
_TYPES = {
    **dict.fromkeys(("add", "sub", "max", "min", "nanmax", "nanmin"), _ALL),
    **dict.fromkeys(("and_", "or_", "xor", "exch", "cas"), _WHOLE),
    **dict.fromkeys(("inc", "dec"), (UINT32, UINT64)),
}


def _atomic(name: str, types: tuple[Scalar, ...], does: str, *, indexed: bool = True) -> Intrinsic:
    """Make an operation on an element; `compare_and_swap` takes the first one, without an index.

    Args:
        does: of `CHANGES`.
    """
    called = f"cuda.atomic.{name}"
    count = 1 + CHANGES[does].operands + indexed

    def make(unit: Unit, node: ast.Call) -> Expression:
        given = arguments(unit, node, called, count)
        array = unit.compile_expression(given[0])
        kind = _array(unit, given[0], array.type, types, called)
        unit.note_store(given[0], kind)
        index = _convert_index(unit.compile_expression(given[1])) if indexed else constant(0)
        indices = compile_subscripts(unit, node, [index])
        if len(indices) != kind.ndim:
            raise unit.typing_error(
                node, fact("simt.index-count", count=len(indices), type=describe(kind))
            )
        operands = [unit.compile_number(argument)[0] for argument in given[1 + indexed :]]
        values = [cast_narrow(unit, node, operand, kind.dtype) for operand in operands]
        by_one = operands[0].type == Constant(1)
        atomic = Atomic(does, kind.dtype, used=unit.unused is not node, by_one=by_one)
        unit.program.atomic = True
        site = unit.site(node)
        run = partial(change_element, atomic)
        return Perform(kind.dtype, f"atomic {does}", run, (array, *indices, *values), site)

    return make


def _convert_index(index: Expression) -> Expression:
    """Convert an index; for atomics alone, Numba truncates a float."""
    if isinstance(index.type, Tuple):
        return pack([_convert_index(part) for part in unpack(index, index.type)])
    dtype = number(index.type)
    return cast(index, INT64) if dtype is not None and dtype.kind == "f" else index


def _array(unit: Unit, node: ast.expr, kind: Type, types: tuple[Scalar, ...], called: str) -> Array:
    if not isinstance(kind, Array):
        raise unit.typing_error(node, fact("simt.not-an-array", name=called, type=describe(kind)))
    if kind.dtype not in types:
        supported = fact("advice.types", types=tuple(dtype.name for dtype in types))
        raise unit.typing_error(node, describe_mismatch(called, kind.dtype), supported)
    if kind.space not in ("global", "shared") or not kind.writable:
        raise unit.refusal(node, fact("simt.atomic-space", name=called))
    return kind


CALLS: Table = {
    **{
        f"cuda.atomic.{name}": _atomic(name, types, name.rstrip("_"))
        for name, types in _TYPES.items()
    },
    "cuda.atomic.compare_and_swap": _atomic("compare_and_swap", _WHOLE, "cas", indexed=False),
}
