"""NVIDIA's mathematical functions, each with its one signature.

Unsigned integers are typed as signed ones, as Numba declares them. A function that returns by
pointer gives a tuple.
"""

from __future__ import annotations

from grader.simt.intrinsics.functions.fixed_signatures import FixedSignature
from grader.simt.intrinsics.functions.libdevice_integers import INTEGERS
from grader.simt.intrinsics.functions.libdevice_reals import REALS
from grader.simt.intrinsics.functions.special_functions import bessel, each
from grader.simt.program.types import FLOAT32, FLOAT64, INT32

ENTRIES = {**REALS, **INTEGERS}
"""All but the Bessel functions, by name."""
BESSEL = {
    f"{name}{suffix}": dtype
    for name in ("j0", "j1", "jn", "y0", "y1", "yn")
    for suffix, dtype in (("", FLOAT64), ("f", FLOAT32))
}
"""The type of each Bessel function's result."""


def find_bessel(name: str) -> FixedSignature:
    """Return a Bessel function.

    Raises:
        LookupError: the machine's C library has none.
    """
    own, dtype = name.removesuffix("f"), BESSEL[name]
    operands = (INT32, dtype) if own.endswith("n") else (dtype,)
    return FixedSignature((dtype,), operands, each(bessel(own)))
