"""Gives PyTorch's tensors addresses that a kernel may load: scripts fill tables of them.

`data_ptr()` returns where the emulator has the tensor's memory, from the first call on, and the
memory stays as long as the script runs. Only a contiguous tensor on the CPU has one.
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
        self._torch: Any = None

    @property
    def known(self) -> Heap | None:
        """Their memory, as launches see it; None without any."""
        return self._heap if self._starts else None

    def follow(self, torch: Any) -> None:
        """Have the tensors of a library, if it is there, give these addresses, once."""
        if torch is None or self._torch is not None:
            return
        self._torch, real = torch, torch.Tensor.data_ptr

        def data_ptr(tensor: Any) -> int:
            if tensor.device.type != "cpu" or not tensor.is_contiguous():
                return int(real(tensor))
            return self._find(tensor, int(real(tensor)))

        torch.Tensor.data_ptr = data_ptr

    def _find(self, tensor: Any, address: int) -> int:
        size = tensor.numel() * tensor.element_size()
        key = address, size
        if key not in self._starts:
            start = self._starts[key] = _FIRST + len(self._starts) * _STEP
            data = read_dlpack(tensor).array.reshape(-1).view(np.uint8)
            self._heap.add(HeapBlock(start, data))
        return self._starts[key]
