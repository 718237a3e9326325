"""Runs a function that calls itself, until no thread does, or a thread's stack would be full."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from grader.facts import fact
from grader.simt.compiler.merging import zero_value
from grader.simt.compiler.unit import Unit
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.typed import Frame, TypedValue, Value, as_type
from grader.simt.masks import Mask
from grader.simt.reading.types import Type

DEEPEST = 128
"""Calls of 8 bytes each, a return address, fill the 1,024 bytes of stack that CUDA gives a thread
by default (cudaLimitStackSize)."""
_PYTHON_FRAMES = 200
"""Of the emulator itself, for each of these calls, at most."""


def run_recursion(
    unit: Unit, node: ast.Call, given: Sequence[TypedValue], result: Type
) -> Callable[[Frame, Mask], Value]:
    """Return what calls the function that is being compiled; threads that go too deep exit."""
    function, itself, site = unit.function, unit.itself, unit.site(node)
    arguments = list(zip(function.parameters, given, strict=True))
    nothing = zero_value(result, "")

    def call(frame: Frame, mask: Mask) -> Value:
        values = {name: argument.evaluate(frame, mask) for name, argument in arguments}
        alive = frame.chunk.without_raised(mask)
        if alive is None:
            return nothing
        if frame.depth >= DEEPEST:
            what = fact("finding.recursion", function=function.name, most=DEEPEST)
            here = ExecutionPoint(frame.chunk, alive, site)
            here.report("resources", alive.full, what, topic="recursion")
            frame.chunk.end(alive, site)
            return nothing
        frame.chunk.spend(site)
        inner = Frame(frame.chunk, values, depth=frame.depth + 1)
        with _deep_stack(frame.depth):
            itself[0](inner, alive)
        return nothing if inner.result is None else as_type(inner.result, result)

    return call


@contextmanager
def _deep_stack(depth: int) -> Iterator[None]:
    """Allow Python as many frames as the deepest recursion takes; set once, by the first call."""
    before = sys.getrecursionlimit()
    if depth == 0:
        sys.setrecursionlimit(before + DEEPEST * _PYTHON_FRAMES)
    try:
        yield
    finally:
        if depth == 0:
            sys.setrecursionlimit(before)
