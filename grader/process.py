"""A process of our own that answers requests: one line of JSON each, over pipes, with limits.

Owns starting, asking and ending it, and the order of the callers. It leads a process group
that ends with it; what it prints is kept apart from its answers, and cut. Nothing it does makes us
wait beyond the time limit or keep more than an answer may have: it may lie, stall and flood. Knows
nothing of what is asked.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Self

from msgspec.structs import replace

from grader.facts import Fact, FactError, fact
from grader.wire import MOST_BYTES, Malformed, R, Request, decode_reply, encode_request, truncate

MOST_PRINTED = 64 * 1024
"""Bytes that are kept of what it prints, the last ones."""
_CHUNK = 1 << 16
_MOST_LINE = 300
"""Characters of its last line, which a person reads."""
_QUOTED = 60
"""Characters kept of a line that is not an answer."""
_PATIENCE = 2.0
"""Seconds until a process that is ending has ended."""
_SOON = 0.5
"""The same, once the time limit has passed."""
_LOOKS = 0.25
"""How often, in seconds, to check whether a silent process has exited."""
_ROOT = Path(__file__).resolve().parents[1]
_PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "LD_LIBRARY_PATH")
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

PARENT = "QUIZ_PARENT"
"""The variable in a child's environment that has the id of this process."""


class ProcessEnded(FactError):
    """It ended before it answered.

    Attributes:
        what: how it ended; its sentence follows the name of the process.
        printed: the end of what it printed.
    """

    def __init__(self, what: Fact, printed: str = "") -> None:
        super().__init__(what)
        self.printed = printed

    @property
    def last_line(self) -> str:
        """The last line of output, usually the reason; empty if nothing was printed."""
        lines = self.printed.strip().splitlines()
        return truncate(lines[-1].strip(), _MOST_LINE) if lines else ""


class ProcessSlow(ProcessEnded):
    """It did not answer in time, and was ended."""


class ProcessGarbled(ProcessEnded):
    """Its output is not a reply to the request; it was ended.

    `said` is how the line begins.
    """

    def __init__(self, what: Fact, said: str = "", printed: str = "") -> None:
        super().__init__(what, printed)
        self.said = said


def python(module: str) -> list[str]:
    """Build the command line of a Python process that runs `main` of one of our modules."""
    start = f"import sys; sys.path.insert(0, {str(_ROOT)!r}); from {module} import main; main()"
    return [sys.executable, "-I", "-c", start]


_STARTER = ThreadPoolExecutor(1, "starter")
"""The thread that starts all children; it lives as long as this process.

A child that asks to be killed with its parent is killed with the thread that started it. Made here,
since the first two children may be started from two threads at once.
"""


