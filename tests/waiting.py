"""Waiting for what is sure to come: for a condition, a process's end, a thread's turn.

The limit is long, since only a failure waits for it; on a busy machine anything may take seconds.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from grader.process import ProcessOwner

PATIENCE_S = 60.0
_POLL_S = 0.02


def until(
    condition: Callable[[], object],
    what: Callable[[], object] = lambda: "",
    within_s: float = PATIENCE_S,
) -> None:
    """Poll until the condition holds.

    Raises:
        AssertionError: it did not in time; with what `what` says then.
    """
    end = time.monotonic() + within_s
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(what())
        time.sleep(_POLL_S)


def alive(process: int) -> bool:
    """Whether a process runs; one that ended and was not waited for does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def until_ended(*processes: int) -> None:
    """Wait until processes have ended."""
    until(lambda: not any(map(alive, processes)), lambda: [*filter(alive, processes)])


BEGUN = "os.write(2, b'begun')"
"""A statement for what a process runs, which `until_begun` waits for."""


def until_begun(owner: ProcessOwner) -> None:
    """Wait until what the owner's process runs has come to `BEGUN`."""
    until(lambda: owner._process is not None and b"begun" in owner._process._printed)


class WatchedLock:
    """A lock for an owner of a process, which tells which threads have asked for a turn."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        self.asked.append(threading.get_ident())
        self._lock.acquire()

    def __exit__(self, *_error: object) -> None:
        self._lock.release()
