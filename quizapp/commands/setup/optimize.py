"""`quiz optimize`: fits the scheduler to the person's own answers."""

from __future__ import annotations

import click

from quizapp.commands.common.help import json_option, subcommand
from quizapp.commands.common.output import announce_wait, note, print_json, print_lines
from quizapp.commands.common.surroundings import open_progress
from quizapp.report.studying import optimized
from quizapp.report.words import Words
from quizapp.study import optimizing
from quizapp.system import logs
from quizapp.system.language import person_language


@subcommand("quiz optimize", "quiz optimize --dry-run", "quiz optimize --undo")
@click.option("--dry-run", "dry", is_flag=True)
@click.option("--undo", "back", is_flag=True)
@json_option
def command(*, dry: bool, back: bool, as_json: bool) -> None:
    """Fit, compare, and adopt what predicts better."""
    say = Words(person_language())
    with open_progress("optimize", only_reading=dry) as study:
        if back:
            undone = optimizing.drop_weights(study.progress)
            fitted = bool(study.store.weights())
            taken_back = "optimize.fit-before" if fitted else "optimize.taken-back"
            note(say(taken_back if undone else "optimize.nothing"))
            return
        with announce_wait(say("optimize.fitting")):
            found = optimizing.optimize(study, dry=dry)
        logs.record("optimize", reviews=found.reviews, adopted=found.adopted)
    if as_json:
        print_json(optimized.as_plain(found))
    else:
        print_lines(optimized.lines(found, say))
