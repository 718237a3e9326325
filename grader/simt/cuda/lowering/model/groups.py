"""The types of cooperative groups: each is a struct, whose functions are of `library.groups`."""

from __future__ import annotations

from grader.simt.cuda.lowering.model.types import UNSIGNED, CType, MemberOf, StructType

NAMESPACE = "cooperative_groups"
HEADER = f"{NAMESPACE}.h"
TILE = "thread_block_tile"


def _group(name: str, *members: str) -> StructType:
    placed = tuple(MemberOf(each, UNSIGNED, at * 4) for at, each in enumerate(members))
    return StructType(name, placed, max(4 * len(members), 1), 4 if members else 1)


BLOCK = _group("thread_block")
GRID = _group("grid_group")
CLUSTER = _group("cluster_group")
COALESCED = _group("coalesced_group", "mask")
TILES = {_group(f"{TILE}<{size}>", "rank of tile", "tiles"): size for size in (1, 2, 4, 8, 16, 32)}
"""Of each a tile's lanes. What it keeps has names that no source can use."""
GROUPS = frozenset({BLOCK, GRID, CLUSTER, COALESCED, *TILES})
OPERATORS = {
    StructType(name, (), 1, 1): operator
    for name, operator in (
        ("plus", "+"), ("less", "<"), ("greater", ">"),
        ("bit_and", "&"), ("bit_or", "|"), ("bit_xor", "^"),
    )
}  # fmt: skip
"""What reductions are of."""
TYPES: dict[str, CType] = {
    each.name: each for each in (BLOCK, GRID, CLUSTER, COALESCED, *OPERATORS)
}


def tile_of(size: int) -> StructType | None:
    """Return the type of a tile of so many threads; None if there is none in a warp."""
    return next((tile for tile, own in TILES.items() if own == size), None)
