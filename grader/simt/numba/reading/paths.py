"""What a dotted name of Numba, NumPy or `math` stands for: a type or a number."""

from __future__ import annotations

import math

from grader.simt.program.types import NAMES, DType, NamePath

_ONLY_IN_TYPES = frozenset({"float16", "half", "f2"})
"""Names of `numba.types` that `numba` and `numba.cuda` lack."""

NONES = (NamePath("np.newaxis"),)
"""Names of None."""


MLIR = "numba_cuda_mlir"
"""The package numba-cuda-mlir, as it is imported."""
MLIR_TYPES = {
    **{f"i{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"u{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
    **{f"f{bits}": f"float{bits}" for bits in (16, 32, 64)},
}
"""In `numba_cuda_mlir.types` numbers count bits, where Numba's count bytes: `i8` is int8."""
_SAME = {"numba.cuda": "cuda", f"{MLIR}.cuda": "cuda"}


def canonical(path: str) -> str:
    """Return the one path of what both packages have, which is Numba's."""
    path = _SAME.get(path, path)
    own = f"{path}.".startswith(f"{MLIR}.types.")
    return path if own else path.replace(f"{MLIR}.", "numba.", 1)


def dtype_of(path: NamePath) -> DType | None:
    """Return a type by its name: `numba.float32`, `np.int8`."""
    module, _, name = path.name.rpartition(".")
    if module in ("numba", "cuda") and name in _ONLY_IN_TYPES:
        return None
    if module == f"{MLIR}.types":
        module, name = "numba.types", MLIR_TYPES.get(name, name)
    if module in ("numba", "np", "cuda", "numba.types", "cuda.types") and name in NAMES:
        return DType(NAMES[name])
    return None


def number_of(path: NamePath) -> float | None:
    """Return a number by its name: `math.pi`."""
    module, _, name = path.name.rpartition(".")
    if module in ("math", "np") and name in ("pi", "e", "inf", "nan", "tau"):
        return float(getattr(math, name))
    return None
