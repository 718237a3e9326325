"""The address of a kernel's parameter: its bytes are constant memory of the launch."""

from __future__ import annotations

import numpy as np

from grader.simt.machine.chunk import Chunk, ExecutionPoint
from grader.simt.machine.conversion import uniform
from grader.simt.machine.frame import Value
from grader.simt.memory.allocations import Allocation, allocations_of
from grader.simt.memory.constants import constant_array
from grader.simt.memory.views import Buffer
from grader.simt.program.types import INT64, UINT8


def place(name: str, here: ExecutionPoint, *parts: Value) -> Value:
    """Return the address of a parameter.

    Args:
        parts: what is in it, one after the other; the same for all threads.
    """
    launch, key = here.chunk.launch, (place, name)
    known: Allocation | None = launch.memory.get(key)
    if known is None:
        data = np.concatenate([part.reshape(-1)[:1].view(UINT8) for part in parts])
        buffer = constant_array(name, data).buffer

        def find(_chunk: Chunk) -> Buffer:
            return buffer

        known = allocations_of(launch).place(key, "constant", data.size, find)
        launch.memory[key] = known
    return uniform(known.start, INT64)
