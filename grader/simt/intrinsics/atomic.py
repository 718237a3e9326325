"""Atomic operations on an element: what each one does, and how the bank model counts it."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

import numpy as np

from grader.simt.checks.fences import Strength
from grader.simt.intrinsics.functions.pairs import add_bfloat2, add_bfloats, add_half2
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.memory.choices import ArrayValue
from grader.simt.memory.pointers import reach_target
from grader.simt.memory.reaching import Cells, reach
from grader.simt.memory.views import AtomicUpdate
from grader.simt.program.kernel import Program
from grader.simt.program.types import Scalar

_WORD = 4


class AtomicChange(NamedTuple):
    """What an atomic makes of an element.

    Attributes:
        apply: from the old values and the operands to the new values, elementwise.
        whole: the ufunc that does it to many at once, if there is one.
        operands: how many it takes.
    """

    apply: Callable[..., Any]
    whole: np.ufunc | None = None
    operands: int = 1


def _larger(old: Value, new: Value) -> Value:
    return np.where(new > old, new, old)


def _smaller(old: Value, new: Value) -> Value:
    return np.where(new < old, new, old)


def _increment(old: Value, top: Value) -> Value:
    return np.where(old >= top, 0, old + 1)


def _decrement(old: Value, top: Value) -> Value:
    return np.where((old == 0) | (old > top), top, old - 1)


def _exchange(_old: Value, new: Value) -> Value:
    return new


def _read(old: Value) -> Value:
    return old


def _compare_and_swap(old: Value, wanted: Value, new: Value) -> Value:
    return np.where(old == wanted, new, old)


CHANGES = {
    "add": AtomicChange(np.add, np.add),
    "add bfloat16": AtomicChange(add_bfloats),
    "add half2": AtomicChange(add_half2),
    "add bfloat162": AtomicChange(add_bfloat2),
    "sub": AtomicChange(np.subtract, np.subtract),
    "max": AtomicChange(_larger, np.fmax),
    "min": AtomicChange(_smaller, np.fmin),
    "nanmax": AtomicChange(np.fmax, np.fmax),
    "nanmin": AtomicChange(np.fmin, np.fmin),
    "and": AtomicChange(np.bitwise_and, np.bitwise_and),
    "or": AtomicChange(np.bitwise_or, np.bitwise_or),
    "xor": AtomicChange(np.bitwise_xor, np.bitwise_xor),
    "inc": AtomicChange(_increment),
    "dec": AtomicChange(_decrement),
    "exch": AtomicChange(_exchange),
    "cas": AtomicChange(_compare_and_swap, operands=2),
    "load": AtomicChange(_read, operands=0),
    "store": AtomicChange(_exchange),
}
"""Beside changes, the load and the store that threads synchronize by."""

_ON_BITS = ("add bfloat16", "add half2", "add bfloat162")
"""Additions of floats whose memory is known by its bits."""


class Atomic(NamedTuple):
    """An atomic of a kernel.

    Attributes:
        name: of `CHANGES`.
        used: True if the kernel uses what was there before.
        by_one: True if it is known to add 1.
        volatile: the program of a volatile load or store, which is plain unless threads wait by it.
    """

    name: str
    dtype: Scalar
    used: bool
    by_one: bool
    strength: Strength = Strength()
    volatile: Program | None = None

    @property
    def banks(self) -> str:
        """The kind of access that `grader.banks` knows it by."""
        if self.name in ("load", "store"):
            return self.name
        if self.name == "cas":
            return "atom_cas"
        if self.dtype.kind == "f" or self.name in _ON_BITS:
            return "atom_float"
        increments = self.name == "add" and self.by_one and not self.used
        return "atom_inc" if increments and self.dtype.itemsize == _WORD else "atom"


def change_element(atomic: Atomic, here: ExecutionPoint, array: ArrayValue, *given: Value) -> Value:
    """Change an element of an array, one thread after the other.

    Args:
        array: in global or shared memory.
        given: an integer for each axis, then the operands.

    Returns:
        What each thread read before its turn.
    """
    axes = len(given) - CHANGES[atomic.name].operands
    return _change(atomic, reach(array, given[:axes], here), given[axes:])


def change_target(atomic: Atomic, here: ExecutionPoint, pointer: Value, *operands: Value) -> Value:
    """Change what pointers point to, one thread after the other.

    Args:
        pointer: into global or shared memory.

    Returns:
        What each thread read before its turn.
    """
    cells: Any = reach_target(atomic.dtype, pointer, (), here)
    return _change(atomic, cells, operands)


def _is_flag(cells: Any, program: Program) -> bool:
    """Return True for what a volatile access may synchronize by."""
    if not program.polls:
        return False
    if cells.space != "shared":
        return bool(cells.space == "global")
    return isinstance(cells, Cells) and prod(cells.buffer.watched.shape) == 1


def _change(atomic: Atomic, cells: Any, operands: tuple[Value, ...]) -> Value:
    change = CHANGES[atomic.name]
    if cells is None:
        return np.zeros((1, 1), dtype=atomic.dtype)
    if atomic.volatile is not None and not _is_flag(cells, atomic.volatile):
        if atomic.name == "load":
            return cells.load()
        return cells.store(operands[0])
    keeps_nan = atomic.name in ("max", "min") and atomic.dtype.kind == "f"
    reads = atomic.used or atomic.name not in ("exch", "store")
    strength = atomic.strength._replace(reads=atomic.name != "store", writes=atomic.name != "load")
    return cells.atomic(
        AtomicUpdate(
            change.apply,
            operands,
            change.whole,
            atomic.banks,
            atomic.used,
            keeps_nan,
            reads,
            strength=strength,
        )
    )
