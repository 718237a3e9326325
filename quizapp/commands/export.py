"""`quiz export`: writes all events as lines, or the answers as a table, into a new file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.facts import Fact, fact
from quizapp.commands.common.help import json_option, subcommand
from quizapp.commands.common.output import PATIENCE_SECONDS, note, print_json, show_progress
from quizapp.commands.common.surroundings import open_progress
from quizapp.domain.errors import UsageError
from quizapp.report.words import Words
from quizapp.study import exchange
from quizapp.system import logs
from quizapp.system.language import person_language

if TYPE_CHECKING:
    from quizapp.study.service import Study


@subcommand(
    "quiz export progress.jsonl",
    "quiz export answers.csv --csv",
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--csv", "as_csv", is_flag=True)
@json_option
def command(file: Path, *, as_csv: bool, as_json: bool) -> None:
    """Write the file and print its path."""
    if file.exists():
        raise UsageError(fact("backup.exists", file=str(file)))
    say = Words(person_language())
    as_csv = as_csv or file.suffix.lower() == ".csv"
    with open_progress("export", only_reading=True) as study:
        count = _write(study, file.absolute(), say, as_csv=as_csv)
    logs.record("export", count=count)
    if as_json:
        unit = "answers" if as_csv else "events"
        print_json({"path": str(file.absolute()), unit: count, "bytes": file.stat().st_size})
        return
    note(say("export.made", what=say.fact(_count(count, as_csv=as_csv))))
    print(file.absolute())


def _write(study: Study, file: Path, say: Words, *, as_csv: bool) -> int:
    with show_progress(after=PATIENCE_SECONDS) as show, exchange.new_file(file) as beside:

        def progress(done: int) -> None:
            show(say("export.progress", what=say.fact(_count(done, as_csv=as_csv))))

        if as_csv:
            with beside.open("w", encoding="utf-8", newline="") as table:
                return exchange.write_answers(study.store, table, progress)
        with beside.open("wb") as lines:
            return exchange.write_log(study.store, lines, progress)


def _count(n: int, *, as_csv: bool) -> Fact:
    return fact("count.answers", n=n) if as_csv else fact("count.events", n=n)
