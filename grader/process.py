"""A process of our own that answers requests: one line of JSON each, over pipes, with a time limit.

Owns starting, asking and ending it, and the turns of those who ask. It leads a process group
that ends with it; what it prints is kept apart from its answers, and cut. Knows nothing of what is
asked.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

MOST_PRINTED = 64 * 1024
"""Bytes that are kept of what it prints, the last ones."""
_CHUNK = 1 << 16
_PATIENCE = 2.0
"""Seconds until a process that is ending has ended."""
_LOOKS = 0.25
"""Seconds after which it is looked whether a process that says nothing has ended."""
_ROOT = Path(__file__).resolve().parents[1]
_PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "LD_LIBRARY_PATH")
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class ProcessEnded(Exception):
    """It ended before it answered; `what` says how, `printed` is the end of what it printed."""

    def __init__(self, what: str, printed: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.printed = printed

    @property
    def last_line(self) -> str:
        """Of what it printed, which mostly says why; empty if it printed nothing."""
        lines = self.printed.strip().splitlines()
        return lines[-1].strip() if lines else ""


class ProcessSlow(ProcessEnded):
    """It did not answer in time, and was ended."""


def python(module: str) -> list[str]:
    """The command line of a Python process that runs `main` of one of our modules."""
    start = f"import sys; sys.path.insert(0, {str(_ROOT)!r}); from {module} import main; main()"
    return [sys.executable, "-I", "-c", start]


class Process:
    """A child that answers. Start it once; `ask` from one thread at a time, `end` from any."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str] | None = None
    ) -> None:
        """Start it, with little of the environment.

        Args:
            command: program and arguments.
            environment: what it finds besides.
        """
        kept = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        self._child = subprocess.Popen(  # noqa: S603 - our own program
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**kept, **_ONE_THREAD, **(environment or {})}, start_new_session=True, bufsize=0,
        )  # fmt: skip
        self._buffer = bytearray()
        self._printed = bytearray()
        self._number = 0
        self._drain = threading.Thread(target=self._keep_printed, daemon=True)
        self._drain.start()

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._child.poll() is None

    @property
    def id(self) -> int:
        """Its process id, which is also its group's."""
        return self._child.pid

    def ask(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Its answer to a request.

        Raises:
            ProcessSlow: none came in time; the process was ended.
            ProcessEnded: it ended meanwhile.
        """
        self._number += 1
        self._send({"id": self._number, "seconds": seconds, **request})
        until = time.monotonic() + seconds
        while True:
            answer: dict[str, Any] = json.loads(self._line(until, seconds))
            if answer.get("id") == self._number:
                return answer

    def end(self) -> None:
        """End it and all that it started; harmless when it has ended."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._child.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(_PATIENCE)

    def close(self) -> None:
        """End it and give back what it took. Not while another thread asks."""
        self.end()
        self._close(self._child.stdin)  # what it started on another host is told by that
        self._drain.join(_PATIENCE)
        self._close(self._child.stdout)
        self._close(self._child.stderr)

    @staticmethod
    def _close(pipe: IO[bytes] | None) -> None:
        assert pipe is not None  # noqa: S101 - all three are pipes
        with contextlib.suppress(BrokenPipeError):
            pipe.close()

    def _send(self, request: Mapping[str, Any]) -> None:
        assert self._child.stdin is not None  # noqa: S101 - a pipe
        data = memoryview(json.dumps(request).encode() + b"\n")
        try:
            while data:
                data = data[self._child.stdin.write(data) or 0 :]
        except (BrokenPipeError, ValueError):
            raise self._ended() from None

    def _line(self, until: float, seconds: float) -> bytes:
        assert self._child.stdout is not None  # noqa: S101 - a pipe
        pipe = self._child.stdout
        while b"\n" not in self._buffer:
            left = until - time.monotonic()
            try:
                lived = self.alive  # before looking: its last words may come between
                ready, _, _ = select.select([pipe], [], [], min(max(0.0, left), _LOOKS))
                read = os.read(pipe.fileno(), _CHUNK) if ready else b""
            except (OSError, ValueError):  # closed by another thread
                raise self._ended() from None
            if not ready and not lived:  # what it started may hold the pipe
                raise self._ended()
            if not ready and left > 0:
                continue
            if not ready:
                self.end()
                raise ProcessSlow(f"no answer within {seconds:g} s", self._text())
            if not read:
                raise self._ended()
            self._buffer += read
        line, _, rest = bytes(self._buffer).partition(b"\n")
        self._buffer = bytearray(rest)
        return line

    def _ended(self) -> ProcessEnded:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(_PATIENCE)  # it closes its pipes before it says why, and ends
        self.end()
        self._drain.join(_PATIENCE)
        status = self._child.returncode
        if status is not None and status < 0:
            return ProcessEnded(f"ended by {signal.Signals(-status).name}", self._text())
        return ProcessEnded(f"ended with status {status}", self._text())

    def _text(self) -> str:
        return self._printed.decode(errors="replace")

    def _keep_printed(self) -> None:
        assert self._child.stderr is not None  # noqa: S101 - a pipe
        with contextlib.suppress(OSError, ValueError):
            while data := os.read(self._child.stderr.fileno(), _CHUNK):
                self._printed = (self._printed + data)[-MOST_PRINTED:]


class ProcessOwner:
    """Base of what has such a process and asks it, one turn at a time; ends it on leaving a `with`.

    `cancel` may be called from any thread. `_lock` is held for a turn; who has waited for it sees
    by `_cancelled`, a count, whether somebody has cancelled meanwhile.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: Process | None = None
        self._cancelled = 0

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def cancel(self) -> None:
        """End what is going on, and what waits for its turn; both are told."""
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
