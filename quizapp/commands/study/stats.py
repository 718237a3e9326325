"""`quiz stats`: the statistics as text or JSON."""

from __future__ import annotations

from pathlib import Path

from quizapp.commands.common.help import json_option, subcommand
from quizapp.commands.common.output import print_json, print_lines
from quizapp.commands.common.parameters import html_option
from quizapp.commands.common.surroundings import open_progress
from quizapp.commands.common.written_files import check_free, overwrite_option, write_file
from quizapp.report.html.statistics import statistics_page
from quizapp.report.studying import progress
from quizapp.report.words import Words
from quizapp.study import statistics
from quizapp.system.language import person_language


@subcommand("quiz stats", "quiz stats --html statistics.html", "quiz stats --json")
@html_option
@overwrite_option
@json_option
def command(html: Path | None, *, overwrite: bool, as_json: bool) -> None:
    """Print the statistics, or write their page."""
    check_free(html, overwrite=overwrite)
    with open_progress("stats", only_reading=True) as study:
        facts, say = statistics.statistics(study), Words(person_language())
        hardest = progress.name_hardest(study.deck, facts.topics, say)
    if html is not None:
        write_file(html, statistics_page(facts, say), say)
    if as_json:
        print_json(progress.statistics_as_plain(facts))
    else:
        print_lines(progress.statistics_lines(facts, say, hardest))
