"""`quiz restore`: puts a backup in the place of the database, or lists the backups there are."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from grader.facts import fact
from quizapp.commands.common.confirmation import confirm
from quizapp.commands.common.help import json_option, subcommand, yes_option
from quizapp.commands.common.output import note, print_json, print_table
from quizapp.commands.common.replaced_database import print_replaced
from quizapp.commands.common.surroundings import surroundings
from quizapp.domain.errors import UsageError
from quizapp.report.words import Words
from quizapp.store.safety import backup, recovery
from quizapp.system import logs
from quizapp.system.language import person_language

if TYPE_CHECKING:
    from quizapp.store.safety.backup import BackupCopy


@subcommand(
    "quiz restore",
    "quiz restore ~/.local/share/gpu-quiz/backups/progress-20260401-201503-daily.db",
    "quiz restore --empty",
)
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--empty", is_flag=True)
@yes_option
@json_option
def command(file: Path | None, *, empty: bool, yes: bool, as_json: bool) -> None:
    """Restore a backup, or list them."""
    if file is not None and empty:
        raise UsageError(fact("restore.either"))
    paths = surroundings().paths
    if file is None and not empty:
        _list(paths.database, as_json=as_json)
        return
    if file is not None and not file.is_file():
        raise UsageError(fact("file.missing", file=str(file)), fact("progress.file-missing.hint"))
    if not yes:
        what = fact("restore.empty-database") if file is None else str(file)
        confirm(fact("restore.question", what=what))
    events, kept = 0, None
    if file is None:
        kept = recovery.start_over(paths.database)
    else:
        done = recovery.restore(paths.database, file.absolute())
        events, kept = done.events, done.kept
    logs.set_up(paths.log)
    logs.record("restore", events=events)
    if as_json:
        facts = {"database": str(paths.database), "events": events}
        print_json(facts | {"kept": str(kept) if kept else None})
        return
    say = Words(person_language())
    note(say("restore.holds", path=paths.database, events=say("count.events", n=events)))
    if kept is not None:
        print_replaced(kept, say)


def _list(database: Path, *, as_json: bool) -> None:
    say = Words(person_language())
    found = [_as_plain(copy) for copy in reversed(backup.copies(database))]
    if as_json:
        print_json({"backups": found})
    elif found:
        print_table(
            [
                (say("restore.made"), say("restore.events"), "MB", ""),
                *(
                    (b["made"], _events(b, say), f"{b['bytes'] / 1e6:.1f}", b["path"])
                    for b in found
                ),
            ],
            right=(1, 2),
        )
        unusable = [each["path"] for each in found if each["events"] is None]
        if unusable:
            note(say("restore.salvage-instead"))
            note(f"  quiz salvage {quote(unusable[0])}")
    else:
        note(say("restore.none"))


def _as_plain(copy: BackupCopy) -> dict[str, Any]:
    """Return a backup as `--json` prints it; `events` is null where it is damaged."""
    try:
        events = backup.check_copy(copy.path).events
    except sqlite3.Error:
        events = None
    made = f"{copy.made:%Y-%m-%d %H:%M:%S}"
    return {"path": str(copy.path), "made": made, "bytes": copy.size, "events": events}


def _events(listed: dict[str, Any], say: Words) -> str:
    return say("restore.damaged") if listed["events"] is None else f"{listed['events']:,}"
