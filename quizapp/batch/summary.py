"""The summary of a run as lines of text: by question with the checks that fail, then by student.

Last, what was not graded: other files, and students who submitted nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from quizapp.batch.submissions import Submissions
from quizapp.batch.tally import ResultGroup, Tally, count_passed, order
from quizapp.batch.values import STATUSES
from quizapp.report.lines import Line, sentence, table
from quizapp.report.verdicts.check_names import check_name
from quizapp.report.words import Words
from quizapp.system.safe_text import one_line

_MOST_GATES = 3
"""That are named for a question."""
_MOST_STUDENTS = 60
"""That are listed; of more, only how many passed how much."""
MOST_NAMES = 10
"""Of files and students in one list."""


def summary_lines(tally: Tally, say: Words) -> Iterator[Line]:
    """Show what came of a run."""
    yield sentence(describe_statuses(tally.all, say), "bold")
    yield ()
    keys = ("question", "submitted", "passed", "gates")
    head = [say(f"batch.column.{key}") for key in keys]
    rows = [
        [name, f"{group.submitted:,}", f"{group.passed:,}", describe_gates(group, say)]
        for name, group in sorted(tally.questions.items())
    ]
    yield from table([head, *rows], right=(1, 2))
    yield ()
    yield from _students(tally, say)
    if tally.without_verdict:
        yield ()
        yield sentence(say("batch.no-verdict", n=len(tally.without_verdict)))
        shown = [[each.file, each.said] for each in tally.without_verdict[:MOST_NAMES]]
        yield from _named(shown, len(tally.without_verdict), say)


def not_graded_lines(found: Submissions, say: Words) -> Iterator[Line]:
    """Name the files that are no submissions, with the reason, and the students without any."""
    if found.ignored:
        yield ()
        yield sentence(say("batch.ignored", n=len(found.ignored)))
        shown = [[file, say.fact(why)] for file, why in found.ignored[:MOST_NAMES]]
        yield from _named(shown, len(found.ignored), say)
    if found.without:
        yield ()
        yield sentence(describe_without(found.without, say))


def _named(rows: list[list[str]], count: int, say: Words) -> Iterator[Line]:
    """List the first of some files, each with the reason, and say how many more there are."""
    yield from table([list(map(one_line, row)) for row in rows], indent="  ")
    if more := count - len(rows):
        yield sentence("  " + say("batch.ignored.more", n=more))


def describe_without(students: Sequence[str], say: Words) -> str:
    """Say how many students submitted nothing, and who: the first of them."""
    more = ("…",) if len(students) > MOST_NAMES else ()
    named = map(one_line, students[:MOST_NAMES])
    return say("batch.without", n=len(students), names=(*named, *more))


def describe_statuses(group: ResultGroup, say: Words) -> str:
    """Say how many submissions there are, and what came of them."""
    counts = [
        say(f"batch.count.{status}", n=count)
        for status in STATUSES
        if (count := group.statuses[status])
    ]
    total = say("batch.count.submissions", n=group.submitted)
    return " · ".join([total, *counts])


def describe_gates(group: ResultGroup, say: Words) -> str:
    """Name the checks that fail most, with how often."""
    most = order(group.gates)[:_MOST_GATES]
    return "; ".join(f"{check_name(gate, say)} ({count:,})" for gate, count in most)


def _students(tally: Tally, say: Words) -> Iterator[Line]:
    if len(tally.students) <= _MOST_STUDENTS:
        head = [say(f"batch.column.{key}") for key in ("student", "submitted", "passed")]
        rows = [
            [one_line(name), f"{submitted:,}", f"{passed:,}"]
            for name, submitted, passed in tally.by_student()
        ]
        yield from table([head, *rows], right=(1, 2))
        return
    passed = Counter(map(count_passed, tally.students.values()))
    head = [say(f"batch.column.{key}") for key in ("passed", "students")]
    rows = [[f"{count:,}", f"{passed[count]:,}"] for count in sorted(passed, reverse=True)]
    yield from table([head, *rows], right=(0, 1))
