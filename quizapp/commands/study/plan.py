"""`quiz plan`: sets, shows or drops the plan toward a day."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from grader.facts import fact
from quizapp.commands.common.help import json_option, subcommand
from quizapp.commands.common.output import announce_wait, note, print_json, print_lines
from quizapp.commands.common.parameters import Integer
from quizapp.commands.common.surroundings import open_progress
from quizapp.domain.errors import UsageError
from quizapp.report.lines import sentence
from quizapp.report.studying import study_plan
from quizapp.report.words import Words
from quizapp.study import planning
from quizapp.system import logs
from quizapp.system.language import person_language

if TYPE_CHECKING:
    from quizapp.domain.goal import Goal
    from quizapp.study.service import Study


@subcommand(
    "quiz plan --date 2027-02-01 --minutes 30",
    "quiz plan --date 2027-02-01 --topics banks,swizzling",
    "quiz plan",
    "quiz plan --left-out",
    "quiz plan --drop",
)
@click.option("--date", "when", metavar="DATE")
@click.option("--topics", metavar="TOPICS")
@click.option("--minutes", type=Integer(min=1), metavar="N")
@click.option("--left-out", "lists", is_flag=True)
@click.option("--drop", is_flag=True)
@json_option
def command(
    when: str | None,
    topics: str | None,
    minutes: int | None,
    *,
    lists: bool,
    drop: bool,
    as_json: bool,
) -> None:
    """Set, show or drop the plan."""
    say = Words(person_language())
    changes = when is not None or topics is not None or minutes is not None
    if drop and (changes or lists):
        raise UsageError(fact("goal.drop-alone"))
    with open_progress("plan", only_reading=not (drop or changes)) as study:
        if drop:
            dropped = study.progress.goal
            if dropped is None:
                note(study_plan.no_plan_text(study.progress.planned.ended, study.day, say))
            else:
                study.plan.drop()
                logs.record("plan", dropped=True)
                note(say("goal.dropped-here", options=study_plan.options_text(dropped)))
            return
        if changes:
            named = None if topics is None else filter(None, map(str.strip, topics.split(",")))
            with announce_wait(say("goal.computing")):
                chosen = planning.choose(study, when, named, minutes)
            _set(study, chosen, say, quiet=as_json)
            if topics is None and chosen.topics and not as_json:
                note(say("goal.keeps-topics"))
        if lists and not as_json and study.progress.goal is not None:
            planning.find_fitting(study)
            print_lines(study_plan.left_out_lines(planning.left_out(study), say))
            return
        with announce_wait(say("goal.computing")):
            found = planning.describe(study)
    if as_json:
        print_json(study_plan.plan_as_plain(found), 2)
    elif found is None:
        note(study_plan.no_plan_text(study.progress.planned.ended, study.day, say))
    else:
        print_lines(study_plan.topic_lines(found, say))  # long: what matters most stands last
        print_lines([sentence("")])
        print_lines(study_plan.summary_lines(found, say))


def _set(study: Study, chosen: Goal, say: Words, *, quiet: bool) -> None:
    study.plan.set(chosen)
    logs.record("plan", minutes=chosen.minutes)
    if not quiet:
        note(study_plan.set_text(chosen, study.deck.topic_names, say))
