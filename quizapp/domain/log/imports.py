"""Which events stand when imports are undone: an import is one act, however much it brought.

Pure functions of events. An import names what it brought by machine and sequence number.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Protocol

from quizapp.domain.log.events import Imported, LogEntry, Runs, Unvoided, Voided


class Numbered(Protocol):
    """An event by its place in the log of the machine that made it."""

    @property
    def machine(self) -> str:
        """The machine that logged it."""

    @property
    def sequence(self) -> int:
        """Its number there."""


class NamedImport(Numbered, Protocol):
    """An event, as it is logged or as it is stored."""

    @property
    def id(self) -> str:
        """Its name everywhere."""


class Standing:
    """The events that no undone import brought, and that are not set aside as implausible."""

    def __init__(self, withdrawn: Iterable[Imported] = (), aside: Set[str] = frozenset()) -> None:
        self._aside = aside
        gathered: dict[str, list[tuple[int, int]]] = {}
        for body in withdrawn:
            for machine, brought in (body.taken or {}).items():
                gathered.setdefault(machine, []).extend(brought)
        self._runs = {machine: sorted(found) for machine, found in gathered.items()}

    def __contains__(self, entry: NamedImport) -> bool:
        return entry.id not in self._aside and not self.names(entry.machine, entry.sequence)

    def names(self, machine: str, sequence: int) -> bool:
        """Return True if an undone import names the event of this number of a machine."""
        found = self._runs.get(machine)
        if found is None:
            return False
        # No two imports bring the same event, so only the run that begins last before it may.
        place = bisect_right(found, (sequence, _AFTER_ANY)) - 1
        return place >= 0 and found[place][1] >= sequence


_AFTER_ANY = float("inf")

EVERYTHING = Standing()


def find_runs(numbers: Iterable[tuple[str, int]]) -> dict[str, Runs]:
    """Gather (machine, sequence) pairs into runs."""
    by_machine: dict[str, list[int]] = {}
    for machine, sequence in numbers:
        by_machine.setdefault(machine, []).append(sequence)
    return {machine: _join(sorted(found)) for machine, found in sorted(by_machine.items())}


def _join(numbers: Sequence[int]) -> Runs:
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and number <= runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return tuple(runs)


def find_standing(
    steps: Iterable[LogEntry], targets: Mapping[str, LogEntry], aside: Set[str] = frozenset()
) -> Standing:
    """Find the events that stand; the arguments are those of `find_withdrawn`."""
    withdrawn = find_withdrawn(steps, targets, aside)
    return Standing(map(_imported, withdrawn), aside) if withdrawn or aside else EVERYTHING


def find_withdrawn(
    steps: Iterable[LogEntry], targets: Mapping[str, LogEntry], aside: Set[str] = frozenset()
) -> list[LogEntry]:
    """Find the imports that are undone, the one undone last first.

    An undo that an undone import brought does not count: the latest are decided first.

    `steps`: every undo and redo of what concerns no question, in log order. `targets`: the events
    that they name, by id. `aside`: the ids of implausible events.
    """
    withdrawn: list[LogEntry] = []
    standing = Standing(aside=aside)
    decided: set[str] = set()
    for step in reversed(list(steps)):
        assert isinstance(step.body, Voided | Unvoided)
        target = targets.get(step.body.target)
        if target is None or target.id in decided or step not in standing:
            continue
        decided.add(target.id)
        if isinstance(step.body, Voided) and isinstance(target.body, Imported):
            withdrawn.append(target)
            standing = Standing(map(_imported, withdrawn), aside)
    return withdrawn


def _imported(entry: LogEntry) -> Imported:
    assert isinstance(entry.body, Imported)
    return entry.body
