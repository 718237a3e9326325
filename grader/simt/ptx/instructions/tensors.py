"""`cp.async.bulk.tensor` (PTX ISA 9.7.9.26.5): copies of a box of a tensor, by its map, tiled.

A map is what `cuTensorMapEncodeTiled` of our own host side makes (`include/quiz_tensors.h`), 128
bytes: the address; rank, type, interleave, swizzle, and fill, a byte each, and "TMA"; five sizes
and four strides of 64 bits; five sizes of the box of 32 bits; five steps of a byte.
In shared memory, the first axis varies fastest, and a swizzle exchanges the 16-byte pieces of
each 128 bytes by the address bits above: `address ^= (address >> 7 & mask) << 4`.
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
from grader.simt.ptx.instructions.engine import BYTES, WIDE, Part
from grader.simt.ptx.instructions.mbarriers import address_of
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
_NAN = {6: 0x7FFF, 7: 0x7FFFFFFF, 8: 0x7FFFFFFFFFFFFFFF, 9: 0x7FFF}
"""What fills places outside, if NaN are asked for, by the type."""
_SWIZZLES = (0, 1, 3, 7)
"""Masks of the address bits that exchange pieces: none, of 32, 64, and 128 bytes."""
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
        """The sizes of the box in shared memory."""
        return tuple(-(-size // step) for size, step in zip(self.box, self.steps, strict=True))

    @property
    def bytes(self) -> int:
        """Of the box in shared memory."""
        return int(np.prod(self.copied)) * self.element.itemsize


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


def tensor_copy(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `cp.async.bulk.tensor` in tiled mode."""
    program, modifiers, operands = lowering.program, instruction.modifiers, instruction.operands
    program.timed = program.stores_anywhere = True
    if "prefetch" in modifiers:
        return []
    rank = int(modifiers[3][0]) if modifiers[3] in ("1d", "2d", "3d", "4d", "5d") else 0
    loads = modifiers[4].startswith("shared")
    known = {
        *modifiers[:6], "tile", "mbarrier::complete_tx::bytes", "multicast::cluster",
        "L2::cache_hint", "bulk_group",
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
        return [Do(perform(lowering, instruction, Nothing(), "tensor", _store, *given))]
    given.append(address_of(lowering, operands[2], instruction))
    if "multicast::cluster" in modifiers:
        given.append(lowering.read(operands[3], "u16", instruction))
    run = partial(_load, rank)
    return [Do(perform(lowering, instruction, Nothing(), "tensor", run, *given))]


class _Box(NamedTuple):
    """Boxes that threads copy, of maps that say the same.

    Attributes:
        map: what they say.
        shared: the addresses of the boxes in shared memory.
        place: where they begin in the tensor.
    """

    map: TensorMap
    shared: Value
    place: Sequence[Value]


class _Piece(NamedTuple):
    """A piece of a box for each lane: where it is, and which lanes' are inside the tensor."""

    part: Part
    offset: Value
    tensor: Value
    inside: Value


def _load(rank: int, here: ExecutionPoint, to: Value, pointer: Value, *given: Value) -> None:
    """Begin copies of boxes into shared memory."""
    place, others = given[:rank], given[rank:]
    for made, own in _maps(here, pointer, rank):
        size = uniform(made.bytes, INT64)
        mask = engine.find_aligned(own, to, size, _ALIGNED)
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


def _store(here: ExecutionPoint, source: Value, pointer: Value, *place: Value) -> None:
    """Begin copies of boxes out of shared memory."""
    for made, own in _maps(here, pointer, len(place)):
        box = _Box(made, source, place)
        mask = engine.find_aligned(own, source, uniform(made.bytes, INT64), _ALIGNED)
        for lane in engine.each_lane(mask, here.chunk):
            there = here._replace(mask=lane)
            for piece in _pieces(box, lane):
                address = _swizzled(made, source, piece, here.chunk)
                engine.check_fenced(piece.part, address, there)
            engine.begin_store(there, partial(_finish_store, here, box))


def _finish_store(here: ExecutionPoint, box: _Box, mask: Mask) -> None:
    there = here._replace(mask=mask)
    for piece in _pieces(box, mask):
        address = _swizzled(box.map, box.shared, piece, here.chunk)
        value = engine.read(piece.part, address, there)
        inside, _ = piece.part.mask.split(piece.inside)
        if inside is not None:
            engine.write(piece.part._replace(mask=inside), piece.tensor, value, there)


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


def _pieces(box: _Box, threads: Mask) -> Iterator[_Piece]:
    """Yield what the warps of some threads copy, a piece for each lane at a time."""
    made = box.map
    kind, width = _piece_of(box, threads)
    sizes = [made.copied[0] // width, *made.copied[1:]]
    total = int(np.prod(sizes))
    place = [engine.of_thread(each, threads).astype(np.int64) for each in box.place]
    lane = np.arange(threads.threads, dtype=np.int64)[None, :] % LANES
    whole, item = engine.all_lanes(threads), made.element.itemsize
    strides = (item, *made.strides)
    for begin in range(0, total, LANES):
        number = lane + begin
        mask, _ = whole.split(number < total)
        if mask is None:
            continue
        tensor = np.full((1, 1), made.address, np.int64)
        inside, rest = np.ones((1, 1), np.bool_), number
        for axis, size in enumerate(sizes):
            index, rest = rest % size, rest // size
            step = made.steps[axis] * (1 if axis else width)
            at = place[axis] + index * step
            inside = inside & (at >= 0) & (at < made.sizes[axis])
            tensor = tensor + at * strides[axis]
        yield _Piece(Part(mask, threads, kind), number * (item * width), tensor, inside)


def _piece_of(box: _Box, threads: Mask) -> tuple[VectorType | Scalar, int]:
    """Return what a piece is copied as, and its elements: 16 bytes where those are aligned."""
    made, item = box.map, box.map.element.itemsize
    width = BYTES // item
    first = np.broadcast_to(box.place[0], threads.full.shape)[threads.full]
    fits = (made.sizes[0] % width == 0) | (first + made.box[0] <= made.sizes[0])
    if made.steps[0] == 1 and made.box[0] % width == 0 and ((first % width == 0) & fits).all():
        return WIDE, width
    return made.element, 1


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
