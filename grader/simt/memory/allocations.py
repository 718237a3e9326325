"""Pointers as numbers: which allocation an int64 points into, and how far from its start.

A pointer has the number of its allocation in the upper bits and a signed byte offset in the lower
40, above a base that no null pointer and no address of the host reaches. Arrays that a launch is
given are allocations of global memory; each declared array is one too, the same for all blocks and
threads: which block's or thread's it is, is known where it is accessed. A pointer that is stored
names its owner, so that one that another block or thread loads, or a later launch, is told apart.
A pointer into the shared memory of a certain block of a cluster has that block's rank in its
offset's upper bits, which no array there is large enough for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.frozen import frozen
from grader.simt.machine.chunk import Chunk, LaunchState
from grader.simt.memory.textures import Texture
from grader.simt.memory.views import Buffer
from grader.simt.memory.written import WrittenBytes
from grader.simt.program.types import Space

Addresses = NDArray[np.int64]
_BITS = 40
_HALF = 1 << (_BITS - 1)
_BASE = 1 << 62
_OWNED = 1 << 61
_ID_BITS, _OWNER_BITS, _OFFSET_BITS = 10, 28, 22
"""Of an owned pointer, from the upper bits to the lower ones."""
_LOCAL = 1 << 60
"""Says that the owner is a thread."""
_SCATTER = 2_654_435_761
"""Makes owners of two launches differ; those of huge grids may coincide."""
_FEW = 1 << 10
"""Allocations that are counted rather than sorted."""
_MOST_FREED = 1 << 12
"""Allocations whose end is remembered."""
_OWNER = (1 << _OWNER_BITS) - 1
_NEAR = 1 << (_OFFSET_BITS - 1)


@dataclass(frozen=True, eq=False)
class Allocation:
    """Some memory, at the start of which a pointer may be formed.

    Attributes:
        space: whose memory it is.
        start: the pointer to its first byte.
        size: in bytes.
        find: finds it in a chunk.
    """

    space: Space
    start: int
    size: int
    find: Callable[[Chunk], Buffer]


@frozen(eq=False)
class HeapBlock:
    """Memory that outlives a launch.

    Attributes:
        start: the pointer to its first byte.
        data: (size,) uint8, its bytes.
    """

    start: int
    data: NDArray[np.uint8]
    written: WrittenBytes | None = None


class Heap:
    """Memory that a program has allocated, by the pointers to it; launches may use all of it.

    A pointer's number is beyond those of a launch's own allocations, or is an address that the
    program's process can use, too: a multiple of 2 to the power of 40 is in no other memory of it.

    Attributes:
        textures: of this memory, by their handles; surfaces, too.
        freed: by the start of memory that it had, what finds the line that freed that; 0: unknown.
        detach: called in a fork: what that writes to memory of other processes becomes its own;
            None if there is no such memory, or no way to do so.
    """

    def __init__(self) -> None:
        self._blocks: dict[int, HeapBlock] = {}
        self.textures: dict[int, Texture] = {}
        self.freed: dict[int, Callable[[], int]] = {}
        self.detach: Callable[[], None] | None = None

    def add(self, block: HeapBlock) -> None:
        """Add an allocation."""
        self._blocks[block.start] = block

    def remove(self, start: int, find_line: Callable[[], int]) -> None:
        """Forget an allocation; what finds the line that freed it is given."""
        if self._blocks.pop(start, None) is None:
            return
        self.freed[start] = find_line
        if len(self.freed) > _MOST_FREED:
            del self.freed[next(iter(self.freed))]

    def find_freed_line(self, pointer: int) -> int | None:
        """Return the line that freed the memory of a pointer, 0 if unknown; None if nothing did."""
        find_line = self.freed.get(_start_of(pointer))
        return None if find_line is None else find_line()

    def find(self, pointer: int) -> HeapBlock | None:
        """Return the allocation that a pointer was formed in; None without one."""
        return self._blocks.get(_start_of(pointer))

    def holds(self, address: int) -> bool:
        """Return True if the byte at an address of this process is part of it."""
        starts = (
            (each.data.__array_interface__["data"][0], each.data.size) for each in self.blocks
        )
        return any(start <= address < start + size for start, size in starts)

    @property
    def blocks(self) -> tuple[HeapBlock, ...]:
        """All of them."""
        return tuple(self._blocks.values())


@frozen(eq=False)
class HeapPointer:
    """An argument that points into a heap.

    Attributes:
        array: the whole allocation, as elements.
    """

    address: int
    start: int
    array: NDArray[Any]


def _start_of(pointer: int) -> int:
    """Return the start of the memory that a pointer of a heap was formed in."""
    return (pointer + _HALF) & ~((1 << _BITS) - 1)


def _find_none(_pointer: int) -> None:
    """Find no line."""


class Allocations:
    """The allocations of a launch, by number and by what they belong to.

    Attributes:
        find_more: finds an allocation that is no launch's own, by its start.
        find_freed_line: see `Heap`.
        textures: what may be read by coordinates, by their handles; surfaces, too.
    """

    def __init__(self) -> None:
        self._all: list[Allocation] = []
        self._by_key: dict[Any, Allocation] = {}
        self._more: dict[int, Allocation] = {}
        self.find_more: Callable[[int], Allocation | None] | None = None
        self.find_freed_line: Callable[[int], int | None] = _find_none
        self.textures: Mapping[int, Texture] = {}

    def hold(self, allocation: Allocation) -> None:
        """Have an allocation at its own start."""
        self._more[allocation.start] = allocation

    def place(
        self, key: Any, space: Space, size: int, find: Callable[[Chunk], Buffer]
    ) -> Allocation:
        """Return the allocation of something, made when it is first asked for."""
        known = self._by_key.get(key)
        if known is None:
            start = _BASE + (len(self._all) << _BITS)
            known = self._by_key[key] = Allocation(space, start, size, find)
            self._all.append(known)
        return known

    def at(self, pointer: int) -> Allocation | None:
        """Return the allocation that a pointer was formed in; None without one."""
        number = (pointer - _BASE + _HALF) >> _BITS
        if 0 <= number < len(self._all):
            return self._all[number]
        start = _start_of(pointer)
        if start not in self._more and self.find_more is not None:
            found = self.find_more(start)
            if found is not None:
                self.hold(found)
        return self._more.get(start)

    @property
    def own(self) -> Sequence[Allocation]:
        """Those of the launch itself, by number."""
        return self._all

    @property
    def in_blocks(self) -> bool:
        """True if a block or a thread has an allocation of its own."""
        return any(each.space in ("shared", "local") for each in self._all)


def allocations_of(launch: LaunchState) -> Allocations:
    """Return the allocations of a launch."""
    known: Allocations = launch.memory.setdefault(Allocations, Allocations())
    return known


_WINDOW_BITS = 20
"""Of an address in the shared window, as compiled code has it in 32 bits: the upper ones say which
array it is of, so that an access beyond one does not reach its neighbor."""
_WINDOW_HALF = 1 << (_WINDOW_BITS - 1)
_WINDOW_RANK = 27
"""The first bit of a rank in such an address; one without a rank has none of these bits."""
_RANK_BITS = 32
"""The first bit of a rank in the offset of a generic pointer; 0 stands for none."""
_RANK_HALF = 1 << (_RANK_BITS - 1)
MOST_CLUSTER = 16
"""Blocks of a cluster."""
NO_RANK = np.int64(-1)


def to_shared_window(pointers: Addresses) -> Addresses:
    """Return the 32-bit addresses in the shared window that generic pointers into it stand for."""
    starts = starts_of(pointers)
    numbers = ((starts - _BASE) >> _BITS) + 1
    return (numbers << _WINDOW_BITS) + (pointers - starts)


def from_shared_window(addresses: Addresses) -> Addresses:
    """Return the generic pointers of addresses in the shared window."""
    numbers = (addresses + _WINDOW_HALF) >> _WINDOW_BITS
    return _BASE + ((numbers - 1) << _BITS) + (addresses - (numbers << _WINDOW_BITS))


def to_cluster_window(pointers: Addresses) -> Addresses:
    """Return the same of pointers that may name the rank of a block."""
    named = ranks_of(pointers) + 1
    return to_shared_window(pointers - (named << _RANK_BITS)) + (named << _WINDOW_RANK)


def from_cluster_window(addresses: Addresses) -> Addresses:
    """Return the generic pointers of addresses in the shared windows of a cluster's blocks."""
    named = addresses >> _WINDOW_RANK
    return from_shared_window(addresses - (named << _WINDOW_RANK)) + (named << _RANK_BITS)


