"""The summary of a run as lines of text: by question with the checks that fail, then by student."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from quizapp.batch.tally import Group, Tally, order
from quizapp.batch.values import STATUSES
from quizapp.report.lines import Line, sentence, table
from quizapp.report.words import Words

_MOST_GATES = 3
"""That are named for a question."""
_MOST_STUDENTS = 60
"""That are listed; of more, only how many passed how much."""


def summary_lines(tally: Tally, say: Words) -> Iterator[Line]:
    """Show what came of a run."""
    yield sentence(describe_statuses(tally.all, say), "bold")
    yield ()
    keys = ("question", "submitted", "passed", "gates")
    head = [say(f"batch.column.{key}") for key in keys]
    rows = [
        [name, f"{group.submitted:,}", f"{group.passed:,}", describe_gates(group)]
        for name, group in sorted(tally.questions.items())
    ]
    yield from table([head, *rows], right=(1, 2))
    yield ()
    yield from _students(tally, say)


def describe_statuses(group: Group, say: Words) -> str:
    """Say how many submissions there are, and what came of them."""
    counts = [
        say(f"batch.count.{status}", n=count)
        for status in STATUSES
        if (count := group.statuses[status])
    ]
    total = say("batch.count.submissions", n=group.submitted)
    return " · ".join([total, *counts])


def describe_gates(group: Group) -> str:
    """Name the checks that fail most, with how often."""
    return ", ".join(f"{gate} {count:,}" for gate, count in order(group.gates)[:_MOST_GATES])


def _students(tally: Tally, say: Words) -> Iterator[Line]:
    if len(tally.students) <= _MOST_STUDENTS:
        head = [say(f"batch.column.{key}") for key in ("student", "submitted", "passed")]
        rows = [
            [name, f"{group.submitted:,}", f"{group.passed:,}"]
            for name, group in sorted(tally.students.items())
        ]
        yield from table([head, *rows], right=(1, 2))
        return
    passed = Counter(group.passed for group in tally.students.values())
    head = [say(f"batch.column.{key}") for key in ("passed", "students")]
    rows = [[f"{count:,}", f"{passed[count]:,}"] for count in sorted(passed, reverse=True)]
    yield from table([head, *rows], right=(0, 1))
