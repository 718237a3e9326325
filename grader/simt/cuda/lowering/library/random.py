"""What our header of cuRAND needs beyond C++: skips of its XORWOW generator."""

from __future__ import annotations

from collections.abc import Sequence

from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.assigning import assign
from grader.simt.cuda.lowering.conversions import convert, member_of, rvalue
from grader.simt.cuda.lowering.library.entries import apply_several
from grader.simt.cuda.lowering.library.overloads import Handler
from grader.simt.cuda.lowering.model.types import UNSIGNED, UNSIGNED_LONG_LONG, VOID, ArrayOf
from grader.simt.cuda.lowering.model.values import MemoryPlace, Value, VoidValue
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.intrinsics.functions.xorwow import SKIP


def _skip(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
    """Lower `quiz_skip_xorwow(words, sequences, steps)`: it changes the five words."""
    words = unit.hold_plain(rvalue(unit, node, given[0]))
    places = [member_of(MemoryPlace(ArrayOf(UNSIGNED, 5), words.node), at) for at in range(5)]
    numbers = [unit.hold_plain(rvalue(unit, node, each)) for each in places]
    numbers += [
        convert(unit, node, rvalue(unit, node, each), UNSIGNED_LONG_LONG) for each in given[1:]
    ]
    made = apply_several(unit, "skip", SKIP, numbers)
    for place, value in zip(places, made, strict=True):
        assign(unit, node, place, value)
    return VoidValue(VOID)


HANDLERS: dict[str, Handler] = {"quiz_skip_xorwow": _skip}
