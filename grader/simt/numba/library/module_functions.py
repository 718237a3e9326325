"""Functions of Numba's modules: `cuda.fp16`, `cuda.bf16`, and `numba.cuda.libdevice`.

Most have a single signature: any number that Numba converts to it will do.
"""

from __future__ import annotations

import ast

from grader.facts import fact
from grader.simt.intrinsics.functions import bfloat16, half, libdevice, rounding
from grader.simt.intrinsics.functions.fixed_signatures import FixedSignature
from grader.simt.numba.library.calling import (
    Intrinsic,
    Table,
    apply_function,
    arguments,
    describe_mismatch,
    elementwise,
)
from grader.simt.numba.operations import cast_narrow
from grader.simt.numba.reading.typing_rules import can_cast
from grader.simt.numba.typed import cast
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Expression
from grader.simt.program.types import BFLOAT16, BOOL, Tuple

_OF_HALF = (
    ("half 1", 1, half.ONE),
    ("half 2", 2, half.TWO),
    ("half test", 2, half.TESTS),
    ("half 3", 3, {"hfma": rounding.fma}),
)
"""How each is typed, and what computes it, by name."""


def _make_fixed(called: str, entry: FixedSignature) -> Intrinsic:
    """Make a function; several results are a tuple."""

    def make(unit: Unit, node: ast.Call) -> Expression:
        nodes = arguments(unit, node, called, len(entry.operands))
        given = [unit.compile_number(argument) for argument in nodes]
        kinds = [dtype for _, dtype in given]
        if not all(map(can_cast, kinds, entry.operands)):
            raise unit.typing_error(node, describe_mismatch(called, *kinds))
        pairs = zip(given, entry.operands, strict=True)
        operands = tuple(cast(typed, dtype) for (typed, _), dtype in pairs)
        if len(entry.results) > 1:
            return apply_function(called, entry.apply, operands, Tuple(entry.results))
        (result,) = entry.results
        unit.widening.note(node, called, result, tuple(typed.type for typed, _ in given))
        return apply_function(called, entry.apply, operands, result)

    return make


def _to_bfloat16(unit: Unit, node: ast.Call) -> Expression:
    """Compile `bfloat16(x)`."""
    (given,) = arguments(unit, node, "bfloat16", 1)
    typed, dtype = unit.compile_number(given)
    if dtype not in (BFLOAT16, BOOL) and not can_cast(dtype, BFLOAT16):
        raise unit.typing_error(node, describe_mismatch("bfloat16", dtype))
    return cast_narrow(unit, node, typed, BFLOAT16)


def _bessel(name: str) -> Intrinsic:
    """Make a Bessel function; it is refused where the machine's C library has none."""
    called = f"libdevice.{name}"

    def make(unit: Unit, node: ast.Call) -> Expression:
        try:
            entry = libdevice.find_bessel(name)
        except LookupError:
            raise unit.refusal(node, fact("simt.no-c-library", name=called)) from None
        return _make_fixed(called, entry)(unit, node)

    return make


CALLS: Table = {
    **{
        f"cuda.fp16.{name}": elementwise(f"cuda.fp16.{name}", rule, function, count)
        for rule, count, functions in _OF_HALF
        for name, function in functions.items()
    },
    **{
        f"cuda.bf16.{name}": _make_fixed(f"bf16.{name}", entry)
        for name, entry in bfloat16.ENTRIES.items()
    },
    **{
        f"{module}.bfloat16": _to_bfloat16
        for module in ("cuda", "cuda.bf16", "cuda.types", "numba")
    },
    **{
        f"cuda.libdevice.{name}": _make_fixed(f"libdevice.{name}", entry)
        for name, entry in libdevice.ENTRIES.items()
    },
    **{f"cuda.libdevice.{name}": _bessel(name) for name in libdevice.BESSEL},
}
