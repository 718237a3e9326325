"""`quiz stats`: the statistics as text or JSON."""

from __future__ import annotations

from quizapp.commands.common.help import json_option, subcommand
from quizapp.commands.common.output import print_json, print_lines
from quizapp.commands.common.surroundings import open_progress
from quizapp.report import progress
from quizapp.report.words import Words
from quizapp.study import statistics
from quizapp.system.language import person_language


@subcommand("quiz stats", "quiz stats --json")
@json_option
def command(*, as_json: bool) -> None:
    """Print the statistics."""
    with open_progress("stats", only_reading=True) as study:
        facts = statistics.statistics(study)
    if as_json:
        print_json(progress.statistics_as_plain(facts))
    else:
        print_lines(progress.statistics_lines(facts, Words(person_language())))
