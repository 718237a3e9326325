"""What crosses the network between the SMs of a cluster when warps access each other's memory.

Nsight Compute counts it in sectors of 32 bytes (`l1tex__m_l1tex2xbar_write_sectors_mem_dshared`).
The rules are those that 460 accesses on an H200 follow (`python -m bench.gpu.ptx.remote`), one
request of a warp and one block that it reaches for at a time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grader.simt.masks import Bools

Places = NDArray[np.int64]
"""(warps, 32): the byte where each lane accesses shared memory."""
_HALF, _SECTOR, _LINE = 4, 5, 7
"""Bits of an address below those of 16, 32, and 128 bytes."""
_AT_ONCE = 512
_NOWHERE = np.iinfo(np.int64).min


def count_sectors(kind: str, places: Places, active: Bools) -> int:
    """Count the sectors that requests of warps send or get.

    Args:
        kind: `load`, `store`, or `atomic`.
        places: of the lanes, of which no access crosses a multiple of 16 bytes.
        active: (warps, 32).
    """
    count = {"load": _of_loads, "store": _of_stores, "atomic": _of_atomics}[kind]
    total = 0
    for first in range(0, len(places), _AT_ONCE):
        part = slice(first, first + _AT_ONCE)
        own = np.where(active[part], places[part], _NOWHERE)
        total += count(own)
    return total


def _first(places: Places, bits: int) -> tuple[Places, Bools]:
    """Return pieces of so many bits of all lanes, sorted, and which are the first of their kind."""
    pieces = np.sort(places >> bits, axis=1)
    there = np.ones(pieces.shape, np.bool_)
    there[:, 1:] = pieces[:, 1:] != pieces[:, :-1]
    return pieces, there & (pieces != _NOWHERE >> bits)


def _of_loads(places: Places) -> int:
    """Count each sector once, however many lanes read it."""
    return int(_first(places, _SECTOR)[1].sum())


def _of_stores(places: Places) -> int:
    """Count each sector; a line's only one twice if both its halves are written."""
    halves, first = _first(places, _HALF)
    sectors = halves >> _SECTOR - _HALF
    starts = first.copy()
    starts[:, 1:] &= sectors[:, 1:] != sectors[:, :-1]
    lines = halves >> _LINE - _HALF
    same = lines[:, :, None] == lines[:, None, :]
    in_line = [(same & flag[:, None, :]).sum(axis=2) for flag in (first, starts)]
    lonely = starts & (in_line[0] == 2) & (in_line[1] == 1)
    return int(starts.sum() + lonely.sum())


def _of_atomics(places: Places) -> int:
    """Count each sector there and back, as often as lanes meet at one of its elements."""
    sorted_, _ = _first(places, 0)
    sectors = sorted_ >> _SECTOR
    starts = np.ones(sectors.shape, np.bool_)
    starts[:, 1:] = sectors[:, 1:] != sectors[:, :-1]
    starts &= sorted_ != _NOWHERE
    meet = (sorted_[:, :, None] == sorted_[:, None, :]).sum(axis=2)
    there = sectors[:, :, None] == sectors[:, None, :]
    most = np.where(there, meet[:, None, :], 0).max(axis=2)
    return 2 * int(most[starts].sum())
