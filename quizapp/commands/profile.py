"""`quiz profile`: runs a Numba CUDA script without a GPU, and explains its launches by line."""

from __future__ import annotations

from pathlib import Path

import click

from grader.facts import fact
from grader.profiles import LaunchRecord, LaunchReport, make_report
from quizapp.commands.common.help import json_option, subcommand
from quizapp.commands.common.output import (
    note,
    print_json,
    print_json_rows,
    print_lines,
    room,
)
from quizapp.commands.common.parameters import Integer
from quizapp.domain.errors import FINDINGS, INTERRUPTED, OK, SCRIPT, UsageError
from quizapp.report import refusals
from quizapp.report.profile import plain, text
from quizapp.report.words import Words
from quizapp.study import profiling
from quizapp.study.profiling import ScriptRun
from quizapp.system.language import person_language


@subcommand(
    "quiz profile transpose.py",
    "quiz profile reduce.py -- --size 4096",
    "quiz profile transpose.py --kernel transpose --line 19",
    "quiz profile search.py --budget 1000000000 --json",
)
@click.argument("script", type=click.Path(path_type=Path))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[-- ARGS...]")
@click.option("--budget", type=Integer(min=1), metavar="N")
@click.option("--kernel", default="", metavar="NAME")
@click.option("--launch", type=Integer(min=1), metavar="N")
@click.option("--line", type=Integer(min=1), metavar="N")
@click.option("--width", type=Integer(min=40), metavar="N")
@json_option
@click.option("--json-lines", is_flag=True)
def command(
    script: Path,
    arguments: tuple[str, ...],
    *,
    budget: int | None,
    kernel: str,
    launch: int | None,
    line: int | None,
    width: int | None,
    as_json: bool,
    json_lines: bool,
) -> int:
    """Run a script on the emulator and show its launches."""
    _check_script(script)
    say = Words(person_language())
    is_data = as_json or json_lines
    prepare = refusals.preparation(say.language)
    run = profiling.run_script(script, arguments, budget, quiet=is_data, prepare=prepare)
    _check_selection(run.launches, kernel, launch)
    report = make_report(run.launches, run.refused, kernel=kernel, number=launch)
    if json_lines:
        print_json_rows(plain.report_as_rows(report), plain.FORMAT)
    elif as_json:
        print_json(plain.report_as_plain(report), plain.FORMAT)
    else:
        print_lines(text.report_lines(report, script, width or room(), say, line=line), width)
        if not run.launches and run.status == OK:
            note(say("profile.no-launch"))
    if budget is not None and not all(launch.finished for launch in run.launches):
        note(say("profile.budget", n=budget))
    return _status(run, report, script, say)


def _check_script(script: Path) -> None:
    """Check that the script can be read, before anything starts.

    Raises:
        UsageError: it is not there, or a folder.
        OSError: it cannot be read.
    """
    if not script.exists():
        raise UsageError(fact("file.missing", file=str(script)), fact("profile.name-script"))
    if script.is_dir():
        raise UsageError(fact("file.folder", file=str(script)), fact("profile.name-script"))
    with script.open("rb"):
        pass


def _check_selection(launches: tuple[LaunchRecord, ...], kernel: str, number: int | None) -> None:
    """Check that there is what is to be shown.

    Raises:
        UsageError: no kernel of that name was launched, or there are fewer launches.
    """
    if not launches:
        return
    names = tuple(dict.fromkeys(launch.kernel for launch in launches))
    if kernel and kernel not in {*names, *(launch.qualname for launch in launches)}:
        raise UsageError(
            fact("profile.no-kernel", name=kernel), fact("profile.kernels", names=names)
        )
    if number is not None and number > len(launches):
        raise UsageError(fact("profile.no-launch-number", number=number, n=len(launches)))


def _status(run: ScriptRun, report: LaunchReport, script: Path, say: Words) -> int:
    """Say how the script ended, and return the exit status."""
    if run.was_interrupted:
        cut = bool(run.launches) and not run.launches[-1].finished
        note(say("profile.interrupted-launch") if cut else say("profile.interrupted"))
        return INTERRUPTED
    if run.status < 0:
        note(say("profile.signal", script=script, signal=-run.status))
        return SCRIPT
    if run.status != OK:
        note(say("profile.failed", script=script, status=run.status))
        return SCRIPT
    return FINDINGS if report.verdict.faulty else OK
