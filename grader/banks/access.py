"""A warp instruction that accesses shared memory, and which of them can exist."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

Kind = Literal[
    "load", "store", "atom", "atom_inc", "atom_float", "atom_cas", "ldmatrix", "stmatrix"
]
KINDS: tuple[Kind, ...] = get_args(Kind)
WIDTHS = (1, 2, 4, 8, 16)
LANES = 32
WORD_BYTES = 4
MATRIX_KINDS: tuple[Kind, ...] = ("ldmatrix", "stmatrix")
MATRIX_ROWS = 8
"""Of one matrix: as many lanes give an address each."""
MATRIX_ROW_BYTES = 16
ADDRESSES = 1 << 56
"""Byte addresses are below this: far more than any memory, and room in 64 bits to count with."""

SHARED_BYTES = 1 << 20
"""More than any device has: an address from there on is a mistake of whoever wrote the index."""

IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


class InvalidAccess(ValueError):
    """The access cannot exist: a width, a shape, an address or a kind that hardware would refuse.

    Also raised where an architecture has no such access, or there is no such architecture.
    """


@dataclass(frozen=True, eq=False)
class Access:
    """One warp instruction.

    Attributes:
        kind: `atom` is an integer atomic that does not combine lanes: its result is used, or it
            adds another value than the constant 1 (`ATOMS.ADD`); `atom_inc` a 32-bit `+1` whose
            result is unused (`ATOMS.POPC.INC`); `atom_cas` compares and swaps: of 4 and 8 bytes
            one instruction (`ATOMS.CAS`); of 2 and 16 it is a retry loop, as are `atom_float` and
            `atom` of 8 bytes; the addresses of `ldmatrix` and `stmatrix` are those of 16-byte
            rows, 8 of them a matrix.
        width: bytes a lane reads or writes: 1, 2, 4, 8 or 16; the matrix forms always move 16.
        addresses: (32,) byte addresses in shared memory, lane 0 first.
        active: (32,) whether the lane takes part. Of `ldmatrix` and `stmatrix` the addresses of
            8 lanes count together: all of them if one is active, else the matrix is not there.
            The first 8 lanes are `.x1`, the first 16 `.x2`, all of them `.x4`.
    """

    kind: Kind
    width: int
    addresses: IntArray
    active: BoolArray


def bank(width: int, index: int) -> int:
    """The bank of the first byte of element `index` in an array of `width`-byte elements.

    That of compute capability 5.0 and later (and 2.x): 32 banks of 4 bytes.

    Raises:
        InvalidAccess: no such width, or a negative index.
    """
    if width not in WIDTHS or index < 0:
        raise InvalidAccess(f"no element {index} of {width} bytes; widths: 1, 2, 4, 8, 16")
    return index * width // WORD_BYTES % 32


def width_of(kind: Kind, width: int) -> int:
    """The bytes a lane moves.

    Raises:
        InvalidAccess: no such kind or width.
    """
    if kind not in KINDS:
        raise InvalidAccess(f"no access kind '{kind}'; one of: {', '.join(KINDS)}")
    if kind in MATRIX_KINDS:
        return MATRIX_ROW_BYTES
    if width not in WIDTHS:
        raise InvalidAccess(f"no access is {width} bytes wide; one of: 1, 2, 4, 8, 16")
    return width


def counted_lanes(kind: Kind, active: BoolArray) -> BoolArray:
    """(…, 32): whose addresses count; of a matrix form those of each 8 lanes with an active one."""
    if kind not in MATRIX_KINDS:
        return active
    by_matrix = active.reshape(*active.shape[:-1], LANES // MATRIX_ROWS, MATRIX_ROWS)
    return np.repeat(by_matrix.any(axis=-1), MATRIX_ROWS, axis=-1)


def refusal(addresses: list[int], active: list[bool], width: int) -> str | None:
    """What is wrong with the first active lane whose address hardware would refuse, if any."""
    for lane, (address, takes_part) in enumerate(zip(addresses, active, strict=True)):
        if takes_part and address < 0:
            return f"lane {lane}: address {address} is negative"
        if takes_part and address >= ADDRESSES:
            return f"lane {lane}: address {address} is beyond any memory"
        if takes_part and address % width:
            return f"lane {lane}: address {address} is not aligned to {width} bytes"
    return None
