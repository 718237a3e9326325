"""Finds what lowers a call of one of CUDA's functions."""

from __future__ import annotations

from collections.abc import Callable

from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.library import (
    atomics,
    byte_copies,
    checks,
    copies,
    extremes,
    fp8,
    group_reductions,
    groups,
    intrinsics,
    limits,
    maths,
    memory,
    narrow,
    output,
    random,
    synchronization,
    textures,
    warp,
)
from grader.simt.cuda.lowering.library.overloads import Handler
from grader.simt.cuda.lowering.model.values import Value
from grader.simt.cuda.lowering.unit import CudaUnit

FORMS: dict[str, Callable[[CudaUnit, syntax.Call], Value]] = {
    **group_reductions.FORMS,
    **textures.FORMS,
    "nan": limits.lower_nan,
    "nanf": limits.lower_nan,
    "printf": output.lower_printf,
    "assert": checks.lower_assert,
    "__builtin_assume": checks.lower_assume,
    "__assume": checks.lower_assume,
    "move": checks.lower_moved,
    "forward": checks.lower_moved,
}
"""Calls whose arguments are more than values."""
_MODULES = (
    *(intrinsics, maths, narrow, fp8, groups, extremes, atomics, warp, synchronization, memory),
    *(copies, limits, checks, byte_copies, random),
)
HANDLERS: dict[str, Handler] = {
    name: handler for module in _MODULES for name, handler in module.HANDLERS.items()
}
"""All others, by name; what `std` has otherwise than CUDA, with `std::`."""
NEEDS = narrow.HEADERS | fp8.NEEDS | group_reductions.NEEDS | copies.NEEDS
"""The headers that functions need which no other declares."""


def strip(name: str) -> str:
    """Return the name that a function has in the tables."""
    name = name.removeprefix("::")
    return name if name in HANDLERS else name.removeprefix("std::")
