"""`quiz sync`: exchanges events with other machines through files in a shared folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.facts import fact
from quizapp.commands.common.confirmation import confirm
from quizapp.commands.common.help import json_option, subcommand, yes_option
from quizapp.commands.common.output import PATIENCE_SECONDS, note, print_json, show_progress
from quizapp.commands.common.surroundings import open_progress, surroundings
from quizapp.report.studying import exchanged
from quizapp.report.words import Words
from quizapp.study.transfer import sync, sync_damage
from quizapp.system import logs
from quizapp.system.language import person_language

if TYPE_CHECKING:
    from quizapp.study.service import Study
    from quizapp.study.transfer.sync import SyncPlan


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
        plan = _plan(study, folder.absolute(), say, revive=revive)
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


def _plan(study: Study, folder: Path, say: Words, *, revive: bool) -> SyncPlan:
    with show_progress(after=PATIENCE_SECONDS) as show:

        def progress(done: int) -> None:
            show(say("sync.reading", events=say("count.events", n=done)))

        return sync.plan_sync(
            study.store, folder, study.clock.now().utc_ms, progress, revive=revive
        )
