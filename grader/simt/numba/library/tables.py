"""The one table of what a kernel may call, put together from the tables beside it."""

from __future__ import annotations

from grader.simt.numba.library import (
    arrays,
    atomic,
    barriers,
    bfloat16,
    bits,
    cache_hints,
    complexes,
    grid,
    half,
    libdevice,
    maths,
    plain,
    printing,
    random_numbers,
    ufuncs,
    vector_types,
    warp,
)
from grader.simt.numba.library.calling import Special, Table

INTRINSICS: Table = {
    **grid.CALLS,
    **barriers.CALLS,
    **arrays.CALLS,
    **atomic.CALLS,
    **cache_hints.CALLS,
    **warp.CALLS,
    **bits.CALLS,
    **half.CALLS,
    **bfloat16.CALLS,
    **libdevice.CALLS,
    **maths.CALLS,
    **ufuncs.with_arrays(maths.CALLS),
    **complexes.CALLS,
    **vector_types.CALLS,
    **plain.CALLS,
    **printing.CALLS,
    **random_numbers.CALLS,
}
"""Every function that a kernel can call, by name."""

SPECIAL: dict[str, Special] = {**grid.SPECIAL}
"""Every value that has a name without being called."""
