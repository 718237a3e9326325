"""Errors that threads raise: the host sees them if the kernel has `debug=True`, as with Numba.

Without it a thread that raises is gone, and nothing else happens.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from typing import Any

import numpy as np

from grader.simt.chunk import Chunk, Raised
from grader.simt.masks import Mask
from grader.simt.names import names_of
from grader.simt.source import Function
from grader.simt.typed import Evaluate, Frame, Value

Raising = Callable[[Frame, Mask], None]


def raising(function: Function, node: ast.AST, kind: type[BaseException], *args: Any) -> Raising:
    """What raises an error for the first thread of a mask, with the text that Numba gives it."""
    line, _ = function.place(node)
    where = f"In function {function.name!r}, file {function.path}, line {line}, "

    def execute(frame: Frame, mask: Mask) -> None:
        who = _first(frame.chunk, mask)
        text = f"{where}{who}: {args[0]}" if args else f"{where}{who}"
        raise Raised(kind(text, *args[1:]))

    return execute


def checked(value: Evaluate, wrong: Callable[[Value], Any], raise_it: Raising) -> Evaluate:
    """A value of which some are wrong: the first thread of the mask that has one raises."""

    def evaluate(frame: Frame, mask: Mask) -> Value:
        found = value(frame, mask)
        bad, _ = mask.split(np.asarray(wrong(found)))
        if bad is not None:
            raise_it(frame, bad)
        return found

    return evaluate


def named_error(function: Function, node: ast.Raise) -> tuple[type[BaseException], list[Any]]:
    """What a `raise` names: an error, and constant arguments for it.

    Raises:
        Refused: it names something else.
    """
    called = node.exc if isinstance(node.exc, ast.Call) else None
    name = called.func if called else node.exc
    try:
        if not isinstance(name, ast.Name) or node.cause or (called and called.keywords):
            raise ValueError  # noqa: TRY301 - said in one place
        kind = _global(function, name.id)
        args = [ast.literal_eval(one) for one in called.args] if called else []
    except (KeyError, ValueError):
        what = "raise takes an error by its name, with constants as arguments"
        raise function.refused(node, what, 'write raise ValueError("…")') from None
    if not isinstance(kind, type) or not issubclass(kind, BaseException):
        raise function.refused(node, f"{name.id} is no error")
    return kind, args


def _global(function: Function, name: str) -> Any:
    return getattr(builtins, name) if hasattr(builtins, name) else names_of(function.names, name)


def _first(chunk: Chunk, mask: Mask) -> str:
    block, thread = chunk.thread(int(np.argmax(mask.full)))
    return f"tid={list(thread)} ctaid={list(block)}"
