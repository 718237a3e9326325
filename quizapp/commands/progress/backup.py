"""`quiz backup`: copies the progress into one checked file."""

from __future__ import annotations

import os
from pathlib import Path

import click

from grader.facts import fact
from quizapp.commands.common.help import json_option, subcommand
from quizapp.commands.common.output import note, print_json
from quizapp.commands.common.surroundings import surroundings
from quizapp.commands.common.written_files import OutputFile
from quizapp.domain.errors import UsageError
from quizapp.report.words import Words
from quizapp.store.safety import backup, recovery
from quizapp.system import logs
from quizapp.system.language import person_language


@subcommand("quiz backup", "quiz backup progress-copy.db")
@click.argument("file", required=False, type=OutputFile())
@json_option
def command(file: Path | None, *, as_json: bool) -> None:
    """Make a backup and print its path."""
    paths = surroundings().paths
    if file is not None and os.path.lexists(file):
        raise UsageError(fact("backup.exists", file=str(file)))
    copy = recovery.back_up(paths.database, None if file is None else file.absolute())
    logs.set_up(paths.log)
    logs.record("backup")
    size, events = copy.stat().st_size, backup.content(copy).events
    if as_json:
        print_json({"path": str(copy), "bytes": size, "events": events})
    else:
        say = Words(person_language())
        note(say("backup.made", events=say("count.events", n=events), size=size / 1e6))
        print(copy)
