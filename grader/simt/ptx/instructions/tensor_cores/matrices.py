"""Tensor-core instructions of a warp: `mma`, `ldmatrix`, `stmatrix`, `wmma` (PTX ISA 9.7.14).

Where the elements of a matrix are in the registers of a warp's lanes is data: `Fragment`. How their
products are added is in `sums`.

Of each group of elements of a row of a sparse matrix, half are kept; four bits of metadata say
which. How the bits of a row are spread over the lanes was found by drawn metadata on an H200
(`bench.gpu.ptx.matrices`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.simt.intrinsics.participants import FULL, by_lane, report_participants, restore_shape
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.masks import LANES
from grader.simt.memory.pointers import VectorCells, reach_target
from grader.simt.program.nodes import Do, Expression, Operation, Perform
from grader.simt.program.types import FLOAT32, UINT16, UINT32, Nothing, Scalar, Tuple, VectorType
from grader.simt.ptx import syntax
from grader.simt.ptx.instructions.memory import space_of
from grader.simt.ptx.instructions.tensor_cores.fragments import Fragment, left_of, right_of, sums_of
from grader.simt.ptx.instructions.tensor_cores.sums import Kinds, Matrices, multiply_add
from grader.simt.ptx.operands import Lowering
from grader.simt.ptx.syntax import Address, registers_of
from grader.simt.ptx.values import DTYPES

_GROUP = {"tf32": 2, "s4": 8, "u4": 8}
"""Elements of a group; four of all other types."""
_QUAD = 4
_SECOND_OF_TWO = 0xE


def spread(kind: str, kept: Matrices, metadata: NDArray[Any], selector: int) -> Matrices:
    """Return a matrix with zeros where nothing is kept.

    Args:
        kind: type of the elements.
        kept: (warps, 16, half the depth).
        metadata: (warps, 32), of each lane.
        selector: says which lanes' metadata counts, if not all does.
    """
    warps, rows, half = kept.shape
    size = _GROUP.get(kind, 4)
    groups = 2 * half // size
    codes = _codes(kind, metadata.reshape(warps, LANES // _QUAD, _QUAD), groups, selector)
    found = np.zeros((warps, rows, groups, size), kept.dtype)
    parts = kept.reshape(warps, rows, groups, size // 2)
    where = np.ix_(*(np.arange(count) for count in (warps, rows, groups)))
    if size == _GROUP["tf32"]:
        found[*where, (codes == _SECOND_OF_TWO).astype(np.intp)] = parts[..., 0]
        return found.reshape(warps, rows, 2 * half)
    wide = size // 4  # elements that are kept together
    for at in range(2):
        place = (codes >> 2 * at & 3) * wide
        for each in range(wide):
            found[*where, place + each] = parts[..., at * wide + each]
    return found.reshape(warps, rows, 2 * half)


def _codes(kind: str, words: NDArray[Any], groups: int, selector: int) -> NDArray[np.intp]:
    """Return the four bits of each group: (warps, 16, groups), of words (warps, 8, 4)."""
    group = np.arange(groups)
    if groups == 4:
        lanes = [np.full(groups, selector)] * 2
        places = [group, group + 4]
    elif groups == 8 and kind in ("f16", "bf16", "tf32"):
        lanes = [2 * selector + group // 4] * 2
        places = [group % 4, group % 4 + 4]
    elif groups == 8:
        lanes = [np.full(groups, 2 * selector + row) for row in range(2)]
        places = [group, group]
    else:  # all four: half rows, in turn
        lanes = [group // 8 * 2 + row for row in range(2)]
        places = [group % 8, group % 8]
    unsigned = words.astype(np.uint32, copy=False)
    rows = [
        unsigned[:, :, lane] >> (4 * place).astype(np.uint32) & 15
        for lane, place in zip(lanes, places, strict=True)
    ]
    return np.concatenate(rows, axis=1).astype(np.intp)


_ROW = VectorType(FLOAT32, 4)
"""A row of a matrix of `ldmatrix`: 16 bytes."""
_ROWS = 8


def shape_of(modifiers: Sequence[str]) -> tuple[int, int, int] | None:
    """Return m, n and k of `m16n8k16`."""
    for each in modifiers:
        if each[:1] == "m" and "n" in each and "k" in each:
            m, _, rest = each[1:].partition("n")
            n, _, k = rest.partition("k")
            if m.isdecimal() and n.isdecimal() and k.isdecimal():
                return int(m), int(n), int(k)
    return None


_DEPTHS: Mapping[str, tuple[int, ...]] = {
    "f16": (8, 16), "bf16": (8, 16), "tf32": (4, 8), "s8": (16, 32), "u8": (16, 32),
    "e4m3": (16, 32), "e5m2": (16, 32), "s4": (32, 64), "u4": (32, 64), "b1": (128, 256),
    "f64": (4, 8, 16),
}  # fmt: skip
_LOW = ("s8", "u8", "s4", "u4", "b1", "f64")
"""Types of which the smallest depth comes with eight rows, too."""
_MIXED = ({"s8", "u8"}, {"s4", "u4"}, {"e4m3", "e5m2"})
_SUMS: Mapping[str, tuple[str, ...]] = {
    "f16": ("f16", "f32"), "e4m3": ("f16", "f32"), "e5m2": ("f16", "f32"), "bf16": ("f32",),
    "tf32": ("f32",), "f64": ("f64",),
}  # fmt: skip
"""Types of sums; `s32` of all others."""
_FULL_DEPTH = ("e4m3", "e5m2")
"""Sparse ones are of the largest depth alone."""


class Product(NamedTuple):
    """What an `mma` says.

    Attributes:
        parts: A, B, and the sums; of A, what is kept of it.
        bits: `xor` or `and` of matrices of bits; "" of all others.
        saturates: True if sums are not to wrap.
        selector: of a sparse A; None of a dense one.
        steps: machine instructions, one after the other along K.
    """

    parts: tuple[Fragment, Fragment, Fragment]
    bits: str = ""
    saturates: bool = False
    selector: int | None = None
    steps: int = 1

    @property
    def kinds(self) -> Kinds:
        """Types of the elements."""
        return Kinds(*(part.kind for part in self.parts))

    def compute(self, a: Matrices, b: Matrices, c: Matrices, kept: Matrices | None) -> Matrices:
        """Multiply and add; `kept` says which elements of a sparse A are there."""
        if self.bits == "xor":
            ones = a.sum(axis=2, keepdims=True) + b.sum(axis=1, keepdims=True)
            return np.asarray(ones - 2 * np.matmul(a, b) + c)
        total, step = c, a.shape[2] // self.steps
        for first in range(0, a.shape[2], step):
            part = slice(first, first + step)
            there = None if kept is None else kept[:, :, part]
            total = multiply_add(self.kinds, a[:, :, part], b[:, part], total, there)
        if self.saturates:
            limits = np.iinfo(np.int32)
            total = np.clip(total, limits.min, limits.max)
        return total


def multiply(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `mma.sync`, of dense and sparse matrices."""
    modifiers, operands = instruction.modifiers, instruction.operands
    known = DTYPES.keys() | _DEPTHS.keys()
    shape, kinds = shape_of(modifiers), [each for each in modifiers if each in known]
    groups = [each for each in operands[:4] if isinstance(each, syntax.Group)]
    sparse = modifiers[0].startswith("sp")
    if shape is None or len(kinds) != 4 or len(groups) != 4 or len(operands) != 4 + 2 * sparse:
        raise lowering.refuse(instruction)
    result, left, right, sums = kinds
    if (
        {"row", "col"} - set(modifiers)
        or result != sums
        or not _is_known(shape, kinds, sparse=sparse)
    ):
        raise lowering.refuse(instruction)
    bits = next((each for each in modifiers if each in ("xor", "and")), "")
    if bool(bits) != (left == "b1"):
        raise lowering.refuse(instruction)
    m, n, k = shape
    kept = k // 2 if sparse else k
    fragments = (left_of(left, kept, m), right_of(right, k, n), sums_of(sums, m, n))
    given = [
        lowering.read(name, register_type(fragment.kind), instruction)
        for fragment, group in zip(fragments, groups[1:], strict=True)
        for name in group.parts
    ]
    counts = tuple(fragment.registers for fragment in fragments)
    if tuple(len(group.parts) for group in groups[1:]) != counts:
        raise lowering.refuse(instruction)
    selector = int(str(operands[5]), 0) if sparse else None
    if sparse:
        given.append(lowering.read(operands[4], "b32", instruction))
    made = Product(fragments, bits, "satfinite" in modifiers, selector)
    run = partial(multiply_fragments, made)
    return give(lowering, instruction, groups[0].parts, result, Work(run, given))


