"""`quiz sync`: exchanges events with other machines through files in a shared folder."""

from __future__ import annotations

from pathlib import Path

import click

from grader.facts import fact
from quizapp.commands.common.confirmation import confirm
from quizapp.commands.common.help import json_option, subcommand, yes_option
from quizapp.commands.common.output import count_progress, note, print_json
from quizapp.commands.common.surroundings import open_progress, surroundings
from quizapp.report.studying import exchanged
from quizapp.report.words import Words
from quizapp.study.transfer import sync, sync_damage
from quizapp.system import logs
from quizapp.system.language import person_language


@subcommand("quiz sync ~/Sync/quiz", "quiz sync ~/Sync/quiz --yes --json")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--revive", is_flag=True)
@yes_option
@json_option
def command(folder: Path, *, revive: bool, yes: bool, as_json: bool) -> None:
    """Read the other machines' files, and append to the own one."""
    say = Words(person_language())
    where = surroundings()
    with open_progress("sync", where) as study:
        now_ms = study.clock.now().utc_ms
        with count_progress(say, "sync.reading", "count.events") as progress:
            plan = sync.plan_sync(study.store, folder.absolute(), now_ms, progress, revive=revive)
        for line in exchanged.sync_sentences(plan, say):
            note(line)
        if (plan.is_first or plan.forgotten) and not yes:
            confirm(fact("sync.question"))
        done = sync.carry_out(study.store, plan, study.clock.now().utc_ms)
    logs.record("sync", taken=done.taken, written=done.written, forgotten=plan.forgotten)
    if as_json:
        print_json(exchanged.sync_as_plain(plan, done))
        return
    damaged = sync_damage.note_new(plan, where.paths)
    for line in exchanged.synced_sentences(plan, done, damaged, say):
        note(line)
    if done.backup is not None:
        print(done.backup)
