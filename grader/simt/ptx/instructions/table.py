"""The instructions that are emulated, by opcode; all others are refused by their names."""

from __future__ import annotations

from grader.simt.program.nodes import Operation
from grader.simt.ptx import syntax
from grader.simt.ptx.instructions import calls, computing, copies, mbarriers, memory, remote, warps
from grader.simt.ptx.instructions.memory import Lower
from grader.simt.ptx.instructions.modifiers import find_unknown
from grader.simt.ptx.instructions.tensor_cores import matrices, wgmma, wmma
from grader.simt.ptx.operands import Lowering

_INSTRUCTIONS: dict[str, Lower] = {
    "mov": computing.move,
    "ld": memory.load,
    "ldu": memory.load,
    "st": memory.store,
    "atom": memory.atomic,
    "red": memory.atomic,
    "cvta": memory.convert_address,
    "isspacep": memory.is_in_space,
    "mapa": memory.map_address,
    "getctarank": memory.find_rank,
    "prefetch": memory.nothing,
    "prefetchu": memory.nothing,
    "discard": memory.nothing,
    "applypriority": memory.nothing,
    "griddepcontrol": memory.nothing,
    "setmaxnreg": memory.nothing,
    "pmevent": memory.nothing,
    "createpolicy": memory.create_policy,
    "cp": copies.copy_async,
    "call": calls.call,
    "bar": warps.barrier,
    "barrier": warps.barrier,
    "mbarrier": mbarriers.barrier_object,
    "membar": warps.fence,
    "fence": warps.fence,
    "shfl": warps.shuffle,
    "vote": warps.vote,
    "match": warps.match,
    "redux": warps.reduce,
    "activemask": warps.active_mask,
    "elect": warps.elect,
    "nanosleep": warps.sleep,
    "trap": warps.trap,
    "mma": matrices.multiply,
    "ldmatrix": matrices.load_matrices,
    "stmatrix": matrices.store_matrices,
    "movmatrix": matrices.move_matrix,
    "wmma": wmma.warp_matrices,
    "wgmma": wgmma.warpgroup,
}


_LEAST = {
    "mov": (2, 1), "ld": (2, 1), "ldu": (2, 1), "st": (2, 1), "atom": (3, 2), "red": (2, 2),
    "cvta": (2, 1), "isspacep": (2, 1), "mapa": (3, 1), "getctarank": (2, 1), "cp": (0, 2),
    "call": (1, 0), "bar": (1, 1), "barrier": (0, 1), "mbarrier": (1, 2),
    "shfl": (5, 2), "vote": (3, 2), "match": (3, 2),
    "redux": (3, 3), "activemask": (1, 1), "elect": (2, 1), "nanosleep": (1, 1), "mma": (4, 4),
    "ldmatrix": (2, 4), "stmatrix": (2, 4), "movmatrix": (2, 5), "wmma": (3, 4), "wgmma": (0, 1),
    "createpolicy": (1, 1),
}  # fmt: skip
"""Operands and modifiers without which an instruction is none."""


def lower(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower an instruction without its guard.

    Raises:
        Refused: it is not emulated.
    """
    operands, modifiers = _LEAST.get(instruction.opcode, (0, 0))
    if len(instruction.operands) < operands or len(instruction.modifiers) < modifiers:
        raise lowering.refuse(instruction)
    if unknown := find_unknown(instruction):
        raise lowering.refuse(instruction, f".{unknown}")
    if "async" in instruction.modifiers and instruction.opcode in ("st", "red"):
        return remote.store_async(lowering, instruction)
    found = _INSTRUCTIONS.get(instruction.opcode, computing.compute)
    return found(lowering, instruction)
