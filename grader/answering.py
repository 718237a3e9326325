"""The other end of `process`: reads requests, answers them, lets nothing else reach the answers.

Runs in the child. What is printed there, by Python or by a library, goes to standard error.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import sys
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

Answer = Callable[[dict[str, Any]], Mapping[str, Any]]

_GRACE = 5.0
"""Seconds beyond the time limit of a request, for whoever asked to end us first."""


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
        # Should who asked be gone, nobody ends us: SIGALRM does.
        signal.setitimer(signal.ITIMER_REAL, request.pop("seconds") + _GRACE)
        reply = {"id": request.pop("id"), **answer(request)}
        signal.setitimer(signal.ITIMER_REAL, 0)
        results.write(json.dumps(reply).encode() + b"\n")
        results.flush()
