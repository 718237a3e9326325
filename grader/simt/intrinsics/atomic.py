"""`cuda.atomic`: what each operation does, and as what the banks count it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from grader.simt.chunk import Here
from grader.simt.counters import Site
from grader.simt.intrinsics.calling import Intrinsic, Maker, Table, arguments
from grader.simt.masks import Mask
from grader.simt.typed import Evaluate, Frame, Typed, Value, cast, packed, unpacked
from grader.simt.types import (
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
    described,
    number,
)
from grader.simt.views import AtomicUpdate, located

_WHOLE = (INT32, UINT32, INT64, UINT64)
_ALL = (*_WHOLE, FLOAT32, FLOAT64)
_WORD = 4


class _Operation(NamedTuple):
    """One of `cuda.atomic`."""

    types: tuple[Scalar, ...]
    apply: Callable[..., Any]
    whole: np.ufunc | None = None
    operands: int = 1


_OPERATIONS = {
    "add": _Operation(_ALL, np.add, np.add),
    "sub": _Operation(_ALL, np.subtract, np.subtract),
    "max": _Operation(_ALL, lambda old, new: np.where(new > old, new, old), np.fmax),
    "min": _Operation(_ALL, lambda old, new: np.where(new < old, new, old), np.fmin),
    "nanmax": _Operation(_ALL, np.fmax, np.fmax),
    "nanmin": _Operation(_ALL, np.fmin, np.fmin),
    "and_": _Operation(_WHOLE, np.bitwise_and, np.bitwise_and),
    "or_": _Operation(_WHOLE, np.bitwise_or, np.bitwise_or),
    "xor": _Operation(_WHOLE, np.bitwise_xor, np.bitwise_xor),
    "inc": _Operation((UINT32, UINT64), lambda old, top: np.where(old >= top, 0, old + 1)),
    "dec": _Operation(
        (UINT32, UINT64), lambda old, top: np.where((old == 0) | (old > top), top, old - 1)
    ),
    "exch": _Operation(_WHOLE, lambda _old, new: new),
    "cas": _Operation(_WHOLE, lambda old, wanted, new: np.where(old == wanted, new, old), None, 2),
}


def _atomic(name: str, operation: _Operation, *, indexed: bool = True) -> Intrinsic:
    """An operation on an element; `compare_and_swap` takes the first element, without an index."""
    called = f"cuda.atomic.{name}"
    counts = (1 + operation.operands + indexed,)

    def make(maker: Maker, node: ast.Call) -> Typed:
        given = arguments(maker, node, called, *counts)
        array = maker.value(given[0])
        kind = _array(maker, given[0], array.type, operation, called)
        maker.note_stored(given[0], kind)
        index = [_whole(maker, maker.value(given[1]))] if indexed else [Typed(Constant(0), _first)]
        indices = maker.subscripts(node, index)
        if len(indices) != kind.ndim:
            raise maker.not_typed(node, f"{len(indices)} indices for {described(kind)}")
        operands = [maker.number(one)[0] for one in given[1 + indexed :]]
        values = [maker.narrowed(node, one, kind.dtype) for one in operands]
        used = maker.unused is not node
        banks = _kind(name, kind.dtype, operands[0].type, used=used)
        keeps_nan = name in ("max", "min") and kind.dtype.kind == "f"
        site = maker.site(node)
        atomic = _Atomic(array, indices, values, operation, banks, used, keeps_nan, site)
        return Typed(kind.dtype, atomic.evaluate)

    return make


def _whole(maker: Maker, index: Typed) -> Typed:
    """An index; Numba cuts off what is behind the point, for atomics alone."""
    if isinstance(index.type, Tuple):
        return packed([_whole(maker, part) for part in unpacked(index, index.type)])
    dtype = number(index.type)
    if dtype is None or dtype.kind != "f":
        return index
    return Typed(INT64, cast(index, INT64))


def _first(_frame: Frame, _mask: Mask) -> Value:
    return np.zeros((1, 1), dtype=np.int64)


def _array(maker: Maker, node: ast.expr, kind: Type, operation: _Operation, called: str) -> Array:
    if not isinstance(kind, Array):
        raise maker.not_typed(node, f"{called} takes an array, not {described(kind)}")
    if kind.dtype not in operation.types:
        names = ", ".join(dtype.name for dtype in operation.types)
        raise maker.not_typed(node, f"{called} is not for {kind.dtype.name}", f"for: {names}")
    if kind.space not in ("global", "shared") or not kind.writable:
        raise maker.refused(node, f"{called} is for global and shared memory")
    return kind


def _kind(name: str, dtype: Scalar, operand: Type, *, used: bool) -> str:
    """What `grader.banks` calls it."""
    if name in ("cas", "compare_and_swap"):
        return "atom_cas"
    if dtype.kind == "f":
        return "atom_float"
    one = name == "add" and operand == Constant(1)
    return "atom_inc" if one and not used and dtype.itemsize == _WORD else "atom"


class _Atomic(NamedTuple):
    """An atomic of the source."""

    array: Typed
    indices: list[Evaluate]
    values: list[Evaluate]
    operation: _Operation
    banks: str
    used: bool
    keeps_nan: bool
    site: Site

    def evaluate(self, frame: Frame, mask: Mask) -> Value:
        """Carry it out; what each thread read before its turn."""
        view = self.array.evaluate(frame, mask)
        here = Here(frame.chunk, mask, self.site)
        flat, left = located(view, [one(frame, mask) for one in self.indices], here)
        if flat is None or left is None:
            return np.zeros((1, 1), dtype=view.buffer.dtype)
        operands = tuple(one(frame, mask) for one in self.values)
        apply, whole = self.operation.apply, self.operation.whole
        update = AtomicUpdate(apply, operands, whole, self.banks, self.used, self.keeps_nan)
        return view.buffer.atomic(flat, here._replace(mask=left), update)


CALLS: Table = {
    **{f"cuda.atomic.{name}": _atomic(name, one) for name, one in _OPERATIONS.items()},
    "cuda.atomic.compare_and_swap": _atomic("compare_and_swap", _OPERATIONS["cas"], indexed=False),
}
