"""`quiz due`: the home screen's facts as text or JSON."""

from __future__ import annotations

from quizapp.commands.common.help import json_option, subcommand
from quizapp.commands.common.output import print_json, print_lines
from quizapp.commands.common.surroundings import open_progress
from quizapp.report.studying import progress
from quizapp.report.words import Words
from quizapp.study import overview, planning
from quizapp.system.language import person_language


@subcommand("quiz due", "quiz due --json")
@json_option
def command(*, as_json: bool) -> None:
    """Print what is due."""
    with open_progress("due", only_reading=True) as study:
        if study.progress.goal is not None:
            planning.find_fitting(study)
        home = overview.home(study)
        say = Words(person_language())
        hardest = progress.name_hardest(study.deck, home.topics, say)
        studied_days = len(study.store.answers_by_day(0, home.day))
    if as_json:
        print_json(progress.home_as_plain(home, studied_days))
    else:
        print_lines(progress.home_lines(home, say, hardest))
