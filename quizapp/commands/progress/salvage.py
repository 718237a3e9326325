"""`quiz salvage`: rescues every event that can be read of a damaged database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.facts import fact
from quizapp.commands.common.confirmation import confirm
from quizapp.commands.common.help import json_option, subcommand, yes_option
from quizapp.commands.common.output import note, print_json
from quizapp.commands.common.replaced_database import print_replaced
from quizapp.commands.common.surroundings import surroundings
from quizapp.domain.errors import UsageError
from quizapp.report.words import Words
from quizapp.store.safety import recovery
from quizapp.system import logs
from quizapp.system.language import person_language

if TYPE_CHECKING:
    from quizapp.store.safety.recovery import SalvageReport


@subcommand(
    "quiz salvage",
    "quiz salvage ~/.local/share/gpu-quiz/replaced/20260401-201503/progress.db",
    "quiz salvage --yes --json",
)
@click.argument("file", required=False, type=click.Path(path_type=Path))
@yes_option
@json_option
def command(file: Path | None, *, yes: bool, as_json: bool) -> None:
    """Rescue what can be read."""
    say = Words(person_language())
    database = surroundings().paths.database
    if file is not None and not file.is_file():
        raise UsageError(fact("file.missing", file=str(file)), fact("progress.file-missing.hint"))
    own = file is None or file.resolve() == database.resolve()
    if own and recovery.is_healthy(database):
        _say_healthy(database, say, as_json=as_json)
        return
    source = database if file is None or own else file.absolute()
    events = 0 if yes else recovery.salvageable(source)
    if events:
        confirm(
            fact(
                "salvage.question",
                events=fact("count.events", n=events),
                source=str(source),
                database=str(database),
            )
        )
    done = recovery.salvage_database(database, source)
    logs.set_up(surroundings().paths.log)
    logs.record("salvage", events=len(done.rescued.events), unreadable=done.rescued.unreadable)
    _say(done, database, say, own=own, as_json=as_json)


def _say_healthy(database: Path, say: Words, *, as_json: bool) -> None:
    if as_json:
        print_json({"database": str(database), "healthy": True})
    else:
        note(say("salvage.healthy", database=database))


def _say(done: SalvageReport, database: Path, say: Words, *, own: bool, as_json: bool) -> None:
    rescued = done.rescued
    if as_json:
        print_json(
            {
                "database": str(database),
                "healthy": False,
                "events": len(rescued.events),
                "unreadable": rescued.unreadable,
                "rescheduled": rescued.rescheduled,
                "drafts": len(rescued.drafts),
                "kept": str(done.kept) if done.kept else None,
            }
        )
        return
    note(say("salvage.rescued", events=say("count.events", n=len(rescued.events))))
    if rescued.unreadable:
        note(say("salvage.unreadable", events=say("count.events", n=rescued.unreadable)))
    if rescued.rescheduled:
        note(say("salvage.rescheduled", n=rescued.rescheduled))
    if done.kept is None:
        return
    if own:
        note(say("salvage.kept"))
        print(done.kept)
    else:
        print_replaced(done.kept, say)
