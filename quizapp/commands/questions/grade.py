"""`quiz grade`: one submission of an exercise, with the verdict that the application gives."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from grader.facts import Fact, fact
from quizapp.commands.common import grade_all, grade_gradescope, grade_modes, grade_serve
from quizapp.commands.common.gpu import choose_gpu, gpu_host_option
from quizapp.commands.common.grade_modes import SEED_BITS
from quizapp.commands.common.help import json_option, subcommand
from quizapp.commands.common.output import note, print_json, print_lines, room, show_progress
from quizapp.commands.common.parameters import CODE_LANGUAGE, FAULT, QUESTION, Integer, html_option
from quizapp.commands.common.surroundings import read_deck, surroundings
from quizapp.commands.common.written_files import (
    OutputFile,
    check_free,
    overwrite_option,
    write_file,
)
from quizapp.deck import submissions
from quizapp.domain import languages
from quizapp.domain import question as questions
from quizapp.domain.errors import ENVIRONMENT, FINDINGS, OK, EnvironmentProblem, UsageError
from quizapp.exercises import layouts, spots
from quizapp.plain import markdown
from quizapp.report import submissions as report
from quizapp.report.html import submissions as pages
from quizapp.report.lines import table
from quizapp.report.words import Words
from quizapp.study import examiner as examiners
from quizapp.system import extras, trust
from quizapp.system.config import GpuSettings
from quizapp.system.gpu import NotMeasured, explain_absence
from quizapp.system.language import person_language

if TYPE_CHECKING:
    from quizapp.deck.index import Entry
    from quizapp.domain.question import CodeLanguage, Index, Kernel, Spot
    from quizapp.study.examiner import Examiner

KINDS = ("index", "kernel", "spot")
_FACTS = ("id", "kind", "topic", "difficulty")

Grade = Callable[[str], int]
"""Grades a submission, prints the verdict, and returns the exit status."""


class GpuChoice(NamedTuple):
    """What the command line says about GPUs: whether to use one, and whose."""

    wanted: bool | None
    host: str | None

    @property
    def is_needed(self) -> bool:
        """True if a verdict without a GPU is not enough."""
        return bool(self.wanted) or self.host is not None

    def settings(self) -> GpuSettings:
        """Return which GPU to use.

        Raises:
            BadSetting, UsageError: these options make no sense.
            EnvironmentProblem: a GPU is needed, and there is none.
        """
        self._check()
        chosen = choose_gpu(surroundings().settings.gpu, self.host)
        use = chosen.use if self.wanted is None else self.wanted
        settings = GpuSettings(use=use, host=chosen.host)
        reason = explain_absence(settings) if self.is_needed else None
        if reason is not None:
            raise EnvironmentProblem(reason.what, reason.todo)
        return settings

    def for_many(self, *, on_cluster: bool) -> GpuSettings | None:
        """Return which GPU judges many submissions; None unless one is asked for.

        Raises BadSetting, UsageError: these options make no sense.
        """
        self._check()
        if not self.is_needed:
            return None
        known = GpuSettings() if on_cluster else surroundings().settings.gpu
        return GpuSettings(use=True, host=choose_gpu(known, self.host).host)

    def _check(self) -> None:
        """Check that a host is not named where no GPU is wanted. Raises UsageError: it is."""
        if self.wanted is False and self.host is not None:
            raise UsageError(fact("grade.gpu-and-no-gpu"))


class GradeOptions(NamedTuple):
    """How a submission is read, and how its verdict is written.

    Attributes:
        language: of the submission; None: as its text looks.
        as_json: as data.
        html: a page to write, too.
        search: whether the common layouts are tried, too.
    """

    language: CodeLanguage | None
    as_json: bool
    html: Path | None
    search: bool


@subcommand(
    "quiz grade",
    "quiz grade place-column-with-padding mine.py",
    "quiz grade kernel-transpose-padded mine.py --watch",
    "quiz grade kernel-transpose-padded mine.cu",
    "quiz grade kernel-transpose-padded --language cuda",
    "quiz grade kernel-transpose-padded mine.py --gpu-host me@gpu-box",
    "quiz grade spot-missing-barrier --line 8 --fault race",
    "echo 'row * 33 + col' | quiz grade place-column-with-padding - --json",
    "quiz grade --all homework/ --out results.csv --html class.html",
    "quiz grade --all candidates.csv --out results.jsonl --resume",
    "quiz grade --serve /tmp/quiz.sock --jobs 8",
    "quiz grade --gradescope kernel-transpose-padded kernel-saxpy --out autograder.zip",
)
@click.argument("question", type=QUESTION, required=False)
@click.argument("file", type=click.Path(allow_dash=True, path_type=Path), required=False)
@click.argument("others", nargs=-1, metavar="")
@click.option("--watch", is_flag=True)
@click.option("--search", is_flag=True)
@click.option("--line", type=Integer(min=1), metavar="N")
@click.option("--fault", type=FAULT, metavar="FAULT")
@click.option("--language", "written_in", type=CODE_LANGUAGE)
@click.option("--review", type=Integer(min=0), default=0, metavar="N")
@click.option("--gpu/--no-gpu", default=None)
@gpu_host_option
@click.option("--all", "folder", type=click.Path(path_type=Path), metavar="FOLDER")
@click.option("--serve", "socket", type=click.Path(path_type=Path), metavar="SOCKET")
@click.option("--gradescope", is_flag=True)
@click.option("--wheel", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE")
@click.option("--jobs", type=Integer(min=1, max=1024), metavar="N")
@click.option("--dask", metavar="SCHEDULER")
@click.option("--out", type=OutputFile(), metavar="FILE")
@click.option("--resume", is_flag=True)
@click.option("--seed", type=Integer(min=0, max=(1 << SEED_BITS) - 1), metavar="N")
@html_option
@overwrite_option
@json_option
@click.pass_context
def command(
    context: click.Context, question: str | None, file: Path | None, others: tuple[str, ...], *,
    gpu: bool | None, gpu_host: str | None, watch: bool, search: bool, line: int | None,
    fault: str | None, written_in: CodeLanguage | None, review: int, folder: Path | None,
    socket: Path | None, gradescope: bool, wheel: Path | None, jobs: int | None, dask: str | None,
    out: Path | None, resume: bool, seed: int | None, html: Path | None, overwrite: bool,
    as_json: bool,
) -> int:  # fmt: skip
    """Grade a submission, print an exercise, or list all exercises."""
    grade_modes.check_options(context)
    choice = GpuChoice(gpu, gpu_host)
    if gradescope or socket is not None:
        names = [name for name in (question, str(file or ""), *others) if name]
        making = grade_gradescope.AutograderOptions(names, folder, out, wheel, seed, overwrite)
        return _grade_for_others(making, socket, jobs, choice)
    if folder is not None:
        measuring = choice.for_many(on_cluster=dask is not None)
        options = grade_all.BatchOptions(
            folder, jobs, dask, measuring, out, resume, seed, html, overwrite, as_json
        )
        return grade_all.grade_all(options)
    say = Words(surroundings().settings.language)
    if question is None:
        return _list(as_json=as_json)
    entry, exercise = _find_exercise(question)
    wanted = _choose_language(entry.id, exercise, written_in, file)
    shown_in = wanted or surroundings().settings.code_language
    if isinstance(exercise, questions.Spot):
        _check_spot(entry.id, file, html, choice)
        spot = spots.draw_spot(languages.put_in(exercise, shown_in), entry.id, review).question
        return _grade_spot(spot, entry.id, line, fault, say, as_json=as_json)
    if line is not None or fault is not None:
        raise UsageError(fact("grade.line-of-code", id=entry.id))
    if file is None:
        return _print_exercise(entry.id, exercise, shown_in, html, say)
    check_free(html, overwrite=overwrite)
    trust.check_may_run(entry.id, entry.file, exercise, surroundings().paths)
    extras.check_installed(entry.id, exercise)
    output = GradeOptions(wanted, as_json, html, search)
    with _grader(entry.id, exercise, choice, say, output) as grade:
        return _grade_each(grade, file, say) if watch else grade(submissions.read_submission(file))


def _grade_each(grade: Grade, file: Path, say: Words) -> int:
    """Grade a file each time it is saved; return the last status.

    Raises UsageError: it is standard input.
    """
    if str(file) == submissions.STANDARD_INPUT:
        raise UsageError(fact("grade.watch-input"))
    note(say("grade.watching", file=file))
    status = OK
    for source in submissions.watch_submission(file):
        note(f"── {time.strftime('%H:%M:%S')} ──")
        status = grade(source)
        sys.stdout.flush()
    return status


def _grade_for_others(
    making: grade_gradescope.AutograderOptions,
    socket: Path | None,
    jobs: int | None,
    choice: GpuChoice,
) -> int:
    """Grade for another program, over a socket, or for Gradescope."""
    if socket is not None:
        return grade_serve.serve(socket, jobs, choice.for_many(on_cluster=False), making.seed)
    return grade_gradescope.run(making)


def _choose_language(
    entry_id: str,
    exercise: Index | Kernel | Spot,
    written_in: CodeLanguage | None,
    file: Path | None,
) -> CodeLanguage | None:
    """Choose the language by the option, or by the end of the file's name; None if neither says.

    Raises UsageError: the exercise is not put in it, or the file's name says that it is no code.
    """
    known = languages.languages_of(exercise)
    by_name = {ending: name for name, ending in languages.ENDINGS.items()}
    ending = "" if file is None else file.suffix.lower()
    if ending and not written_in and ending not in by_name:
        raise UsageError(fact("grade.ending", file=str(file), known=tuple(by_name)))
    chosen = written_in or by_name.get(ending)
    if known and chosen is not None and chosen not in known:
        raise UsageError(fact("grade.no-language", id=entry_id, language=chosen, known=known))
    return chosen


def _check_spot(entry_id: str, file: Path | None, html: Path | None, choice: GpuChoice) -> None:
    """Check that nothing is given that is for submitted code. Raises UsageError: something is."""
    if file is not None:
        raise UsageError(fact("grade.spot-file", id=entry_id))
    if choice.is_needed:
        raise UsageError(fact("grade.spot-gpu", id=entry_id))
    if html is not None:
        raise UsageError(fact("grade.spot-html", id=entry_id))


def _list(*, as_json: bool) -> int:
    """Print all exercises, by kind and topic, the easiest first."""
    entries = [e for e in read_deck(surroundings()).entries.values() if e.kind in KINDS]
    entries.sort(key=lambda e: (KINDS.index(e.kind), e.topic, e.difficulty, e.id))
    if as_json:
        rows = [{name: getattr(entry, name) for name in _FACTS} for entry in entries]
        print_json({"exercises": rows})
    else:
        say = Words(person_language())
        print_lines(
            table(
                [
                    [e.id, say(f"kind.{e.kind}"), say.topic(e.topic_names), str(e.difficulty)]
                    for e in entries
                ]
            )
        )
    return OK


def _find_exercise(name: str) -> tuple[Entry, Index | Kernel | Spot]:
    """Find the exercise of that name.

    Raises UsageError: there is no such question, or it is of another kind.
    """
    deck = read_deck(surroundings())
    entry = deck.find(name)
    question = deck.question(entry.id)
    if not isinstance(question, questions.Index | questions.Kernel | questions.Spot):
        raise UsageError(
            fact(
                "grade.no-exercise",
                id=entry.id,
                kind=Fact(f"kind.{entry.kind}"),
                kinds=tuple(Fact(f"kind.{kind}") for kind in KINDS),
            )
        )
    return entry, question


def _print_exercise(
    entry_id: str, exercise: Index | Kernel, language: CodeLanguage, html: Path | None, say: Words
) -> int:
    """Print what the exercise asks, and what a submission starts from, of a kernel in a language.

    Raises UsageError: a page of a verdict is wanted.
    """
    if html is not None:
        raise UsageError(fact("grade.html-of-submission", id=entry_id))
    shown = languages.put_in(exercise, language)
    print(*_render(questions.prose(shown.prompt, say.language)), sep="\n")
    print(f"\n{shown.starter or ''}", end="")
    known, own = languages.languages_of(exercise), languages.language_of(shown)
    file = f"FILE{languages.ENDINGS[own]}" if known else "FILE"
    note(say("grade.write", id=entry_id, file=file))
    for other in known:
        if other != own:
            ending, spoken = languages.ENDINGS[other], say(f"code.{other}")
            note(
                say("grade.other-language", id=entry_id, language=other, ending=ending, name=spoken)
            )
    return OK


@contextmanager
def _grader(
    entry_id: str, exercise: Index | Kernel, choice: GpuChoice, say: Words, output: GradeOptions
) -> Iterator[Grade]:
    """Make what grades submissions of this exercise.

    Raises UsageError: an option is not for this kind of exercise.
    """
    if isinstance(exercise, questions.Index):
        if choice.is_needed:
            raise UsageError(fact("grade.layout-gpu", id=entry_id))
        yield partial(_grade_layout, entry_id, exercise, say, output)
        return
    if output.search:
        raise UsageError(fact("grade.kernel-search", id=entry_id))
    if choice.is_needed and exercise.gpu is None:
        raise UsageError(fact("grade.no-gpu-part", id=entry_id))
    settings = choice.settings()
    with closing(examiners.Examiner(lambda: settings)) as examiner:
        kernel = partial(_grade_kernel, entry_id, exercise, examiner, say)
        yield partial(kernel, choice=choice, output=output)


def _grade_layout(
    entry_id: str, exercise: Index, say: Words, output: GradeOptions, source: str
) -> int:
    checked = layouts.check(exercise, source)
    if output.html is not None:
        written = pages.layout_page(entry_id, checked, say, _render, search=output.search)
        write_file(output.html, written, say)
    if output.as_json:
        print_json(report.layout_as_plain(entry_id, checked, say.language, search=output.search))
    else:
        print_lines(report.layout_lines(checked, say, room(), _render, search=output.search))
    return OK if checked.passed else FINDINGS


def _grade_kernel(
    entry_id: str,
    exercise: Kernel,
    examiner: Examiner,
    say: Words,
    source: str,
    *,
    choice: GpuChoice,
    output: GradeOptions,
) -> int:
    exercise = languages.put_in(exercise, output.language or questions.code_language(source))
    checked = examiner.check(exercise, source)
    with show_progress(after=0) as show:
        if checked.passed and examiner.measures(exercise):
            show(say("grade.on-gpu"))
        checked = examiner.measure(checked)
    if choice.wanted is False and checked.gpu is not None:
        checked = replace(checked, gpu=NotMeasured("declined", fact("grade.declined")))
    if output.html is not None:
        write_file(output.html, pages.kernel_page(entry_id, checked, say, _render), say)
    if output.as_json:
        print_json(report.kernel_as_plain(entry_id, checked, say.language))
    else:
        print_lines(report.kernel_lines(checked, say, room(), _render))
    if not checked.passed:
        return FINDINGS
    return ENVIRONMENT if choice.is_needed and checked.measured is None else OK


def _grade_spot(
    spot: Spot, entry_id: str, line: int | None, fault: str | None, say: Words, *, as_json: bool
) -> int:
    """Print the question, or the verdict on the line and the kind that were named.

    Raises UsageError: a line without a kind, or one of them does not exist.
    """
    if line is None and fault is None:
        print_lines(report.spot_question_lines(spot, say, _render))
        note(say.fact(fact("grade.name-fault", id=entry_id, kinds=tuple(spot.kinds))))
        return OK
    if line is None or fault is None:
        raise UsageError(fact("grade.line-and-fault"))
    if problem := _find_unknown(spot, line, fault):
        raise UsageError(problem)
    with closing(examiners.Examiner()) as examiner:
        answer = examiner.find_bug(spot)
    if as_json:
        print_json(report.spot_as_plain(entry_id, answer, (line, fault)))
    else:
        print_lines(report.spot_lines(spot, answer, (line, fault), say))
    return OK if answer.score(line, fault) else FINDINGS


def _find_unknown(spot: Spot, line: int, fault: str) -> Fact | None:
    """Say what is wrong with a line or a kind that the question does not have."""
    last = spot.code.rstrip("\n").count("\n") + 1
    if not 1 <= line <= last:
        return fact("grade.no-line", line=line, last=last)
    if fault not in spot.kinds:
        return fact("grade.no-fault", fault=fault, kinds=tuple(spot.kinds))
    return None


def _render(text: str) -> list[str]:
    return markdown.plain(text, room())
