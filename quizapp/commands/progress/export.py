"""`quiz export`: writes events as lines, answers as a table, or a package for Anki."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from grader.facts import fact
from quizapp.commands.common.help import json_option, subcommand
from quizapp.commands.common.output import PATIENCE_SECONDS, note, print_json, show_progress
from quizapp.commands.common.surroundings import open_progress
from quizapp.commands.common.written_files import OutputFile, check_free, overwrite_option
from quizapp.domain.errors import UsageError
from quizapp.report.content import anki_notes
from quizapp.report.words import Words
from quizapp.study import overview
from quizapp.study.transfer import anki, exchange
from quizapp.system import logs
from quizapp.system.language import person_language

if TYPE_CHECKING:
    from quizapp.study.service import Study

    Unit = Literal["events", "answers", "questions"]
    Write = Callable[[Study, Path, exchange.Progress], int]

_COUNTS = {"events": "count.events", "answers": "count.answers", "questions": "count.questions"}


@subcommand("quiz export progress.jsonl", "quiz export answers.csv --csv", "quiz export quiz.apkg")
@click.argument("file", type=OutputFile())
@click.option("--csv", "as_csv", is_flag=True)
@overwrite_option
@json_option
def command(file: Path, *, as_csv: bool, overwrite: bool, as_json: bool) -> None:
    """Write the file and print its path."""
    check_free(file, overwrite=overwrite)
    say = Words(person_language())
    unit, write = _choose(file, as_csv=as_csv)
    with (
        open_progress("export", only_reading=True) as study,
        exchange.new_file(file.absolute()) as beside,
        show_progress(after=PATIENCE_SECONDS) as show,
    ):

        def progress(done: int) -> None:
            show(say("export.progress", what=say(_COUNTS[unit], n=done)))

        count = write(study, beside, progress)
        aside = len(study.store.set_aside()) if unit == "events" else 0
    logs.record("export", count=count)
    if as_json:
        left_out = {"left_out": aside} if unit == "events" else {}
        size = file.stat().st_size
        print_json({"path": str(file.absolute()), unit: count, **left_out, "bytes": size})
        return
    if aside:
        note(say("export.left-out", n=aside))
    note(say("export.made", what=say(_COUNTS[unit], n=count)))
    print(file.absolute())


def _choose(file: Path, *, as_csv: bool) -> tuple[Unit, Write]:
    """Choose what is written, by the file's ending.

    Raises UsageError: nothing is known by this ending.
    """
    forms: dict[str, tuple[Unit, Write]] = {
        ".jsonl": ("events", _write_log),
        ".csv": ("answers", _write_answers),
        ".apkg": ("questions", _write_package),
    }
    ending = ".csv" if as_csv else file.suffix.lower()
    if ending not in forms:
        what = fact("file.ending", file=str(file), endings=tuple(forms))
        raise UsageError(what, fact("export.endings"))
    return forms[ending]


def _write_log(study: Study, beside: Path, progress: exchange.Progress) -> int:
    with beside.open("wb") as file:
        return exchange.write_log(study.store, file, progress)


def _write_answers(study: Study, beside: Path, progress: exchange.Progress) -> int:
    with beside.open("w", encoding="utf-8", newline="") as file:
        return exchange.write_answers(study.store, overview.next_days(study), file, progress)


def _write_package(study: Study, beside: Path, progress: exchange.Progress) -> int:
    write = partial(anki_notes.write_note, say=Words(study.settings.language))
    return anki.export_package(study, beside, write, progress)
