"""A process that ends with the one that started it, however that ends, on every system.

The one that starts it holds one end of a pipe open; the other waits for the end of the pipe.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

VARIABLE = "QUIZ_LIFELINE"
"""Names the descriptor in the environment of a process that is started."""
THREAD = "lifeline"
"""The name of the thread that waits; it ends before a fork."""
NONE = -1
"""The descriptor of a process that outlives the one that started it."""


@contextmanager
def hold() -> Iterator[int]:
    """Yield a descriptor to pass on: who has it learns when this block, or this process, ends."""
    descriptor, held = os.pipe()
    try:
        yield descriptor
    finally:
        os.close(descriptor)
        os.close(held)


def follow() -> int:
    """End this process and its forks with the one that started it, if that asked for it.

    Returns:
        The descriptor, for processes that this one starts; or `NONE`.
    """
    descriptor = int(os.environ.pop(VARIABLE, NONE))
    if descriptor != NONE:
        _Watch(descriptor)
    return descriptor


_GROUP = """\
exec 3<&0 </dev/null
(read -r _ <&3; kill -9 0) & watch=$!
"$@" 3<&-
status=$?
kill -9 $watch
exit $status
"""
"""Runs a command; once its standard input ends, all that the command has started does."""


def run_group(
    command: Sequence[str], seconds: float, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[bytes]:
    """Run a command with all that it starts, as a compiler does; nothing of it outlives us.

    Raises:
        OSError: it cannot be started.
        subprocess.TimeoutExpired: it has not ended in time, and has been killed.
    """
    with (
        hold() as descriptor,
        subprocess.Popen(
            ["/bin/sh", "-c", _GROUP, "sh", *command],
            stdin=descriptor,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            process_group=0,
        ) as child,
    ):
        try:
            output, errors = child.communicate(timeout=seconds)
        except BaseException:
            with suppress(ProcessLookupError, PermissionError):  # it has ended
                os.killpg(child.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(command, child.returncode, output, errors)


class _Watch:
    """A thread that waits for the end; not while this process forks, which Python warns of."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._begin()
        os.register_at_fork(
            before=self._pause, after_in_parent=self._begin, after_in_child=self._begin
        )

    def _begin(self) -> None:
        self._stop, self._stopping = os.pipe()
        self._thread = threading.Thread(target=self._wait, name=THREAD, daemon=True)
        self._thread.start()

    def _pause(self) -> None:
        os.close(self._stopping)
        self._thread.join()
        os.close(self._stop)

    def _wait(self) -> None:
        ready, _, _ = select.select([self._descriptor, self._stop], [], [])
        if self._descriptor in ready:
            os.kill(os.getpid(), signal.SIGKILL)
