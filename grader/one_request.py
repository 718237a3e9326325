"""A process that answers one request in JSON: from standard input, to standard output.

For compilers: what they are given is compiled, never run. Their memory, files and time are limited.
"""

from __future__ import annotations

import contextlib
import json
import resource
import sys
from collections.abc import Callable
from typing import Any

_MEMORY = 8 << 30
"""Bytes of address space: NVRTC, LLVM and NVVM map more than a gigabyte before they work."""
_FILE_BYTES = 64 << 20
_SECONDS = 60


def answer_once(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Limit this process, read a request, and write what `answer` gives."""
    limits = (
        (resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, _FILE_BYTES),
        (resource.RLIMIT_AS, _MEMORY), (resource.RLIMIT_CPU, _SECONDS),
    )  # fmt: skip
    for what, most in limits:
        with contextlib.suppress(OSError, ValueError):  # macOS has no RLIMIT_AS
            resource.setrlimit(what, (most, most))
    json.dump(answer(json.load(sys.stdin)), sys.stdout)
