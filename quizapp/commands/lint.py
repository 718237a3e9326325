"""`quiz lint`: prints what is wrong with questions, one line a problem."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quizapp.commands._output import clean, counted, note, painted, print_json
from quizapp.commands._shared import json_option, subcommand, surroundings
from quizapp.errors import FINDINGS, OK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from quizapp.deck.lint import Report
    from quizapp.deck.problems import Problem


@subcommand(
    "Check questions, with position and remedy.",
    "quiz lint",
    "quiz lint content/shared-memory mine.yaml",
    "quiz lint --json",
)
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")
@json_option
def command(paths: tuple[Path, ...], *, as_json: bool) -> int:
    """Checks the files and folders given, or all content there is.

    A line a problem, `file:line:column: what; what to do`, and status 1 if there are any.
    """
    report = check(paths)
    if as_json:
        print_json(
            {
                "problems": [problem_as_plain(problem) for problem in report.problems],
                "questions": report.questions,
                "files": report.files,
            }
        )
    else:
        print_problems(report.problems)
        note(_summary(report))
    return FINDINGS if report.problems else OK


def check(paths: Sequence[Path]) -> Report:
    """What is wrong with the files at `paths`, as parts of the whole deck."""
    from quizapp.deck.content import content_roots  # noqa: PLC0415
    from quizapp.deck.lint import lint  # noqa: PLC0415 - 150 ms with what follows

    return lint([absolute(path) for path in paths], content_roots(*surroundings()))


def absolute(path: Path) -> Path:
    """A path from the root: the pack of a file is found by the folders above it."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links


def problem_as_plain(problem: Problem) -> dict[str, object]:
    """A problem as `--json` prints it; the keys are promised in docs/cli.md."""
    return problem._asdict() | {"file": shown(problem.file), "question": problem.question or None}


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
