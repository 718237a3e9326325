"""`wmma`: matrix products of a warp that say nothing of registers (PTX ISA 9.7.14.4).

Where elements are in a fragment is not documented: here they are where those of `mma` are. A load
is of 4 bytes by lane where two elements follow each other; compiled code may use `ldmatrix`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.facts import fact
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.masks import LANES
from grader.simt.memory.allocations import starts_of
from grader.simt.memory.pointers import reach_target
from grader.simt.program.nodes import Do, Operation, Perform
from grader.simt.program.types import FLOAT16, INT64, UINT32, Nothing, VectorType
from grader.simt.ptx import syntax
from grader.simt.ptx.instructions.memory import space_of
from grader.simt.ptx.instructions.tensor_cores.fragments import Fragment, left_of, right_of, sums_of
from grader.simt.ptx.instructions.tensor_cores.matrices import (
    Product,
    Work,
    give,
    meet,
    multiply_fragments,
    register_type,
    shape_of,
)
from grader.simt.ptx.operands import Lowering
from grader.simt.ptx.syntax import Address
from grader.simt.ptx.values import DTYPES

_Shape = tuple[int, int, int]
_USUAL = ((16, 16, 16), (32, 8, 16), (8, 32, 16))
_SHAPES: Mapping[str, tuple[_Shape, ...]] = {
    **dict.fromkeys(("f16", "bf16", "s8", "u8"), _USUAL),
    "tf32": ((16, 16, 8),),
    "f64": ((8, 8, 4),),
    **dict.fromkeys(("f32", "s32"), (*_USUAL, (16, 16, 8))),
}
"""Of each type of elements, m, n and k."""
_SUMS = ("f16", "f32", "s32", "f64")
_COPIES = (1, 2, 4)
"""How often a fragment of 16-bit operands may hold each element."""
_STEP = 16
"""Bytes of which a stride must be a multiple (CUDA C++ Programming Guide: ldm)."""


def warp_matrices(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `wmma.load`, `wmma.store` and `wmma.mma`."""
    modifiers = instruction.modifiers
    match modifiers[0]:
        case "load":
            return _load_fragment(lowering, instruction)
        case "store":
            return _store_fragment(lowering, instruction)
        case "mma":
            return _multiply_all(lowering, instruction)
    raise lowering.refuse(instruction)


def _find(use: str, kind: str, shape: _Shape | None) -> Fragment | None:
    if shape is None or shape not in _SHAPES.get(kind, ()):
        return None
    m, n, k = shape
    if use == "a":
        return left_of(kind, k, m) if kind not in ("f32", "s32") else None
    if use == "b":
        return right_of(kind, k, n) if kind not in ("f32", "s32") else None
    return sums_of(kind, m, n) if kind in _SUMS else None


def _fragment(
    lowering: Lowering, instruction: syntax.Instruction, use: str, kind: str, registers: int
) -> Fragment:
    """Return where a matrix is; of 16-bit operands there may be more registers than needed.

    Raises:
        Refused: its type is not emulated, or there are not as many registers.
    """
    found = _find(use, kind, shape_of(instruction.modifiers))
    if found is None or registers not in [found.registers * each for each in _COPIES]:
        raise lowering.refuse(instruction)
    return found


def _by_rows(instruction: syntax.Instruction) -> bool:
    return "row" in instruction.modifiers


