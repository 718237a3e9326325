"""Numba's own simulator on one of the emulator's cases: `python -m bench.simulator CASE`.

It takes the place of `numba.cuda` when that is imported under `NUMBA_ENABLE_CUDASIM=1`, and so gets
a process of its own. Numba has it; the package `numba-cuda` has it no more.
"""

from __future__ import annotations

import sys
from time import process_time
from typing import Any

import numba
import numpy as np
from numba import cuda

from bench.emulator import cases


def main() -> int:
    """Launch the case once; print the milliseconds of processor time it took."""
    case = cases()[sys.argv[1]]
    names: dict[str, Any] = {"cuda": cuda, "numba": numba}
    exec(case.source, names)
    kernel = cuda.jit(next(one for one in reversed(names.values()) if hasattr(one, "__code__")))
    began = process_time()
    kernel[case.grid, case.block](*case.arguments)
    took = 1000 * (process_time() - began)
    if not np.allclose(case.arguments[-1], case.right, rtol=1e-5):
        print("its result is wrong", file=sys.stderr)
        return 1
    print(took)
    return 0


if __name__ == "__main__":
    sys.exit(main())
