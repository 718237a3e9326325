"""Makes the arrays that a kernel declares, once for each chunk: from their nodes to their views.

The pointer to such an array is the same in all chunks.
"""

from __future__ import annotations

from functools import partial

from grader.simt.checks.elements import WatchedArray, row_major
from grader.simt.checks.shadow import WIDEST, Shadow
from grader.simt.machine.chunk import Chunk
from grader.simt.machine.conversion import uniform
from grader.simt.machine.frame import Evaluate, Frame, Value
from grader.simt.masks import Mask
from grader.simt.memory.allocations import allocations_of
from grader.simt.memory.constants import constant_array
from grader.simt.memory.global_memory import GlobalBuffer
from grader.simt.memory.local_memory import LocalBuffer, Planes
from grader.simt.memory.records import array_of
from grader.simt.memory.shared_memory import Region, shared_array
from grader.simt.memory.views import Buffer, View
from grader.simt.program import nodes
from grader.simt.program.memory import DeclaredArray
from grader.simt.program.nodes import AddressOf
from grader.simt.program.types import INT64, Array, Scalar

_DYNAMIC = "dynamic shared memory"


def build_memory(node: nodes.Memory) -> Evaluate:
    """Return what makes an array where it is first met, and finds it from then on."""
    return lambda frame, _mask: _view(node, frame.chunk)


def build_address(node: AddressOf) -> Evaluate:
    """Return what finds the pointer to an array."""
    memory = node.memory
    assert isinstance(memory.type, Array)
    declared, space = memory.declared, memory.type.space

    def evaluate(frame: Frame, _mask: Mask) -> Value:
        chunk = frame.chunk
        if node not in chunk.memory:
            size = chunk.launch.dynamic_bytes if declared is None else declared.bytes
            key, find = declared or _DYNAMIC, partial(_buffer, memory)
            allocation = allocations_of(chunk.launch).place(key, space, size, find)
            chunk.memory[node] = uniform(allocation.start, INT64)
        return chunk.memory[node]

    return evaluate


def _buffer(node: nodes.Memory, chunk: Chunk) -> Buffer:
    return _view(node, chunk).buffer


def _view(node: nodes.Memory, chunk: Chunk) -> View:
    kind, declared = node.type, node.declared
    assert isinstance(kind, Array)
    key = kind.dtype if declared is None else declared
    known: View | None = chunk.memory.get(key)
    if known is None:
        known = _dynamic(kind.dtype, chunk) if declared is None else _make(kind, declared, chunk)
        chunk.memory[key] = known
    return known


def _make(kind: Array, declared: DeclaredArray, chunk: Chunk) -> View:
    if kind.space == "local":
        return _local(declared, chunk)
    if kind.space == "global":
        return _global(declared, chunk)
    if declared.data is not None:
        return constant_array(declared.label, declared.data)
    region = Region(chunk, declared.bytes, declared.base)
    return shared_array(declared.label, declared.dtype, region, declared.shape)


def _global(declared: DeclaredArray, chunk: Chunk) -> View:
    """Make a variable of the source in global memory, once for a launch."""
    launch = chunk.launch
    assert declared.data is not None  # it lives as long as the source
    if declared not in launch.memory:
        watched = row_major("global", declared.label, declared.dtype, declared.shape)
        flat = declared.data.reshape(-1)
        shadow = Shadow(-(-flat.nbytes // WIDEST), timed=launch.timed, cell=WIDEST)

        def make(own: WatchedArray) -> GlobalBuffer:
            return GlobalBuffer(own, flat, shadow)

        launch.memory[declared] = array_of(watched, make, declared.shape)
        launch.more_memory.append(launch.memory[declared].buffer)
    view: View = launch.memory[declared]
    return view


def _local(declared: DeclaredArray, chunk: Chunk) -> View:
    """Make a local array; elements that cells do not overlap are of the same memory."""
    planes = Planes(max(1, declared.bytes), chunk)

    def make(own: WatchedArray) -> LocalBuffer:
        apart = own.cell_bytes == own.dtype.itemsize
        count = max(1, declared.bytes // own.cell_bytes)
        return LocalBuffer(own, count, chunk, planes if apart else None)

    watched = row_major("local", declared.label, declared.dtype, declared.shape)
    return array_of(watched, make, declared.shape)


def _dynamic(dtype: Scalar, chunk: Chunk) -> View:
    """Make a dynamic array: all of them are the same memory."""
    launch = chunk.launch
    if _DYNAMIC not in chunk.memory:
        chunk.memory[_DYNAMIC] = Region(chunk, launch.dynamic_bytes, launch.dynamic_base)
    shape = (launch.dynamic_bytes // dtype.itemsize,)
    return shared_array(_DYNAMIC, dtype, chunk.memory[_DYNAMIC], shape, dynamic=True)
