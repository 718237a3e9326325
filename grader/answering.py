"""The other end of `process`: reads requests, answers them, lets nothing else reach the answers.

Runs in the child. What is printed there, by Python or by a library, goes to standard error.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import sys
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

Answer = Callable[[dict[str, Any]], Mapping[str, Any]]


def limit(memory_bytes: int | None) -> None:
    """Bound what this process may take: memory, no core files, no file that grows.

    Args:
        memory_bytes: of address space; None for no bound.
    """
    limits = [(resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 0)]
    if memory_bytes is not None:
        limits.append((resource.RLIMIT_AS, memory_bytes))
    for what, most in limits:
        with contextlib.suppress(OSError, ValueError):  # macOS has no RLIMIT_AS
            resource.setrlimit(what, (most, most))


def serve(answer: Answer) -> None:
    """Answer requests, one after the other, until standard input is closed."""
    results = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with results, contextlib.suppress(BrokenPipeError):
        _serve(answer, results)


def _serve(answer: Answer, results: BinaryIO) -> None:
    for line in sys.stdin.buffer:
        request = json.loads(line)
        reply = {"id": request.pop("id"), **answer(request)}
        results.write(json.dumps(reply).encode() + b"\n")
        results.flush()