def ranks_of(pointers: Addresses) -> Addresses:
    """Return the ranks of the blocks that pointers into shared memory name; -1: none."""
    found = (pointers - starts_of(pointers) + _RANK_HALF) >> _RANK_BITS
    named = (found > 0) & (found <= MOST_CLUSTER) & (pointers >= _BASE - _HALF)
    ranks: Addresses = np.where(named, found, 0) - 1
    return ranks


def name_rank(pointers: Addresses, ranks: Addresses | np.int64) -> Addresses:
    """Return pointers to the same place in the shared memory of blocks of some ranks; -1: own."""
    return pointers + ((ranks - ranks_of(pointers)) << _RANK_BITS)


def starts_of(pointers: Addresses) -> Addresses:
    """Return the starts of the allocations that pointers would be in."""
    return (pointers + _HALF) & ~((1 << _BITS) - 1)


def number_of(pointers: Addresses) -> Addresses:
    """Return the numbers of the launch's own allocations that pointers would be in."""
    return (pointers - _BASE + _HALF) >> _BITS


def distinct_starts(starts: Addresses) -> list[int]:
    """Return the starts of the allocations of some threads, each once."""
    least, most = int(starts.min()), int(starts.max())
    apart = (most >> _BITS) - (least >> _BITS)
    if apart < _FEW:  # to count them is faster than to sort them
        there = np.bincount(((starts - least) >> _BITS).reshape(-1))
        return [least + (place << _BITS) for place in np.flatnonzero(there).tolist()]
    return [int(start) for start in np.unique(starts)]


