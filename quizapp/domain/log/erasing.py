"""Which events were erased: by a tombstone that names the last number of each machine.

Pure functions of events. What the erasing machine did not know of yet is not erased.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from quizapp.domain.log.events import Erased, LogEntry, Unvoided, Voided
from quizapp.domain.log.imports import Numbered

_KEPT = ("parameters", "import", "void", "unvoid", "erase")
"""Kinds of events that are kept where they concern no question: answers after the erase may refer
to them, and they hold nothing that a person answered."""


class Filed(Numbered, Protocol):
    """An event as it is stored."""

    @property
    def question(self) -> str | None:
        """What it concerns."""

    @property
    def kind(self) -> str:
        """Its tag."""


class Tombstones:
    """What was erased: of each machine all events up to a number."""

    def __init__(self, standing: Sequence[LogEntry] = ()) -> None:
        self.ids = tuple(entry.id for entry in standing)
        self.through: dict[str, int] = {}
        for entry in standing:
            assert isinstance(entry.body, Erased)
            for machine, last in entry.body.through.items():
                self.through[machine] = max(last, self.through.get(machine, 0))

    def cover(self, event: Filed) -> bool:
        """Return True if the event was erased."""
        if event.sequence > self.through.get(event.machine, 0):
            return False
        return event.question is not None or event.kind not in _KEPT


def find_tombstones(entries: Iterable[LogEntry]) -> Tombstones:
    """Find the erases that were not taken back, among events of any kind."""
    erased: dict[str, LogEntry] = {}
    void: set[str] = set()
    for entry in sorted(entries, key=lambda entry: entry.order):
        match entry.body:
            case Erased():
                erased[entry.id] = entry
            case Voided(target=target):
                void.add(target)
            case Unvoided(target=target):
                void.discard(target)
            case _:
                pass
    return Tombstones([entry for name, entry in erased.items() if name not in void])
