"""Streams, events, the device and its context: nothing waits here, all that is asked is done."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from grader.simt.masks import LANES
from grader.simt.resources import (
    DYNAMIC_KILOBYTES,
    MOST_BLOCK,
    MOST_GRID,
    MOST_THREADS,
    PROCESSORS,
    STATIC_BYTES,
)

CAPABILITY = (9, 0)
_MEMORY = 80 << 30


class Stream:
    """A queue that is always empty."""

    handle = 0

    def synchronize(self) -> None:
        """All is done already."""

    @contextmanager
    def auto_synchronize(self) -> Iterator[Stream]:
        """Wait at the end, for nothing."""
        yield self

    def add_callback(self, callback: Callable[..., Any], arg: Any = None) -> None:
        """Call it now: all before it is done."""
        callback(self, 0, arg)


class Event:
    """A moment."""

    def __init__(self) -> None:
        self._at = 0.0

    def record(self, stream: Any = 0) -> None:  # noqa: ARG002
        """Now."""
        self._at = time.perf_counter()

    def synchronize(self) -> None:
        """It has happened."""

    def wait(self, stream: Any = 0) -> None:
        """It has happened."""

    def query(self) -> bool:
        """Whether it has happened."""
        return True

    def elapsed_time(self, end: Event) -> float:
        """Milliseconds to another one: of the emulator, not of a device."""
        return (end._at - self._at) * 1000


class Device:
    """One device; also the context on it, which is all there is."""

    id = 0
    name = b"emulated device"
    compute_capability = CAPABILITY
    uuid = "GPU-00000000-0000-0000-0000-000000000000"
    supports_float16 = True
    WARP_SIZE = LANES
    MULTIPROCESSOR_COUNT = PROCESSORS
    MAX_THREADS_PER_BLOCK = MOST_THREADS
    MAX_BLOCK_DIM_X, MAX_BLOCK_DIM_Y, MAX_BLOCK_DIM_Z = MOST_BLOCK
    MAX_GRID_DIM_X, MAX_GRID_DIM_Y, MAX_GRID_DIM_Z = MOST_GRID
    MAX_SHARED_MEMORY_PER_BLOCK = STATIC_BYTES
    MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = DYNAMIC_KILOBYTES["9.0"] * 1024
    COMPUTE_CAPABILITY_MAJOR, COMPUTE_CAPABILITY_MINOR = CAPABILITY

    @property
    def device(self) -> Device:
        """Of the context."""
        return self

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{name} of a device is not emulated")

    def __enter__(self) -> Device:
        return self

    def __exit__(self, *_error: object) -> None:
        return None

    def synchronize(self) -> None:
        """All is done already."""

    def reset(self) -> None:
        """Nothing is held."""

    def get_primary_context(self) -> Device:
        """The one context."""
        return self

    def get_memory_info(self) -> tuple[int, int]:
        """Bytes free and in all, of a device of its kind."""
        return _MEMORY, _MEMORY


class Devices(list[Device]):
    """`cuda.gpus`."""

    @property
    def lst(self) -> list[Device]:
        """All of them."""
        return list(self)

    @property
    def current(self) -> Device:
        """The one."""
        return self[0]


DEVICES = Devices([Device()])


def select_device(device_id: int = 0) -> Device:
    """Take a device.

    Raises:
        ValueError: there is one only.
    """
    if device_id != 0:
        raise ValueError(f"there is no device {device_id}: one is emulated, 0")
    return DEVICES[0]


def detect() -> bool:
    """Say which devices there are."""
    print("Found 1 CUDA devices\nid 0    b'emulated device'    [SUPPORTED]")
    return True


@contextmanager
def nothing_more(*_args: Any, **_options: Any) -> Iterator[None]:
    """`pinned`, `defer_cleanup`, `profiling`: nothing to prepare."""
    yield
