"""Proposes layouts for shared arrays with bank conflicts, by the search of `grader.layouts`.

Only what was recorded is searched: the worst warp of each access to the array. An array that is
large or accessed too often in the source is left alone, and one whose indices depend on data, which
the layout would fit; one of a single axis is seen as rows of 32.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod

import numpy as np

from grader.kernels import SharedArray, WorstAccess
from grader.layouts import Exercise, InvalidExercise, LayoutCandidate, Tile, TileAccess, search
from grader.profiles.values import LayoutProposal

MOST_ELEMENTS = 4_096
"""Of an array: the search of 64×64 takes 0.1 s."""
MOST_ACCESSES = 8
_SWIZZLES = ("xor", "CuTe")
_ARCH = "9.0"
_FLAT_ROW = 32
"""Elements of a row of an array of one axis."""


def propose_layouts(
    worst: tuple[WorstAccess, ...], arrays: tuple[SharedArray, ...]
) -> tuple[LayoutProposal, ...]:
    """Propose layouts for the arrays whose accesses have conflicts, where some layout helps."""
    found = (_propose(array, _accesses_to(array, worst)) for array in arrays)
    return tuple(proposal for proposal in found if proposal is not None)


def _accesses_to(array: SharedArray, worst: Sequence[WorstAccess]) -> tuple[WorstAccess, ...]:
    """Select the accesses all of whose active lanes touch an array."""
    return tuple(
        access
        for access in worst
        if all(
            array.index(address) is not None
            for address, active in zip(access.addresses, access.active, strict=True)
            if active
        )
    )


@lru_cache(maxsize=64)
def _propose(array: SharedArray, accesses: tuple[WorstAccess, ...]) -> LayoutProposal | None:
    """Search the layouts of one array; a kernel launched again is not searched again."""
    flat = len(array.shape) == 1
    if flat and (array.shape[0] <= _FLAT_ROW or array.shape[0] % _FLAT_ROW):
        return None
    if (
        not (array.shape and 1 <= len(accesses) <= MOST_ACCESSES)
        or prod(array.shape) > MOST_ELEMENTS
        or not any(each.excess for each in accesses)
        or any(each.from_data for each in accesses)
    ):
        return None
    columns = _FLAT_ROW if flat else array.shape[-1]
    rows = prod(array.shape) // columns
    try:
        tile = Tile(rows, columns, array.itemsize, base=array.base)
        touched = [
            _touched(number, access, array, columns) for number, access in enumerate(accesses)
        ]
        families = search(Exercise(tile, tuple(touched), arch=_ARCH)).families
    except InvalidExercise:  # an access across rows, or of a width that a tile has not
        return None
    now = sum(access.wavefronts for access in accesses)
    padded = _best(families, ("padding",), now)
    swizzled = _best([each for each in families if each.fits], _SWIZZLES, now)
    if padded is None and swizzled is None:
        return None
    return LayoutProposal(
        array.name,
        rows,
        columns,
        now,
        columns + int(padded.layout.name.removeprefix("+")) if padded else None,
        padded.total if padded else now,
        swizzled.layout.expression if swizzled else "",
        swizzled.total if swizzled else now,
        flat,
    )


def _touched(number: int, access: WorstAccess, array: SharedArray, columns: int) -> TileAccess:
    active = np.array([access.active])
    addresses = np.where(active, np.array([access.addresses]), array.base)
    row, column = np.divmod((addresses - array.base) // array.itemsize, columns)
    each = max(1, access.width // array.itemsize)
    return TileAccess(str(number), access.kind, row, column, active, each)


def _best(
    families: Sequence[LayoutCandidate], names: Sequence[str], now: int
) -> LayoutCandidate | None:
    """Return the candidate of these families with the fewest wavefronts, if it saves any."""
    some = [each for each in families if each.layout.family in names and each.total < now]
    return min(some, key=lambda each: each.total, default=None)
