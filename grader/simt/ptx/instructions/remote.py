"""`st.async` and `red.async` (PTX ISA 9.7.9.12, 9.7.13.9): stores that report to an `mbarrier`.

They go to shared memory of a block of the cluster, and take place when threads look at the barrier.
"""

from __future__ import annotations

from functools import partial

from grader.simt.intrinsics import arrivals
from grader.simt.intrinsics.atomic import CHANGES, Atomic, change_target
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.conversion import uniform
from grader.simt.machine.frame import Value
from grader.simt.masks import Mask
from grader.simt.memory.pointers import VectorCells, reach_target
from grader.simt.program.nodes import Do, Operation
from grader.simt.program.types import INT64, Nothing, Scalar, VectorType
from grader.simt.ptx import syntax
from grader.simt.ptx.instructions.mbarriers import address_of
from grader.simt.ptx.operands import Lowering, perform
from grader.simt.ptx.syntax import Address, registers_of
from grader.simt.ptx.values import DTYPES

_REPORTS = "mbarrier::complete_tx::bytes"


def store_async(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `st.async` and `red.async`."""
    modifiers, operands, program = instruction.modifiers, instruction.operands, lowering.program
    kind = modifiers[-1]
    if _REPORTS not in modifiers or len(operands) != 3 or kind not in DTYPES:
        raise lowering.refuse(instruction)
    address, given, barrier = operands
    if not isinstance(address, Address):
        raise lowering.refuse(instruction)
    program.timed = program.stores_anywhere = True
    values = [lowering.read(each, kind, instruction) for each in registers_of(given)]
    dtype = DTYPES[kind]
    run = partial(_store, dtype if len(values) == 1 else VectorType(dtype, len(values)))
    if instruction.opcode == "red":
        does = next((each for each in modifiers if each in CHANGES), "")
        if not does or len(values) != CHANGES[does].operands:
            raise lowering.refuse(instruction)
        run = partial(_reduce, Atomic(does, dtype, used=False, by_one=False))
    pointers = (
        lowering.pointer(address, "shared", instruction),
        address_of(lowering, barrier, instruction),
    )
    return [Do(perform(lowering, instruction, Nothing(), "async", run, *pointers, *values))]


def _store(
    kind: Scalar | VectorType, here: ExecutionPoint, pointer: Value, barrier: Value, *values: Value
) -> None:
    def finish(mask: Mask) -> None:
        cells = reach_target(kind, pointer, (), here._replace(mask=mask))
        if isinstance(cells, VectorCells):
            cells.store(values)
        elif cells is not None:
            cells.store(values[0])

    dtype = kind.dtype if isinstance(kind, VectorType) else kind
    size = uniform(dtype.itemsize * len(values), INT64)
    arrivals.report_copy(here, barrier, finish, bytes_=size)


def _reduce(
    atomic: Atomic, here: ExecutionPoint, pointer: Value, barrier: Value, *values: Value
) -> None:
    def finish(mask: Mask) -> None:
        change_target(atomic, here._replace(mask=mask), pointer, *values)

    size = uniform(atomic.dtype.itemsize, INT64)
    arrivals.report_copy(here, barrier, finish, bytes_=size)
