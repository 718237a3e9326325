"""What a dotted name of Numba, NumPy or `math` stands for: a type or a number."""

from __future__ import annotations

import math

from grader.simt.program.types import NAMES, DType, NamePath

_ONLY_IN_TYPES = frozenset({"float16", "half", "f2"})
"""Names of `numba.types` that `numba` and `numba.cuda` lack."""

NONES = (NamePath("np.newaxis"),)
"""Names of None."""


def dtype_of(path: NamePath) -> DType | None:
    """Return a type by its name: `numba.float32`, `np.int8`."""
    module, _, name = path.name.rpartition(".")
    if module in ("numba", "cuda") and name in _ONLY_IN_TYPES:
        return None
    if module in ("numba", "np", "cuda", "numba.types", "cuda.types") and name in NAMES:
        return DType(NAMES[name])
    return None


def number_of(path: NamePath) -> float | None:
    """Return a number by its name: `math.pi`."""
    module, _, name = path.name.rpartition(".")
    if module in ("math", "np") and name in ("pi", "e", "inf", "nan", "tau"):
        return float(getattr(math, name))
    return None
