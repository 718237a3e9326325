"""`quiz profile`: a Numba CUDA script run without a GPU, and its launches explained by line."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from quizapp.commands._output import note
from quizapp.commands._shared import json_option, subcommand
from quizapp.errors import FINDINGS, INTERRUPTED, OK, SCRIPT, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from quizapp.commands._profile_output import Plain

PATIENCE = 1.0
"""Seconds that a script gets after Ctrl-C, which reaches it too."""
STANDARD_ERROR = 2


@subcommand(
    "Explain a Numba CUDA script's kernels by line, without a GPU.",
    "quiz profile transpose.py",
    "quiz profile reduce.py -- --size 4096",
    "quiz profile search.py --budget 1000000000 --json",
)
@click.argument("script", type=click.Path(path_type=Path))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[-- ARGS...]")
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    metavar="N",
    help="Operations of a launch before it is ended; no end if not given.",
)
@json_option
def command(script: Path, arguments: tuple[str, ...], *, budget: int | None, as_json: bool) -> int:
    """SCRIPT runs as `python SCRIPT ARGS` would, unmodified, with numba.cuda from the emulator.

    Each launch is shown with its source lines: requests to shared memory, the wavefronts they take
    and would ideally take, sectors of global memory, active threads; then races, uninitialised
    reads, divergent barriers, accesses out of bounds and whatever else is wrong.

    Status 1 if a launch has a finding other than a warning, 5 if the script failed.
    """
    if not script.exists():
        raise UsageError(f"there is no file {script}", "name the script that launches kernels")
    if script.is_dir():
        raise UsageError(f"{script} is a folder", "name the script that launches kernels")
    with script.open("rb"):
        pass  # what cannot be read is told before anything starts
    launches, status = _run(script, arguments, budget, quiet=as_json)
    if status in (INTERRUPTED, -signal.SIGINT):
        return INTERRUPTED
    _show(launches, script, as_json=as_json)
    if status != OK:
        note(f"quiz: {script} failed: {_how(status)}")
        return SCRIPT
    if not launches and not as_json:
        note("No kernel was launched.")
    faults = any(one["kind"] != "warning" for each in launches for one in each["findings"])
    return FINDINGS if faults else OK


def _show(launches: list[Plain], script: Path, *, as_json: bool) -> None:
    from quizapp.commands import _profile_output  # noqa: PLC0415 - 100 ms: NumPy

    if as_json:
        _profile_output.print_as_json(launches)
    else:
        _profile_output.print_launches(launches, script)


def _run(
    script: Path, arguments: Sequence[str], budget: int | None, *, quiet: bool
) -> tuple[list[Plain], int]:
    """Run the script to its end: its launches, and its exit status."""
    from grader.simt.host.runner import command  # noqa: PLC0415 - 100 ms: NumPy

    with TemporaryDirectory(prefix="quiz-") as folder:
        report = Path(folder) / "launches.json"
        line = command(script, arguments, report, budget)
        sys.stdout.flush()
        with subprocess.Popen(line, stdout=STANDARD_ERROR if quiet else None) as child:  # noqa: S603
            try:
                status = child.wait()
            except KeyboardInterrupt:
                _end(child)
                raise
        if not report.exists():
            return [], status or SCRIPT
        return json.loads(report.read_text(encoding="utf-8")), status


def _end(child: subprocess.Popen[bytes]) -> None:
    """See that the script is gone."""
    try:
        child.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _how(status: int) -> str:
    return f"ended by signal {-status}" if status < 0 else f"status {status}"
