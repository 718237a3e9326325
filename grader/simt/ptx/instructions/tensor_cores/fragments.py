"""Where the elements of a matrix are in the registers of a warp's lanes (PTX ISA 9.7.14.5)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.frozen import frozen
from grader.simt.intrinsics.functions.fp8 import E4M3, E5M2, decode
from grader.simt.masks import LANES
from grader.simt.program.types import FLOAT16, FLOAT32, FLOAT64, INT32, INT64, UINT8, UINT16, UINT32
from grader.simt.ptx.values import DTYPES, from_bfloat, to_bfloat

Matrices = NDArray[Any]
_ROWS = 8
_LARGEST_S4 = 7
_PER_REGISTER = {
    "f16": 2, "bf16": 2, "s8": 4, "u8": 4, "e4m3": 4, "e5m2": 4, "s4": 8, "u4": 8, "b1": 32,
}  # fmt: skip
"""Elements of a register; 1 of all others."""
_FORMATS = {"e4m3": E4M3, "e5m2": E5M2}


def unpack(kind: str, words: NDArray[Any]) -> Any:
    """Return the elements of registers: (…, registers) → (…, registers, elements of each)."""
    raw = np.ascontiguousarray(words)
    match kind:
        case "f16":
            return raw.view(UINT32)[..., None].view(FLOAT16).astype(FLOAT32)
        case "bf16":
            return from_bfloat(raw.view(UINT32)[..., None].view(UINT16))
        case "tf32":  # the lower bits are not looked at
            kept = raw.view(UINT32) & UINT32.type(0xFFFFE000)
            return kept.view(FLOAT32)[..., None]
        case "s8" | "u8":
            return raw.view(UINT32)[..., None].view(DTYPES[kind]).astype(INT64)
        case "s4" | "u4" | "b1":
            each = _PER_REGISTER[kind]
            places = np.arange(each, dtype=UINT32) * UINT32.type(32 // each)
            parts = raw.view(UINT32)[..., None] >> places & UINT32.type((1 << 32 // each) - 1)
            return parts.astype(INT64) - (parts > _LARGEST_S4) * 16 * (kind == "s4")
        case "e4m3" | "e5m2":
            return decode(raw.view(UINT32)[..., None].view(UINT8), _FORMATS[kind]).astype(FLOAT32)
        case "f64":
            return raw.view(FLOAT64)[..., None]
        case "f32":
            return raw.view(FLOAT32)[..., None].astype(FLOAT64)
        case "s32":
            return raw.view(INT32)[..., None].astype(INT64)
    raise AssertionError(kind)


def pack(kind: str, elements: NDArray[Any]) -> NDArray[Any]:
    """Return elements as registers, as `unpack` takes them apart."""
    match kind:
        case "f16":
            return np.ascontiguousarray(elements.astype(FLOAT16)).view(UINT32)[..., 0]
        case "bf16":
            return np.ascontiguousarray(to_bfloat(elements)).view(UINT32)[..., 0]
        case "s8" | "u8":
            return np.ascontiguousarray(elements.astype(DTYPES[kind])).view(UINT32)[..., 0]
        case "s32":
            return elements[..., 0].astype(INT32)
    return elements[..., 0].astype(DTYPES[kind])


@frozen(eq=False)
class Fragment:
    """Where the elements of a matrix are.

    Attributes:
        kind: type of the elements.
        shape: rows and columns.
        rows, columns: (32, registers, elements of each): the place of each element.
    """

    kind: str
    shape: tuple[int, int]
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]

    @property
    def registers(self) -> int:
        """How many each lane has."""
        return int(self.rows.shape[1])

    @property
    def size(self) -> int:
        """How many bytes each lane has."""
        return int(self.rows[0].size) * DTYPES[self.kind].itemsize

    def gather(self, words: NDArray[Any]) -> Matrices:
        """Return (warps, rows, columns) of registers (warps, 32, registers)."""
        elements = unpack(self.kind, words)
        found = np.zeros((len(words), *self.shape), dtype=elements.dtype)
        found[:, self.rows, self.columns] = elements
        return found

    def scatter(self, matrices: Matrices) -> NDArray[Any]:
        """Return the registers of matrices."""
        return pack(self.kind, matrices[:, self.rows, self.columns])


def _places(registers: int, each: int) -> tuple[NDArray[Any], ...]:
    """Return group, place in it, register and element, which broadcast to (32, registers, each)."""
    lane = np.arange(LANES)[:, None, None]
    return lane >> 2, lane & 3, np.arange(registers)[None, :, None], np.arange(each)[None, None, :]


def left_of(kind: str, depth: int, height: int = 16) -> Fragment:
    """Return where the left operand of `mma` is: (height, depth)."""
    each = _PER_REGISTER.get(kind, 1)
    registers = height * depth // (LANES * each)
    group, place, register, element = _places(registers, each)
    tall = height // _ROWS
    rows = group + _ROWS * (register % tall) + 0 * place + 0 * element
    columns = place * each + element + register // tall * 4 * each + 0 * group
    return Fragment(kind, (height, depth), rows, columns)


def right_of(kind: str, depth: int, width: int = 8) -> Fragment:
    """Return where the right operand of `mma` is: (depth, width)."""
    each = _PER_REGISTER.get(kind, 1)
    deep = depth // (4 * each)
    registers = deep * width // _ROWS
    group, place, register, element = _places(registers, each)
    rows = place * each + element + register % deep * 4 * each + 0 * group
    columns = group + _ROWS * (register // deep) + 0 * place + 0 * element
    return Fragment(kind, (depth, width), rows, columns)


def sums_of(kind: str, height: int = 16, width: int = 8) -> Fragment:
    """Return where the accumulators are: (height, width)."""
    each = _PER_REGISTER.get(kind, 1)
    registers = height * width // (LANES * each)
    group, place, register, element = _places(registers, each)
    flat = register * each + element
    tall = height // _ROWS
    rows = group + _ROWS * (flat // 2 % tall) + 0 * place
    columns = place * 2 + flat % 2 + _ROWS * (flat // (2 * tall)) + 0 * group
    return Fragment(kind, (height, width), rows, columns)
