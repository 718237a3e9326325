"""The GPUs of this machine that grade: which there are, and that each has one grader at a time.

A grader holds a lock on its device for as long as its process lives, so that several of them, of
one run or of several, neither share a device nor disturb each other's timings.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from quizapp.system.gpu import device_nodes

VISIBLE = "CUDA_VISIBLE_DEVICES"
"""The variable by which CUDA is told its devices; numbers, or names such as `GPU-5f3e…`."""
_MODE = 0o666
"""Another person's graders lock the same files."""


class BatchDevice:
    """A device that this process holds.

    Attributes:
        name: as the variable has it.
    """

    def __init__(self, name: str, lock: int) -> None:
        self.name = name
        self._lock = lock

    def close(self) -> None:
        """Give it back."""
        os.close(self._lock)


def list_devices() -> list[str]:
    """List the devices of this machine, without asking the driver."""
    visible = os.environ.get(VISIBLE)
    if visible is not None:
        return [name.strip() for name in visible.split(",") if name.strip()]
    return [str(number) for number, _ in enumerate(device_nodes())]


def claim_devices() -> Iterator[BatchDevice]:
    """Yield the devices that no other grader of this machine holds; each is held from then on."""
    for name in list_devices():
        lock = _lock(Path(tempfile.gettempdir()) / f"quiz-gpu-{name.replace('/', '-')}.lock")
        if lock is not None:
            yield BatchDevice(name, lock)


def _lock(path: Path) -> int | None:
    """Lock a file, which stays; None if another process has."""
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        file = os.open(path, flags)
    except FileNotFoundError:
        file = os.open(path, flags | os.O_CREAT, _MODE)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        return None
    return file
