"""What the host touches of memory that a kernel writes, before it has waited for the kernel.

The program's runtime makes what a launch wrote of managed and of pinned memory inaccessible until
the host waits (`include/quiz_runtime.h`), and tells each access; here is which element it is, and
which line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.facts import fact
from grader.simt.checks.findings import Finding
from grader.simt.host.session import ScriptSession
from grader.simt.host.streams import ScriptPlace
from grader.simt.launches.reports import Launch
from grader.simt.memory.allocations import HeapPointer
from grader.simt.native.code_lines import CodeLines
from grader.simt.native.messages import Touched

_KEPT = 64
"""Launches whose writes are remembered."""


class _Written(NamedTuple):
    """What a launch wrote through an argument: which elements of `size` bytes, from `start` on."""

    name: str
    start: int
    size: int
    elements: NDArray[np.bool_]

    def holds(self, address: int) -> bool:
        """Return True if the element at an address was written."""
        at = (address - self.start) // self.size
        return 0 <= at < self.elements.size and bool(self.elements[at])

    def span(self) -> tuple[int, int]:
        """Return the address of the first byte that was written, and one after the last."""
        found = np.flatnonzero(self.elements)
        first, last = int(found[0]), int(found[-1])
        return self.start + first * self.size, self.start + (last + 1) * self.size


class EarlyTouches:
    """What launches have written that the host can touch too."""

    def __init__(
        self, lines: CodeLines, files: Mapping[str, Sequence[str]], session: ScriptSession
    ) -> None:
        self._lines = lines
        self._session = session
        self._speaks = any("_system(" in line for text in files.values() for line in text)
        """Whether a kernel may tell a host that looks meanwhile what is ready."""
        self._launches: dict[int, tuple[int, ScriptPlace, list[_Written]]] = {}
        """By number: which of the session it is, where it is launched, and what it wrote."""

    def note(
        self, number: int, place: ScriptPlace, done: Launch, arguments: Sequence[tuple[str, Any]]
    ) -> list[tuple[int, int]]:
        """Note what a launch wrote; return its spans, see `_Written.span`.

        Args:
            number: of the launch.
            place: where it is launched.
            done: what it did.
            arguments: those in memory that the host can touch, by name.
        """
        found = list[_Written]()
        for name, value in () if self._speaks else arguments:
            assert isinstance(value, HeapPointer)  # what points into memory
            which = done.written_elements(name).reshape(-1)
            if which.any():
                size = value.array.nbytes // which.size
                found.append(_Written(name, value.start, size, which))
        self._launches[number] = len(self._session.launches) - 1, place, found
        self._launches.pop(number - _KEPT, None)
        return [written.span() for written in found]

    def report(self, touched: Touched) -> None:
        """Add an access of the host to the launch, if that wrote there."""
        if touched.launch not in self._launches:
            return
        launch, place, found = self._launches[touched.launch]
        written = next((each for each in found if each.holds(touched.address)), None)
        if written is None:
            return
        at = self._lines.find(touched.frames) or place
        what = fact("finding.host-early", array=written.name, line=place.line)
        race = Finding(
            "stream-race", at.line, 1, what, "host", place.line, 1, at.file, place.file,
            array=written.name, space="global",
        )  # fmt: skip
        self._session.add_finding(race, launch)
