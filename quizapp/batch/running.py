"""One run from the submissions to the results: reads, has graded what is not graded yet, writes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from typing import NamedTuple

from quizapp.batch.grading import digest
from quizapp.batch.journal import Journal
from quizapp.batch.names import natural_key
from quizapp.batch.reading import Reader
from quizapp.batch.submissions import Submissions
from quizapp.batch.values import Job, Result

GradeAll = Callable[[Iterator[Job]], Generator[Result, None, None]]
"""Grades jobs wherever it does, and yields the results in any order; to close it ends that."""


class Progress(NamedTuple):
    """How far a run is: `done` of `total` submissions have a result, `graded` of them now."""

    done: int
    graded: int
    total: int


def grade_submissions(
    found: Submissions,
    reader: Reader,
    journal: Journal,
    grade_all: GradeAll,
    show: Callable[[Progress], None],
) -> None:
    """Have every submission graded that the journal has no result of.

    `show`: called with the progress after each.

    Raises EnvironmentProblem: the journal cannot be written.
    """
    waiting: deque[Result] = deque()
    """What needs no grading. Jobs may be taken by other threads; the journal is this one's."""
    progress = _Counter(len(found.all), journal, show)

    def jobs() -> Iterator[Job]:
        for submission in found.all:
            read = reader.read(submission)
            if isinstance(read, Result):
                waiting.append(read)
            elif journal.holds(submission.key, digest(read.source)):
                progress.before += 1
            else:
                yield read

    with closing(grade_all(jobs())) as graded:
        for result in graded:
            progress.add(result, graded=True)
            while waiting:
                progress.add(waiting.popleft())
    for result in waiting:
        progress.add(result)


class _Counter:
    """Keeps results, and counts them."""

    def __init__(self, total: int, journal: Journal, show: Callable[[Progress], None]) -> None:
        self._total = total
        self._journal = journal
        self._show = show
        self.before = self._refused = self._graded = 0

    def add(self, result: Result, *, graded: bool = False) -> None:
        """Keep a result."""
        self._journal.add(result)
        self._graded += graded
        self._refused += not graded
        done = self.before + self._refused + self._graded
        self._show(Progress(done, self._graded, self._total))


def results_by_student(found: Submissions, journal: Journal) -> Iterator[Result]:
    """Yield every result, by student and question, whatever the order they came in."""
    keys = (submission.key for submission in found.all)
    ordered = sorted(keys, key=lambda key: (natural_key(key.student), key.question))
    return map(journal.result, ordered)


def results_by_question(found: Submissions, journal: Journal) -> Iterator[Result]:
    """Yield every result, by question and student."""
    keys = (submission.key for submission in found.all)
    ordered = sorted(keys, key=lambda key: (key.question, natural_key(key.student)))
    return map(journal.result, ordered)
