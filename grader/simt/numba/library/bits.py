"""Bits and single instructions: popc, brev, clz, ffs, fma, cbrt, selp, nanosleep."""

from __future__ import annotations

import ast

import numpy as np

from grader.facts import fact
from grader.simt.intrinsics.functions import bits, rounding
from grader.simt.numba.library.calling import (
    Table,
    apply_function,
    arguments,
    compile_whole,
    describe_mismatch,
    elementwise,
)
from grader.simt.numba.typed import cast
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Expression, Perform
from grader.simt.program.types import (
    BOOL,
    FLOAT32,
    FLOAT64,
    INT16,
    INT32,
    INT64,
    UINT16,
    UINT32,
    UINT64,
    Nothing,
)

_SELECTED = (FLOAT64, FLOAT32, INT16, UINT16, INT32, UINT32, INT64, UINT64)


def _selp(unit: Unit, node: ast.Call) -> Expression:
    given = arguments(unit, node, "cuda.selp", 3)
    test, kind = unit.compile_number(given[0])
    if kind != BOOL:
        instead = fact("advice.write", code="x != 0")
        raise unit.typing_error(node, describe_mismatch("cuda.selp", kind), instead)
    (first, dtype), (second, other) = unit.compile_number(given[1]), unit.compile_number(given[2])
    if dtype != other or dtype not in _SELECTED:
        raise unit.typing_error(node, fact("simt.select-types", one=dtype.name, other=other.name))
    operands = cast(test, BOOL), cast(first, dtype), cast(second, dtype)
    return apply_function("selp", np.where, operands, dtype)


def _nanosleep(unit: Unit, node: ast.Call) -> Expression:
    (given,) = arguments(unit, node, "cuda.nanosleep", 1)
    typed = compile_whole(unit, node, "cuda.nanosleep", given)
    return Perform(Nothing(), "nanosleep", bits.sleep, (typed,), unit.site(node), alone=True)


CALLS: Table = {
    "cuda.popc": elementwise("cuda.popc", "bits of one", bits.popc),
    "cuda.brev": elementwise("cuda.brev", "brev", bits.brev),
    "cuda.clz": elementwise("cuda.clz", "bits of one", bits.clz),
    "cuda.ffs": elementwise("cuda.ffs", "ffs", bits.ffs),
    "cuda.fma": elementwise("cuda.fma", "fma", rounding.fma, 3),
    "cuda.cbrt": elementwise("cuda.cbrt", "real", np.cbrt),
    "cuda.selp": _selp,
    "cuda.nanosleep": _nanosleep,
}
