"""`cp.async.bulk.tensor` (PTX ISA 9.7.9.26.5): copies of a box of a tensor, by its map, tiled.

A map is what `cuTensorMapEncodeTiled` of our own host side makes (`include/quiz_tensors.h`), 128
bytes: the address; rank, type, interleave, swizzle, and fill, a byte each, and "TMA"; five sizes
and four strides of 64 bits; five sizes of the box of 32 bits; five steps of a byte.
In shared memory, the first axis varies fastest, and a swizzle exchanges the 16-byte pieces of
each 128 bytes by the address bits above: `address ^= (address >> 7 & mask) << 4`.

What the documentation does not say is as an H200 does it (`python -m bench.gpu.ptx hopper`): a box
that does not begin on a multiple of 16 bytes, or before the tensor if it is stored, ends the kernel
with an illegal instruction; rows narrower than the swizzle are as far apart as it is wide; and a
store goes by whole pieces of 16 bytes, also beyond the end of a row.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from grader.facts import fact
from grader.simt.intrinsics import arrivals
from grader.simt.machine.chunk import Chunk, ExecutionPoint
from grader.simt.machine.conversion import uniform
from grader.simt.machine.frame import Value
from grader.simt.masks import LANES, Mask
from grader.simt.memory.layout import find_offsets
from grader.simt.memory.pointers import reach_target
from grader.simt.memory.reaching import Cells, ScatteredCells, uncounted
from grader.simt.program.nodes import Do, Operation
from grader.simt.program.types import (
    INT64,
    UINT8,
    UINT16,
    UINT32,
    UINT64,
    Nothing,
    Scalar,
    VectorType,
)
from grader.simt.ptx import syntax
from grader.simt.ptx.instructions import engine
from grader.simt.ptx.instructions.engine import BYTES, WIDE, LanePieces, Put
from grader.simt.ptx.instructions.mbarriers import address_of
from grader.simt.ptx.instructions.reductions import find_reduction
from grader.simt.ptx.operands import Lowering, perform
from grader.simt.ptx.syntax import Address

MAP_BYTES = 128
_LAYOUT = struct.Struct("<q5B3s5Q4Q5I5B15x")
_MAGIC = b"TMA"
_TYPES: tuple[Scalar, ...] = (
    UINT8, UINT16, UINT32, UINT32, UINT64, UINT64, UINT16, UINT32, UINT64, UINT16, UINT32, UINT32,
    UINT32,
)  # fmt: skip
"""As what an element of each of `CUtensorMapDataType` is copied."""
_NAN = {6: 0x7FF7, 7: 0x7FF77FF7, 8: 0x7FF77FF77FF77FF7, 9: 0x7FF7}
"""What fills places outside, if NaN are asked for, by the type."""
_KINDS = {2: "u32", 3: "s32", 4: "u64", 5: "s64", 6: "f16", 7: "f32", 8: "f64", 9: "bf16"}
"""Types with reductions."""
_SWIZZLES = (0, 1, 3, 7)
"""Masks of the address bits that exchange pieces: none, of 32, 64, and 128 bytes."""
_SWIZZLED_BYTES = 16
_ALIGNED = 128
MOST_RANK = 5


class TensorMap(NamedTuple):
    """What a map says; axes are in the order of memory, the contiguous one first.

    Attributes:
        strides: bytes from one element to the next, of all axes but the first.
        box: the sizes of what is copied, before its steps.
        steps: of each axis: every so many elements are copied.
    """

    address: int
    type: int
    swizzle: int
    fills_nan: bool
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    box: tuple[int, ...]
    steps: tuple[int, ...]

    @property
    def element(self) -> Scalar:
        """As what its elements are copied."""
        return _TYPES[self.type]

    @property
    def copied(self) -> tuple[int, ...]:
        """The sizes of the box in shared memory; the step of the first axis is ignored."""
        steps = (1, *self.steps[1:])
        return tuple(-(-size // step) for size, step in zip(self.box, steps, strict=True))

    @property
    def bytes(self) -> int:
        """That are copied."""
        return int(np.prod(self.copied)) * self.element.itemsize

    @property
    def row_bytes(self) -> int:
        """From a row of the box to the next, in shared memory."""
        least = _SWIZZLED_BYTES << self.swizzle if self.swizzle else 0
        return max(self.box[0] * self.element.itemsize, least)


def encode(made: TensorMap) -> bytes:
    """Return the bytes of a map."""
    rank, none = len(made.sizes), [0] * MOST_RANK
    padded = [
        [*values, *none][:count]
        for values, count in ((made.sizes, 5), (made.strides, 4), (made.box, 5), (made.steps, 5))
    ]
    sizes, strides, box, steps = padded
    head = rank, made.type, 0, made.swizzle, int(made.fills_nan)
    return _LAYOUT.pack(made.address, *head, _MAGIC, *sizes, *strides, *box, *steps)


def decode(data: bytes) -> TensorMap | None:
    """Return what a map says; None of bytes that are none."""
    address, rank, kind, _, swizzle, fill, magic, *rest = _LAYOUT.unpack(data)
    if magic != _MAGIC:
        return None
    sizes, strides, box, steps = (
        tuple(rest[first : first + count])
        for first, count in ((0, rank), (5, rank - 1), (9, rank), (14, rank))
    )
    return TensorMap(address, kind, swizzle, bool(fill), sizes, strides, box, steps)


def tensor_copy(
    lowering: Lowering, instruction: syntax.Instruction, modifiers: Sequence[str], does: str
) -> list[Operation]:
    """Lower `cp.async.bulk.tensor` and `cp.reduce.async.bulk.tensor` in tiled mode.

    Args:
        modifiers: without `reduce`.
        does: what it does with the tensor; "" if it copies.
    """
    program, operands = lowering.program, instruction.operands
    program.timed = program.stores_anywhere = True
    if "prefetch" in modifiers:
        return []
    rank = int(modifiers[3][0]) if modifiers[3] in ("1d", "2d", "3d", "4d", "5d") else 0
    loads = modifiers[4].startswith("shared")
    known = {
        *modifiers[:6], "tile", "mbarrier::complete_tx::bytes", "multicast::cluster",
        "L2::cache_hint", "bulk_group", does,
    }  # fmt: skip
    tensor, plain = operands[1 if loads else 0], operands[0 if loads else 1]
    if not isinstance(tensor, Address) or not isinstance(plain, Address):
        raise lowering.refuse(instruction)
    if not rank or len(tensor.place) != rank or not known.issuperset(modifiers):
        raise lowering.refuse(instruction)
    given = [
        lowering.pointer(plain, "shared", instruction),
        lowering.pointer(tensor, "", instruction),
        *(lowering.read(each, "s32", instruction) for each in tensor.place),
    ]
    if not loads:
        run = partial(_store, does)
        return [Do(perform(lowering, instruction, Nothing(), "tensor", run, *given))]
    if does:
        raise lowering.refuse(instruction)
    given.append(address_of(lowering, operands[2], instruction))
    if "multicast::cluster" in modifiers:
        given.append(lowering.read(operands[3], "u16", instruction))
    run = partial(_load, rank)
    return [Do(perform(lowering, instruction, Nothing(), "tensor", run, *given))]


class _Box(NamedTuple):
    """Boxes that threads copy, of maps that say the same.

    Attributes:
        shared: the addresses of the boxes in shared memory.
        place: where they begin in the tensor.
    """

    map: TensorMap
    shared: Value
    place: Sequence[Value]


class _Piece(NamedTuple):
    """A piece of a box for each lane: where it is, and which lanes' are inside the tensor."""

    part: LanePieces
    offset: Value
    tensor: Value
    inside: Value


