"""A warp instruction that accesses shared memory, and which of them can exist."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from grader.facts import Fact, FactError, fact

Kind = Literal[
    "load", "store", "atom", "atom_inc", "atom_float", "atom_cas", "ldmatrix", "stmatrix"
]
KINDS: tuple[Kind, ...] = get_args(Kind)
WIDTHS = (1, 2, 4, 8, 16)
LANES = 32
WORD_BYTES = 4
MATRIX_KINDS: tuple[Kind, ...] = ("ldmatrix", "stmatrix")
MATRIX_ROWS = 8
"""The rows of a matrix: as many lanes give one address each."""
MATRIX_ROW_BYTES = 16
ADDRESSES = 1 << 56
"""Byte addresses are below this: more than any memory, and 64 bits leave room to count with."""

SHARED_BYTES = 1 << 20
"""More than any device has: an address from there on is a mistake in the index."""

IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


class InvalidAccess(FactError, ValueError):
    """Hardware would refuse the access: its width, shape, kind or an address; `what` says which.

    Also raised if an architecture has no such access, or if there is no such architecture.
    """


@dataclass(frozen=True, eq=False)
class Access:
    """One warp instruction.

    Attributes:
        kind: `atom` is an integer atomic that does not combine lanes: its result is used, or it
            adds another value than the constant 1 (`ATOMS.ADD`); `atom_inc` a 32-bit `+1` whose
            result is unused (`ATOMS.POPC.INC`); `atom_cas` compares and swaps: of 4 and 8 bytes
            one instruction (`ATOMS.CAS`); of 2 and 16 it is a CAS loop, as are `atom_float` and
            `atom` of 8 bytes; the addresses of `ldmatrix` and `stmatrix` are those of 16-byte
            rows, 8 of them a matrix.
        width: bytes per lane: 1, 2, 4, 8 or 16; the matrix forms always move 16.
        addresses: (32,) byte addresses in shared memory, lane 0 first.
        active: (32,) true if the lane takes part. Of `ldmatrix` and `stmatrix`, the addresses of
            8 lanes count together: all of them if one is active, else none of the matrix.
            The first 8 lanes are `.x1`, the first 16 `.x2`, all of them `.x4`.
    """

    kind: Kind
    width: int
    addresses: IntArray
    active: BoolArray


def bank(width: int, index: int) -> int:
    """Return the bank of the first byte of element `index` in an array of `width`-byte elements.

    As on compute capability 5.0 and later (and 2.x): 32 banks of 4 bytes.

    Raises:
        InvalidAccess: the width does not exist, or the index is negative.
    """
    if width not in WIDTHS or index < 0:
        raise InvalidAccess(fact("bank.no-element", index=index, width=width, widths=WIDTHS))
    return index * width // WORD_BYTES % 32


def width_of(kind: Kind, width: int) -> int:
    """Return the bytes that a lane moves.

    Raises:
        InvalidAccess: the kind or the width does not exist.
    """
    if kind not in KINDS:
        raise InvalidAccess(fact("bank.unknown-kind", kind=kind, kinds=KINDS))
    if kind in MATRIX_KINDS:
        return MATRIX_ROW_BYTES
    if width not in WIDTHS:
        raise InvalidAccess(fact("bank.unknown-width", width=width, widths=WIDTHS))
    return width


def counted_lanes(kind: Kind, active: BoolArray) -> BoolArray:
    """Find the lanes whose addresses count, (…, 32); of a matrix form, all 8 of an active one."""
    if kind not in MATRIX_KINDS:
        return active
    by_matrix = active.reshape(*active.shape[:-1], LANES // MATRIX_ROWS, MATRIX_ROWS)
    return np.repeat(by_matrix.any(axis=-1), MATRIX_ROWS, axis=-1)


def find_refusals(addresses: IntArray, active: BoolArray, width: int) -> Iterator[tuple[int, Fact]]:
    """Yield the number of each access, of (N, 32), that hardware would refuse, and the reason."""
    wrong = ((addresses < 0) | (addresses >= ADDRESSES) | (addresses % width != 0)) & active
    for number in np.flatnonzero(wrong.any(axis=1)).tolist():
        reason = find_refused(addresses[number].tolist(), active[number].tolist(), width)
        assert reason is not None  # the same rule found it above
        yield number, reason


def find_refused(addresses: list[int], active: list[bool], width: int) -> Fact | None:
    """Find the first active lane whose address hardware would refuse; None if it refuses none."""
    for lane, (address, takes_part) in enumerate(zip(addresses, active, strict=True)):
        if takes_part and address < 0:
            return fact("bank.negative-address", lane=lane, address=address)
        if takes_part and address >= ADDRESSES:
            return fact("bank.address-too-large", lane=lane, address=address)
        if takes_part and address % width:
            return fact("bank.misaligned", lane=lane, address=address, width=width)
    return None
