"""Events, the device and its context; every operation is done at once, so nothing waits."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, NoReturn

from grader.facts import fact
from grader.simt.host.streams import DEFAULT_STREAM, TIMELINE, Clock, stream_of
from grader.simt.launches.resources import (
    DYNAMIC_KILOBYTES,
    MOST_BLOCK,
    MOST_GRID,
    MOST_THREADS,
    PROCESSORS,
    STATIC_BYTES,
)
from grader.simt.masks import LANES

CAPABILITY = (9, 0)
_CUDA_VERSION = (13, 0)
_MEMORY = 80 << 30


class StreamEvent:
    """An event: a point in the order of operations."""

    def __init__(self) -> None:
        self._at = 0.0
        self._mark: Clock = {}

    def record(self, stream: Any = 0) -> None:
        """Record the event after all operations of a stream so far."""
        self._at = time.perf_counter()
        self._mark = TIMELINE.mark(stream_of(stream))

    def synchronize(self) -> None:
        """Let the host wait for the event."""
        TIMELINE.host_knows(self._mark)

    def wait(self, stream: Any = 0) -> None:
        """Let a stream wait for the event."""
        TIMELINE.stream_waits(stream_of(stream), self._mark)

    def query(self) -> bool:
        """Return True: the event has happened, and the host knows now."""
        self.synchronize()
        return True

    def elapsed_time(self, end: StreamEvent) -> float:
        """Return the milliseconds to another event: the emulator's, not a device's."""
        TIMELINE.time(end._mark)
        return (end._at - self._at) * 1000


class MemoryInfo(NamedTuple):
    """The memory of a device, in bytes."""

    free: int
    total: int


class Deallocations:
    """Memory that is waiting to be freed: none, since Python frees it at once."""

    def clear(self) -> None:
        """Do nothing."""

    def __len__(self) -> int:
        return 0

    @contextmanager
    def disable(self) -> Iterator[None]:
        """Do nothing more in a block."""
        yield


class Runtime:
    """`cuda.runtime`."""

    def get_version(self) -> tuple[int, int]:
        """Return the version of CUDA that is imitated."""
        return _CUDA_VERSION

    def is_supported_version(self) -> bool:
        """Return True."""
        return True


RUNTIME = Runtime()


class EmulatedDevice:
    """The one device, which is also its own context."""

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

    deallocations = Deallocations()

    @property
    def device(self) -> EmulatedDevice:
        """The device of the context."""
        return self

    def __repr__(self) -> str:
        return f"<CUDA device {self.id} '{self.name!r}'>"

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(fact("not-emulated.of-device", name=name))

    def __enter__(self) -> EmulatedDevice:
        return self

    def __exit__(self, *_error: object) -> None:
        return None

    def synchronize(self) -> None:
        """Wait for all streams."""
        TIMELINE.host_waits(DEFAULT_STREAM)

    def reset(self) -> None:
        """Do nothing: no resources are held."""

    def get_primary_context(self) -> EmulatedDevice:
        """Return the one context."""
        return self

    def get_memory_info(self) -> MemoryInfo:
        """Return the free and the total bytes of such a device."""
        return MemoryInfo(_MEMORY, _MEMORY)


class Devices(list[EmulatedDevice]):
    """`cuda.gpus`."""

    def __str__(self) -> str:
        return ", ".join(map(str, self))

    @property
    def lst(self) -> list[EmulatedDevice]:
        """The devices as a list."""
        return list(self)

    @property
    def current(self) -> EmulatedDevice:
        """The current device."""
        return self[0]


DEVICES = Devices([EmulatedDevice()])


def select_device(device_id: int = 0) -> EmulatedDevice:
    """Select a device.

    Raises:
        ValueError: there is one only.
    """
    if device_id != 0:
        raise ValueError(fact("script.no-device", device=device_id))
    return DEVICES[0]


def detect() -> bool:
    """Print the devices that there are."""
    print("Found 1 CUDA devices\nid 0    b'emulated device'    [SUPPORTED]")
    return True


@contextmanager
def nothing_more(*_args: Any, **_options: Any) -> Iterator[None]:
    """Do nothing, for `pinned`, `defer_cleanup` and `profiling`."""
    yield
