"""`quiz lint`: prints what is wrong with questions, one line a problem, and what was proven."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

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
from quizapp.commands._shared import json_option, subcommand, surroundings
from quizapp.errors import FINDINGS, OK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from quizapp.deck.lint import Progress, Report
    from quizapp.deck.problems import Problem
    from quizapp.exercises.kernel_proofs import Proof, Role


@subcommand(
    "Check questions, with position and remedy.",
    "quiz lint",
    "quiz lint content/shared-memory mine.yaml",
    "quiz lint --json",
    "quiz lint --proofs content/shared-memory/kernels",
)
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")
@click.option("--proofs", is_flag=True, help="Of each kernel: where every submission failed.")
@json_option
def command(paths: tuple[Path, ...], *, proofs: bool, as_json: bool) -> int:
    """Checks the files and folders given, or all content there is.

    A line a problem, `file:line:column: what; what to do`, and status 1 if there are any. Of a
    kernel the starter, the solution, known mistakes and cheats are graded; --proofs lists them.
    """
    with written_over(after=PATIENCE_SECONDS) as show:
        report = check(paths, lambda done, total, name: show(f"{done:,} of {total:,}: {name}"))
    if as_json:
        print_json(_as_plain(report, proofs=proofs))
    else:
        if proofs:
            print_table(_table(report))
        print_problems(report.problems)
        note(_summary(report))
    return FINDINGS if report.problems else OK


def check(paths: Sequence[Path], progress: Progress | None = None) -> Report:
    """What is wrong with the files at `paths`, as parts of the whole deck."""
    from quizapp.deck.content import content_roots  # noqa: PLC0415
    from quizapp.deck.lint import lint  # noqa: PLC0415 - 150 ms with what follows

    return lint([absolute(path) for path in paths], content_roots(*surroundings()), progress)


def absolute(path: Path) -> Path:
    """A path from the root: the pack of a file is found by the folders above it."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links


def problem_as_plain(problem: Problem) -> dict[str, object]:
    """A problem as `--json` prints it; the keys are promised in docs/cli.md."""
    return problem._asdict() | {"file": shown(problem.file), "question": problem.question or None}


def _as_plain(report: Report, *, proofs: bool) -> dict[str, object]:
    """All of it; the keys are promised in docs/cli.md."""
    plain: dict[str, object] = {
        "problems": [problem_as_plain(problem) for problem in report.problems],
        "questions": report.questions,
        "files": report.files,
    }
    if proofs:
        plain["proofs"] = [
            {"question": one.question, "submissions": [_proof_as_plain(p) for p in one.proofs]}
            for one in report.proven
        ]
    return plain


def _proof_as_plain(proof: Proof) -> dict[str, object]:
    """One submission that was graded."""
    return {
        "role": proof.role,
        "name": proof.submission,
        "gate": proof.gate or None,
        "holds": proof.fault is None,
    }


def _table(report: Report) -> list[list[str]]:
    """A line a kernel: where starter, solution, cheats and known mistakes failed."""
    from grader.kernels import CHEATS  # noqa: PLC0415 - NumPy, 80 ms

    rows = [["question", "starter", "solution", *CHEATS, "known mistakes"]]
    for one in report.proven:
        gates = {(proof.role, proof.submission): _gate(proof) for proof in one.proofs}
        wrong = [f"{p.submission}: {_gate(p)}" for p in one.proofs if p.role == "wrong"]
        fixed: list[tuple[Role, str]] = [("starter", "starter"), ("solution", "solution")]
        fixed += [("cheat", name) for name in CHEATS]
        rows.append([one.question, *(gates.get(name, "–") for name in fixed), "; ".join(wrong)])
    return rows if report.proven else []


def _gate(proof: Proof) -> str:
    """Where a submission failed, with a sign if that is not as it should be."""
    sign = "" if proof.fault is None else "✗ "
    return f"{sign}{proof.gate or 'passes'}"


def print_problems(problems: Sequence[Problem]) -> None:
    """A line each, in the form that editors and terminals make clickable."""
    for problem in problems:
        place = painted(f"{clean(shown(problem.file))}:{problem.line}:{problem.column}:", "bold")
        print(place, clean(f"{problem.what}; {problem.todo}"))


def shown(file: str) -> str:
    """A path as it is shortest from here."""
    return min(os.path.relpath(file), file, key=len)


def _summary(report: Report) -> str:
    read = f"{counted(report.questions, 'question')} in {counted(report.files, 'file')}"
    if not report.problems:
        return f"No problems. {read}."
    files = len({problem.file for problem in report.problems})
    return f"{counted(len(report.problems), 'problem')} in {counted(files, 'file')}. {read}."
