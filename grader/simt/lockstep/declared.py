"""Makes the arrays that a kernel declares, once for each chunk: from their nodes to their views."""

from __future__ import annotations

from grader.simt.checks.elements import WatchedArray, row_major
from grader.simt.machine.chunk import Chunk
from grader.simt.machine.frame import Evaluate, Frame, Value
from grader.simt.masks import Mask
from grader.simt.memory.local_memory import LocalBuffer
from grader.simt.memory.records import array_of, finest_cell
from grader.simt.memory.shared_memory import Region, shared_array
from grader.simt.memory.views import View
from grader.simt.program.memory import DeclaredArray
from grader.simt.program.nodes import Memory
from grader.simt.program.types import Array, Scalar

_DYNAMIC = "dynamic shared memory"


def build_memory(node: Memory) -> Evaluate:
    """Return what makes an array where it is first met, and finds it from then on."""
    kind, declared = node.type, node.declared
    assert isinstance(kind, Array)
    dtype, is_shared = kind.dtype, kind.space == "shared"

    def make(chunk: Chunk) -> View:
        if declared is None:
            return _dynamic(dtype, chunk)
        return _shared(declared, chunk) if is_shared else _local(declared, chunk)

    key = dtype if declared is None else declared

    def evaluate(frame: Frame, _mask: Mask) -> Value:
        memory = frame.chunk.memory
        if key not in memory:
            memory[key] = make(frame.chunk)
        return memory[key]

    return evaluate


def _shared(declared: DeclaredArray, chunk: Chunk) -> View:
    dtype = declared.dtype
    cell = min(finest_cell(dtype), chunk.launch.shared_cell or dtype.itemsize)
    region = Region(chunk, declared.bytes, cell, declared.base)
    return shared_array(declared.label, dtype, region, declared.shape)


def _local(declared: DeclaredArray, chunk: Chunk) -> View:
    def make(own: WatchedArray) -> LocalBuffer:
        return LocalBuffer(own, max(1, declared.bytes // own.cell_bytes), chunk)

    watched = row_major("local", declared.label, declared.dtype, declared.shape)
    return array_of(watched, make, declared.shape)


def _dynamic(dtype: Scalar, chunk: Chunk) -> View:
    """Make a dynamic array: all of them are the same memory."""
    launch = chunk.launch
    if _DYNAMIC not in chunk.memory:
        chunk.memory[_DYNAMIC] = Region(
            chunk, launch.dynamic_bytes, launch.dynamic_cell, launch.static_bytes
        )
    shape = (launch.dynamic_bytes // dtype.itemsize,)
    return shared_array(_DYNAMIC, dtype, chunk.memory[_DYNAMIC], shape, dynamic=True)
