"""`numba.cuda.random` in a kernel: each call reads a thread's state from memory and writes it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from grader.facts import fact
from grader.simt.intrinsics import xoroshiro
from grader.simt.intrinsics.xoroshiro import State
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.frame import Evaluate, Frame, Value
from grader.simt.masks import Mask
from grader.simt.memory.choices import ArrayValue, change_arrays
from grader.simt.memory.reaching import Reached
from grader.simt.memory.records import field_of, find_record, reach_field
from grader.simt.memory.views import View
from grader.simt.numba.library.calling import Intrinsic, Table, arguments
from grader.simt.numba.typed import TypedValue, cast
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Expression
from grader.simt.program.types import (
    FLOAT32,
    FLOAT64,
    INT64,
    UINT64,
    Array,
    Nothing,
    Scalar,
    describe,
)

_FIELDS = tuple(field_of(xoroshiro.STATE, name) for name in ("s0", "s1"))
_NO_WORD = np.zeros((1, 1), dtype=np.uint64)


class _Memory:
    """The states of the threads of a call."""

    def __init__(self, record: ArrayValue, here: ExecutionPoint) -> None:
        self._record = record
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


def _states(unit: Unit, node: ast.Call, given: list[ast.expr]) -> Callable[..., _Memory]:
    """Compile what finds the states of a call: an array of them and an index."""
    array = unit.compile_expression(given[0])
    kind = array.type
    if not isinstance(kind, Array) or kind.ndim != 1 or kind.dtype != xoroshiro.STATE:
        raise unit.typing_error(given[0], fact("simt.not-states", type=describe(kind)))
    unit.note_store(given[0], kind)
    index, site = cast(unit.compile_number(given[1])[0], INT64), unit.site(node)

    def find(frame: Frame, mask: Mask) -> _Memory:
        whole, at = array.evaluate(frame, mask), index(frame, mask)

        def find_state(view: View, lanes: Mask) -> View:
            return find_record(view, [at], ExecutionPoint(frame.chunk, lanes, site))

        record = change_arrays(whole, mask, find_state)
        return _Memory(record, ExecutionPoint(frame.chunk, mask, site))

    return find


def _draw(name: str, dtype: Scalar, draw: Callable[[_Memory], Value]) -> Intrinsic:
    def make(unit: Unit, node: ast.Call) -> Expression:
        given = arguments(unit, node, name, 2, named=("states", "index"))
        find = _states(unit, node, given)
        return TypedValue(dtype, lambda frame, mask: draw(find(frame, mask)))

    return make


def _uniform(dtype: Scalar) -> Callable[[_Memory], Value]:
    return lambda memory: xoroshiro.uniform(memory.step()).astype(dtype)


def _normal(dtype: Scalar) -> Callable[[_Memory], Value]:
    single = _uniform(FLOAT32)
    return lambda memory: xoroshiro.normal(single(memory), single(memory), dtype)


def _jump(unit: Unit, node: ast.Call) -> Expression:
    given = arguments(unit, node, "xoroshiro128p_jump", 2, named=("states", "index"))
    find = _states(unit, node, given)

    def evaluate(frame: Frame, mask: Mask) -> None:
        memory = find(frame, mask)
        state: State = _NO_WORD, _NO_WORD
        for added in xoroshiro.jump_bits():
            if added:
                now = memory.load()
                state = state[0] ^ now[0], state[1] ^ now[1]
            memory.step()
        memory.store(state)

    return TypedValue(Nothing(), evaluate)


def _init(unit: Unit, node: ast.Call) -> Expression:
    named = ("states", "index", "seed")
    given = arguments(unit, node, "init_xoroshiro128p_state", 3, named=named)
    find = _states(unit, node, given)
    start: Evaluate = cast(unit.compile_number(given[2])[0], UINT64)

    def evaluate(frame: Frame, mask: Any) -> None:
        word = xoroshiro.seed(start(frame, mask))
        find(frame, mask).store((word, word))

    return TypedValue(Nothing(), evaluate)


_DRAWS: dict[str, tuple[Scalar, Callable[[_Memory], Value]]] = {
    "xoroshiro128p_next": (UINT64, _Memory.step),
    "xoroshiro128p_uniform_float32": (FLOAT32, _uniform(FLOAT32)),
    "xoroshiro128p_uniform_float64": (FLOAT64, _uniform(FLOAT64)),
    "xoroshiro128p_normal_float32": (FLOAT32, _normal(FLOAT32)),
    "xoroshiro128p_normal_float64": (FLOAT64, _normal(FLOAT64)),
}

CALLS: Table = {
    **{f"cuda.random.{name}": _draw(name, *draw) for name, draw in _DRAWS.items()},
    "cuda.random.xoroshiro128p_jump": _jump,
    "cuda.random.init_xoroshiro128p_state": _init,
}
