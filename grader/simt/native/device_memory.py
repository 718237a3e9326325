"""The memory of a program that kernels can reach: allocations in a file that both processes map."""

from __future__ import annotations

import ctypes
import mmap
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.facts import fact
from grader.simt.errors import InvalidLaunch
from grader.simt.memory.allocations import Heap, HeapBlock
from grader.simt.memory.textures import ADDRESS_MODES, Texture
from grader.simt.memory.written import WrittenBytes
from grader.simt.native.code_lines import CodeLines
from grader.simt.native.messages import (
    Allocated,
    Copied,
    MemoryNote,
    Released,
    TextureEnded,
    TextureMade,
)

_LAYERED, _LINEAR = 0x01, 0x100
"""Flags of a texture's memory."""
_PRIVATE, _FIXED = 0x02, 0x10
"""Flags of `mmap` on Linux, where `file` is one that has no name."""


class DeviceMemory:
    """The allocations of a running program.

    Attributes:
        file: the descriptor of the file in which they lie.
        heap: they, as launches see them.
    """

    def __init__(self, lines: CodeLines) -> None:
        self._lines = lines
        self.file = _make_file()
        self.heap = Heap()
        self._spaces: dict[int, str] = {}
        self._offsets: dict[int, int] = {}
        if hasattr(os, "memfd_create"):
            self.heap.detach = self._detach

    def note(self, message: MemoryNote) -> None:
        """Do what the program says of its memory."""
        match message:
            case Allocated():
                self._allocate(message)
            case Released():
                self._release(message)
            case Copied():
                self._mark(message)
            case TextureMade():
                self._bind_texture(message)
            case TextureEnded():
                self.heap.textures.pop(message.handle, None)

    def space_of(self, pointer: int) -> str:
        """Return where a pointer leads: `device`, `managed`, `pinned`; "" for other memory."""
        block = self.heap.find(pointer)
        return "" if block is None else self._spaces[block.start]

    def _allocate(self, made: Allocated) -> None:
        """Map an allocation that the program has made."""
        try:
            room = mmap.mmap(self.file, max(made.size, 1), offset=made.offset)
        except OSError:
            raise InvalidLaunch(fact("program.no-memory", n=made.size >> 20)) from None
        self._offsets[made.start] = made.offset
        data: NDArray[Any] = np.frombuffer(room, np.uint8, made.size)
        address = data.__array_interface__["data"][0]
        own = made.space == "device"  # the host writes to other memory without a call
        written = WrittenBytes(address, made.size) if own else None
        self.heap.add(HeapBlock(made.start, data, written))
        self._spaces[made.start] = made.space

    def _detach(self) -> None:
        """Map all allocations again, at the same addresses, so that writes reach nobody else."""
        system = ctypes.CDLL(None, use_errno=True)
        number, system.mmap.restype = ctypes.c_int, ctypes.c_void_p
        system.mmap.argtypes = (
            ctypes.c_void_p, ctypes.c_size_t, number, number, number, ctypes.c_long,
        )  # fmt: skip
        for block in self.heap.blocks:
            where = block.data.__array_interface__["data"][0]
            place = where, max(block.data.size, 1), mmap.PROT_READ | mmap.PROT_WRITE
            of_file = _PRIVATE | _FIXED, self.file, self._offsets[block.start]
            if system.mmap(*place, *of_file) != where:
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    def _mark(self, copied: Copied) -> None:
        """Note what the program has copied to an allocation, or set in it."""
        target, source = self.heap.find(copied.start), self.heap.find(copied.source)
        if target is None or target.written is None:
            return
        if source is None or source.written is None:
            target.written.mark(copied.rows)
        else:
            target.written.mark_copy(copied.rows, source.written, copied.origin)

    def _bind_texture(self, made: TextureMade) -> None:
        """Note a texture, or a surface; one of memory that is gone has none."""
        block = self.heap.find(made.pointer)
        if block is None:
            return
        dtype = np.dtype(f"{'iuf'[made.kind]}{made.bits // 8}")
        columns, _, layers = made.size
        sizes = (max(layers, 1), made.rows, columns, made.channels)
        element = dtype.itemsize * made.channels
        strides = (made.pitch * made.rows, made.pitch, element, dtype.itemsize)
        texels: NDArray[Any] = np.ndarray(
            sizes, dtype, block.data, made.pointer - block.start, strides
        )
        x, y, z = (ADDRESS_MODES[each] for each in made.modes)
        largest = float(np.iinfo(dtype).max) if dtype.kind != "f" else 0
        self.heap.textures[made.handle] = Texture(
            made.pointer, texels,
            is_layered=bool(made.flags & _LAYERED), is_linear_memory=bool(made.flags & _LINEAR),
            modes=(x, y, z), filters=made.filters, normalized=made.is_normalized,
            scale=largest if made.normalizes else 0, border=made.border,
        )  # fmt: skip

    def find_freed_line(self, address: int) -> int | None:
        """Return the line that freed the memory at an address; None if there is other memory."""
        return None if self.heap.find(address) else self.heap.find_freed_line(address) or None

    def _release(self, freed: Released) -> None:
        """Forget an allocation that the program has freed."""
        start = freed.start
        block = self.heap.find(start)
        self.heap.remove(start, lambda: self._lines.place(freed.frames).line)
        self._offsets.pop(start, None)
        if block is not None and self.heap.textures:
            last = start + len(block.data)
            self.heap.textures = {
                handle: each
                for handle, each in self.heap.textures.items()
                if not start <= each.pointer < last
            }
        self._spaces.pop(start, None)

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
