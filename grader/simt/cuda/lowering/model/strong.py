"""Accesses of what is `volatile`, which threads may synchronize by: PTX's that are `relaxed`.

The PTX ISA says so of `ld.volatile` and `st.volatile`, which nvcc makes of them. But flags are
integers, in shared memory variables of one number, and a kernel that has some waits for them in a
loop. Other accesses count as plain ones: floats are data, which `volatile` alone does not publish,
nor does it order lanes that share an array; and two threads that count in a volatile integer
without a lock lose increments.
"""

from __future__ import annotations

from functools import partial

from grader.simt.checks.counters import Site
from grader.simt.checks.fences import Strength
from grader.simt.intrinsics.atomic import Atomic, change_target
from grader.simt.program.kernel import Program
from grader.simt.program.nodes import Do, Expression, Perform
from grader.simt.program.types import Scalar


def load(program: Program, site: Site, dtype: Scalar, pointer: Expression) -> Perform:
    """Return what memory holds of a volatile integer."""
    return _access("load", program, site, dtype, pointer)


def store(
    program: Program, site: Site, dtype: Scalar, pointer: Expression, value: Expression
) -> Do:
    """Return what stores a volatile integer."""
    return Do(_access("store", program, site, dtype, pointer, value))


def _access(
    does: str, program: Program, site: Site, dtype: Scalar, *operands: Expression
) -> Perform:
    program.atomic = True
    used, strength = does == "load", Strength(bare=True)
    atomic = Atomic(does, dtype, used=used, by_one=False, strength=strength, volatile=program)
    name = f"atomic volatile {does}"
    return Perform(dtype, name, partial(change_target, atomic), operands, site)
