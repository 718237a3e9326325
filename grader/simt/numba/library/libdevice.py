"""`numba.cuda.libdevice`."""

from __future__ import annotations

import ast

from grader.facts import fact
from grader.simt.intrinsics.functions.libdevice import BESSEL, ENTRIES, find_bessel
from grader.simt.numba.library.calling import Intrinsic, Table
from grader.simt.numba.library.fixed_signatures import make_fixed
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Expression


def _bessel(name: str) -> Intrinsic:
    """Make a Bessel function; it is refused where the machine's C library has none."""
    called = f"libdevice.{name}"

    def make(unit: Unit, node: ast.Call) -> Expression:
        try:
            entry = find_bessel(name)
        except LookupError:
            raise unit.refusal(node, fact("simt.no-c-library", name=called)) from None
        return make_fixed(called, entry)(unit, node)

    return make


CALLS: Table = {
    **{
        f"cuda.libdevice.{name}": make_fixed(f"libdevice.{name}", entry)
        for name, entry in ENTRIES.items()
    },
    **{f"cuda.libdevice.{name}": _bessel(name) for name in BESSEL},
}
