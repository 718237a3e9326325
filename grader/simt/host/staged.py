"""Arguments of a script's launches: copied to the device and back, as Numba does with arrays."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from grader.facts import fact
from grader.simt.host.arrays import (
    EmulatedArray,
    MappedArray,
    copy_as_laid_out,
    is_pinned,
    require_contiguous,
)
from grader.simt.host.interface import as_cuda_array, is_cuda_array
from grader.simt.host.observed import unwrap
from grader.simt.host.streams import TIMELINE, Stream, StreamAccess
from grader.simt.launches.arguments import part_name
from grader.simt.launches.reports import Launch
from grader.simt.memory.allocations import HeapPointer
from grader.simt.memory.written import WrittenBytes
from grader.simt.program.kernel import CompiledKernel

LaunchRecord = dict[str, Any]
"""What a launch did, as plain data."""


class TransferArgument:
    """`cuda.In`, `cuda.Out` or `cuda.InOut`: the direction in which a host array is copied."""

    def __init__(self, array: Any, *, there: bool, back: bool) -> None:
        self.array = array
        self.there = there
        self.back = back


def stage(given: Any) -> StagedArgument | StagedTuple:
    """Put an argument, or a tuple of them, on its way to the device."""
    if is_cuda_array(given):
        given = as_cuda_array(given)
    return StagedTuple(given) if isinstance(given, tuple) else StagedArgument(given)


class StagedTuple:
    """A tuple of arguments on its way to the device and back."""

    def __init__(self, given: tuple[Any, ...]) -> None:
        self._parts = [stage(argument) for argument in given]
        arrays = [part.array for part in self._parts]
        named = hasattr(given, "_fields")
        self.array: Any = type(given)(*arrays) if named else tuple(arrays)

    def written_bytes(self) -> list[WrittenBytes]:
        """See `StagedArgument`."""
        return [known for part in self._parts for known in part.written_bytes()]

    def accesses(self, name: str, done: Launch) -> list[StreamAccess]:
        """Return what a launch touched of the device arrays in it."""
        parts = enumerate(self._parts)
        return [access for at, part in parts for access in part.accesses(part_name(name, at), done)]

    def take_back(self, stream: Stream) -> None:
        """See `StagedArgument`."""
        for part in self._parts:
            part.take_back(stream)

    def finish(self, name: str, ready: CompiledKernel, done: Launch, record: LaunchRecord) -> None:
        """Finish each of its parts after the launch."""
        for place, part in enumerate(self._parts):
            part.finish(part_name(name, place), ready, done, record)


class StagedArgument:
    """An argument on its way to the device and back."""

    def __init__(self, given: Any) -> None:
        self._device: EmulatedArray | None = None
        self._host: Any = None
        if isinstance(given, TransferArgument):
            self._host = given.array if given.back else None
            base = copy_as_laid_out(unwrap(given.array))
            written = None if given.there else np.zeros_like(base, np.bool_)
            self._device = EmulatedArray(base, written)
            self.array: Any = base
        elif isinstance(given, EmulatedArray):
            self._device = given
            self.array = given.base
        elif isinstance(given, MappedArray):
            self.array = given.view(np.ndarray)
        elif isinstance(given, np.ndarray):
            plain = unwrap(given)
            require_contiguous(plain)
            self._host = given if given.flags.writeable else None
            self.array = copy_as_laid_out(plain)
            self.array.flags.writeable = given.flags.writeable
        else:
            self.array = given

    def written_bytes(self) -> list[WrittenBytes]:
        """Return which bytes of its memory were written, if not all."""
        known = None if self._device is None else self._device.written_bytes()
        return [] if known is None else [known]

    def finish(self, name: str, ready: CompiledKernel, done: Launch, record: LaunchRecord) -> None:
        """Note what the launch wrote, and copy back."""
        if self._device is not None and self._device.written is not None:
            written = self._device.written
            np.logical_or(written, done.written_elements(name), out=written)
            wrote = ready.program.stores_anywhere or name in ready.compiled.stored
            if not done.finished:  # that it ended is the finding
                self._device.history.report = None
            elif wrote or self._device.history.report is None:
                self._device.history.report = _UnwrittenFinding(name, ready, record)
        if self._host is None:
            return
        taken = self.array if self._device is None else np.asarray(self._device)
        unwrap(self._host)[...] = taken

    def accesses(self, name: str, done: Launch) -> list[StreamAccess]:
        """Return what a launch touched, if it is an array that stays on the device."""
        on_heap = isinstance(self.array, HeapPointer)
        if not on_heap and (self._device is None or self._host is not None):
            return []
        array = self.array.array if on_heap else self.array
        return [
            StreamAccess(name, array, kind, which)
            for kind, which in done.accessed_elements(name).items()
        ]

    def take_back(self, stream: Stream) -> None:
        """Wait for the copy to the host, except for pinned memory in a stream."""
        if is_pinned(self._host) and stream:
            access = StreamAccess("pinned memory", unwrap(self._host), "store")
            TIMELINE.leaves_to_host(TIMELINE.issue(stream, "copy", [access]))
        elif self._host is not None:
            TIMELINE.host_waits(stream)


class _UnwrittenFinding:
    """Adds a finding about unwritten elements of an array to a launch; once per array."""

    def __init__(self, name: str, ready: CompiledKernel, record: LaunchRecord) -> None:
        self._name = name
        self._line, self._column = ready.function.start
        self._record = record
        self._finding: LaunchRecord = {}

    def __call__(
        self, missing: int, size: int, first: tuple[int, ...], address: int, *, read: bool
    ) -> None:
        """See `UnwrittenReport`."""
        known = self._finding.get("kind") == "never-written"
        if missing <= self._finding.get("count", 0) and (known or not read):
            return
        read = read or known
        what = fact(
            "finding.never-written",
            missing=missing,
            elements=size,
            array=self._name,
            index=str(first[0] if len(first) == 1 else first),
        )
        if not read:
            what = fact("finding.unread-elements", missing=what)
        if not self._finding:
            self._record["findings"].insert(0, self._finding)
        self._finding.update(
            kind="never-written" if read else "warning",
            topic="" if read else "unread elements",
            line=self._line,
            column=self._column,
            what=asdict(what),
            array=self._name,
            space="global",
            index=list(first),
            address=address,
            count=missing,
            hint=None,
        )
