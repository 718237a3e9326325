"""`quiz lint`: prints what is wrong with questions, one line per problem, and what was proven."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader import wire
from grader.facts import Fact, fact
from quizapp.commands.common.gpu import OpenGpu, choose_gpu, gpu_host_option, open_gpu
from quizapp.commands.common.help import json_option, subcommand
from quizapp.commands.common.output import (
    PATIENCE_SECONDS,
    note,
    print_json,
    print_lines,
    show_progress,
)
from quizapp.commands.common.surroundings import surroundings
from quizapp.deck import content, index
from quizapp.deck.linting import lint
from quizapp.domain.errors import DATA, FINDINGS, OK
from quizapp.report.content import problems as problem_report
from quizapp.report.content import proofs as proof_report
from quizapp.report.words import Words
from quizapp.system import trust
from quizapp.system.config import GpuSettings
from quizapp.system.paths import absolute

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.gpu import Gpu
    from quizapp.deck.linting.lint import LintReport
    from quizapp.deck.linting.proving import Progress
    from quizapp.deck.problems import ContentProblem
    from quizapp.system.trust import Trust


@subcommand(
    "quiz lint",
    "quiz lint content/shared-memory mine.yaml",
    "quiz lint --json",
    "quiz lint --proofs content/shared-memory/kernels",
    "quiz lint --mutants content/shared-memory/kernels/saxpy",
    "quiz lint --gpu-host me@gpu-box content/shared-memory/kernels",
    "quiz lint --trust",
)
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")
@click.option("--proofs", is_flag=True)
@click.option("--mutants", is_flag=True)
@click.option("--gpu", "on_gpu", is_flag=True)
@gpu_host_option
@click.option("--trust", "trusts", is_flag=True)
@json_option
def command(
    paths: tuple[Path, ...],
    *,
    proofs: bool,
    mutants: bool,
    on_gpu: bool,
    gpu_host: str | None,
    trusts: bool,
    as_json: bool,
) -> int:
    """Check questions and print what is wrong with them."""
    where = surroundings()
    say = Words(where.settings.language)
    asks = on_gpu or gpu_host is not None
    host = choose_gpu(where.settings.gpu, gpu_host).host
    opened = open_gpu(GpuSettings(use=True, host=host), say) if asks else nullcontext()
    with opened as device, show_progress(after=PATIENCE_SECONDS) as show:
        gpu = None if device is None else device.gpu
        agreed = None if trusts or paths else trust.read_trust(where.paths)
        report = check(
            paths,
            lambda done, total, name: show(say("lint.progress", done=done, total=total, name=name)),
            gpu,
            agreed,
            where.paths.mutant_cache if mutants else None,
        )
    if as_json:
        print_json(_as_plain(report, device, proofs=proofs))
    else:
        if proofs:
            print_lines(proof_report.emulator_lines(report.proven, say))
        print_lines(proof_report.gpu_lines(report.measured, say))
        print_lines(proof_report.mutant_lines(report.mutated, say))
        if proofs:
            print_lines(proof_report.mistake_lines(report.proven, say))
        print_problems(report.problems, say)
        note(say.fact(_summarize(report, device)))
        print_held_back(report, say)
    return status(report)


def check(
    paths: Sequence[Path],
    progress: Progress | None = None,
    gpu: Gpu | None = None,
    agreed: Trust | None = None,
    mutants: Path | None = None,
) -> LintReport:
    """Check the files at `paths` as parts of the whole deck; with the cache, their mutants too."""
    where = surroundings()
    return lint.lint(
        [absolute(path) for path in paths], content.content_roots(*where), progress, gpu, agreed,
        mutants=mutants, earlier=index.read(str(where.paths.compiled_deck)),
    )  # fmt: skip


def print_held_back(report: LintReport, say: Words) -> None:
    """Say which kernels are not proven, and what to do about it."""
    for pack, questions in report.held_back.packs.items():
        note(say("lint.held-back", n=questions, pack=pack))
    for extra, questions in report.held_back.extras.items():
        note(say("lint.extra-missing", n=questions, extra=extra))


def status(report: LintReport) -> int:
    """Return the exit status: kernels that were not proven matter more than problems."""
    if report.held_back.packs:
        return DATA
    return FINDINGS if report.problems else OK


def _as_plain(report: LintReport, device: OpenGpu | None, *, proofs: bool) -> dict[str, object]:
    """Return the whole report as `--json` prints it; the keys are promised in docs/cli.md."""
    plain: dict[str, object] = {
        "problems": [problem_report.plain(problem) for problem in report.problems],
        "questions": report.questions,
        "files": report.files,
    }
    plain["held_back"] = dict(report.held_back.packs)
    plain["extras_missing"] = dict(report.held_back.extras)
    if proofs:
        plain["proofs"] = proof_report.emulator_plain(report.proven)
    if report.mutated:
        plain["mutants"] = proof_report.mutant_plain(report.mutated)
    if device is not None:
        plain["gpu"] = {
            "host": device.gpu.host,
            "device": wire.to_plain(device.facts),
            "questions": proof_report.gpu_plain(report.measured),
        }
    return plain


def print_problems(problems: Sequence[ContentProblem], say: Words) -> None:
    """Print a line each, in the form that editors and terminals make clickable."""
    print_lines(line for problem in problems for line in problem_report.lines(problem, say))


def _summarize(report: LintReport, device: OpenGpu | None) -> Fact:
    questions = fact("count.questions", n=report.questions)
    files = fact("count.files", n=report.files)
    if device is None:
        read = fact("lint.read", questions=questions, files=files)
    else:
        kernels = fact("count.kernels", n=sum(each.proofs is not None for each in report.measured))
        name = device.facts.name
        read = fact("lint.read-gpu", questions=questions, files=files, kernels=kernels, device=name)
    if not report.problems:
        return fact("lint.clean", read=read)
    problems = fact("count.problems", n=len(report.problems))
    wrong = fact("count.files", n=len({problem.file for problem in report.problems}))
    return fact("lint.found", problems=problems, files=wrong, read=read)
