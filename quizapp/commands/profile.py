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

PATIENCE = ((0.4, signal.SIGINT), (0.6, signal.SIGKILL))
"""Seconds that a script gets after Ctrl-C, and what it is sent when they are over."""
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
    _show(launches, script, as_json=as_json)
    if status in (INTERRUPTED, -signal.SIGINT):
        broken_off = bool(launches) and not launches[-1]["finished"]
        tail = "; the last launch is shown as far as it came" if broken_off else ""
        note(f"quiz: interrupted{tail}")
        return INTERRUPTED
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
                status = INTERRUPTED
        try:
            return json.loads(report.read_text(encoding="utf-8")), status
        except (OSError, ValueError):  # it was ended before that, or in the midst of it
            return [], status or SCRIPT


def _end(child: subprocess.Popen[bytes]) -> None:
    """See that the script is gone; a terminal's Ctrl-C reaches it, another signal may not."""
    for seconds, signalled in PATIENCE:
        try:
            child.wait(seconds)
        except subprocess.TimeoutExpired:
            child.send_signal(signalled)
    child.wait()


def _how(status: int) -> str:
    return f"ended by signal {-status}" if status < 0 else f"status {status}"
