"""`wgmma` (PTX ISA 9.7.15): products of matrices in shared memory, by four warps together.

Each warp has 16 rows of the product, as `mma` has them. A matrix in shared memory is named by a
descriptor: its first 16 bytes, two strides, and a swizzle. The accesses of the tensor cores are no
requests of threads.

Each warp counts its groups. Shared memory is read where a product begins, and counts as read again
where its group is waited for: a thread that lets others refill it before that races. A product is
one of four warps: what one of them has waited for, the others have not left behind either, so that
one thread may tell others that all of it has been read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.facts import fact
from grader.simt.checks.counters import Site
from grader.simt.checks.shadow import Ints
from grader.simt.intrinsics.participants import by_lane
from grader.simt.machine.chunk import Chunk, ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.masks import LANES, Bools, Mask
from grader.simt.memory.layout import find_arrays
from grader.simt.program.nodes import Do, Operation
from grader.simt.program.types import INT32, Nothing
from grader.simt.ptx import syntax
from grader.simt.ptx.instructions import engine
from grader.simt.ptx.instructions.engine import BYTES, LanePieces
from grader.simt.ptx.instructions.tensor_cores.fragments import Fragment, left_of, sums_of, unpack
from grader.simt.ptx.instructions.tensor_cores.matrices import (
    Work,
    by_register,
    count_products,
    give,
    shape_of,
    words_of,
)
from grader.simt.ptx.instructions.tensor_cores.sums import Kinds, multiply_add_of_group
from grader.simt.ptx.instructions.tensors import swizzle
from grader.simt.ptx.operands import Lowering, perform
from grader.simt.ptx.syntax import registers_of

GROUP = 128
"""Threads of a warpgroup."""


class _Flight(NamedTuple):
    """A product under way: its threads, the group of each warp, and what reads its matrices."""

    mask: Mask
    group: Ints
    read: Callable[[ExecutionPoint], object]


class Flights:
    """What the warps of a chunk have under way.

    Attributes:
        open: (blocks, warps) the number of the group that is being made, from 1.
        done: the last group that was waited for.
        fenced: those that have executed `wgmma.fence`.
        registers: the last group that writes a register, by its name.
    """

    def __init__(self, chunk: Chunk) -> None:
        shape = (chunk.blocks, chunk.threads // LANES)
        self.open: Ints = np.ones(shape, dtype=np.int64)
        self.done: Ints = np.zeros(shape, dtype=np.int64)
        self.fenced: Bools = np.zeros(shape, dtype=np.bool_)
        self.registers: dict[str, Ints] = {}
        self.sites: dict[str, Site] = {}
        self.products: list[_Flight] = []

    @staticmethod
    def of(chunk: Chunk) -> Flights:
        """Return those of a chunk."""
        return chunk.kept(Flights, lambda: Flights(chunk))


def _warps(here: ExecutionPoint) -> Bools:
    return np.broadcast_to(here.mask.by_warp, (here.chunk.blocks, here.mask.by_warp.shape[1]))


def note_product(
    here: ExecutionPoint, registers: Sequence[str], read: Callable[[ExecutionPoint], object]
) -> None:
    """Note that a product of these threads is under way.

    Args:
        registers: its accumulators.
        read: reads its matrices in shared memory, in the name of some threads.
    """
    own, warps = Flights.of(here.chunk), _warps(here)
    bare = warps & ~own.fenced
    if bare.any():
        lanes = np.repeat(bare, LANES, axis=1)
        here.report("race", lanes, fact("finding.wgmma-no-fence"), topic="wgmma fence")
    for name in registers:
        known = own.registers.get(name, np.zeros_like(own.open))
        own.registers[name] = np.where(warps, own.open, known)
        own.sites[name] = here.site
    own.products.append(_Flight(here.mask, own.open.copy(), read))


def fence(here: ExecutionPoint) -> None:
    """Note a `wgmma.fence`."""
    Flights.of(here.chunk).fenced |= _warps(here)


def commit(here: ExecutionPoint) -> None:
    """Make a group of the products that these warps began since the last one."""
    own = Flights.of(here.chunk)
    own.open = own.open + _warps(here)


def wait(most: int, here: ExecutionPoint) -> None:
    """Finish all groups of these warps but the newest ones."""
    own = Flights.of(here.chunk)
    own.done = np.where(_warps(here), np.maximum(own.done, own.open - 1 - most), own.done)
    left, over_for = list[_Flight](), np.zeros_like(here.mask.full)
    for each in own.products:
        over = here.mask.full & np.repeat(each.group <= own.done, LANES, axis=1)
        mask, rest = each.mask.split(over)
        if mask is not None:
            each.read(here._replace(mask=mask))
            over_for |= mask.full
        if rest is not None:
            left.append(each._replace(mask=rest))
    own.products = left
    _meet(here, over_for)


def _meet(here: ExecutionPoint, over_for: Bools) -> None:
    """Order what the warps of each warpgroup have read before what any of them does from now on."""
    clock, place = here.chunk.clock, np.arange(here.chunk.threads)[None, :] // GROUP
    for group in range(here.chunk.threads // GROUP):
        mask, _ = here.mask.split(over_for & (place == group))
        if mask is not None:
            clock.acquire(mask, clock.release(mask))


def check(registers: Sequence[str], here: ExecutionPoint) -> None:
    """Report threads that read accumulators of a product that they have not waited for."""
    own, warps = Flights.of(here.chunk), _warps(here)
    for name in registers:
        group = own.registers.get(name)
        early = None if group is None else warps & (group > own.done)
        if early is not None and early.any():
            site = own.sites[name]
            here.report(
                "race", np.repeat(early, LANES, axis=1) & here.mask.full,
                fact("finding.wgmma-early", line=site.line), topic="wgmma",
                other_line=site.line, other_column=site.column, other_file=site.file,
            )  # fmt: skip


def move(to: str, source: str, here: ExecutionPoint) -> None:
    """Note that a register gets what is in another one, which may be under way; "" for no other."""
    own, warps = Flights.of(here.chunk), _warps(here)
    nothing = np.zeros_like(own.open)
    given = own.registers.get(source, nothing)
    if to in own.registers or given is not nothing:
        own.registers[to] = np.where(warps, given, own.registers.get(to, nothing))
        if source in own.sites:
            own.sites[to] = own.sites[source]


_HEIGHT, _DEPTH_BYTES, _CORE = 64, 32, 8
_SIZES = {"f16": 2, "bf16": 2, "tf32": 4, "s8": 1, "u8": 1, "e4m3": 1, "e5m2": 1}
_PAIRS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "f16": {"f16": ("f16", "f32")}, "bf16": {"bf16": ("f32",)}, "tf32": {"tf32": ("f32",)},
    "s8": {"s8": ("s32",), "u8": ("s32",)}, "u8": {"s8": ("s32",), "u8": ("s32",)},
    "e4m3": {"e4m3": ("f16", "f32"), "e5m2": ("f16", "f32")},
    "e5m2": {"e4m3": ("f16", "f32"), "e5m2": ("f16", "f32")},
}  # fmt: skip
"""Types of A, of B, and of the sums."""
_WIDTHS = (16, 128, 64, 32)
"""Bytes of a row, by the mode of a descriptor: without a swizzle, and with the three of them."""
_SWIZZLES = (0, 7, 3, 1)
_FIELD = (1 << 14) - 1
Bytes = NDArray[np.uint8]


class _Matrix(NamedTuple):
    """A matrix in shared memory: its rows, of 32 bytes in K; `turned` if M or N is contiguous."""

    rows: int
    kind: str
    turned: bool

    @property
    def pieces(self) -> int:
        """How many pieces of 16 bytes it has."""
        return self.rows * _DEPTH_BYTES // BYTES

    def place(self, descriptor: Value, number: Value) -> Value:
        """Return where pieces are, from the matrix's first one; before the swizzle."""
        leading, stride = ((descriptor >> at & _FIELD) << 4 for at in (16, 32))
        mode = descriptor >> 62 & 3
        width = np.array(_WIDTHS, np.int64)[mode]
        if not self.turned:
            row, half = number >> 1, number & 1
            core = row // _CORE * stride
            plain = half * leading + core + row % _CORE * BYTES
            wide = core + row % _CORE * width + half * BYTES
            return np.where(mode == 0, plain, wide)
        across = self.rows // _CORE  # pieces of 8 elements of M or N, for each of K
        deep, at = number // across, number % across * BYTES
        core, inner = deep // _CORE, deep % _CORE
        plain = at // BYTES * stride + core * leading + inner * BYTES
        wide = at // width * leading + core * stride + inner * width + at % width
        return np.where(mode == 0, plain, wide)

    def arrange(self, pieces: Bytes) -> NDArray[Any]:
        """Return (groups, rows, K) of pieces (groups, pieces, 16 bytes)."""
        words = np.ascontiguousarray(pieces).view(np.uint32)
        elements: NDArray[Any] = unpack(self.kind, words).reshape(len(pieces), -1)
        if self.turned:
            return elements.reshape(len(pieces), -1, self.rows).swapaxes(1, 2)
        return elements.reshape(len(pieces), self.rows, -1)


