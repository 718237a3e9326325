"""Gives PyTorch's tensors addresses that a kernel may load: scripts fill tables of them.

`data_ptr()` returns where the emulator has the tensor's memory, from the first call on, and the
memory stays as long as the script runs. Only a contiguous tensor has one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.simt.host.dlpack import read_dlpack
from grader.simt.memory.allocations import Heap, HeapBlock

_FIRST, _STEP = 1 << 52, 1 << 40
"""Addresses of no process, and apart as allocations are: see `grader.simt.memory.allocations`."""


class TensorAddresses:
    """The tensors of a script whose addresses were asked for."""

    def __init__(self) -> None:
        self._heap = Heap()
        self._starts: dict[tuple[int, int], int] = {}

    @property
    def known(self) -> Heap | None:
        """Their memory, as launches see it; None without any."""
        return self._heap if self._starts else None

    def find(self, tensor: Any) -> int:
        """Return the address of a tensor."""
        address = int(tensor.data_ptr())
        if not tensor.is_contiguous():
            return address
        key = address, tensor.numel() * tensor.element_size()
        if key not in self._starts:
            start = self._starts[key] = _FIRST + len(self._starts) * _STEP
            data = read_dlpack(tensor).array.reshape(-1).view(np.uint8)
            self._heap.add(HeapBlock(start, data))
        return self._starts[key]
