"""`quiz grade --all`: what a second process brings, what is lost when one is killed, and memory.

`python -m bench.batch N` grades N submissions three times: in one process, in two, and in two of
which one is killed now and then. They are solutions, starters and known mistakes of the shipped
questions in both languages, some of them endless, some that are no code.

`python -m bench.batch N P` grades them in P processes, and again while ten of those are killed.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
from collections.abc import Generator, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from itertools import cycle, islice
from multiprocessing import get_context
from pathlib import Path
from random import Random
from time import perf_counter
from typing import NamedTuple

from msgspec.structs import replace

from bench.data import Data
from bench.figures import Figure, count_rounds, note
from grader.facts import fact
from quizapp.batch.exercises import Exercises
from quizapp.batch.grading import ungraded
from quizapp.batch.journal import RunHeader, begin_journal
from quizapp.batch.output import write_rows
from quizapp.batch.page import RunFacts, class_page
from quizapp.batch.pool import Pool
from quizapp.batch.reading import Reader
from quizapp.batch.running import grade_submissions, results_by_question, results_by_student
from quizapp.batch.submissions import Submissions, find_submissions
from quizapp.batch.tally import Tally
from quizapp.batch.values import Job, Result
from quizapp.deck.content import load_deck
from quizapp.domain.languages import ENDINGS, languages_of, put_in
from quizapp.domain.question import Index, Kernel
from quizapp.report.words import Words
from quizapp.system.config import Settings
from quizapp.system.files import replace_file_by_parts
from quizapp.system.paths import find_paths

SUBMISSIONS = 300
KILLS = 10
_TURN = 500
"""Gradings in one process before as many in two."""
AT_LEAST = 1.8
"""How much faster two processes must be than one."""
_BETWEEN_KILLS = 4.0
"""Seconds: a process takes 2 s to start, and what is lost four times is not graded."""
_MEMORY_LIMIT = 16.0
"""MB more at 10,000 submissions than at 1,000: a path, a hash and a place each."""
_SEED = 5
_ENDLESS = """
from numba import cuda


@cuda.jit
def {name}({parameters}):
    i = 0
    while i < 5:
        i = i - i
