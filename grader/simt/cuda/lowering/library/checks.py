"""`assert`, `__trap`, and what tells a compiler what holds: `__builtin_assume`.

A failing assert ends the launch with an error, as on a device (cudaErrorAssert).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.conversions import convert, rvalue
from grader.simt.cuda.lowering.expressions import lower, test
from grader.simt.cuda.lowering.library.overloads import (
    Handler,
    LibraryOverload,
    overloaded,
    require,
)
from grader.simt.cuda.lowering.model.types import LONG, VOID, PointerTo, StructType
from grader.simt.cuda.lowering.model.values import Plain, Value, VoidValue
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.cuda.printing import format_node
from grader.simt.intrinsics.failing import fail, fail_unless
from grader.simt.program.nodes import Do, Perform
from grader.simt.program.types import BOOL
from grader.simt.program.types import Nothing as NothingType


def lower_assert(unit: CudaUnit, node: syntax.Call) -> Value:
    """Lower `assert(condition)`; a text after `&&` is part of its message alone."""
    require(unit, node, [VoidValue(VOID)] * len(node.arguments), 1)
    (condition,) = node.arguments
    shown = format_node(condition)
    shown = shown[1:-1] if isinstance(condition, syntax.Binary) else shown
    holds = test(unit, _without_text(condition))
    site = unit.site(node.place)
    where = f"{node.place.path}:{node.place.line}: {unit.lowered.name}: "
    failed = f"Assertion `{shown}` failed."
    run = partial(fail_unless, where, failed, fact("launch.asserted", condition=shown))
    unit.emit(Do(Perform(BOOL, "assert", run, (holds,), site, alone=True)))
    return VoidValue(VOID)


def _without_text(node: syntax.Expression) -> syntax.Expression:
    if isinstance(node, syntax.Binary) and node.operator == "&&":
        if isinstance(node.right, syntax.StringLiteral):
            return node.left
        if isinstance(node.left, syntax.StringLiteral):
            return node.right
    return node


def _trap(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
    require(unit, node, given, 0)
    where = f"{node.place.path}:{node.place.line}: {unit.lowered.name}: "
    run = partial(fail, where, "__trap()", fact("launch.trapped"))
    unit.emit(Do(Perform(NothingType(), "trap", run, (), unit.site(node.place), alone=True)))
    return VoidValue(VOID)


def _expect(_unit: CudaUnit, _node: syntax.Call, given: Sequence[Plain]) -> Value:
    return given[0]


def lower_assume(unit: CudaUnit, node: syntax.Call) -> Value:
    """Lower `__builtin_assume(condition)`: it is looked at, and not evaluated."""
    with unit.apart():
        for argument in node.arguments:
            lower(unit, argument)
    return VoidValue(VOID)


def _assume_aligned(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
    """Lower `__builtin_assume_aligned(pointer, alignment)`: an access says what is not aligned."""
    require(unit, node, given, 2, 3)
    pointer = rvalue(unit, node, given[0])
    if not isinstance(pointer.type, PointerTo):
        what = fact("cpp.no-conversion", type=pointer.type.name, wanted="const void*")
        raise unit.error(node, what)
    return convert(unit, node, pointer, PointerTo(VOID), cast=True)


def lower_moved(unit: CudaUnit, node: syntax.Call) -> Value:
    """Lower `std::move(value)` and `std::forward<T>(value)`: the value itself.

    Raises:
        Refused: a constructor of the source is for values that may be taken apart.
    """
    require(unit, node, [VoidValue(VOID)] * len(node.arguments), 1)
    value = lower(unit, node.arguments[0])
    source = value.type.source if isinstance(value.type, StructType) else None
    for function in source.tree.functions if source else ():
        for parameter in function.parameters:
            if isinstance(parameter.type, syntax.ReferenceType) and parameter.type.rvalue:
                raise unit.refusal(node, fact("cpp.no-std", name="move"))
    return value


def _unreachable(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
    require(unit, node, given, 0)
    return VoidValue(VOID)


HANDLERS: dict[str, Handler] = {
    "__trap": _trap,
    "__builtin_expect": overloaded(LibraryOverload((LONG, LONG), _expect)),
    "__builtin_unreachable": _unreachable,
    "__builtin_assume_aligned": _assume_aligned,
}
