"""The process that compiles kernels in Triton: each in a child that is confined, and then ends.

Imports Triton once and runs nothing of a request itself: a text cannot change what others get.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import sys
import time

import msgspec

from grader.confine import confine
from grader.confine.layers import readable_paths
from grader.process import PARENT
from grader.request_loop import limit
from grader.triton.building import build
from grader.triton.messages import MOST_PTX, TritonReply, TritonRequest

SECONDS = 15
"""Of processor time for one kernel; a fused attention takes half a second."""
_PATIENCE = 40
"""Seconds in all: a machine that does much else is no fault of the kernel."""
_MEMORY = 8 << 30
"""Bytes of address space: LLVM maps more than a gigabyte before it works."""
_CHUNK = 1 << 20


def main() -> None:
    """Answer until the asking process is gone."""
    os.environ[PARENT] = str(os.getpid())  # of the children
    replies = os.dup(1)
    os.dup2(2, 1)
    for line in sys.stdin.buffer:
        _write(replies, _answer_in_child(line, replies) + b"\n")


def _write(file: int, data: bytes) -> None:
    with memoryview(data) as left:
        done = 0
        while done < len(left):
            done += os.write(file, left[done:])


def _answer_in_child(line: bytes, replies: int) -> bytes:
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        try:
            for file in (0, reads, replies):  # these are not for what is compiled
                os.close(file)
            _answer(line, writes)
        finally:
            os._exit(1)
    os.close(writes)
    try:
        data = _read(reads)
    finally:
        os.close(reads)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
    if data is None:
        return msgspec.json.encode(TritonReply(ended=f"no answer within {_PATIENCE} s"))
    if data and b"\n" not in data:
        return data
    return msgspec.json.encode(TritonReply(ended=_describe(status)))


def _answer(line: bytes, writes: int) -> None:
    """Answer, in the child: nothing of a request is used before it is confined."""
    limit(_MEMORY)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    confine(readable_paths())
    request = msgspec.json.decode(line, type=TritonRequest)
    _write(writes, msgspec.json.encode(build(request)))
    os._exit(0)


def _read(reads: int) -> bytes | None:
    """Read all that a child writes; None if it takes too long, or writes too much."""
    until, data = time.monotonic() + _PATIENCE, bytearray()
    while (left := until - time.monotonic()) > 0 and len(data) <= MOST_PTX:
        if not any(select.select([reads], [], [], left)):
            break
        chunk = os.read(reads, _CHUNK)
        if not chunk:
            return bytes(data)
        data += chunk
    return None


def _describe(status: int) -> str:
    number = os.waitstatus_to_exitcode(status)
    return f"status {number}" if number >= 0 else signal.Signals(-number).name
