"""Asks the process that compiles kernels in Triton, and does not trust what it answers."""

from __future__ import annotations

import contextlib
import json
import select
import subprocess
import time
from typing import IO, Self

import msgspec

from grader.process import python
from grader.triton.messages import MOST_PTX, TritonReply, TritonRequest

_SECONDS = 55.0
"""For an answer: the server gives a kernel 40 of them, and imports Triton before the first."""
_CHUNK = 1 << 16


class CompilerEnded(Exception):
    """The process ended, or does not answer."""


class TritonCompiler:
    """Compiles one kernel at a time. Starts its process at once, and ends it with itself.

    Without threads, so that a process which is to be confined can have it.
    """

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            python("grader.triton.server"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):
                pipe.close()
        self._process.kill()
        self._process.wait()

    def compile(self, request: TritonRequest) -> TritonReply:
        """Compile a kernel.

        Raises:
            CompilerEnded: the process ended; another is needed.
        """
        source, answers = self._process.stdin, self._process.stdout
        assert source is not None
        assert answers is not None
        try:
            source.write(json.dumps(msgspec.to_builtins(request)).encode() + b"\n")
        except OSError:
            raise CompilerEnded from None
        try:
            return msgspec.json.decode(_read_line(answers), type=TritonReply)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise CompilerEnded from None


def _read_line(answers: IO[bytes]) -> bytes:
    until, data = time.monotonic() + _SECONDS, bytearray()
    while (left := until - time.monotonic()) > 0 and len(data) <= 2 * MOST_PTX:
        if not any(select.select([answers], [], [], left)):
            break
        chunk = answers.read(_CHUNK)
        if not chunk:
            break
        data += chunk
        if data.endswith(b"\n"):
            return bytes(data)
    raise CompilerEnded
