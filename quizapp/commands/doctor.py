"""`quiz doctor`: runs every check and prints what it found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from quizapp.commands import _checks, _gpu_checks
from quizapp.commands._checks import Finding, Status
from quizapp.commands._output import clean, counted, note, painted, print_json
from quizapp.commands._shared import json_option, subcommand
from quizapp.config import Settings, load
from quizapp.errors import FINDINGS, OK, QuizError
from quizapp.paths import Paths, find_paths
from quizapp.width import columns

_COLOURS = {Status.OK: "green", Status.NOTE: "yellow", Status.PROBLEM: "red"}


@subcommand(
    "Look for what could keep quiz from working.", "quiz doctor", "quiz doctor --json > report.json"
)
@json_option
def command(*, as_json: bool) -> int:
    """Versions, folders, settings, database, questions, terminal, GPU.

    The GPU that the settings name runs a test kernel, which takes seconds.
    A 'note' needs no action; a 'problem' says what to do, and makes the status 1.
    """
    found = list(_everything(find_paths()))
    problems = sum(finding.status is Status.PROBLEM for finding in found)
    if as_json:
        listed = [finding._asdict() | {"todo": finding.todo or None} for finding in found]
        print_json({"problems": problems, "findings": listed})
    else:
        _print(found)
        note(counted(problems, "problem") if problems else "No problems.")
    return FINDINGS if problems else OK


def _everything(paths: Paths) -> Iterator[Finding]:
    settings = _settings(paths)
    yield from _checks.versions()
    yield from _checks.folders(paths)
    yield from _checks.settings_file(paths, settings)
    yield from _checks.database(paths)
    yield from _checks.deck(paths, settings)
    yield from _checks.terminal()
    yield from _gpu_checks.gpu(Settings() if isinstance(settings, QuizError) else settings)


def _settings(paths: Paths) -> Settings | QuizError:
    """The settings, or why they cannot be read: the doctor goes on without."""
    try:
        return load(paths.config)
    except QuizError as error:
        return error


def _print(findings: Sequence[Finding]) -> None:
    names = max(columns(finding.name) for finding in findings)
    statuses = max(map(len, Status))
    for section, members in groupby(findings, key=lambda finding: finding.section):
        print(section)
        for finding in members:
            status = painted(finding.status.ljust(statuses), _COLOURS[finding.status])
            print(f"  {status}  {finding.name.ljust(names)}  {clean(finding.what)}")
            for line in finding.todo.splitlines():
                print(f"  {'':{statuses}}  {'':{names}}  {clean(line)}")
