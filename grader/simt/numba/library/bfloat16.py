"""`cuda.bf16`: functions of bfloat16, and the conversion to it."""

from __future__ import annotations

import ast

from grader.simt.intrinsics.functions.bfloat16 import ENTRIES
from grader.simt.numba.library.calling import Table, arguments, describe_mismatch
from grader.simt.numba.library.fixed_signatures import make_fixed
from grader.simt.numba.operations import cast_narrow
from grader.simt.numba.reading.typing_rules import can_cast
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Expression
from grader.simt.program.types import BFLOAT16, BOOL


def _bfloat16(unit: Unit, node: ast.Call) -> Expression:
    """Compile `bfloat16(x)`."""
    (given,) = arguments(unit, node, "bfloat16", 1)
    typed, dtype = unit.compile_number(given)
    if dtype not in (BFLOAT16, BOOL) and not can_cast(dtype, BFLOAT16):
        raise unit.typing_error(node, describe_mismatch("bfloat16", dtype))
    return cast_narrow(unit, node, typed, BFLOAT16)


CALLS: Table = {
    **{f"cuda.bf16.{name}": make_fixed(f"bf16.{name}", entry) for name, entry in ENTRIES.items()},
    **{f"{module}.bfloat16": _bfloat16 for module in ("cuda", "cuda.bf16", "cuda.types", "numba")},
}
