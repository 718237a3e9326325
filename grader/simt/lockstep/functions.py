"""Runs functions of the typed program, also those that call themselves."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from grader.facts import fact
from grader.simt.checks.counters import Site
from grader.simt.lockstep.expressions import evaluator, register
from grader.simt.lockstep.graphs import build_graph
from grader.simt.lockstep.merging import zero_value
from grader.simt.lockstep.scopes import Scope, scope_of
from grader.simt.lockstep.statements import build_block, register_statement
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.conversion import as_type
from grader.simt.machine.frame import Evaluate, Execute, Frame, Value
from grader.simt.machine.turns import settle
from grader.simt.masks import Mask
from grader.simt.program import nodes
from grader.simt.program.nodes import Graph

DEEPEST = 128
"""Calls of 8 bytes each, a return address, fill the 1,024 bytes of stack that CUDA gives a thread
by default (cudaLimitStackSize)."""
_PYTHON_FRAMES = 200
"""Of the emulator itself, for each of these calls, at most."""


def build_function(function: nodes.Function, checked: frozenset[int] = frozenset()) -> Execute:
    """Return what executes a function's body; all threads leave it together.

    Args:
        checked: its operations (by id) whose overflow is looked for.
    """
    built = function.execute
    if checked not in built:
        built[checked] = partial(_execute_later, built, checked)  # for calls of it in what it calls
        body = build_block(function.body, scope_of(function, checked))
        built[checked] = lambda frame, mask: settle(frame, mask, body(frame, mask))
    execute: Execute = built[checked]
    return execute


def _execute_later(
    built: dict[frozenset[int], Execute], checked: frozenset[int], frame: Frame, mask: Mask
) -> Mask | None:
    return built[checked](frame, mask)


def _call(node: nodes.Call, scope: Scope) -> Evaluate:
    """Evaluate a call: its threads are those that call it."""
    function = node.function
    arguments = [
        (name, evaluator(given, scope))
        for name, given in zip(function.parameters, node.arguments, strict=True)
    ]
    result = node.type
    nothing = zero_value(result, "")
    if node.itself is not None:
        return _recur(node, node.itself, arguments, scope.checked)
    body, called = build_function(function, scope.checked), [node.site] if node.site else []

    def call(frame: Frame, mask: Mask) -> Value:
        values = {name: argument(frame, mask) for name, argument in arguments}
        alive = frame.chunk.without_raised(mask) if function.exits else mask
        if alive is None:
            return nothing
        inner = Frame(frame.chunk, values, depth=frame.depth)
        calls = frame.chunk.calls
        calls += called
        body(inner, alive)
        del calls[len(calls) - len(called) :]
        return nothing if inner.result is None else as_type(inner.result, result)

    return call


def _recur(
    node: nodes.Call, site: Site, arguments: list[tuple[str, Evaluate]], checked: frozenset[int]
) -> Evaluate:
    """Evaluate a function's call of itself; threads that go too deep exit."""
    function, result = node.function, node.type
    nothing = zero_value(result, "")

    def call(frame: Frame, mask: Mask) -> Value:
        values = {name: argument(frame, mask) for name, argument in arguments}
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
            build_function(function, checked)(inner, alive)
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


register(nodes.Call, _call)
register_statement(Graph, build_graph)