def _is_known(shape: tuple[int, int, int], kinds: Sequence[str], *, sparse: bool) -> bool:
    """Tell whether there is such a form."""
    (m, n, k), (_, left, right, sums) = shape, kinds
    depths = _DEPTHS.get(left, ())
    if left != right and {left, right} not in _MIXED:
        return False
    if n != _ROWS or not depths or sums not in _SUMS.get(left, ("s32",)):
        return False
    if sparse:
        known = depths[-1:] if left in _FULL_DEPTH else depths
        return m == 2 * _ROWS and left not in ("b1", "f64") and k in {2 * each for each in known}
    return (m == 2 * _ROWS and k in depths) or (m == _ROWS and left in _LOW and k == depths[0])


def register_type(kind: str) -> str:
    """Return the type of a register that holds elements of a type."""
    return kind if kind in ("f32", "f64", "s32") else "b32"


class Work(NamedTuple):
    """What a warp does: from values to a tuple with one for each register that it sets."""

    run: Callable[..., Any]
    given: Sequence[Expression]


def give(
    lowering: Lowering,
    instruction: syntax.Instruction,
    registers: Sequence[str],
    kind: str,
    work: Work,
) -> list[Operation]:
    """Return what sets registers, of elements of a type, to the parts of a result."""
    dtype: Scalar = DTYPES[register_type(kind)]
    whole, site = Tuple((dtype,) * len(registers)), lowering.site(instruction)
    made = Perform(whole, instruction.opcode, work.run, tuple(work.given), site)
    lowering.program.shuffles = True
    return lowering.spread(made, registers, instruction)


