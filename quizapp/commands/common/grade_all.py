"""Runs `quiz grade --all`: the journal beside its output, its progress, and its summary."""

from __future__ import annotations

import secrets
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from grader.facts import fact
from quizapp import __version__
from quizapp.batch import journal as journals
from quizapp.batch import output, page, running, submissions, summary
from quizapp.batch.exercises import Exercises
from quizapp.batch.reading import Reader
from quizapp.batch.tally import Tally
from quizapp.commands.common.grade_modes import SEED_BITS
from quizapp.commands.common.graders import open_graders
from quizapp.commands.common.output import note, print_json, print_lines, show_progress
from quizapp.commands.common.surroundings import read_deck, surroundings
from quizapp.commands.common.written_files import check_free
from quizapp.domain.errors import FINDINGS, OK, EnvironmentProblem, UsageError
from quizapp.report.numbers import clock_time
from quizapp.report.words import Words
from quizapp.system.config import GpuSettings
from quizapp.system.files import replace_file_by_parts

_NOTE_SECONDS = 30.0
"""Between two lines of progress where there is no terminal."""


class BatchOptions(NamedTuple):
    """What the command line says of a batch.

    Attributes:
        source: a folder per student, or a CSV.
        jobs: processes that grade; None: one per CPU.
        dask: the scheduler of a cluster that grades; None: this machine does.
        gpu: judges what the emulator passes; None: no GPU does.
        out: where the results go.
        seed: of the inputs that no submission knows; None: drawn, or that of the resumed run.
    """

    source: Path
    jobs: int | None
    dask: str | None
    gpu: GpuSettings | None
    out: Path | None
    resume: bool
    seed: int | None
    html: Path | None
    overwrite: bool
    as_json: bool

    @property
    def kept(self) -> Path | None:
        """What results are kept beside while it is not written, so that a run can be resumed."""
        return self.out or self.html


def grade_all(options: BatchOptions) -> int:
    """Grade all submissions, write the results, and print the summary.

    Raises:
        UsageError: there is nothing to grade, or the output is in the way.
        EnvironmentProblem: results cannot be written; those before are kept.
    """
    where = surroundings()
    say = Words(where.settings.language)
    _check_output(options)
    exercises = Exercises(read_deck(where), where.paths)
    found = submissions.find_submissions(options.source, exercises)
    with (
        open_graders(options.jobs, options.dask, options.gpu, say) as grade,
        _open_journal(options, exercises, say) as journal,
    ):
        assert journal.header is not None
        seed = journal.header.seed
        note(say("batch.starts", n=len(found.all), seed=seed))
        reader = Reader(found.root, exercises, seed, say.language)
        try:
            with _show_progress(say) as show:
                running.grade_submissions(found, reader, journal, grade, show)
        except KeyboardInterrupt:
            if options.kept is not None:
                note(say("batch.interrupted", n=len(journal)))
            raise
        tally = Tally.of(running.results_by_student(found, journal))
        _write(options, found, journal, tally, say)
    if options.as_json:
        identity = {"seed": seed, "exercises": exercises.identity}
        print_json({**identity, **found.others_as_plain(), **tally.as_plain()})
    else:
        print_lines(summary.summary_lines(tally, say))
        print_lines(summary.not_graded_lines(found, say))
    return FINDINGS if tally.all.statuses["refused"] or tally.all.statuses["ungraded"] else OK


def _write(
    options: BatchOptions,
    found: submissions.Submissions,
    journal: journals.Journal,
    tally: Tally,
    say: Words,
) -> None:
    """Write the page and the results.

    After that the journal is needed only to grade again what has no verdict.

    Raises EnvironmentProblem: one cannot be written.
    """
    try:
        if options.html is not None:
            results = running.results_by_question(found, journal)
            assert journal.header is not None
            run = page.RunFacts(journal.header.seed, datetime.now().astimezone(), found)
            replace_file_by_parts(options.html, page.class_page(tally, results, run, say))
        if options.out is not None:
            results = running.results_by_student(found, journal)
            replace_file_by_parts(options.out, output.write_rows(results, options.out.suffix))
    except EnvironmentProblem as error:
        raise EnvironmentProblem(error.what, fact("batch.kept")) from None
    for file in filter(None, (options.html, options.out)):
        note(say("file.written", path=file))
    if options.kept is None or not journal.ungraded:
        journal.remove()
    else:
        note(say("batch.without-verdict", n=journal.ungraded))


def _check_output(options: BatchOptions) -> None:
    if options.resume and options.kept is None:
        raise UsageError(fact("batch.resume-what"))
    if options.out is not None:
        output.check_ending(options.out)
    # What a resumed run replaces is its own.
    check_free(options.out, options.html, overwrite=options.overwrite or options.resume)


def draw_seed() -> int:
    """Draw the seed of the inputs that no submission of a run knows."""
    return secrets.randbits(SEED_BITS)


@contextmanager
def _open_journal(
    options: BatchOptions, exercises: Exercises, say: Words
) -> Iterator[journals.Journal]:
    """Begin or resume the journal; without an output it lies in a folder that is removed."""
    seed = draw_seed() if options.seed is None else options.seed
    header = journals.RunHeader(
        version=__version__, seed=seed, exercises=exercises.identity, language=say.language
    )
    if options.kept is None:
        with tempfile.TemporaryDirectory() as folder:
            path = journals.journal_of(Path(folder) / "results")
            with journals.begin_journal(path, header) as journal:
                yield journal
        return
    path = journals.journal_of(options.kept)
    if not options.resume:
        with journals.begin_journal(path, header) as journal:
            yield journal
        return
    with journals.resume_journal(path) as journal:
        assert journal.header is not None
        if options.seed is None:
            header = replace(header, seed=journal.header.seed)
        journals.check_same_run(journal.header, header, path)
        ungraded = journal.ungraded
        note(say("batch.resumes", n=len(journal) - ungraded))
        if ungraded:
            note(say("batch.retries", n=ungraded))
        yield journal


@contextmanager
def _show_progress(say: Words) -> Iterator[Callable[[running.Progress], None]]:
    start = noted = time.monotonic()
    with show_progress(after=0) as show:

        def tell(progress: running.Progress) -> None:
            nonlocal noted
            now = time.monotonic()
            text = _describe_progress(progress, now - start, say)
            show(text)
            if not sys.stderr.isatty() and now - noted > _NOTE_SECONDS:
                noted = now
                note(text)

        yield tell


def _describe_progress(progress: running.Progress, seconds: float, say: Words) -> str:
    left = progress.total - progress.done
    text = say("batch.progress", done=f"{progress.done:,}", n=progress.total)
    if not progress.graded or not left:
        return text
    milliseconds = round(1000 * seconds / progress.graded * left)
    return f"{text} · {say('batch.left', time=clock_time(milliseconds))}"