def _load_fragment(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    target, address, *stride = instruction.operands
    use, kind = instruction.modifiers[1], instruction.modifiers[-1]
    if not isinstance(target, syntax.Group) or not isinstance(address, Address) or len(stride) != 1:
        raise lowering.refuse(instruction)
    fragment = _fragment(lowering, instruction, use, kind, len(target.parts))
    copies = len(target.parts) // fragment.registers
    pointer = lowering.pointer(address, space_of(instruction), instruction)
    given = [pointer, lowering.read(stride[0], "s32", instruction)]
    run = partial(_load_elements, fragment, copies, by_rows=_by_rows(instruction))
    return give(lowering, instruction, target.parts, kind, Work(run, given))


def _elements(
    fragment: Fragment, pointer: Value, stride: Value, *, by_rows: bool
) -> list[list[Value]]:
    """Return the address of each element of each register."""
    size = DTYPES[fragment.kind].itemsize
    steps = stride.astype(INT64)
    found = []
    for register in range(fragment.registers):
        row = fragment.rows[:, register]
        column = fragment.columns[:, register]
        outer, inner = (row, column) if by_rows else (column, row)
        found.append(
            [
                pointer + (_of_lanes(outer[:, at], pointer, steps) * steps
                           + _of_lanes(inner[:, at], pointer, steps)) * size
                for at in range(row.shape[1])
            ]
        )  # fmt: skip
    return found


def _of_lanes(values: NDArray[Any], *others: Value) -> Value:
    columns = max(LANES, *(other.shape[1] for other in others))
    return np.tile(values, columns // LANES)[None, :].astype(INT64)


def _whole_warps(here: ExecutionPoint, value: Value) -> Value:
    """Return a value for each thread: addresses differ by lane."""
    return np.broadcast_to(value, (here.chunk.blocks, here.chunk.threads))


def _check_alignment(here: ExecutionPoint, pointer: Value, stride: Value, size: int) -> None:
    """Report threads whose matrix has a start or a stride, in bytes, that `wmma` does not take.

    The start must be a multiple of a fragment's size, the stride of that or of 16.
    """
    shape, most = (here.chunk.blocks, here.chunk.threads), min(size, _STEP)
    wrong = np.broadcast_to((pointer % size | stride % most) != 0, shape) & here.mask.full
    if wrong.any():
        at = int(np.argmax(wrong))
        byte = np.broadcast_to(pointer - starts_of(pointer), shape).flat[at]
        step = np.broadcast_to(stride, shape).flat[at]
        what = fact(
            "finding.wmma-misaligned", byte=int(byte), stride=int(step), start=size, step=most
        )
        here.report("misaligned", wrong, what, topic="wmma")


def _load_elements(
    fragment: Fragment, copies: int, here: ExecutionPoint, pointer: Value, stride: Value, *,
    by_rows: bool,
) -> tuple[Value, ...]:  # fmt: skip
    meet(here, "wmma.load")
    dtype = DTYPES[fragment.kind]
    size = fragment.size * copies
    _check_alignment(here, pointer, stride.astype(INT64) * dtype.itemsize, size)
    registers = []
    where = _elements(fragment, _whole_warps(here, pointer), stride, by_rows=by_rows)
    for places in where:
        halves = []
        each = len(places)
        if each > 1 and _follow(places, dtype.itemsize):  # neighbors are one access of 4 bytes
            cells = reach_target(VectorType(dtype, each), places[0], (), here)
            found = cells.load() if cells is not None else (np.zeros((1, 1), dtype),) * each
            halves = [_whole_warps(here, each) for each in found]
        else:
            for place in places:
                one = reach_target(dtype, place, (), here)
                value = one.load() if one is not None else np.zeros((1, 1), dtype)
                halves.append(_whole_warps(here, value))
        if each == 1:
            registers.append(halves[0])
        else:
            stacked = np.ascontiguousarray(np.stack(halves, axis=-1))
            registers.append(stacked.view(UINT32)[..., 0])
    return tuple(registers * copies)


def _follow(places: Sequence[Value], size: int) -> bool:
    steps = (after - before for before, after in pairwise(places))
    return all(bool((step == size).all()) for step in steps)


def _store_fragment(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    address, source, *stride = instruction.operands
    kind = instruction.modifiers[-1]
    if not isinstance(source, syntax.Group) or not isinstance(address, Address) or len(stride) != 1:
        raise lowering.refuse(instruction)
    fragment = _fragment(lowering, instruction, "d", kind, len(source.parts))
    pointer = lowering.pointer(address, space_of(instruction), instruction)
    kept = source.parts[: fragment.registers]
    values = [lowering.read(name, register_type(kind), instruction) for name in kept]
    given = (pointer, lowering.read(stride[0], "s32", instruction), *values)
    run = partial(_store_elements, fragment, by_rows=_by_rows(instruction))
    lowering.program.stores_anywhere = True
    return [Do(Perform(Nothing(), "wmma", run, given, lowering.site(instruction)))]


def _store_elements(
    fragment: Fragment, here: ExecutionPoint, pointer: Value, stride: Value, *values: Value,
    by_rows: bool,
) -> None:  # fmt: skip
    meet(here, "wmma.store")
    dtype = DTYPES[fragment.kind]
    _check_alignment(here, pointer, stride.astype(INT64) * dtype.itemsize, fragment.size)
    where = _elements(fragment, _whole_warps(here, pointer), stride, by_rows=by_rows)
    for places, value in zip(where, values, strict=True):
        whole = _whole_warps(here, value)
        parts = [whole]
        if dtype == FLOAT16:
            halves = np.ascontiguousarray(whole).view(UINT32)[..., None].view(FLOAT16)
            parts = [np.ascontiguousarray(halves[..., at]) for at in range(2)]
        for place, part in zip(places, parts, strict=True):
            cells = reach_target(dtype, place, (), here)
            if cells is not None:
                cells.store(part)


def _multiply_all(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    kinds = [each for each in instruction.modifiers if each in DTYPES]
    groups = [each for each in instruction.operands if isinstance(each, syntax.Group)]
    if len(groups) != 4 or len(kinds) not in (2, 4) or "satfinite" in instruction.modifiers:
        raise lowering.refuse(instruction)
    left, right = kinds[1:3] if len(kinds) == 4 else ("f16", "f16")
    whole = left in ("s8", "u8")
    if kinds[0] != kinds[-1] or left != right or whole != (kinds[0] == "s32"):
        raise lowering.refuse(instruction)
    _, *parts = (group.parts for group in groups)
    a, b, sums = (
        _fragment(lowering, instruction, use, kind, len(own))
        for use, kind, own in zip("abd", (left, left, kinds[0]), parts, strict=True)
    )
    given = [
        lowering.read(name, register_type(fragment.kind), instruction)
        for fragment, own in zip((a, b, sums), parts, strict=True)
        for name in own[: fragment.registers]
    ]
    work = Work(
        partial(multiply_fragments, Product((a, b, sums), steps=2 if left == "tf32" else 1)), given
    )
    return give(lowering, instruction, groups[0].parts, kinds[0], work)
