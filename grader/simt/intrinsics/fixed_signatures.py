"""Makes functions that have a single signature: any number that Numba converts to it will do."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.simt.machine.chunk import OPERATION, OPERATION_OF_FUNCTION
from grader.simt.machine.conversion import convert
from grader.simt.machine.frame import Frame, Value
from grader.simt.masks import Mask
from grader.simt.numba.library.calling import (
    Intrinsic,
    arguments,
    describe_mismatch,
)
from grader.simt.numba.reading.typing_rules import can_cast
from grader.simt.numba.typed import TypedValue, cast
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Expression
from grader.simt.program.types import Scalar, Tuple

Vector = NDArray[Any]
Function = Callable[..., Any]


class Entry(NamedTuple):
    """A function: its results, its operands, and what computes it from vectors of those types."""

    results: tuple[Scalar, ...]
    operands: tuple[Scalar, ...]
    apply: Function


def make_fixed(called: str, entry: Entry) -> Intrinsic:
    """Make a function; several results are a tuple."""

    def make(unit: Unit, node: ast.Call) -> Expression:
        nodes = arguments(unit, node, called, len(entry.operands))
        given = [unit.compile_number(argument) for argument in nodes]
        kinds = [dtype for _, dtype in given]
        if not all(map(can_cast, kinds, entry.operands)):
            raise unit.typing_error(node, describe_mismatch(called, *kinds))
        pairs = zip(given, entry.operands, strict=True)
        operands = [cast(typed, dtype) for (typed, _), dtype in pairs]
        if len(entry.results) == 1:
            types = tuple(typed.type for typed, _ in given)
            unit.widening.note(node, called, entry.results[0], types)

        def evaluate(frame: Frame, mask: Mask) -> Value:
            found = entry.apply(*(operand(frame, mask) for operand in operands))
            parts = found if isinstance(found, tuple) else (found,)
            results = zip(parts, entry.results, strict=True)
            made = tuple(convert(np.asarray(part), dtype) for part, dtype in results)
            frame.chunk.charge(OPERATION + OPERATION_OF_FUNCTION * made[0].size)
            return made if len(made) > 1 else made[0]

        kind = Tuple(entry.results) if len(entry.results) > 1 else entry.results[0]
        return TypedValue(kind, evaluate)

    return make
