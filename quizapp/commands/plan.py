"""`quiz plan`: sets, shows or drops the plan toward a day."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import click

from grader.facts import fact
from quizapp.commands.common.help import json_option, subcommand
from quizapp.commands.common.output import announce_wait, note, print_json, print_lines
from quizapp.commands.common.parameters import Integer
from quizapp.commands.common.surroundings import open_progress
from quizapp.domain import goal
from quizapp.domain.days import from_date
from quizapp.domain.errors import UsageError
from quizapp.report import study_plan
from quizapp.report.words import Words
from quizapp.study import planning
from quizapp.system import logs
from quizapp.system.language import person_language

if TYPE_CHECKING:
    from quizapp.study.service import Study

MINUTES = 30
"""Per day, unless the person says otherwise."""

_MOST_MINUTES = 600


@subcommand(
    "quiz plan --date 2027-02-01 --minutes 30",
    "quiz plan --date 2027-02-01 --topics banks,swizzling",
    "quiz plan",
    "quiz plan --drop",
)
@click.option("--date", "when", metavar="DATE")
@click.option("--topics", metavar="TOPICS")
@click.option("--minutes", type=Integer(min=1, max=_MOST_MINUTES), metavar="N")
@click.option("--drop", is_flag=True)
@json_option
def command(
    when: str | None, topics: str | None, minutes: int | None, *, drop: bool, as_json: bool
) -> None:
    """Set, show or drop the plan."""
    say = Words(person_language())
    changes = when is not None or topics is not None or minutes is not None
    if drop and changes:
        raise UsageError(fact("goal.drop-alone"))
    with open_progress("plan", only_reading=not (drop or changes)) as study:
        if drop:
            had = study.goal is not None
            if had:
                study.drop_plan()
                logs.record("plan", dropped=True)
            note(say("goal.dropped" if had else "goal.none"))
            return
        if changes:
            study.set_plan(_choose(study, when, topics, minutes))
            logs.record("plan", minutes=study.goal.minutes if study.goal else 0)
        with announce_wait(say("goal.computing")):
            found = planning.describe(study)
    if as_json:
        print_json(study_plan.plan_as_plain(found))
    elif found is None:
        note(say("goal.none"))
    else:
        print_lines(study_plan.plan_lines(found, say))


def _choose(study: Study, when: str | None, topics: str | None, minutes: int | None) -> goal.Goal:
    """Build the plan from the options; what is not given stays as it is in the plan that holds.

    Raises:
        UsageError: the date is none, or is not ahead.
        UnknownTopic: there is no such topic.
    """
    before, today = study.goal, study.day
    day = _read_day(when) if when is not None else study.interview
    if day is None:
        raise UsageError(fact("goal.which-date"))
    if not today < day <= today + goal.LATEST_DAYS:
        raise UsageError(fact("goal.not-ahead", days=goal.LATEST_DAYS))
    chosen = before.topics if before is not None else ()
    if topics is not None:
        chosen = tuple(dict.fromkeys(name.strip() for name in topics.split(",") if name.strip()))
        for topic in chosen:
            study.deck.check_topic(topic)
    if minutes is None:
        minutes = before.minutes if before is not None else MINUTES
    return goal.Goal(today, day, minutes, chosen)


def _read_day(text: str) -> int:
    try:
        return from_date(date.fromisoformat(text))
    except ValueError:
        raise UsageError(fact("goal.not-a-date", text=text)) from None
