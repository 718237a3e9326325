"""`numba.cuda.random` in a kernel: Numba's names, and how its calls are given states.

Each call reads a thread's state from an array of them, and writes it. The states are records of the
dtype `xoroshiro.STATE`; `at` is the int64 index of a thread's own.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from grader.facts import fact
from grader.simt.intrinsics.functions import xoroshiro
from grader.simt.intrinsics.functions.xoroshiro import State
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.masks import Mask
from grader.simt.memory.choices import ArrayValue, change_arrays
from grader.simt.memory.reaching import Reached
from grader.simt.memory.records import field_of, find_record, reach_field
from grader.simt.memory.views import View
from grader.simt.numba.library.calling import Intrinsic, Table, arguments
from grader.simt.numba.typed import cast
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Expression, Perform
from grader.simt.program.types import (
    FLOAT32,
    FLOAT64,
    INT64,
    UINT64,
    Array,
    Nothing,
    Scalar,
    Type,
    describe,
)

_FIELDS = tuple(field_of(xoroshiro.STATE, name) for name in ("s0", "s1"))
_NO_WORD = np.zeros((1, 1), dtype=np.uint64)


class _Memory:
    """The states of the threads of a call."""

    def __init__(self, here: ExecutionPoint, states: ArrayValue, at: Value) -> None:
        def find_state(view: View, lanes: Mask) -> View:
            return find_record(view, [at], here._replace(mask=lanes))

        self._record = change_arrays(states, here.mask, find_state)
        self._here = here

    def _cells(self) -> list[Reached | None]:
        by_byte = not xoroshiro.STATE.isalignedstruct
        return [reach_field(self._record, one, self._here, by_byte=by_byte) for one in _FIELDS]

    def load(self) -> State:
        """Read both words."""
        first, second = (_NO_WORD if part is None else part.load() for part in self._cells())
        return first, second

    def store(self, state: State) -> None:
        """Write both words."""
        for part, words in zip(self._cells(), state, strict=True):
            if part is not None:
                part.store(words)

    def step(self) -> Value:
        """Return the next random words; the states advance."""
        words, after = xoroshiro.step(self.load())
        self.store(after)
        return words

    def uniform(self, dtype: Scalar) -> Value:
        """Return the next numbers in [0, 1)."""
        return xoroshiro.uniform(self.step()).astype(dtype)


def draw_words(here: ExecutionPoint, states: ArrayValue, at: Value) -> Value:
    """Return the next random words, uint64."""
    return _Memory(here, states, at).step()


def draw_uniform(dtype: Scalar, here: ExecutionPoint, states: ArrayValue, at: Value) -> Value:
    """Return the next numbers in [0, 1)."""
    return _Memory(here, states, at).uniform(dtype)


def draw_normal(dtype: Scalar, here: ExecutionPoint, states: ArrayValue, at: Value) -> Value:
    """Return the next normally distributed numbers, each from two uniform ones."""
    memory = _Memory(here, states, at)
    return xoroshiro.normal(memory.uniform(FLOAT32), memory.uniform(FLOAT32), dtype)


def jump(here: ExecutionPoint, states: ArrayValue, at: Value) -> None:
    """Advance the states by 2**64 steps, step by step as a device does it."""
    memory = _Memory(here, states, at)
    state: State = _NO_WORD, _NO_WORD
    for added in xoroshiro.jump_bits():
        if added:
            now = memory.load()
            state = state[0] ^ now[0], state[1] ^ now[1]
        memory.step()
    memory.store(state)


def seed(here: ExecutionPoint, start: Value, states: ArrayValue, at: Value) -> None:
    """Give the states the words of a seed, uint64."""
    word = xoroshiro.seed(start)
    _Memory(here, states, at).store((word, word))


def _states(unit: Unit, given: list[ast.expr]) -> tuple[Expression, Expression]:
    """Compile an array of states, and the index of a thread's own."""
    array = unit.compile_expression(given[0])
    kind = array.type
    if not isinstance(kind, Array) or kind.ndim != 1 or kind.dtype != xoroshiro.STATE:
        raise unit.typing_error(given[0], fact("simt.not-states", type=describe(kind)))
    unit.note_store(given[0], kind)
    return array, cast(unit.compile_number(given[1])[0], INT64)


def _of_states(name: str, result: Type, run: Callable[..., Any]) -> Intrinsic:
    def make(unit: Unit, node: ast.Call) -> Expression:
        given = arguments(unit, node, name, 2, named=("states", "index"))
        return Perform(result, name, run, _states(unit, given), unit.site(node))

    return make


def _init(unit: Unit, node: ast.Call) -> Expression:
    name, named = "init_xoroshiro128p_state", ("states", "index", "seed")
    given = arguments(unit, node, name, 3, named=named)
    states = _states(unit, given)
    operands = cast(unit.compile_number(given[2])[0], UINT64), *states
    return Perform(Nothing(), name, seed, operands, unit.site(node))


_OF_STATES: dict[str, tuple[Type, Callable[..., Any]]] = {
    "xoroshiro128p_next": (UINT64, draw_words),
    "xoroshiro128p_uniform_float32": (FLOAT32, partial(draw_uniform, FLOAT32)),
    "xoroshiro128p_uniform_float64": (FLOAT64, partial(draw_uniform, FLOAT64)),
    "xoroshiro128p_normal_float32": (FLOAT32, partial(draw_normal, FLOAT32)),
    "xoroshiro128p_normal_float64": (FLOAT64, partial(draw_normal, FLOAT64)),
    "xoroshiro128p_jump": (Nothing(), jump),
}

CALLS: Table = {
    **{f"cuda.random.{name}": _of_states(name, *entry) for name, entry in _OF_STATES.items()},
    "cuda.random.init_xoroshiro128p_state": _init,
}
