"""`quiz profile`: runs a Numba CUDA script without a GPU, and explains its launches by line."""

from __future__ import annotations

from pathlib import Path

import click

from grader.facts import fact
from quizapp.commands.common.help import json_option, subcommand
from quizapp.commands.common.output import note, print_json, print_lines, room
from quizapp.commands.common.parameters import Integer
from quizapp.domain.errors import FINDINGS, INTERRUPTED, OK, SCRIPT, UsageError
from quizapp.report import launches as report
from quizapp.report import refusals
from quizapp.report.words import Words
from quizapp.study import profiling
from quizapp.system.language import person_language


@subcommand(
    "quiz profile transpose.py",
    "quiz profile reduce.py -- --size 4096",
    "quiz profile search.py --budget 1000000000 --json",
)
@click.argument("script", type=click.Path(path_type=Path))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[-- ARGS...]")
@click.option("--budget", type=Integer(min=1), metavar="N")
@json_option
def command(script: Path, arguments: tuple[str, ...], *, budget: int | None, as_json: bool) -> int:
    """Run a script on the emulator and show its launches."""
    if not script.exists():
        raise UsageError(fact("file.missing", file=str(script)), fact("profile.name-script"))
    if script.is_dir():
        raise UsageError(fact("file.folder", file=str(script)), fact("profile.name-script"))
    with script.open("rb"):
        pass  # a script that cannot be read is reported before anything starts
    say = Words(person_language())
    prepare = refusals.preparation(say.language)
    run = profiling.run_script(script, arguments, budget, quiet=as_json, prepare=prepare)
    if as_json:
        print_json(report.launches_as_plain(run.launches, run.refused))
    else:
        print_lines(report.launch_lines(run.launches, script, room(), say))
    if budget is not None and not all(launch["finished"] for launch in run.launches):
        note(say("profile.budget", n=budget))
    if run.was_interrupted:
        cut = bool(run.launches) and not run.launches[-1]["finished"]
        note(say("profile.interrupted-launch") if cut else say("profile.interrupted"))
        return INTERRUPTED
    if run.status < 0:
        note(say("profile.signal", script=script, signal=-run.status))
        return SCRIPT
    if run.status != OK:
        note(say("profile.failed", script=script, status=run.status))
        return SCRIPT
    if not run.launches and not as_json:
        note(say("profile.no-launch"))
    return FINDINGS if any(map(report.has_fault, run.launches)) else OK
