"""The other end of `process`: reads requests, answers them, lets nothing else reach the answers.

Runs in the child. What is printed there, by Python or by a library, goes to standard error.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterable
from typing import Any, BinaryIO

from msgspec.structs import replace

from grader.wire import Reply, Request, decode_request, encode_reply

Answer = Callable[[Any], Reply]
"""Gives the reply to a request, which is one of the kinds that are served."""
_GRACE = 5.0
"""Seconds beyond a request's time limit, in which the client is to end this process first."""


def limit(memory_bytes: int | None) -> None:
    """Bound what this process may take: memory, no core files, no file that grows.

    Args:
        memory_bytes: the most address space; None for no bound.
    """
    limits = [(resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 0)]
    if memory_bytes is not None:
        limits.append((resource.RLIMIT_AS, memory_bytes))
    set_limits(limits)


def set_limits(limits: Iterable[tuple[int, int]]) -> None:
    """Bound resources of this process, as far as the machine has them: macOS has no RLIMIT_AS."""
    for what, most in limits:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(what, (most, most))


def serve(answer: Answer, *kinds: type[Request]) -> None:
    """Answer requests, one after the other, until standard input is closed."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with replies, contextlib.suppress(BrokenPipeError):
        _serve(answer, kinds, replies)


def _serve(answer: Answer, kinds: tuple[type[Request], ...], replies: BinaryIO) -> None:
    for line in sys.stdin.buffer:
        request = decode_request(line, kinds)
        # If the client is gone, SIGALRM ends this process.
        signal.setitimer(signal.ITIMER_REAL, request.seconds + _GRACE)
        encoded = encode_reply(replace(answer(request), id=request.id))
        signal.setitimer(signal.ITIMER_REAL, 0)
        replies.write(encoded)
        replies.flush()