def _load(rank: int, here: ExecutionPoint, to: Value, pointer: Value, *given: Value) -> None:
    """Begin copies of boxes into shared memory."""
    place, others = given[:rank], given[rank:]
    for made, own in _maps(here, pointer, rank):
        size = uniform(made.bytes, INT64)
        mask = _find_legal(own, to, made, place, stores=False)
        for lane in engine.each_lane(mask, here.chunk):
            there = here._replace(mask=lane)
            box = _Box(made, to, place)
            found = [(piece, _read_tensor(made, piece, there)) for piece in _pieces(box, lane)]
            for target, at, reports in engine.spread(there, to, *others):

                def finish(
                    mask: Mask, target: Value = target, found: Any = found, made: TensorMap = made
                ) -> None:
                    for piece, value in found:
                        address = _swizzled(made, target, piece, here.chunk)
                        engine.write(piece.part, address, value, here._replace(mask=mask))

                arrivals.report_copy(at, reports, finish, bytes_=size)


def _store(does: str, here: ExecutionPoint, source: Value, pointer: Value, *place: Value) -> None:
    """Begin copies of boxes out of shared memory; those that reduce have something to do."""
    for made, own in _maps(here, pointer, len(place)):
        box, change = _Box(made, source, place), find_reduction(does, _KINDS.get(made.type, ""))
        put = engine.write if change is None else partial(engine.reduce, change)
        mask = _find_legal(own, source, made, place, stores=True)
        if does and change is None:
            what = fact("finding.no-tensor-reduction", does=does)
            own.report("out-of-bounds", own.mask.full, what, topic="tensor reduction")
            continue
        for lane in engine.each_lane(mask, here.chunk):
            there = here._replace(mask=lane)
            for piece in _pieces(box, lane, whole=True):
                address = _swizzled(made, source, piece, here.chunk)
                engine.check_fenced(piece.part, address, there)
            engine.begin_store(there, partial(_finish_store, put, here, box))


