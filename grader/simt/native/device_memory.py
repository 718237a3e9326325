"""The memory of a program that kernels can reach: allocations in a file that both processes map."""

from __future__ import annotations

import mmap
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.simt.memory.allocations import Heap, HeapBlock
from grader.simt.memory.written import WrittenBytes
from grader.simt.native.messages import Allocated, Copied


class DeviceMemory:
    """The allocations of a running program.

    Attributes:
        file: the descriptor of the file in which they lie.
        heap: they, as launches see them.
        of_host: the starts of those that the host can read and write.
    """

    def __init__(self) -> None:
        self.file = _make_file()
        self.heap = Heap()
        self.of_host: set[int] = set()

    def allocate(self, made: Allocated) -> None:
        """Map an allocation that the program has made."""
        room = mmap.mmap(self.file, max(made.size, 1), offset=made.offset)
        data: NDArray[Any] = np.frombuffer(room, np.uint8, made.size)
        address = data.__array_interface__["data"][0]
        own = made.space == "device"  # the host writes to other memory without a call
        written = WrittenBytes(address, made.size) if own else None
        self.heap.add(HeapBlock(made.start, data, written))
        if not own:
            self.of_host.add(made.start)

    def mark(self, copied: Copied) -> None:
        """Note what the program has copied to an allocation, or set in it."""
        target, source = self.heap.find(copied.start), self.heap.find(copied.source)
        if target is None or target.written is None:
            return
        if source is None or source.written is None:
            target.written.mark(copied.rows)
        else:
            target.written.mark_copy(copied.rows, source.written, copied.origin)

    def release(self, start: int) -> None:
        """Forget an allocation that the program has freed."""
        self.heap.remove(start)
        self.of_host.discard(start)

    def close(self) -> None:
        """Close the file."""
        os.close(self.file)


def _make_file() -> int:
    """Make a file without a name."""
    if hasattr(os, "memfd_create"):  # Linux
        return os.memfd_create("quiz")
    descriptor, path = tempfile.mkstemp(prefix="quiz-")
    Path(path).unlink()
    return descriptor
