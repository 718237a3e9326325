"""Counts the results of a run: by question, by student, and by the check that failed. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from quizapp.batch.values import STATUSES, Result, Status


@dataclass
class Group:
    """Results that belong together.

    Attributes:
        statuses: how many there are of each.
        gates: how many failed first at which check.
    """

    statuses: Counter[Status] = field(default_factory=Counter)
    gates: Counter[str] = field(default_factory=Counter)

    @property
    def submitted(self) -> int:
        """How many submissions there are."""
        return self.statuses.total()

    @property
    def passed(self) -> int:
        """How many passed."""
        return self.statuses["passed"]

    def add(self, result: Result) -> None:
        """Count a result."""
        self.statuses[result.status] += 1
        if result.gate:
            self.gates[result.gate] += 1

    def as_plain(self) -> dict[str, Any]:
        """Return the numbers for `--json`, the check that fails most first."""
        gates = [{"gate": gate, "count": count} for gate, count in order_gates(self.gates)]
        counts: dict[str, int] = {status: self.statuses[status] for status in STATUSES}
        return {"submitted": self.submitted, **counts, "gates": gates}


@dataclass
class Tally:
    """The counts of a run; names come in the order of the results."""

    all: Group = field(default_factory=Group)
    questions: dict[str, Group] = field(default_factory=dict)
    students: dict[str, Group] = field(default_factory=dict)

    def count(self, results: Iterable[Result]) -> Iterator[Result]:
        """Yield the results as they are, and count each."""
        for result in results:
            self.all.add(result)
            self.questions.setdefault(result.question, Group()).add(result)
            self.students.setdefault(result.student, Group()).add(result)
            yield result

    def as_plain(self) -> dict[str, Any]:
        """Return the numbers for `--json`."""
        return {
            **self.all.as_plain(),
            "questions": [
                {"question": name, **group.as_plain()}
                for name, group in sorted(self.questions.items())
            ],
            "students": [
                {"student": name, "submitted": group.submitted, "passed": group.passed}
                for name, group in sorted(self.students.items())
            ],
        }


def order_gates(gates: Counter[str]) -> list[tuple[str, int]]:
    """Return the checks, the one that fails most first."""
    return sorted(gates.items(), key=lambda gate: (-gate[1], gate[0]))
