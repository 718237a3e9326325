"""`quiz card`: what today taught, as text, JSON, or a picture to share."""

from __future__ import annotations

from pathlib import Path

import click

from quizapp.commands.common.help import json_option, subcommand
from quizapp.commands.common.output import print_json, print_lines
from quizapp.commands.common.surroundings import open_progress
from quizapp.commands.common.written_files import (
    OutputFile,
    check_free,
    overwrite_option,
    write_file,
)
from quizapp.report import line_picture
from quizapp.report.studying import day_card as report
from quizapp.report.words import Words
from quizapp.study import day_card as learned
from quizapp.system.language import person_language

_COLUMNS = 90
"""Of the picture."""


@subcommand("quiz card", "quiz card --svg today.svg", "quiz card --json")
@click.option("--svg", type=OutputFile(".svg", dir_okay=False), metavar="FILE")
@overwrite_option
@json_option
def command(svg: Path | None, *, overwrite: bool, as_json: bool) -> None:
    """Print what today taught, or write it as a picture."""
    check_free(svg, overwrite=overwrite)
    with open_progress("card", only_reading=True) as study:
        card, say = learned.day_card(study), Words(person_language())
    lines = list(report.lines(card, say))
    if svg is not None:
        picture = line_picture.draw(lines, say("app.title"), _COLUMNS)
        write_file(svg, picture.encode(), say)
    if as_json:
        print_json(report.as_plain(card))
    else:
        print_lines(lines)
