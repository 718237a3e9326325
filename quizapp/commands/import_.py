"""`quiz import`: takes in what the log does not hold of a file, after saying what that is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.facts import fact
from quizapp.commands.common.confirmation import confirm
from quizapp.commands.common.help import json_option, subcommand, yes_option
from quizapp.commands.common.output import PATIENCE_SECONDS, note, print_json, show_progress
from quizapp.commands.common.surroundings import open_progress, surroundings
from quizapp.domain.errors import UsageError
from quizapp.report import exchanged
from quizapp.report.words import Words
from quizapp.study import anki, anki_package, exchange
from quizapp.system import logs
from quizapp.system.language import person_language

if TYPE_CHECKING:
    from quizapp.study.anki import PackagePlan
    from quizapp.study.exchange import ImportPlan
    from quizapp.study.service import Study


@subcommand(
    "quiz import progress.jsonl",
    "quiz import progress.jsonl --yes --json",
    "quiz import quiz.apkg",
)
@click.argument("file", type=click.Path(path_type=Path))
@yes_option
@json_option
def command(file: Path, *, yes: bool, as_json: bool) -> None:
    """Say what the file holds, ask, and import it in one step."""
    if not file.is_file():
        raise UsageError(fact("file.missing", file=str(file)), fact("import.which"))
    say = Words(person_language())
    if anki_package.is_package(file):
        _import_package(file, say, yes=yes, as_json=as_json)
        return
    with open_progress("import") as study:
        plan = _plan(study, file, say)
        for line in exchanged.import_sentences(plan, file.name, say):
            note(line)
        if plan.new and not yes:
            confirm(fact("import.question"))
        imported = _carry_out(study, file, say) if plan.new else 0
    logs.record("import", events=imported)
    if as_json:
        print_json({"file": str(file), **exchanged.import_as_plain(plan), "imported": imported})
    elif imported:
        note(say("import.done", events=say("count.events", n=imported)))


def _plan(study: Study, file: Path, say: Words) -> ImportPlan:
    with show_progress(after=PATIENCE_SECONDS) as show:

        def progress(done: int) -> None:
            show(say("import.reading", events=say("count.events", n=done)))

        return exchange.plan_import(study.store, file, progress)


def _carry_out(study: Study, file: Path, say: Words) -> int:
    with show_progress(after=PATIENCE_SECONDS) as show:

        def progress(done: int) -> None:
            show(say("import.progress", events=say("count.events", n=done)))

        return exchange.import_log(study.store, file, study.clock.now().utc_ms, progress)


def _import_package(file: Path, say: Words, *, yes: bool, as_json: bool) -> None:
    where = surroundings()
    written = None
    with open_progress("import", where) as study:
        plan = _plan_package(study, file, say)
        for line in exchanged.package_sentences(plan, file.name, say):
            note(line)
        is_new = bool(plan.rows or plan.notes)
        if is_new:
            if not yes:
                confirm(fact("import.question"))
            written = anki.import_package(study, where.paths, plan, file.name)
    logs.record("import", events=len(plan.rows), questions=len(plan.notes))
    if as_json:
        counts = {**anki.counts(plan), "imported": len(plan.rows)}
        print_json({"file": str(file), **counts, "written": str(written) if written else None})
        return
    if plan.rows:
        note(say("import.done", events=say("count.events", n=len(plan.rows))))
    if written is not None:
        note(say("import.written"))
        print(written)


def _plan_package(study: Study, file: Path, say: Words) -> PackagePlan:
    with show_progress(after=PATIENCE_SECONDS) as show:

        def progress(done: int) -> None:
            show(say("import.notes", notes=say("count.notes", n=done)))

        return anki.plan_package(study, file, progress)