def words_of(values: Sequence[Value], here: ExecutionPoint) -> NDArray[Any]:
    """Return registers as (warps, 32, registers)."""
    return np.stack([by_lane(value, here.chunk) for value in values], axis=-1)


_EVERY_LANE = np.array([[FULL]], dtype=np.int64)


def meet(here: ExecutionPoint, name: str) -> None:
    """Require that all lanes of each warp are there."""
    report_participants(_EVERY_LANE, here, name)


def multiply_fragments(made: Product, here: ExecutionPoint, *values: Value) -> tuple[Value, ...]:
    """Multiply and add what the registers of a warp hold, in the order of the fragments."""
    left, right, sums = made.parts
    meet(here, "mma.sync")
    first, second = left.registers, left.registers + right.registers
    third = second + sums.registers
    a = left.gather(words_of(values[:first], here))
    b = right.gather(words_of(values[first:second], here))
    c = sums.gather(words_of(values[second:third], here))
    kept = None
    if made.selector is not None:
        metadata = by_lane(values[third], here.chunk)
        kept = spread(left.kind, np.ones(a.shape, np.bool_), metadata, made.selector)
        a = spread(left.kind, a, metadata, made.selector)
    count_products(here, a, sums.shape[1])
    return by_register(sums.scatter(made.compute(a, b, c, kept)), here)


def count_products(here: ExecutionPoint, a: NDArray[Any], columns: int) -> None:
    """Count the products of a matrix of each warp, (warps, rows, depth), with so many columns."""
    here.chunk.charge(a.size * columns)
    here.site.counts["tensor_products"] += here.mask.warps * a.shape[1] * a.shape[2] * columns


def by_register(words: NDArray[Any], here: ExecutionPoint) -> tuple[Value, ...]:
    """Return (warps, 32, registers) as a value for each register."""
    parts = (np.ascontiguousarray(words[..., at]) for at in range(words.shape[-1]))
    return tuple(restore_shape(part, here.chunk) for part in parts)


# ldmatrix and stmatrix

_COUNTS = {"x1": 1, "x2": 2, "x4": 4}


