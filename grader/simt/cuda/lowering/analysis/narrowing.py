"""Lists must not lose digits: `int x{2.5}` is no C++, while `int x = 2.5` is."""

from __future__ import annotations

import math

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.analysis.folding import fold
from grader.simt.cuda.lowering.model.types import NULLPTR, Arithmetic, CType, is_scoped
from grader.simt.cuda.lowering.model.values import Plain
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.machine.conversion import uniform
from grader.simt.program.types import BFLOAT16, FLOAT16


def check_narrowing(unit: CudaUnit, node: syntax.Node, value: Plain, kind: CType) -> None:
    """Check that a type holds a constant that begins it in a list.

    Of variables, whose values may not fit, compilers only warn.

    Raises:
        Refused: it does not hold it.
    """
    own = value.type
    if not _is_number(own) or not _is_number(kind):
        return
    assert isinstance(own, Arithmetic)  # as all numbers
    assert isinstance(kind, Arithmetic)
    known = fold(value.node)
    if known is not None and not _holds(own, kind, known):
        raise unit.error(node, fact("cpp.narrowing", value=str(known), type=kind.name))


def _is_number(kind: CType) -> bool:
    """Return True for a number of C++'s own: halves are structs, with conversions of their own."""
    if not isinstance(kind, Arithmetic) or is_scoped(kind):
        return False
    return kind != NULLPTR and kind.dtype not in (FLOAT16, BFLOAT16)


def _holds(own: Arithmetic, kind: Arithmetic, known: float) -> bool:
    if kind.is_integer and not own.is_integer:
        return False
    there = uniform(known, kind.dtype)[0, 0].item()
    if own.is_integer:
        return bool(there == known)
    return math.isinf(known) or not math.isinf(there)
