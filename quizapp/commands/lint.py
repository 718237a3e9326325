"""`quiz lint`: prints what is wrong with questions, one line a problem, and what was proven."""

from __future__ import annotations

import os
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quizapp.commands._gpu import There, gpu_host_option, gpu_there, whose
from quizapp.commands._output import (
    PATIENCE_SECONDS,
    clean,
    counted,
    note,
    painted,
    print_json,
    print_table,
    written_over,
)
from quizapp.commands._proofs_output import (
    GPU_NUMBERS,
    emulator_plain,
    emulator_table,
    gpu_plain,
    gpu_table,
)
from quizapp.commands._shared import json_option, subcommand, surroundings
from quizapp.config import GpuSettings
from quizapp.errors import FINDINGS, OK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.gpu import Gpu
    from quizapp.deck.lint import Report
    from quizapp.deck.problems import Problem
    from quizapp.deck.proving import Progress


@subcommand(
    "Check questions, with position and remedy.",
    "quiz lint",
    "quiz lint content/shared-memory mine.yaml",
    "quiz lint --json",
    "quiz lint --proofs content/shared-memory/kernels",
    "quiz lint --gpu-host me@gpu-box content/shared-memory/kernels",
)
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")
@click.option("--proofs", is_flag=True, help="Of each kernel: where every submission failed.")
@click.option("--gpu", "on_gpu", is_flag=True, help="Prove kernels on the GPU, too.")
@gpu_host_option
@json_option
def command(
    paths: tuple[Path, ...],
    *,
    proofs: bool,
    on_gpu: bool,
    gpu_host: str | None,
    as_json: bool,
) -> int:
    """Checks the files and folders given, or all content there is.

    A line a problem, `file:line:column: what; what to do`, and status 1 if there are any. Of a
    kernel the starter, the solution, known mistakes and cheats are graded; --proofs lists them.
    With --gpu or --gpu-host the solution, mistakes of values and more cheats run on a GPU.
    """
    asks = on_gpu or gpu_host is not None
    host = whose(surroundings().settings.gpu, gpu_host).host
    asked = gpu_there(GpuSettings(use=True, host=host)) if asks else nullcontext()
    with asked as there, written_over(after=PATIENCE_SECONDS) as show:
        gpu = None if there is None else there.gpu
        report = check(paths, lambda done, total, name: show(f"{done:,} of {total:,}: {name}"), gpu)
    if as_json:
        print_json(_as_plain(report, there, proofs=proofs))
    else:
        if proofs:
            print_table(emulator_table(report.proven))
        print_table(gpu_table(report.measured), right=GPU_NUMBERS)
        print_problems(report.problems)
        note(_summary(report, there))
    return FINDINGS if report.problems else OK


def check(
    paths: Sequence[Path], progress: Progress | None = None, gpu: Gpu | None = None
) -> Report:
    """What is wrong with the files at `paths`, as parts of the whole deck."""
    from quizapp.deck.content import content_roots  # noqa: PLC0415
    from quizapp.deck.lint import lint  # noqa: PLC0415 - 150 ms with what follows

    roots = content_roots(*surroundings())
    return lint([absolute(path) for path in paths], roots, progress, gpu)


def absolute(path: Path) -> Path:
    """A path from the root: the pack of a file is found by the folders above it."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links


def problem_as_plain(problem: Problem) -> dict[str, object]:
    """A problem as `--json` prints it; the keys are promised in docs/cli.md."""
    return problem._asdict() | {"file": shown(problem.file), "question": problem.question or None}


def _as_plain(report: Report, there: There | None, *, proofs: bool) -> dict[str, object]:
    """All of it; the keys are promised in docs/cli.md."""
    plain: dict[str, object] = {
        "problems": [problem_as_plain(problem) for problem in report.problems],
        "questions": report.questions,
        "files": report.files,
    }
    if proofs:
        plain["proofs"] = emulator_plain(report.proven)
    if there is not None:
        plain["gpu"] = {
            "host": there.gpu.host,
            "device": there.facts.plain(),
            "questions": gpu_plain(report.measured),
        }
    return plain


def print_problems(problems: Sequence[Problem]) -> None:
    """A line each, in the form that editors and terminals make clickable."""
    for problem in problems:
        place = painted(f"{clean(shown(problem.file))}:{problem.line}:{problem.column}:", "bold")
        print(place, clean(f"{problem.what}; {problem.todo}"))


def shown(file: str) -> str:
    """A path as it is shortest from here."""
    return min(os.path.relpath(file), file, key=len)


def _summary(report: Report, there: There | None) -> str:
    read = f"{counted(report.questions, 'question')} in {counted(report.files, 'file')}"
    if there is not None:
        ran = sum(one.proofs is not None for one in report.measured)
        read += f", {counted(ran, 'kernel')} on {there.facts.name}"
    if not report.problems:
        return f"No problems. {read}."
    files = len({problem.file for problem in report.problems})
    return f"{counted(len(report.problems), 'problem')} in {counted(files, 'file')}. {read}."
