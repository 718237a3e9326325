"""`cuda.atomic`: what each operation does, and how the bank model counts it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from grader.facts import fact
from grader.simt.checks.counters import Site
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.frame import Evaluate, Frame, Value
from grader.simt.masks import Mask
from grader.simt.memory.reaching import reach
from grader.simt.memory.views import AtomicUpdate
from grader.simt.numba.indexing import compile_subscripts
from grader.simt.numba.library.calling import Intrinsic, Table, arguments, describe_mismatch
from grader.simt.numba.operations import cast_narrow
from grader.simt.numba.typed import TypedValue, cast, pack, unpack
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Expression
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
_WORD = 4


class _AtomicOperation(NamedTuple):
    """One of `cuda.atomic`."""

    types: tuple[Scalar, ...]
    apply: Callable[..., Any]
    whole: np.ufunc | None = None
    operands: int = 1


_OPERATIONS = {
    "add": _AtomicOperation(_ALL, np.add, np.add),
    "sub": _AtomicOperation(_ALL, np.subtract, np.subtract),
    "max": _AtomicOperation(_ALL, lambda old, new: np.where(new > old, new, old), np.fmax),
    "min": _AtomicOperation(_ALL, lambda old, new: np.where(new < old, new, old), np.fmin),
    "nanmax": _AtomicOperation(_ALL, np.fmax, np.fmax),
    "nanmin": _AtomicOperation(_ALL, np.fmin, np.fmin),
    "and_": _AtomicOperation(_WHOLE, np.bitwise_and, np.bitwise_and),
    "or_": _AtomicOperation(_WHOLE, np.bitwise_or, np.bitwise_or),
    "xor": _AtomicOperation(_WHOLE, np.bitwise_xor, np.bitwise_xor),
    "inc": _AtomicOperation((UINT32, UINT64), lambda old, top: np.where(old >= top, 0, old + 1)),
    "dec": _AtomicOperation(
        (UINT32, UINT64), lambda old, top: np.where((old == 0) | (old > top), top, old - 1)
    ),
    "exch": _AtomicOperation(_WHOLE, lambda _old, new: new),
    "cas": _AtomicOperation(
        _WHOLE, lambda old, wanted, new: np.where(old == wanted, new, old), None, 2
    ),
}


def _atomic(name: str, operation: _AtomicOperation, *, indexed: bool = True) -> Intrinsic:
    """Make an operation on an element; `compare_and_swap` takes the first one, without an index."""
    called = f"cuda.atomic.{name}"
    counts = (1 + operation.operands + indexed,)

    def make(unit: Unit, node: ast.Call) -> Expression:
        given = arguments(unit, node, called, *counts)
        array = unit.compile_expression(given[0])
        kind = _array(unit, given[0], array.type, operation, called)
        unit.note_store(given[0], kind)
        index = (
            [_convert_index(unit, unit.compile_expression(given[1]))]
            if indexed
            else [TypedValue(Constant(0), _take_first)]
        )
        indices = compile_subscripts(unit, node, index)
        if len(indices) != kind.ndim:
            raise unit.typing_error(
                node, fact("simt.index-count", count=len(indices), type=describe(kind))
            )
        operands = [unit.compile_number(argument)[0] for argument in given[1 + indexed :]]
        values = [cast_narrow(unit, node, operand, kind.dtype) for operand in operands]
        used = unit.unused is not node
        banks = _kind(name, kind.dtype, operands[0].type, used=used)
        keeps_nan = name in ("max", "min") and kind.dtype.kind == "f"
        site = unit.site(node)
        if indexed:
            unit.note_index(site, given[1])
        atomic = _Atomic(
            array, indices, values, operation, banks, used, keeps_nan, site, kind.dtype
        )
        return TypedValue(kind.dtype, atomic.evaluate)

    return make


def _convert_index(unit: Unit, index: Expression) -> Expression:
    """Convert an index; for atomics alone, Numba truncates a float."""
    if isinstance(index.type, Tuple):
        return pack([_convert_index(unit, part) for part in unpack(index, index.type)])
    dtype = number(index.type)
    if dtype is None or dtype.kind != "f":
        return index
    return TypedValue(INT64, cast(index, INT64))


def _take_first(_frame: Frame, _mask: Mask) -> Value:
    return np.zeros((1, 1), dtype=np.int64)


def _array(
    unit: Unit, node: ast.expr, kind: Type, operation: _AtomicOperation, called: str
) -> Array:
    if not isinstance(kind, Array):
        raise unit.typing_error(node, fact("simt.not-an-array", name=called, type=describe(kind)))
    if kind.dtype not in operation.types:
        supported = fact("advice.types", types=tuple(dtype.name for dtype in operation.types))
        raise unit.typing_error(node, describe_mismatch(called, kind.dtype), supported)
    if kind.space not in ("global", "shared") or not kind.writable:
        raise unit.refusal(node, fact("simt.atomic-space", name=called))
    return kind


def _kind(name: str, dtype: Scalar, operand: Type, *, used: bool) -> str:
    """Return the kind of access that `grader.banks` knows it by."""
    if name in ("cas", "compare_and_swap"):
        return "atom_cas"
    if dtype.kind == "f":
        return "atom_float"
    increments = name == "add" and operand == Constant(1)
    return "atom_inc" if increments and not used and dtype.itemsize == _WORD else "atom"


class _Atomic(NamedTuple):
    """An atomic of the source."""

    array: Expression
    indices: Sequence[Evaluate]
    values: Sequence[Evaluate]
    operation: _AtomicOperation
    banks: str
    used: bool
    keeps_nan: bool
    site: Site
    dtype: Scalar

    def evaluate(self, frame: Frame, mask: Mask) -> Value:
        """Run it, and return what each thread read before its turn."""
        array = self.array.evaluate(frame, mask)
        here = ExecutionPoint(frame.chunk, mask, self.site)
        cells = reach(array, [index(frame, mask) for index in self.indices], here)
        if cells is None:
            return np.zeros((1, 1), dtype=self.dtype)
        operands = tuple(value(frame, mask) for value in self.values)
        apply, whole = self.operation.apply, self.operation.whole
        update = AtomicUpdate(apply, operands, whole, self.banks, self.used, self.keeps_nan)
        return cells.atomic(update)


CALLS: Table = {
    **{
        f"cuda.atomic.{name}": _atomic(name, table_entry)
        for name, table_entry in _OPERATIONS.items()
    },
    "cuda.atomic.compare_and_swap": _atomic("compare_and_swap", _OPERATIONS["cas"], indexed=False),
}
