"""What a report has to say about single lines: for code scanning, and as GitHub's annotations.

A finding is there once per place, however many launches have it; so is each costly line. A fault is
also named at each line that launches the kernel.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from grader.profiles import CostlyLine, LaunchGroup, LaunchReport
from grader.simt import Finding
from quizapp.report.file_names import below_here
from quizapp.report.profile import sentences
from quizapp.report.verdicts import findings
from quizapp.report.words import Words

Level = Literal["error", "warning", "note"]
_COSTS = {"shared": "bank-conflict", "global": "excessive-sectors"}
_COMMANDS: dict[Level, str] = {"error": "error", "warning": "warning", "note": "notice"}


Place = tuple[str, int, int]
"""File, line, and column; 0 for a whole line."""


class Remark(NamedTuple):
    """A remark on a line.

    Attributes:
        rule: the kind of finding, or of cost.
        title: the name of that.
        text: what happens there, with what to do.
        column: from 1; 0 if it is about the whole line.
        other: the other place that takes part (file, line, column), if there is one.
        launches: of a fault, the places that launch its kernel.
        launched: what is said there.
    """

    rule: str
    level: Level
    title: str
    text: str
    file: str
    line: int
    column: int
    other: Place | None = None
    launches: tuple[Place, ...] = ()
    launched: str = ""


def list_remarks(report: LaunchReport, say: Words) -> list[Remark]:
    """List what is found in all launches, then the costliest lines."""
    found: dict[tuple[str, str, int, int, str], Remark] = {}
    for group in report.groups:
        for finding in group.launch.findings:
            remark = _of_finding(finding, group, say)
            key = remark.rule, remark.file, remark.line, remark.column, finding.topic
            known = found.setdefault(key, remark)
            every = dict.fromkeys((*known.launches, *remark.launches))
            found[key] = known._replace(launches=tuple(every))
    return [*found.values(), *(_of_cost(costly, say) for costly in report.verdict.costly)]


def _of_finding(finding: Finding, group: LaunchGroup, say: Words) -> Remark:
    path = group.launch.path
    other = None
    if finding.other_line:
        other = path(finding.other_file), finding.other_line, finding.other_column
    fault, caller, kind = finding.kind != "warning", group.launch.caller, findings.kind_name
    return Remark(
        finding.kind,
        "error" if fault else "warning",
        kind(finding, say),
        findings.in_line(finding, say),
        path(finding.file),
        finding.line,
        finding.column,
        other,
        ((caller.file, caller.line, 0),) if fault and caller.line else (),
        say(
            "profile.launched-here", kernel=group.title, kind=kind(finding, say), line=finding.line
        ),
    )


def _of_cost(costly: CostlyLine, say: Words) -> Remark:
    names = sentences.FileNames(Path(costly.file))
    said = sentences.costly_line(costly, names, say)
    title = say(f"profile.cost.{costly.space}")
    return Remark(_COSTS[costly.space], "note", title, said, costly.file, costly.line, 0)


def relative(file: str) -> str:
    """Name a file as code scanning does: by its path below the current folder, if it is there."""
    return below_here(file).as_posix()


def github_lines(report: LaunchReport, say: Words) -> Iterator[str]:
    """Write each remark as a command of GitHub's workflows."""
    for remark in list_remarks(report, say):
        yield _annotate(remark, (remark.file, remark.line, remark.column), remark.text)
        for place in remark.launches:
            yield _annotate(remark, place, remark.launched)


def _annotate(remark: Remark, at: Place, text: str) -> str:
    file, line, column = at
    place = {"file": relative(file), "line": str(line)}
    if column:
        place["col"] = str(column)
    place["title"] = remark.title
    shown = ",".join(f"{name}={_escape_property(value)}" for name, value in place.items())
    return f"::{_COMMANDS[remark.level]} {shown}::{_escape(text)}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