"""
_NO_CODE = "def (:\n\0"


def measure(data: Data | None, repeat: int = 1, submissions: int = SUBMISSIONS) -> list[Figure]:
    """The ratio of two processes to one, the results that differ after kills, and memory."""
    del data
    ratios, details, differ, lost = [], [], 0, 0
    with tempfile.TemporaryDirectory(prefix="quiz-bench-") as folder:
        jobs = draw_jobs(make_class(Path(folder)).jobs(), submissions)
        for _ in count_rounds(repeat):
            one, two = _alternate(jobs)
            pool = Pool(2)
            kills = min(KILLS, int(two.seconds / _BETWEEN_KILLS))
            killed = _grade(jobs, pool, _Killer(pool, kills, two.seconds))
            ratios.append(one.seconds / two.seconds)
            details.append(f"{one.rate:.1f} and {two.rate:.1f} a second, {killed.rate:.1f} killed")
            differ += _count_differences(one, two) + _count_differences(one, killed)
            lost += killed.kills
    memory = {count: _memory(count) for count in (1_000, 10_000)}
    more = memory[10_000] - memory[1_000]
    what = f"{submissions:,} gradings, two processes : one"
    same = f"results that differ after {lost} kills, missing or twice"
    grew = "client at 10,000 submissions, beyond that at 1,000"
    said = ", ".join(f"{megabytes:.0f} MB at {count:,}" for count, megabytes in memory.items())
    return [
        Figure("batch", what, min(ratios), AT_LEAST, "×", "; ".join(details), at_least=True),
        Figure("batch", same, differ, 0, "", f"of {submissions:,}"),
        Figure("batch", grew, more, _MEMORY_LIMIT, "MB", said),
    ]


def measure_kills(submissions: int, processes: int) -> list[Figure]:
    """The gradings a second in many processes, and the results that differ after kills."""
    with tempfile.TemporaryDirectory(prefix="quiz-bench-") as folder:
        jobs = draw_jobs(make_class(Path(folder)).jobs(), submissions)
        whole = _grade(jobs, Pool(processes))
        pool = Pool(processes)
        killed = _grade(jobs, pool, _Killer(pool, KILLS, 0.9 * whole.seconds))
    what = f"{submissions:,} gradings in {processes} processes"
    same = f"results that differ after {killed.kills} kills, missing or twice"
    rates = f"{killed.rate:.1f} with kills"
    return [
        Figure("batch", what, whole.rate, None, "a second", rates),
        Figure("batch", same, _count_differences(whole, killed), 0, "", f"of {submissions:,}"),
    ]


def draw_jobs(jobs: list[Job], submissions: int) -> list[Job]:
    """Draw so many of all questions, each by a student of its own; in the order of a run."""
    Random(_SEED).shuffle(jobs)
    drawn = islice(cycle(jobs), submissions)
    named = (replace(job, student=f"s{number}") for number, job in enumerate(drawn))
    return sorted(named, key=lambda job: (-job.exercise.difficulty, job.question, job.file))


def _alternate(jobs: list[Job]) -> tuple[_Run, _Run]:
    """Grade in one process and in two, by turns, so that what disturbs one disturbs both."""
    one, two = _Run(0.0, {}), _Run(0.0, {})
    for first in range(0, len(jobs), _TURN):
        some = jobs[first : first + _TURN]
        one, two = one.with_more(_grade(some, Pool(1))), two.with_more(_grade(some, Pool(2)))
    return one, two


class _Run(NamedTuple):
    """Results of a run, by student; a student who has several has them all."""

    seconds: float
    results: dict[str, list[Result]]
    kills: int = 0

    @property
    def rate(self) -> float:
        """Gradings a second."""
        return len(self.results) / self.seconds

    def with_more(self, other: _Run) -> _Run:
        """Add a run of other students."""
        return _Run(self.seconds + other.seconds, {**self.results, **other.results})


class _Killer(threading.Thread):
    """Kills processes that grade, at random moments."""

    def __init__(self, pool: Pool, kills: int, seconds: float) -> None:
        super().__init__(daemon=True)
        self._pool = pool
        self._random = Random(kills)
        self._pauses = [self._random.uniform(0.5, 1.5) * seconds / kills for _ in range(kills)]
        self.over = threading.Event()
        self.killed = 0

    def run(self) -> None:
        for pause in self._pauses:
            if self.over.wait(pause):
                return
            worker = self._random.choice(self._pool.workers)
            if worker.process_id:
                with suppress(ProcessLookupError):
                    os.kill(worker.process_id, signal.SIGKILL)
                    self.killed += 1


def _grade(jobs: list[Job], pool: Pool, killer: _Killer | None = None) -> _Run:
    """Grade all, and time it."""
    results: dict[str, list[Result]] = {}
    began = perf_counter()
    if killer is not None:
        killer.start()
    for done, result in enumerate(pool.grade(iter(jobs))):
        results.setdefault(result.student, []).append(result)
        note(f"  {done + 1} of {len(jobs)} by {len(pool.workers)}")
    took = perf_counter() - began
    if killer is None:
        return _Run(took, results)
    killer.over.set()
    killer.join()
    return _Run(took, results, killer.killed)


def _count_differences(one: _Run, other: _Run) -> int:
    """Count the submissions that have other results, none, or several."""
    students = one.results.keys() | other.results.keys()
    return sum(
        len(one.results.get(name, ())) != 1 or one.results.get(name) != other.results.get(name)
        for name in students
    )


class MadeClass(NamedTuple):
    """Submissions, and what reads them."""

    found: Submissions
    reader: Reader

    def jobs(self) -> list[Job]:
        """Return what can be graded."""
        return [job for job in map(self.reader.read, self.found.all) if isinstance(job, Job)]


def make_class(folder: Path) -> MadeClass:
    """Make a class whose students hand in whatever the questions have."""
    os.environ["QUIZ_HOME"] = str(folder / "home")
    paths = find_paths()
    deck = load_deck(paths, Settings())
    for entry in deck.entries.values():
        for number, (ending, source) in enumerate(_sources(deck.question(entry.id))):
            file = folder / "class" / f"student {number}" / f"{entry.id}{ending}"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(source, "utf-8")
    exercises = Exercises(deck, paths)
    found = find_submissions(folder / "class", exercises)
    return MadeClass(found, Reader(found.root, exercises, _SEED, "en"))


def _sources(question: object) -> Iterator[tuple[str, str]]:
    """Yield code for a question, with the ending of its file."""
    if isinstance(question, Index):
        yield from ((".py", each) for each in (question.solution, question.wrong[0].source))
    if not isinstance(question, Kernel):
        return
    for language in languages_of(question):
        put = put_in(question, language)
        code = (put.solution, put.starter, *(wrong.source for wrong in put.wrong))
        yield from ((ENDINGS[language], source) for source in code if source)
    names = ", ".join(argument.name for argument in question.arguments)
    yield ".py", _NO_CODE
    if len(question.id) % 4 == 0:  # of one question in four
        yield ".py", _ENDLESS.format(name=question.kernel, parameters=names)


def _memory(submissions: int) -> float:
    """Return the most that the client's process takes, in MB; what it grades is not graded."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(_run_without_grading, submissions).result()


def _run_without_grading(submissions: int) -> float:
    with tempfile.TemporaryDirectory(prefix="quiz-bench-") as folder:
        few, reader = make_class(Path(folder))
        rows = enumerate(islice(cycle(few.all), submissions))
        found = few._replace(all=tuple(one._replace(student=f"s{row}") for row, one in rows))
        Path("/proc/self/clear_refs").write_text("5", "utf-8")  # the deck took more than the run
        header = RunHeader(version="", seed=_SEED, exercises="", language="en")
        with begin_journal(Path(folder) / "journal", header) as journal:
            grade_submissions(found, reader, journal, _grade_nothing, lambda _: None)
            run = RunFacts(_SEED, datetime.now(UTC), found)
            tally = Tally.of(results_by_student(found, journal))
            lines = write_rows(results_by_student(found, journal), ".jsonl")
            replace_file_by_parts(Path(folder) / "results.jsonl", lines)
            parts = class_page(tally, results_by_question(found, journal), run, Words("en"))
            replace_file_by_parts(Path(folder) / "page.html", parts)
    status = dict(
        line.split(":", 1) for line in Path("/proc/self/status").read_text("utf-8").splitlines()
    )
    return int(status["VmHWM"].split()[0]) / 1024


def _grade_nothing(jobs: Iterator[Job]) -> Generator[Result, None, None]:
    for job in jobs:
        yield ungraded(job, fact("grading.cancelled"))


if __name__ == "__main__":
    from bench.__main__ import table

    counts = [int(word) for word in sys.argv[1:]]
    made = measure(None, submissions=counts[0]) if len(counts) == 1 else measure_kills(*counts)
    print(table([(figure, 0.0) for figure in made]))
