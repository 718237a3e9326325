"""`quiz place`: a few questions that show what a person knows before the first session."""

from __future__ import annotations

import sys

import click

from grader.facts import fact
from quizapp.commands.common.confirmation import require_terminal
from quizapp.commands.common.help import subcommand
from quizapp.commands.common.screens import open_screens, with_rescue
from quizapp.commands.common.surroundings import Surroundings, open_progress, surroundings
from quizapp.plain import placement
from quizapp.study import home_values
from quizapp.study.mock import interviews


@subcommand("quiz place", "quiz place --plain")
@click.option("--plain", is_flag=True)
def command(*, plain: bool) -> int:
    """Ask in the screens or line by line."""
    where = surroundings()
    if plain:
        return with_rescue(where, lambda: _place(where))
    require_terminal(fact("start.screen"), fact("place.plain-instead"))
    wish = interviews.InterviewWish(places=True)
    return with_rescue(where, lambda: open_screens(where, home_values.Filter(), wish))


def _place(where: Surroundings) -> int:
    with open_progress("place --plain", where) as study:
        return placement.run(study, sys.stdin, sys.stdout)