class Process:
    """A child that answers. Start it once; `ask` from one thread at a time, `end` from any."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str] | None = None
    ) -> None:
        """Start it, with little of the environment.

        Args:
            command: program and arguments.
            environment: additional variables.
        """
        kept = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        self._child = _STARTER.submit(
            subprocess.Popen,
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**kept, **_ONE_THREAD, PARENT: str(os.getpid()), **(environment or {})},
            start_new_session=True,
            bufsize=0,
        ).result()
        assert self._child.stdin is not None
        os.set_blocking(self._child.stdin.fileno(), False)  # it may never read
        self._buffer = bytearray()
        self._printed = bytearray()
        self._number = 0
        self._drain = threading.Thread(target=self._keep_output, daemon=True)
        self._drain.start()

    @property
    def alive(self) -> bool:
        """True if it runs."""
        return self._child.poll() is None

    @property
    def id(self) -> int:
        """Its process id, which is also its group's."""
        return self._child.pid

    def ask(self, request: Request, seconds: float, kind: type[R], most: int = MOST_BYTES) -> R:
        """Send a request, and wait for the reply.

        Args:
            seconds: until the whole answer must be there, however much it sends meanwhile.
            most: bytes in the answer.

        Raises:
            ProcessSlow: none came in time; the process was ended.
            ProcessGarbled: what came is not that answer; the process was ended.
            ProcessEnded: it ended meanwhile.
        """
        self._number += 1
        until = time.monotonic() + seconds
        self._send(replace(request, id=self._number, seconds=seconds), until)
        line = self._line(until, seconds, most)
        try:
            return decode_reply(line, kind, self._number)
        except Malformed as error:
            raise self._garbled_error(error.what, line) from None

    def end(self) -> None:
        """End it and all that it started; harmless when it has ended."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._child.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(_PATIENCE)

    def close(self) -> None:
        """End it and give back what it took. Not while another thread asks."""
        self.end()
        self._close(self._child.stdin)  # this notifies what it started on another host
        self._drain.join(_SOON)
        self._close(self._child.stdout)
        self._close(self._child.stderr)

    @staticmethod
    def _close(pipe: IO[bytes] | None) -> None:
        assert pipe is not None
        with contextlib.suppress(BrokenPipeError):
            pipe.close()

    def _send(self, request: Request, until: float) -> None:
        pipe = self._child.stdin
        assert pipe is not None
        data = memoryview(encode_request(request))
        try:
            while data:
                self._wait([], [pipe], until, request.seconds)
                data = data[pipe.write(data) or 0 :]
        except (OSError, ValueError):  # the reader is gone, or another thread closed it
            raise self._end_error(until) from None

    def _line(self, until: float, seconds: float, most: int) -> bytes:
        pipe, looked_at = self._child.stdout, 0
        assert pipe is not None
        while (end := self._buffer.find(b"\n", looked_at, most + 1)) < 0:
            looked_at = len(self._buffer)
            if looked_at > most:
                raise self._garbled_error(fact("answer.too-long", most=most), self._buffer)
            try:
                self._wait([pipe], [], until, seconds)
                read = os.read(pipe.fileno(), _CHUNK)
            except (OSError, ValueError):  # closed by another thread
                raise self._end_error(until) from None
            if not read:
                raise self._end_error(until)
            self._buffer += read
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line

    def _wait(
        self, reading: list[IO[bytes]], writing: list[IO[bytes]], until: float, seconds: float
    ) -> None:
        """Wait until a pipe is ready.

        Raises:
            ProcessSlow, ProcessGarbled: the time limit has passed; the process was ended.
            ProcessEnded: it ended, though something else may hold its pipes.
            ValueError: the pipe was closed by another thread.
        """
        while (left := until - time.monotonic()) > 0:
            lived = self.alive  # before looking: its last words may come between
            ready = select.select(reading, writing, [], min(left, _LOOKS))
            if any(ready):
                return
            if not lived:
                raise self._end_error(until)
        if self._buffer:
            raise self._garbled_error(fact("answer.no-end"), self._buffer)
        self.end()
        raise ProcessSlow(fact("process.slow", seconds=seconds), self._text())

    def _garbled_error(self, what: Fact, line: bytes | bytearray) -> ProcessGarbled:
        self.end()
        said = bytes(line[: 4 * _QUOTED]).decode(errors="replace").strip()
        return ProcessGarbled(what, said[:_QUOTED], self._text())

    def _end_error(self, until: float) -> ProcessEnded:
        patience = min(_PATIENCE, max(_SOON, until - time.monotonic()))
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(patience)  # it closes its pipes before it says why, and ends
        self.end()
        self._drain.join(_SOON)
        status = self._child.returncode
        if status is not None and status < 0:
            return ProcessEnded(fact("process.signal", signal=_signal_name(-status)), self._text())
        return ProcessEnded(fact("process.status", status=status), self._text())

    def _text(self) -> str:
        return self._printed.decode(errors="replace")

    def _keep_output(self) -> None:
        assert self._child.stderr is not None
        with contextlib.suppress(OSError, ValueError):
            while data := os.read(self._child.stderr.fileno(), _CHUNK):
                self._printed = (self._printed + data)[-MOST_PRINTED:]


def _signal_name(number: int) -> str:
    """Name a signal by its number; real-time signals have no name."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


class ProcessOwner:
    """Base of classes that own such a process and ask it, one turn at a time; a `with` ends it.

    `cancel` may be called from any thread. `_lock` is held for a turn; a thread that waited for it
    sees by `_cancelled`, a count, whether another has cancelled meanwhile.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: Process | None = None
        self._cancelled = 0

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def cancel(self) -> None:
        """End the current turn and those that wait; both raise."""
        self._cancelled += 1
        process = self._process
        if process is not None:
            process.end()

    def close(self) -> None:
        """End the process; the next request starts another."""
        self.cancel()
        with self._lock:
            self._drop()

    def _drop(self) -> None:
        """End the process, if there is one. With the lock held."""
        if self._process is not None:
            self._process.close()
        self._process = None
