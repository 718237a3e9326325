"""Streams of a program: what it issues to them, and what orders that, on the one timeline."""

from __future__ import annotations

from functools import partial

import numpy as np

from grader.simt.host.streams import (
    DEFAULT_STREAM,
    TIMELINE,
    UNNAMED,
    Clock,
    Stream,
    StreamAccess,
    Touch,
)
from grader.simt.memory.allocations import Heap
from grader.simt.native.code_lines import CodeLines
from grader.simt.native.messages import BrokenMessage, Operated, Ordered, PitchedRows, Timed

_MOST_ROWS = 1 << 16
"""Rows of a copy that are told apart."""


class ProgramStreams:
    """The streams and the events of a running program.

    Attributes:
        current: the stream to which it issues what is told next.
    """

    def __init__(self, heap: Heap, lines: CodeLines) -> None:
        self._heap = heap
        self._lines = lines
        self._streams: dict[int, Stream] = {0: DEFAULT_STREAM}
        self._marks: dict[int, Clock] = {}
        self.current = DEFAULT_STREAM

    def order(self, told: Ordered) -> None:
        """Note what orders operations."""
        first, second = told.first, told.second
        match told.what:  # `Order` in `include/quiz_runtime.h`
            case 0:
                self.current = self._stream(first)
                TIMELINE.begin(self.current)
            case 1:
                self._marks[first] = TIMELINE.mark(self._stream(second))
            case 2:
                TIMELINE.stream_waits(self._stream(first), self._marks.get(second, {}))
            case 3:
                TIMELINE.host_waits(self._stream(first))
            case 4:
                TIMELINE.host_knows(self._marks.get(first, {}))
            case 5:
                TIMELINE.host_waits_for_all()
            case 6:
                self._begin_branch(first, self._stream(second))
            case _:
                raise BrokenMessage

    def _begin_branch(self, name: int, around: Stream) -> None:
        """Note a branch of a graph, a stream that only edges of the graph order."""
        branch = self._streams[name] = Stream(name // 2)
        branch.waits = False
        branch.launched_in = around.launched_in or around

    def time(self, told: Timed) -> None:
        """Note that the host asks for the time of an event."""
        place = partial(self._lines.place, told.frames)
        TIMELINE.time(self._marks.get(told.event, {}), place)

    def issue(self, told: Operated) -> None:
        """Issue a copy, or a set."""
        touched = (self._access(told.target, "store"), self._access(told.origin, "load"))
        accesses = [each for each in touched if each is not None]
        TIMELINE.issue(self.current, told.what, accesses, partial(self._lines.place, told.frames))

    def _stream(self, name: int) -> Stream:
        if name not in self._streams:
            made = self._streams[name] = Stream(name // 2)
            made.waits = not name & 1
        return self._streams[name]

    def _access(self, rows: PitchedRows, touch: Touch) -> StreamAccess | None:
        """Return what of an allocation is touched; None for other memory."""
        block = self._heap.find(rows.pointer)
        if block is None:
            return None
        first, whole = rows.pointer - block.start, block.data
        part = whole[first : first + rows.pitch * (rows.height - 1) + rows.width]
        if rows.height > 1 and rows.width < rows.pitch and rows.height <= _MOST_ROWS:
            sizes, steps = (rows.height, rows.width), (rows.pitch, 1)
            part = np.lib.stride_tricks.as_strided(part, sizes, steps, writeable=False)
        return StreamAccess(UNNAMED, part, touch)