def _finish_store(put: Put, here: ExecutionPoint, box: _Box, mask: Mask) -> None:
    there = here._replace(mask=mask)
    for piece in _pieces(box, mask, whole=True):
        address = _swizzled(box.map, box.shared, piece, here.chunk)
        value = engine.read(piece.part, address, there)
        inside, _ = piece.part.mask.split(piece.inside)
        if inside is not None:
            put(piece.part._replace(mask=inside), piece.tensor, value, there)


def _find_legal(
    here: ExecutionPoint, shared: Value, made: TensorMap, place: Sequence[Value], *, stores: bool
) -> Mask | None:
    """Return the threads whose boxes a GPU copies; report the others."""
    mask = engine.find_aligned(here, shared, uniform(made.bytes, INT64), _ALIGNED)
    shape, item = (here.chunk.blocks, here.chunk.threads), made.element.itemsize
    low = np.minimum.reduce([np.broadcast_to(each, shape) for each in place])
    offset = np.broadcast_to(place[0].astype(np.int64) * item, shape)
    misaligned, negative = offset % BYTES != 0, (low < 0) & stores
    wrong = here.mask.full & (misaligned | negative)
    if not wrong.any() or mask is None:
        return mask
    what = fact("finding.tensor-negative")
    if misaligned[wrong].any():
        what = fact("finding.tensor-misaligned", offset=int(offset[wrong & misaligned][0]))
    here.report("misaligned", wrong, what, topic="tensor place")
    return mask.subtract(wrong)


def _maps(
    here: ExecutionPoint, pointer: Value, rank: int
) -> Iterator[tuple[TensorMap, ExecutionPoint]]:
    """Yield the maps that threads name, with those threads."""
    words = []
    for at in range(0, MAP_BYTES, INT64.itemsize):
        cells = reach_target(INT64, pointer + at, (), uncounted(here))
        if not isinstance(cells, Cells | ScatteredCells):
            return
        words.append(np.broadcast_to(cells.load(), here.mask.full.shape))
    whole = np.stack(words, axis=-1)
    left: Mask | None = here.mask
    while left is not None:
        first = whole[left.full][0]
        mask, left = left.split((whole == first).all(axis=-1))
        assert mask is not None  # the first one is in it
        made, own = decode(first.tobytes()), here._replace(mask=mask)
        if made is None or len(made.sizes) != rank:
            what = fact("finding.no-tensor-map", rank=rank)
            own.report("out-of-bounds", mask.full, what, topic="tensor map")
        else:
            yield made, own


