"""The one table of what a kernel may call, put together from the tables beside it."""

from __future__ import annotations

from grader.simt.numba.library import (
    arrays,
    atomic,
    barriers,
    bits,
    cache_hints,
    complexes,
    grid,
    maths,
    module_functions,
    plain,
    printing,
    random_numbers,
    ufuncs,
    vector_types,
    warp,
)
from grader.simt.numba.library.calling import Special, Table
from grader.simt.numba.reading.source import Function

_MODULES = (
    *(grid, barriers, arrays, atomic, cache_hints, warp, bits, module_functions, maths, complexes),
    *(vector_types, plain, printing, random_numbers),
)

INTRINSICS: Table = {
    name: make
    for calls in (*(module.CALLS for module in _MODULES), ufuncs.with_arrays(maths.CALLS))
    for name, make in calls.items()
}
"""Every function that a kernel can call, by name."""

MLIR_INTRINSICS: Table = {**INTRINSICS, **arrays.MLIR_CALLS}
"""The same where numba-cuda-mlir is imported, which has names of its own."""

SPECIAL: dict[str, Special] = {**grid.SPECIAL}
"""Every value that has a name without being called."""


def known_calls(function: Function) -> Table:
    """Return the functions that a kernel can call, by the package that it is written for."""
    return MLIR_INTRINSICS if function.for_mlir else INTRINSICS
