"""`quiz import`: takes in what the log does not hold of a file, after saying what that is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.facts import fact
from quizapp.commands.common.confirmation import confirm
from quizapp.commands.common.help import json_option, subcommand, yes_option
from quizapp.commands.common.output import count_progress, note, print_json
from quizapp.commands.common.surroundings import open_progress, surroundings
from quizapp.domain.errors import UsageError
from quizapp.report.studying import exchanged
from quizapp.report.words import Words
from quizapp.study.transfer import anki, anki_package, exchange, withdrawing
from quizapp.system import logs
from quizapp.system.language import person_language

if TYPE_CHECKING:
    from collections.abc import Iterable

    from quizapp.store.foreign import Brought
    from quizapp.study.service import Study


@subcommand(
    "quiz import progress.jsonl",
    "quiz import progress.jsonl --yes --json",
    "quiz import quiz.apkg",
    "quiz import --undo",
)
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--undo", is_flag=True)
@click.option("--redo", is_flag=True)
@yes_option
@json_option
def command(file: Path | None, *, undo: bool, redo: bool, yes: bool, as_json: bool) -> None:
    """Say what the file holds, ask, and import it in one step; or take back an import."""
    if (file is not None) + undo + redo != 1:
        raise UsageError(fact("import.either"))
    say = Words(person_language())
    if file is None:
        _step(say, undo=undo, yes=yes, as_json=as_json)
        return
    if not file.is_file():
        raise UsageError(fact("file.missing", file=str(file)), fact("import.which"))
    if anki_package.is_package(file):
        _import_package(file, say, yes=yes, as_json=as_json)
        return
    with open_progress("import") as study:
        now_ms = study.clock.now().utc_ms
        with count_progress(say, "import.reading", "count.events") as progress:
            plan = exchange.plan_import(study.store, file, now_ms, progress)
        for line in exchanged.import_sentences(plan, file.name, say):
            note(line)
        if (plan.new or plan.returning) and not yes:
            confirm(fact("import.question"))
        imported = _carry_out(study, file, say) if plan.new else 0
        withdrawing.bring_back(study.store, plan.returning, study.clock.now().utc_ms)
    logs.record("import", events=imported)
    if as_json:
        print_json({"file": str(file), **exchanged.import_as_plain(plan), "imported": imported})
        return
    _say_returned(plan.returning, say)
    if imported:
        note(say("import.done", events=say("count.events", n=imported)))


def _say_returned(returning: Iterable[Brought], say: Words) -> None:
    for brought in returning:
        note(exchanged.stepped_sentence(brought, say, undo=False))


def _step(say: Words, *, undo: bool, yes: bool, as_json: bool) -> None:
    """Take back the latest import or sync, or bring back the one taken back last."""
    with open_progress("import") as study:
        found = [each for each in withdrawing.reversals(study.store) if each.undo == undo]
        if not found:
            nothing = fact("import.nothing-to-undo") if undo else fact("import.nothing-to-redo")
            raise UsageError(nothing)
        brought = found[0].brought
        note(exchanged.step_sentence(brought, say, undo=undo))
        if not yes:
            confirm(fact("import.undo.question") if undo else fact("import.redo.question"))
        withdrawing.reverse(study.store, found[0], study.clock.now().utc_ms)
    logs.record("import", undone=undo, events=brought.events)
    if as_json:
        counts = {"answers": brought.answers, "events": brought.events, "withdrawn": undo}
        print_json({"origin": brought.origin, **counts})
        return
    note(exchanged.stepped_sentence(brought, say, undo=undo))


def _carry_out(study: Study, file: Path, say: Words) -> int:
    with count_progress(say, "import.progress", "count.events") as progress:
        return exchange.import_log(study.store, file, study.clock.now().utc_ms, progress)


def _import_package(file: Path, say: Words, *, yes: bool, as_json: bool) -> None:
    where = surroundings()
    written = None
    with open_progress("import", where) as study:
        with count_progress(say, "import.notes", "count.notes") as progress:
            plan = anki.plan_package(study, file, progress)
        for line in exchanged.package_sentences(plan, file.name, say):
            note(line)
        is_new = bool(plan.rows or plan.notes or plan.returning)
        if is_new:
            if not yes:
                confirm(fact("import.question"))
            written = anki.import_package(study, where.paths, plan, file.name)
    logs.record("import", events=len(plan.rows), questions=len(plan.notes))
    if as_json:
        counts = {**anki.counts(plan), "imported": len(plan.rows)}
        print_json({"file": str(file), **counts, "written": str(written) if written else None})
        return
    _say_returned(plan.returning, say)
    if plan.rows:
        note(say("import.done", events=say("count.events", n=len(plan.rows))))
    if written is not None:
        note(say("import.written"))
        print(written)
