"""What is wrong with a launch: once for each place, with the first case and how many there are.

Knows nothing of how anything is found.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal[
    "race",
    "global-race",
    "uninitialised-read",
    "barrier-divergence",
    "out-of-bounds",
    "never-written",
    "budget",
    "resources",
    "warning",
]
Three = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault, at one place.

    Attributes:
        line, column: where, from 1; 0 where it is about the launch.
        message: one sentence, for the person.
        topic: what sort of warning or race: `negative index`, `write-write`.
        file: where that is, if it is not the kernel's file; "" for that.
        other_line, other_column, other_file: the other place that takes part; 0 for none.
        array: whose element it is.
        space: whose memory that is: `shared`, `global`, `local` or `constant`.
        index: the element, as the source counts it.
        address: in bytes; of shared memory from where the block's begins, else from the array's
            first element; out of bounds, where the element would be. None without an array.
        block: of the first case, as (x, y, z).
        threads: those that take part in the first case, (x, y, z) in their block each.
        blocks: the block of each of `threads`, where they differ.
        hint: what would mend it, where that can be told.
        count: how many cases, of threads or pairs of threads.
    """

    kind: Kind
    line: int
    column: int
    message: str
    topic: str = ""
    other_line: int = 0
    other_column: int = 0
    file: str = ""
    other_file: str = ""
    array: str = ""
    space: str = ""
    index: tuple[int, ...] = ()
    address: int | None = None
    block: Three | None = None
    threads: tuple[Three, ...] = ()
    blocks: tuple[Three, ...] = ()
    hint: str = ""
    count: int = 1


class Findings:
    """Collects them while a launch runs."""

    def __init__(self) -> None:
        self._first: dict[Hashable, Finding] = {}
        self._count: dict[Hashable, int] = {}

    def add(self, key: Hashable, count: int, first: Callable[[], Finding]) -> None:
        """Count cases of one fault.

        Args:
            key: what makes it the same fault: kind, places.
            count: how many cases.
            first: makes the finding, if it is the first one.
        """
        if key not in self._first:
            self._first[key] = first()
        self._count[key] = self._count.get(key, 0) + count

    def all(self) -> tuple[Finding, ...]:
        """Faults before warnings, the kernel's file first, in the order of lines."""
        found = [replace(one, count=self._count[key]) for key, one in self._first.items()]
        found.sort(
            key=lambda one: (one.kind == "warning", one.file, one.line, one.column, one.kind)
        )
        return tuple(found)
