"""What the host touches of memory that an operation still reads or writes.

The program's runtime closes what kernels, copies, and sets touch of managed and of pinned memory
until the host waits (`include/quiz_runtime.h`), and tells each access to such a page; here is
whether the operation touches that byte, too, and which line of the host does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.facts import Fact, fact
from grader.simt.checks.findings import Finding
from grader.simt.host.session import MEMORY, OPERATIONS, ScriptSession
from grader.simt.host.streams import TIMELINE, Clock, ScriptPlace, Stream
from grader.simt.launches.reports import Launch
from grader.simt.memory.allocations import HeapPointer
from grader.simt.native.code_lines import CodeLines
from grader.simt.native.device_memory import DeviceMemory
from grader.simt.native.messages import Operated, PitchedRows, Touched, TouchedSpan

_KEPT = 256
"""Operations that are remembered."""


class _Elements(NamedTuple):
    """Which elements of `size` bytes a kernel touches through an argument, from `start` on."""

    name: str
    start: int
    size: int
    which: NDArray[np.bool_]
    writes: bool

    def holds(self, address: int) -> bool:
        """Return True if it touches the element at an address."""
        at = (address - self.start) // self.size
        return 0 <= at < self.which.size and bool(self.which[at])

    def span(self) -> TouchedSpan:
        """Return all addresses from the first one that it touches to the last."""
        found = np.flatnonzero(self.which)
        first, last = int(found[0]), int(found[-1])
        return TouchedSpan(
            self.start + first * self.size, self.start + (last + 1) * self.size, self.writes
        )


class _Rows(NamedTuple):
    """Rows of host memory that a copy or a set touches."""

    name: Fact
    rows: PitchedRows
    writes: bool

    def holds(self, address: int) -> bool:
        """Return True if it touches the byte at an address."""
        row, column = divmod(address - self.rows.pointer, self.rows.pitch)
        return 0 <= row < self.rows.height and column < self.rows.width


class _Operation(NamedTuple):
    """An operation that may touch memory of the host until `issued` is over.

    Attributes:
        launch: which one of the session has findings about it.
    """

    what: str
    issued: Clock
    launch: int
    find_place: Callable[[], ScriptPlace]
    touched: Sequence[_Elements | _Rows]


class EarlyTouches:
    """The operations on memory that the host can touch, until the host has waited for them."""

    def __init__(
        self,
        lines: CodeLines,
        files: Mapping[str, Sequence[str]],
        session: ScriptSession,
        memory: DeviceMemory,
    ) -> None:
        self._lines = lines
        self._session = session
        self._memory = memory
        self._speaks = any("_system(" in line for text in files.values() for line in text)
        """Whether a kernel may tell a host that looks meanwhile what is ready."""
        self._number = 0
        self._open: dict[int, _Operation] = {}
        """By number, as the program counts them."""

    def begin(self) -> None:
        """Count an operation, as the program does."""
        self._number += 1

    def note_launch(
        self, stream: Stream, place: ScriptPlace, done: Launch, arguments: Sequence[tuple[str, Any]]
    ) -> list[TouchedSpan]:
        """Note what a launch touches; return its spans.

        Args:
            arguments: those in memory that the host can touch, by name.
        """
        found = list[_Elements]()
        for name, value in arguments:
            assert isinstance(value, HeapPointer)  # what points into memory
            for kind, which in done.accessed_elements(name).items():
                flat = which.reshape(-1)
                if flat.any():
                    size = value.array.nbytes // flat.size
                    found.append(_Elements(name, value.start, size, flat, kind != "load"))
        self._add("kernel", stream, len(self._session.launches) - 1, lambda: place, found)
        return [] if self._speaks else [each.span() for each in found]

    def note(self, told: Operated, stream: Stream) -> None:
        """Note what a copy or a set touches."""
        touched = list[_Rows]()
        for rows, writes in ((told.target, True), (told.origin, False)):
            space = self._memory.space_of(rows.pointer)
            if space in ("managed", "pinned"):
                touched.append(_Rows(MEMORY[f"{space} memory"], rows, writes))
        place = partial(self._lines.place, told.frames)
        self._add(told.what, stream, max(len(self._session.launches) - 1, 0), place, touched)

    def _add(
        self,
        what: str,
        stream: Stream,
        launch: int,
        find_place: Callable[[], ScriptPlace],
        touched: Sequence[_Elements | _Rows],
    ) -> None:
        if touched and not self._speaks:
            now = _Operation(what, TIMELINE.latest(stream), launch, find_place, touched)
            self._open[self._number] = now
        self._open.pop(self._number - _KEPT, None)

    def end(self) -> Collection[int]:
        """Return the numbers of operations that are over now, and forget them."""
        over = [number for number, each in self._open.items() if TIMELINE.is_over(each.issued)]
        for number in over:
            del self._open[number]
        return over

    def report(self, touched: Touched) -> bool:
        """Add an access of the host to a launch, if an operation touches that, too."""
        for operation in reversed(self._open.values()):
            for each in operation.touched:
                if (each.writes or touched.writes) and each.holds(touched.address):
                    self._blame(touched, operation, each)
                    return True
        return False

    def _blame(self, touched: Touched, operation: _Operation, each: _Elements | _Rows) -> None:
        place = operation.find_place()
        at = self._lines.find(touched.frames) or place
        named = OPERATIONS[operation.what]
        if each.writes:
            what = fact("finding.host-early", array=each.name, line=place.line, operation=named)
        else:
            what = fact(
                "finding.host-overwrites", array=each.name, line=place.line, operation=named
            )
        name = each.name if isinstance(each.name, str) else ""
        race = Finding(
            "stream-race", at.line, 1, what, "host", place.line, 1, at.file, place.file,
            array=name, space="global",
        )  # fmt: skip
        self._session.add_finding(race, operation.launch)
