"""Sparse matrices of `mma.sp`: where the elements that are kept belong (PTX ISA 9.7.14.6).

Of each group of elements of a row, half are kept; four bits of metadata say which. How the bits of
a row are spread over the lanes was found by drawn metadata on an H200 (`bench.gpu.ptx.matrices`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.simt.masks import LANES
from grader.simt.ptx.instructions.tensor_cores.sums import Matrices

_GROUP = {"tf32": 2, "s4": 8, "u4": 8}
"""Elements of a group; four of all other types."""
_ROWS, _QUAD = 8, 4
_SECOND_OF_TWO = 0xE


def spread(kind: str, kept: Matrices, metadata: NDArray[Any], selector: int) -> Matrices:
    """Return a matrix with zeros where nothing is kept.

    Args:
        kind: type of the elements.
        kept: (warps, 16, half the depth).
        metadata: (warps, 32), of each lane.
        selector: says which lanes' metadata counts, if not all does.
    """
    warps, rows, half = kept.shape
    size = _GROUP.get(kind, 4)
    groups = 2 * half // size
    codes = _codes(kind, metadata.reshape(warps, LANES // _QUAD, _QUAD), groups, selector)
    found = np.zeros((warps, rows, groups, size), kept.dtype)
    parts = kept.reshape(warps, rows, groups, size // 2)
    where = np.ix_(*(np.arange(count) for count in (warps, rows, groups)))
    if size == _GROUP["tf32"]:
        found[*where, (codes == _SECOND_OF_TWO).astype(np.intp)] = parts[..., 0]
        return found.reshape(warps, rows, 2 * half)
    wide = size // 4  # elements that are kept together
    for at in range(2):
        place = (codes >> 2 * at & 3) * wide
        for each in range(wide):
            found[*where, place + each] = parts[..., at * wide + each]
    return found.reshape(warps, rows, 2 * half)


def _codes(kind: str, words: NDArray[Any], groups: int, selector: int) -> NDArray[np.intp]:
    """Return the four bits of each group: (warps, 16, groups), of words (warps, 8, 4)."""
    group = np.arange(groups)
    if groups == 4:
        lanes = [np.full(groups, selector)] * 2
        places = [group, group + 4]
    elif groups == 8 and kind in ("f16", "bf16", "tf32"):
        lanes = [2 * selector + group // 4] * 2
        places = [group % 4, group % 4 + 4]
    elif groups == 8:
        lanes = [np.full(groups, 2 * selector + row) for row in range(2)]
        places = [group, group]
    else:  # all four: half rows, in turn
        lanes = [group // 8 * 2 + row for row in range(2)]
        places = [group % 8, group % 8]
    unsigned = words.astype(np.uint32, copy=False)
    rows = [
        unsigned[:, :, lane] >> (4 * place).astype(np.uint32) & 15
        for lane, place in zip(lanes, places, strict=True)
    ]
    return np.concatenate(rows, axis=1).astype(np.intp)
