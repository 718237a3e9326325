"""Turns a warp's addresses into wavefronts and conflicts. Knows no source code and no screen.

The rule is that of compute capability 9.0, measured on an H200 with Nsight Compute 2025.3: it
gives every wavefront and every conflict count of 900 recorded warp instructions
(`tests/data/h200_wavefronts.csv`). Terms: a *word* is 4 bytes; word w lies on bank w mod 32; a
*wavefront* is one pass through the shared-memory data pipe.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

Kind = Literal["load", "store", "atom", "atom_inc", "ldmatrix", "stmatrix"]
KINDS: tuple[Kind, ...] = get_args(Kind)
WIDTHS = (1, 2, 4, 8, 16)
LANES = 32
BANKS = 32
WORD_BYTES = 4
MATRIX_ROW_BYTES = 16

IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

_GROUP_LANES = {1: 32, 2: 32, 4: 32, 8: 16, 16: 8}
"""Lanes served together, by bytes a lane: 8-byte accesses go in halves, 16-byte in quarters."""


class InvalidAccess(ValueError):
    """The access cannot exist: a width, a shape, or an address that hardware would refuse."""


@dataclass(frozen=True, eq=False)
class Access:
    """One warp instruction.

    Attributes:
        kind: `atom` is an atomic add whose result is used (lanes are not combined); `atom_inc` a
            32-bit `+1` whose result is unused; `ldmatrix`, `stmatrix` the `.x4` forms, whose 32
            addresses are those of 16-byte rows.
        width: bytes a lane reads or writes: 1, 2, 4, 8 or 16.
        addresses: (32,) byte addresses in shared memory, lane 0 first.
        active: (32,) whether the lane takes part; ignored by `ldmatrix` and `stmatrix`.
    """

    kind: Kind
    width: int
    addresses: IntArray
    active: BoolArray


@dataclass(frozen=True)
class AccessCost:
    """What an access costs: `groups` is the number of lane groups with an active lane."""

    wavefronts: int
    groups: int

    @property
    def conflicts(self) -> int:
        """What the profiler counts as bank conflicts: wavefronts beyond one per lane group."""
        return self.wavefronts - self.groups


def cost(access: Access) -> AccessCost:
    """Wavefronts and lane groups of one warp instruction.

    Raises:
        InvalidAccess: unknown kind or width, wrong shape, or an active lane whose address is
            negative or not a multiple of the width; the message names the lane.
    """
    width, active = _checked(access)
    per_group = [
        _wavefronts(access.kind, access.addresses[lanes], width)
        for lanes in _lane_groups(access, width, active)
    ]
    return AccessCost(sum(per_group), len(per_group))


def bank(width: int, index: int) -> int:
    """The bank of the first byte of element `index` in an array of `width`-byte elements.

    Raises:
        InvalidAccess: no such width, or a negative index.
    """
    if width not in WIDTHS or index < 0:
        raise InvalidAccess(f"no element {index} of {width} bytes; widths: 1, 2, 4, 8, 16")
    return index * width // WORD_BYTES % BANKS


def _checked(access: Access) -> tuple[int, BoolArray]:
    """The width and active lanes that count, once the access is known to be possible."""
    if access.kind not in KINDS:
        raise InvalidAccess(f"no access kind '{access.kind}'; one of: {', '.join(KINDS)}")
    matrix = access.kind in ("ldmatrix", "stmatrix")
    width = MATRIX_ROW_BYTES if matrix else access.width
    if width not in WIDTHS:
        raise InvalidAccess(f"no access is {width} bytes wide; one of: 1, 2, 4, 8, 16")
    if access.addresses.shape != (LANES,) or access.active.shape != (LANES,):
        raise InvalidAccess("a warp access has 32 addresses and 32 active flags")
    active = np.ones(LANES, dtype=np.bool_) if matrix else access.active
    wrong = active & ((access.addresses < 0) | (access.addresses % width != 0))
    if wrong.any():
        lane = int(np.argmax(wrong))
        address = int(access.addresses[lane])
        raise InvalidAccess(f"lane {lane}: address {address} is not aligned to {width} bytes")
    return width, active


def _lane_groups(access: Access, width: int, active: BoolArray) -> list[IntArray]:
    """Active lanes of each group that has any. Loads may merge two groups into one."""
    size = _GROUP_LANES[width]
    if access.kind == "load" and _merges(access.addresses, active):
        size = min(LANES, 2 * size)
    lanes = np.arange(LANES)
    groups = (lanes[start : start + size] for start in range(0, LANES, size))
    return [group[active[group]] for group in groups if active[group].any()]


def _merges(addresses: IntArray, active: BoolArray) -> bool:
    """Whether each active lane i has lane i^1 inactive or at its own address, or i^2 for all i.

    One of the two for the whole warp; deciding group by group is wrong.
    """
    lanes = np.arange(LANES)
    return any(
        bool(np.all(~active | ~active[lanes ^ step] | (addresses == addresses[lanes ^ step])))
        for step in (1, 2)
    )


def _wavefronts(kind: Kind, addresses: IntArray, width: int) -> int:
    """The largest number of distinct words on one bank; for `atom`, of lanes on one bank."""
    words_a_lane = max(1, width // WORD_BYTES)
    words = (addresses[:, None] // WORD_BYTES + np.arange(words_a_lane)).ravel()
    counted = words if kind == "atom" else np.unique(words)
    return int(np.bincount(counted % BANKS).max())
