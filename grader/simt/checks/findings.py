"""What is wrong with a launch: once per place, with the first case and the number of cases.

Knows no sentence, and nothing of how anything is found.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from grader.facts import Fact
from grader.frozen import frozen
from grader.simt.checks.advice import Advice
from grader.simt.checks.elements import WatchedArray
from grader.simt.geometry import Three
from grader.wire import Count, Text, Whole

Kind = Literal[
    "race", "global-race", "uninitialised-read", "barrier-divergence", "warp-mask", "absent-lanes",
    "out-of-bounds", "misaligned", "zero-division", "overflow", "unsequenced", "never-written",
    "stream-race", "budget", "no-progress", "stopped", "resources", "warning",
]  # fmt: skip
FINDINGS: tuple[Kind, ...] = get_args(Kind)
"""All kinds."""
RACES: tuple[Kind, ...] = ("race", "global-race", "stream-race")
"""Those that a person may allow at a line."""


@frozen
class Finding:
    """One fault at one place.

    Attributes:
        line, column: the place, from 1; 0 if it is about the launch as a whole.
        what: what happened in the first case.
        topic: the sort of warning or race: `negative index`, `write-write`.
        file: the file of the place; "" for the kernel's own file.
        other_line, other_column, other_file: the other place that takes part; 0 if there is none.
        array: the array that the element belongs to.
        space: the memory of that array: `shared`, `global`, `local` or `constant`.
        index: the element, as the source counts it.
        address: the element's byte address: in shared memory from the start of the block's, else
            from the array's first element; out of bounds, where the element would be. None
            without an array.
        block: the block of the first case, as (x, y, z).
        threads: the threads that take part in the first case, each (x, y, z) in its block.
        blocks: the block of each of `threads`, where they differ.
        hint: what else is to be said of the case; else the catalogue knows by `what`.
        count: the number of cases: threads, or pairs of threads.
        advice: a change that removes it, which was tried; None if none is known.
    """

    kind: Kind
    line: Count
    column: Count
    what: Fact
    topic: Text = ""
    other_line: Count = 0
    other_column: Count = 0
    file: Text = ""
    other_file: Text = ""
    array: Text = ""
    space: Text = ""
    index: tuple[Whole, ...] = ()
    address: Whole | None = None
    block: Three | None = None
    threads: tuple[Three, ...] = ()
    blocks: tuple[Three, ...] = ()
    hint: Fact | None = None
    count: Count = 1
    advice: Advice | None = None


FLOAT64, UNSIGNED_WRAP = "float64", "unsigned wrap"
"""Topics of warnings: float32 data is computed in float64; an index wraps before it is widened."""
_ADVISED = (FLOAT64, UNSIGNED_WRAP)
BEYOND_AXIS = "axis"
"""The topic of an index that is beyond its own axis."""
MOST_CELLS = 1 << 16
"""Of a race, those that are kept."""


def is_advised(finding: Finding) -> bool:
    """Return True for what a change of the kernel may remove: faults, warnings of some topics."""
    return finding.kind != "warning" or finding.topic in _ADVISED


@dataclass(eq=False)
class RacingCells:
    """Where a race was found.

    Attributes:
        reads: True if one thread reads what another stores.
        elements: the numbers of its elements, with repetitions; of a block's, for shared memory.
        too_many: True if not all of them are kept.
    """

    key: Hashable
    watched: WatchedArray
    reads: bool
    elements: list[NDArray[Any]] = field(default_factory=list)
    too_many: bool = False
    _room: int = MOST_CELLS

    def add(self, elements: NDArray[Any]) -> None:
        """Keep some more."""
        if self.too_many:
            return
        self.elements.append(elements)
        self._room -= elements.size
        if self._room < 0:
            self.elements = [np.unique(np.concatenate(self.elements))]
            self.too_many = self.elements[0].size > MOST_CELLS
            self._room = MOST_CELLS


class Findings:
    """Collects the findings of a launch while it runs.

    Attributes:
        racing: by what identifies a race, its cells.
    """

    def __init__(self) -> None:
        self.racing: dict[Hashable, RacingCells] = {}
        self._first: dict[Hashable, Finding] = {}
        self._count: dict[Hashable, int] = {}

    def add(self, key: Hashable, count: int, first: Callable[[], Finding]) -> None:
        """Count cases of one fault.

        Args:
            key: what identifies the fault: its kind and its places.
            count: the number of cases.
            first: makes the finding of the first case.
        """
        if key not in self._first:
            self._first[key] = first()
        self._count[key] = self._count.get(key, 0) + count

    @property
    def cases(self) -> int:
        """The number of cases of all faults."""
        return sum(self._count.values())

    def races(self) -> list[tuple[Finding, RacingCells]]:
        """Return each race with its cells."""
        return [(self._counted(key), cells) for key, cells in self.racing.items()]

    def _counted(self, key: Hashable) -> Finding:
        first, count = self._first[key], self._count[key]
        return first if first.count == count else replace(first, count=count)

    def all(self) -> tuple[Finding, ...]:
        """Return faults before warnings, the kernel's file first, in the order of lines.

        What is beyond an inner axis, and so beyond the end of the array, is one fault.
        """
        if not self._first:
            return ()
        every = [self._counted(key) for key in self._first]
        axes = [finding for finding in every if finding.topic == BEYOND_AXIS]
        found = [each for each in every if not any(_is_same_access(each, axis) for axis in axes)]
        found.sort(
            key=lambda finding: (
                finding.kind == "warning",
                finding.file,
                finding.line,
                finding.column,
                finding.kind,
            )
        )
        return tuple(found)


def _is_same_access(finding: Finding, axis: Finding) -> bool:
    """Return True for the end of an array, where an inner axis of it was left in the same line."""
    place = finding.file, finding.line, finding.array, finding.kind
    same = place == (axis.file, axis.line, axis.array, axis.kind)
    return same and finding.topic != BEYOND_AXIS and finding.count <= axis.count