def load_matrices(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `ldmatrix` of 8 × 8 elements of 16 bits."""
    registers, pointer = _matrices(lowering, instruction, 1)
    run = partial(_load, len(registers), turned="trans" in instruction.modifiers)
    return give(lowering, instruction, registers, "f16", Work(run, [pointer]))


def store_matrices(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `stmatrix` of 8 × 8 elements of 16 bits."""
    registers, pointer = _matrices(lowering, instruction, 0)
    values = [lowering.read(name, "b32", instruction) for name in registers]
    run = partial(_store, turned="trans" in instruction.modifiers)
    lowering.program.stores_anywhere = True
    made = Perform(Nothing(), "stmatrix", run, (pointer, *values), lowering.site(instruction))
    return [Do(made)]


def move_matrix(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `movmatrix`, which transposes 8 × 8 elements of 16 bits."""
    if instruction.modifiers != ("sync", "aligned", "m8n8", "trans", "b16"):
        raise lowering.refuse(instruction)
    register, given = map(str, instruction.operands)
    value = lowering.read(given, "b32", instruction)
    return give(lowering, instruction, (register,), "f16", Work(_transpose, [value]))


def _transpose(here: ExecutionPoint, value: Value) -> tuple[Value]:
    meet(here, "movmatrix")
    words = words_of([value], here).astype(UINT32, copy=False)
    rows = np.ascontiguousarray(words).reshape(-1, _ROWS, 4).view(UINT16)
    turned = np.ascontiguousarray(rows.swapaxes(1, 2)).view(UINT32)
    return (restore_shape(turned.reshape(-1, LANES), here.chunk),)


def _matrices(
    lowering: Lowering, instruction: syntax.Instruction, address_at: int
) -> tuple[tuple[str, ...], Expression]:
    """Return the registers, one for each matrix, and where the rows are."""
    modifiers, operands = instruction.modifiers, instruction.operands
    count = next((_COUNTS[each] for each in modifiers if each in _COUNTS), 0)
    if not count or "m8n8" not in modifiers or modifiers[-1] != "b16":
        raise lowering.refuse(instruction)
    if space_of(instruction) != "shared" or len(operands) != 2:
        raise lowering.refuse(instruction)
    address, registers = operands[address_at], registers_of(operands[1 - address_at])
    if not isinstance(address, Address) or len(registers) != count:
        raise lowering.refuse(instruction)
    return registers, lowering.pointer(address, "shared", instruction)


def _rows_of(count: int, here: ExecutionPoint, pointer: Value) -> VectorCells | None:
    """Return the rows that the first 8 × count lanes point to."""
    chunk = here.chunk
    named = chunk.lane < _ROWS * count
    own, _ = here.mask.split(np.broadcast_to(named, (1, chunk.threads)))
    if own is None:
        return None
    cells = reach_target(_ROW, pointer, (), here._replace(mask=own))
    assert cells is None or isinstance(cells, VectorCells)  # of a vector
    return cells


def _load(count: int, here: ExecutionPoint, pointer: Value, *, turned: bool) -> tuple[Value, ...]:
    meet(here, "ldmatrix")
    chunk = here.chunk
    cells = _rows_of(count, here, pointer)
    warps = chunk.blocks * chunk.threads // LANES
    if cells is None:
        return by_register(np.zeros((warps, LANES, count), dtype=UINT32), here)
    for word in cells.words:
        word.count("load", "ldmatrix")
    rows = np.stack([by_lane(member.load(), chunk) for member in cells.members], axis=-1)
    halves = np.ascontiguousarray(rows.astype(FLOAT32)).view(UINT16)
    matrices = halves[:, : _ROWS * count].reshape(warps, count, _ROWS, _ROWS)
    if turned:
        matrices = matrices.swapaxes(2, 3)
    pairs = np.ascontiguousarray(matrices).view(UINT32)  # (warps, matrices, 8, 4)
    by_lanes = pairs.reshape(warps, count, LANES).swapaxes(1, 2)
    return by_register(by_lanes, here)


def _store(here: ExecutionPoint, pointer: Value, *values: Value, turned: bool) -> None:
    meet(here, "stmatrix")
    chunk, count = here.chunk, len(values)
    cells = _rows_of(count, here, pointer)
    if cells is None:
        return
    words = words_of(values, here).astype(UINT32, copy=False)
    warps = len(words)
    pairs = np.ascontiguousarray(words.swapaxes(1, 2)).reshape(warps, count, _ROWS, 4)
    matrices = pairs.view(UINT16)
    if turned:
        matrices = np.ascontiguousarray(matrices.swapaxes(2, 3))
    rows = np.zeros((warps, LANES, _ROWS), dtype=UINT16)
    rows[:, : _ROWS * count] = matrices.reshape(warps, _ROWS * count, _ROWS)
    for word in cells.words:
        word.count("store", "stmatrix")
    floats = rows.view(FLOAT32)
    for at, member in enumerate(cells.members):
        member.store(restore_shape(np.ascontiguousarray(floats[..., at]), chunk))
