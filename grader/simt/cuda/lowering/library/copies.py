"""`__pipeline_*`: copies into shared memory that go on while their threads do other things."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.analysis.folding import fold
from grader.simt.cuda.lowering.conversions import convert, rvalue
from grader.simt.cuda.lowering.library.overloads import Handler, require
from grader.simt.cuda.lowering.library.synchronization import perform
from grader.simt.cuda.lowering.model.types import UNSIGNED_LONG, PointerTo
from grader.simt.cuda.lowering.model.values import Value
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.intrinsics import copies
from grader.simt.program import nodes
from grader.simt.program.nodes import Convert, Expression, Operate
from grader.simt.program.types import INT64

HEADER = "cuda_pipeline_primitives.h"


def _number(unit: CudaUnit, node: syntax.Call, value: Value) -> int:
    """Return an argument that is known when the kernel is compiled.

    Raises:
        Refused: it is not.
    """
    found = fold(convert(unit, node, rvalue(unit, node, value), UNSIGNED_LONG).node)
    if found is None:
        raise unit.refusal(node, fact("cpp.copy-constant"))
    return int(found)


def _pointer(unit: CudaUnit, node: syntax.Call, value: Value) -> Expression:
    given = rvalue(unit, node, value)
    if not isinstance(given.type, PointerTo):
        raise unit.error(node, fact("cpp.copy-pointers"))
    return Convert(INT64, given.node)


def _begin(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
    require(unit, node, given, 3, 4)
    size = _number(unit, node, given[2])
    if size not in copies.SIZES:
        raise unit.error(node, fact("cpp.copy-size", size=size))
    unit.module.program.stores_anywhere = True
    pointers = (_pointer(unit, node, each) for each in given[:2])
    run, more = partial(copies.begin, copies.kind_of(size)), list[Expression]()
    if len(given) > 3:
        zeros = convert(unit, node, rvalue(unit, node, given[3]), UNSIGNED_LONG)
        whole = nodes.Number(INT64, size)
        more.append(Operate(INT64, "-", (whole, Convert(INT64, zeros.node)), None))
    return perform(unit, node, "copy", run, *pointers, *more)


def _commit(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
    require(unit, node, given, 0)
    return perform(unit, node, "copy commit", copies.commit)


def _wait(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
    require(unit, node, given, 1)
    return perform(unit, node, "copy wait", partial(copies.wait, _number(unit, node, given[0])))


HANDLERS: dict[str, Handler] = {
    "__pipeline_memcpy_async": _begin,
    "__pipeline_commit": _commit,
    "__pipeline_wait_prior": _wait,
}
NEEDS = dict.fromkeys(HANDLERS, HEADER)
"""The header that declares them."""
