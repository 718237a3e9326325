"""`numba.cuda.libdevice`: NVIDIA's mathematical functions, each with its one signature.

Unsigned integers are typed as signed ones, as Numba declares them. A function that returns by
pointer gives a tuple.
"""

from __future__ import annotations

import ast

import numpy as np

from grader.facts import fact
from grader.simt.compiler.unit import Unit
from grader.simt.intrinsics import special_functions
from grader.simt.intrinsics.calling import (
    OPERATION_OF_FUNCTION,
    Intrinsic,
    Table,
    arguments,
    describe_mismatch,
)
from grader.simt.intrinsics.libdevice_integers import INTEGERS, Entry
from grader.simt.intrinsics.libdevice_reals import REALS
from grader.simt.intrinsics.special_functions import each
from grader.simt.machine.chunk import OPERATION
from grader.simt.machine.typed import Frame, TypedValue, Value, cast
from grader.simt.masks import Mask
from grader.simt.reading.types import FLOAT32, FLOAT64, INT32, Scalar, Tuple
from grader.simt.reading.typing_rules import UNSAFE, rank


def _make(name: str, entry: Entry) -> Intrinsic:
    called = f"libdevice.{name}"

    def make(unit: Unit, node: ast.Call) -> TypedValue:
        nodes = arguments(unit, node, called, len(entry.operands))
        given = [unit.compile_number(argument) for argument in nodes]
        kinds = [dtype for _, dtype in given]
        if any(
            rank(kind, wanted) > UNSAFE for kind, wanted in zip(kinds, entry.operands, strict=True)
        ):
            raise unit.typing_error(node, describe_mismatch(called, *kinds))
        pairs = zip(given, entry.operands, strict=True)
        operands = [cast(typed, dtype) for (typed, _), dtype in pairs]
        if len(entry.results) == 1:
            types = tuple(typed.type for typed, _ in given)
            unit.widening.note(node, called, entry.results[0], types)

        def evaluate(frame: Frame, mask: Mask) -> Value:
            values = [operand(frame, mask) for operand in operands]
            found = entry.apply(*values)
            parts = found if isinstance(found, tuple) else (found,)
            made = tuple(
                np.asarray(part).astype(dtype)
                for part, dtype in zip(parts, entry.results, strict=True)
            )
            frame.chunk.charge(OPERATION + OPERATION_OF_FUNCTION * made[0].size)
            return made if len(made) > 1 else made[0]

        kind = Tuple(entry.results) if len(entry.results) > 1 else entry.results[0]
        return TypedValue(kind, evaluate)

    return make


def _bessel(name: str, dtype: Scalar) -> Intrinsic:
    """Make a Bessel function; it is refused where the machine's C library has none."""
    own = name.removesuffix("f")
    operands = (INT32, dtype) if own.endswith("n") else (dtype,)

    def make(unit: Unit, node: ast.Call) -> TypedValue:
        try:
            function = special_functions.bessel(own)
        except LookupError:
            raise unit.refusal(node, fact("simt.no-c-library", name=f"libdevice.{name}")) from None
        return _make(name, Entry((dtype,), operands, each(function)))(unit, node)

    return make


ENTRIES = {**REALS, **INTEGERS}
"""All but the Bessel functions, by name."""
_BESSEL = [
    (f"{name}{suffix}", dtype)
    for name in ("j0", "j1", "jn", "y0", "y1", "yn")
    for suffix, dtype in (("", FLOAT64), ("f", FLOAT32))
]

CALLS: Table = {
    **{f"cuda.libdevice.{name}": _make(name, entry) for name, entry in ENTRIES.items()},
    **{f"cuda.libdevice.{name}": _bessel(name, dtype) for name, dtype in _BESSEL},
}