def _pieces(box: _Box, threads: Mask, *, whole: bool = False) -> Iterator[_Piece]:
    """Yield what the warps of some threads copy, a piece for each lane at a time.

    Args:
        threads: one of each warp.
        whole: True if pieces of 16 bytes are not to be cut at the end of a row.
    """
    made = box.map
    kind, width = (WIDE, BYTES // made.element.itemsize) if whole else _piece_of(box, threads)
    sizes = [made.copied[0] // width, *made.copied[1:]]
    total = int(np.prod(sizes))
    place = [engine.of_thread(each, threads).astype(np.int64) for each in box.place]
    lane = np.arange(threads.threads, dtype=np.int64)[None, :] % LANES
    every, item = engine.all_lanes(threads), made.element.itemsize
    strides = (item, *made.strides)
    for begin in range(0, total, LANES):
        number = lane + begin
        mask, _ = every.split(number < total)
        if mask is None:
            continue
        tensor = np.full((1, 1), made.address, np.int64)
        inside, rest = np.ones((1, 1), np.bool_), number
        for axis, size in enumerate(sizes):
            index, rest = rest % size, rest // size
            at = place[axis] + index * (made.steps[axis] if axis else width)
            inside = inside & (at >= 0) & (at < made.sizes[axis])
            tensor = tensor + at * strides[axis]
        offset = number // sizes[0] * made.row_bytes + number % sizes[0] * (item * width)
        yield _Piece(LanePieces(mask, threads, kind), offset, tensor, inside)


def _piece_of(box: _Box, threads: Mask) -> tuple[VectorType | Scalar, int]:
    """Return what a piece is copied as, and its elements: 16 bytes where rows end so."""
    made = box.map
    width = BYTES // made.element.itemsize
    first = np.broadcast_to(box.place[0], threads.full.shape)[threads.full]
    fits = (made.sizes[0] % width == 0) | (first + made.box[0] <= made.sizes[0])
    return (WIDE, width) if fits.all() else (made.element, 1)


def _swizzled(made: TensorMap, shared: Value, piece: _Piece, chunk: Chunk) -> Value:
    """Return where pieces are in shared memory."""
    address = engine.of_thread(shared, piece.part.first) + piece.offset
    mask = _SWIZZLES[made.swizzle]
    return swizzle(address, find_offsets(address, chunk), mask) if mask else address


def swizzle(address: Value, offset: Value, mask: int | Value) -> Value:
    """Return where a swizzle has what it finds at an address.

    Args:
        address: of pieces.
        offset: where they are in the block's shared memory.
        mask: 1, 3, or 7: of the bits that choose a piece.
    """
    pieces = offset >> 4 & mask
    return address + (((pieces ^ (offset >> 7 & mask)) - pieces) << 4)


def _read_tensor(made: TensorMap, piece: _Piece, here: ExecutionPoint) -> tuple[Value, ...]:
    """Read pieces of a tensor, filled where they are outside of it."""
    part = piece.part
    count = part.kind.size if isinstance(part.kind, VectorType) else 1
    dtype = part.kind.dtype if isinstance(part.kind, VectorType) else part.kind
    outside = _NAN.get(made.type, 0) if made.fills_nan else 0
    fill = np.full((1, BYTES // made.element.itemsize), outside, made.element).view(dtype)
    mask, _ = part.mask.split(piece.inside)
    found: tuple[Value, ...] = ()
    if mask is not None:
        found = engine.read(part._replace(mask=mask), piece.tensor, here)
    fills = [fill[:, at : at + 1] for at in range(count)]
    if not found:
        return tuple(fills)
    return tuple(np.where(piece.inside, *each) for each in zip(found, fills, strict=True))
