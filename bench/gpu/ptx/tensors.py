"""Tensor copies of tests/data/ptx/tensors: boxes of tensors, and what they leave; on a GPU, too.

A load leaves what is in shared memory behind it, of 32 KB that were filled with 0xAA, and whether
all bytes that were waited for came; a store, what is in global memory. An H200 showed what the
documentation does not say: a box begins on a multiple of 16 bytes, or the kernel ends with an
error; rows narrower than the swizzle are as far apart as the swizzle is wide; the step of the first
axis is ignored; and a store goes by whole pieces of 16 bytes, beyond the end of a row, too.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FOLDER = Path(__file__).parents[3] / "tests" / "data" / "ptx" / "tensors"
SHARED_BYTES, PIECE = 32768, 16
_SEED = 77
_U8, _U16, _U32, _I32, _, _, _F16, _F32, _F64, _BF16 = range(10)
_BYTES = (1, 2, 4, 4, 8, 8, 2, 4, 8, 2)
_NAN = {_F16: 0x7FF7, _F32: 0x7FF77FF7, _F64: 0x7FF77FF77FF77FF7, _BF16: 0x7FF7}
_FILLED = {_F16: np.float16, _F32: np.float32, _BF16: np.uint16}
"""As what random numbers from 0 to 99 are stored; tensors of other types are random bytes."""
Bytes = NDArray[np.uint8]


class TensorCase(NamedTuple):
    """A box of a tensor; axes in the order of memory.

    Attributes:
        type: of `CUtensorMapDataType`.
        box: its sizes, before steps.
        place: where it begins.
        swizzle: 0 to 3: none, of 32, 64, and 128 bytes.
        fill: 1 if NaN are to be outside.
        steps: of each axis.
        pitch: bytes of a row; 0: as many as it has.
        offset: where the box is in shared memory.
        stores: False if it is only loaded.
        more: bytes to wait for beyond those of the box.
    """

    type: int
    sizes: tuple[int, ...]
    box: tuple[int, ...]
    place: tuple[int, ...]
    swizzle: int = 0
    fill: int = 0
    steps: tuple[int, ...] = ()
    pitch: int = 0
    offset: int = 0
    stores: bool = True
    more: int = 0

    def is_legal(self, *, stores: bool) -> bool:
        """Tell whether a GPU copies it."""
        return not self.place[0] * self.item % PIECE and not (stores and min(self.place) < 0)

    @property
    def item(self) -> int:
        """Bytes of an element."""
        return _BYTES[self.type]

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from one element to the next, of all axes but the first; then of the whole."""
        row = -(-(self.pitch or self.sizes[0] * self.item) // 16) * 16
        found = [row]
        for size in self.sizes[1:]:
            found.append(found[-1] * size)
        return tuple(found)

    @property
    def all_steps(self) -> tuple[int, ...]:
        """A step of each axis."""
        return self.steps or (1,) * len(self.sizes)

    @property
    def own_steps(self) -> tuple[int, ...]:
        """Those that count."""
        return (1, *self.all_steps[1:])

    @property
    def copied(self) -> tuple[int, ...]:
        """The sizes of the box in shared memory."""
        return tuple(-(-size // step) for size, step in zip(self.box, self.own_steps, strict=True))

    @property
    def width(self) -> int:
        """Bytes from a row of the box to the next, in shared memory."""
        return max(self.copied[0] * self.item, 16 << self.swizzle if self.swizzle else 0)

    @property
    def bytes(self) -> int:
        """That are waited for."""
        return int(np.prod(self.copied)) * self.item + self.more


def _make() -> dict[str, TensorCase]:
    wide, small = (96, 40), (33, 20)
    found = {
        "t1": TensorCase(_F32, (100,), (64,), (16,)),
        "t1_over": TensorCase(_F32, (100,), (64,), (60,)),
        "t1_neg": TensorCase(_F32, (100,), (64,), (-12,)),
        "t2": TensorCase(_F16, wide, (64, 16), (8, 4)),
    }
    for swizzle in (1, 2, 3):
        box = (8 << swizzle, 24)
        found[f"t2_sw{swizzle}"] = TensorCase(_F16, wide, box, (16, 5), swizzle)
        found[f"t2_sw{swizzle}_low"] = TensorCase(_F16, wide, box, (8, -2), swizzle)
    return found | {
        "t2_sw3_narrow": TensorCase(_F16, wide, (32, 16), (16, 5), 3),
        "t2_sw2_narrow": TensorCase(_F16, wide, (16, 16), (16, 5), 2),
        "t2_sw3_narrow_whole": TensorCase(_F16, wide, (32, 16), (16, 5), 3, more=1024),
        "t2_sw3_offset": TensorCase(_F16, wide, (64, 16), (16, 5), 3, offset=128),
        "t2_sw3_offset2": TensorCase(_F16, wide, (64, 16), (16, 5), 3, offset=640),
        "t2_over": TensorCase(_F32, small, (16, 8), (24, 16)),
        "t2_over8": TensorCase(_U8, (101, 20), (48, 8), (64, 15)),
        "t2_over16": TensorCase(_F16, (35, 20), (16, 8), (24, 3)),
        "t2_left": TensorCase(_F32, small, (16, 8), (-4, 3)),
        "t2_top": TensorCase(_F32, small, (16, 8), (4, -3)),
        "t2_neg": TensorCase(_F32, small, (16, 8), (-8, -3)),
        "t2_away": TensorCase(_F32, small, (16, 8), (200, 3)),
        "t2_nan": TensorCase(_F32, small, (16, 8), (-4, 15), fill=1),
        "t2_nan16": TensorCase(_F16, (40, 20), (16, 8), (-8, 15), fill=1),
        "t2_nanb": TensorCase(_BF16, (40, 20), (16, 8), (32, 15), fill=1),
        "t2_nan64": TensorCase(_F64, (20, 20), (8, 8), (16, 15), fill=1),
        "t2_pitch": TensorCase(_F32, (30, 20), (16, 8), (4, 2), pitch=160),
        "t2_u8": TensorCase(_U8, (100, 20), (48, 8), (16, 2)),
        "t2_f64": TensorCase(_F64, (20, 20), (8, 8), (6, 15)),
        "t2_estr": TensorCase(_F32, (64, 40), (16, 16), (4, 3), steps=(1, 2)),
        "t2_estr_top": TensorCase(_F32, (64, 40), (16, 16), (4, -3), steps=(1, 3)),
        "t2_estr0": TensorCase(_F32, (64, 40), (32, 8), (4, 3), steps=(2, 1)),
        "t3": TensorCase(_F16, (32, 10, 12), (16, 4, 3), (8, 1, 10)),
        "t3_neg": TensorCase(_F16, (32, 10, 12), (16, 4, 3), (8, -1, 10)),
        "t3_sw": TensorCase(_BF16, (64, 10, 12), (64, 8, 2), (0, 3, 5), 3),
        "t4": TensorCase(_I32, (16, 6, 5, 4), (8, 3, 2, 2), (4, 4, 1, 3)),
        "t5": TensorCase(_U16, (16, 5, 4, 3, 4), (16, 2, 3, 2, 2), (8, 1, 2, 1, 3)),
        "t5_neg": TensorCase(_U16, (16, 5, 4, 3, 4), (16, 2, 3, 2, 2), (-8, 1, -2, 1, 3)),
        "t5_sw": TensorCase(_F16, (16, 5, 4, 3, 4), (16, 4, 2, 2, 2), (0, 1, 1, 0, 3), 1),
        "odd": TensorCase(_F16, wide, (64, 16), (3, 4)),
        "odd_neg": TensorCase(_F32, (100,), (64,), (-10,)),
        "odd8": TensorCase(_U8, (100, 20), (48, 8), (7, 2)),
    }


CASES = _make()
REFUSED = {
    "a box of 257": TensorCase(_F32, (300, 8), (257, 1), (0, 0)),
    "a row of 12 bytes": TensorCase(_F32, (100, 8), (3, 4), (0, 0)),
    "a row wider than the swizzle": TensorCase(_F16, (128, 8), (128, 4), (0, 0), 3),
    "a step of nine": TensorCase(_F32, (100, 8), (16, 4), (0, 0), steps=(9, 1)),
    "an axis of none": TensorCase(_F32, (0, 8), (16, 4), (0, 0), pitch=400),
}
"""Maps that cannot be."""


def given() -> dict[str, tuple[Bytes, Bytes]]:
    """Return the tensor of each case, and what shared memory holds before a store."""
    random, found = np.random.default_rng(_SEED), {}
    for name, case in CASES.items():
        whole = case.strides[-1]
        tensor = random.integers(0, 256, whole, dtype=np.uint8)
        if case.type in _FILLED:
            numbers = random.integers(0, 100, whole // case.item)
            tensor = numbers.astype(_FILLED[case.type]).view(np.uint8)
        shared = np.zeros(0, np.uint8)
        if case.stores:
            shared = random.integers(0, 256, SHARED_BYTES, dtype=np.uint8)
        found[name] = tensor, shared
    return found


def compute(case: TensorCase, tensor: Bytes, shared: Bytes | None = None) -> Bytes:
    """Copy a box element by element; return shared memory, or the tensor that is stored to."""
    item, left = case.item, np.full(SHARED_BYTES, 0xAA, np.uint8)
    left[-4:] = (not case.more, 0, 0, 0)
    if shared is not None:
        left = tensor.copy()
    outside = np.array([_NAN[case.type] if case.fill else 0], np.uint64).view(np.uint8)[:item]
    strides, across = (item, *case.strides), case.copied[0]
    for number, index in enumerate(product(*map(range, reversed(case.copied)))):
        place = [
            first + at * step
            for first, at, step in zip(case.place, reversed(index), case.own_steps, strict=True)
        ]
        inside = all(0 <= at < size for at, size in zip(place, case.sizes, strict=True))
        where = sum(at * stride for at, stride in zip(place, strides, strict=False))
        at = case.offset + number // across * case.width + number % across * item
        at ^= (at >> 7 & (0, 1, 3, 7)[case.swizzle]) << 4
        if shared is None:
            left[at : at + item] = tensor[where : where + item] if inside else outside
            continue
        place[0] -= place[0] % (PIECE // item)
        if all(0 <= at < size for at, size in zip(place, case.sizes, strict=True)):
            left[where : where + item] = shared[at : at + item]
    return left


def read() -> str:
    """Return the PTX of all of them."""
    return (FOLDER / "copies.ptx").read_text()
