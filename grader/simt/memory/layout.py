"""Where shared arrays are in a block's shared memory, for code that keeps 18 bits of an address.

Descriptors of matrices do. There, an address in the shared window is the number of its array in the
upper bits, and below them where it is in the whole of the block's shared memory.
"""

from __future__ import annotations

import numpy as np

from grader.simt.machine.chunk import Chunk, ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.memory.allocations import (
    NO_RANK,
    Addresses,
    allocations_of,
    from_cluster_window,
    name_rank,
    number_of,
    starts_of,
    to_cluster_window,
)
from grader.simt.memory.shared_memory import SharedBuffer
from grader.simt.memory.views import Ints


def to_layout_window(here: ExecutionPoint, pointer: Value) -> Value:
    """Return the addresses in the shared window that generic pointers stand for."""
    return to_cluster_window(pointer) + _base(pointer, here.chunk)


def from_layout_window(here: ExecutionPoint, address: Value) -> Value:
    """Return the generic pointers of addresses in the shared window."""
    found = from_cluster_window(address)
    return found - _base(found, here.chunk)


def find_offsets(pointer: Addresses, chunk: Chunk) -> Addresses:
    """Return where pointers are in the whole of a block's shared memory."""
    return _base(pointer, chunk) + pointer - starts_of(name_rank(pointer, NO_RANK))


def find_arrays(chunk: Chunk) -> list[tuple[int, int, int]]:
    """Return where shared arrays begin and end in a block, and the pointers to them."""
    found = []
    for each in allocations_of(chunk.launch).own:
        if each.space == "shared":
            base = _base_of(each.find(chunk))
            found.append((base, base + each.size, each.start))
    return found


def _base_of(buffer: object) -> int:
    assert isinstance(buffer, SharedBuffer)  # an array of shared memory has no other
    return buffer.region.base


def _base(pointer: Addresses, chunk: Chunk) -> Addresses:
    """Return where the arrays begin that pointers lead into."""
    bases = _bases(chunk)
    number = number_of(pointer)
    there = (number >= 0) & (number < bases.size)
    return bases[np.where(there, number, bases.size - 1)]


def _bases(chunk: Chunk) -> Ints:
    """Return where the arrays of allocations begin, by number; 0 for those elsewhere."""
    own = allocations_of(chunk.launch).own
    known: Ints | None = chunk.launch.memory.get(_bases)
    if known is None or known.size != len(own) + 1:
        bases = [_base_of(each.find(chunk)) if each.space == "shared" else 0 for each in own]
        known = np.array([*bases, 0], dtype=np.int64)
        chunk.launch.memory[_bases] = known
    return known
