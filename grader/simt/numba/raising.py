"""Compiles errors that threads raise: with `debug=True` the host sees them, as with Numba.

Without it a thread that raises exits, and nothing else happens; an integer division by zero gives
0 and a finding.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from typing import Any

import numpy as np

from grader.facts import fact
from grader.simt.machine.chunk import Chunk, ExecutionPoint, ThreadError
from grader.simt.machine.frame import Value
from grader.simt.masks import Mask
from grader.simt.numba.names import look_up
from grader.simt.numba.reading.source import Function

Raising = Callable[[ExecutionPoint], None]
"""Raises an error for the first thread of the point's mask."""


def compile_raise(
    function: Function, node: ast.AST, kind: type[BaseException], *args: Any
) -> Raising:
    """Return what raises an error for the first thread of a mask, with Numba's text."""
    line, _ = function.place(node)
    where = f"In function {function.name!r}, file {function.path}, line {line}, "

    def raise_error(here: ExecutionPoint) -> None:
        location = _first_line(here.chunk, here.mask)
        text = f"{where}{location}: {args[0]}" if args else f"{where}{location}"
        ended = fact("launch.raised", name=kind.__name__)
        raise ThreadError(kind(text, *args[1:]), ended, here.site)

    return raise_error


def raise_where(wrong: Callable[[Value], Any], raise_it: Raising) -> Callable[..., Value]:
    """Return what checks a value: the first thread whose value is wrong raises."""

    def check(here: ExecutionPoint, found: Value) -> Value:
        bad, _ = here.mask.split(np.asarray(wrong(found)))
        if bad is not None:
            raise_it(here._replace(mask=bad))
        return found

    return check


def read_error(function: Function, node: ast.Raise) -> tuple[type[BaseException], list[Any]]:
    """Read what a `raise` names: an error, and constant arguments for it.

    Raises:
        Refused: it names something else.
    """
    if node.exc is None:
        return RuntimeError, ["No active exception to reraise"]
    called = node.exc if isinstance(node.exc, ast.Call) else None
    name = called.func if called else node.exc
    instead = fact("advice.write", code='raise ValueError("…")')
    other_form = function.refusal(node, fact("simt.raise-form"), instead)
    if not isinstance(name, ast.Name) or node.cause or (called and called.keywords):
        raise other_form
    try:
        kind = _global(function, name.id)
        args = [ast.literal_eval(argument) for argument in called.args] if called else []
    except (KeyError, ValueError):
        raise other_form from None
    if not isinstance(kind, type) or not issubclass(kind, BaseException):
        raise function.refusal(node, fact("simt.not-an-error", name=name.id))
    return kind, args


def _global(function: Function, name: str) -> Any:
    return getattr(builtins, name) if hasattr(builtins, name) else look_up(function.names, name)


def _first_line(chunk: Chunk, mask: Mask) -> str:
    block, thread = chunk.thread(int(np.argmax(mask.full)))
    return f"tid={list(thread)} ctaid={list(block)}"