def is_null(pointer: int) -> bool:
    """Return True for a null pointer, which may have been moved a little."""
    return -_HALF <= pointer < _HALF


def is_hosts(pointer: int) -> bool:
    """Return True for an address of the host."""
    return _HALF <= pointer < _BASE - _HALF


def owner_space(pointer: int) -> Space | None:
    """Return the space of a pointer that names its owner; None for any other."""
    if not pointer >= (_BASE | _OWNED):
        return None
    return "local" if pointer & _LOCAL else "shared"


def name_owners(pointers: Addresses, chunk: Chunk) -> Addresses:
    """Return pointers as memory holds them: those to a block's or a thread's memory name it."""
    allocations = allocations_of(chunk.launch)
    if not allocations.in_blocks:
        return pointers
    starts = starts_of(pointers)
    for start in distinct_starts(starts):
        allocation = allocations.at(start)
        number = (start - _BASE) >> _BITS
        if allocation is None or allocation.space in ("global", "constant") or number >> _ID_BITS:
            continue
        offset = ((pointers - start) + _NEAR) & ((1 << _OFFSET_BITS) - 1)
        kind = _LOCAL if allocation.space == "local" else 0
        first = _BASE | _OWNED | kind | number << (_OWNER_BITS + _OFFSET_BITS)
        owned = first + (_owners(allocation.space, chunk) << _OFFSET_BITS) + offset
        pointers = np.where(starts == start, owned, pointers)
    return pointers


def forget_owners(pointers: Addresses, chunk: Chunk) -> Addresses:
    """Return pointers as threads use them; one of another owner stays as memory held it."""
    owned = pointers >= (_BASE | _OWNED)
    if not owned.any():
        return pointers
    allocations = allocations_of(chunk.launch)
    numbers = pointers >> (_OWNER_BITS + _OFFSET_BITS) & ((1 << _ID_BITS) - 1)
    owners = pointers >> _OFFSET_BITS & _OWNER
    offsets = (pointers & ((1 << _OFFSET_BITS) - 1)) - _NEAR
    for number in np.unique(numbers[owned]).tolist():
        allocation = allocations.at(_BASE + (number << _BITS))
        if allocation is None or allocation.space not in ("shared", "local"):
            continue
        ours = owned & (numbers == number) & (owners == _owners(allocation.space, chunk))
        pointers = np.where(ours, allocation.start + offsets, pointers)
    return pointers


def _owners(space: Space, chunk: Chunk) -> Addresses:
    """Return the block of each thread, or its own number in the grid, mixed with the launch."""
    mixed = chunk.launch.serial * _SCATTER & _OWNER
    if space == "shared":
        blocks = np.arange(chunk.first_block, chunk.first_block + chunk.blocks, dtype=np.int64)
        return (blocks[:, None] & _OWNER) ^ mixed
    return (chunk.in_grid.astype(np.int64) & _OWNER) ^ mixed
