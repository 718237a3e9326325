"""`quiz calibrate`: compares the bank model with the clock of this machine's GPU."""

from __future__ import annotations

from pathlib import Path

import click

from grader.facts import fact
from quizapp.commands.common.gpu import choose_gpu, gpu_host_option, open_gpu
from quizapp.commands.common.help import json_option, subcommand
from quizapp.commands.common.output import (
    PATIENCE_SECONDS,
    note,
    print_json,
    print_lines,
    show_progress,
)
from quizapp.commands.common.surroundings import surroundings
from quizapp.commands.common.written_files import OutputFile, check_free, overwrite_option
from quizapp.domain.errors import FINDINGS, OK, UsageError
from quizapp.report import calibration as report
from quizapp.report.words import Words
from quizapp.system.files import find_free, replace_file


@subcommand(
    "quiz calibrate",
    "quiz calibrate --gpu-host me@gpu-box --all",
    "quiz calibrate --json --output h200.json",
)
@gpu_host_option
@click.option("--output", type=OutputFile(), metavar="FILE")
@overwrite_option
@click.option("--all", "everything", is_flag=True)
@json_option
def command(
    *, gpu_host: str | None, output: Path | None, overwrite: bool, everything: bool, as_json: bool
) -> int:
    """Time accesses on the GPU and compare them with the model."""
    settings = surroundings().settings
    say = Words(settings.language)
    if output is not None and output.is_dir():
        raise UsageError(fact("file.folder", file=str(output)), fact("calibration.name-file"))
    check_free(output, overwrite=overwrite)
    with (
        open_gpu(choose_gpu(settings.gpu, gpu_host), say) as device,
        show_progress(PATIENCE_SECONDS) as show,
    ):
        found = device.gpu.calibrate(lambda what: show(say.fact(what)))
    if as_json:
        print_json(found.as_plain())
    else:
        print_lines(report.lines(found, say, everything=everything))
        note(report.total(found, say))
    path = output or Path(report.file_name(found.facts.name))
    if output is None and not overwrite:
        (path,) = find_free(path.with_suffix(""), path.suffix)
    replace_file(path, report.file_text(found).encode("ascii"))
    note(say("calibration.written", path=path))
    note(say("calibration.send"))
    return FINDINGS if found.count("differ") else OK
