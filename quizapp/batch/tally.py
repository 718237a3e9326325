"""Counts the results of a run: by question, by student, and by the check that failed. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self, TypeVar

from grader.facts import Fact, as_plain
from quizapp.batch.names import natural_key
from quizapp.batch.values import STATUSES, Result, Status

T = TypeVar("T", str, tuple[str, str])


@dataclass
class ResultGroup:
    """Results that belong together.

    Attributes:
        statuses: how many there are of each.
        gates: how many failed first at which check.
        mistakes: how many of those make a known mistake, by check and why it is one.
    """

    statuses: Counter[Status] = field(default_factory=Counter)
    gates: Counter[str] = field(default_factory=Counter)
    mistakes: Counter[tuple[str, str]] = field(default_factory=Counter)

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
            if why := (result.verdict or {}).get("mistake"):
                self.mistakes[result.gate, why] += 1

    def as_plain(self) -> dict[str, Any]:
        """Return the numbers for `--json`, the check that fails most first."""
        gates = [{"gate": gate, "count": count} for gate, count in order(self.gates)]
        counts: dict[str, int] = {status: self.statuses[status] for status in STATUSES}
        return {"submitted": self.submitted, **counts, "gates": gates}


class NoVerdict(NamedTuple):
    """A submission that was refused or not graded, with the reason as a fact and as a sentence."""

    student: str
    question: str
    file: str
    status: Status
    reason: Fact | None
    said: str

    def as_plain(self) -> dict[str, Any]:
        """Return it for `--json`, without the sentence."""
        reason = None if self.reason is None else as_plain(self.reason)
        plain = {name: getattr(self, name) for name in ("student", "question", "file", "status")}
        return {**plain, "reason": reason}


@dataclass
class Tally:
    """The counts of a run; names come in the order of the results.

    Attributes:
        students: what came of each question, by student.
        without_verdict: the submissions that were refused or not graded.
    """

    all: ResultGroup = field(default_factory=ResultGroup)
    questions: dict[str, ResultGroup] = field(default_factory=dict)
    students: dict[str, dict[str, Status]] = field(default_factory=dict)
    without_verdict: list[NoVerdict] = field(default_factory=list)

    @classmethod
    def of(cls, results: Iterable[Result]) -> Self:
        """Count results."""
        tally = cls()
        for result in results:
            if result.status in ("refused", "ungraded"):
                named = (result.student, result.question, result.file, result.status)
                tally.without_verdict.append(NoVerdict(*named, result.reason, result.said))
            tally.all.add(result)
            tally.questions.setdefault(result.question, ResultGroup()).add(result)
            tally.students.setdefault(result.student, {})[result.question] = result.status
        return tally

    def as_plain(self) -> dict[str, Any]:
        """Return the numbers for `--json`."""
        return {
            **self.all.as_plain(),
            "questions": [
                {"question": name, **group.as_plain()}
                for name, group in sorted(self.questions.items())
            ],
            "students": [
                {"student": name, "submitted": submitted, "passed": passed}
                for name, submitted, passed in self.by_student()
            ],
            "without_verdict": [each.as_plain() for each in self.without_verdict],
        }

    def by_student(self) -> Iterator[tuple[str, int, int]]:
        """Yield how much each student submitted and passed, in the order of their names."""
        for name in sorted(self.students, key=natural_key):
            yield name, len(self.students[name]), count_passed(self.students[name])


def count_passed(statuses: Mapping[str, Status]) -> int:
    """Count the questions that passed."""
    return sum(status == "passed" for status in statuses.values())


def order(counts: Counter[T]) -> list[tuple[T, int]]:
    """Return what was counted, the most first."""
    return sorted(counts.items(), key=lambda counted: (-counted[1], counted[0]))