class _Product(NamedTuple):
    """What a `wgmma.mma_async` says.

    Attributes:
        left: None if it is in registers.
        signs: by which A and B are multiplied.
    """

    left: _Matrix | None
    fragment: Fragment
    right: _Matrix
    sums: Fragment
    signs: tuple[int, int]
    registers: tuple[str, ...]


def warpgroup(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `wgmma`."""
    modifiers, operands = instruction.modifiers, instruction.operands
    lowering.program.timed = True
    match modifiers[0]:
        case "fence":
            return [Do(perform(lowering, instruction, Nothing(), "wgmma fence", fence))]
        case "commit_group":
            return [Do(perform(lowering, instruction, Nothing(), "wgmma commit", commit))]
        case "wait_group" if operands:
            run = partial(wait, int(str(operands[0]), 0))
            return [Do(perform(lowering, instruction, Nothing(), "wgmma wait", run))]
        case "mma_async" if len(modifiers) == 7 and len(operands) >= 4:
            return _multiply(lowering, instruction)
    raise lowering.refuse(instruction)


def _multiply(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    result, left, right = instruction.modifiers[4:]
    shape, (registers, a, b, scale, *numbers) = (
        shape_of(instruction.modifiers), instruction.operands
    )  # fmt: skip
    given = [int(str(each), 0) for each in numbers]
    depth = _DEPTH_BYTES // _SIZES.get(left, 64)
    if result not in _PAIRS.get(left, {}).get(right, ()) or not isinstance(registers, syntax.Group):
        raise lowering.refuse(instruction)
    if shape is None or (shape[0], shape[2]) != (_HEIGHT, depth) or shape[1] % _CORE:
        raise lowering.refuse(instruction)
    signs = (given[0], given[1]) if len(given) > 1 else (1, 1)
    turned = [bool(each) for each in given[2:]]
    width, sums = shape[1], sums_of(result, 16, shape[1])
    fragment, in_registers = left_of(left, depth), isinstance(a, syntax.Group)
    made = _Product(
        None if in_registers else _Matrix(_HEIGHT, left, bool(turned) and turned[0]),
        fragment, _Matrix(width, right, bool(turned) and turned[-1]), sums, signs,
        registers.parts,
    )  # fmt: skip
    parts = a.parts if isinstance(a, syntax.Group) else ()
    if len(registers.parts) != sums.registers or len(parts) not in (0, fragment.registers):
        raise lowering.refuse(instruction)
    lowering.program.stores_anywhere = True
    kind = result if result in ("f32", "s32") else "b32"
    values = [
        lowering.read(b, "s64", instruction),
        lowering.read(scale, "pred", instruction),
        *(lowering.read(each, kind, instruction) for each in registers.parts),
        *([] if in_registers else [lowering.read(a, "s64", instruction)]),
        *(lowering.read(each, "b32", instruction) for each in parts),
    ]
    return give(lowering, instruction, registers.parts, result, Work(partial(_run, made), values))


def _run(
    made: _Product, here: ExecutionPoint, right: Value, scale: Value, *values: Value
) -> tuple[Value, ...]:
    """Multiply and add, for the warpgroups whose threads are all there."""
    whole = _whole_groups(here)
    old, others = values[: made.sums.registers], values[made.sums.registers :]
    if whole is None:
        return old
    own = here._replace(mask=whole)
    descriptors = [(made.right, right)]
    if made.left is not None:
        descriptors.append((made.left, others[0]))
    found = [_read_matrix(own, matrix, each, checks=True) for matrix, each in descriptors]

    def read(there: ExecutionPoint) -> None:
        for matrix, each in descriptors:
            _read_matrix(there, matrix, each, checks=False)

    note_product(own, made.registers, read)
    b = np.repeat(found[0], GROUP // LANES, axis=0)
    if made.left is None:
        a = made.fragment.gather(words_of(others, here))
    else:
        a = found[1].reshape(-1, 16, found[1].shape[2])
    sign = made.signs[0] * made.signs[1]
    c = made.sums.gather(words_of(old, here))
    adds = by_lane(scale, here.chunk)[:, 0]
    count_products(here, a, made.sums.shape[1])
    padded = np.zeros((len(c), *a.shape[1:]), a.dtype)
    wide = np.zeros((len(c), *b.shape[1:]), b.dtype)
    where = _warps_of_groups(here)
    padded[where], wide[where] = a if made.left is not None else a[where], b
    kinds = Kinds(made.fragment.kind, made.right.kind, made.sums.kind)
    before = np.where(adds[:, None, None], c, 0)
    total = multiply_add_of_group(kinds, sign * padded, wide.swapaxes(1, 2), before)
    return by_register(made.sums.scatter(total), here)


def _warps_of_groups(here: ExecutionPoint) -> NDArray[np.int64]:
    """Return the numbers of the warps, of all blocks, that are in a whole warpgroup."""
    warps = here.chunk.threads // LANES
    in_block = np.arange(warps // 4 * 4)
    return (np.arange(here.chunk.blocks)[:, None] * warps + in_block).reshape(-1)


def _whole_groups(here: ExecutionPoint) -> Mask | None:
    """Return the warpgroups whose threads are all there; report the others."""
    chunk = here.chunk
    groups = chunk.threads // GROUP
    there = np.zeros((chunk.blocks, chunk.threads), dtype=np.bool_)
    by_group = here.mask.full[:, : groups * GROUP].reshape(chunk.blocks, groups, GROUP)
    there[:, : groups * GROUP] = np.repeat(by_group.all(axis=2), GROUP, axis=1)
    missing = here.mask.full & ~there
    if missing.any():
        here.report("warp-mask", missing, fact("finding.wgmma-group"), topic="wgmma group")
    mask, _ = here.mask.split(there)
    return mask


def _read_matrix(
    here: ExecutionPoint, matrix: _Matrix, descriptor: Value, *, checks: bool
) -> NDArray[Any]:
    """Read a matrix for each warpgroup: (groups of all blocks, rows, K).

    Args:
        here: the threads of warpgroups.
        descriptor: of each thread; that of a warpgroup's first one counts.
        checks: True to look for stores that no proxy fence lets the tensor cores see.
    """
    chunk = here.chunk
    groups = chunk.threads // GROUP
    shape = (chunk.blocks, groups * GROUP)
    whole = np.broadcast_to(descriptor, (chunk.blocks, chunk.threads))
    first = np.repeat(whole[:, : shape[1] : GROUP], GROUP, axis=1)
    padded = np.zeros_like(whole)
    padded[:, : shape[1]] = first
    lane = np.arange(chunk.threads, dtype=np.int64)[None, :] % GROUP
    lead, _ = here.mask.split(chunk.lane == 0)
    found = np.zeros((chunk.blocks * groups, matrix.pieces, BYTES), dtype=np.uint8)
    for begin in range(0, matrix.pieces, GROUP):
        mask, _ = here.mask.split(lane + begin < matrix.pieces)
        assert lead is not None  # whole warps are there
        if mask is None:
            continue
        for part, address in _pieces(here, LanePieces(mask, lead), matrix, (padded, lane + begin)):
            if checks:
                engine.check_fenced(part, address, here, multiplies=True)
            values = engine.read(part, address, here)
            _keep(found, part.mask, begin, values)
    return matrix.arrange(found)


def _keep(found: Bytes, mask: Mask, begin: int, values: Sequence[Value]) -> None:
    """Keep what lanes have read, by their group and place in it."""
    if not values:
        return
    threads = mask.threads // GROUP * GROUP
    count = min(GROUP, found.shape[1] - begin)
    words = [np.broadcast_to(each, (mask.blocks, mask.threads))[:, :threads] for each in values]
    raw = np.stack(words, axis=-1).astype(INT32).reshape(len(found), GROUP, 4).view(np.uint8)
    there = mask.full[:, :threads].reshape(len(found), GROUP, 1)
    own = found[:, begin : begin + count]
    own[...] = np.where(there[:, :count], raw[:, :count], own)


def _pieces(
    here: ExecutionPoint, part: LanePieces, matrix: _Matrix, given: tuple[Value, Value]
) -> Iterator[tuple[LanePieces, Value]]:
    """Yield the pieces of lanes by the array that their matrix begins in, and their addresses."""
    descriptor, number = given
    start = (descriptor & _FIELD) << 4
    mask = np.array(_SWIZZLES, np.int64)[descriptor >> 62 & 3]
    offset = start + matrix.place(descriptor, number)
    offset = swizzle(offset, offset, mask)
    left: Mask | None = part.mask
    for first, end, pointer in find_arrays(here.chunk):
        own, left = (None, None) if left is None else left.split((start >= first) & (start < end))
        if own is not None:
            yield part._replace(mask=own), pointer + offset - first
    if left is not None:
        here.report("out-of-bounds", left.full, fact("finding.wgmma-nowhere"), topic="wgmma")


def find_accumulators(function: syntax.Function) -> frozenset[str]:
    """Return the registers that products write, and those that such are moved to."""
    found = set[str]()
    for each in function.instructions:
        if each.opcode == "wgmma" and each.operands and isinstance(each.operands[0], syntax.Group):
            found.update(each.operands[0].parts)
    while found:
        more = {
            str(each.operands[0])
            for each in function.instructions
            if each.opcode == "mov" and str(each.operands[1]) in found
        } - found
        if not more:
            break
        found |= more
    return frozenset(found)


def watch(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Return what looks for accumulators that an instruction reads too early."""
    known = lowering.accumulators
    if not known or instruction.opcode == "wgmma":
        return []
    named = [registers_of(each) for each in instruction.operands]
    flat = [name for names in named for name in names if name in known]
    if not flat:
        return []
    target = str(instruction.operands[0])
    writes = instruction.opcode not in ("st", "red") and target in known
    if instruction.opcode == "mov" and writes:
        run = partial(move, target, str(instruction.operands[1]))
        return [Do(perform(lowering, instruction, Nothing(), "wgmma move", run))]
    read = tuple(dict.fromkeys(flat[1:] if writes else flat))
    found = list[Operation]()
    if read:
        run = partial(check, read)
        found.append(Do(perform(lowering, instruction, Nothing(), "wgmma check", run)))
    if writes:
        run = partial(move, target, "")
        found.append(Do(perform(lowering, instruction, Nothing(), "wgmma move", run)))
    return found
