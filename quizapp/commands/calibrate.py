"""`quiz calibrate`: the bank model beside the clock of the GPU that is there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quizapp.commands._gpu import gpu_host_option, gpu_there, whose
from quizapp.commands._output import PATIENCE_SECONDS, note, print_json, written_over
from quizapp.commands._shared import json_option, subcommand, surroundings
from quizapp.errors import FINDINGS, OK, UsageError
from quizapp.files import replace_file

if TYPE_CHECKING:
    from grader.gpu import Calibration


@subcommand(
    "Compare the bank model with the clock of the GPU that is there.",
    "quiz calibrate",
    "quiz calibrate --gpu-host me@gpu-box --all",
    "quiz calibrate --json --output h200.json",
)
@gpu_host_option
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the file here; quiz-calibration-DEVICE.json if not given.",
)
@click.option("--all", "everything", is_flag=True, help="Show each access that agrees, too.")
@json_option
def command(*, gpu_host: str | None, output: Path | None, everything: bool, as_json: bool) -> int:
    """Accesses of warps to shared memory are timed: loads and stores, atomics, matrix forms.

    Model and clock are wavefronts. An access is open where the clock cannot tell, or the model does
    not say.

    The status is 1 where they differ. The file that is written can be sent in.
    """
    settings = surroundings().settings.gpu
    if output is not None and output.is_dir():
        raise UsageError(f"{output} is a folder", "name the file to be written")
    with gpu_there(whose(settings, gpu_host)) as there, written_over(PATIENCE_SECONDS) as show:
        found = there.gpu.calibrate(lambda what: show(f"timing {what}"))
    _show(found, everything=everything, as_json=as_json)
    _write(found, output or Path(f"quiz-calibration-{_file_name(found.facts.name)}.json"))
    return FINDINGS if found.count("differ") else OK


def _show(found: Calibration, *, everything: bool, as_json: bool) -> None:
    if as_json:
        print_json(found.plain())
        return
    from quizapp.commands import _calibration_output  # noqa: PLC0415 - 100 ms: NumPy

    _calibration_output.print_calibration(found, everything=everything)


def _write(found: Calibration, path: Path) -> None:
    from quizapp.commands import _calibration_output  # noqa: PLC0415 - 100 ms: NumPy

    replace_file(path, _calibration_output.as_file(found).encode("ascii"))
    note(f"Written: {path}")
    note("It contains nothing about you. Attach it to an issue: what agrees becomes `measured`.")


def _file_name(device: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", device).strip("-") or "GPU"
