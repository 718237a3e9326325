"""`numba.cuda.libdevice`: NVIDIA's mathematical functions, each with its one signature.

Unsigned integers are typed as signed ones, as Numba declares them. A function that returns by
pointer gives a tuple.
"""

from __future__ import annotations

import ast

from grader.facts import fact
from grader.simt.intrinsics import special_functions
from grader.simt.intrinsics.fixed_signatures import Entry, make_fixed
from grader.simt.intrinsics.libdevice_integers import INTEGERS
from grader.simt.intrinsics.libdevice_reals import REALS
from grader.simt.intrinsics.special_functions import each
from grader.simt.numba.library.calling import Intrinsic, Table
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Expression
from grader.simt.program.types import FLOAT32, FLOAT64, INT32, Scalar


def _bessel(name: str, dtype: Scalar) -> Intrinsic:
    """Make a Bessel function; it is refused where the machine's C library has none."""
    own = name.removesuffix("f")
    operands = (INT32, dtype) if own.endswith("n") else (dtype,)

    def make(unit: Unit, node: ast.Call) -> Expression:
        try:
            function = special_functions.bessel(own)
        except LookupError:
            raise unit.refusal(node, fact("simt.no-c-library", name=f"libdevice.{name}")) from None
        return make_fixed(f"libdevice.{name}", Entry((dtype,), operands, each(function)))(
            unit, node
        )

    return make


ENTRIES = {**REALS, **INTEGERS}
"""All but the Bessel functions, by name."""
_BESSEL = [
    (f"{name}{suffix}", dtype)
    for name in ("j0", "j1", "jn", "y0", "y1", "yn")
    for suffix, dtype in (("", FLOAT64), ("f", FLOAT32))
]

CALLS: Table = {
    **{
        f"cuda.libdevice.{name}": make_fixed(f"libdevice.{name}", entry)
        for name, entry in ENTRIES.items()
    },
    **{f"cuda.libdevice.{name}": _bessel(name, dtype) for name, dtype in _BESSEL},
}
