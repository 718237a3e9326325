"""Remembers the text of what a script runs with `exec`, so that kernels made so can be read."""

from __future__ import annotations

import sys
from threading import local
from types import CodeType
from typing import Any

from grader.simt.numba.reading.source import GENERATED

_last = local()


def remember_texts() -> None:
    """Remember texts for the rest of the process: Python offers no way to remove an audit hook."""
    sys.addaudithook(_on_audit_event)


def _on_audit_event(event: str, args: tuple[Any, ...]) -> None:
    # Python tells of a text when it is compiled, and of the code when that is run.
    if event == "compile":
        _last.text, _last.path = args
    elif event == "exec":
        _remember_code(args[0])


def _remember_code(code: Any) -> None:
    text = getattr(_last, "text", None)
    if not isinstance(code, CodeType) or code.co_filename != getattr(_last, "path", None):
        return
    if isinstance(text, bytes):
        text = text.decode(errors="replace")
    if isinstance(text, str) and code.co_filename.startswith("<"):
        _keep(code, text.splitlines(keepends=True))


def _keep(code: CodeType, lines: list[str]) -> None:
    """Keep the text for the functions that a code object defines."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            GENERATED[constant] = lines
            _keep(constant, lines)
