"""`numba.cuda.random` in a kernel: Numba's names, and how its calls are given states."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import Any

from grader.facts import fact
from grader.simt.intrinsics import random_numbers
from grader.simt.intrinsics.functions import xoroshiro
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
    Type,
    describe,
)


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
    return Perform(Nothing(), name, random_numbers.seed, operands, unit.site(node))


_OF_STATES: dict[str, tuple[Type, Callable[..., Any]]] = {
    "xoroshiro128p_next": (UINT64, random_numbers.draw_words),
    "xoroshiro128p_uniform_float32": (FLOAT32, partial(random_numbers.draw_uniform, FLOAT32)),
    "xoroshiro128p_uniform_float64": (FLOAT64, partial(random_numbers.draw_uniform, FLOAT64)),
    "xoroshiro128p_normal_float32": (FLOAT32, partial(random_numbers.draw_normal, FLOAT32)),
    "xoroshiro128p_normal_float64": (FLOAT64, partial(random_numbers.draw_normal, FLOAT64)),
    "xoroshiro128p_jump": (Nothing(), random_numbers.jump),
}

CALLS: Table = {
    **{f"cuda.random.{name}": _of_states(name, *entry) for name, entry in _OF_STATES.items()},
    "cuda.random.init_xoroshiro128p_state": _init,
}
